// Step 10: the epilogue.
//
//   cutec examples/tutorial/10_epilogue.mlir --arch=sm_80 -o 10_epilogue.ptx
//
// The sums lie in registers as the instruction leaves them: a thread has pairs of
// neighbours, spread over its warp's tile. Written as they are, each store of a warp
// touches 8 rows, at most 16 bytes each. Here the tile goes through shared memory, where
// threads trade elements, and then in rows of 16-byte pieces to C. The price is that
// N and the pitch of C are multiples of 8, too; examples/gemm_sm80.mlir has both
// ways, and takes the one that the sizes allow.

!A = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!C = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">

gpu.module @tutorial {
  gpu.func @epilogue(%A: !A, %B: !A, %C: !C) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    %gC = cute.local_tile<"(1,1,_)"> (%C, (128,128,64), (%bm,%bn,_))

    // Coordinates for predicates: see step 7.

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

    // The first k-block of the first tile.
    cute.cp_async_wait<1>
    gpu.barrier
    cute.copy(%s2r_A, %sA_read[_,_,0,0], %rA_write[_,_,0])
    cute.copy(%s2r_B, %sB_read[_,_,0,0], %rB_write[_,_,0])

    %r, %w = for %k in 0..%k_tiles carry(%read = 0 : i32, %write = 2 : i32) {
      // k-block 0, while the next two tiles' loads run
      cute.copy(%s2r_A, %sA_read[_,_,1,%read], %rA_write[_,_,1])
      cute.copy(%s2r_B, %sB_read[_,_,1,%read], %rB_write[_,_,1])
      %ahead = %k + 2
      %gA_k, %pA = cute.predicated_tile_s(%g2s, %A, (128,64), (%bm,%ahead), %thread)
      %gB_k, %pB = cute.predicated_tile_s(%g2s, %B, (128,64), (%bn,%ahead), %thread)
      cute.copy(%g2s, %gA_k, %sA_write[_,_,_,%write], %pA)
      cute.copy(%g2s, %gB_k, %sB_write[_,_,_,%write], %pB)
      cute.cp_async_commit
      cute.gemm(%mma, %rC, %rA[_,_,0], %rB[_,_,0], %rC)

      // k-block 1
      cute.copy(%s2r_A, %sA_read[_,_,2,%read], %rA_write[_,_,2])
      cute.copy(%s2r_B, %sB_read[_,_,2,%read], %rB_write[_,_,2])
      cute.gemm(%mma, %rC, %rA[_,_,1], %rB[_,_,1], %rC)

      // k-block 2
      cute.copy(%s2r_A, %sA_read[_,_,3,%read], %rA_write[_,_,3])
      cute.copy(%s2r_B, %sB_read[_,_,3,%read], %rB_write[_,_,3])
      cute.gemm(%mma, %rC, %rA[_,_,2], %rB[_,_,2], %rC)

      // k-block 3, and with it the first of the next tile. All threads are past
      // their reads of this stage at the barrier, so that the next round may
      // write it.
      %read_1 = %read + 1
      %read_next = arith.select(%read_1 == 3, 0, %read_1)
      cute.cp_async_wait<1>
      gpu.barrier
      cute.copy(%s2r_A, %sA_read[_,_,0,%read_next], %rA_write[_,_,0])
      cute.copy(%s2r_B, %sB_read[_,_,0,%read_next], %rB_write[_,_,0])
      cute.gemm(%mma, %rC, %rA[_,_,3], %rB[_,_,3], %rC)
      yield %read_next, %read
    }
    cute.cp_async_wait<0>

    // A and B are not needed any more, when all threads have come here: C takes
    // their memory. Eight rows of the MMA's pairs are in different banks.
    gpu.barrier
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %sC_layout = cute.static : !cute.composed_layout<"S<3,3,4> o 0 o (128,128):(128,1)">
    %sC = cute.make_tensor(cute.get_iter(%sA), %sC_layout)
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %r2s = cute.make_tiled_copy_c(%pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier

    // Shared to global: 8 rows of 16 threads, 8 elements each.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2g = cute.make_tiled_copy(%vector, (8,16):(16,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC_write, %pC = cute.predicated_tile_d(%s2g, %C, (128,128), (%bm,%bn), %thread)
    %fC = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %fC)
    cute.copy(%s2g, %fC, %gC_write, %pC)
    gpu.return
  }
}
