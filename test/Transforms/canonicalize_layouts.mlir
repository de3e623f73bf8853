// Rows about layouts, slices and comparisons.
// RUN: cute-opt %s --cute-canonicalize --split-input-file | FileCheck %s
// RUN: cute-opt %s --cute-canonicalize --cute-canonicalize --split-input-file | FileCheck %s

// decideComparison: one pair that fails is enough, and equal integers are not
// less; what stands opposite `_` has nothing to be compared with.
// CHECK-LABEL: func.func @comparisons
func.func @comparisons(%a: !cute.coord<"(?,9)">, %b: !cute.coord<"(?,4)">, %c: !cute.coord<"(_,?)">, %i: i32, %j: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  // CHECK-DAG: %[[V1:.*]] = cute.elem_less(%arg1, %arg0)
  // CHECK-DAG: %[[X:.*]] = cute.static : !cute.coord<"(1,_)">
  // CHECK-DAG: %[[Z:.*]] = cute.static : !cute.coord<"(2,1)">
  // CHECK-DAG: %[[V4:.*]] = cute.elem_less(%[[X]], %[[Z]])
  // CHECK-DAG: %[[V0:.*]] = arith.constant false
  // CHECK-DAG: %[[V3:.*]] = arith.constant true
  // CHECK: return %[[V0]], %[[V1]], %false{{[_0-9]*}}, %[[V3]], %[[V4]], %false{{[_0-9]*}}, %false{{[_0-9]*}}, %false{{[_0-9]*}}, %true{{[_0-9]*}} :
  %x = cute.static : !cute.coord<"(1,_)">
  %y = cute.static : !cute.coord<"(2,_)">
  %z = cute.static : !cute.coord<"(2,1)">
  %m = cute.make_shape(%i, %j) : (i32, i32) -> !cute.shape<"(?,(2,?))">
  %n = cute.make_shape(%i, %j) : (i32, i32) -> !cute.shape<"((?,2),?)">
  %0 = cute.elem_less(%a, %b)
  %1 = cute.elem_less(%b, %a)
  %2 = cute.elem_less(%a, %a)
  %3 = cute.elem_less(%x, %y)
  %4 = cute.elem_less(%x, %z)
  %5 = cute.equal(%a, %b)
  %6 = cute.equal(%x, %y)
  %7 = cute.elem_less(%c, %c)
  %8 = cute.equal(%m, %n)
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : i1, i1, i1, i1, i1, i1, i1, i1, i1
}

// -----

// selectOfSlice and selectOfDice; a `_` that is deeper stays with slice.
// CHECK-LABEL: func.func @slices
func.func @slices(%s: !cute.layout<"(?,(2,?),4):(1,(?,3),2)">, %c: !cute.coord<"(_,(_,?),_)">) -> (!cute.layout<"(?,4):(1,2)">, !cute.layout<"((2,?)):((?,3))">, !cute.layout<"((2,?)):((?,3))">, !cute.layout<"(?,2,4):(1,?,2)">) {
  // CHECK-DAG: %[[A:.*]] = cute.select<[0, 2]> (%arg0)
  // CHECK-DAG: %[[B:.*]] = cute.select<[1]> (%arg0)
  // CHECK-DAG: %[[C:.*]] = cute.slice(%arg0, %arg1)
  // CHECK: return %[[A]], %[[B]], %[[B]], %[[C]]
  %x = cute.static : !cute.coord<"(_,1,_)">
  %y = cute.static : !cute.coord<"(1,_,2)">
  %0 = cute.slice(%s, %x) : !cute.layout<"(?,(2,?),4):(1,(?,3),2)">, !cute.coord<"(_,1,_)">
  %1 = cute.slice(%s, %y) : !cute.layout<"(?,(2,?),4):(1,(?,3),2)">, !cute.coord<"(1,_,2)">
  %2 = cute.dice(%s, %x) : !cute.layout<"(?,(2,?),4):(1,(?,3),2)">, !cute.coord<"(_,1,_)">
  %3 = cute.slice(%s, %c) : !cute.layout<"(?,(2,?),4):(1,(?,3),2)">, !cute.coord<"(_,(_,?),_)">
  return %0, %1, %2, %3 : !cute.layout<"(?,4):(1,2)">, !cute.layout<"((2,?)):((?,3))">, !cute.layout<"((2,?)):((?,3))">, !cute.layout<"(?,2,4):(1,?,2)">
}

// -----

