// What is static in a part folds, whatever it was taken from.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @get_shape(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(4,8)">
// CHECK-NEXT: return %[[R]] :
func.func @get_shape(%l: !cute.layout<"(4,8):(?,1)">) -> !cute.shape<"(4,8)"> {
  %r = cute.get_shape(%l)
  return %r : !cute.shape<"(4,8)">
}

// CHECK-LABEL: func.func @get_stride(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.stride<"(1,4)">
// CHECK-NEXT: return %[[R]] :
func.func @get_stride(%l: !cute.layout<"(?,8):(1,4)">) -> !cute.stride<"(1,4)"> {
  %r = cute.get_stride(%l)
  return %r : !cute.stride<"(1,4)">
}

// CHECK-LABEL: func.func @inner(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.swizzle<"S<2,1,3>">
// CHECK-NEXT: return %[[R]] :
func.func @inner(%x: !cute.composed_layout<"S<2,1,3> o ? o (8,?):(1,8)">) -> !cute.swizzle<"S<2,1,3>"> {
  %r = cute.composed_get_inner(%x)
  return %r : !cute.swizzle<"S<2,1,3>">
}

// CHECK-LABEL: func.func @offset(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.int_tuple<"4">
// CHECK-NEXT: return %[[R]] :
func.func @offset(%x: !cute.composed_layout<"S<2,1,3> o 4 o (8,?):(1,8)">) -> !cute.int_tuple<"4"> {
  %r = cute.composed_get_offset(%x)
  return %r : !cute.int_tuple<"4">
}

// CHECK-LABEL: func.func @outer(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(8,4):(1,8)">
// CHECK-NEXT: return %[[R]] :
func.func @outer(%x: !cute.composed_layout<"S<2,1,3> o ? o (8,4):(1,8)">) -> !cute.layout<"(8,4):(1,8)"> {
  %r = cute.composed_get_outer(%x)
  return %r : !cute.layout<"(8,4):(1,8)">
}

// The dynamic leaf is not used, so nothing is left of the op.
// CHECK-LABEL: func.func @get_leaves(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"4">
// CHECK-NEXT: return %[[R]] :
func.func @get_leaves(%s: !cute.shape<"(4,?)">) -> !cute.shape<"4"> {
  %r:2 = cute.get_leaves(%s)
  return %r#0 : !cute.shape<"4">
}

// CHECK-LABEL: func.func @get(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"3">
// CHECK-NEXT: return %[[R]] :
func.func @get(%s: !cute.shape<"(?,(3,?))">) -> !cute.shape<"3"> {
  %r = cute.get<[1, 0]>(%s)
  return %r : !cute.shape<"3">
}

// CHECK-LABEL: func.func @select(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(5,3)">
// CHECK-NEXT: return %[[R]] :
func.func @select(%s: !cute.shape<"(?,3,5)">) -> !cute.shape<"(5,3)"> {
  %r = cute.select<[2, 1]>(%s)
  return %r : !cute.shape<"(5,3)">
}

// Kinds differ, trees stay.
// CHECK-LABEL: func.func @to_int_tuple(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.int_tuple<"(4,2)">
// CHECK-NEXT: return %[[R]] :
func.func @to_int_tuple(%s: !cute.shape<"(4,2)">) -> !cute.int_tuple<"(4,2)"> {
  %r = cute.to_int_tuple(%s)
  return %r : !cute.int_tuple<"(4,2)">
}

// CHECK-LABEL: func.func @to_shape(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(4,2)">
// CHECK-NEXT: return %[[R]] :
func.func @to_shape(%t: !cute.int_tuple<"(4,2)">) -> !cute.shape<"(4,2)"> {
  %r = cute.to_shape(%t)
  return %r : !cute.shape<"(4,2)">
}

// CHECK-LABEL: func.func @to_stride(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.stride<"(4,2)">
// CHECK-NEXT: return %[[R]] :
func.func @to_stride(%t: !cute.int_tuple<"(4,2)">) -> !cute.stride<"(4,2)"> {
  %r = cute.to_stride(%t)
  return %r : !cute.stride<"(4,2)">
}

// CHECK-LABEL: func.func @to_coord(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord<"(4,2)">
// CHECK-NEXT: return %[[R]] :
func.func @to_coord(%t: !cute.int_tuple<"(4,2)">) -> !cute.coord<"(4,2)"> {
  %r = cute.to_coord(%t)
  return %r : !cute.coord<"(4,2)">
}

// CHECK-LABEL: func.func @get_layouts_from_tile(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"4:2">
// CHECK-NEXT: return %[[R]] :
func.func @get_layouts_from_tile(%t: !cute.tile<"[4:2;_;?:1]">) -> !cute.layout<"4:2"> {
  %r:2 = cute.get_layouts_from_tile(%t)
  return %r#0 : !cute.layout<"4:2">
}
