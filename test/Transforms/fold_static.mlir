// Values that their types spell become constants; dead pure ops go.
// RUN: cute-opt %s --cute-fold-static | FileCheck %s

func.func private @use(!cute.layout<"(4,2):(1,4)">)
func.func private @use_shape(!cute.shape<"4">, !cute.shape<"?">)
func.func private @use_bool(i1)

// The type of the result decides, not the operands'.
// CHECK-LABEL: func.func @result
func.func @result(%x: !cute.layout<"(4,(2,?)):(1,(4,8))">) {
  // CHECK-NOT: cute.get
  // CHECK: %[[L:.*]] = cute.static : !cute.layout<"(4,2):(1,4)">
  // CHECK: call @use(%[[L]])
  %m = cute.get<[0]> (%x)
  %n = cute.get<[1, 0]> (%x)
  %s = cute.static : !cute.shape<"(4,2)">
  %d = cute.static : !cute.stride<"(1,4)">
  %l = cute.make_layout(%s, %d)
  call @use(%l) : (!cute.layout<"(4,2):(1,4)">) -> ()
  return
}

// One static result of several: the op stays for the others.
// CHECK-LABEL: func.func @one_of_two
func.func @one_of_two(%s: !cute.shape<"(4,?)">) {
  // CHECK: %[[C:.*]] = cute.static : !cute.shape<"4">
  // CHECK: %[[P:.*]]:2 = cute.get_leaves
  // CHECK: call @use_shape(%[[C]], %[[P]]#1)
  %p:2 = cute.get_leaves(%s) : !cute.shape<"(4,?)">
  call @use_shape(%p#0, %p#1) : (!cute.shape<"4">, !cute.shape<"?">) -> ()
  return
}

// CHECK-LABEL: func.func @compare
func.func @compare() {
  %a = cute.static : !cute.coord<"(1,2)">
  %b = cute.static : !cute.coord<"(2,3)">
  %c = cute.static : !cute.coord<"(2,2)">
  // CHECK: %[[T:.*]] = arith.constant true
  // CHECK: call @use_bool(%[[T]])
  %less = cute.elem_less(%a, %b) : !cute.coord<"(1,2)">, !cute.coord<"(2,3)">
  call @use_bool(%less) : (i1) -> ()
  // 2 < 2 is false.
  // CHECK: %[[F:.*]] = arith.constant false
  // CHECK: call @use_bool(%[[F]])
  %not = cute.elem_less(%a, %c) : !cute.coord<"(1,2)">, !cute.coord<"(2,2)">
  call @use_bool(%not) : (i1) -> ()
  // CHECK: %[[U:.*]] = arith.constant true
  // CHECK: call @use_bool(%[[U]])
  %d = cute.static : !cute.coord<"(_,2)">
  %e = cute.static : !cute.coord<"(_,3)">
  %over = cute.elem_less(%d, %e) : !cute.coord<"(_,2)">, !cute.coord<"(_,3)">
  call @use_bool(%over) : (i1) -> ()
  // CHECK: cute.elem_less
  %one = cute.elem_less(%d, %c) : !cute.coord<"(_,2)">, !cute.coord<"(2,2)">
  call @use_bool(%one) : (i1) -> ()
  return
}

// Dead and pure: gone. Effects: kept, also without uses.
// CHECK-LABEL: func.func @dead
func.func @dead(%t: !cute.tensor<f32, gmem, align<4>, "4:1">, %n: i32) {
  // CHECK-NOT: cute.make_shape
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
  %l = cute.static : !cute.layout<"4:1">
  // CHECK: cute.make_fragment<f32>
  %f = cute.make_fragment<f32> (%l)
  // CHECK: cute.clear
  cute.clear(%f)
  // CHECK: cute.cp_async_commit
  cute.cp_async_commit
  return
}

// A division that may be by zero stays where it is, also unused or with a result
// that is known; by integers that are not zero it does not.
// CHECK-LABEL: func.func @divisions
func.func @divisions(%zero: !cute.shape<"0">, %d: !cute.shape<"?">, %s: !cute.shape<"(12,8)">, %t: !cute.tile<"[4;2]">, %four: !cute.shape<"(4,2)">) {
  // CHECK-NEXT: cute.shape_div(%{{.*}}, %{{.*}}) : (!cute.shape<"0">, !cute.shape<"?">) -> !cute.shape<"0">
  // CHECK-NEXT: %[[A:.*]] = cute.shape_div
  // CHECK-NEXT: %[[B:.*]] = cute.static : !cute.shape<"(3,4)">
  // CHECK-NEXT: %[[C:.*]] = cute.static : !cute.shape<"(3,4)">
  // CHECK-NEXT: cute.print(%[[A]])
  // CHECK-NEXT: cute.print(%[[B]])
  // CHECK-NEXT: cute.print(%[[C]])
  // CHECK-NEXT: return
  %0 = cute.shape_div(%zero, %d) : (!cute.shape<"0">, !cute.shape<"?">) -> !cute.shape<"0">
  %1 = cute.shape_div(%zero, %d) : (!cute.shape<"0">, !cute.shape<"?">) -> !cute.shape<"0">
  %2 = cute.ceil_div(%s, %t) : (!cute.shape<"(12,8)">, !cute.tile<"[4;2]">) -> !cute.shape<"(3,4)">
  %3 = cute.ceil_div(%s, %four) : (!cute.shape<"(12,8)">, !cute.shape<"(4,2)">) -> !cute.shape<"(3,4)">
  %4 = cute.shape_div(%s, %four) : (!cute.shape<"(12,8)">, !cute.shape<"(4,2)">) -> !cute.shape<"(3,4)">
  cute.print(%1) : !cute.shape<"0">
  cute.print(%2) : !cute.shape<"(3,4)">
  cute.print(%3) : !cute.shape<"(3,4)">
  return
}
