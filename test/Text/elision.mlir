// Types may be left out where earlier text tells them; what is printed has all of them.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s

func.func private @g() -> (!cute.layout<"4:1">, !cute.layout<"5:1">)

// CHECK-LABEL: func.func @values(
func.func @values(%l: !cute.layout<"(4,?):(1,4)">, %cond: i1) {
  // Arguments and results of ops of the dialect.
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"(4,?):(1,4)">) -> !cute.int_tuple<"?">
  %0 = cute.size(%l)
  // CHECK: cute.get_shape(%{{.*}}) : !cute.layout<"(4,?):(1,4)"> -> !cute.shape<"(4,?)">
  %s = cute.get_shape(%l)
  // Several results under one name or several.
  // CHECK: %[[P:.*]]:2 = cute.get_leaves(%{{.*}}) : !cute.shape<"(4,?)">
  %p:2 = cute.get_leaves(%s)
  // CHECK: %[[Q:.*]]:2 = cute.get_leaves(%{{.*}}) : !cute.shape<"(4,?)">
  %q, %r = cute.get_leaves(%s)
  // CHECK: cute.size (%[[P]]#1) : (!cute.shape<"?">) -> !cute.int_tuple<"?">
  %1 = cute.size(%p#1)
  // CHECK: cute.size (%[[Q]]#0) : (!cute.shape<"4">) -> !cute.int_tuple<"4">
  %2 = cute.size(%q)
  // CHECK: cute.size (%[[Q]]#1) : (!cute.shape<"?">) -> !cute.int_tuple<"?">
  %3 = cute.size(%r)
  // Only the results.
  // CHECK: cute.cosize (%{{.*}}) : (!cute.layout<"(4,?):(1,4)">) -> !cute.int_tuple<"?">
  %4 = cute.cosize(%l) : (!cute.layout<"(4,?):(1,4)">)

  // Ops of other dialects that spell their types.
  %5:2 = call @g() : () -> (!cute.layout<"4:1">, !cute.layout<"5:1">)
  // CHECK: cute.size (%{{.*}}#1) : (!cute.layout<"5:1">) -> !cute.int_tuple<"5">
  %6 = cute.size(%5#1)
  %7, %8 = func.call @g() : () -> (!cute.layout<"4:1">, !cute.layout<"5:1">)
  // CHECK: cute.size (%{{.*}}#1) : (!cute.layout<"5:1">) -> !cute.int_tuple<"5">
  %9 = cute.size(%8)
  %10 = arith.select %cond, %7, %7 : !cute.layout<"4:1">
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"4:1">) -> !cute.int_tuple<"4">
  %11 = cute.size(%10)
  return
}

// The same name has another type in another function.
// CHECK-LABEL: func.func @scope(
func.func @scope(%l: !cute.layout<"7:1">) {
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"7:1">) -> !cute.int_tuple<"7">
  %0 = cute.size(%l)
  return
}

// CHECK-LABEL: func.func @regions(
func.func @regions(%n: index, %a: !cute.int_tuple<"?">, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[R:.*]]:2 = scf.for
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a)
      -> (!cute.int_tuple<"?">, !cute.int_tuple<"?">) {
    // CHECK: cute.tuple_add({{.*}}) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> !cute.int_tuple<"?">
    %z = cute.tuple_add(%x, %y)
    scf.yield %y, %z : !cute.int_tuple<"?">, !cute.int_tuple<"?">
  }
  // CHECK: cute.tuple_add(%[[R]]#0, %[[R]]#1) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> !cute.int_tuple<"?">
  %s = cute.tuple_add(%r#0, %r#1)
  %t = scf.if %c -> (!cute.shape<"8">) {
    %1 = cute.static : !cute.shape<"8">
    scf.yield %1 : !cute.shape<"8">
  } else {
    %1 = cute.static : !cute.int_tuple<"8">
    %2 = cute.to_shape(%1)
    scf.yield %2 : !cute.shape<"8">
  }
  // CHECK: cute.size (%{{.*}}) : (!cute.shape<"8">) -> !cute.int_tuple<"8">
  %u = cute.size(%t)
  %w = scf.while (%p = %a) : (!cute.int_tuple<"?">) -> !cute.int_tuple<"?"> {
    // CHECK: cute.tuple_sub({{.*}}) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">)
    %1 = cute.tuple_sub(%p, %p)
    scf.condition(%c) %1 : !cute.int_tuple<"?">
  } do {
  ^bb0(%q: !cute.int_tuple<"?">):
    // CHECK: cute.to_shape(%{{.*}}) : !cute.int_tuple<"?"> -> !cute.shape<"?">
    %1 = cute.to_shape(%q)
    scf.yield %q : !cute.int_tuple<"?">
  }
  return
}

// Scalars: index results are implied by gpu's ops, others are spelled.
// CHECK-LABEL: gpu.func @scalars(
gpu.module @module {
  gpu.func @scalars(%t: !cute.tensor<f32, gmem, align<4>, "?:1">, %l: !cute.layout<"32:1">) kernel {
    %0 = gpu.thread_id x
    %1 = arith.index_cast %0 : index to i32
    // CHECK: cute.local_partition (%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tensor<f32, gmem, align<4>, "?:1">, !cute.layout<"32:1">, i32)
    %2 = cute.local_partition(%t, %l, %1)
    %c = cute.make_coord(%1) : (i32) -> !cute.coord<"?">
    // CHECK: %[[V:.*]] = cute.load({{.*}}) : (!cute.tensor<f32, gmem, align<4>, "?:1">, !cute.coord<"?">) -> f32
    %v = cute.load(%t, %c) // : (not, these) -> !cute.types
    %w = arith.addf %v, %v : f32
    // CHECK: cute.store(%{{.*}}, %{{.*}}, %{{.*}}) : f32, !cute.tensor<f32, gmem, align<4>, "?:1">, !cute.coord<"?">
    cute.store(%w, %t,  // a comment, with a "
               %c)
    gpu.return
  }
}
