// Vectors in host functions: nothing of the dialect is left, and MLIR's passes
// take the rest.
// RUN: cute-opt %s --cute-to-base | FileCheck %s --implicit-check-not=cute.
// RUN: cute-opt %s --cute-to-base --base-prepare --one-shot-convert-to-llvm | FileCheck %s --check-prefix=LLVM --implicit-check-not=vector.

// CHECK-LABEL: func.func @sum(
// LLVM-LABEL: llvm.func @sum(
func.func @sum(%v: vector<8xf32>, %z: f32) -> f32 {
  %l = cute.static : !cute.layout<"(2,4):(4,1)">
  // CHECK-COUNT-8: llvm.store
  %f = cute.make_fragment<f32> (%l)
  cute.store_vector(%v, %f)
  // CHECK-COUNT-8: llvm.load
  // CHECK: vector.from_elements
  %w = cute.load_vector(%f)
  // CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 1, 3, 5, 7]
  // LLVM: llvm.shufflevector {{.*}} [0, 2, 4, 6, 1, 3, 5, 7]
  %x = cute.gather_vector<"(4,2):(2,1)"> (%w)
  // CHECK-COUNT-4: arith.addf
  // LLVM-COUNT-4: llvm.fadd
  %r = cute.reduce_vector<"add", "8", "0"> (%x, %z)
  return %r : f32
}

// A number is repeated, and not seen as the vector of one element.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[X:.*]]: f32)
// LLVM-LABEL: llvm.func @number(
func.func @number(%x: f32) -> (vector<8xf32>, vector<1xf32>) {
  // CHECK: vector.broadcast %[[X]] : f32 to vector<8xf32>
  %a = cute.broadcast_vector<"1", "(4,2)"> (%x)
  // CHECK: vector.broadcast %[[X]] : f32 to vector<1xf32>
  %b = cute.broadcast_vector<"1", "1"> (%x)
  return %a, %b : vector<8xf32>, vector<1xf32>
}
