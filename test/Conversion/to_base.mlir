// What functions pass, and what they do with it.
// RUN: cute-opt %s --cute-fold-static --cute-expand-ops --cute-to-base | FileCheck %s --implicit-check-not=cute. --implicit-check-not=unrealized

// Tuples are the struct of their dynamic leaves, or the one that there is.
// CHECK-LABEL: func.func private @tuples(
// CHECK-SAME: !llvm.struct<()>, !llvm.struct<()>, i32, i32, i64, !llvm.struct<(i32, i64, i32)>)
func.func private @tuples(!cute.shape<"(2,3)">, !cute.coord<"(_,8)">, !cute.coord<"(_,?)">, !cute.stride<"(?@1,3@0)">, !cute.int_tuple<"(((?{i64})))">, !cute.int_tuple<"(?,(?{i64},3),?)">)

// Layouts are their shape and stride.
// CHECK-LABEL: func.func private @layouts(
// CHECK-SAME: !llvm.struct<(struct<()>, struct<()>)>, !llvm.struct<(struct<()>, i32)>, !llvm.struct<(struct<(i32, i32)>, i32)>)
func.func private @layouts(!cute.layout<"4:1">, !cute.layout<"4:?">, !cute.layout<"(?,?):(1,?)">)

// Tiles are their layouts, or the one that there is.
// CHECK-LABEL: func.func private @tiles(
// CHECK-SAME: !llvm.struct<(i32, struct<()>)>, !llvm.struct<(i32, struct<()>)>, !llvm.struct<(struct<(i32, struct<()>)>, struct<(struct<()>, struct<()>)>)>, !llvm.struct<()>)
func.func private @tiles(!cute.tile<"[?:1;_]">, !cute.tile<"?:1">, !cute.tile<"[[?:1;4];_]">, !cute.tile<"_">)

// Composed layouts are B, offset and A.
// CHECK-LABEL: func.func private @composed(
// CHECK-SAME: !llvm.struct<(struct<(i32, struct<()>)>, i32, struct<()>)>, !llvm.struct<(struct<(struct<()>, struct<()>)>, i32, struct<(i32, i32)>)>, !llvm.struct<()>)
func.func private @composed(!cute.composed_layout<"S<2,1,3> o ? o (?,8):(8,1)">, !cute.composed_layout<"(?,8):(1,?) o ? o 6:1">, !cute.swizzle<"S<2,1,3>">)

// Other types stay, in their places; so do attributes.
// CHECK-LABEL: func.func private @others(
// CHECK-SAME: index, i32 {llvm.noundef}, f32) -> (f32, i32, memref<4xi8>)
func.func private @others(index, !cute.shape<"?"> {llvm.noundef}, f32) -> (f32, !cute.shape<"?">, memref<4xi8>)

// Parameters are taken apart, results put together.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[P:.*]]: !llvm.struct<(struct<(i32, i64)>, struct<()>)>) -> !llvm.struct<(i64, i32)>
func.func @swap(%l: !cute.layout<"(?,?{i64}):(1,2)">) -> !cute.shape<"(?{i64},?)"> {
  // CHECK-NEXT: %[[A:.*]] = llvm.extractvalue %[[P]][0, 0]
  // CHECK-NEXT: %[[B:.*]] = llvm.extractvalue %[[P]][0, 1]
  // CHECK-NEXT: %[[R0:.*]] = ub.poison : !llvm.struct<(i64, i32)>
  // CHECK-NEXT: %[[R1:.*]] = llvm.insertvalue %[[B]], %[[R0]][0]
  // CHECK-NEXT: %[[R2:.*]] = llvm.insertvalue %[[A]], %[[R1]][1]
  // CHECK-NEXT: return %[[R2]]
  %a, %b = cute.get_scalars<{only_dynamic}> (%l) : !cute.layout<"(?,?{i64}):(1,2)">
  %s = cute.make_shape(%b, %a) : (i64, i32) -> !cute.shape<"(?{i64},?)">
  return %s : !cute.shape<"(?{i64},?)">
}

// Static parts are constants where they are read.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[P:.*]]: i32) -> (i32, i32, i64)
func.func @scalars(%s: !cute.shape<"(?,3,5000000000)">) -> (i32, i32, i64) {
  // CHECK-DAG: %[[A:.*]] = arith.constant 3 : i32
  // CHECK-DAG: %[[B:.*]] = arith.constant 5000000000 : i64
  // CHECK: return %[[P]], %[[A]], %[[B]]
  %0:3 = cute.get_scalars (%s) : !cute.shape<"(?,3,5000000000)">
  return %0#0, %0#1, %0#2 : i32, i32, i64
}

