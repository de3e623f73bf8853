// Equal ops are one, others stay.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @other
// CHECK: cute.slice_vector
// CHECK: cute.broadcast_vector
// CHECK: cute.gather_vector
func.func @other(%v: vector<8xf32>) -> (vector<4xf32>, vector<16xf32>, vector<8xf32>) {
  %0 = cute.slice_vector<"(4,2)", "(_,1)"> (%v)
  %1 = cute.broadcast_vector<"(4,2)", "(4,2,2)"> (%v)
  %2 = cute.gather_vector<"(2,4):(4,1)"> (%v)
  return %0, %1, %2 : vector<4xf32>, vector<16xf32>, vector<8xf32>
}

// CHECK-LABEL: func.func @equal
// CHECK: %[[R:.*]] = cute.reduce_vector<"add"
// CHECK: %[[M:.*]] = cute.reduce_vector<"max"
// CHECK-NEXT: return %[[R]], %[[R]], %[[M]]
func.func @equal(%v: vector<8xf32>, %z: f32) -> (f32, f32, f32) {
  %0 = cute.reduce_vector<"add", "8", "0"> (%v, %z)
  %1 = cute.reduce_vector<"add", "8", "0"> (%v, %z)
  %2 = cute.reduce_vector<"max", "8", "0"> (%v, %z)
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-LABEL: func.func @moved
// CHECK: %[[S:.*]] = cute.slice_vector
// CHECK-NEXT: %[[B:.*]] = cute.broadcast_vector
// CHECK-NEXT: %[[G:.*]] = cute.gather_vector
// CHECK-NEXT: return %[[S]], %[[S]], %[[B]], %[[B]], %[[G]], %[[G]]
func.func @moved(%v: vector<8xf32>) -> (vector<4xf32>, vector<4xf32>, vector<16xf32>, vector<16xf32>, vector<8xf32>, vector<8xf32>) {
  %0 = cute.slice_vector<"(4,2)", "(_,1)"> (%v)
  %1 = cute.slice_vector<"(4,2)", "(_,1)"> (%v)
  %2 = cute.broadcast_vector<"(4,2)", "(4,2,2)"> (%v)
  %3 = cute.broadcast_vector<"(4,2)", "(4,2,2)"> (%v)
  %4 = cute.gather_vector<"(2,4):(4,1)"> (%v)
  %5 = cute.gather_vector<"(2,4):(4,1)"> (%v)
  return %0, %1, %2, %3, %4, %5 : vector<4xf32>, vector<4xf32>, vector<16xf32>, vector<16xf32>, vector<8xf32>, vector<8xf32>
}
