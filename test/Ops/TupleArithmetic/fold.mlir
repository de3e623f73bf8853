// Static arithmetic becomes constants, comparisons of static values i1 constants.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize --cse | FileCheck %s

// ceil_div(a, b) = (a + b - 1) / b.
// CHECK-LABEL: func.func @arithmetic
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(4,4)">
// CHECK-NEXT: return %[[R]], %[[R]]
func.func @arithmetic() -> (!cute.shape<"(4,4)">, !cute.shape<"(4,4)">) {
  %a = cute.static : !cute.shape<"(13,7)">
  %b = cute.static : !cute.shape<"(4,2)">
  %ones = cute.static : !cute.shape<"(1,1)">
  %q = cute.ceil_div(%a, %b)
  %sum = cute.tuple_add(%a, %b)
  %top = cute.tuple_sub(%sum, %ones)
  %r = cute.shape_div(%top, %b)
  return %q, %r : !cute.shape<"(4,4)">, !cute.shape<"(4,4)">
}

// Every leaf has to be less; equality is of profiles too.
// CHECK-LABEL: func.func @comparisons
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[TRUE]], %[[FALSE]], %[[FALSE]], %[[TRUE]], %[[FALSE]]
func.func @comparisons() -> (i1, i1, i1, i1, i1) {
  %c = cute.static : !cute.coord<"(3,(1,2))">
  %above = cute.static : !cute.shape<"(4,(8,8))">
  %partly = cute.static : !cute.shape<"(4,(8,2))">
  %less = cute.elem_less(%c, %above)
  %not_less = cute.elem_less(%c, %partly)
  %flat = cute.static : !cute.shape<"(4,8,8)">
  %other_profile = cute.equal(%above, %flat)
  %flat_above = cute.flatten(%above)
  %same = cute.equal(%flat_above, %flat)
  %l = cute.static : !cute.layout<"20:1">
  %wrapped = cute.static : !cute.layout<"(20):(1)">
  %not_same = cute.equal(%l, %wrapped)
  return %less, %not_less, %other_profile, %same, %not_same : i1, i1, i1, i1, i1
}

// CHECK-LABEL: func.func @empty
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[TRUE]], %[[TRUE]]
func.func @empty() -> (i1, i1) {
  %a = cute.static : !cute.int_tuple<"()">
  %b = cute.static : !cute.int_tuple<"()">
  %0 = cute.elem_less(%a, %b)
  %1 = cute.equal(%a, %b)
  return %0, %1 : i1, i1
}

// A dynamic operand keeps the comparison, an unused one goes with its operands.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[A:.*]]: !cute.shape<"(4,?)">)
// CHECK-NEXT: %[[B:.*]] = cute.static : !cute.shape<"(4,8)">
// CHECK-NEXT: %[[E:.*]] = cute.equal(%[[A]], %[[B]])
// CHECK-NEXT: return %[[E]]
func.func @dynamic(%a: !cute.shape<"(4,?)">) -> i1 {
  %b = cute.static : !cute.shape<"(4,8)">
  %r = cute.equal(%a, %b)
  %unused = cute.elem_less(%b, %a)
  %also_unused = cute.tuple_add(%a, %b)
  return %r : i1
}

// Values with different numbers of integers are never equal.
// CHECK-LABEL: func.func @never_equal
// CHECK-NEXT: %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT: return %[[FALSE]], %[[FALSE]]
func.func @never_equal(%a: !cute.shape<"(?,?)">, %b: !cute.shape<"(?,?,?)">,
                       %c: !cute.layout<"(?,2):(1,?)">,
                       %d: !cute.layout<"?:1">) -> (i1, i1) {
  %0 = cute.equal(%a, %b)
  %1 = cute.equal(%c, %d)
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @round_up
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(16,8)">
// CHECK-NEXT: return %[[R]]
func.func @round_up() -> !cute.shape<"(16,8)"> {
  %a = cute.static : !cute.shape<"(13,8)">
  %b = cute.static : !cute.shape<"(4,2)">
  %r = cute.round_up(%a, %b)
  return %r : !cute.shape<"(16,8)">
}

// CHECK-LABEL: func.func @questions
// CHECK-NEXT: %[[R0:.*]] = arith.constant false
// CHECK-NEXT: %[[R1:.*]] = arith.constant true
// CHECK-NEXT: %[[R3:.*]] = cute.static : !cute.shape<"22">
// CHECK-NEXT: return %[[R0]], %[[R1]], %[[R1]], %[[R3]]
func.func @questions() -> (i1, i1, i1, !cute.shape<"22">) {
  %a = cute.static : !cute.shape<"(4,(8,2))">
  %0 = cute.is_congruent(%a, (1,2))
  %1 = cute.is_weakly_congruent((1,2), %a)
  %2 = cute.is_major<[1]> ((4,(8,2)):(2,(1,8)))
  %3 = cute.ceil_div(%a, 3:1)
  return %0, %1, %2, %3 : i1, i1, i1, !cute.shape<"22">
}
