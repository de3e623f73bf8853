// Ops leave all kinds of loops that do not change what they compute; of loops
// of blocks those blocks' ops that run in each trip.
// RUN: cute-opt %s --cute-canonicalize --split-input-file | FileCheck %s
// RUN: cute-opt %s --cute-canonicalize --cute-canonicalize --split-input-file | FileCheck %s

func.func private @use(!cute.shape<"(?,4)">)

// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: i32, %lb: index, %ub: index, %step: index) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape
  // CHECK-NEXT: scf.parallel
  // CHECK-NEXT: call @use(%[[S]])
  scf.parallel (%i) = (%lb) to (%ub) step (%step) {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  }
  return
}

// CHECK-LABEL: func.func @forall
func.func @forall(%n: i32, %ub: index) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape
  // CHECK-NEXT: scf.forall
  // CHECK-NEXT: call @use(%[[S]])
  scf.forall (%i) in (%ub) {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  }
  return
}

// CHECK-LABEL: func.func @affine
func.func @affine(%n: i32, %ub: index) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape
  // CHECK-NEXT: affine.for
  // CHECK-NEXT: %[[I:.*]] = arith.index_cast
  // CHECK-NEXT: %[[T:.*]] = cute.make_shape(%[[I]])
  // CHECK-NEXT: affine.parallel
  // CHECK-NEXT: call @use(%[[S]])
  // CHECK-NEXT: call @use(%[[T]])
  affine.for %i = 0 to %ub {
    %j = arith.index_cast %i : index to i32
    affine.parallel (%k) = (0) to (%ub) {
      %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
      func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
      %t = cute.make_shape(%j) : (i32) -> !cute.shape<"(?,4)">
      func.call @use(%t) : (!cute.shape<"(?,4)">) -> ()
    }
  }
  return
}

// An op that is no loop: its region may run elsewhere.
// CHECK-LABEL: func.func @launch
func.func @launch(%n: i32, %one: index) {
  // CHECK: gpu.launch
  // CHECK-NEXT: cute.make_shape
  gpu.launch blocks(%a, %b, %c) in (%d = %one, %e = %one, %f = %one)
             threads(%g, %h, %i) in (%j = %one, %k = %one, %l = %one) {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
    gpu.terminator
  }
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// The header and the body; not what only some trips run, nor what divides.
// CHECK-LABEL: func.func @while
func.func @while(%n: i32, %p: i1, %q: i1, %i: !cute.int_tuple<"?">) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape(%arg0) : (i32) -> !cute.shape<"(?,4)">
  // CHECK-NEXT: cf.br ^bb1
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: cf.cond_br %arg1, ^bb2, ^bb5
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: call @use(%[[S]])
  // CHECK-NEXT: cute.idx2crd
  // CHECK: ^bb3:
  // CHECK-NEXT: cute.make_shape(%arg0) : (i32) -> !cute.shape<"(4,?)">
  cf.br ^head
^head:
  cf.cond_br %p, ^body, ^end
^body:
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  %c = cute.idx2crd(%i, %s)
  cute.print(%c) : !cute.coord<"(?,?)">
  cf.cond_br %q, ^then, ^latch
^then:
  %t = cute.make_shape(%n) : (i32) -> !cute.shape<"(4,?)">
  cute.print(%t) : !cute.shape<"(4,?)">
  cf.br ^latch
^latch:
  cf.br ^head
^end:
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// From an inner loop to the block before the outer one, or to where the operand
// is defined: %m changes in each trip of the outer loop, %k of the inner one.
// CHECK-LABEL: func.func @nested
func.func @nested(%n: i32, %q: i1, %r: i1) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape(%arg0)
  // CHECK-NEXT: cf.br ^bb1
  // CHECK-NEXT: ^bb1(%[[M:.*]]: i32):
  // CHECK-NEXT: %[[T:.*]] = cute.make_shape(%[[M]])
  // CHECK-NEXT: cf.br ^bb2
  // CHECK-NEXT: ^bb2(%[[K:.*]]: i32):
  // CHECK-NEXT: call @use(%[[S]])
  // CHECK-NEXT: call @use(%[[T]])
  // CHECK-NEXT: %[[U:.*]] = cute.make_shape(%[[K]])
  // CHECK-NEXT: call @use(%[[U]])
  cf.br ^outer(%n : i32)
^outer(%m: i32):
  cf.br ^inner(%m : i32)
^inner(%k: i32):
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  %t = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%t) : (!cute.shape<"(?,4)">) -> ()
  %u = cute.make_shape(%k) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%u) : (!cute.shape<"(?,4)">) -> ()
  %next = arith.addi %k, %n : i32
  cf.cond_br %q, ^inner(%next : i32), ^latch
^latch:
  %v = arith.addi %m, %n : i32
  cf.cond_br %r, ^outer(%v : i32), ^end
^end:
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// Two loops one after the other in a third; what the second has, the first has
// brought outside.
// CHECK-LABEL: func.func @siblings
func.func @siblings(%n: i32, %q: i1, %r: i1) {
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape(%arg0)
  // CHECK-NOT: cute.make_shape
  // CHECK: return
  cf.br ^outer
^outer:
  cf.br ^first
^first:
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  cf.cond_br %q, ^first, ^second
^second:
  %t = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%t) : (!cute.shape<"(?,4)">) -> ()
  cf.cond_br %q, ^second, ^latch
^latch:
  cf.cond_br %r, ^outer, ^end
^end:
  return
}

// -----

func.func private @use(!cute.shape<"(?,4)">)

// Two entries: neither block dominates the other, so there is no header to
// move in front of.
// CHECK-LABEL: func.func @irreducible
func.func @irreducible(%n: i32, %q: i1) {
  // CHECK-NEXT: cf.cond_br
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: cute.make_shape
  // CHECK: ^bb2:
  // CHECK-NEXT: cute.make_shape
  cf.cond_br %q, ^a, ^b
^a:
  %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%s) : (!cute.shape<"(?,4)">) -> ()
  cf.br ^b
^b:
  %t = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  func.call @use(%t) : (!cute.shape<"(?,4)">) -> ()
  cf.cond_br %q, ^a, ^end
^end:
  return
}
