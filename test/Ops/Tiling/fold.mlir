// Laws of divides and products on static layouts: comparing both sides folds to
// true.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

// The forms of a divide hold the same modes, grouped differently.
// CHECK-LABEL: func.func @divides
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]], %[[TRUE]]
func.func @divides() -> (i1, i1, i1) {
  %l = cute.static : !cute.layout<"(8,12):(12,1)">
  %t = cute.static : !cute.tile<"[4;3:2]">
  %logical = cute.logical_divide(%l, %t)
  %zipped = cute.zipped_divide(%l, %t)
  %tiled = cute.tiled_divide(%l, %t)
  %flat = cute.flat_divide(%l, %t)
  // The rest of 12 by 3:2 is 0,1 and then 6: a mode of its own.
  %expected = cute.static : !cute.layout<"((4,2),(3,(2,2))):((12,48),(2,(1,6)))">
  %0 = cute.equal(%logical, %expected)
  %flat_zipped = cute.flatten(%zipped)
  %flat_flat = cute.flatten(%flat)
  %1 = cute.equal(%flat_zipped, %flat_flat)
  %flat_tiled = cute.flatten(%tiled)
  %2 = cute.equal(%flat_tiled, %flat_flat)
  return %0, %1, %2 : i1, i1, i1
}

// Mode 0 of a divide is the layout composed with the tiler.
// CHECK-LABEL: func.func @tile_is_composition
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]]
func.func @tile_is_composition() -> i1 {
  %l = cute.static : !cute.layout<"(8,12):(12,1)">
  %t = cute.static : !cute.layout<"4:2">
  %divided = cute.logical_divide(%l, %t)
  %tile = cute.get<[0]>(%divided)
  %composed = cute.composition(%l, %t)
  %r = cute.equal(%tile, %composed)
  return %r : i1
}

// Blocked and raked products have the same extents and fill the same range, with
// the block inside and outside.
// CHECK-LABEL: func.func @products
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]], %[[TRUE]]
func.func @products() -> (i1, i1, i1) {
  %block = cute.static : !cute.layout<"(2,4):(4,1)">
  %times = cute.static : !cute.layout<"(3,2):(2,1)">
  %blocked = cute.blocked_product(%block, %times)
  %raked = cute.raked_product(%block, %times)
  %blocked_shape = cute.get_shape(%blocked)
  %raked_shape = cute.get_shape(%raked)
  %blocked_sizes = cute.tuple_product_each(%blocked_shape)
  %raked_sizes = cute.tuple_product_each(%raked_shape)
  %0 = cute.equal(%blocked_sizes, %raked_sizes)
  // Row 1 is in the first block of one, and in the second of the other: the
  // block's stride 4, or the 8 elements of a block times stride 2.
  %row = cute.static : !cute.coord<"(1,0)">
  %in_blocked = cute.layout_eval(%row, %blocked)
  %in_raked = cute.layout_eval(%row, %raked)
  %four = cute.static : !cute.int_tuple<"4">
  %sixteen = cute.static : !cute.int_tuple<"16">
  %1 = cute.equal(%in_blocked, %four)
  %2 = cute.equal(%in_raked, %sixteen)
  return %0, %1, %2 : i1, i1, i1
}

// tile_to_shape is the blocked product with a compact layout of repetitions.
// CHECK-LABEL: func.func @tile_to_shape
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]]
func.func @tile_to_shape() -> i1 {
  %block = cute.static : !cute.layout<"(4,8):(8,1)">
  %shape = cute.static : !cute.shape<"(8,24)">
  %order = cute.static : !cute.int_tuple<"(5,2)">
  %tiled = cute.tile_to_shape(%block, %shape, %order)
  %block_shape = cute.static : !cute.shape<"(4,8)">
  %times = cute.shape_div(%shape, %block_shape)
  %repetitions = cute.make_ordered_layout(%times, %order)
  %product = cute.blocked_product(%block, %repetitions)
  %r = cute.equal(%tiled, %product)
  return %r : i1
}

// So do the forms of a product; block (i,j) begins at 40 i + 8 j.
// CHECK-LABEL: func.func @product_forms
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]], %[[TRUE]], %[[TRUE]]
func.func @product_forms() -> (i1, i1, i1, i1) {
  %l = cute.static : !cute.layout<"(2,4):(4,1)">
  %t = cute.static : !cute.layout<"(3,5):(5,1)">
  %logical = cute.logical_product(%l, %t)
  %zipped = cute.zipped_product(%l, %t)
  %tiled = cute.tiled_product(%l, %t)
  %flat = cute.flat_product(%l, %t)
  %expected = cute.static : !cute.layout<"((2,4),(3,5)):((4,1),(40,8))">
  %0 = cute.equal(%logical, %expected)
  %1 = cute.equal(%zipped, %expected)
  %expected_tiled = cute.static : !cute.layout<"((2,4),3,5):((4,1),40,8)">
  %2 = cute.equal(%tiled, %expected_tiled)
  %expected_flat = cute.static : !cute.layout<"(2,4,3,5):(4,1,40,8)">
  %3 = cute.equal(%flat, %expected_flat)
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
