// What divides a stride in elements divides it in wider ones, too, where the
// quotient is whole: a copy of 16 bytes from the recast tensor needs no promise.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @strides
func.func @strides(%W: !cute.tensor<i4, gmem, align<16>, "(?{div=128},?{div=128}):(?{i64 div=128},1)">, %V: !cute.tensor<f16, gmem, align<16>, "(?,?{div=64}):(?{i64 div=64},1)">, %n: !cute.tensor<f16, gmem, align<16>, "(?,?{div=2}):(?{i64 div=2},1)">) {
  // CHECK: !cute.tensor<i32, gmem, align<16>, "(?{div=128},?{div=16}):(?{i64 div=16},1)">
  %0 = cute.recast_tensor<i32> (%W)
  // CHECK: !cute.tensor<i32, gmem, align<16>, "(?,?{div=32}):(?{i64 div=32},1)">
  %1 = cute.recast_tensor<i32> (%V)
  // CHECK: !cute.tensor<i32, gmem, align<16>, "(?,?):(?{i64},1)">
  %2 = cute.recast_tensor<i32> (%n)
  return
}
