// Tensors of descriptors, and products that need not add C.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @product
func.func @product(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %p: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">, %b: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">, %x: i1) {
  // CHECK: %[[A:.*]] = cute.make_fragment_a({{.*}} -> !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">
  // GENERIC: "cute.make_fragment_a"({{.*}} -> !cute.tensor<f16, "desc", 1024 : i64, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">
  %a = cute.make_fragment_a(%m, %p)
  // CHECK: cute.gemm(%{{.*}}, %{{.*}}, %[[A]], %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}, i1
  // GENERIC: "cute.gemm"({{.*}}, i1) -> ()
  cute.gemm(%m, %d, %a, %b, %d, %x)
  return
}
