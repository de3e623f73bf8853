// Expressions, loops and branches instead of ops of arith, math, vector and
// scf, and no types that follow from others.
// RUN: cute-opt %s --cute-sugar > %t
// RUN: FileCheck %s < %t
// RUN: cute-opt %t --cute-sugar | diff %t -

!matrix = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">

// CHECK-LABEL: func.func @operators(
// CHECK-SAME: [[I:%[^:]+]]: i32, [[N:%[^:]+]]: i32, [[K:%[^:]+]]: index, [[X:%[^:]+]]: f32, [[V:%[^:]+]]: vector<4xf32>, [[P:%[^:]+]]: i1
func.func @operators(%i: i32, %n: i32, %k: index, %x: f32, %v: vector<4xf32>, %p: i1) -> (i32, f32, i1, vector<4xf32>) {
  // CHECK-NEXT: [[A:%[^ ,)]+]] = [[I]] + [[N]] /u 2 - ([[I]] - [[N]]) * 3
  %a = %i + %n /u 2 - (%i - %n) * 3
  // CHECK-NEXT: [[B:%[^ ,)]+]] = -[[X]] * 2.0
  %b = -%x * 2.0
  // CHECK-NEXT: [[C:%[^ ,)]+]] = [[K]] < 4 and [[I]] <u [[N]] and [[I]] & 7 == 0
  %c = %k < 4 and %i <u %n and %i & 7 == 0
  // CHECK-NEXT: [[D:%[^ ,)]+]] = math.exp2<afn>([[V]])
  %d = math.exp2<afn>(%v)
  // A sum that is used twice has a name, and so has a broadcast.
  // CHECK-NEXT: [[S:%[^ ,)]+]] = [[X]] + 1.0
  // CHECK-NEXT: [[BS:%[^ ,)]+]] = [[S]] : vector<4xf32>
  %s = %x + 1.0
  // CHECK-NEXT: [[E:%[^ ,)]+]] = [[D]] * [[BS]] + arith.select([[P]], [[D]], 0xFF800000)
  %e = %d * %s + arith.select(%p, %d, 0xFF800000)
  // CHECK-NEXT: [[F:%[^ ,)]+]] = f32s(maxu([[I]], 1)) * [[S]] + [[B]]
  %f = f32s(maxu(%i, 1)) * %s + %b
  // CHECK-NEXT: return [[A]], [[F]], [[C]], [[E]]
  return %a, %f, %c, %e : i32, f32, i1, vector<4xf32>
}

// What expressions cannot say stays.
// CHECK-LABEL: func.func @others(
func.func @others(%i: i32, %x: f32, %n: none) -> (i32, f32, i1, tensor<2xf32>) {
  // CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  %a = arith.addi %i, %i overflow<nsw> : i32
  // CHECK-NEXT: arith.addf<contract>(%{{.*}}, %{{.*}})
  %b = arith.addf %x, %x fastmath<contract> : f32
  // CHECK-NEXT: arith.cmpf uno, %{{.*}}, %{{.*}} : f32
  %c = arith.cmpf uno, %x, %x : f32
  // CHECK-NEXT: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-NEXT: return
  return %a, %b, %c, %d : i32, f32, i1, tensor<2xf32>
}

// CHECK-LABEL: func.func @control(
// CHECK-SAME: [[N:%[^:]+]]: i32, [[K:%[^:]+]]: index, [[X:%[^:]+]]: f32, [[P:%[^:]+]]: i1
func.func @control(%n: i32, %k: index, %x: f32, %p: i1) -> (f32, f32) {
  // CHECK-NEXT: [[S:%[^:]+]]:2 = for [[I:%[^ ,)]+]] in 0..[[N]] step 2 carry([[A:%[^ ,)]+]] = 0.0 : f32, [[B:%[^ ,)]+]] = [[X]]) {
  %s, %t = for %i in 0..%n step 2 carry(%a = 0.0 : f32, %b = %x) {
    // CHECK-NEXT: yield [[A]] + [[B]], 1.0 : f32
    yield %a + %b, 1.0
    // CHECK-NEXT: } {cute.unroll = "none"}
  } {cute.unroll = "none"}
  // CHECK-NEXT: for %{{.*}} in 0..4 {
  for %i in 0..4 {
  }
  // CHECK-NEXT: }
  // CHECK-NEXT: [[C:%[^ ,)]+]] = 0 : index
  // CHECK-NEXT: for %{{.*}} in [[C]]..8 {
  %c = 0 : index
  for %i in %c..8 {
  }
  // CHECK-NEXT: }
  // CHECK-NEXT: [[Y:%[^ ,)]+]] = if [[P]] {
  // CHECK-NEXT: yield [[X]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: yield [[S]]#1 * 2.0
  // CHECK-NEXT: }
  %y = if %p {
    yield %x
  } else {
    yield %t * 2.0
  }
  // CHECK-NEXT: scf.while
  %w = scf.while (%z = %x) : (f32) -> f32 {
    scf.condition(%p) %z : f32
  } do {
  ^bb0(%z: f32):
    // CHECK: scf.yield %{{.*}} : f32
    scf.yield %z : f32
  }
  return %y, %w : f32, f32
}

// CHECK-LABEL: func.func @own(
// CHECK-SAME: [[A:%[^:]+]]: !cute.tensor{{.*}}, [[I:%[^:]+]]: i32
func.func @own(%A: !matrix, %i: i32) {
  // CHECK-NEXT: [[N:%[^ ,)]+]] = cute.get_scalars(cute.size<[0]>([[A]])) ceildivu 64
  %n = cute.size<[0]>(%A) ceildivu 64
  // The type says which coordinate.
  // CHECK-NEXT: [[AT:%[^ ,)]+]] = cute.make_coord([[N]]) : (i32) -> !cute.coord<"(?,0)">
  // CHECK-NEXT: [[X:%[^ ,)]+]] = cute.load([[A]], [[AT]]) * 2.0
  // CHECK: cute.store([[X]], [[A]], %{{.*}})
  %A[%i,0] = %A[%n,0] * 2
  // CHECK-NEXT: %{{.*}} = cute.get_shape([[A]]) {note}
  %s = cute.get_shape(%A) {note} : !matrix -> !cute.shape<"(?,?)">
  // CHECK-NEXT: cute.print(cute.get_layout([[A]]))
  cute.print(cute.get_layout(%A))
  return
}
