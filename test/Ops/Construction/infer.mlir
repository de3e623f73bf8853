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

// CHECK-LABEL: func.func @make_layout_of_shape(
func.func @make_layout_of_shape(%a: !cute.shape<"(4,(?,2))">) {
  // CHECK: cute.make_layout{{.*}} -> !cute.layout<"(4,(?,2)):(1,(4,?))">{{$}}
  %r = cute.make_layout(%a)
  return
}

// CHECK-LABEL: func.func @concatenate(
func.func @concatenate(%a: !cute.layout<"4:1">, %b: !cute.layout<"(2,?):(4,?)">) {
  // CHECK: cute.concatenate{{.*}} -> !cute.layout<"(4,(2,?),4):(1,(4,?),1)">{{$}}
  %r = cute.concatenate(%a, %b, %a)
  return
}

// CHECK-LABEL: func.func @make_layout_tv(
func.func @make_layout_tv(%a: !cute.layout<"(4,8):(8,1)">, %b: !cute.layout<"(2,2):(2,1)">) {
  // CHECK: cute.make_layout_tv{{.*}} -> (!cute.shape<"(8,16)">, !cute.layout<"((8,4),(2,2)):((16,2),(8,1))">){{$}}
  %r:2 = cute.make_layout_tv(%a, %b)
  return
}
