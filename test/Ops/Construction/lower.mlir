// Constructors in a kernel bind their operands and compute strides.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // Leaves are the operands, from left to right.
  // CHECK-LABEL: gpu.func @leaves(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: gpu.return
  gpu.func @leaves(%m: i32, %n: i64, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i64) -> !cute.shape<"(?,(4,?{i64}))">
    %a:2 = cute.get_scalars<{only_dynamic}>(%s)
    llvm.store %a#0, %out : i32, !llvm.ptr<1>
    llvm.store %a#1, %out : i64, !llvm.ptr<1>
    %t = cute.make_tile(%n, %m) : (i64, i32) -> !cute.tile<"[?{i64}:1;_;(2,3):(?,1)]">
    %b:2 = cute.get_scalars<{only_dynamic}>(%t)
    llvm.store %b#0, %out : i64, !llvm.ptr<1>
    llvm.store %b#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // An int_tuple of one leaf serves as its integer.
  // CHECK-LABEL: gpu.func @from_int_tuple(
  // CHECK-SAME: %[[M:.*]]: i32,
  // CHECK: %[[M1:.*]] = arith.addi %[[M]], %c1_i32 : i32
  // CHECK: llvm.store %[[M1]],
  gpu.func @from_int_tuple(%m: i32, %out: !llvm.ptr<1>) kernel {
    %i = cute.make_int_tuple(%m) : (i32) -> !cute.int_tuple<"?">
    %one = cute.static : !cute.int_tuple<"1">
    %j = cute.tuple_add(%i, %one)
    %c = cute.make_coord(%j) : (!cute.int_tuple<"?">) -> !cute.coord<"(_,?)">
    %x = cute.get_scalars<{only_dynamic}>(%c)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Strides of a basis scale what the coordinate gives: (j * d, i).
  // CHECK-LABEL: gpu.func @basis(
  // CHECK-SAME: %[[I:.*]]: i32, %[[J:.*]]: i32, %[[D:.*]]: i32,
  // CHECK: %[[JD:.*]] = arith.muli %[[J]], %[[D]] : i32
  // CHECK: llvm.store %[[JD]],
  // CHECK-NEXT: llvm.store %[[I]],
  gpu.func @basis(%i: i32, %j: i32, %d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.static : !cute.shape<"(4,6)">
    %t = cute.make_stride(%d) : (i32) -> !cute.stride<"(1@1,?@0)">
    %l = cute.make_layout(%s, %t)
    %c = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
    %r = cute.layout_eval(%c, %l)
    %x:2 = cute.get_scalars(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // The mode of key 0 is m long, so the others begin at m and at 2 * m.
  // CHECK-LABEL: gpu.func @make_ordered_layout(
  // CHECK-SAME: %[[M:.*]]: i32,
  // CHECK: %[[M2:.*]] = arith.muli %[[M]], %c2_i32 : i32
  // CHECK: llvm.store %[[M]],
  // CHECK-NEXT: llvm.store %[[M]],
  // CHECK-NEXT: llvm.store %[[M2]],
  gpu.func @make_ordered_layout(%m: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(2,?,4)">
    %order = cute.static : !cute.int_tuple<"(1,0,2)">
    %l = cute.make_ordered_layout(%s, %order) : (!cute.shape<"(2,?,4)">, !cute.int_tuple<"(1,0,2)">) -> !cute.layout<"(2,?,4):(?,1,?)">
    %x:3 = cute.get_scalars<{only_dynamic}>(%l)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    llvm.store %x#2, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Stride 1 is the smallest, so the mode of the dynamic stride comes after 3 * n.
  // CHECK-LABEL: gpu.func @make_layout_like(
  // CHECK-SAME: %[[N:.*]]: i32, %[[D:.*]]: i32,
  // CHECK: %[[N3:.*]] = arith.muli %[[N]], %c3_i32 : i32
  // CHECK: llvm.store %[[N3]],
  // CHECK-NEXT: llvm.store %[[N]],
  gpu.func @make_layout_like(%n: i32, %d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(2,?,3)">
    %t = cute.make_stride(%d) : (i32) -> !cute.stride<"(?,1,8)">
    %l = cute.make_layout(%s, %t)
    %r = cute.make_layout_like(%l) : !cute.layout<"(2,?,3):(?,1,8)"> -> !cute.layout<"(2,?,3):(?,1,?)">
    %stride = cute.get_stride(%r)
    %x:2 = cute.get_scalars<{only_dynamic}>(%stride)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // The value of an identity layout is the coordinate.
  // CHECK-LABEL: gpu.func @make_identity_layout(
  // CHECK-SAME: %[[M:.*]]: i32, %[[I:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT: llvm.store %[[I]], %[[OUT]]
  // CHECK-NEXT: gpu.return
  gpu.func @make_identity_layout(%m: i32, %i: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,6)">
    %l = cute.make_identity_layout(%s)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,5)">
    %r = cute.layout_eval(%c, %l) : (!cute.coord<"(?,5)">, !cute.layout<"(?,6):(1@0,1@1)">) -> !cute.int_tuple<"(?,5)">
    %x = cute.get_scalars<{only_dynamic}>(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // The swizzle S<2,1,3> comes after the offset: v = o + i, v ^ ((v & 48) >> 3).
  // CHECK-LABEL: gpu.func @make_composed_layout(
  // CHECK-SAME: %[[O:.*]]: i32, %[[I:.*]]: i32,
  // CHECK: %[[V:.*]] = arith.addi %[[O]], %[[I]] : i32
  // CHECK: %[[Y:.*]] = arith.andi %[[V]], %c48_i32 : i32
  // CHECK: %[[Z:.*]] = arith.shrui %[[Y]], %c3_i32 : i32
  // CHECK: %[[AT:.*]] = arith.xori %[[V]], %[[Z]] : i32
  // CHECK: llvm.store %[[AT]],
  gpu.func @make_composed_layout(%o: i32, %i: i32, %out: !llvm.ptr<1>) kernel {
    %w = cute.static : !cute.swizzle<"S<2,1,3>">
    %offset = cute.make_int_tuple(%o) : (i32) -> !cute.int_tuple<"?">
    %b = cute.static : !cute.layout<"64:1">
    %l = cute.make_composed_layout(%w, %offset, %b)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %r = cute.layout_eval(%c, %l)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @concatenate(
  // CHECK-SAME: %[[N:.*]]: {{[^,)]*}}, %[[OUT:.*]]: {{[^,)]*}})
  // CHECK: llvm.store %c18_i32, %[[OUT]]
  // CHECK-NEXT: llvm.store %[[N]], %[[OUT]]
  gpu.func @concatenate(%n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
    %l = cute.make_layout(%s)
    %k = cute.concatenate(%l, %l, 2:7)
    %i = cute.layout_eval((5,6,1), %k)
    %x = cute.get_scalars(%i)
    %y:10 = cute.get_scalars(%k)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    llvm.store %y#3, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @layout_tv(
  // CHECK-SAME: %[[N:.*]]: {{[^,)]*}}, %[[OUT:.*]]: {{[^,)]*}})
  // CHECK-DAG: %[[ROW:.*]] = arith.divsi %[[N]], %c8_i32
  // CHECK-DAG: %[[COLUMN:.*]] = arith.remsi %[[N]], %c8_i32
  // CHECK-NEXT: %[[AT:.*]] = arith.muli %[[COLUMN]], %c128_i32
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[AT]], %[[ROW]]
  // CHECK-NEXT: %[[INDEX:.*]] = arith.addi %[[SUM]], %c48_i32
  // CHECK-NEXT: llvm.store %[[INDEX]], %[[OUT]]
  gpu.func @layout_tv(%n: i32, %out: !llvm.ptr<1>) kernel {
    %t:2 = cute.make_layout_tv((16,8):(8,1), (1,8):(0,1))
    %i = cute.layout_eval((%n,3), %t#1)
    %x = cute.get_scalars(%i)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
