// Ops of the dialect as operands and terms, and elements of tensors: the ops
// are written before the statement.
// RUN: cute-opt %s > %t
// RUN: FileCheck %s < %t
// RUN: cute-opt %t | diff %t -
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | diff %t -

!matrix = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">

// CHECK-LABEL: func.func @operands(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32
func.func @operands(%A: !matrix, %i: i32) {
  // CHECK-NEXT: %[[S:.*]] = cute.get_shape(%[[A]])
  // CHECK-NEXT: cute.make_identity_tensor(%[[S]])
  %c = cute.make_identity_tensor(cute.get_shape(%A))
  // A literal of an operand's own is before that operand.
  // CHECK-NEXT: %[[TILE:.*]] = cute.static : !cute.shape<"(8,8)">
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(?,0)">
  // CHECK-NEXT: %[[G:.*]] = cute.local_tile (%[[A]], %[[TILE]], %[[AT]])
  // CHECK-NEXT: %[[L:.*]] = cute.get_layout(%[[G]])
  // CHECK-NEXT: cute.size<[0]> (%[[L]])
  %n = cute.size<[0]>(cute.get_layout(cute.local_tile(%A, (8,8), (%i,0))))
  // An integer is a tuple where one is wanted, also within one.
  // CHECK-NEXT: %[[B:.*]] = cute.block_idx
  // CHECK-NEXT: %[[T:.*]] = cute.thread_idx<"y">
  // CHECK-NEXT: %[[TILE:.*]] = cute.static
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[B]], %[[T]]) : (i32, i32) -> !cute.coord<"(?,?)">
  // CHECK-NEXT: %[[G:.*]] = cute.local_tile (%[[A]], %[[TILE]], %[[AT]])
  // CHECK-NEXT: %[[W:.*]] = cute.warp_idx
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[W]]) : (i32) -> !cute.coord<"?">
  // CHECK-NEXT: cute.load(%[[G]], %[[AT]])
  %x = cute.load(cute.local_tile(%A, (8,8), (cute.block_idx,cute.thread_idx<"y">)), cute.warp_idx)
  // A slice of what an op gives.
  // CHECK-NEXT: cute.static
  // CHECK-NEXT: cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(?,_)">
  // CHECK-NEXT: %[[G:.*]] = cute.local_tile
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(_,0,?)">
  // CHECK-NEXT: %[[V:.*]] = cute.slice(%[[G]], %[[AT]])
  // CHECK-NEXT: cute.print_tensor(%[[V]])
  cute.print_tensor(cute.local_tile(%A, (8,8), (%i,_))[_,0,%i])
  // A type where the result is a choice.
  // CHECK-NEXT: %[[S:.*]] = cute.static : !cute.shape<"4">
  // CHECK-NEXT: cute.size (%[[S]])
  %m = cute.size(cute.static : !cute.shape<"4">)
  return
}

// CHECK-LABEL: func.func @terms(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32, %[[P:[^:]+]]: i1
func.func @terms(%A: !matrix, %i: i32, %p: i1) -> i32 {
  // CHECK-NEXT: %[[T:.*]] = cute.thread_idx
  // CHECK-NEXT: %[[C:.*]] = arith.constant 5 : i32
  // CHECK-NEXT: arith.shrui %[[T]], %[[C]]
  %w = cute.thread_idx >>u 5
  // CHECK-NEXT: %[[T:.*]] = cute.thread_idx
  // CHECK-NEXT: arith.addi %[[I]], %[[T]]
  %j = %i + cute.thread_idx
  // A scalar int_tuple is an integer; a static one is a number without a type.
  // CHECK-NEXT: %[[S:.*]] = cute.size<[0]> (%[[A]])
  // CHECK-NEXT: %[[T:.*]] = cute.static : !cute.int_tuple<"(8,8)">
  // CHECK-NEXT: cute.size (%[[T]])
  // CHECK-NEXT: %[[N:.*]] = cute.get_scalars (%[[S]])
  // CHECK-NEXT: %[[C:.*]] = arith.constant 64 : i32
  // CHECK-NEXT: arith.ceildivui %[[N]], %[[C]]
  %tiles = cute.size<[0]>(%A) ceildivu cute.size((8,8))
  // CHECK-NEXT: %[[S:.*]] = cute.size (%[[A]])
  // CHECK-NEXT: %[[N:.*]] = cute.get_scalars (%[[S]])
  // CHECK-NEXT: arith.extui %[[N]] : i32 to i64
  %long = i64u(cute.size(%A))
  // In ranges, carried values, conditions and yields.
  // CHECK-NEXT: %[[S:.*]] = cute.size<[1]> (%[[A]])
  // CHECK: %[[N:.*]] = cute.get_scalars (%[[S]])
  // CHECK: %[[L:.*]] = cute.lane_idx
  // CHECK: %[[R:.*]] = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[SUM:.*]] = %[[L]]) -> (i32)
  %sum = for %k in 0..cute.size<[1]>(%A) carry(%s = cute.lane_idx) {
    // CHECK-NEXT: %[[W:.*]] = cute.warp_idx
    // CHECK-NEXT: %[[X:.*]] = arith.addi %[[SUM]], %[[W]]
    // CHECK-NEXT: scf.yield %[[X]]
    yield %s + cute.warp_idx
  }
  // CHECK: cute.elect_one
  // CHECK-NEXT: scf.if
  if cute.elect_one {
  }
  // CHECK: return %[[R]]
  return %sum : i32
}

