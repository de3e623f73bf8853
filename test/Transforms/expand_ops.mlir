// Ops on dynamic values: get_scalars of the operands, arith, make_* of the results.
// RUN: cute-opt %s --cute-expand-ops | FileCheck %s
// What is left verifies, and a second run changes nothing.
// RUN: cute-opt %s --cute-expand-ops -o %t && cute-opt %t --cute-expand-ops | diff %t -

// One dynamic operand, one dynamic result.
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:.*]]: !cute.int_tuple<"(?,3)">
func.func @add(%a: !cute.int_tuple<"(?,3)">) -> !cute.int_tuple<"(?,5)"> {
  // CHECK-NEXT: %[[X:.*]] = cute.get_scalars<{only_dynamic}> (%[[A]])
  // CHECK-NEXT: %[[C:.*]] = arith.constant 4 : i32
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[X]], %[[C]]
  // CHECK-NEXT: %[[R:.*]] = cute.make_int_tuple(%[[S]]) : (i32) -> !cute.int_tuple<"(?,5)">
  // CHECK-NEXT: return %[[R]]
  %b = cute.static : !cute.int_tuple<"(4,2)">
  %r = cute.tuple_add(%a, %b) : (!cute.int_tuple<"(?,3)">, !cute.int_tuple<"(4,2)">) -> !cute.int_tuple<"(?,5)">
  return %r : !cute.int_tuple<"(?,5)">
}

// Widths are mixed where the result says so.
// CHECK-LABEL: func.func @widths(
func.func @widths(%a: !cute.shape<"?">, %b: !cute.shape<"?{i64}">) -> !cute.shape<"?{i64}"> {
  // CHECK: %[[X:.*]] = cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.shape<"?">
  // CHECK: %[[Y:.*]] = cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.shape<"?{i64}">
  // CHECK: %[[W:.*]] = arith.extsi %[[X]] : i32 to i64
  // CHECK: arith.addi %[[W]], %[[Y]] overflow<nsw> : i64
  %r = cute.tuple_add(%a, %b) : (!cute.shape<"?">, !cute.shape<"?{i64}">) -> !cute.shape<"?{i64}">
  return %r : !cute.shape<"?{i64}">
}

// A layout is put together of its parts.
// CHECK-LABEL: func.func @divide(
func.func @divide(%l: !cute.layout<"(?,8):(8,1)">) -> !cute.layout<"((4,2),(?,4)):((8,1),(32,2))"> {
  // CHECK-NEXT: %[[N:.*]] = cute.get_scalars<{only_dynamic}>
  // CHECK: %[[Q:.*]] = arith.ceildivsi %[[N]], %{{.*}} : i32
  // CHECK: %[[S:.*]] = cute.make_shape(%[[Q]]) : (i32) -> !cute.shape<"((4,2),(?,4))">
  // CHECK: %[[D:.*]] = cute.make_stride() : () -> !cute.stride<"((8,1),(32,2))">
  // CHECK: cute.make_layout(%[[S]], %[[D]])
  %t = cute.static : !cute.tile<"[4:1;2:1]">
  %r = cute.zipped_divide(%l, %t) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[4:1;2:1]">) -> !cute.layout<"((4,2),(?,4)):((8,1),(32,2))">
  return %r : !cute.layout<"((4,2),(?,4)):((8,1),(32,2))">
}

