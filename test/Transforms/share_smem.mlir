// RUN: cute-opt %s --cute-share-smem 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: cute-opt %s --pass-pipeline='builtin.module(cute-share-smem,cute-share-smem)' 2>/dev/null >%t.twice
// RUN: cute-opt %s --cute-share-smem 2>/dev/null | diff - %t.twice

!s = !cute.tensor<f32, smem, align<128>, "(16,8):(8,1)">
!half = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
!r = !cute.tensor<f32, rmem, align<16>, "(16,8):(8,1)">
!h = !cute.tensor<f16, rmem, align<16>, "(16,8):(8,1)">

gpu.module @m {
  // A barrier lies between the last use of one and the first of the other, which
  // is no larger and has another element type.
  // REMARK: share_smem.mlir:[[@LINE+12]]:{{[0-9]+}}: remark: takes 256 bytes of an allocation that is no longer used
  // CHECK-LABEL: gpu.func @after
  // CHECK: %[[A:.*]] = cute.alloc_smem<f32, 128>
  // CHECK-NOT: cute.alloc_smem
  // CHECK: %[[P:.*]] = cute.get_iter(%[[A]])
  // CHECK: %[[Q:.*]] = cute.recast_ptr(%[[P]])
  // CHECK: %[[B:.*]] = cute.make_tensor(%[[Q]], %{{.*}}) : {{.*}} -> !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
  // CHECK: cute.autovec_copy(%{{.*}}, %[[B]])
  gpu.func @after(%r: !r, %h: !h) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f32, 128> (%l)
    cute.autovec_copy(%r, %a)
    %b = cute.alloc_smem<f16, 128> (%l)
    gpu.barrier
    cute.autovec_copy(%h, %b)
    gpu.return
  }

  // Three in turn share the first; the last one lies in a view.
  // REMARK: takes 512 bytes
  // REMARK: takes 512 bytes

  // CHECK-LABEL: gpu.func @in_turn
  // CHECK: %[[A:.*]] = cute.alloc_smem
  // CHECK-NOT: cute.alloc_smem
  // CHECK: cute.get_iter(%[[A]])
  // CHECK: cute.get_iter(%[[A]])
  gpu.func @in_turn(%r: !r) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f32, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    %c = cute.alloc_smem<f32, 128> (%l)
    cute.autovec_copy(%r, %a)
    gpu.barrier
    cute.autovec_copy(%r, %b)
    gpu.barrier
    %at = cute.static : !cute.coord<"(_,_)">
    %view = cute.slice(%c, %at)
    cute.autovec_copy(%r, %view)
    gpu.return
  }

  // Allocations may come between; ones that took bytes are gone when the next are looked at.
  // REMARK: takes 512 bytes
  // REMARK: takes 512 bytes
  // REMARK: takes 512 bytes
  // CHECK-LABEL: gpu.func @between
  // CHECK-COUNT-1: cute.alloc_smem
  // CHECK-NOT: cute.alloc_smem
  gpu.func @between(%r: !r) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f32, 128> (%l)
    cute.autovec_copy(%r, %a)
    %b = cute.alloc_smem<f32, 128> (%l)
    gpu.barrier
    cute.autovec_copy(%r, %b)
    %c = cute.alloc_smem<f32, 128> (%l)
    gpu.barrier
    cute.autovec_copy(%r, %c)
    %d = cute.alloc_smem<f32, 128> (%l)
    gpu.barrier
    cute.autovec_copy(%r, %d)
    gpu.return
  }

  // No barrier between, or none that all threads have to pass.
  // CHECK-LABEL: gpu.func @no_barrier
  // CHECK-COUNT-2: cute.alloc_smem
  gpu.func @no_barrier(%r: !r, %c: i1) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f32, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    cute.autovec_copy(%r, %a)
    scf.if %c {
      gpu.barrier
    }
    cute.autovec_copy(%r, %b)
    gpu.return
  }

  // Used in turn within a loop, that is, also the other way around.
  // CHECK-LABEL: gpu.func @loop
  // CHECK-COUNT-2: cute.alloc_smem
  gpu.func @loop(%r: !r, %n: index) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f32, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      cute.autovec_copy(%r, %a)
      gpu.barrier
      cute.autovec_copy(%r, %b)
      gpu.barrier
    }
    gpu.return
  }

  // Larger than what is free, and less aligned.
  // CHECK-LABEL: gpu.func @larger
  // CHECK-COUNT-3: cute.alloc_smem
  gpu.func @larger(%r: !r, %h: !h) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f16, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    %c = cute.alloc_smem<f16, 256> (%l)
    cute.autovec_copy(%h, %a)
    gpu.barrier
    cute.autovec_copy(%r, %b)
    cute.autovec_copy(%h, %c)
    gpu.return
  }

  // An address that was taken may be used later.
  // CHECK-LABEL: gpu.func @address
  // CHECK-COUNT-2: cute.alloc_smem
  gpu.func @address(%r: !r) {
    %l = cute.static : !cute.layout<"(16,8):(8,1)">
    %a = cute.alloc_smem<f32, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    %p = cute.get_iter(%a)
    %i = cute.ptr_to_int(%p)
    cute.autovec_copy(%r, %a)
    gpu.barrier
    cute.autovec_copy(%r, %b)
    gpu.return
  }

  // Copies that nobody waited for may still write.
  // CHECK-LABEL: gpu.func @pending
  // CHECK-COUNT-2: cute.alloc_smem
  // CHECK-LABEL: gpu.func @waited
  // CHECK-COUNT-1: cute.alloc_smem
  // CHECK-NOT: cute.alloc_smem
  gpu.func @pending(%g: !cute.tensor<f32, gmem, align<16>, "(4,1):(1,0)">, %r: !cute.tensor<f32, rmem, align<16>, "(4,1):(1,0)">) {
    %l = cute.static : !cute.layout<"(4,1):(1,0)">
    %a = cute.alloc_smem<f32, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f32>
    cute.copy(%async, %g, %a)
    cute.cp_async_commit
    cute.cp_async_wait<1>
    gpu.barrier
    cute.autovec_copy(%r, %b)
    gpu.return
  }
  gpu.func @waited(%g: !cute.tensor<f32, gmem, align<16>, "(4,1):(1,0)">, %r: !cute.tensor<f32, rmem, align<16>, "(4,1):(1,0)">) {
    %l = cute.static : !cute.layout<"(4,1):(1,0)">
    %a = cute.alloc_smem<f32, 128> (%l)
    %b = cute.alloc_smem<f32, 128> (%l)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f32>
    cute.copy(%async, %g, %a)
    cute.cp_async_wait_all
    gpu.barrier
    cute.autovec_copy(%r, %b)
    gpu.return
  }
}
