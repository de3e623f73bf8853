// B = transpose(A) for a row-major matrix A of any size, through shared memory.
//
//   cutec examples/transpose.mlir --arch=sm_80 -o transpose.ptx
//
// Reading rows and writing columns directly would make one of the two touch a
// different cache line with every thread. So a block reads a 128x128 tile row by
// row, leaves it in shared memory, and writes it row by row of B. Where rows
// begin at multiples of 16 bytes, each access to A and B moves 8 elements.
//
// The tile in shared memory is written in pieces of 8 elements of a row, and read
// across its rows: a thread makes 8 elements of a row of B from 8 rows. Were it
// stored plainly, threads that are neighbours in B would read the same banks. The
// swizzle S<4,3,7> permutes the 16 pieces of a row by the row number divided by
// 8, so what such threads read at a time is spread over the banks.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!aligned = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @transpose_module {
  gpu.func @transpose(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[1], 128)",
                               "ceil_div(arg0.shape[0], 128)"]} {
    %bn = cute.block_idx
    %bm = cute.block_idx<"y">
    %thread = cute.thread_idx

    // Of A, and of the tile of B that it becomes.
    %tile = cute.static : !cute.shape<"(128,128)">

    // The same bytes of shared memory twice: as rows, and with the modes of the
    // layout exchanged, which is all that transposing is.
    %sA = cute.alloc_smem<f16, 128> (S<4,3,7> o 0 o (128,128):(128,1))
    %sB = cute.make_tensor(cute.get_iter(%sA), S<4,3,7> o 0 o (128,128):(1,128))

    // 16 rows of 16 threads with 8 elements each, repeated 8 times over the tile.
    // Of a tile of B a warp has half a row in 4 rows, which are different banks of
    // shared memory. The two copies of each kind give a thread the same elements,
    // in one access or in 8.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %single = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
    %threads = cute.static : !cute.layout<"(16,16):(16,1)">
    %threads_B = cute.static : !cute.layout<"(16,(8,2)):(8,(1,128))">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %A_by_8 = cute.make_tiled_copy(%vector, %threads, %values)
    %A_by_1 = cute.make_tiled_copy(%single, %threads, %values)
    %B_by_8 = cute.make_tiled_copy(%vector, %threads_B, %values)
    %B_by_1 = cute.make_tiled_copy(%single, %threads_B, %values)
    %tAsA = cute.partition_d(%A_by_8, %sA, %thread)
    %tBsB = cute.partition_s(%B_by_1, %sB, %thread)

    // Coordinates of those elements in A and B tell which of them exist.
    %A_shape = cute.get_shape(%A)
    %B_shape = cute.get_shape(%B)
    %cA = cute.local_tile(cute.make_identity_tensor(%A_shape), %tile, (%bm,%bn))
    %cB = cute.local_tile(cute.make_identity_tensor(%B_shape), %tile, (%bn,%bm))

    // Whether all rows begin at multiples of 8 elements, and end there.
    %A_layout = cute.get_layout(%A)
    %B_layout = cute.get_layout(%B)
    %M, %N, %A_pitch = cute.get_scalars<{only_dynamic}> (%A_layout)
    %N_B, %M_B, %B_pitch = cute.get_scalars<{only_dynamic}> (%B_layout)
    %are_aligned = (i64u(%M | %N) | (%A_pitch | %B_pitch)) & 7 == 0

    // All loads are issued before the first store needs its value.
    %rA = cute.make_fragment_like(%tAsA)
    if %are_aligned {
      %A_8 = cute.assume(%A) : !matrix -> !aligned
      %tAgA = cute.partition_s(%A_by_8, cute.local_tile(%A_8, %tile, (%bm,%bn)), %thread)
      %tAcA = cute.partition_s(%A_by_8, %cA, %thread)
      %pA = cute.make_predicate(%tAcA[0,_,_], %A_shape)
      cute.copy(%A_by_8, %tAgA, %rA, %pA)
    } else {
      %tAgA = cute.partition_s(%A_by_1, cute.local_tile(%A, %tile, (%bm,%bn)), %thread)
      %tAcA = cute.partition_s(%A_by_1, %cA, %thread)
      %pA = cute.make_predicate(%tAcA, %A_shape)
      cute.basic_copy_if(%pA, %tAgA, %rA)
    }
    cute.copy(%A_by_8, %rA, %tAsA)
    gpu.barrier

    %rB = cute.make_fragment_like(%tBsB)
    cute.copy(%B_by_1, %tBsB, %rB)
    if %are_aligned {
      %B_8 = cute.assume(%B) : !matrix -> !aligned
      %tBgB = cute.partition_d(%B_by_8, cute.local_tile(%B_8, %tile, (%bn,%bm)), %thread)
      %tBcB = cute.partition_d(%B_by_8, %cB, %thread)
      %pB = cute.make_predicate(%tBcB[0,_,_], %B_shape)
      %rB_8 = cute.retile(%B_by_8, %rB)
      cute.copy(%B_by_8, %rB_8, %tBgB, %pB)
    } else {
      %tBgB = cute.partition_d(%B_by_1, cute.local_tile(%B, %tile, (%bn,%bm)), %thread)
      %tBcB = cute.partition_d(%B_by_1, %cB, %thread)
      %pB = cute.make_predicate(%tBcB, %B_shape)
      cute.basic_copy_if(%pB, %rB, %tBgB)
    }
    gpu.return
  }
}
