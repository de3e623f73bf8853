// B = A, a tile of 64x64 by each block.
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @copies {
  gpu.func @copy(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg1.shape[0], 64)", "ceil_div(arg1.shape[1], 64)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %copy = cute.make_tiled_copy(!vector, (16,8):(8,1), (1,8):(0,1))
    %from, %pA = cute.predicated_tile_s(%copy, %A, (64,64), (%bm,%bn), %thread)
    %to, %pB = cute.predicated_tile_d(%copy, %B, (64,64), (%bm,%bn), %thread)
    %r = cute.make_fragment_like(%from)
    cute.clear(%r)
    cute.copy(%copy, %from, %r, %pA)
    cute.copy(%copy, %r, %to, %pB)
    gpu.return
  }
}
