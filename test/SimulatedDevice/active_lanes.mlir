// Lanes in a branch agree on one of them, which adds for all, and the warp goes on together:
// activemask tells who is in the branch, not who has not ended.
// RUN: cute-run --device=sim %s 'i32[64]:poison' 'i32[4]:zeros' --schedules=5 --tolerance=0 --check 'A[i] = max(0, min(1, 40 - i)) * (min(1, max(0, i - 31)) * 8 + (1 - min(1, max(0, i - 31))) * 32)'
// RUN: cute-run --device=sim %s 'i32[64]:poison' 'i32[4]:zeros' --report | FileCheck %s
// CHECK: 1 block of 64 threads

!ints = !cute.tensor<i32, gmem, align<4>, "64:1">
!sums = !cute.tensor<i32, gmem, align<4>, "4:1">

gpu.module @active_lanes {
  gpu.func @count(%A: !ints, %B: !sums) kernel attributes {
      known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %zero = arith.constant 0 : i32
    %last = arith.constant 40 : i32
    cute.store(%zero, %A, %t)
    %is_in = arith.cmpi ult, %t, %last : i32
    scf.if %is_in {
      %lanes = llvm.inline_asm has_side_effects "{ .reg .b32 m; activemask.b32 m; popc.b32 $0, m; bar.warp.sync m; }", "=r" : () -> i32
      cute.store(%lanes, %A, %t)
    }
    gpu.barrier
    gpu.return
  }
}
