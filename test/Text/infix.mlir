// Expressions are ops of arith and math before the statement that has them.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s > %t
// RUN: cute-opt %t | diff %t -
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | diff %t -

!matrix = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
!four = vector<4xf32>

// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: %[[I:[^:]+]]: i32, %[[K:[^:]+]]: index, %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32, %[[V:[^:]+]]: vector<4xf32>
func.func @numbers(%i: i32, %k: index, %x: f32, %y: f32, %v: !four, %p: i1) {
  // A number has the type of its neighbour, or one after it.
  // CHECK-NEXT: arith.constant 5 : i32
  %c = 5 : i32
  // CHECK-NEXT: arith.constant dense<-1.000000e+30> : vector<4xf32>
  %least = -1.0e30 : !four
  // CHECK-NEXT: arith.constant dense<0xFF800000> : vector<4xf32>
  %none = 0xFF800000 : !four
  // CHECK-NEXT: arith.constant true
  %yes = true : i1
  // CHECK-NEXT: arith.constant dense<false> : vector<4xi1>
  %no = false : vector<4xi1>
  // CHECK-NEXT: %[[C:.*]] = arith.constant -7 : index
  // CHECK-NEXT: arith.addi %[[K]], %[[C]] : index
  %a = %k + -7
  // CHECK-NEXT: %[[C:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-NEXT: arith.mulf %[[C]], %[[X]] : f32
  %b = 2 * %x
  // CHECK-NEXT: %[[C:.*]] = arith.constant 1.000000e+00 : f16
  %h = f16(1.0)
  // A scalar beside a vector is broadcast.
  // CHECK-NEXT: %[[B:.*]] = vector.broadcast %[[X]] : f32 to vector<4xf32>
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[B]], %[[V]] : vector<4xf32>
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<1.000000e+00> : vector<4xf32>
  // CHECK-NEXT: arith.addf %[[M]], %[[C]] : vector<4xf32>
  %w = %x * %v + 1
  // CHECK-NEXT: vector.broadcast %[[Y]] : f32 to vector<4xf32>
  %ys = %y : !four
  return
}

// CHECK-LABEL: func.func @operators(
// CHECK-SAME: %[[I:[^:]+]]: i32, %[[N:[^:]+]]: i32, %[[K:[^:]+]]: index, %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32
func.func @operators(%i: i32, %n: i32, %k: index, %x: f32, %y: f32) {
  // CHECK-NEXT: arith.divf %[[X]], %[[Y]] : f32
  %a = %x / %y
  // CHECK-NEXT: arith.remf
  %b = %x mod %y
  // CHECK-NEXT: arith.divui %[[I]], %[[N]] : i32
  %c = %i /u %n
  // CHECK-NEXT: arith.divsi
  %d = %i /s %n
  // CHECK-NEXT: arith.remui
  %e = %i modu %n
  // CHECK-NEXT: arith.ceildivui
  %f = %i ceildivu %n
  // CHECK-NEXT: arith.floordivsi
  %g = %i floordivs %n
  // CHECK-NEXT: arith.shrui
  %h = %i >>u %n
  // CHECK-NEXT: arith.shli
  %j = %i << %n
  // Index is signed where nothing says otherwise.
  // CHECK-NEXT: arith.divsi %[[K]], %[[K]] : index
  %l = %k / %k
  // CHECK-NEXT: arith.cmpi slt, %[[K]], %[[K]] : index
  %m = %k < %k
  // CHECK-NEXT: arith.cmpi ult, %[[K]], %[[K]] : index
  %o = %k <u %k
  // CHECK-NEXT: arith.maxui
  %p = maxu(%k, %k)
  // CHECK-NEXT: arith.minsi
  %q = min(%k, %k)
  // CHECK-NEXT: arith.maximumf
  %r = max(%x, %y)
  // Of floats, comparisons are ordered, and only != is true of NaN.
  // CHECK-NEXT: arith.cmpf oge, %[[X]], %[[Y]] : f32
  %s = %x >= %y
  // CHECK-NEXT: arith.cmpf une
  %t = %x != %y
  // CHECK-NEXT: arith.cmpi ne
  %u = %i != %n
  // CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[X]] : f32
  // CHECK-NEXT: arith.subf %[[Y]], %[[NEG]]
  %v = %y - -%x
  // CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: arith.subi %[[Z]], %[[I]] : i32
  %w = -%i
  // CHECK-NEXT: %[[LT2:.*]] = arith.cmpi slt
  %lt = %i <s %n
  // `not` binds less than a comparison, `&` more.
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK-NEXT: %[[AND:.*]] = arith.andi %[[I]], %[[ONE]]
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[EQ:.*]] = arith.cmpi eq, %[[AND]], %[[ZERO]]
  // CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
  // CHECK-NEXT: %[[NOT:.*]] = arith.xori %[[EQ]], %[[TRUE]] : i1
  // CHECK-NEXT: %[[LT:.*]] = arith.cmpi ult, %[[I]], %[[N]]
  // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[NOT]], %[[LT]]
  // CHECK-NEXT: arith.ori %[[BOTH]], %[[LT2]]
  %y1 = not %i & 1 == 0 and %i <u %n or %lt
  return
}

