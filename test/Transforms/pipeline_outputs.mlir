// Loops that write to a parameter with llvm.noalias are pipelined, unless they
// read it, or what may be derived from it.
// RUN: cute-opt %s --cute-pipeline 2>&1 >/dev/null | FileCheck %s --implicit-check-not=remark:

!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!o = !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">
gpu.module @m {
  // CHECK: remark: the loop has 3 stages
  gpu.func @output(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !o {llvm.noalias}, %other: !o, %c: i1, %m: memref<i32>, %table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
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
    %e = cute.make_fragment_like(%out)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.autovec_copy(%r, %out)
      gpu.barrier
    }
    gpu.return
  }

  // CHECK: remark: the loop has 3 stages
  gpu.func @others(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !o {llvm.noalias}, %other: !o, %c: i1, %m: memref<i32>, %table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
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
    %e = cute.make_fragment_like(%out)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.autovec_copy(%other, %e)
      cute.autovec_copy(%r, %out)
      gpu.barrier
    }
    gpu.return
  }

  // CHECK: remark: the loop is not pipelined: 'cute.autovec_copy' writes global memory
  gpu.func @is_read(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !o {llvm.noalias}, %other: !o, %c: i1, %m: memref<i32>, %table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
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
    %e = cute.make_fragment_like(%out)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.autovec_copy(%out, %e)
      cute.autovec_copy(%r, %out)
      gpu.barrier
    }
    gpu.return
  }

  // CHECK: remark: the loop is not pipelined: 'cute.autovec_copy' writes global memory
  gpu.func @input(%A: !g {llvm.noalias}, %n: i32, %x: i32, %thread: i32, %out: !o, %other: !o, %c: i1, %m: memref<i32>, %table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
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
    %e = cute.make_fragment_like(%out)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.autovec_copy(%r, %out)
      gpu.barrier
    }
    gpu.return
  }
}
