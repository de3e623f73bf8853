// Pure ops leave loops that they do not depend on, if they cannot trap, and
// then merge with what is outside.
// RUN: cute-opt %s --cute-canonicalize --split-input-file | FileCheck %s
// RUN: cute-opt %s --cute-canonicalize --cute-canonicalize --split-input-file | FileCheck %s

func.func private @use(!cute.shape<"(?,4)">)
func.func private @use_int(!cute.int_tuple<"?">)

// CHECK-LABEL: func.func @for
func.func @for(%n: i32, %lb: index, %ub: index, %step: index) {
  // CHECK: %[[S:.*]] = cute.make_shape
  // CHECK: %[[Z:.*]] = cute.size (%[[S]])
  // CHECK: scf.for
  // CHECK-NOT: cute.
  // CHECK: call @use(%[[S]])
  // CHECK: call @use_int(%[[Z]])
  scf.for %i = %lb to %ub step %step {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    %z = cute.size(%s)
    func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
    func.call @use_int(%z) : (!cute.int_tuple<"?">) -> ()
  }
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)
func.func private @use_int(!cute.int_tuple<"?">)

// To the outermost loop in which the operands are defined.
// CHECK-LABEL: func.func @nested
func.func @nested(%n: i32, %lb: index, %ub: index, %step: index) {
  // CHECK: %[[S:.*]] = cute.make_shape(%{{.*}}) : (i32) -> !cute.shape<"(?,4)">
  // CHECK: scf.for
  // CHECK: %[[J:.*]] = arith.index_cast
  // CHECK: %[[T:.*]] = cute.make_shape(%[[J]])
  // CHECK: scf.for
  // CHECK-NOT: cute.
  // CHECK: call @use(%[[S]])
  // CHECK: call @use(%[[T]])
  scf.for %i = %lb to %ub step %step {
    %j = arith.index_cast %i : index to i32
    scf.for %k = %lb to %ub step %step {
      %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
      %t = cute.make_shape(%j) : (i32) -> !cute.shape<"(?,4)">
      func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
      func.call @use(%t) : (!cute.shape<"(?,4)">) -> ()
    }
  }
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// Both regions of scf.while; what was hoisted from the first is there for the
// second.
// CHECK-LABEL: func.func @while
func.func @while(%n: i32, %p: i1) {
  // CHECK: %[[S:.*]] = cute.make_shape
  // CHECK: scf.while
  // CHECK-NOT: cute.
  // CHECK: call @use(%[[S]])
  // CHECK: call @use(%[[S]])
  scf.while : () -> () {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
    scf.condition(%p)
  } do {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
    scf.yield
  }
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)
func.func private @use_leaf(!cute.shape<"?">)
func.func private @use_coord(!cute.coord<"(?,?)">)

// Quotients by what may be zero stay: the loop may not run.
// CHECK-LABEL: func.func @traps
func.func @traps(%n: i32, %i: !cute.int_tuple<"?">, %lb: index, %ub: index, %step: index) {
  // CHECK: %[[A:.*]] = cute.make_shape(%{{.*}}) : (i32) -> !cute.shape<"?">
  // CHECK: %[[B:.*]] = cute.make_shape(%{{.*}}) : (i32) -> !cute.shape<"(?,4)">
  // CHECK: %[[E:.*]] = cute.shape_div(%[[A]], %{{.*}}) : (!cute.shape<"?">, !cute.shape<"4">)
  // CHECK: scf.for
  // CHECK: %[[D:.*]] = cute.shape_div
  // CHECK: %[[C:.*]] = cute.idx2crd
  // CHECK: call @use_leaf(%[[D]])
  // CHECK: call @use_coord(%[[C]])
  // CHECK: call @use_leaf(%[[E]])
  scf.for %k = %lb to %ub step %step {
    %a = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %b = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    %four = cute.static : !cute.shape<"4">
    %d = cute.shape_div(%four, %a)
    %c = cute.idx2crd(%i, %b)
    %e = cute.shape_div(%a, %four)
    func.call @use_leaf(%d) : (!cute.shape<"?">) -> ()
    func.call @use_coord(%c) : (!cute.coord<"(?,?)">) -> ()
    func.call @use_leaf(%e) : (!cute.shape<"?">) -> ()
  }
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// A condition in the loop: what is under it stays under it.
// CHECK-LABEL: func.func @condition
func.func @condition(%n: i32, %p: i1, %lb: index, %ub: index, %step: index) {
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NEXT: cute.make_shape
  scf.for %k = %lb to %ub step %step {
    scf.if %p {
      %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
      func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
    }
  }
  return
}

// -----

// Reading, writing and allocating stay where they are.
// CHECK-LABEL: func.func @effects
func.func @effects(%t: !cute.tensor<f32, gmem, align<16>, "4:1">, %lb: index, %ub: index, %step: index) {
  // CHECK: %[[L:.*]] = cute.static : !cute.layout<"4:1">
  // CHECK: %[[C:.*]] = cute.static : !cute.coord<"1">
  // CHECK: scf.for
  // CHECK: cute.make_fragment
  // CHECK: cute.load
  // CHECK: cute.store
  scf.for %k = %lb to %ub step %step {
    %l = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f32> (%l)
    %c = cute.static : !cute.coord<"1">
    %v = cute.load(%t, %c)
    cute.store(%v, %f, %c)
  }
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// A block sees those that dominate it, and no others.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%n: i32, %m: i32, %p: i1) {
  // CHECK: %[[S:.*]] = cute.make_shape
  // CHECK: cf.cond_br
  // CHECK: ^bb1
  // CHECK: call @use(%[[S]])
  // CHECK: %[[T:.*]] = cute.make_shape
  // CHECK: call @use(%[[T]])
  // CHECK: ^bb2
  // CHECK: %[[U:.*]] = cute.make_shape
  // CHECK: call @use(%[[U]])
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%a) : (!cute.shape<"(?,4)">) -> ()
  %b = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%b) : (!cute.shape<"(?,4)">) -> ()
  cf.br ^bb3
^bb2:
  %c = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%c) : (!cute.shape<"(?,4)">) -> ()
  cf.br ^bb3
