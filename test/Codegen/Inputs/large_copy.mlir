gpu.module @m {
  gpu.func @to_memory(%B: !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %l = cute.static : !cute.layout<"(128,64):(1,129)">
    %s = cute.alloc_smem<f32, 128> (%l)
    cute.basic_copy(%s, %B)
    gpu.return
  }
  gpu.func @to_registers(%A: !cute.tensor<f32, gmem, align<4>, "600:1">, %B: !cute.tensor<f32, gmem, align<4>, "1:1">) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %l = cute.static : !cute.layout<"600:1">
    %r = cute.make_fragment<f32> (%l)
    cute.basic_copy(%A, %r)
    %c = cute.static : !cute.coord<"599">
    %v = cute.load(%r, %c)
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %B, %z)
    gpu.return
  }
}
