!v = !cute.tensor<f32, gmem, align<4>, "64:1">

gpu.module @m {
  gpu.func @never_written(%A: !v, %B: !v) kernel attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %i = cute.thread_idx
    %r = cute.make_fragment<f32> (4:1)
    for %k in 0..3 {
      %r[%k] = %A[%i]
    }
    %B[%i] = %r[3]
    gpu.return
  }
}
