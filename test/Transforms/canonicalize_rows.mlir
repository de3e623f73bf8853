// A case for each row of lib/Transforms/rewrites.c, and for values that are
// equal because their leaves are.
// RUN: cute-opt %s --cute-canonicalize --split-input-file | FileCheck %s
// RUN: cute-opt %s --cute-canonicalize --cute-canonicalize --split-input-file | FileCheck %s

// What a layout was made of; shape and stride keep their own values.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT: return %arg0, %arg1
func.func @parts(%s: !cute.shape<"(?,4)">, %d: !cute.stride<"(?,1)">) -> (!cute.shape<"(?,4)">, !cute.stride<"(?,1)">) {
  %l = cute.make_layout(%s, %d)
  %a = cute.get_shape(%l)
  %b = cute.get_stride(%l)
  return %a, %b : !cute.shape<"(?,4)">, !cute.stride<"(?,1)">
}

// -----

// CHECK-LABEL: func.func @composed_parts
// CHECK-NEXT: return %arg1, %arg0
func.func @composed_parts(%l: !cute.layout<"(?,8):(8,1)">, %o: !cute.int_tuple<"?">) -> (!cute.int_tuple<"?">, !cute.layout<"(?,8):(8,1)">) {
  %w = cute.static : !cute.swizzle<"S<2,1,3>">
  %x = cute.make_composed_layout(%w, %o, %l)
  %a = cute.composed_get_offset(%x)
  %b = cute.composed_get_outer(%x)
  return %a, %b : !cute.int_tuple<"?">, !cute.layout<"(?,8):(8,1)">
}

// -----

// There and back.
// CHECK-LABEL: func.func @conversions
// CHECK-NEXT: return %arg0
func.func @conversions(%s: !cute.shape<"(?,4)">) -> !cute.shape<"(?,4)"> {
  %a = cute.to_int_tuple(%s)
  %b = cute.to_coord(%a)
  %c = cute.to_int_tuple(%b)
  %d = cute.to_shape(%c)
  return %d : !cute.shape<"(?,4)">
}

// -----

// What changes nothing.
// CHECK-LABEL: func.func @identities
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0
func.func @identities(%l: !cute.layout<"(?,4):(?,1)">) -> (!cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">) {
  %a = cute.coalesce(%l)
  %b = cute.coalesce(%a)
  %c = cute.flatten(%b)
  %d = cute.recast_layout<16, 16> (%l)
  %e = cute.static : !cute.layout<"1:0">
  %f = cute.append_to_rank<2> (%l, %e)
  %g = cute.select<[0, 1]> (%l)
  return %b, %c, %d, %f, %g : !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">, !cute.layout<"(?,4):(?,1)">
}

// -----

// Modes that change places are not the same although the types are.
// CHECK-LABEL: func.func @order
// CHECK-NEXT: %[[A:.*]] = cute.select<[1, 0]> (%arg0)
// CHECK-NEXT: return %[[A]], %arg0
func.func @order(%l: !cute.layout<"(?,?):(?,?)">) -> (!cute.layout<"(?,?):(?,?)">, !cute.layout<"(?,?):(?,?)">) {
  %a = cute.select<[1, 0]> (%l)
  %b = cute.select<[1, 0]> (%a)
  return %a, %b : !cute.layout<"(?,?):(?,?)">, !cute.layout<"(?,?):(?,?)">
}

// -----

// Equal arithmetic, written in another order.
// CHECK-LABEL: func.func @arithmetic
// CHECK-NEXT: %[[A:.*]] = cute.tuple_add(%arg0, %arg1)
// CHECK-NEXT: return %[[A]], %[[A]]
func.func @arithmetic(%s: !cute.shape<"(?,4)">, %t: !cute.shape<"(?,2)">) -> (!cute.shape<"(?,6)">, !cute.shape<"(?,6)">) {
  %a = cute.tuple_add(%s, %t)
  %b = cute.tuple_add(%t, %s)
  return %a, %b : !cute.shape<"(?,6)">, !cute.shape<"(?,6)">
}

