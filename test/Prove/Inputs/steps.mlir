// Blocks along x write steps of 6 elements, along y of 4.
!v = !cute.tensor<f32, gmem, align<16>, "(?):(1)">
gpu.module @m {
  gpu.func @k(%A: !v) kernel attributes {known_block_size = array<i32: 8, 1, 1>, cute.grid = ["ceil_div(arg0.shape[0], 6)", "2"]} {
    %b = cute.block_idx
    %c = cute.block_idx<"y">
    %t = cute.thread_idx
    %i = %b * 6 + %c * 4 + %t
    %n = cute.get_scalars(cute.get_shape(%A))
    if %i <s %n { cute.store(f32(1.0), %A, %i) }
    gpu.return
  }
}