// An element or a slice may have a name.
// CHECK-LABEL: func.func @named(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32
func.func @named(%A: !matrix, %i: i32) -> f32 {
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(?,0)">
  // CHECK-NEXT: %[[X:.*]] = cute.load(%[[A]], %[[AT]])
  %x = %A[%i,0]
  // CHECK: %[[R:.*]] = cute.slice(%[[A]]
  %row = %A[%i,_]
  // CHECK: %[[Y:.*]] = cute.load(%[[R]]
  // CHECK-NEXT: %[[Z:.*]] = arith.addf %[[X]], %[[Y]]
  %y = %row[3] %z = %x + %y
  // CHECK-NEXT: return %[[Z]]
  return %z : f32
}

// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32, %[[X:[^:]+]]: f32
func.func @elements(%A: !matrix, %i: i32, %x: f32) {
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(?,0)">
  // CHECK-NEXT: %[[E:.*]] = cute.load(%[[A]], %[[AT]])
  // CHECK-NEXT: arith.mulf %[[E]], %[[X]]
  %y = %A[%i,0] * %x
  // CHECK-NEXT: %[[C:.*]] = arith.constant 1 : i32
  // CHECK-NEXT: %[[J:.*]] = arith.addi %[[C]], %[[I]]
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[J]]) : (i32) -> !cute.coord<"(?,2)">
  // CHECK-NEXT: %[[E:.*]] = cute.load(%[[A]], %[[AT]])
  // CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[E]]
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"?">
  // CHECK-NEXT: cute.store(%[[NEG]], %[[A]], %[[AT]])
  %A[%i] = -%A[1 + %i,2]
  // A number has the type of the elements.
  // CHECK-NEXT: %[[C:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %[[AT:.*]] = cute.static : !cute.coord<"(0,0)">
  // CHECK-NEXT: cute.store(%[[C]], %[[A]], %[[AT]])
  %A[0,0] = 0
  // As an operand it is the element where a number may be, else a slice.
  // CHECK: %[[E:.*]] = cute.load(%[[A]]
  // CHECK-NEXT: cute.printf<"{}"> (%[[E]]) : f32
  cute.printf<"{}">(%A[%i,1])
  // CHECK: %[[E:.*]] = cute.slice(%[[A]]
  // CHECK-NEXT: cute.print_tensor(%[[E]])
  cute.print_tensor(%A[%i,1])
  // Statements may share a line.
  // CHECK-NEXT: cute.printf<"{}"> (%[[I]])
  // CHECK-NEXT: %[[J:.*]] = arith.addi %[[I]], %[[I]]
  // CHECK-NEXT: cute.printf<"{}"> (%[[J]])
  cute.printf<"{}">(%i) %j = %i + %i cute.printf<"{}">(%j)
  return
}

// Elements of vectors.
// CHECK-LABEL: func.func @vectors(
func.func @vectors(%t: !cute.tensor<f32, gmem, align<16>, "(4,2):(1,4)">) {
  %v = cute.load_vector(%t)
  // CHECK: %[[V:.*]] = cute.slice_vector<"(4,2)", "(_,1)">
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.0
  // CHECK-NEXT: arith.mulf %[[V]], %[[C]]
  %w = %v[_,1] * 2
  // CHECK-NEXT: %[[U:.*]] = cute.slice_vector<"(4,2)", "(2,_)">
  // CHECK: cute.reduce_vector<"add", "(2)", "0"> (%[[U]]
  %u = %v[2,_]
  %s = cute.reduce_vector<"add", "0">(%u, f32(0))
  return
}

// A number has the type of the elements beside it.
// CHECK-LABEL: func.func @beside(
func.func @beside(%t: !cute.tensor<f16, rmem, align<16>, "8:1">, %A: !cute.tensor<bf16, gmem, align<16>, "(8,8):(8,1)">, %v: vector<4xf32>) {
  // CHECK-NEXT: %[[C:.*]] = arith.constant 1.000000e+00 : f16
  // CHECK-NEXT: cute.fill(%{{.*}}, %[[C]])
  cute.fill(%t, 1.0)
  // CHECK-NEXT: %[[C:.*]] = arith.constant 0.000000e+00 : bf16
  // CHECK: cute.store(%[[C]], %{{.*}}, %{{.*}})
  cute.store(0.0, %A, (0,1))
  // CHECK: cute.reduce_vector{{.*}} : (vector<4xf32>, f32) -> f32
  %s = cute.reduce_vector<"add", "4", "1"> (%v, 0)
  // Both factors have one type.
  // CHECK: cute.axpby({{.*}}) : f16, !cute.tensor<f16, {{.*}}, f16, !cute.tensor<f16
  cute.axpby(-1.0, %t, 1, %t)
  // CHECK: cute.axpby({{.*}}) : f32, !cute.tensor<f16, {{.*}}, f32, !cute.tensor<f16
  cute.axpby(%s, %t, 0.5, %t)
  return
}