// -----

// Differences and quotients have an order.
// CHECK-LABEL: func.func @difference
// CHECK-NEXT: %[[A:.*]] = cute.tuple_sub(%arg0, %arg1)
// CHECK-NEXT: %[[B:.*]] = cute.tuple_sub(%arg1, %arg0)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @difference(%s: !cute.shape<"?">, %t: !cute.shape<"?">) -> (!cute.shape<"?">, !cute.shape<"?">) {
  %a = cute.tuple_sub(%s, %t)
  %b = cute.tuple_sub(%t, %s)
  return %a, %b : !cute.shape<"?">, !cute.shape<"?">
}

// -----

// What is known of a leaf is part of the type: a cast is no equal value.
// CHECK-LABEL: func.func @assume
// CHECK-NEXT: %[[A:.*]] = cute.assume(%arg0)
// CHECK-NEXT: return %arg0, %[[A]]
func.func @assume(%s: !cute.shape<"?">) -> (!cute.shape<"?">, !cute.shape<"?{div=4}">) {
  %a = cute.assume(%s) : !cute.shape<"?"> -> !cute.shape<"?{div=4}">
  return %s, %a : !cute.shape<"?">, !cute.shape<"?{div=4}">
}

// -----

// foldStaticResults: a static part of a dynamic value.
// CHECK-LABEL: func.func @static_parts
// CHECK-DAG: %[[S:.*]] = cute.static : !cute.shape<"4">
// CHECK-DAG: %[[N:.*]] = cute.static : !cute.int_tuple<"4">
// CHECK-DAG: %[[C:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[L:.*]] = cute.static : !cute.layout<"2:1">
// CHECK: return %[[S]], %[[N]], %[[C]], %[[L]]
func.func @static_parts(%l: !cute.layout<"(?,4):(4,1)">) -> (!cute.shape<"4">, !cute.int_tuple<"4">, i32, !cute.layout<"2:1">) {
  %s = cute.get_shape(%l)
  %p:2 = cute.get_leaves(%s) : !cute.shape<"(?,4)">
  %n = cute.size<[1]> (%l)
  %c:4 = cute.get_scalars(%l) : !cute.layout<"(?,4):(4,1)">
  %t = cute.static : !cute.tile<"[_;2:1]">
  %d = cute.logical_divide(%l, %t)
  %w = cute.get<[1, 0]> (%d)
  return %p#1, %n, %c#1, %w : !cute.shape<"4">, !cute.int_tuple<"4">, i32, !cute.layout<"2:1">
}

// -----

// makeOfScalars, for what was made or taken apart.
// CHECK-LABEL: func.func @scalars
// CHECK-NEXT: %[[A:.*]] = cute.make_shape(%arg1) : (i32) -> !cute.shape<"?">
// CHECK-NEXT: return %arg0, %arg1, %[[A]]
func.func @scalars(%m: i32, %n: i32) -> (i32, i32, !cute.shape<"?">) {
  %s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"(?,(4,?))">
  %f = cute.flatten(%s)
  %a:2 = cute.get_scalars<{only_dynamic}> (%f) : !cute.shape<"(?,4,?)">
  %g = cute.get<[1, 1]> (%s)
  return %a#0, %a#1, %g : i32, i32, !cute.shape<"?">
}

// -----

// Operands of two widths.
// CHECK-LABEL: func.func @widths
// CHECK-NEXT: %[[A:.*]] = cute.make_shape(%arg1, %arg0) : (i64, i32) -> !cute.shape<"(?{i64},?)">
// CHECK-NEXT: return %[[A]]
func.func @widths(%m: i32, %n: i64) -> !cute.shape<"(?{i64},?)"> {
  %s = cute.make_shape(%m, %n) : (i32, i64) -> !cute.shape<"(?,?{i64})">
  %a = cute.select<[1, 0]> (%s)
  return %a : !cute.shape<"(?{i64},?)">
}