// So is a composed one, from B to A, as its scalars come.
// CHECK-LABEL: func.func @composed(
func.func @composed(%l: !cute.composed_layout<"(8,?):(1,8) o ? o ((2,?),4):((1,2),?)">) -> !cute.composed_layout<"(8,?):(1,8) o ? o (2,?,4):(1,2,?)"> {
  // CHECK-NEXT: %[[X:.*]]:4 = cute.get_scalars<{only_dynamic}>
  // CHECK-NEXT: %[[BS:.*]] = cute.make_shape(%[[X]]#0) : (i32) -> !cute.shape<"(2,?,4)">
  // CHECK-NEXT: %[[BD:.*]] = cute.make_stride(%[[X]]#1) : (i32) -> !cute.stride<"(1,2,?)">
  // CHECK-NEXT: %[[B:.*]] = cute.make_layout(%[[BS]], %[[BD]])
  // CHECK-NEXT: %[[O:.*]] = cute.make_int_tuple(%[[X]]#2)
  // CHECK-NEXT: %[[AS:.*]] = cute.make_shape(%[[X]]#3) : (i32) -> !cute.shape<"(8,?)">
  // CHECK-NEXT: %[[AD:.*]] = cute.make_stride() : () -> !cute.stride<"(1,8)">
  // CHECK-NEXT: %[[A:.*]] = cute.make_layout(%[[AS]], %[[AD]])
  // CHECK-NEXT: cute.make_composed_layout(%[[A]], %[[O]], %[[B]])
  %r = cute.flatten(%l) : (!cute.composed_layout<"(8,?):(1,8) o ? o ((2,?),4):((1,2),?)">) -> !cute.composed_layout<"(8,?):(1,8) o ? o (2,?,4):(1,2,?)">
  return %r : !cute.composed_layout<"(8,?):(1,8) o ? o (2,?,4):(1,2,?)">
}

// A swizzle, a tile, a coordinate and a basis.
// CHECK-LABEL: func.func @kinds(
func.func @kinds(%x: !cute.composed_layout<"S<2,1,3> o ? o ((2,4),8):((1,2),8)">, %t: !cute.tile<"[?:1;(2,?{i64}):(?{i64},1)]">, %c: !cute.coord<"(_,(?,?))">, %d: !cute.stride<"((?@0,2@1),3@2)">) -> (!cute.composed_layout<"S<2,1,3> o ? o (2,4,8):(1,2,8)">, !cute.tile<"[(2,?{i64}):(?{i64},1)]">, !cute.coord<"(_,?,?)">, !cute.stride<"(?@0,2@1)">) {
  // CHECK: %[[W:.*]] = cute.static : !cute.swizzle<"S<2,1,3>">
  // CHECK: cute.make_composed_layout(%[[W]],
  %0 = cute.flatten(%x) : (!cute.composed_layout<"S<2,1,3> o ? o ((2,4),8):((1,2),8)">) -> !cute.composed_layout<"S<2,1,3> o ? o (2,4,8):(1,2,8)">
  // CHECK: cute.make_tile(%{{.*}}, %{{.*}}) : (i64, i64) -> !cute.tile<"[(2,?{i64}):(?{i64},1)]">
  %1 = cute.select<[1]> (%t) : !cute.tile<"[?:1;(2,?{i64}):(?{i64},1)]"> -> !cute.tile<"[(2,?{i64}):(?{i64},1)]">
  // CHECK: cute.make_coord(%{{.*}}, %{{.*}}) : (i32, i32) -> !cute.coord<"(_,?,?)">
  %2 = cute.flatten(%c) : (!cute.coord<"(_,(?,?))">) -> !cute.coord<"(_,?,?)">
  // CHECK: cute.make_stride(%{{.*}}) : (i32) -> !cute.stride<"(?@0,2@1)">
  %3 = cute.get<[0]> (%d) : !cute.stride<"((?@0,2@1),3@2)"> -> !cute.stride<"(?@0,2@1)">
  return %0, %1, %2, %3 : !cute.composed_layout<"S<2,1,3> o ? o (2,4,8):(1,2,8)">, !cute.tile<"[(2,?{i64}):(?{i64},1)]">, !cute.coord<"(_,?,?)">, !cute.stride<"(?@0,2@1)">
}

