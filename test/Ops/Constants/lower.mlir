// What a static type says is no code.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.

// CHECK-LABEL: gpu.func @constant(
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @constant() kernel {
    %l = cute.static : !cute.layout<"(4,8):(8,1)">
    %s = cute.get_shape(%l)
    cute.static_assert<"congruent"> (%l, %s)
    gpu.return
  }
}
