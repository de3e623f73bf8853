!row = !cute.tensor<f32, gmem, align<16>, "128:1">
!tile = !cute.layout<"(32,32):(32,1)">

gpu.module @kernels {
  // First: a race, whose message names a line.
  gpu.func @exchange(%A: !row, %B: !row) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx
    %c127 = arith.constant 127 : i32
    %other = arith.subi %c127, %thread : i32
    %s = cute.alloc_smem<f32, 16> (128:1)
    %x = cute.load(%A, %thread)
    cute.store(%x, %s, %thread)
    %y = cute.load(%s, %other)
    cute.store(%y, %B, %thread)
    gpu.return
  }

  // Second: bank conflicts, which are hints.
  gpu.func @columns(%A: !cute.tensor<f32, gmem, align<16>, "(32,32):(32,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = cute.thread_idx
    %layout = cute.static : !tile
    %s = cute.alloc_smem<f32, 128> (%layout)
    %stored = cute.load(%A, (%thread,0))
    cute.store(%stored, %s, (%thread,0))
    gpu.return
  }

  // Third: hints only.
  gpu.func @row(%A: !row) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx
    %s = cute.alloc_smem<f32, 16> (128:1)
    %x = cute.load(%A, %thread)
    cute.store(%x, %s, %thread)
    gpu.return
  }
}