// Static results are constants without arithmetic, each result for itself.
// CHECK-LABEL: func.func @leaves(
func.func @leaves(%s: !cute.shape<"(2,?)">) -> (!cute.shape<"2">, !cute.shape<"?">) {
  // CHECK-NEXT: %[[X:.*]] = cute.get_scalars<{only_dynamic}>
  // CHECK-NEXT: %[[A:.*]] = cute.static : !cute.shape<"2">
  // CHECK-NEXT: %[[B:.*]] = cute.make_shape(%[[X]])
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0:2 = cute.get_leaves(%s) : !cute.shape<"(2,?)">
  return %0#0, %0#1 : !cute.shape<"2">, !cute.shape<"?">
}
// CHECK-LABEL: func.func @static_result(
func.func @static_result(%l: !cute.layout<"(?,4):(4,1)">) -> !cute.stride<"(4,1)"> {
  // CHECK-NEXT: %[[D:.*]] = cute.static : !cute.stride<"(4,1)">
  // CHECK-NEXT: return %[[D]]
  %0 = cute.get_stride(%l) : <"(?,4):(4,1)"> -> !cute.stride<"(4,1)">
  return %0 : !cute.stride<"(4,1)">
}

// Comparisons become i1; all leaves count.
// CHECK-LABEL: func.func @less(
func.func @less(%a: !cute.coord<"(?,1)">, %b: !cute.coord<"(4,?)">) -> i1 {
  // CHECK: %[[X:.*]] = arith.cmpi slt
  // CHECK: %[[Y:.*]] = arith.cmpi slt
  // CHECK: %[[R:.*]] = arith.andi %[[X]], %[[Y]]
  // CHECK: return %[[R]]
  %0 = cute.elem_less(%a, %b) : (!cute.coord<"(?,1)">, !cute.coord<"(4,?)">) -> i1
  return %0 : i1
}

// `_` opposite `_` is passed over.
// CHECK-LABEL: func.func @less_underscore(
func.func @less_underscore(%a: !cute.coord<"(?,_)">, %b: !cute.coord<"(4,_)">) -> i1 {
  // CHECK: %[[R:.*]] = arith.cmpi slt
  // CHECK-NOT: arith.andi
  // CHECK: return %[[R]]
  %0 = cute.elem_less(%a, %b) : (!cute.coord<"(?,_)">, !cute.coord<"(4,_)">) -> i1
  return %0 : i1
}

// What nobody uses goes, and what builds values stays.
// CHECK-LABEL: func.func @unused(
func.func @unused(%i: i32, %l: !cute.layout<"(?,4):(4,1)">) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape
  // CHECK-NEXT: cute.print(%[[S]])
  // CHECK-NEXT: return
  %0 = cute.size(%l) : (!cute.layout<"(?,4):(4,1)">) -> !cute.int_tuple<"?">
  %1 = cute.make_shape(%i) : (i32) -> !cute.shape<"?">
  cute.print(%1) : !cute.shape<"?">
  return
}

// Values of regions are taken apart where they are used.
// CHECK-LABEL: func.func @region(
func.func @region(%b: i1, %s: !cute.shape<"(?,?)">) {
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: cute.get_scalars<{only_dynamic}>
  // CHECK-NEXT: arith.muli
  // CHECK-NEXT: cute.make_shape
  scf.if %b {
    %0 = cute.tuple_product(%s) : (!cute.shape<"(?,?)">) -> !cute.shape<"?">
    cute.print(%0) : !cute.shape<"?">
  }
  return
}

// Ops on memory keep their operands.
// CHECK-LABEL: gpu.func @kernel(
gpu.module @m {
  gpu.func @kernel(%t: !cute.tensor<f32, gmem, align<4>, "(?,4):(4,1)">, %i: i32) kernel {
    // CHECK: %[[L:.*]] = cute.get_layout(
    // CHECK: %[[X:.*]] = cute.get_scalars<{only_dynamic}> (%[[L]])
    // CHECK: arith.muli %[[X]]
    %0 = cute.get_layout(%t) : !cute.tensor<f32, gmem, align<4>, "(?,4):(4,1)"> -> !cute.layout<"(?,4):(4,1)">
    %1 = cute.size(%0) : (!cute.layout<"(?,4):(4,1)">) -> !cute.int_tuple<"?">
    cute.print(%1) : !cute.int_tuple<"?">
    gpu.return
  }
}