^bb3:
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// ^bb2 dominates ^bb1, though it comes later, and ^bb3 is behind both.
// CHECK-LABEL: func.func @order
func.func @order(%n: i32, %m: i32, %p: i1) {
  // CHECK: cf.br ^[[B:bb[0-9]+]]
  // CHECK: ^[[A:bb[0-9]+]]:
  // CHECK-NEXT: call @use(%[[S:[0-9]+]])
  // CHECK-NEXT: cf.cond_br
  // CHECK: ^[[B]]:
  // CHECK-NEXT: %[[S]] = cute.make_shape(%arg0)
  // CHECK-NEXT: call @use(%[[S]])
  // CHECK-NEXT: cf.br ^[[A]]
  // CHECK: call @use(%[[S]])
  cf.br ^bb2
^bb1:
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%a) : (!cute.shape<"(?,4)">) -> ()
  cf.cond_br %p, ^bb1, ^bb3
^bb2:
  %b = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%b) : (!cute.shape<"(?,4)">) -> ()
  cf.br ^bb1
^bb3:
  %c = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%c) : (!cute.shape<"(?,4)">) -> ()
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// Behind a condition neither side dominates.
// CHECK-LABEL: func.func @join
func.func @join(%n: i32, %p: i1) {
  // CHECK: ^bb1
  // CHECK: %[[A:.*]] = cute.make_shape
  // CHECK: ^bb2
  // CHECK: %[[B:.*]] = cute.make_shape
  // CHECK: call @use(%[[B]])
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%a) : (!cute.shape<"(?,4)">) -> ()
  cf.br ^bb2
^bb2:
  %b = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%b) : (!cute.shape<"(?,4)">) -> ()
  return
}

// -----

func.func private @use(!cute.shape<"(?,?)">)

// Unreachable code may use what it defines later, and is left alone.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable() {
  // CHECK-NEXT: return
  // CHECK-NEXT: ^bb1
  // CHECK-NEXT: %[[A:.*]] = cute.select<[1, 0]> (%[[B:.*]]) :
  // CHECK-NEXT: %[[B]] = cute.select<[1, 0]> (%[[A]]) :
  return
^bb1:
  %a = "cute.select"(%b) {mode = array<i32: 1, 0>} : (!cute.shape<"(?,?)">) -> !cute.shape<"(?,?)">
  %b = "cute.select"(%a) {mode = array<i32: 1, 0>} : (!cute.shape<"(?,?)">) -> !cute.shape<"(?,?)">
  func.call @use(%b) : (!cute.shape<"(?,?)">) -> ()
  cf.br ^bb1
}

// -----

// A graph region has no order: ops merge and do not look through each other.
// CHECK-LABEL: module @graph
module @graph {
  // CHECK: %[[A:.*]] = cute.select<[1, 0]> (%[[B:.*]]) :
  // CHECK: %[[B]] = cute.select<[1, 0]> (%[[A]]) :
  // CHECK: cute.print(%[[A]])
  %a = "cute.select"(%b) {mode = array<i32: 1, 0>} : (!cute.shape<"(?,?)">) -> !cute.shape<"(?,?)">
  %b = "cute.select"(%a) {mode = array<i32: 1, 0>} : (!cute.shape<"(?,?)">) -> !cute.shape<"(?,?)">
  %c = "cute.select"(%b) {mode = array<i32: 1, 0>} : (!cute.shape<"(?,?)">) -> !cute.shape<"(?,?)">
  cute.print(%c) : !cute.shape<"(?,?)">
}
