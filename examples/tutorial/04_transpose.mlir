// Step 4: copies through shared memory, with a swizzle.
//
//   cutec examples/tutorial/04_transpose.mlir --arch=sm_80 -o 04_transpose.ptx
//
// B = transpose(A) for row-major matrices whose extents are multiples of 32. Rows
// are read and rows are written, because threads of a warp should access neighbours
// in global memory. Shared memory is in between, where the tile is written by rows
// and read by columns.

!matrix = !cute.tensor<f32, gmem, align<16>, "(?{div=32},?{div=32}):(?{i64 div=32},1)">

gpu.module @tutorial {
  gpu.func @transpose(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg0.shape[0] / 32", "arg0.shape[1] / 32"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %gA = cute.local_tile(%A, (32,32), (%bm,%bn))
    %gB = cute.local_tile(%B, (32,32), (%bn,%bm))

    // A row of 32 words is all 32 banks once, and a column of a plain layout one
    // bank 32 times. S<5,0,5> xors the number of the row into that of the column:
    // now a column has all banks, too.
    %s_layout = cute.static : !cute.composed_layout<"S<5,0,5> o 0 o (32,32):(32,1)">
    %sA = cute.alloc_smem<f32, 128> (%s_layout)

    // Transposing is to see the same bytes with the modes of the layout exchanged.
    %transposed = cute.static : !cute.composed_layout<"S<5,0,5> o 0 o (32,32):(1,32)">
    %s_pointer = cute.get_iter(%sA)
    %sB = cute.make_tensor(%s_pointer, %transposed)

    // A tiled copy: an atom, the threads, and how many values each has at a time.
    // It divides both sides of a copy alike.
    %element = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %copy = cute.make_tiled_copy(%element, (8,32):(32,1), (1,1):(0,0))
    %gA_t = cute.partition_s(%copy, %gA, %thread)
    %sA_t = cute.partition_d(%copy, %sA, %thread)
    %sB_t = cute.partition_s(%copy, %sB, %thread)
    %gB_t = cute.partition_d(%copy, %gB, %thread)

    %rA = cute.make_fragment_like(%gA_t)
    cute.copy(%copy, %gA_t, %rA)
    cute.copy(%copy, %rA, %sA_t)
    gpu.barrier
    %rB = cute.make_fragment_like(%sB_t)
    cute.copy(%copy, %sB_t, %rB)
    cute.copy(%copy, %rB, %gB_t)
    gpu.return
  }
}
