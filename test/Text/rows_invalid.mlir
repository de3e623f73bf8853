// RUN: cute-opt %s --split-input-file --verify-diagnostics

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,2,1):(0,1,0)", "[_;_;_]">
!sums = !cute.tensor<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
func.func @warps(%mma: !mma, %t: !sums) -> vector<4xf32> {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{row_max: several warps share a row of this MMA, whose atoms are (1,2,1):(0,1,0)}}
  %max = row_max(%mma, %v)
  return %max : vector<4xf32>
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
func.func @shape(%mma: !mma, %v: vector<32xf32>) -> vector<4xf32> {
  // expected-error @+1 {{row_sum takes a vector that was loaded from sums of the MMA, of a shape (value,m,n)}}
  %sum = row_sum(%mma, %v)
  return %sum : vector<4xf32>
}

// -----

func.func @operands(%v: vector<32xf32>) -> vector<32xf32> {
  // expected-error @+1 {{row_sum takes a tiled MMA, a vector of a thread's sums and perhaps a number to begin with}}
  %sum = row_sum(%v)
  return %sum : vector<32xf32>
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F16F16F16F16_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!sums = !cute.tensor<f16, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
func.func @begin(%mma: !mma, %t: !sums) -> vector<4xf16> {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{row_max of vector<32xf16> needs a number to begin with: row_max(%mma, %v, %x)}}
  %max = row_max(%mma, %v)
  return %max : vector<4xf16>
}

// -----

!mma = !cute.tiled_mma<"SM70_8x8x4_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!sums = !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
func.func @lanes(%mma: !mma, %t: !sums) -> vector<4xf32> {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{row_max: the lanes that share a row of this MMA are not side by side}}
  %max = row_max(%mma, %v)
  return %max : vector<4xf32>
}
