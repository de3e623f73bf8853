// Step 8: cp.async and stages, so that loads overlap with computation.
//
//   cutec examples/tutorial/08_cp_async.mlir --arch=sm_80 -o 08_cp_async.ptx
//
// In step 7 the tensor cores wait while a tile is on its way. Here three stages of
// shared memory hold three tiles: one is being computed, two are being fetched by
// cp.async, which goes from global to shared memory without registers and goes on
// while the threads do something else. Zeros for what does not exist are part of
// the instruction (ZFILL), so a fragment to clear is not needed either.

!A = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!C = !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">

gpu.module @tutorial {
  gpu.func @cp_async(%A: !A, %B: !A, %C: !C) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    %gC = cute.local_tile<"(1,1,_)"> (%C, (128,128,64), (%bm,%bn,_))

    // Coordinates for predicates: see step 7.
    %C_identity = cute.make_identity_tensor(%C)
    %cC = cute.local_tile<"(1,1,_)"> (%C_identity, (128,128,64), (%bm,%bn,_))

    // The tiles of step 6, with a third mode: the stage.
    %s_layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (128,64,3))
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    // Global to shared: the tiled copy of step 6 with another atom.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s = cute.make_tiled_copy(%async, (16,8):(8,1), (1,8):(0,1))
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)

    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsA = cute.partition_a(%mma, %sA[_,_,0], %thread)
    %tCsB = cute.partition_b(%mma, %sB[_,_,0], %thread)
    %tCgC = cute.partition_c(%mma, %gC, %thread)
    %rA = cute.make_fragment_a(%mma, %tCsA)
    %rB = cute.make_fragment_b(%mma, %tCsB)
    %rC = cute.make_fragment_c(%mma, %tCgC)
    cute.clear(%rC)

    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (cute.get_layout(%A))
    %k_tiles = %K ceildivu 64
    // Fetch the first two tiles. What is fetched for one tile is one group; tiles
    // past the end of K are zeros.
    for %k in 0..2 {
      %gA_k, %pA = cute.predicated_tile_s(%g2s, %A, (128,64), (%bm,%k), %thread)
      %gB_k, %pB = cute.predicated_tile_s(%g2s, %B, (128,64), (%bn,%k), %thread)
      cute.copy(%g2s, %gA_k, %sA_write[_,_,_,%k], %pA)
      cute.copy(%g2s, %gB_k, %sB_write[_,_,_,%k], %pB)
      cute.cp_async_commit
    }

    %r, %w = for %k in 0..%k_tiles carry(%read = 0 : i32, %write = 2 : i32) {
      // Tile k is there when at most one group, that of tile k + 1, is under way.
      // The barrier makes it visible to all threads, and says that all of them are
      // done with the stage that is written next.
      cute.cp_async_wait<1>
      gpu.barrier
      %ahead = %k + 2
      %gA_k, %pA = cute.predicated_tile_s(%g2s, %A, (128,64), (%bm,%ahead), %thread)
      %gB_k, %pB = cute.predicated_tile_s(%g2s, %B, (128,64), (%bn,%ahead), %thread)
      cute.copy(%g2s, %gA_k, %sA_write[_,_,_,%write], %pA)
      cute.copy(%g2s, %gB_k, %sB_write[_,_,_,%write], %pB)
      cute.cp_async_commit

      cute.copy(%s2r_A, %sA_read[_,_,_,%read], %rA_write)
      cute.copy(%s2r_B, %sB_read[_,_,_,%read], %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)

      // The stages go round: 0, 1, 2, 0 ...
      %read_1 = %read + 1
      yield arith.select(%read_1 == 3, 0, %read_1), %read
    }
    cute.cp_async_wait<0>

    // The sums, one element at a time: rows of C may have any length.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %tCcC = cute.partition_c(%mma, %cC, %thread)
    %pC = cute.make_predicate(%tCcC, %C)
    cute.basic_copy_if(%pC, %rD, %tCgC)
    gpu.return
  }
}
