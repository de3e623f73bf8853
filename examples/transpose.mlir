// B = transpose(A) for a row-major matrix A of any size, through shared memory.
//
//   cutec examples/transpose.mlir --arch=sm_80 -o transpose.ptx
//
// Reading rows and writing columns directly would make one of the two touch a
// different cache line with every thread. So a block reads a 64x64 tile row by
// row, leaves it in shared memory, and writes it row by row of B.
//
// The tile in shared memory is read across its rows. Were it stored plainly,
// 32 threads that read one column would all meet in one of the 32 banks. The
// swizzle S<5,1,5> permutes each row by its row number: element (r, c) moves to
// word c/2 xor r of its row, so a column is spread over all banks, and a row
// still is.

!matrix = !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">

gpu.module @transpose_module {
  gpu.func @transpose(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[1], 64)",
                               "ceil_div(arg0.shape[0], 64)"]} {
    %x = gpu.block_id x
    %bn = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %bm = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32

    // The tile of A, and the tile of B that it becomes.
    %tile = cute.static : !cute.shape<"(64,64)">
    %coord_A = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %coord_B = cute.make_coord(%bn, %bm) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%A, %tile, %coord_A)
    %gB = cute.local_tile(%B, %tile, %coord_B)

    // The same bytes of shared memory twice: as rows, and with the modes of the
    // layout exchanged, which is all that transposing is.
    %s_layout = cute.static : !cute.composed_layout<"S<5,1,5> o 0 o (64,64):(64,1)">
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sT_layout = cute.static : !cute.composed_layout<"S<5,1,5> o 0 o (64,64):(1,64)">
    %s_pointer = cute.get_iter(%sA)
    %sB = cute.make_tensor(%s_pointer, %sT_layout)

    // One tiled copy serves both ways: 8 rows of 32 threads, one element each,
    // repeated 8x2 times over the tile.
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
    %threads = cute.static : !cute.layout<"(8,32):(32,1)">
    %values = cute.static : !cute.layout<"(1,1):(0,0)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %tAgA = cute.partition_s(%copy, %gA, %thread)
    %tAsA = cute.partition_d(%copy, %sA, %thread)
    %tBsB = cute.partition_s(%copy, %sB, %thread)
    %tBgB = cute.partition_d(%copy, %gB, %thread)

    // Coordinates of those elements in A and B tell which of them exist.
    %A_layout = cute.get_layout(%A)
    %A_shape = cute.get_shape(%A_layout)
    %A_identity = cute.make_identity_tensor(%A_shape)
    %cA = cute.local_tile(%A_identity, %tile, %coord_A)
    %tAcA = cute.partition_s(%copy, %cA, %thread)
    %B_layout = cute.get_layout(%B)
    %B_shape = cute.get_shape(%B_layout)
    %B_identity = cute.make_identity_tensor(%B_shape)
    %cB = cute.local_tile(%B_identity, %tile, %coord_B)
    %tBcB = cute.partition_s(%copy, %cB, %thread)
    %first_value = cute.static : !cute.coord<"(0,_,_)">
    %tAcA_0 = cute.slice(%tAcA, %first_value)
    %tBcB_0 = cute.slice(%tBcB, %first_value)
    %pA = cute.make_predicate(%tAcA_0, %A_shape)
    %pB = cute.make_predicate(%tBcB_0, %B_shape)

    // All loads are issued before the first store needs its value.
    %rA = cute.make_fragment_like(%tAgA)
    cute.copy(%copy, %tAgA, %rA, %pA)
    cute.copy(%copy, %rA, %tAsA)
    gpu.barrier
    %rB = cute.make_fragment_like(%tBsB)
    cute.copy(%copy, %tBsB, %rB)
    cute.copy(%copy, %rB, %tBgB, %pB)
    gpu.return
  }
}
