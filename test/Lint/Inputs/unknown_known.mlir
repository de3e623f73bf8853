// A number that a loop hands on: only thread 0 gets to the wait.
!i = !cute.tensor<i32, gmem, align<4>, "?:1">
gpu.module @m {
  gpu.func @kept(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %thread = cute.thread_idx
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %thread) -> (i32) : i32 {
      scf.yield %x : i32
    }
    %is = arith.cmpi eq, %last, %c0 : i32
    scf.if %is {
      cute.warpgroup_wait<0> ()
    }
    gpu.return
  }

}