// A slice of a composed layout moves its offset, so it is no selection.
// CHECK-LABEL: func.func @composed_slice
// CHECK: cute.slice
func.func @composed_slice(%s: !cute.composed_layout<"(8,8):(8,1) o ? o (4,4):(1,8)">) -> !cute.composed_layout<"(8,8):(8,1) o ? o (4):(1)"> {
  %c = cute.static : !cute.coord<"(_,2)">
  %0 = cute.slice(%s, %c) : !cute.composed_layout<"(8,8):(8,1) o ? o (4,4):(1,8)">, !cute.coord<"(_,2)">
  return %0 : !cute.composed_layout<"(8,8):(8,1) o ? o (4):(1)">
}

// -----

// Nor is a slice of a tensor, which begins elsewhere.
// CHECK-LABEL: func.func @tensor_slice
// CHECK: cute.slice
// CHECK: cute.slice
func.func @tensor_slice(%t: !cute.tensor<f32, gmem, align<4>, "(4,8):(8,1)">, %u: !cute.coord_tensor<"(?,0)", "(4,8):(1@0,1@1)">) -> (!cute.tensor<f32, gmem, align<4>, "(8):(1)">, !cute.coord_tensor<"(?,0)", "(8):(1@1)">) {
  %c = cute.static : !cute.coord<"(2,_)">
  %0 = cute.slice(%t, %c)
  %1 = cute.slice(%u, %c)
  return %0, %1 : !cute.tensor<f32, gmem, align<4>, "(8):(1)">, !cute.coord_tensor<"(?,0)", "(8):(1@1)">
}

// -----

// tileOfDivide, and the same where a slice takes the tile.
// CHECK-LABEL: func.func @tile
func.func @tile(%l: !cute.layout<"(8,?):(?,?)">) {
  // CHECK: %[[T:.*]] = cute.composition(%arg0,
  // CHECK-NEXT: %[[G:.*]] = cute.get<[1]> (%[[T]])
  // CHECK-NOT: _divide
  // CHECK: call @tile_of(%[[T]])
  // CHECK: call @tile_of(%[[T]])
  // CHECK: call @mode_of(%[[G]])
  %t = cute.static : !cute.tile<"[4:1;2:1]">
  %0 = cute.zipped_divide(%l, %t)
  %1 = cute.get<[0]> (%0)
  %2 = cute.get<[0, 1]> (%0)
  %3 = cute.tiled_divide(%l, %t)
  %c = cute.static : !cute.coord<"(_,0,0)">
  %4 = cute.slice(%3, %c)
  %5 = cute.get<[0]> (%4)
  call @tile_of(%1) : (!cute.layout<"(4,2):(?,?)">) -> ()
  call @tile_of(%5) : (!cute.layout<"(4,2):(?,?)">) -> ()
  call @mode_of(%2) : (!cute.layout<"2:?">) -> ()
  return
}
func.func private @tile_of(!cute.layout<"(4,2):(?,?)">)
func.func private @mode_of(!cute.layout<"2:?">)

// -----

// partsOfMakeLayout
// CHECK-LABEL: func.func @parts
func.func @parts(%s: !cute.shape<"(?,(?,4))">, %d: !cute.stride<"(1,(?,2))">) -> (!cute.layout<"((?,4),?):((?,2),1)">, !cute.layout<"(?,?,4):(1,?,2)">) {
  // CHECK-DAG: %[[S:.*]] = cute.select<[1, 0]> (%arg0)
  // CHECK-DAG: %[[D:.*]] = cute.select<[1, 0]> (%arg1)
  // CHECK-DAG: %[[A:.*]] = cute.make_layout(%[[S]], %[[D]])
  // CHECK-DAG: %[[T:.*]] = cute.flatten(%arg0)
  // CHECK-DAG: %[[E:.*]] = cute.flatten(%arg1)
  // CHECK-DAG: %[[B:.*]] = cute.make_layout(%[[T]], %[[E]])
  // CHECK: return %[[A]], %[[B]]
  %l = cute.make_layout(%s, %d)
  %0 = cute.select<[1, 0]> (%l)
  %1 = cute.flatten(%l)
  return %0, %1 : !cute.layout<"((?,4),?):((?,2),1)">, !cute.layout<"(?,?,4):(1,?,2)">
}

// -----

