// Arithmetic on vectors of f32 is that of pairs from sm_100 on.
// RUN: cutec %s --arch=sm_100 --no-manifest -o - | FileCheck %s
// RUN: cutec %s --arch=sm_90 --no-manifest -o - | FileCheck %s --check-prefix=SINGLE --implicit-check-not=f32x2

// CHECK-LABEL: .entry pairs(
// CHECK-COUNT-2: fma.rn.f32x2
// CHECK-COUNT-2: add.rn.f32x2
// SINGLE-LABEL: .entry pairs(
// SINGLE-COUNT-4: fma.rn.f32
// SINGLE-COUNT-4: add.rn.f32
gpu.module @m {
  gpu.func @pairs(%a: !cute.tensor<f32, gmem, align<16>, "4:1">) kernel {
    %v = cute.load_vector(%a)
    %1 = math.fma %v, %v, %v : vector<4xf32>
    %2 = arith.addf %1, %v : vector<4xf32>
    cute.store_vector(%2, %a)
    gpu.return
  }
}
