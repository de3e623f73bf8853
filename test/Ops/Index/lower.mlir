// Index ops in a kernel become the formulas that define them.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // (i, j) in a row-major layout of pitch p: i * p + j.
  // CHECK-LABEL: gpu.func @layout_eval(
  // CHECK-SAME: %[[I:.*]]: i32, %[[J:.*]]: i32, %[[P:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[I]], %[[P]] : i32
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %[[J]] : i32
  // CHECK-NEXT: llvm.store %[[AT]], %[[OUT]]
  gpu.func @layout_eval(%i: i32, %j: i32, %p: i32, %out: !llvm.ptr<1>) kernel {
    %d = cute.make_stride(%p) : (i32) -> !cute.stride<"(?,1)">
    %s = cute.static : !cute.shape<"(4,6)">
    %l = cute.make_layout(%s, %d)
    %c = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
    %r = cute.layout_eval(%c, %l)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // A single number is split first: i % 4 * 6 + i / 4.
  // CHECK-LABEL: gpu.func @layout_eval_linear(
  // CHECK-SAME: %[[I:.*]]: i32,
  // CHECK-DAG: %[[R:.*]] = arith.remsi %[[I]], %c4_i32 : i32
  // CHECK-DAG: %[[Q:.*]] = arith.divsi %[[I]], %c4_i32 : i32
  // CHECK-DAG: %[[R6:.*]] = arith.muli %[[R]], %c6_i32 : i32
  // CHECK: %[[AT:.*]] = arith.addi %[[R6]], %[[Q]] : i32
  // CHECK-NEXT: llvm.store %[[AT]],
  gpu.func @layout_eval_linear(%i: i32, %out: !llvm.ptr<1>) kernel {
    %l = cute.static : !cute.layout<"(4,6):(6,1)">
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %r = cute.layout_eval(%c, %l)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // S<2,1,3>: v ^ ((v & 48) >> 3) of v = 8 * i + 1.
  // CHECK-LABEL: gpu.func @layout_eval_swizzled(
  // CHECK-SAME: %[[I:.*]]: i32,
  // CHECK: %[[I8:.*]] = arith.muli %[[I]], %c8_i32 : i32
  // CHECK: %[[V:.*]] = arith.addi %[[I8]], %c1_i32 : i32
  // CHECK: %[[Y:.*]] = arith.andi %[[V]], %c48_i32 : i32
  // CHECK: %[[Z:.*]] = arith.shrui %[[Y]], %c3_i32 : i32
  // CHECK: %[[AT:.*]] = arith.xori %[[V]], %[[Z]] : i32
  // CHECK-NEXT: llvm.store %[[AT]],
  gpu.func @layout_eval_swizzled(%i: i32, %out: !llvm.ptr<1>) kernel {
    %l = cute.static : !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,1)">
    %r = cute.layout_eval(%c, %l)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // i in (3,m,5) is (i % 3, i / 3 % m, i / 3 / m), in the index's width; back,
  // that is c0 + c1 * 3 + c2 * (3 * m).
  // CHECK-LABEL: gpu.func @idx2crd(
  // CHECK-SAME: %[[I:.*]]: i64, %[[M:.*]]: i32,
  // CHECK-DAG: %[[C0:.*]] = arith.remsi %[[I]], %c3_i64 : i64
  // CHECK-DAG: %[[Q:.*]] = arith.divsi %[[I]], %c3_i64 : i64
  // CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
  // CHECK-DAG: %[[C1:.*]] = arith.remsi %[[Q]], %[[M64]] : i64
  // CHECK-DAG: %[[C2:.*]] = arith.divsi %[[Q]], %[[M64]] : i64
  // CHECK: llvm.store %[[C0]],
  // CHECK-NEXT: llvm.store %[[C1]],
  // CHECK-NEXT: llvm.store %[[C2]],
  // CHECK-DAG: %[[M3:.*]] = arith.muli %[[M]], %c3_i32 : i32
  // CHECK-DAG: %[[C13:.*]] = arith.muli %[[C1]], %c3_i64 : i64
  // CHECK-DAG: %[[LOW:.*]] = arith.addi %[[C0]], %[[C13]] : i64
  // CHECK-DAG: %[[M3W:.*]] = arith.extsi %[[M3]] : i32 to i64
  // CHECK-DAG: %[[HIGH:.*]] = arith.muli %[[C2]], %[[M3W]] : i64
  // CHECK: %[[BACK:.*]] = arith.addi %[[LOW]], %[[HIGH]] : i64
  // CHECK-NEXT: llvm.store %[[BACK]],
  gpu.func @idx2crd(%i: i64, %m: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(3,?,5)">
    %index = cute.make_int_tuple(%i) : (i64) -> !cute.int_tuple<"?{i64}">
    %c = cute.idx2crd(%index, %s)
    %x:3 = cute.get_scalars(%c)
    llvm.store %x#0, %out : i64, !llvm.ptr<1>
    llvm.store %x#1, %out : i64, !llvm.ptr<1>
    llvm.store %x#2, %out : i64, !llvm.ptr<1>
    %back = cute.crd2idx(%c, %s)
    %y = cute.get_scalars(%back)
    llvm.store %y, %out : i64, !llvm.ptr<1>
    gpu.return
  }

  // The first mode wraps at 3 and carries, the last one never wraps.
  // CHECK-LABEL: gpu.func @increment_coord(
  // CHECK-SAME: %[[I:.*]]: i32, %[[J:.*]]: i32,
  // CHECK-DAG: %[[I1:.*]] = arith.addi %[[I]], %c1_i32 : i32
  // CHECK-DAG: %[[CARRY:.*]] = arith.cmpi sge, %[[I1]], %c3_i32 : i32
  // CHECK-DAG: %[[CARRY32:.*]] = arith.extui %[[CARRY]] : i1 to i32
  // CHECK-DAG: %[[FITS:.*]] = arith.cmpi slt, %[[I1]], %c3_i32 : i32
  // CHECK-DAG: %[[C0:.*]] = arith.select %[[FITS]], %[[I1]], %c0_i32 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.addi %[[J]], %[[CARRY32]] : i32
  // CHECK: llvm.store %[[C0]],
  // CHECK-NEXT: llvm.store %[[C1]],
  gpu.func @increment_coord(%i: i32, %j: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.static : !cute.shape<"(3,4)">
    %c = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
    %r = cute.increment_coord(%c, %s)
    %x:2 = cute.get_scalars(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // size is 3 * (m * n); cosize is 1 + 2 * 1 + (m - 1) * |d| + n * 4 - 4.
  // CHECK-LABEL: gpu.func @size(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64, %[[D:.*]]: i32,
  // CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
  // CHECK-DAG: %[[MN:.*]] = arith.muli %[[M64]], %[[N]] : i64
  // CHECK-DAG: %[[SIZE:.*]] = arith.muli %[[MN]], %c3_i64 : i64
  // CHECK-DAG: %[[ABS:.*]] = math.absi %[[D]] : i32
  // CHECK-DAG: %[[M1:.*]] = arith.addi %[[M]], %c-1_i32 : i32
  // CHECK-DAG: %[[X:.*]] = arith.muli %[[M1]], %[[ABS]] : i32
  // CHECK-DAG: %[[Y:.*]] = arith.muli %[[N]], %c4_i64 : i64
  // CHECK-DAG: %[[X64:.*]] = arith.extsi %[[X]] : i32 to i64
  // CHECK-DAG: %[[XY:.*]] = arith.addi %[[X64]], %[[Y]] : i64
  // CHECK-DAG: %[[COSIZE:.*]] = arith.addi %[[XY]], %c-1_i64 : i64
  // CHECK: llvm.store %[[SIZE]],
  // CHECK-NEXT: llvm.store %[[M]],
  // CHECK-NEXT: llvm.store %[[COSIZE]],
  gpu.func @size(%m: i32, %n: i64, %d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i64) -> !cute.shape<"(3,(?,?{i64}))">
    %t = cute.make_stride(%d) : (i32) -> !cute.stride<"(1,(?,4))">
    %l = cute.make_layout(%s, %t)
    %size = cute.size(%l)
    %mode = cute.size<[1, 0]>(%l)
    %cosize = cute.cosize(%l)
    %x = cute.get_scalars(%size)
    %y = cute.get_scalars(%mode)
    %z = cute.get_scalars(%cosize)
    llvm.store %x, %out : i64, !llvm.ptr<1>
    llvm.store %y, %out : i32, !llvm.ptr<1>
    llvm.store %z, %out : i64, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @products(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32,
  // CHECK-DAG: %[[M2:.*]] = arith.muli %[[M]], %c2_i32 : i32
  // CHECK-DAG: %[[ALL:.*]] = arith.muli %[[M2]], %[[N]] : i32
  // CHECK: llvm.store %[[ALL]],
  // CHECK-NEXT: llvm.store %[[M2]],
  // CHECK-NEXT: llvm.store %[[N]],
  gpu.func @products(%m: i32, %n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"((2,?),?)">
    %all = cute.tuple_product(%s)
    %x = cute.get_scalars(%all)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    %each = cute.tuple_product_each(%s)
    %y:2 = cute.get_scalars(%each)
    llvm.store %y#0, %out : i32, !llvm.ptr<1>
    llvm.store %y#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @product_like(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32,
  // CHECK: %[[P:.*]] = arith.muli %[[M]], %[[N]] : i32
  // CHECK-NEXT: llvm.store %[[P]],
  // CHECK-NEXT: llvm.store %[[M]],
  gpu.func @product_like(%m: i32, %n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n, %m) : (i32, i32, i32) -> !cute.shape<"((?,?),(3,?))">
    %p = cute.static : !cute.coord<"(0,(0,0))">
    %r = cute.tuple_product_like(%s, %p)
    %x:2 = cute.get_scalars<{only_dynamic}> (%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bytes(
  // CHECK-SAME: %[[N:.*]]: {{[^,)]*}}, %[[OUT:.*]]: {{[^,)]*}})
  // CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %c2_i32
  // CHECK-NEXT: llvm.store %[[BYTES]], %[[OUT]]
  gpu.func @bytes(%n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %l = cute.make_layout(%s, 1)
    %b = cute.size_in_bytes<f16> (%l)
    %x = cute.get_scalars(%b)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