// CHECK-LABEL: func.func @functions(
// CHECK-SAME: %[[I:[^:]+]]: i32, %[[L:[^:]+]]: i64, %[[K:[^:]+]]: index, %[[X:[^:]+]]: f32, %[[H:[^:]+]]: vector<4xf16>, %[[V:[^:]+]]: vector<4xf32>, %[[P:[^:]+]]: i1
func.func @functions(%i: i32, %l: i64, %k: index, %x: f32, %h: vector<4xf16>, %v: !four, %p: i1) {
  // CHECK-NEXT: arith.extf %[[H]] : vector<4xf16> to vector<4xf32>
  %a = f32(%h)
  // CHECK-NEXT: arith.truncf %[[V]] : vector<4xf32> to vector<4xbf16>
  %b = bf16(%v)
  // CHECK-NEXT: arith.extui %[[I]] : i32 to i64
  %c = i64u(%i)
  // CHECK-NEXT: arith.trunci %[[L]] : i64 to i8
  %d = i8(%l)
  // CHECK-NEXT: arith.sitofp %[[I]] : i32 to f32
  %e = f32s(%i)
  // CHECK-NEXT: arith.fptoui %[[X]] : f32 to i32
  %f = i32u(%x)
  // CHECK-NEXT: arith.index_cast %[[I]] : i32 to index
  %g = index(%i)
  // CHECK-NEXT: arith.index_castui %[[K]] : index to i32
  %j = i32u(%k)
  // CHECK-NEXT: %[[B:.*]] = vector.broadcast %[[X]] : f32 to vector<4xf32>
  // CHECK-NEXT: %[[S:.*]] = arith.subf %[[V]], %[[B]]
  // CHECK-NEXT: math.exp2 %[[S]] fastmath<afn> : vector<4xf32>
  %m = math.exp2<afn>(%v - %x)
  // CHECK-NEXT: %[[B:.*]] = vector.broadcast
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
  // CHECK-NEXT: math.fma %[[V]], %[[B]], %[[C]] fastmath<nnan,contract> : vector<4xf32>
  %n = math.fma<contract, nnan>(%v, %x, 0)
  // CHECK-NEXT: math.isnan %[[V]] : vector<4xf32>
  %o = math.isnan(%v)
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
  // CHECK-NEXT: arith.select %[[P]], %[[V]], %[[C]] : vector<4xf32>
  %q = arith.select(%p, %v, 0.0)
  // CHECK: arith.select %{{.*}}, %[[V]], %[[V]] : vector<4xi1>, vector<4xf32>
  %r = arith.select(%v < 0, %v, %v)
  // CHECK-NEXT: arith.maxsi %[[I]], %{{.*}} : i32
  %s = arith.maxsi(%i, %i)
  return
}

// Operands of the dialect's ops.
// CHECK-LABEL: func.func @operands(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32, %[[X:[^:]+]]: f32, %[[V:[^:]+]]: vector<4xf32>
func.func @operands(%A: !matrix, %i: i32, %x: f32, %v: !four) -> f32 {
  // CHECK-NEXT: %[[C:.*]] = arith.constant 2 : i32
  // CHECK-NEXT: %[[M:.*]] = arith.muli %[[I]], %[[C]]
  // CHECK-NEXT: %[[D:.*]] = arith.constant 1 : i32
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[M]], %[[D]]
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[S]]) : (i32) -> !cute.coord<"(?,_)">
  // CHECK-NEXT: %[[T:.*]] = cute.slice(%[[A]], %[[AT]])
  %t = cute.slice(%A, (%i * 2 + 1, _))
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK-NEXT: %[[C:.*]] = arith.constant 1 : i32
  // CHECK-NEXT: %[[J:.*]] = arith.addi %[[I]], %[[C]]
  // CHECK-NEXT: %[[AT:.*]] = cute.make_coord(%[[J]])
  // CHECK-NEXT: cute.store(%[[Y]], %[[T]], %[[AT]])
  cute.store(%x * %x, %t, %i + 1)
  // A number is of the elements' type.
  // CHECK: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %[[SUM:.*]] = cute.reduce_vector<"add", "4", "0"> (%{{.*}}, %[[Z]]) : (vector<4xf32>, f32) -> f32
  %sum = cute.reduce_vector<"add", "4", "0">(%v * %x, 0)
  // CHECK: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: cute.make_coord
  // CHECK-NEXT: cute.store(%[[Z]], %[[T]]
  cute.store(f32(0.0), %t, %i)
  return %sum : f32
}

// The shape of a vector goes through expressions.
// CHECK-LABEL: func.func @shapes(
func.func @shapes(%t: !cute.tensor<f32, gmem, align<16>, "(4,2):(1,4)">, %x: f32) -> f32 {
  %v = cute.load_vector(%t)
  %w = %v * %x
  // CHECK: cute.reduce_vector<"max", "(4,2)", "0">
  %m = cute.reduce_vector<"max", "0">(%w - 1, %x)
  return %m : f32
}

// A loop's variables are no expressions, and one may span lines.
// CHECK-LABEL: func.func @lines(
func.func @lines(%n: index, %x: f32) -> f32 {
  %c0 = 0 : index %c1 = 1 : index
  // CHECK: scf.for
  %s:2 = scf.for
      %k = %c0 to %n step %c1 iter_args(%a = %x,
                                        %b = %x) -> (f32, f32) {
    %y = %a    // a comment
         *
         (%b + 1.0)
    scf.yield %y, %a : f32, f32
  }
  return %s#0 : f32
}
