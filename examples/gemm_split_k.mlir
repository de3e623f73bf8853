// C += A * transpose(B) with K split over blocks, for row-major f16 matrices A (MxK) and
// B (NxK) and an f32 matrix C (MxN), for any M and N and multiples of 8 as K.
//
//   cutec examples/gemm_split_k.mlir --arch=sm_80 -o gemm_split_k.ptx
//
// A GEMM with a small C and a long K has few tiles of C, fewer than there are
// processors. So the tiles of 64 along K are dealt out to `splits` blocks for each
// tile of C, which is the kernel's last argument: block z takes tiles z, z + splits,
// and so on. Each adds its sums to C, which is zero in the beginning or has what is
// to be added to.
//
// Adding is a copy like others, whose atom is red.global.add: SM60_RED_ADD_F32. The
// order in which blocks add is not fixed, and so the last bits of the result may
// differ from run to run.
//
// The rest is as in examples/tutorial/08_cp_async.mlir: tiles of 128x64, three stages
// of cp.async, 2x2 warps.

!A = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!C = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">

gpu.module @gemm_split_k_module {
  gpu.func @gemm_split_k(%A: !A, %B: !A, %C: !C, %splits: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)", "arg3"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %split = cute.block_idx<"z">
    %thread = cute.thread_idx

    %tile = cute.static : !cute.shape<"(128,128,64)">
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

    // Rows of 128 bytes, whose 16-byte pieces S<3,3,3> permutes by the row number,
    // for ldmatrix; three stages.
    %s_layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (128,64,3))
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    // Global to shared: 16 rows of 8 threads, 16 bytes each.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s = cute.make_tiled_copy(%async, (16,8):(8,1), (1,8):(0,1))
    %gA_read = cute.partition_s(%g2s, %gA, %thread)
    %gB_read = cute.partition_s(%g2s, %gB, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)
    %cA_read = cute.partition_s(%g2s, %cA, %thread)
    %cB_read = cute.partition_s(%g2s, %cB, %thread)

    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %rA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA[_,_,0], %thread))
    %rB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB[_,_,0], %thread))
    %rC = cute.make_fragment_c(%mma, cute.partition_c(%mma, %gC, %thread))
    cute.clear(%rC)

    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)

    // This block's tiles are split, split + splits, ...: (tiles - split) / splits,
    // rounded up, and none if that is negative.
    %my_tiles = maxs(((%K + 63) /u 64 - %split) ceildivs %splits, 0)
    // Fetch the first two tiles. What is fetched for one tile is one group; tiles
    // past the end of K are zeros.
    for %k in 0..2 {
      %k_from = %k * %splits + %split
      %gA_k = cute.slice(%gA_read, (_,_,_,%k_from))
      %gB_k = cute.slice(%gB_read, (_,_,_,%k_from))
      %sA_k = cute.slice(%sA_write, (_,_,_,%k))
      %sB_k = cute.slice(%sB_write, (_,_,_,%k))
      %cA_k = cute.slice(%cA_read, (0,_,_,%k_from))
      %cB_k = cute.slice(%cB_read, (0,_,_,%k_from))
      %pA = cute.make_predicate(%cA_k, %A_shape)
      %pB = cute.make_predicate(%cB_k, %B_shape)
      cute.copy(%g2s, %gA_k, %sA_k, %pA)
      cute.copy(%g2s, %gB_k, %sB_k, %pB)
      cute.cp_async_commit
    }

    %r, %w = for %k in 0..%my_tiles carry(%read = 0 : i32, %write = 2 : i32) {
      // Tile k is there when at most one group, that of tile k + 1, is under way.
      // The barrier makes it visible to all threads, and says that all of them are
      // done with the stage that is written next.
      cute.cp_async_wait<1>
      gpu.barrier
      %k_from = (%k + 2) * %splits + %split
      %gA_k = cute.slice(%gA_read, (_,_,_,%k_from))
      %gB_k = cute.slice(%gB_read, (_,_,_,%k_from))
      %sA_k = cute.slice(%sA_write, (_,_,_,%write))
      %sB_k = cute.slice(%sB_write, (_,_,_,%write))
      %cA_k = cute.slice(%cA_read, (0,_,_,%k_from))
      %cB_k = cute.slice(%cB_read, (0,_,_,%k_from))
      %pA = cute.make_predicate(%cA_k, %A_shape)
      %pB = cute.make_predicate(%cB_k, %B_shape)
      cute.copy(%g2s, %gA_k, %sA_k, %pA)
      cute.copy(%g2s, %gB_k, %sB_k, %pB)
      cute.cp_async_commit

      cute.copy(%s2r_A, %sA_read[_,_,_,%read], %rA_write)
      cute.copy(%s2r_B, %sB_read[_,_,_,%read], %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)

      // The stages go round: 0, 1, 2, 0 ...
      %read_1 = %read + 1
      yield arith.select(%read_1 == 3, 0, %read_1), %read
    }
    cute.cp_async_wait<0>

    // Each thread adds its elements to C, one red.global.add.f32 each.
    %r2g = cute.make_tiled_copy_c(!cute.copy_atom<"SM60_RED_ADD_F32", f32>, %mma)
    %rC_read = cute.retile(%r2g, %rC)
    %gC_write = cute.partition_d(%r2g, %gC, %thread)
    %cC_write = cute.partition_d(%r2g, %cC, %thread)
    %pC = cute.make_predicate(%cC_write[(0,_),_,_], %C_shape)
    cute.copy(%r2g, %rC_read, %gC_write, %pC)
    gpu.return
  }
}
