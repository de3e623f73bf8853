// The assembly shapes of section 3 of the open dialect, each read in the pretty
// form, printed canonically and through the generic form.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GEN

// CHECK-LABEL: func.func @shapes(
func.func @shapes(%m: i32, %n: i64) {
  // Constants; dictionaries stand before the colon, but behind the type of
  // print.
  // CHECK: %[[S:.*]] = cute.static {a = 1 : i32} : !cute.shape<"(2,(3,4))">
  %s = cute.static {a = 1 : i32} : !cute.shape<"(2,(3,4))">
  // CHECK: cute.print(%[[S]]) : !cute.shape<"(2,(3,4))"> {b}
  cute.print(%s) : !cute.shape<"(2,(3,4))"> {b}
  // CHECK: cute.make_coord() : () -> !cute.coord<"(_,3)">
  %e = cute.make_coord() : () -> !cute.coord<"(_,3)">
  // CHECK: %[[D:.*]] = cute.make_shape(%{{.*}}, %{{.*}}) {c} : (i32, i64) -> !cute.shape<"(?,(4,?{i64}))">
  %d = cute.make_shape(%m, %n) {c} : (i32, i64) -> !cute.shape<"(?,(4,?{i64}))">

  // A space behind angle brackets, and in four ops also without them.
  // CHECK: cute.get<[1, 0]> (%[[S]]) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"3">
  %g0 = cute.get<[1,0]>(%s) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"3">
  // CHECK: cute.get (%[[S]]) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"(2,(3,4))">
  %g1 = cute.get(%s) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"(2,(3,4))">
  // CHECK: cute.get<[]> (%[[S]])
  %g2 = cute.get<[]> (%s) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"(2,(3,4))">
  // CHECK: cute.select<[1, 1]> (%[[S]]) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"((3,4),(3,4))">
  %g3 = cute.select<[1, 1]> (%s) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"((3,4),(3,4))">
  // CHECK: cute.size<[1]> (%[[S]]) : (!cute.shape<"(2,(3,4))">) -> !cute.int_tuple<"12">
  // GEN: "cute.size"(%{{.*}}) <{mode = array<i32: 1>}>
  %g4 = cute.size<[1]> (%s) : (!cute.shape<"(2,(3,4))">) -> !cute.int_tuple<"12">
  // CHECK: cute.size (%[[S]]) {x = "y"} : (!cute.shape<"(2,(3,4))">) -> !cute.int_tuple<"24">
  %g5 = cute.size(%s) {x = "y"} : (!cute.shape<"(2,(3,4))">) -> !cute.int_tuple<"24">
  // CHECK: cute.get_scalars (%[[S]]) : !cute.shape<"(2,(3,4))">
  %g6:3 = cute.get_scalars(%s) : !cute.shape<"(2,(3,4))">
  // CHECK: cute.get_scalars<{only_dynamic}> (%[[D]]) : !cute.shape<"(?,(4,?{i64}))">
  // GEN: %{{.*}}:2 = "cute.get_scalars"(%{{.*}}) <{only_dynamic}> : (
  // GEN-SAME: -> (i32, i64)
  %g7:2 = cute.get_scalars<{only_dynamic}> (%d) : !cute.shape<"(?,(4,?{i64}))">
  // CHECK: cute.append_to_rank<3> (%[[S]], %{{.*}}) : !cute.shape<"(2,(3,4))">, !cute.shape<"3">
  // GEN: "cute.append_to_rank"(%{{.*}}) <{rank = 3 : i32}>
  // GEN-SAME: -> !cute.shape<"(2,(3,4),3)">
  %g8 = cute.append_to_rank<3>(%s, %g0) : !cute.shape<"(2,(3,4))">, !cute.shape<"3">
  return
}

