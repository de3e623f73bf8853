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

// CHECK-LABEL: func.func @max_common_layout(
func.func @max_common_layout(%a: !cute.layout<"(4,8):(1,16)">, %b: !cute.layout<"(4,?):(1,4)">) {
  // CHECK: cute.max_common_layout{{.*}} -> !cute.layout<"4:1">{{$}}
  %r = cute.max_common_layout(%b, %a)
  return
}

// CHECK-LABEL: func.func @max_common_vector(
func.func @max_common_vector(%a: !cute.layout<"(4,8):(1,4)">, %b: !cute.composed_layout<"S<2,3,3> o 0 o (4,8):(1,4)">) {
  // CHECK: cute.max_common_vector{{.*}} -> !cute.int_tuple<"8">{{$}}
  %r = cute.max_common_vector(%a, %b)
  return
}
