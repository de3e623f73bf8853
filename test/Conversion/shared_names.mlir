// The global for a kernel's shared memory gets a name that the module has not.
// RUN: cute-opt %s --cute-lower | FileCheck %s
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

// CHECK-DAG: llvm.mlir.global internal @a_smem_1() {{.*}} : !llvm.array<64 x i8>
// CHECK-DAG: llvm.mlir.global internal @a_smem_smem() {{.*}} : !llvm.array<128 x i8>
// CHECK-LABEL: gpu.func @a(
// CHECK: llvm.mlir.addressof @a_smem_1 : !llvm.ptr<3>
// CHECK-LABEL: gpu.func @a_smem(
// CHECK: llvm.mlir.addressof @a_smem_smem : !llvm.ptr<3>
// CHECK-LABEL: func.func private @a_smem_0()

// PTX-DAG: .shared .align 16 .b8 a_smem_1[64];
// PTX-DAG: .shared .align 16 .b8 a_smem_smem[128];
// PTX-DAG: .entry a(
// PTX-DAG: .entry a_smem(

gpu.module @m {
  gpu.func @a(%g: !cute.tensor<i8, gmem, align<1>, "1:0">, %v: i8, %i: i32) kernel {
    %l = cute.static : !cute.layout<"64:1">
    %s = cute.alloc_smem<i8, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %s, %c)
    nvvm.barrier0
    %w = cute.load(%s, %z)
    cute.store(%w, %g, %z)
    gpu.return
  }
  gpu.func @a_smem(%g: !cute.tensor<i8, gmem, align<1>, "1:0">, %v: i8, %i: i32) kernel {
    %l = cute.static : !cute.layout<"128:1">
    %s = cute.alloc_smem<i8, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %s, %c)
    nvvm.barrier0
    %w = cute.load(%s, %z)
    cute.store(%w, %g, %z)
    gpu.return
  }
  func.func private @a_smem_0() {
    return
  }
}
