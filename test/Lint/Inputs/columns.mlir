// Each thread has a row of a tile, so that all of a warp read one bank.
gpu.module @m {
  gpu.func @columns(%out: !cute.tensor<f32, gmem, align<16>, "(32,32):(1,32)">)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %value = cute.static : !cute.layout<"(1,1):(0,0)">
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %copy = cute.make_tiled_copy(%atom, %threads, %value)
    %part = cute.partition_s(%copy, %s, %thread)
    %to = cute.partition_d(%copy, %out, %thread)
    cute.copy(%copy, %part, %to)
    gpu.return
  }
}
