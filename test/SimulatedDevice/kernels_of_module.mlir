// The static shared memory of a module's kernels lies at the same place: none counts for another.
// RUN: cute-run --device=sim %s --kernel=first 'f32[32]:iota' 'f32[32]:poison' --check 'B[i] = A[31 - i]' --tolerance=0 --report=text | FileCheck %s --check-prefix=FIRST
// RUN: cute-run --device=sim %s --kernel=second 'f32[32]:iota' 'f32[32]:poison' --check 'B[i] = A[31 - i] + 1' --tolerance=0 --report=text | FileCheck %s --check-prefix=SECOND
// FIRST: first: 1 block of 32 threads, 40000 bytes of shared memory each
// SECOND: second: 1 block of 32 threads, 128 bytes of shared memory each

!row = !cute.tensor<f32, gmem, align<4>, "32:1">

gpu.module @both {
  gpu.func @first(%A: !row, %B: !row) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %s = cute.alloc_smem<f32, 16> (10000:1)
    %s[%t] = %A[%t]
    gpu.barrier
    %back = 31 - %t
    %B[%t] = %s[%back]
    gpu.return
  }
  gpu.func @second(%A: !row, %B: !row) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %s = cute.alloc_smem<f32, 16> (32:1)
    %s[%t] = %A[%t] + 1.0
    gpu.barrier
    %back = 31 - %t
    %B[%t] = %s[%back]
    gpu.return
  }
}
