// Block b writes tile (b,b) alone.
gpu.module @m {
  gpu.func @diagonal(%O: !cute.tensor<f32, gmem, align<4>, "(?{div=32},?{div=32}):(?{i64},1)">) kernel attributes {known_block_size = array<i32: 32, 32, 1>, cute.grid = ["arg0.shape[0] / 32"]} {
    %x = cute.thread_idx
    %y = cute.thread_idx<"y">
    %b = cute.block_idx
    %n = cute.size<1>(%O)
    if %b * 32 <s %n {
      %O[%b * 32 + %y,%b * 32 + %x] = 1.0
    }
    gpu.return
  }
}
