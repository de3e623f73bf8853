// Constructors with static results become constants; others stay and merge.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.composed_layout<"S<2,1,3> o 4 o (4,6):(6,1)">
// CHECK-NEXT: return %[[R]]
func.func @static() -> !cute.composed_layout<"S<2,1,3> o 4 o (4,6):(6,1)"> {
  %s = cute.make_shape() : () -> !cute.shape<"(4,6)">
  %o = cute.make_int_tuple() : () -> !cute.int_tuple<"(1,0)">
  %l = cute.make_ordered_layout(%s, %o)
  %w = cute.static : !cute.swizzle<"S<2,1,3>">
  %4 = cute.make_int_tuple() : () -> !cute.int_tuple<"4">
  %x = cute.make_composed_layout(%w, %4, %l)
  return %x : !cute.composed_layout<"S<2,1,3> o 4 o (4,6):(6,1)">
}

// The strides do not depend on the dynamic stride.
// CHECK-LABEL: func.func @static_result
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(2,3,4):(4,8,1)">
// CHECK-NEXT: return %[[R]]
func.func @static_result(%l: !cute.layout<"(2,3,4):(?,?,1)">) -> !cute.layout<"(2,3,4):(4,8,1)"> {
  %r = cute.make_layout_like(%l)
  return %r : !cute.layout<"(2,3,4):(4,8,1)">
}

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[M:.*]]: i32, %[[N:.*]]: i32)
// CHECK-NEXT: %[[S:.*]] = cute.make_shape(%[[M]]) : (i32) -> !cute.shape<"(?,8)">
// CHECK-NEXT: %[[T:.*]] = cute.make_shape(%[[N]]) : (i32) -> !cute.shape<"(?,8)">
// CHECK-NEXT: %[[D:.*]] = cute.static : !cute.stride<"(8,1)">
// CHECK-NEXT: %[[A:.*]] = cute.make_layout(%[[S]], %[[D]])
// CHECK-NEXT: %[[B:.*]] = cute.make_layout(%[[T]], %[[D]])
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]]
func.func @dynamic(%m: i32, %n: i32) -> (!cute.layout<"(?,8):(8,1)">, !cute.layout<"(?,8):(8,1)">, !cute.layout<"(?,8):(8,1)">) {
  %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
  %same = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
  %other = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
  %d = cute.make_stride() : () -> !cute.stride<"(8,1)">
  %0 = cute.make_layout(%s, %d)
  %1 = cute.make_layout(%same, %d)
  %2 = cute.make_layout(%other, %d)
  return %0, %1, %2 : !cute.layout<"(?,8):(8,1)">, !cute.layout<"(?,8):(8,1)">, !cute.layout<"(?,8):(8,1)">
}

// Without operands there is nothing dynamic.
// CHECK-LABEL: func.func @make_coord(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord<"(_,3)">
// CHECK-NEXT: return %[[R]] :
func.func @make_coord() -> !cute.coord<"(_,3)"> {
  %r = cute.make_coord() : () -> !cute.coord<"(_,3)">
  return %r : !cute.coord<"(_,3)">
}

// CHECK-LABEL: func.func @make_tile(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tile<"[4:1;_]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tile() -> !cute.tile<"[4:1;_]"> {
  %r = cute.make_tile() : () -> !cute.tile<"[4:1;_]">
  return %r : !cute.tile<"[4:1;_]">
}

// CHECK-LABEL: func.func @make_identity_layout(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(4,(2,3)):(1@0,(1@0@1,1@1@1))">
// CHECK-NEXT: return %[[R]] :
func.func @make_identity_layout(%s: !cute.shape<"(4,(2,3))">) -> !cute.layout<"(4,(2,3)):(1@0,(1@0@1,1@1@1))"> {
  %r = cute.make_identity_layout(%s)
  return %r : !cute.layout<"(4,(2,3)):(1@0,(1@0@1,1@1@1))">
}

// CHECK-LABEL: func.func @make_layout(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(4,8):(8,1)">
// CHECK-NEXT: return %[[R]] :
func.func @make_layout(%s: !cute.shape<"(4,8)">, %d: !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  %r = cute.make_layout(%s, %d)
  return %r : !cute.layout<"(4,8):(8,1)">
}

// CHECK-LABEL: func.func @modes
// CHECK-NEXT: %[[R0:.*]] = cute.static : !cute.layout<"(4,8):(1,4)">
// CHECK-NEXT: %[[R1:.*]] = cute.static : !cute.layout<"((4,8),2):((1,4),32)">
// CHECK-NEXT: return %[[R0]], %[[R1]]
func.func @modes() -> (!cute.layout<"(4,8):(1,4)">, !cute.layout<"((4,8),2):((1,4),32)">) {
  %s = cute.static : !cute.shape<"(4,8)">
  %0 = cute.make_layout(%s)
  %1 = cute.concatenate(%0, 2:32)
  return %0, %1 : !cute.layout<"(4,8):(1,4)">, !cute.layout<"((4,8),2):((1,4),32)">
}

// CHECK-LABEL: func.func @tv
// CHECK-NEXT: %[[T:.*]] = cute.static : !cute.shape<"(16,64)">
// CHECK-NEXT: %[[L:.*]] = cute.static : !cute.layout<"((8,16),8):((128,1),16)">
// CHECK-NEXT: return %[[T]], %[[L]]
func.func @tv() -> (!cute.shape<"(16,64)">, !cute.layout<"((8,16),8):((128,1),16)">) {
  %r:2 = cute.make_layout_tv((16,8):(8,1), (1,8):(0,1))
  return %r#0, %r#1 : !cute.shape<"(16,64)">, !cute.layout<"((8,16),8):((128,1),16)">
}
