// row_max, row_min and row_sum of the sums of a tiled MMA: a thread's values of each row, then
// the lanes that share it. The ops are the same as written by hand.
//
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --cute-sugar | FileCheck %s --check-prefix=SUGAR
// RUN: cute-opt %s --cute-sugar | cute-opt | FileCheck %s

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,1,1):(1,0,0)", "[_;_;_]">
!warpgroup = !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">
!sums = !cute.tensor<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
!sums_64 = !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">

// CHECK-LABEL: func.func @warp
func.func @warp(%mma: !mma, %t: !sums) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  // CHECK: %[[V:.*]] = cute.load_vector
  %v = cute.load_vector(%t)
  // CHECK: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // CHECK: %[[MINE:.*]] = cute.reduce_vector<"max", "((2,2),2,4)", "((1,_),_,1)"> (%[[V]], %[[INF]])
  // CHECK: cute.warp_reduce<"max", 4> (%[[MINE]])
  %max = row_max(%mma, %v)
  // CHECK: %[[MOST:.*]] = arith.constant 1.000000e+30 : f32
  // CHECK: %[[MINE:.*]] = cute.reduce_vector<"min", "((2,2),2,4)", "((1,_),_,1)"> ({{.*}}, %[[MOST]])
  // CHECK: cute.warp_reduce<"min", 4> (%[[MINE]])
  %min = row_min(%mma, %v, 1.0e30)
  // CHECK: %[[MINE:.*]] = cute.reduce_vector<"add", "((2,2),2,4)", "((1,_),_,1)">
  // CHECK: %[[SUM:.*]] = cute.warp_reduce<"add", 4> (%[[MINE]])
  // CHECK: arith.mulf %[[SUM]],
  %sum = row_sum(%mma, math.exp2<afn>(%v)) * 2.0
  return %max, %min, %sum : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @warpgroup
func.func @warpgroup(%mma: !warpgroup, %t: !sums_64) -> vector<2xf32> {
  // CHECK: cute.reduce_vector<"max", "((2,2,2),1,1)", "((1,_,1),_,1)">
  // CHECK: cute.warp_reduce<"max", 4>
  %max = row_max(%mma, cute.load_vector(%t))
  return %max : vector<2xf32>
}

// Printed again, where a value that is made here is the MMA. What no function of rows expresses
// stays: an MMA that cannot be seen, another number of lanes, other modes, a value that something
// else needs, too.
// SUGAR-LABEL: func.func @again
// CHECK-LABEL: func.func @again
func.func @again(%t: !sums, %u: !cute.tensor<f32, rmem, align<16>, "4:1">, %p: i1) {
  %v = cute.load_vector(%t)
  // SUGAR: if %{{.*}} {
  if %p {
    // SUGAR: %[[MMA:.*]] = cute.make_tiled_mma
    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, (2,1,1):(1,0,0))
    // SUGAR-NEXT: cute.store_vector(row_max(%[[MMA]], %[[V:.*]]), %arg1)
    cute.store_vector(row_max(%mma, %v), %u)
    // SUGAR-NEXT: cute.store_vector(row_min(%[[MMA]], %[[V]], 1.0e+30), %arg1)
    cute.store_vector(row_min(%mma, %v, 1.0e30), %u)
    // SUGAR-NEXT: cute.store_vector(row_sum(%[[MMA]], math.exp2<afn>(%[[V]] * 2.0)) + 1.0, %arg1)
    cute.store_vector(row_sum(%mma, math.exp2<afn>(%v * 2.0)) + 1.0, %u)
    // SUGAR-NOT: row_
    // SUGAR: cute.warp_reduce<"max", 8>
    cute.store_vector(cute.warp_reduce<"max", 8>(cute.reduce_vector<"max", "((2,2),2,4)", "((1,_),_,1)">(%v, 0xFF800000)), %u)
    // SUGAR: cute.reduce_vector<"max", "((2,2),2,4)", "((_,1),_,1)">(%[[V]], 0xFF800000)
    // SUGAR: cute.warp_reduce<"max", 4>
    cute.store_vector(cute.warp_reduce<"max", 4>(cute.reduce_vector<"max", "((2,2),2,4)", "((_,1),_,1)">(%v, 0xFF800000)), %u)
    %mine = cute.reduce_vector<"max", "((2,2),2,4)", "((1,_),_,1)">(%v, 0xFF800000)
    // SUGAR: cute.warp_reduce<"max", 4>
    cute.store_vector(cute.warp_reduce<"max", 4>(%mine) + %mine, %u)
  }
  // SUGAR: cute.warp_reduce<"max", 4>
  cute.store_vector(cute.warp_reduce<"max", 4>(cute.reduce_vector<"max", "((2,2),2,4)", "((1,_),_,1)">(%v, 0xFF800000)), %u)
  return
}
