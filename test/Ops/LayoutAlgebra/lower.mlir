// The layout algebra with dynamic leaves in a kernel.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // (8,4):(4,1) o n:2 takes min(n, 4) coordinates of the first mode and n divided
  // by that of the second; the strides are known.
  // CHECK-LABEL: gpu.func @composition(
  // CHECK-SAME: %[[N:.*]]: i32,
  // CHECK-DAG: %[[T:.*]] = arith.minsi %[[N]], %c4_i32 : i32
  // CHECK-DAG: %[[Q:.*]] = arith.divsi %[[N]], %[[T]] : i32
  // CHECK: llvm.store %[[T]],
  // CHECK-NEXT: llvm.store %[[Q]],
  gpu.func @composition(%n: i32, %out: !llvm.ptr<1>) kernel {
    %a = cute.static : !cute.layout<"(8,4):(4,1)">
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %d = cute.static : !cute.stride<"2">
    %b = cute.make_layout(%s, %d)
    %r = cute.composition(%a, %b)
    %x:2 = cute.get_scalars<{only_dynamic}>(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // By mode, and for a single mode on the left: strides multiply.
  // CHECK-LABEL: gpu.func @composition_simple(
  // CHECK-SAME: %[[P:.*]]: i32, %[[D:.*]]: i64,
  // CHECK: %[[P2:.*]] = arith.muli %[[P]], %c2_i32 : i32
  // CHECK-NEXT: llvm.store %[[P2]],
  // CHECK: %[[D3:.*]] = arith.muli %[[D]], %c3_i64 : i64
  // CHECK-NEXT: llvm.store %[[D3]],
  gpu.func @composition_simple(%p: i32, %d: i64, %out: !llvm.ptr<1>) kernel {
    %s = cute.static : !cute.shape<"(8,4)">
    %t = cute.make_stride(%p) : (i32) -> !cute.stride<"(?,1)">
    %a = cute.make_layout(%s, %t)
    %tiler = cute.static : !cute.tile<"[4:2;_]">
    %by_mode = cute.composition(%a, %tiler)
    %x = cute.get_scalars<{only_dynamic}>(%by_mode)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    %line = cute.static : !cute.layout<"32:3">
    %e = cute.static : !cute.shape<"4">
    %u = cute.make_stride(%d) : (i64) -> !cute.stride<"?{i64}">
    %b = cute.make_layout(%e, %u)
    %strided = cute.composition(%line, %b)
    %y = cute.get_scalars<{only_dynamic}>(%strided)
    llvm.store %y, %out : i64, !llvm.ptr<1>
    gpu.return
  }

  // Static modes merge, dynamic ones are passed on.
  // CHECK-LABEL: gpu.func @coalesce(
  // CHECK-SAME: %[[M:.*]]: i32, %[[P:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NEXT: llvm.store %[[M]], %[[OUT]]
  // CHECK-NEXT: llvm.store %[[P]], %[[OUT]]
  // CHECK-NEXT: gpu.return
  gpu.func @coalesce(%m: i32, %p: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(2,(3,?),1)">
    %d = cute.make_stride(%p) : (i32) -> !cute.stride<"(1,(2,?),7)">
    %l = cute.make_layout(%s, %d)
    %r = cute.coalesce(%l) : (!cute.layout<"(2,(3,?),1):(1,(2,?),7)">) -> !cute.layout<"(6,?):(1,?)">
    %x:2 = cute.get_scalars<{only_dynamic}>(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // What n:3 leaves of 40: (3, ceil(40 / (3 * n))) : (1, 3 * n).
  // CHECK-LABEL: gpu.func @complement(
  // CHECK-SAME: %[[N:.*]]: i32,
  // CHECK-DAG: %[[END:.*]] = arith.muli %[[N]], %c3_i32 : i32
  // CHECK-DAG: %[[REST:.*]] = arith.ceildivsi %c40_i32, %[[END]] : i32
  // CHECK: llvm.store %[[REST]],
  // CHECK-NEXT: llvm.store %[[END]],
  gpu.func @complement(%n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %d = cute.static : !cute.stride<"3">
    %l = cute.make_layout(%s, %d)
    %target = cute.static : !cute.shape<"40">
    %r = cute.complement(%l, %target) : (!cute.layout<"?:3">, !cute.shape<"40">) -> !cute.layout<"(3,?):(1,?)">
    %x:2 = cute.get_scalars<{only_dynamic}>(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // An offset in bytes is twice as many halves of a byte, and half as many pairs of bytes.
  // CHECK-LABEL: gpu.func @recast_offset(
  // CHECK: %[[O:.*]] = arith.muli %arg0, %c64_i32
  // CHECK-DAG: %[[HALVES:.*]] = arith.muli %arg0, %c128_i32
  // CHECK-DAG: %[[PAIRS:.*]] = arith.divsi %[[O]], %c2_i32
  // CHECK: llvm.store %[[HALVES]],
  // CHECK: llvm.store %[[PAIRS]],
  gpu.func @recast_offset(%n: i32, %out: !llvm.ptr<1>) kernel {
    %o = cute.make_int_tuple(%n * 64) : (i32) -> !cute.int_tuple<"?{div=64}">
    %l = cute.make_composed_layout(S<2,4,3>, %o, (8,32):(32,1))
    %h = cute.get_scalars(cute.composed_get_offset(cute.recast_layout<4, 8>(%l)))
    %w = cute.get_scalars(cute.composed_get_offset(cute.recast_layout<16, 8>(%l)))
    llvm.store %h, %out : i32, !llvm.ptr<1>
    llvm.store %w, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // In bytes instead of words: extents of contiguous modes and other strides
  // are multiplied by 4.
  // CHECK-LABEL: gpu.func @recast_layout(
  // CHECK-SAME: %[[M:.*]]: i32, %[[P:.*]]: i32,
  // CHECK-DAG: %[[M4:.*]] = arith.muli %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[P4:.*]] = arith.muli %[[P]], %c4_i32 : i32
  // CHECK: llvm.store %[[M4]],
  // CHECK-NEXT: llvm.store %[[P4]],
  gpu.func @recast_layout(%m: i32, %p: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,9)">
    %d = cute.make_stride(%p) : (i32) -> !cute.stride<"(1,?)">
    %l = cute.make_layout(%s, %d)
    %r = cute.recast_layout<8, 32>(%l)
    %x:2 = cute.get_scalars<{only_dynamic}>(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // The inverse, 6:4, does not depend on the dynamic stride.
  // CHECK-LABEL: gpu.func @right_inverse(
  // CHECK-NOT: arith.muli
  // CHECK: llvm.store %c6_i32,
  // CHECK-NEXT: llvm.store %c4_i32,
  gpu.func @right_inverse(%p: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.static : !cute.shape<"(4,6)">
    %d = cute.make_stride(%p) : (i32) -> !cute.stride<"(?,1)">
    %l = cute.make_layout(%s, %d)
    %r = cute.right_inverse(%l)
    %x:2 = cute.get_scalars(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // The inverse (8,6):(1,4) is static: index 42 = 2 + 5 * 8 is element 2 + 5 * 4.
  // CHECK-LABEL: gpu.func @left_inverse(
  // CHECK-NOT: arith.muli
  // CHECK: llvm.store %c22_i32,
  gpu.func @left_inverse(%out: !llvm.ptr<1>) kernel {
    %l = cute.static : !cute.layout<"(4,6):(1,8)">
    %r = cute.left_inverse(%l)
    %c = cute.static : !cute.coord<"42">
    %i = cute.layout_eval(%c, %r)
    %x = cute.get_scalars(%i)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // A dynamic stride counts as not 0; the rest of the layout is as it was.
  // CHECK-LABEL: gpu.func @filter(
  // CHECK-SAME: %[[N:.*]]: i32, %[[D:.*]]: i32,
  // CHECK: llvm.store %[[N]],
  // CHECK-NEXT: llvm.store %[[D]],
  // CHECK-NEXT: llvm.store %[[N]],
  gpu.func @filter(%n: i32, %d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
    %e = cute.make_stride(%d) : (i32) -> !cute.stride<"(0,?)">
    %l = cute.make_layout(%s, %e)
    %z = cute.filter_zeros(%l)
    %f = cute.filter(%l)
    %x:2 = cute.get_scalars<{only_dynamic}> (%z)
    %y:2 = cute.get_scalars<{only_dynamic}> (%f)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    llvm.store %y#0, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @common(
  // CHECK-SAME: %[[N:.*]]: {{[^,)]*}}, %[[OUT:.*]]: {{[^,)]*}})
  // CHECK: llvm.store %c4_i32, %[[OUT]]
  // CHECK-NEXT: llvm.store %c4_i32, %[[OUT]]
  gpu.func @common(%n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
    %d = cute.make_stride(%n) : (i32) -> !cute.stride<"(1,?)">
    %l = cute.make_layout(%s, %d)
    %c = cute.max_common_layout(%l, (4,8):(1,4))
    %v = cute.max_common_vector(%l, (4,8):(1,4))
    %x = cute.get_scalars(%v)
    %y = cute.size(%c)
    %z = cute.get_scalars(%y)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    llvm.store %z, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
