// Loops and branches are scf's, with types that the text does not have.
// RUN: cute-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: cute-opt %s --allow-unregistered-dialect > %t
// RUN: cute-opt %t --allow-unregistered-dialect | diff %t -
// RUN: cute-opt %s --mlir-print-op-generic --allow-unregistered-dialect | cute-opt --allow-unregistered-dialect | diff %t -

!vector = !cute.tensor<f32, gmem, align<4>, "?:1">

// CHECK-LABEL: func.func @loops(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[N:[^:]+]]: i32, %[[K:[^:]+]]: index, %[[X:[^:]+]]: f32
func.func @loops(%A: !vector, %n: i32, %k: index, %x: f32) -> f32 {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: scf.for %[[I:.*]] = %[[ZERO]] to %[[N]] step %[[ONE]]  : i32 {
  for %i in 0..%n {
    // CHECK: cute.store(%[[X]], %[[A]], %
    cute.store(%x, %A, %i)
  }
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}  : i32 {
  for %i in 0..4 {
    cute.store(%x, %A, %i)
  }
  // The range and what is carried may be expressions; names in a loop are its
  // own.
  // CHECK: %[[TO:.*]] = arith.addi %[[K]], %
  // CHECK: %[[FROM:.*]] = arith.mulf %[[X]], %
  // CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %[[K]] to %[[TO]] step %{{.*}} iter_args(%[[S:.*]] = %[[FROM]], %[[L:.*]] = %[[X]]) -> (f32, f32)
  %sum, %last = for %j in %k..%k + 10 step 2 carry(%s = %x * 2, %l = %x) {
    // CHECK: scf.for %{{.*}} iter_args(%[[T:.*]] = %[[S]])
    %sum = for %m in 0..%j carry(%t = %s) {
      // CHECK: %[[U:.*]] = arith.addf %[[T]], %
      // CHECK-NEXT: scf.yield %[[U]] : f32
      yield %t + 1
    }
    // CHECK: scf.yield %{{.*}}, %[[S]] : f32, f32
    yield %sum, %s
  }
  // CHECK: arith.subf %[[R]]#0, %[[R]]#1
  %y = %sum - %last
  return %y : f32
}

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32, %[[X:[^:]+]]: f32, %[[P:[^:]+]]: i1
func.func @branches(%A: !vector, %i: i32, %x: f32, %p: i1) -> f32 {
  // CHECK: %[[C:.*]] = arith.cmpi eq, %[[I]]
  // CHECK-NEXT: scf.if %[[C]] {
  if %i == 0 {
    cute.store(%x, %A, %i)
  }
  // CHECK: scf.if %[[P]] {
  // CHECK: } else {
  if %p {
    cute.store(%x, %A, %i)
  } else { for %j in 0..%i {
      cute.store(%x, %A, %j)
    }
  }
  // CHECK: %[[R:.*]]:2 = scf.if %[[P]] -> (f32, i32) {
  // CHECK: scf.yield %{{.*}}, %[[I]] : f32, i32
  // CHECK: } else {
  // CHECK: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: scf.yield %[[Z]], %{{.*}} : f32, i32
  %y, %k = if %p {
    yield %x * 2, %i
  } else {
    yield 0, %i + 1
  }
  // CHECK: scf.if %[[P]] -> (!cute.coord<"?">)
  %c = if %p {
    %c = cute.make_coord(%k) : (i32) -> !cute.coord<"?">
    yield %c
  } else {
    %d = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    yield %d
  }
  cute.store(%y, %A, %c)
  return %y : f32
}

// The words are names elsewhere, and scf's ops remain.
// CHECK-LABEL: func.func @others(
// CHECK-SAME: attributes {for = 1 : i64, if = 2 : i64, yield}
func.func @others(%p: i1, %n: index) attributes {for = 1, if = 2, yield} {
  scf.if %p {
    for %i in 0..%n {
      // CHECK: "test.yield"
      "test.yield"(%i) : (index) -> ()
    }
    scf.yield
  }
  return
}

// The shape of a vector that is carried is known.
// CHECK-LABEL: func.func @shapes(
func.func @shapes(%t: !cute.tensor<f32, gmem, align<16>, "(4,2):(1,4)">, %n: index) -> f32 {
  %v = cute.load_vector(%t)
  %r = for %i in 0..%n carry(%s = %v) {
    // CHECK: cute.reduce_vector<"max", "(4,2)", "0">
    %m = cute.reduce_vector<"max", "0">(%s, 0)
    yield %s * %m
  }
  %m = cute.reduce_vector<"add", "8", "0">(%r, 0)
  return %m : f32
}

// Another if after else is the other branch.
// CHECK-LABEL: func.func @chains(
// CHECK-SAME: %[[I:[^:]+]]: i32, %[[X:[^:]+]]: f32, %[[P:[^:]+]]: i1
func.func @chains(%i: i32, %x: f32, %p: i1) -> f32 {
  // CHECK-NEXT: %[[Y:.*]]:2 = scf.if %[[P]] -> (f32, f32)
  // CHECK: } else {
  // CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[I]]
  // CHECK: %[[Z:.*]]:2 = scf.if %[[LESS]] -> (f32, f32)
  // CHECK: } else {
  // CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[I]]
  // CHECK: %[[W:.*]]:2 = scf.if %[[EQ]] -> (f32, f32)
  // CHECK: scf.yield %[[W]]#0, %[[W]]#1 : f32, f32
  // CHECK: scf.yield %[[Z]]#0, %[[Z]]#1 : f32, f32
  %y, %z = if %p {
    yield %x, 1.0 : f32
  } else if %i <u 4 {
    yield 2.0, %x
  } else if %i ==
      9 { yield 4.0, 5.0 } else {
    yield 2.0, 3.0
  }
  // CHECK: scf.if %[[P]] {
  // CHECK-NEXT: } else {
  // CHECK: scf.if %
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.if %[[P]] {
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  if %p {
  } else if %i == 3 {
    %c = %i + %i
  } else if %p {
  }
  // A value that is carried may have its type.
  // CHECK: %[[C:.*]] = arith.constant 0.0
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
  %w = for %k in 0..4 carry(%a = 0.0 : f32) {
    // CHECK: arith.addf %{{.*}}, %[[Y]]#1
    yield %a + %z
  }
  return %w : f32
}

// A static size is a number, so such a range is over i32; the dots of a range end
// the name of an op.
// CHECK-LABEL: func.func @sizes(
func.func @sizes(%A: !cute.tensor<f32, gmem, align<4>, "(4,?):(1,4)">, %x: f32) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i32
  // CHECK: scf.for %[[I:.*]] = %[[ZERO]] to %[[FOUR]] step %{{.*}}  : i32 {
  for %i in 0..cute.size<[0]>(%A) {
    // CHECK: %[[T:.*]] = cute.thread_idx
    // CHECK: %[[SIZE:.*]] = cute.get_scalars
    // CHECK: scf.for %{{.*}} = %[[T]] to %[[SIZE]] step %{{.*}}  : i32 {
    for %j in cute.thread_idx..cute.size<[1]>(%A) step 32 {
      cute.store(%x, %A, (%i,%j))
    }
  }
  return
}
