// RUN: cute-opt %s | FileCheck %s

// Operand types without a result type, and with the inferred one, are the same.
// CHECK-LABEL: func.func @written(
func.func @written(%l: !cute.layout<"(4,6):(12,2)">) {
  // CHECK-COUNT-3: cute.make_layout_like(%{{.*}}) : !cute.layout<"(4,6):(12,2)"> -> !cute.layout<"(4,6):(6,1)">
  %0 = cute.make_layout_like(%l)
  %1 = cute.make_layout_like(%l) : !cute.layout<"(4,6):(12,2)">
  %2 = cute.make_layout_like(%l) : !cute.layout<"(4,6):(12,2)"> -> !cute.layout<"(4,6):(6,1)">
  return
}
