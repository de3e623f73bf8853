// Floats that no integer holds become the nearest one, and NaN 0, as in PTX.
// RUN: cute-run %s --device=sim 'f32[4]:iota' | FileCheck %s
// CHECK: 0: 0 0 0 0
// CHECK-NEXT: 1: 2000000000 2000000000 -2000000000 1
// CHECK-NEXT: 2: 2147483647 -294967296 -2147483648 1
// CHECK-NEXT: 3: 2147483647 -1 -2147483648 1
!vector = !cute.tensor<f32, gmem, align<4>, "(4):(1)">

gpu.module @m {
  gpu.func @convert(%A: !vector) kernel attributes {
      known_block_size = array<i32: 4, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %scale = arith.constant 2.0e9 : f32
    %a = cute.load(%A, %t)
    %x = arith.mulf %a, %scale : f32
    %y = arith.negf %x : f32
    %nan_or_one = arith.divf %x, %x : f32
    %signed = arith.fptosi %x : f32 to i32
    %unsigned = arith.fptoui %x : f32 to i32
    %negative = arith.fptosi %y : f32 to i32
    %one = arith.fptosi %nan_or_one : f32 to i32
    gpu.printf "%d: %d %d %d %d\0A", %t, %signed, %unsigned, %negative, %one : i32, i32, i32, i32, i32
    gpu.return
  }
}