// seeSecond: the right side has the shape, unless the left side cuts it up.
// CHECK-LABEL: func.func @composition
func.func @composition(%l: !cute.layout<"64:?">, %r: !cute.layout<"(?,4):(2,1)">, %k: !cute.layout<"(4,16):(?,1)">) -> (!cute.shape<"(?,4)">, !cute.int_tuple<"?">, !cute.shape<"(4,2)">) {
  // CHECK-DAG: %[[S:.*]] = cute.get_shape(%arg1)
  // CHECK-DAG: %[[Z:.*]] = cute.size (%arg1)
  // CHECK-DAG: %[[C:.*]] = cute.static : !cute.shape<"(4,2)">
  // CHECK-NOT: cute.composition
  // CHECK: return %[[S]], %[[Z]], %[[C]]
  %0 = cute.composition(%l, %r)
  %1 = cute.get_shape(%0)
  %2 = cute.size(%0)
  %eight = cute.static : !cute.layout<"8:1">
  %3 = cute.composition(%k, %eight)
  %4 = cute.get_shape(%3)
  return %1, %2, %4 : !cute.shape<"(?,4)">, !cute.int_tuple<"?">, !cute.shape<"(4,2)">
}

// -----

// makeOfScalars for layouts: of a shape and a stride that are at hand, or of
// integers.
// CHECK-LABEL: func.func @layout_of_values
func.func @layout_of_values(%n: i32, %d: !cute.stride<"?">) -> (!cute.layout<"8:?">, !cute.layout<"(?,4):(1,?)">) {
  // CHECK-DAG: %[[E:.*]] = cute.static : !cute.shape<"8">
  // CHECK-DAG: %[[A:.*]] = cute.make_layout(%[[E]], %arg1)
  // CHECK-DAG: %[[S:.*]] = cute.make_shape(%arg0) : (i32) -> !cute.shape<"(?,4)">
  // CHECK-DAG: %[[D:.*]] = cute.make_stride(%arg0) : (i32) -> !cute.stride<"(1,?)">
  // CHECK-DAG: %[[B:.*]] = cute.make_layout(%[[S]], %[[D]])
  // CHECK: return %[[A]], %[[B]]
  %s = cute.static : !cute.shape<"64">
  %l = cute.make_layout(%s, %d)
  %r = cute.static : !cute.layout<"8:1">
  %0 = cute.composition(%l, %r)
  %t = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  %o = cute.static : !cute.int_tuple<"(0,1)">
  %1 = cute.make_ordered_layout(%t, %o)
  return %0, %1 : !cute.layout<"8:?">, !cute.layout<"(?,4):(1,?)">
}

// -----

// Sums are equal in whatever order they are added up, and constants join.
// CHECK-LABEL: func.func @sums
func.func @sums(%a: !cute.int_tuple<"?">, %b: !cute.int_tuple<"?">, %c: !cute.int_tuple<"?">) -> (!cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  // CHECK-COUNT-5: cute.tuple_add
  // CHECK-NOT: cute.tuple_add
  // CHECK: return %[[Y:.*]], %[[Y]], %[[W:.*]], %[[W]], %arg0
  %p3 = cute.static : !cute.int_tuple<"3">
  %m3 = cute.static : !cute.int_tuple<"-3">
  %x = cute.tuple_add(%a, %b)
  %x3 = cute.tuple_add(%x, %p3)
  %y = cute.tuple_add(%x3, %c)
  %z = cute.tuple_add(%c, %b)
  %w = cute.tuple_add(%z, %a)
  %w3 = cute.tuple_add(%w, %p3)
  %v = cute.tuple_add(%y, %m3)
  %a3 = cute.tuple_add(%a, %p3)
  %a0 = cute.tuple_add(%a3, %m3)
  return %y, %w3, %v, %w, %a0 : !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">
}

// -----

// An i32 sum that wraps is not the i64 sum of the same terms.
// CHECK-LABEL: func.func @widths
// CHECK-COUNT-4: cute.tuple_add
func.func @widths(%a: !cute.int_tuple<"?">, %b: !cute.int_tuple<"?">, %c: !cute.int_tuple<"?{i64}">) -> (!cute.int_tuple<"?{i64}">, !cute.int_tuple<"?{i64}">) {
  %x = cute.tuple_add(%a, %b)
  %y = cute.tuple_add(%x, %c)
  %z = cute.tuple_add(%b, %c)
  %w = cute.tuple_add(%a, %z)
  return %y, %w : !cute.int_tuple<"?{i64}">, !cute.int_tuple<"?{i64}">
}

// -----

// CHECK-LABEL: func.func @products
// CHECK-NEXT: %[[A:.*]] = cute.size (%arg0)
// CHECK-NEXT: %[[B:.*]] = cute.tuple_product(%arg0)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @products(%s: !cute.shape<"(?,(?,4),?)">) -> (!cute.int_tuple<"?">, !cute.shape<"?">) {
  %0 = cute.tuple_product_each(%s)
  %1 = cute.size(%0)
  %2 = cute.tuple_product(%0)
  return %1, %2 : !cute.int_tuple<"?">, !cute.shape<"?">
}
