// Products of a warpgroup have no other C than D.
// RUN: cute-opt %s --cute-expand-atoms --verify-diagnostics

func.func @other_sums(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">, %b: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">, %c: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">) {
  // expected-error @+1 {{products of a warpgroup are added in place; D must be C}}
  cute.gemm(%m, %d, %a, %b, %c)
  return
}
