// The ops of section 5.5 of the open dialect, in its order: nothing is reused,
// sums follow the nesting, results do not wrap around.
// RUN: cute-opt %s --cute-expand-ops | FileCheck %s
// RUN: cute-opt %s --pass-pipeline='cute-expand-ops,cute-to-base,base-prepare' | FileCheck --check-prefix=BASE %s

// CHECK-LABEL: func.func @split(
// CHECK-NEXT: %[[C:.*]] = cute.get_scalars<{only_dynamic}> (%arg0) : !cute.coord<"?">
// CHECK-NEXT: %[[N:.*]] = arith.constant 4 : i32
// CHECK-NEXT: %[[Q:.*]] = arith.divsi %[[C]], %[[N]] : i32
// CHECK-NEXT: %[[M:.*]] = arith.constant 4 : i32
// CHECK-NEXT: %[[R:.*]] = arith.remsi %[[C]], %[[M]] : i32
// CHECK-NEXT: %[[D:.*]] = arith.constant 6 : i32
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[R]], %[[D]] overflow<nsw> : i32
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[Q]] overflow<nsw> : i32
// CHECK-NEXT: %[[I:.*]] = cute.make_int_tuple(%[[S]]) : (i32) -> !cute.int_tuple<"?">
// CHECK-NEXT: return %[[I]]
func.func @split(%c: !cute.coord<"?">, %l: !cute.layout<"(4,6):(6,1)">) -> !cute.int_tuple<"?"> {
  %0 = cute.layout_eval(%c, %l) : (!cute.coord<"?">, !cute.layout<"(4,6):(6,1)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// A composition: what is dynamic comes first in a minimum; a tuple without
// dynamic leaves is built of nothing.
// CHECK-LABEL: func.func @take(
// CHECK-NEXT: %[[N:.*]] = cute.get_scalars<{only_dynamic}> (%arg1) : !cute.layout<"?:2">
// CHECK-NEXT: %[[C:.*]] = arith.constant 4 : i32
// CHECK-NEXT: %[[T:.*]] = arith.minsi %[[N]], %[[C]] : i32
// CHECK-NEXT: %[[R:.*]] = arith.divsi %[[N]], %[[T]] : i32
// CHECK-NEXT: %[[S:.*]] = cute.make_shape(%[[T]], %[[R]]) : (i32, i32) -> !cute.shape<"(?,?)">
// CHECK-NEXT: %[[D:.*]] = cute.make_stride() : () -> !cute.stride<"(8,1)">
// CHECK-NEXT: cute.make_layout(%[[S]], %[[D]])
func.func @take(%l: !cute.layout<"(8,4):(4,1)">, %r: !cute.layout<"?:2">) -> !cute.layout<"(?,?):(8,1)"> {
  %0 = cute.composition(%l, %r) : (!cute.layout<"(8,4):(4,1)">, !cute.layout<"?:2">) -> !cute.layout<"(?,?):(8,1)">
  return %0 : !cute.layout<"(?,?):(8,1)">
}

// With a dynamic stride, its sign counts, too.
// CHECK-LABEL: func.func @take_strided(
// CHECK: %[[A:.*]] = math.absi %[[D:.*]] : i32
// CHECK: %[[N:.*]] = arith.ceildivsi %{{.*}}, %[[A]] : i32
// CHECK: %[[Q:.*]] = arith.ceildivsi %[[A]], %{{.*}} : i32
// CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[P:.*]] = arith.cmpi sgt, %[[D]], %[[Z]] : i32
// CHECK-NEXT: %[[G:.*]] = scf.if %[[P]] -> (i32) {
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:   scf.yield %[[ONE]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[Z2:.*]] = arith.constant 0 : i32
// CHECK-NEXT:   %[[E:.*]] = arith.cmpi eq, %[[D]], %[[Z2]] : i32
// CHECK-NEXT:   %[[L:.*]] = scf.if %[[E]] -> (i32) {
// CHECK-NEXT:     arith.constant 0 : i32
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   } else {
// CHECK-NEXT:     arith.constant -1 : i32
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield %[[L]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: arith.muli %[[Q]], %[[G]] overflow<nsw> : i32
// CHECK: arith.minsi %[[N]], %{{.*}} : i32
func.func @take_strided(%l: !cute.layout<"(8,4):(4,1)">, %r: !cute.layout<"4:?">) -> !cute.layout<"(?,?):(?,?)"> {
  %0 = cute.composition(%l, %r) : (!cute.layout<"(8,4):(4,1)">, !cute.layout<"4:?">) -> !cute.layout<"(?,?):(?,?)">
  return %0 : !cute.layout<"(?,?):(?,?)">
}

// Two further ops that nobody uses.
// CHECK-LABEL: func.func @divide(
// CHECK: %[[N:.*]] = cute.get_scalars<{only_dynamic}>
// CHECK: %[[Q:.*]] = arith.ceildivsi %[[N]], %{{.*}} : i32
// CHECK: arith.ceildivsi %{{.*}}, %[[N]] : i32
// CHECK: arith.muli %[[Q]], %{{.*}} overflow<nsw> : i32
// CHECK: cute.make_shape(%[[Q]]) : (i32) -> !cute.shape<"(4,(2,?))">
func.func @divide(%l: !cute.layout<"?:1">, %t: !cute.layout<"4:2">) -> !cute.layout<"(4,(2,?)):(2,(1,8))"> {
  %0 = cute.logical_divide(%l, %t) : (!cute.layout<"?:1">, !cute.layout<"4:2">) -> !cute.layout<"(4,(2,?)):(2,(1,8))">
  return %0 : !cute.layout<"(4,(2,?)):(2,(1,8))">
}

// A sum within a sum; the static terms meet only when MLIR folds them.
// CHECK-LABEL: func.func @tile_index(
// CHECK: %[[I:.*]] = cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.coord<"(3,(?,1))">
// CHECK-NEXT: cute.get_scalars<{only_dynamic}>
// CHECK-NEXT: %[[C:.*]] = arith.constant 32 : i32
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[I]], %[[C]] overflow<nsw> : i32
// CHECK-NEXT: %[[C2:.*]] = arith.constant 2 : i32
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[C2]] overflow<nsw> : i32
// CHECK-NEXT: %[[C24:.*]] = arith.constant 24 : i32
// CHECK-NEXT: arith.addi %[[C24]], %[[S]] overflow<nsw> : i32
// BASE-LABEL: func.func @tile_index(%arg0: i32, %arg1: i32) -> i32 {
// BASE-DAG: %[[C32:.*]] = arith.constant 32 : i32
// BASE-DAG: %[[C26:.*]] = arith.constant 26 : i32
// BASE: %[[P:.*]] = arith.muli %arg1, %[[C32]] overflow<nsw> : i32
// BASE-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[C26]] overflow<nsw> : i32
// BASE-NEXT: return %[[S]] : i32
func.func @tile_index(%m: i32, %i: i32) -> !cute.int_tuple<"?"> {
  %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
  %d = cute.static : !cute.stride<"(8,1)">
  %l = cute.make_layout(%s, %d) : (!cute.shape<"(?,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?,8):(8,1)">
  %t = cute.static : !cute.tile<"[4;2]">
  %z = cute.zipped_divide(%l, %t) : (!cute.layout<"(?,8):(8,1)">, !cute.tile<"[4;2]">)
       -> !cute.layout<"((4,2),(?,4)):((8,1),(32,2))">
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(3,(?,1))">
  %r = cute.layout_eval(%c, %z) : (!cute.coord<"(3,(?,1))">, !cute.layout<"((4,2),(?,4)):((8,1),(32,2))">)
       -> !cute.int_tuple<"?">
  return %r : !cute.int_tuple<"?">
}

// The next coordinate: what the leaf becomes, then the carry.
// CHECK-LABEL: func.func @increment(
// CHECK: %[[S:.*]] = arith.addi %[[C:.*]]#0, %{{.*}} overflow<nsw> : i32
// CHECK: %[[L:.*]] = arith.cmpi slt, %[[S]], %{{.*}} : i32
// CHECK-NEXT: %[[A:.*]] = scf.if %[[L]] -> (i32) {
// CHECK-NEXT:   scf.yield %[[S]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT:   scf.yield %[[Z]] : i32
// CHECK-NEXT: }
// CHECK: %[[L2:.*]] = arith.cmpi slt, %[[S]], %{{.*}} : i32
// CHECK-NEXT: %[[K:.*]] = scf.if %[[L2]] -> (i32) {
// CHECK-NEXT:   %[[Z2:.*]] = arith.constant 0 : i32
// CHECK-NEXT:   scf.yield %[[Z2]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:   scf.yield %[[ONE]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[C]]#1, %[[K]] overflow<nsw> : i32
// CHECK-NEXT: cute.make_coord(%[[A]], %[[B]])
// BASE-LABEL: func.func @increment(
// BASE-NOT: scf.if
// BASE: arith.select
// BASE: arith.extui
// BASE: return
func.func @increment(%c: !cute.coord<"(?,?)">, %s: !cute.shape<"(3,4)">) -> !cute.coord<"(?,?)"> {
  %0 = cute.increment_coord(%c, %s) : (!cute.coord<"(?,?)">, !cute.shape<"(3,4)">) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}

// Where the quotient is 0, the signs count; that of a positive constant is
// left out, that of a negative one is a factor.
// CHECK-LABEL: func.func @shape_div(
// CHECK: %[[Q:.*]] = arith.divsi %[[A:.*]], %[[B:.*]] : i32
// CHECK: %[[N:.*]] = arith.cmpi ne, %[[Q]], %{{.*}} : i32
// CHECK-NEXT: scf.if %[[N]] -> (i32) {
// CHECK-NEXT:   scf.yield %[[Q]] : i32
// CHECK-NEXT: } else {
// CHECK: arith.cmpi sgt, %[[A]],
// CHECK: arith.cmpi sgt, %[[B]],
// CHECK: %[[P:.*]] = arith.muli {{.*}} overflow<nsw> : i32
// CHECK-NEXT: scf.yield %[[P]] : i32
func.func @shape_div(%a: !cute.shape<"?">, %b: !cute.shape<"?">) -> !cute.shape<"?"> {
  %0 = cute.shape_div(%a, %b) : (!cute.shape<"?">, !cute.shape<"?">) -> !cute.shape<"?">
  return %0 : !cute.shape<"?">
}
// CHECK-LABEL: func.func @shape_div_static(
// CHECK: arith.divsi
// CHECK-NOT: arith.muli
// CHECK: arith.divsi
// CHECK: arith.muli %{{.*}}, %c-1_i32{{.*}} overflow<nsw> : i32
// CHECK-NOT: arith.muli
// CHECK: return
func.func @shape_div_static(%a: !cute.shape<"?">, %b: !cute.shape<"12">, %c: !cute.shape<"-12">) -> (!cute.shape<"?">, !cute.shape<"?">) {
  %0 = cute.shape_div(%a, %b) : (!cute.shape<"?">, !cute.shape<"12">) -> !cute.shape<"?">
  %1 = cute.shape_div(%c, %a) : (!cute.shape<"-12">, !cute.shape<"?">) -> !cute.shape<"?">
  return %0, %1 : !cute.shape<"?">, !cute.shape<"?">
}

// Swizzles: and, shift, xor.
// CHECK-LABEL: func.func @swizzle(
// CHECK: %[[M:.*]] = arith.andi %[[V:.*]], %{{.*}} : i32
// CHECK: %[[H:.*]] = arith.shrui %[[M]], %{{.*}} : i32
// CHECK-NEXT: arith.xori %[[V]], %[[H]] : i32
func.func @swizzle(%c: !cute.coord<"(?,1)">, %l: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) -> !cute.int_tuple<"?"> {
  %0 = cute.layout_eval(%c, %l) : (!cute.coord<"(?,1)">, !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// Comparisons take all integers out, static ones as well; i32 is widened.
// CHECK-LABEL: func.func @compare(
// CHECK-NEXT: %[[A:.*]]:2 = cute.get_scalars (%arg0) : !cute.coord<"(?,1)">
// CHECK-NEXT: %[[B:.*]]:2 = cute.get_scalars (%arg1) : !cute.coord<"(?{i64},4)">
// CHECK-NEXT: %[[W:.*]] = arith.extsi %[[A]]#0 : i32 to i64
// CHECK-NEXT: %[[X:.*]] = arith.cmpi slt, %[[W]], %[[B]]#0 : i64
// CHECK-NEXT: %[[Y:.*]] = arith.cmpi slt, %[[A]]#1, %[[B]]#1 : i32
// CHECK-NEXT: %[[R:.*]] = arith.andi %[[X]], %[[Y]] : i1
// CHECK-NEXT: return %[[R]]
func.func @compare(%a: !cute.coord<"(?,1)">, %b: !cute.coord<"(?{i64},4)">) -> i1 {
  %0 = cute.elem_less(%a, %b) : (!cute.coord<"(?,1)">, !cute.coord<"(?{i64},4)">) -> i1
  return %0 : i1
}

// The strides' absolute values, then the last coordinate, its index and one more.
// CHECK-LABEL: func.func @cosize(
// CHECK-NEXT: %[[X:.*]]:4 = cute.get_scalars<{only_dynamic}> (%arg0)
// CHECK-NEXT: %[[A:.*]] = math.absi %[[X]]#2 : i32
// CHECK-NEXT: %[[B:.*]] = math.absi %[[X]]#3 : i32
// CHECK-NEXT: %[[C0:.*]] = arith.constant -1 : i32
// CHECK-NEXT: %[[M:.*]] = arith.addi %[[X]]#0, %[[C0]] overflow<nsw> : i32
// CHECK-NEXT: %[[C1:.*]] = arith.constant -1 : i32
// CHECK-NEXT: %[[N:.*]] = arith.addi %[[X]]#1, %[[C1]] overflow<nsw> : i32
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[M]], %[[A]] overflow<nsw> : i32
// CHECK-NEXT: %[[Q:.*]] = arith.muli %[[N]], %[[B]] overflow<nsw> : i32
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[P]], %[[Q]] overflow<nsw> : i32
// CHECK-NEXT: %[[C2:.*]] = arith.constant 1 : i32
// CHECK-NEXT: arith.addi %[[S]], %[[C2]] overflow<nsw> : i32
func.func @cosize(%l: !cute.layout<"(?,?):(?,?)">) -> !cute.int_tuple<"?"> {
  %0 = cute.cosize(%l) : (!cute.layout<"(?,?):(?,?)">) -> !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// What a slice and a dice keep: B, also where it is static, the offset, A.
// CHECK-LABEL: func.func @slice(
// CHECK: %[[O:.*]] = arith.addi
// CHECK-NEXT: %[[B:.*]] = cute.static : !cute.layout<"(5):(6)">
// CHECK-NEXT: %[[OFF:.*]] = cute.make_int_tuple(%[[O]]) : (i32) -> !cute.int_tuple<"?">
// CHECK-NEXT: %[[A:.*]] = cute.static : !cute.layout<"(8,4):(4,1)">
// CHECK-NEXT: cute.make_composed_layout(%[[A]], %[[OFF]], %[[B]])
func.func @slice(%l: !cute.composed_layout<"(8,4):(4,1) o 3 o (6,5):(1,6)">, %c: !cute.coord<"(?,_)">) -> !cute.composed_layout<"(8,4):(4,1) o ? o (5):(6)"> {
  %0 = cute.slice(%l, %c) : !cute.composed_layout<"(8,4):(4,1) o 3 o (6,5):(1,6)">, !cute.coord<"(?,_)">
  return %0 : !cute.composed_layout<"(8,4):(4,1) o ? o (5):(6)">
}
// CHECK-LABEL: func.func @dice(
// CHECK: %[[B:.*]] = cute.make_layout(
// CHECK-NEXT: %[[OFF:.*]] = cute.make_int_tuple() : () -> !cute.int_tuple<"3">
// CHECK-NEXT: %[[A:.*]] = cute.static : !cute.layout<"(8,4):(4,1)">
// CHECK-NEXT: cute.make_composed_layout(%[[A]], %[[OFF]], %[[B]])
func.func @dice(%l: !cute.composed_layout<"(8,4):(4,1) o 3 o (?,5):(1,?)">, %c: !cute.coord<"(2,_)">) -> !cute.composed_layout<"(8,4):(4,1) o 3 o (?):(1)"> {
  %0 = cute.dice(%l, %c) : !cute.composed_layout<"(8,4):(4,1) o 3 o (?,5):(1,?)">, !cute.coord<"(2,_)">
  return %0 : !cute.composed_layout<"(8,4):(4,1) o 3 o (?):(1)">
}
