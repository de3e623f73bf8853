// RUN: cute-opt %s --cute-count-loops 2>&1 | FileCheck %s
// RUN: sed -f %S/Inputs/count_loops.sed %examples/gemm_plain.mlir > %t.mlir
// RUN: cute-opt %t.mlir '--cute-optimize=arch=sm_90a' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GEMM
// GEMM: remark: a separate warp loads the loop's tiles
// RUN: cute-run --device=sim --arch=sm_90a --passes=cute-optimize %t.mlir 'f16[136x200]:normal(1)' 'f16[72x200]:normal(2)' 'f16[136x72]:poison' --check 'C[m,n] = sum[k](A[m,k] * B[n,k])' --tolerance=2e-3
// RUN: sed 's/%%next = %%k + 1/%%next = %%k * 2/' %t.mlir | cute-opt - '--cute-optimize=arch=sm_90a' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: a loop with products is not followed: scf.while must compare, by <, a number with a bound that is known before, and each round must add a constant to it

// A loop that counts is an scf.for; the counter after it follows from the bounds.
// CHECK-LABEL: @counts(
// CHECK: %[[END:.*]] = arith.addi %arg0, %c7_i32
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0_i32 to %[[END]] step %c3_i32 iter_args(%[[X:.*]] = %arg1) -> (f32) : i32 {
// CHECK:   arith.addf %[[X]], %[[X]]
// CHECK: arith.maxsi
// CHECK: return %{{.*}}, %[[SUM]]
func.func @counts(%n: i32, %x: f32) -> (i32, f32) {
  %c0 = arith.constant 0 : i32
  %r:2 = scf.while (%i = %c0, %y = %x) : (i32, f32) -> (i32, f32) {
    %c7 = arith.constant 7 : i32
    %m = arith.addi %n, %c7 : i32
    %t = arith.cmpi slt, %i, %m : i32
    scf.condition(%t) %i, %y : i32, f32
  } do {
  ^bb0(%i: i32, %y: f32):
    %z = arith.addf %y, %y : f32
    %c3 = arith.constant 3 : i32
    %j = arith.addi %i, %c3 : i32
    scf.yield %j, %z : i32, f32
  }
  return %r#0, %r#1 : i32, f32
}

// Unsigned numbers, the bound on the left, the counter second, and steps of the grid.
// CHECK-LABEL: @unsigned(
// CHECK: %[[GRID:.*]] = cute.grid_dim
// CHECK: scf.for unsigned %{{.*}} = %arg1 to %arg0 step %[[GRID]] iter_args
// CHECK-NOT: scf.while
func.func @unsigned(%n: i32, %first: i32, %x: f32) -> f32 {
  %r:2 = scf.while (%y = %x, %i = %first) : (f32, i32) -> (f32, i32) {
    %t = arith.cmpi ugt, %n, %i : i32
    scf.condition(%t) %y, %i : f32, i32
  } do {
  ^bb0(%y: f32, %i: i32):
    %z = arith.addf %y, %y : f32
    %step = cute.grid_dim
    %j = arith.addi %i, %step : i32
    scf.yield %z, %j : f32, i32
  }
  return %r#0 : f32
}

// Other loops stay: one that counts down, one whose bound is carried, one that passes on
// something else, one whose condition reads memory, and one that uses its test elsewhere.
// CHECK-LABEL: @others(
// CHECK-COUNT-5: scf.while
func.func @others(%n: i32, %memory: !cute.tensor<i32, gmem, align<4>, "8:1">) {
  %c0 = arith.constant 0 : i32
  %cm1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %a = scf.while (%i = %c0) : (i32) -> i32 {
    %t = arith.cmpi slt, %i, %n : i32
    scf.condition(%t) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %cm1 : i32
    scf.yield %j : i32
  }
  %b:2 = scf.while (%i = %c0, %m = %n) : (i32, i32) -> (i32, i32) {
    %t = arith.cmpi slt, %i, %m : i32
    scf.condition(%t) %i, %m : i32, i32
  } do {
  ^bb0(%i: i32, %m: i32):
    %j = arith.addi %i, %c1 : i32
    %less = arith.subi %m, %c1 : i32
    scf.yield %j, %less : i32, i32
  }
  %c = scf.while (%i = %c0) : (i32) -> i32 {
    %t = arith.cmpi slt, %i, %n : i32
    %next = arith.addi %i, %c1 : i32
    scf.condition(%t) %next : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  %d = scf.while (%i = %c0) : (i32) -> i32 {
    %m = cute.load(%memory, 0)
    %t = arith.cmpi slt, %i, %m : i32
    scf.condition(%t) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  %e = scf.while (%i = %c0) : (i32) -> i32 {
    %t = arith.cmpi slt, %i, %n : i32
    %u = arith.extui %t : i1 to i32
    scf.condition(%t) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  return
}