// Only <"..."> is printed where the op tells the kind; both are read.
// CHECK-LABEL: func.func @elided(
func.func @elided(%o: !cute.int_tuple<"?">) {
  %a = cute.static : !cute.swizzle<"S<2,1,3>">
  %b = cute.static : !cute.layout<"(8,8):(8,1)">
  // CHECK: %[[X:.*]] = cute.make_composed_layout(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.swizzle<"S<2,1,3>">, <"?">, <"(8,8):(8,1)">) -> <"S<2,1,3> o ? o (8,8):(8,1)">
  %x = cute.make_composed_layout(%a, %o, %b) : (!cute.swizzle<"S<2,1,3>">, !cute.int_tuple<"?">, <"(8,8):(8,1)">) -> <"S<2,1,3>o?o(8,8):(8,1)">
  // CHECK: cute.composed_get_inner(%[[X]]) : <"S<2,1,3> o ? o (8,8):(8,1)"> -> !cute.swizzle<"S<2,1,3>">
  %i = cute.composed_get_inner(%x) : <"S<2,1,3> o ? o (8,8):(8,1)"> -> !cute.swizzle<"S<2,1,3>">
  // CHECK: cute.composed_get_offset(%[[X]]) : <"S<2,1,3> o ? o (8,8):(8,1)"> -> !cute.int_tuple<"?">
  %p = cute.composed_get_offset(%x) : !cute.composed_layout<"S<2,1,3> o ? o (8,8):(8,1)"> -> !cute.int_tuple<"?">
  // CHECK: %[[B:.*]] = cute.composed_get_outer(%[[X]]) : <"S<2,1,3> o ? o (8,8):(8,1)"> -> <"(8,8):(8,1)">
  %q = cute.composed_get_outer(%x) : <"S<2,1,3> o ? o (8,8):(8,1)"> -> !cute.layout<"(8,8):(8,1)">
  // CHECK: cute.get_stride(%[[B]]) : <"(8,8):(8,1)"> -> !cute.stride<"(8,1)">
  // GEN: "cute.get_stride"(%{{.*}}) : (!cute.layout<"(8,8):(8,1)">) -> !cute.stride<"(8,1)">
  %r = cute.get_stride(%q) : !cute.layout<"(8,8):(8,1)"> -> !cute.stride<"(8,1)">
  %t = cute.static : !cute.tile<"[4;_;8:2]">
  // CHECK: %{{.*}}:2 = cute.get_layouts_from_tile(%{{.*}}) : <"[4:1;_;8:2]">
  %u:2 = cute.get_layouts_from_tile(%t) : <"[4;_;8:2]">
  return
}

// Results that no assembly mentions are inferred.
// CHECK-LABEL: func.func @results(
func.func @results() -> (!cute.layout<"6:1">, !cute.coord<"_">) {
  %l = cute.static : !cute.layout<"(4,6):(6,1)">
  %c = cute.static : !cute.coord<"(2,_)">
  // CHECK: cute.slice(%[[L:.*]], %[[C:.*]]) : !cute.layout<"(4,6):(6,1)">, !cute.coord<"(2,_)">
  %s = cute.slice(%l, %c) : !cute.layout<"(4,6):(6,1)">, !cute.coord<"(2,_)">
  %k = cute.coalesce(%s) : (!cute.layout<"(6):(1)">) -> !cute.layout<"6:1">
  // CHECK: %[[V:.*]]:2 = cute.get_leaves(%[[C]]) : !cute.coord<"(2,_)">
  %v:2 = cute.get_leaves(%c) : !cute.coord<"(2,_)">
  // CHECK: return %{{.*}}, %[[V]]#1 : !cute.layout<"6:1">, !cute.coord<"_">
  return %k, %v#1 : !cute.layout<"6:1">, !cute.coord<"_">
}

// Inherent attributes may stand in dictionaries, as properties too.
// CHECK-LABEL: func.func @generic(
func.func @generic() {
  %s = "cute.static"() : () -> (!cute.shape<"(2,(3,4))">)
  // CHECK: cute.get<[0]> (%{{.*}}) {x} : !cute.shape<"(2,(3,4))"> -> !cute.shape<"2">
  %a = "cute.get"(%s) <{mode = array<i32: 0>}> {x} : (!cute.shape<"(2,(3,4))">) -> !cute.shape<"2">
  // CHECK: cute.get<[0]> (%{{.*}}) {x} : !cute.shape<"(2,(3,4))"> -> !cute.shape<"2">
  %b = "cute.get"(%s) {x, mode = array<i32: 0>} : (!cute.shape<"(2,(3,4))">) -> (!cute.shape<"2">)
  // CHECK: cute.get<[0]> (%{{.*}}) : !cute.shape<"(2,(3,4))"> -> !cute.shape<"2">
  %c = cute.get(%s) {mode = array<i32: 0>} : !cute.shape<"(2,(3,4))"> -> !cute.shape<"2">
  %l = cute.static : !cute.layout<"(5,6,7)">
  // CHECK: cute.group_modes<0, 2> (%{{.*}}) : (!cute.layout<"(5,6,7):(1,5,30)">) -> !cute.layout<"((5,6),7):((1,5),30)">
  %d = "cute.group_modes"(%l) {begin = 0 : i32, end = 2 : i32} : (!cute.layout<"(5,6,7)">) -> !cute.layout<"((5,6),7)">
  return
}