// -----

// joinPaths, lookThroughSelect, joinSelections.
// CHECK-LABEL: func.func @paths
func.func @paths(%l: !cute.layout<"((?,4),?):((?,1),?)">) -> (!cute.layout<"?:?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.layout<"?:?">, !cute.layout<"(?,(?,4)):(?,(?,1))">, !cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  // CHECK-DAG: %[[A:.*]] = cute.get<[0, 0]> (%arg0)
  // CHECK-DAG: %[[B:.*]] = cute.size<[0, 0]> (%arg0)
  // CHECK-DAG: %[[C:.*]] = cute.cosize<[0, 0]> (%arg0)
  // CHECK-DAG: %[[D:.*]] = cute.get<[1]> (%arg0)
  // CHECK-DAG: %[[E:.*]] = cute.select<[1, 0]> (%arg0)
  // CHECK-DAG: %[[F:.*]] = cute.size<[1]> (%arg0)
  // CHECK-DAG: %[[G:.*]] = cute.cosize<[1]> (%arg0)
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[G]]
  %m = cute.get<[0]> (%l)
  %a = cute.get<[0]> (%m)
  %b = cute.size<[0]> (%m)
  %c = cute.cosize<[0]> (%m)
  %t = cute.select<[1, 1, 0]> (%l)
  %d = cute.get<[1]> (%t)
  %e = cute.select<[0, 2]> (%t)
  %f = cute.size<[0]> (%t)
  %g = cute.cosize<[0]> (%t)
  return %a, %b, %c, %d, %e, %f, %g : !cute.layout<"?:?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.layout<"?:?">, !cute.layout<"(?,(?,4)):(?,(?,1))">, !cute.int_tuple<"?">, !cute.int_tuple<"?">
}

// -----

// getOfMakeLayout.
// CHECK-LABEL: func.func @get_of_make
// CHECK-DAG: %[[S:.*]] = cute.make_shape(%arg0) : (i32) -> !cute.shape<"?">
// CHECK-DAG: %[[D:.*]] = cute.static : !cute.stride<"4">
// CHECK: %[[L:.*]] = cute.make_layout(%[[S]], %[[D]])
// CHECK-NEXT: return %[[L]]
func.func @get_of_make(%n: i32) -> !cute.layout<"?:4"> {
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
  %d = cute.static : !cute.stride<"(1,4)">
  %l = cute.make_layout(%s, %d)
  %g = cute.get<[1]> (%l)
  return %g : !cute.layout<"?:4">
}

// -----

// composeStaticPart.
// CHECK-LABEL: func.func @associative
// CHECK-NEXT: %[[B:.*]] = cute.static : !cute.layout<"2:4">
// CHECK-NEXT: %[[R:.*]] = cute.composition(%arg0, %[[B]])
// CHECK-NEXT: return %[[R]]
func.func @associative(%a: !cute.layout<"64:?">) -> !cute.layout<"2:?"> {
  %b = cute.static : !cute.layout<"8:2">
  %c = cute.static : !cute.layout<"2:2">
  %ab = cute.composition(%a, %b)
  %abc = cute.composition(%ab, %c)
  return %abc : !cute.layout<"2:?">
}

// -----

