// RUN: cute-opt %s --cute-to-host | FileCheck %s
// Small floats are converted by arithmetic on the host, with no PTX.

// CHECK-LABEL: func.func @scalar
// CHECK-NOT: arith.truncf {{.*}} f8E4M3FN
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @scalar(%x: f64) -> f8E4M3FN {
  %y = arith.truncf %x : f64 to f8E4M3FN
  return %y : f8E4M3FN
}

// CHECK-LABEL: func.func @elements
// CHECK-NOT: arith.extf {{.*}} vector
// CHECK: vector.from_elements
func.func @elements(%x: vector<2xf8E5M2>) -> vector<2xf32> {
  %y = arith.extf %x : vector<2xf8E5M2> to vector<2xf32>
  return %y : vector<2xf32>
}
