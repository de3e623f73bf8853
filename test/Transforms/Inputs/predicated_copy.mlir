// B = A for matrices of any size, whose rows begin anywhere: 8 elements a thread, each
// with a predicate.
!matrix = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">

gpu.module @kernels {
  gpu.func @copy(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[0], 8)", "ceil_div(arg0.shape[1], 32)"]} {
    %i = cute.block_idx
    %j = cute.block_idx<"y">
    %thread = cute.thread_idx
    %identity = cute.make_identity_tensor(%A)
    %gA = cute.local_tile(%A, (8,32), (%i,%j))
    %gB = cute.local_tile(%B, (8,32), (%i,%j))
    %cA = cute.local_tile(%identity, (8,32), (%i,%j))
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %copy = cute.make_tiled_copy(%atom, (4,8):(8,1), (2,4):(4,1))
    %from = cute.partition_s(%copy, %gA, %thread)
    %to = cute.partition_d(%copy, %gB, %thread)
    %at = cute.partition_s(%copy, %cA, %thread)
    %r = cute.make_fragment_like(%from)
    %p = cute.make_predicate(%at, %A)
    cute.copy(%copy, %from, %r, %p)
    cute.copy(%copy, %r, %to, %p)
    gpu.return
  }
}
