// Taking values apart costs nothing: the parts are the kernel's parameters.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.

gpu.module @access {
  // Parameters: the dynamic leaves of shapes, then of strides.
  // CHECK-LABEL: gpu.func @scalars(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64, %[[D:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK-DAG: llvm.store %[[M]], %[[P]] {
  // CHECK-DAG: %[[P1:.*]] = llvm.getelementptr %[[P]][1]
  // CHECK-DAG: llvm.store %[[D]], %[[P1]] {
  // CHECK-NOT: arith.{{(add|mul|div|rem)}}
  // CHECK: gpu.return
  gpu.func @scalars(%l: !cute.layout<"(?,(4,?{i64})):(4,(1,?))">, %t: !cute.tensor<i32, gmem, align<4>, "8:1">) kernel {
    %m, %n, %d = cute.get_scalars<{only_dynamic}> (%l) : !cute.layout<"(?,(4,?{i64})):(4,(1,?))">
    %c0 = cute.static : !cute.coord<"0">
    %c1 = cute.static : !cute.coord<"1">
    cute.store(%m, %t, %c0) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"0">
    cute.store(%d, %t, %c1) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"1">
    gpu.return
  }

  // Static leaves are constants, in the order of the text.
  // CHECK-LABEL: gpu.func @all_scalars(
  // CHECK-SAME: %[[M:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK: %[[C5:.*]] = arith.constant 5 : i32
  // CHECK: llvm.store %[[C5]], %[[P]] {
  // CHECK: llvm.store %[[M]], %{{.*}} {
  gpu.func @all_scalars(%s: !cute.shape<"(5,?)">, %t: !cute.tensor<i32, gmem, align<4>, "8:1">) kernel {
    %a, %b = cute.get_scalars (%s) : !cute.shape<"(5,?)">
    %c0 = cute.static : !cute.coord<"0">
    %c1 = cute.static : !cute.coord<"1">
    cute.store(%a, %t, %c0) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"0">
    cute.store(%b, %t, %c1) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"1">
    gpu.return
  }

  // Through get, select, get_leaves and the tuple kinds, the leaf stays itself.
  // CHECK-LABEL: gpu.func @path(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK-NEXT: llvm.store %[[N]], %[[P]] {alignment = 4 : i64} : i32, !llvm.ptr<1>
  // CHECK-NEXT: gpu.return
  gpu.func @path(%s: !cute.shape<"(?,(2,?))">, %t: !cute.tensor<i32, gmem, align<4>, "8:1">) kernel {
    %a = cute.select<[1, 0]> (%s)
    %b = cute.get<[0]> (%a)
    %c = cute.to_int_tuple(%b)
    %d = cute.to_coord(%c)
    %e:2 = cute.get_leaves(%d) : !cute.coord<"(2,?)">
    %f = cute.get_scalars (%e#1) : !cute.coord<"?">
    %c0 = cute.static : !cute.coord<"0">
    cute.store(%f, %t, %c0) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"0">
    gpu.return
  }

  // The parts of a composed layout and of a tile.
  // CHECK-LABEL: gpu.func @composed(
  // CHECK-SAME: %[[M:.*]]: i32, %[[O:.*]]: i32, %[[K:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK: llvm.store %[[O]], %[[P]] {
  // CHECK: llvm.store %[[M]], %{{.*}} {
  // CHECK: llvm.store %[[K]], %{{.*}} {
  gpu.func @composed(%x: !cute.composed_layout<"S<2,0,3> o ? o (8,?):(1,8)">, %tile: !cute.tile<"[_;?:2]">, %t: !cute.tensor<i32, gmem, align<4>, "8:1">) kernel {
    %o = cute.composed_get_offset(%x)
    %b = cute.composed_get_outer(%x)
    %k = cute.get_layouts_from_tile(%tile) : <"[_;?:2]">
    %vo = cute.get_scalars (%o) : !cute.int_tuple<"?">
    %vb = cute.get_scalars<{only_dynamic}> (%b) : !cute.layout<"(8,?):(1,8)">
    %vk = cute.get_scalars<{only_dynamic}> (%k) : !cute.layout<"?:2">
    %c0 = cute.static : !cute.coord<"0">
    %c1 = cute.static : !cute.coord<"1">
    %c2 = cute.static : !cute.coord<"2">
    cute.store(%vo, %t, %c0) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"0">
    cute.store(%vb, %t, %c1) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"1">
    cute.store(%vk, %t, %c2) : i32, !cute.tensor<i32, gmem, align<4>, "8:1">, !cute.coord<"2">
    gpu.return
  }

  // Parts are found and kinds are changed without a trace.
  // CHECK-LABEL: gpu.func @parts(
  // CHECK-SAME: %[[M:.*]]: i32, %[[D:.*]]: i32, %[[O:.*]]: i32, %[[K:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK-NEXT: llvm.store %[[M]], %[[P]]
  // CHECK-NEXT: llvm.store %[[D]], %[[P]]
  // CHECK-NEXT: llvm.store %[[K]], %[[P]]
  // CHECK-NEXT: llvm.store %[[M]], %[[P]]
  // CHECK-NEXT: llvm.store %[[D]], %[[P]]
  // CHECK-NEXT: gpu.return
  gpu.func @parts(%l: !cute.layout<"(?,4):(?,1)">, %x: !cute.composed_layout<"(8,?):(1,8) o ? o (2,4):(4,1)">, %out: !llvm.ptr<1>) kernel {
    %s = cute.get_shape(%l)
    %d = cute.get_stride(%l)
    %a = cute.composed_get_inner(%x)
    %0 = cute.get_scalars<{only_dynamic}> (%s)
    llvm.store %0, %out : i32, !llvm.ptr<1>
    %1 = cute.get_scalars<{only_dynamic}> (%d)
    llvm.store %1, %out : i32, !llvm.ptr<1>
    %2 = cute.get_scalars<{only_dynamic}> (%a)
    llvm.store %2, %out : i32, !llvm.ptr<1>
    %st = cute.to_int_tuple(%s)
    %ss = cute.to_shape(%st)
    %3 = cute.get_scalars<{only_dynamic}> (%ss)
    llvm.store %3, %out : i32, !llvm.ptr<1>
    %dt = cute.to_int_tuple(%d)
    %dd = cute.to_stride(%dt)
    %4 = cute.get_scalars<{only_dynamic}> (%dd)
    llvm.store %4, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
