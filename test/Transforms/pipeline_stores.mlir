// RUN: cute-opt %s --cute-pipeline 2>/dev/null | FileCheck %s
// RUN: cute-opt %s --cute-pipeline 2>/dev/null | cute-opt - --cute-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=AGAIN --allow-empty
// AGAIN-NOT: remark
//
// The first copies go in front of the loop, and with them copies of rounds that followed barriers
// of the plain loop: where the kernel has written global memory,
// another takes their place.

!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  // CHECK-LABEL: gpu.func @nothing
  // CHECK-NOT: gpu.barrier
  // CHECK: cute.copy({{.*}}CP_ASYNC
  gpu.func @nothing(%A: !g, %n: i32, %thread: i32, %at0: !cute.coord<"(?,?,?)">, %v: f16) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @store
  // CHECK: cute.store(
  // CHECK-NEXT: gpu.barrier
  // CHECK: cute.copy({{.*}}CP_ASYNC
  gpu.func @store(%A: !g, %n: i32, %thread: i32, %at0: !cute.coord<"(?,?,?)">, %v: f16) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cute.store(%v, %A, %at0)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @stored_after
  // CHECK-NOT: gpu.barrier
  // CHECK: cute.copy({{.*}}CP_ASYNC
  gpu.func @stored_after(%A: !g, %n: i32, %thread: i32, %at0: !cute.coord<"(?,?,?)">, %v: f16) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    cute.store(%v, %A, %at0)
    gpu.return
  }

  // In a loop around, what comes behind has come before.
  // CHECK-LABEL: gpu.func @around
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK: cute.copy({{.*}}CP_ASYNC
  // CHECK: cp_async_commit
  // CHECK: scf.for
  gpu.func @around(%A: !g, %n: i32, %thread: i32, %at0: !cute.coord<"(?,?,?)">, %v: f16) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %o = %c0 to %n step %c1 : i32 {
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    cute.store(%v, %A, %at0)
    }
    gpu.return
  }

  // Registers and shared memory are no matter.
  // CHECK-LABEL: gpu.func @registers
  // CHECK: cute.fill
  // CHECK-NOT: gpu.barrier
  // CHECK: cute.copy({{.*}}CP_ASYNC
  gpu.func @registers(%A: !g, %n: i32, %thread: i32, %at0: !cute.coord<"(?,?,?)">, %v: f16) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cute.fill(%r, %v)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }

  // What somebody has said of the loop holds for the new one.
  // CHECK-LABEL: gpu.func @attributes
  // CHECK: } {cute.stages = 3 : i32, cute.unroll = 2 : i32, note = "mine"}
  gpu.func @attributes(%A: !g, %n: i32, %thread: i32, %at0: !cute.coord<"(?,?,?)">, %v: f16) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    } {cute.unroll = 2 : i32, note = "mine"}
    gpu.return
  }
}
