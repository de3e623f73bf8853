// B = A; a block copies 8 rows in two rounds.
!m = !cute.tensor<f32, gmem, align<4>, "(?,?):(?,1)">
gpu.module @m {
  gpu.func @k(%A: !m, %B: !m) kernel attributes {known_block_size = array<i32: 32, 4, 1>, cute.grid = ["ceil_div(arg1.shape[1], 32)", "ceil_div(arg1.shape[0], 8)"]} {
    %x = cute.thread_idx<"x">
    %y = cute.thread_idx<"y">
    %M, %N = cute.get_scalars(cute.get_shape(%B))
    %c = cute.block_idx<"x"> * 32 + %x
    for %k in i32(0)..i32(2) {
      %r = cute.block_idx<"y"> * 8 + %y + %k * 4
      if %r <s %M and %c <s %N { %B[%r,%c] = %A[%r,%c] }
    }
    gpu.return
  }
}
