// Arithmetic on tuples in a kernel is arithmetic on their leaves.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // Of (?,?{i64}) and (4,?): leaf by leaf, the narrower operand is widened.
  // CHECK-LABEL: gpu.func @add_sub(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64,
  // CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
  // CHECK-DAG: %[[A:.*]] = arith.addi %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[B:.*]] = arith.addi %[[N]], %[[M64]] : i64
  // CHECK-DAG: %[[C:.*]] = arith.subi %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[D:.*]] = arith.subi %[[N]], %[[M64]] : i64
  // CHECK: llvm.store %[[A]],
  // CHECK-NEXT: llvm.store %[[B]],
  // CHECK-NEXT: llvm.store %[[C]],
  // CHECK-NEXT: llvm.store %[[D]],
  gpu.func @add_sub(%m: i32, %n: i64, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i64) -> !cute.shape<"(?,?{i64})">
    %t = cute.make_shape(%m) : (i32) -> !cute.shape<"(4,?)">
    %sum = cute.tuple_add(%s, %t)
    %difference = cute.tuple_sub(%s, %t)
    %x:2 = cute.get_scalars(%sum)
    %y:2 = cute.get_scalars(%difference)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i64, !llvm.ptr<1>
    llvm.store %y#0, %out : i32, !llvm.ptr<1>
    llvm.store %y#1, %out : i64, !llvm.ptr<1>
    gpu.return
  }

  // Excess elements of the longer tuple are copied, also of a subtrahend.
  // CHECK-LABEL: gpu.func @excess(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32,
  // CHECK: %[[D:.*]] = arith.subi %c2_i32, %[[M]] : i32
  // CHECK: llvm.store %[[D]],
  // CHECK-NEXT: llvm.store %[[N]],
  gpu.func @excess(%m: i32, %n: i32, %out: !llvm.ptr<1>) kernel {
    %a = cute.static : !cute.int_tuple<"(2)">
    %b = cute.make_int_tuple(%m, %n) : (i32, i32) -> !cute.int_tuple<"(?,?)">
    %r = cute.tuple_sub(%a, %b)
    %x:2 = cute.get_scalars(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // (13,m) by n: ceil(13 / n), then m by what of n the 13 leaves, ceil(n / 13).
  // CHECK-LABEL: gpu.func @ceil_div(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32,
  // CHECK-DAG: %[[Q0:.*]] = arith.ceildivsi %c13_i32, %[[N]] : i32
  // CHECK-DAG: %[[REST:.*]] = arith.ceildivsi %[[N]], %c13_i32 : i32
  // CHECK-DAG: %[[Q1:.*]] = arith.ceildivsi %[[M]], %[[REST]] : i32
  // CHECK: llvm.store %[[Q0]],
  // CHECK-NEXT: llvm.store %[[Q1]],
  gpu.func @ceil_div(%m: i32, %n: i32, %out: !llvm.ptr<1>) kernel {
    %a = cute.make_shape(%m) : (i32) -> !cute.shape<"(13,?)">
    %b = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %r = cute.ceil_div(%a, %b)
    %x:2 = cute.get_scalars(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Truncated quotient, or the sign of the operands where that is 0.
  // CHECK-LABEL: gpu.func @shape_div(
  // CHECK-SAME: %[[M:.*]]: i32,
  // CHECK-DAG: %[[Q:.*]] = arith.divsi %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[ISZERO:.*]] = arith.cmpi eq, %[[Q]], %c0_i32 : i32
  // CHECK-DAG: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[M]], %c0_i32 : i32
  // CHECK-DAG: %[[LOW:.*]] = arith.select %[[NEGATIVE]], %c-1_i32, %c0_i32 : i32
  // CHECK-DAG: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[M]], %c0_i32 : i32
  // CHECK-DAG: %[[SIGN:.*]] = arith.select %[[POSITIVE]], %c1_i32, %[[LOW]] : i32
  // CHECK: %[[R:.*]] = arith.select %[[ISZERO]], %[[SIGN]], %[[Q]] : i32
  // CHECK: llvm.store %[[R]],
  gpu.func @shape_div(%m: i32, %out: !llvm.ptr<1>) kernel {
    %a = cute.make_shape(%m) : (i32) -> !cute.shape<"?">
    %b = cute.static : !cute.shape<"4">
    %r = cute.shape_div(%a, %b)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @compare(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64,
  // CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
  // CHECK-DAG: %[[LESS0:.*]] = arith.cmpi slt, %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[LESS1:.*]] = arith.cmpi slt, %[[N]], %[[M64]] : i64
  // CHECK-DAG: %[[LESS:.*]] = arith.andi %[[LESS0]], %[[LESS1]] : i1
  // CHECK-DAG: %[[EQ0:.*]] = arith.cmpi eq, %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[EQ1:.*]] = arith.cmpi eq, %[[N]], %[[M64]] : i64
  // CHECK-DAG: %[[EQ:.*]] = arith.andi %[[EQ0]], %[[EQ1]] : i1
  // CHECK: llvm.store %[[LESS]],
  // CHECK-NEXT: llvm.store %[[EQ]],
  gpu.func @compare(%m: i32, %n: i64, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i64) -> !cute.shape<"(?,?{i64})">
    %t = cute.make_shape(%m) : (i32) -> !cute.shape<"(4,?)">
    %less = cute.elem_less(%s, %t)
    %equal = cute.equal(%s, %t)
    llvm.store %less, %out : i1, !llvm.ptr<1>
    llvm.store %equal, %out : i1, !llvm.ptr<1>
    gpu.return
  }

  // Layouts are equal if all of shape and stride is; equal static leaves cost
  // nothing, different ones decide.
  // CHECK-LABEL: gpu.func @compare_layouts(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32,
  // CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[M]], %[[N]] : i32
  // CHECK: llvm.store %[[EQ]],
  // CHECK-NEXT: llvm.store %false,
  gpu.func @compare_layouts(%m: i32, %n: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(4,?)">
    %t = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
    %d = cute.static : !cute.stride<"(1,4)">
    %e = cute.static : !cute.stride<"(1,8)">
    %a = cute.make_layout(%s, %d)
    %b = cute.make_layout(%t, %d)
    %c = cute.make_layout(%t, %e)
    %equal = cute.equal(%a, %b)
    %never = cute.equal(%a, %c)
    llvm.store %equal, %out : i1, !llvm.ptr<1>
    llvm.store %never, %out : i1, !llvm.ptr<1>
    gpu.return
  }

  // ceil(m / 8) * 8
  // CHECK-LABEL: gpu.func @round_up(
  // CHECK-SAME: %[[M:.*]]: i32,
  // CHECK: %[[Q:.*]] = arith.ceildivsi %[[M]], %c8_i32 : i32
  // CHECK: %[[R:.*]] = arith.muli %[[Q]], %c8_i32 : i32
  // CHECK-NEXT: llvm.store %[[R]],
  gpu.func @round_up(%m: i32, %out: !llvm.ptr<1>) kernel {
    %a = cute.make_shape(%m) : (i32) -> !cute.shape<"?">
    %b = cute.static : !cute.shape<"8">
    %r = cute.round_up(%a, %b)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @questions(
  // CHECK-SAME: %[[D:.*]]: {{[^,)]*}}, %[[OUT:.*]]: {{[^,)]*}})
  // CHECK: %[[MAJOR:.*]] = arith.cmpi eq, %[[D]], %c1_i32 : i32
  // CHECK-NEXT: llvm.store %[[MAJOR]], %[[OUT]]
  // CHECK-NEXT: llvm.store %true, %[[OUT]]
  // CHECK-NEXT: llvm.store %false, %[[OUT]]
  // CHECK-NEXT: llvm.store %true, %[[OUT]]
  gpu.func @questions(%d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_stride(%d) : (i32) -> !cute.stride<"(?,(1,4))">
    %a = cute.is_major<[0]> (%s)
    %b = cute.is_major<[1]> (%s)
    %c = cute.is_congruent(%s, (1,2))
    %e = cute.is_weakly_congruent((1,2), %s)
    llvm.store %a, %out : i1, !llvm.ptr<1>
    llvm.store %b, %out : i1, !llvm.ptr<1>
    llvm.store %c, %out : i1, !llvm.ptr<1>
    llvm.store %e, %out : i1, !llvm.ptr<1>
    gpu.return
  }
}
