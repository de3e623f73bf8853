// C = A * transpose(B) in f64 on tensor cores, for row-major matrices A (MxK), B (NxK)
// and C (MxN) of any size and with any row pitch.
//
//   cutec examples/gemm_f64.mlir --arch=sm_80 -o gemm_f64.ptx
//
// How the work is split:
//
//   block     a 128x128 tile of C, from 128x16 tiles of A and B along K
//   warp      8 warps as 4x2, each 32x64 of the tile
//   instruction   mma.sync 8x8x4; a warp has 4x8 of them for each step along K
//
// and how the data moves:
//
//   global -> shared     cp.async, one element (8 bytes) a thread, so that nothing is
//                        asked of sizes and pitches; three tiles deep
//   shared -> registers  plain loads of 8 bytes, all of a tile before its MMAs: there
//                        is no ldmatrix for elements of 64 bits
//   registers -> global  each thread's elements, two neighbours in a row
//
// The instruction takes one element of A and of B from each thread, so that a warp
// reads 8 rows by 4 columns at a time, and in halves: 4 rows by 4 columns of 8 bytes,
// once around the 32 banks. Rows of 16 elements are once around, too, and without a
// swizzle the 4 rows would meet in the same 8 banks. S<2,2,2> xors the row number
// modulo 4 into the number of the group of 4 columns.

!matrix = !cute.tensor<f64, gmem, align<8>, "(?,?):(?{i64},1)">

gpu.module @gemm_f64_module {
  gpu.func @gemm_f64(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    %tile = cute.static : !cute.shape<"(128,128,16)">
    %gA = cute.local_tile<"(1,_,1)"> (%A, %tile, (%bm,%bn,_))
    %gB = cute.local_tile<"(_,1,1)"> (%B, %tile, (%bm,%bn,_))
    %gC = cute.local_tile<"(1,1,_)"> (%C, %tile, (%bm,%bn,_))

    // The same tiles of coordinates say which elements exist.
    %A_shape = cute.get_shape(%A)
    %B_shape = cute.get_shape(%B)
    %C_shape = cute.get_shape(%C)
    %A_identity = cute.make_identity_tensor(%A_shape)
    %B_identity = cute.make_identity_tensor(%B_shape)
    %C_identity = cute.make_identity_tensor(%C_shape)
    %cA = cute.local_tile<"(1,_,1)"> (%A_identity, %tile, (%bm,%bn,_))
    %cB = cute.local_tile<"(_,1,1)"> (%B_identity, %tile, (%bm,%bn,_))
    %cC = cute.local_tile<"(1,1,_)"> (%C_identity, %tile, (%bm,%bn,_))

    // Tiles of 128x16, three of each.
    %s_layout = cute.tile_to_shape(S<2,2,2> o 0 o (4,16):(16,1), (128,16,3))
    %sA = cute.alloc_smem<f64, 128> (%s_layout)
    %sB = cute.alloc_smem<f64, 128> (%s_layout)

    // Global to shared: 16 rows of 16 threads, one element each.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>", f64>
    %g2s = cute.make_tiled_copy(%async, (16,16):(16,1), (1,1):(0,0))
    %gA_read = cute.partition_s(%g2s, %gA, %thread)
    %gB_read = cute.partition_s(%g2s, %gB, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)
    %cA_read = cute.partition_s(%g2s, %cA, %thread)
    %cB_read = cute.partition_s(%g2s, %cB, %thread)

    %warps = cute.static : !cute.layout<"(4,2,1):(1,4,0)">
    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM80_8x8x4_F64F64F64F64_TN">, %warps)
    %tCgC = cute.partition_c(%mma, %gC, %thread)
    %rA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA[_,_,0], %thread))
    %rB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB[_,_,0], %thread))
    %rC = cute.make_fragment_c(%mma, %tCgC)
    cute.clear(%rC)

    // Shared to registers, as the MMA wants it, of any stage.
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f64>
    %sA_read = cute.partition_a(%mma, %sA, %thread)
    %sB_read = cute.partition_b(%mma, %sB, %thread)

    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    // Fetch the first two tiles. What is fetched for one tile is one group; tiles
    // past the end of K are zeros.
    for %k in 0..2 {
      %pA = cute.make_predicate(%cA_read[0,_,_,%k], %A_shape)
      %pB = cute.make_predicate(%cB_read[0,_,_,%k], %B_shape)
      cute.copy(%g2s, %gA_read[_,_,_,%k], %sA_write[_,_,_,%k], %pA)
      cute.copy(%g2s, %gB_read[_,_,_,%k], %sB_write[_,_,_,%k], %pB)
      cute.cp_async_commit
    }

    %r, %w = for %k in 0..(%K + 15) /u 16 carry(%read = 0 : i32, %write = 2 : i32) {
      // Tile k is there when at most one group, that of tile k + 1, is under way.
      // The barrier makes it visible to all threads, and says that all of them are
      // done with the stage that is written next.
      cute.cp_async_wait<1>
      gpu.barrier
      %ahead = %k + 2
      %gA_k = cute.slice(%gA_read, (_,_,_,%ahead))
      %gB_k = cute.slice(%gB_read, (_,_,_,%ahead))
      %sA_k = cute.slice(%sA_write, (_,_,_,%write))
      %sB_k = cute.slice(%sB_write, (_,_,_,%write))
      %cA_k = cute.slice(%cA_read, (0,_,_,%ahead))
      %cB_k = cute.slice(%cB_read, (0,_,_,%ahead))
      %pA = cute.make_predicate(%cA_k, %A_shape)
      %pB = cute.make_predicate(%cB_k, %B_shape)
      cute.copy(%g2s, %gA_k, %sA_k, %pA)
      cute.copy(%g2s, %gB_k, %sB_k, %pB)
      cute.cp_async_commit

      cute.copy(%load, %sA_read[_,_,_,%read], %rA)
      cute.copy(%load, %sB_read[_,_,_,%read], %rB)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)

      // The stages go round: 0, 1, 2, 0 ...
      %read_1 = %read + 1
      yield arith.select(%read_1 == 3, 0, %read_1), %read
    }
    cute.cp_async_wait<0>

    %tCcC = cute.partition_c(%mma, %cC, %thread)
    %pC = cute.make_predicate(%tCcC, %C_shape)
    cute.basic_copy_if(%pC, %rC, %tCgC)
    gpu.return
  }
}
