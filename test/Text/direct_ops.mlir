// Ops in a row go past MLIR's parser, which gets one op in their place: values find
// their uses before, after and between them, in regions and over blocks, and each op has
// its place in the source.
// RUN: cute-opt %s --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: cute-opt %s --split-input-file --mlir-print-op-generic > %t.generic
// RUN: cute-opt %s --split-input-file | cute-opt --split-input-file --mlir-print-op-generic | diff %t.generic -
// RUN: cute-opt %t.generic --split-input-file --mlir-print-op-generic | diff %t.generic -

// CHECK-LABEL: func.func @regions(
func.func @regions(%n: index, %i: i64) -> !cute.int_tuple<"?{i64}"> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = cute.make_int_tuple(%i) : (i64) -> !cute.int_tuple<"?{i64}"> // a comment
  // CHECK: %[[STATIC:.*]] = cute.static : {{.*}} loc("elsewhere.py":3:4)
  %s = cute.static : !cute.int_tuple<"4"> loc("elsewhere.py":3:4)
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[INIT:.*]], %[[B:.*]] = %[[INIT]])
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %init, %b = %init) -> (!cute.int_tuple<"?{i64}">, !cute.int_tuple<"?{i64}">) {
    // CHECK: %[[SUM:.*]] = cute.tuple_add(%[[A]], %[[B]]) {{.*}} loc("{{.*}}direct_ops.mlir":[[#@LINE+1]]:10)
    %0 = cute.tuple_add(%a, %b)
    // CHECK-NEXT: %[[TWICE:.*]] = cute.tuple_add(%[[SUM]], %[[SUM]]) {{.*}} loc("{{.*}}direct_ops.mlir":[[#@LINE+1]]:10)
    %1 = cute.tuple_add(%0, %0)
    // CHECK: scf.yield %[[TWICE]], %[[SUM]]
    scf.yield %1, %0 : !cute.int_tuple<"?{i64}">, !cute.int_tuple<"?{i64}">
  }
  // CHECK: %[[ALL:.*]] = cute.tuple_add(%[[R]]#0, %[[R]]#1)
  %0 = cute.tuple_add(%r#0, %r#1)
  // CHECK: %[[SIZE:.*]] = cute.tuple_add(%[[ALL]], %[[STATIC]]) {{.*}} loc("{{.*}}direct_ops.mlir":[[#@LINE+1]]:8)
  %y = cute.tuple_add(%0, %s)
  cf.br ^end(%y : !cute.int_tuple<"?{i64}">)
^end(%z: !cute.int_tuple<"?{i64}">):
  return %z : !cute.int_tuple<"?{i64}">
}

// One name for several values; an op of another dialect uses one; and the ops of
// literals, which are where their statement begins.
// CHECK-LABEL: func.func @numbers(
func.func @numbers(%s: !cute.shape<"(?,4,?)">) -> i32 {
  // CHECK: %[[X:.*]]:2 = cute.get_scalars<{only_dynamic}>
  %x:2 = cute.get_scalars<{only_dynamic}>(%s)
  // CHECK: cute.make_shape(%[[X]]#1, %[[X]]#0)
  %y = cute.make_shape(%x#1, %x#0) : (i32, i32) -> !cute.shape<"(?,?)">
  // CHECK: cute.static : !cute.shape<"(2,3)"> loc("{{.*}}direct_ops.mlir":[[#@LINE+1]]:3)
  %z = cute.crd2idx((1,1), (2,3))
  // CHECK: return %[[X]]#1
  return %x#1 : i32
}

// A name for other values in another function, and in regions side by side.
// CHECK-LABEL: func.func @again(
func.func @again(%c: i1, %y: !cute.shape<"(2,?)">) -> !cute.int_tuple<"?"> {
  %r = scf.if %c -> !cute.int_tuple<"?"> {
    // CHECK: %[[T:.*]] = cute.size{{ *}}(%arg1)
    %x = cute.size(%y)
    // CHECK-NEXT: scf.yield %[[T]]
    scf.yield %x : !cute.int_tuple<"?">
  } else {
    // CHECK: %[[G:.*]] = cute.get<[1]> (%arg1)
    %x = cute.get<[1]>(%y)
    // CHECK-NEXT: %[[E:.*]] = cute.size{{ *}}(%[[G]])
    %z = cute.size(%x)
    // CHECK-NEXT: scf.yield %[[E]]
    scf.yield %z : !cute.int_tuple<"?">
  }
  return %r : !cute.int_tuple<"?">
}

// -----
// Another op on the line.
// CHECK-LABEL: func.func @one_line(
func.func @one_line() -> i32 {
  // CHECK: cute.static : {{.*}} loc("{{.*}}direct_ops.mlir":[[#@LINE+2]]:8)
  // CHECK-NEXT: arith.constant 4 : i32 loc("{{.*}}direct_ops.mlir":[[#@LINE+1]]:44)
  %x = cute.static : !cute.shape<"4"> %c = arith.constant 4 : i32 %y = cute.size(%x)
  return %c : i32
}

// -----
// The attribute by which the reader knows the op in their place, in the user's hands.
// CHECK-LABEL: func.func @clash(
func.func @clash(%a: i32) -> i1 {
  %x = cute.static : !cute.shape<"4">
  // CHECK: builtin.unrealized_conversion_cast {{.*}} {cute.run = 7 : i64}
  %0 = "builtin.unrealized_conversion_cast"(%a) {"cute.run" = 7 : i64} : (i32) -> i1
  return %0 : i1
}