// dropInner.
// CHECK-LABEL: func.func @drop_layout
func.func @drop_layout(%l: !cute.layout<"(2,(3,?)):(1,(2,6))">) {
  // CHECK-DAG: %[[F:.*]] = cute.flatten(%arg0)
  // CHECK-DAG: %[[C:.*]] = cute.coalesce(%arg0)
  // CHECK-DAG: %[[Z:.*]] = cute.size (%arg0)
  // CHECK-DAG: %[[O:.*]] = cute.cosize (%arg0)
  // CHECK-NOT: cute.group_modes
  // CHECK: return
  %g = cute.group_modes<0, 2> (%l)
  %f = cute.flatten(%g)
  call @flat(%f) : (!cute.layout<"(2,3,?):(1,2,6)">) -> ()
  %c1 = cute.coalesce(%f)
  call @coalesced(%c1) : (!cute.layout<"(6,?):(1,6)">) -> ()
  %c2 = cute.coalesce(%g)
  call @coalesced(%c2) : (!cute.layout<"(6,?):(1,6)">) -> ()
  %z1 = cute.size(%f)
  call @int(%z1) : (!cute.int_tuple<"?">) -> ()
  %z2 = cute.size(%g)
  call @int(%z2) : (!cute.int_tuple<"?">) -> ()
  %o1 = cute.cosize(%f)
  call @int(%o1) : (!cute.int_tuple<"?">) -> ()
  %o2 = cute.cosize(%g)
  call @int(%o2) : (!cute.int_tuple<"?">) -> ()
  return
}
func.func private @flat(!cute.layout<"(2,3,?):(1,2,6)">)
func.func private @coalesced(!cute.layout<"(6,?):(1,6)">)
func.func private @int(!cute.int_tuple<"?">)

// -----

// CHECK-LABEL: func.func @size_of_parts
// CHECK-NEXT: %[[A:.*]] = cute.size (%arg0) : (!cute.shape
// CHECK-NEXT: %[[B:.*]] = cute.size (%arg1) : (!cute.layout
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @size_of_parts(%s: !cute.shape<"(?,4)">, %l: !cute.layout<"(?,4):(?,1)">) -> (!cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  %d = cute.static : !cute.stride<"(4,1)">
  %m = cute.make_layout(%s, %d)
  %a = cute.size(%m)
  %t = cute.get_shape(%l)
  %b = cute.size(%t)
  return %a, %b : !cute.int_tuple<"?">, !cute.int_tuple<"?">
}

// -----

// CHECK-LABEL: func.func @scalars_of_conversions
// CHECK-NEXT: %[[P:.*]]:2 = cute.get_scalars (%arg0) : !cute.shape<"(?,(?))">
// CHECK-NEXT: return %[[P]]#0, %[[P]]#1
func.func @scalars_of_conversions(%s: !cute.shape<"(?,(?))">) -> (i32, i32) {
  %t = cute.to_int_tuple(%s)
  %c = cute.to_coord(%t)
  %f = cute.flatten(%c)
  %p:2 = cute.get_scalars(%f) : !cute.coord<"(?,?)">
  return %p#0, %p#1 : i32, i32
}

// -----

// makeOfScalars, for each of several results.
// CHECK-LABEL: func.func @leaves
// CHECK-DAG: %[[A:.*]] = cute.make_shape(%arg0) : (i32) -> !cute.shape<"?">
// CHECK-DAG: %[[B:.*]] = cute.static : !cute.shape<"4">
// CHECK-DAG: %[[C:.*]] = cute.make_shape(%arg1) : (i32) -> !cute.shape<"?">
// CHECK-NOT: cute.get_leaves
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @leaves(%m: i32, %n: i32) -> (!cute.shape<"?">, !cute.shape<"4">, !cute.shape<"?">) {
  %s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"(?,(4,?))">
  %p:3 = cute.get_leaves(%s) : !cute.shape<"(?,(4,?))">
  return %p#0, %p#1, %p#2 : !cute.shape<"?">, !cute.shape<"4">, !cute.shape<"?">
}

// -----

// equalToItself, and not where only the types are the same.
// CHECK-LABEL: func.func @equal
// CHECK-DAG: %[[T:.*]] = arith.constant true
// CHECK-DAG: %[[E:.*]] = cute.equal(%arg0, %arg1)
// CHECK: return %[[T]], %[[E]]
func.func @equal(%s: !cute.shape<"(?,4)">, %t: !cute.shape<"(?,4)">) -> (i1, i1) {
  %i = cute.to_int_tuple(%s)
  %u = cute.to_shape(%i)
  %a = cute.equal(%s, %u)
  %b = cute.equal(%s, %t)
  return %a, %b : i1, i1
}
