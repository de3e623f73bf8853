// The bits of a negative number: -8 ^ i is i - 8 for i below 8. It is a call that does not
// end if xor hands the number to itself as the other operand.
// RUN: cutec %s --prove | FileCheck %s
// CHECK: negative: proved: every access of global memory is in bounds, for every size

!vector = !cute.tensor<f32, gmem, align<4>, "8:1">

gpu.module @m {
  gpu.func @negative(%A: !vector) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %eight = arith.constant 8 : i32
    %minus = arith.constant -8 : i32
    %flipped = arith.xori %minus, %thread : i32
    %i = arith.addi %flipped, %eight : i32
    %a = cute.load(%A, %i)
    cute.store(%a, %A, %i)
    gpu.return
  }
}
