// Laws of the algebra on static layouts: both sides fold to the same constant,
// so that comparing them folds to true.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

// (a o b) o c = a o (b o c)
// CHECK-LABEL: func.func @associative
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]]
func.func @associative() -> i1 {
  %a = cute.static : !cute.layout<"(8,4):(4,1)">
  %b = cute.static : !cute.layout<"(4,8):(8,1)">
  %c = cute.static : !cute.layout<"(2,8):(1,4)">
  %ab = cute.composition(%a, %b)
  %left = cute.composition(%ab, %c)
  %bc = cute.composition(%b, %c)
  %right = cute.composition(%a, %bc)
  %left_short = cute.coalesce(%left)
  %right_short = cute.coalesce(%right)
  %r = cute.equal(%left_short, %right_short)
  return %r : i1
}

// (a o b)(5) = a(b(5)): b(5) is 5 / 4 + 5 % 4 * 8 = 9, a(9) is 1 * 4 + 1.
// CHECK-LABEL: func.func @pointwise
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]]
func.func @pointwise() -> (i1, i1) {
  %a = cute.static : !cute.layout<"(8,4):(4,1)">
  %b = cute.static : !cute.layout<"(4,8):(8,1)">
  %ab = cute.composition(%a, %b)
  %five = cute.static : !cute.coord<"5">
  %left = cute.layout_eval(%five, %ab)
  %i = cute.layout_eval(%five, %b)
  %at = cute.to_coord(%i)
  %right = cute.layout_eval(%at, %a)
  %expected = cute.static : !cute.int_tuple<"5">
  %0 = cute.equal(%left, %right)
  %1 = cute.equal(%right, %expected)
  return %0, %1 : i1, i1
}

// A bijection composed with its inverse, on either side, is the identity.
// CHECK-LABEL: func.func @inverses
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]]
func.func @inverses() -> (i1, i1) {
  %l = cute.static : !cute.layout<"(4,(2,3)):(2,(1,8))">
  %identity = cute.static : !cute.layout<"24:1">
  %right = cute.right_inverse(%l)
  %lr = cute.composition(%l, %right)
  %lr_short = cute.coalesce(%lr)
  %0 = cute.equal(%lr_short, %identity)
  %left = cute.left_inverse(%l)
  %rl = cute.composition(%left, %l)
  %rl_short = cute.coalesce(%rl)
  %1 = cute.equal(%rl_short, %identity)
  return %0, %1 : i1, i1
}

// A layout and its complement reach as far as the cotarget, each index once.
// CHECK-LABEL: func.func @complement
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]]
func.func @complement() -> (i1, i1) {
  %l = cute.static : !cute.layout<"(3,2):(1,9)">
  %n = cute.static : !cute.shape<"36">
  %rest = cute.complement(%l, %n)
  %expected = cute.static : !cute.layout<"(3,2):(3,18)">
  %0 = cute.equal(%rest, %expected)
  %cosize_l = cute.cosize(%l)
  %cosize_rest = cute.cosize(%rest)
  %sum = cute.tuple_add(%cosize_l, %cosize_rest)
  %one = cute.static : !cute.int_tuple<"1">
  %largest = cute.tuple_sub(%sum, %one)
  %whole = cute.static : !cute.int_tuple<"36">
  %1 = cute.equal(%largest, %whole)
  return %0, %1 : i1, i1
}

// Recasting up and back down is the identity where widths divide.
// CHECK-LABEL: func.func @recast
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]]
func.func @recast() -> i1 {
  %l = cute.static : !cute.composed_layout<"S<2,4,3> o 32 o (64,8):(1,64)">
  %words = cute.recast_layout<32, 8>(%l)
  %bytes = cute.recast_layout<8, 32>(%words)
  %outer = cute.composed_get_outer(%bytes)
  %expected = cute.static : !cute.layout<"(64,8):(1,64)">
  %r = cute.equal(%outer, %expected)
  return %r : i1
}

// What filter leaves has each index once: as many as there are.
// CHECK-LABEL: func.func @filters
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]]
func.func @filters() -> (i1, i1) {
  %l = cute.static : !cute.layout<"(4,(2,8)):(0,(1,2))">
  %f = cute.filter(%l)
  %16 = cute.static : !cute.layout<"16:1">
  %0 = cute.equal(%f, %16)
  %z = cute.filter_zeros(%l)
  %n = cute.size(%z)
  %m = cute.cosize(%l)
  %1 = cute.equal(%n, %m)
  return %0, %1 : i1, i1
}

// Two layouts agree as far as either is contiguous.
// CHECK-LABEL: func.func @common
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]]
func.func @common() -> (i1, i1) {
  %a = cute.static : !cute.layout<"(4,8):(1,16)">
  %b = cute.static : !cute.layout<"(4,8):(1,4)">
  %c = cute.max_common_layout(%a, %b)
  %0 = cute.equal(%c, 4:1)
  %n = cute.max_common_vector(%b, %b)
  %1 = cute.equal(%n, 32)
  return %0, %1 : i1, i1
}
