// What the open dialect's verdicts (test/data/ops) do not show of inference.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @repeated(
func.func @repeated(%a0: !cute.layout<"5:0">, %a1: !cute.shape<"40">) {
  // CHECK: cute.complement{{.*}} -> !cute.layout<"40:1">{{$}}
  %0 = cute.complement(%a0, %a1)
  // CHECK: cute.left_inverse{{.*}} -> !cute.layout<"1:0">{{$}}
  %1 = cute.left_inverse(%a0)
  return
}

// CHECK-LABEL: func.func @filter(
func.func @filter(%a0: !cute.layout<"(4,(2,?)):(0,(1,?))">) {
  // CHECK: cute.filter_zeros({{.*}}) -> !cute.layout<"(1,(2,?)):(0,(1,?))">
  %0 = cute.filter_zeros(%a0)
  // CHECK: cute.filter({{.*}}) -> !cute.layout<"(2,?):(1,?)">
  %1 = cute.filter(%a0)
  return
}
