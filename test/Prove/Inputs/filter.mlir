// B[i] = A[i] + A[i + 5].
!A = !cute.tensor<f32, gmem, align<4>, "?:1">

gpu.module @filter_module {
  gpu.func @filter(%A: !A, %B: !A) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["ceil_div(arg1.shape[0], 128)"]} {
    %block = cute.block_idx<"x">
    %thread = cute.thread_idx<"x">
    %c5 = arith.constant 5 : i32
    %c128 = arith.constant 128 : i32
    %c1 = arith.constant 1 : i32
    %all = arith.constant 1000000000 : i32
    %first = arith.muli %block, %c128 : i32
    %i = arith.addi %first, %thread : i32
    %far = arith.addi %i, %c5 : i32
    %next = arith.addi %i, %c1 : i32
    %shape = cute.get_shape(%B)
    %n = cute.get_scalars(%shape)
    %in = arith.cmpi slt, %i, %n : i32
    scf.if %in {
      %x = cute.load(%A, %i)
      %y = cute.load(%A, %far)
      %v = arith.addf %x, %y : f32
      cute.store(%v, %B, %i)
    }
    gpu.return
  }
}