// Calls pass the same, also where a value is static; other results stay.
// CHECK-LABEL: func.func @callee(
// CHECK-SAME: %{{.*}}: !llvm.struct<(struct<(i32, i32)>, struct<()>)>, %[[N:.*]]: i32, %{{.*}}: !llvm.struct<()>) -> (i32, !llvm.struct<()>, i32)
func.func @callee(%l: !cute.layout<"(?,?):(1,4)">, %n: i32, %s: !cute.shape<"4">) -> (i32, !cute.shape<"4">, !cute.int_tuple<"?">) {
  // CHECK: %[[SIZE:.*]] = arith.muli
  // CHECK: return %[[N]], %{{.*}}, %[[SIZE]]
  %0 = cute.size(%l) : (!cute.layout<"(?,?):(1,4)">) -> !cute.int_tuple<"?">
  return %n, %s, %0 : i32, !cute.shape<"4">, !cute.int_tuple<"?">
}
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[M:.*]]: i32) -> i32
func.func @caller(%m: i32) -> i32 {
  // CHECK: %[[D:.*]] = ub.poison : !llvm.struct<()>
  // CHECK-NEXT: %[[L0:.*]] = ub.poison : !llvm.struct<(struct<(i32, i32)>, struct<()>)>
  // CHECK-NEXT: %[[L1:.*]] = llvm.insertvalue %{{.*}}, %[[L0]][0]
  // CHECK-NEXT: %[[L:.*]] = llvm.insertvalue %[[D]], %[[L1]][1]
  // CHECK: %[[S:.*]] = ub.poison : !llvm.struct<()>
  // CHECK: %[[R:.*]]:3 = call @callee(%[[L]], %[[M]], %[[S]])
  // CHECK: %[[SUM:.*]] = arith.addi %[[R]]#2, %[[R]]#0
  // CHECK: return %[[SUM]]
  %0 = cute.make_shape(%m, %m) : (i32, i32) -> !cute.shape<"(?,?)">
  %1 = cute.static : !cute.stride<"(1,4)">
  %2 = cute.make_layout(%0, %1) : (!cute.shape<"(?,?)">, !cute.stride<"(1,4)">) -> !cute.layout<"(?,?):(1,4)">
  %3 = cute.static : !cute.shape<"4">
  %4:3 = call @callee(%2, %m, %3) : (!cute.layout<"(?,?):(1,4)">, i32, !cute.shape<"4">) -> (i32, !cute.shape<"4">, !cute.int_tuple<"?">)
  %5 = cute.get_scalars (%4#2) : !cute.int_tuple<"?">
  %6 = arith.addi %5, %4#0 : i32
  return %6 : i32
}

// What goes on unchanged keeps its struct.
// CHECK-LABEL: func.func @pass_on(
// CHECK-SAME: %[[L:.*]]: !llvm.struct<(struct<(i32, i32)>, struct<()>)>, %[[N:.*]]: i32, %[[S:.*]]: !llvm.struct<()>)
func.func @pass_on(%l: !cute.layout<"(?,?):(1,4)">, %n: i32, %s: !cute.shape<"4">) -> (i32, !cute.shape<"4">, !cute.int_tuple<"?">) {
  // CHECK: %[[R:.*]]:3 = call @callee(%[[L]], %[[N]], %[[S]])
  // CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#2
  %0:3 = call @callee(%l, %n, %s) : (!cute.layout<"(?,?):(1,4)">, i32, !cute.shape<"4">) -> (i32, !cute.shape<"4">, !cute.int_tuple<"?">)
  return %0#0, %0#1, %0#2 : i32, !cute.shape<"4">, !cute.int_tuple<"?">
}

// A composed layout is put together from B, the offset and A as they are.
// CHECK-LABEL: func.func @compose(
// CHECK-SAME: %[[A:.*]]: !llvm.struct<()>, %[[O:.*]]: i32, %[[B:.*]]: !llvm.struct<(struct<(i32, i32)>, i32)>)
func.func @compose(%a: !cute.swizzle<"S<3,5,4>">, %o: !cute.int_tuple<"?">, %b: !cute.layout<"(?,?):(1,?)">) -> !cute.composed_layout<"S<3,5,4> o ? o (?,?):(1,?)"> {
  // CHECK: %[[R0:.*]] = ub.poison : !llvm.struct<(struct<(struct<(i32, i32)>, i32)>, i32, struct<()>)>
  // CHECK-NEXT: %[[R1:.*]] = llvm.insertvalue %[[B]], %[[R0]][0]
  // CHECK-NEXT: %[[R2:.*]] = llvm.insertvalue %[[O]], %[[R1]][1]
  // CHECK-NEXT: %[[R3:.*]] = llvm.insertvalue %[[A]], %[[R2]][2]
  // CHECK-NEXT: return %[[R3]]
  %0 = cute.make_composed_layout(%a, %o, %b) : (!cute.swizzle<"S<3,5,4>">, !cute.int_tuple<"?">, !cute.layout<"(?,?):(1,?)">) -> !cute.composed_layout<"S<3,5,4> o ? o (?,?):(1,?)">
  return %0 : !cute.composed_layout<"S<3,5,4> o ? o (?,?):(1,?)">
}

// A tile takes its dynamic leaves only, each in its layout.
// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[M:.*]]: i32, %[[D:.*]]: i32)
func.func @tile(%m: i32, %d: i32) -> !cute.tile<"[?:1;3:1;(4,?):(?,1)]"> {
  // CHECK-NEXT: %[[R0:.*]] = ub.poison : !llvm.struct<(struct<(i32, struct<()>)>, struct<(struct<()>, struct<()>)>, struct<(i32, i32)>)>
  // CHECK-NEXT: %[[R1:.*]] = llvm.insertvalue %[[M]], %[[R0]][0, 0]
  // CHECK-NEXT: %[[R2:.*]] = llvm.insertvalue %[[M]], %[[R1]][2, 0]
  // CHECK-NEXT: %[[R3:.*]] = llvm.insertvalue %[[D]], %[[R2]][2, 1]
  // CHECK-NEXT: return %[[R3]]
  %0 = cute.make_tile(%m, %m, %d) : (i32, i32, i32) -> !cute.tile<"[?:1;3:1;(4,?):(?,1)]">
  return %0 : !cute.tile<"[?:1;3:1;(4,?):(?,1)]">
}

// Blocks and regions see the values of those around them.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[P:.*]]: i32, %[[B:.*]]: i1) -> i32
func.func @blocks(%s: !cute.shape<"(?,2)">, %b: i1) -> i32 {
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  // CHECK: ^bb1:
  // CHECK: %[[X:.*]] = arith.muli %[[P]]
  // CHECK: return %[[X]]
  %0 = cute.tuple_product(%s) : (!cute.shape<"(?,2)">) -> !cute.shape<"?">
  %1 = cute.get_scalars (%0) : !cute.shape<"?">
  return %1 : i32
^bb2:
  // CHECK: ^bb2:
  // CHECK: scf.if
  // CHECK: arith.muli %[[P]]
  // CHECK: scf.yield
  %2 = scf.if %b -> (i32) {
    %3 = cute.tuple_product(%s) : (!cute.shape<"(?,2)">) -> !cute.shape<"?">
    %4 = cute.get_scalars (%3) : !cute.shape<"?">
    scf.yield %4 : i32
  } else {
    %5 = cute.get_scalars<{only_dynamic}> (%s) : !cute.shape<"(?,2)">
    scf.yield %5 : i32
  }
  return %2 : i32
}

// Functions of gpu.modules are lowered too, and kernels, which they can serve.
// CHECK-LABEL: gpu.module @device
gpu.module @device {
  // CHECK: func.func @size(%{{.*}}: !llvm.struct<(struct<(i32, i32)>, i32)>) -> i32
  func.func @size(%l: !cute.layout<"(?,?):(1,?)">) -> !cute.int_tuple<"?"> {
    %0 = cute.size(%l) : (!cute.layout<"(?,?):(1,?)">) -> !cute.int_tuple<"?">
    return %0 : !cute.int_tuple<"?">
  }
  // CHECK: gpu.func @kernel(%[[N:.*]]: i32) kernel
  gpu.func @kernel(%n: i32) kernel {
    // CHECK: gpu.printf "(2,%d)\0A", %[[N]] : i32
    %0 = cute.make_shape(%n) : (i32) -> !cute.shape<"(2,?)">
    cute.print(%0) : !cute.shape<"(2,?)">
    // CHECK: %[[S:.*]] = func.call @size(%{{.*}}) : (!llvm.struct<(struct<(i32, i32)>, i32)>) -> i32
    // CHECK: gpu.printf "%d\0A", %[[S]] : i32
    %1 = cute.make_shape(%n, %n) : (i32, i32) -> !cute.shape<"(?,?)">
    %2 = cute.make_stride(%n) : (i32) -> !cute.stride<"(1,?)">
    %3 = cute.make_layout(%1, %2) : (!cute.shape<"(?,?)">, !cute.stride<"(1,?)">) -> !cute.layout<"(?,?):(1,?)">
    %4 = func.call @size(%3) : (!cute.layout<"(?,?):(1,?)">) -> !cute.int_tuple<"?">
    cute.print(%4) : !cute.int_tuple<"?">
    gpu.return
  }
}

// Functions without values of the dialect are left alone.
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: return
func.func @plain(%x: f32) -> f32 {
  return %x : f32
}
