// Step 6: a GEMM of tiles, with ldmatrix.
//
//   cutec examples/tutorial/06_tiled_mma.mlir --arch=sm_80 -o 06_tiled_mma.ptx
//
// C = A * transpose(B) for row-major f16 matrices A (MxK), B (NxK) and C (MxN), where
// M and N are multiples of 128 and K of 64. A block computes a 128x128 tile
// of C from tiles of A and B, 128x64 each, which it moves through shared memory one
// after another along K.

!A = !cute.tensor<f16, gmem, align<16>, "(?{div=128},?{div=64}):(?{i64 div=8},1)">
!C = !cute.tensor<f16, gmem, align<16>, "(?{div=128},?{div=128}):(?{i64 div=8},1)">

gpu.module @tutorial {
  gpu.func @tiled_mma(%A: !A, %B: !A, %C: !C) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["arg2.shape[0] / 128", "arg2.shape[1] / 128"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    // The tile is (M,N,K), and each matrix takes the two of its modes. The
    // coordinate leaves K open: tiles of A and B have a third mode, all along K.
    %gA = cute.local_tile<"(1,_,1)"> (%A, (128,128,64), (%bm,%bn,_))
    %gB = cute.local_tile<"(_,1,1)"> (%B, (128,128,64), (%bm,%bn,_))
    %gC = cute.local_tile<"(1,1,_)"> (%C, (128,128,64), (%bm,%bn,_))

    // Rows of 64 elements are 128 bytes, all banks once. S<3,3,3> exchanges their
    // pieces of 16 bytes by the row number modulo 8, because ldmatrix reads 8 rows
    // of 16 bytes at once.
    %s_atom = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %s_layout = cute.tile_to_shape(%s_atom, (128,64))
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    // Global to shared: 16 rows of 8 threads, 8 elements (16 bytes) each.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %g2s = cute.make_tiled_copy(%vector, (16,8):(8,1), (1,8):(0,1))
    %gA_read = cute.partition_s(%g2s, %gA, %thread)
    %gB_read = cute.partition_s(%g2s, %gB, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)

    // 2x2 warps. The permutation makes the tile of all warps 32x32x16: each warp
    // has two instructions side by side in N, whose B one ldmatrix.x4 loads.
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsA = cute.partition_a(%mma, %sA, %thread)
    %tCsB = cute.partition_b(%mma, %sB, %thread)
    %tCgC = cute.partition_c(%mma, %gC, %thread)
    %rA = cute.make_fragment_a(%mma, %tCsA)
    %rB = cute.make_fragment_b(%mma, %tCsB)
    %rC = cute.make_fragment_c(%mma, %tCgC)
    cute.clear(%rC)

    // Shared to registers: ldmatrix, tiled so that it delivers what the MMA wants.
    // retile sees the fragments in the order in which it fills them.
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    %k_tiles = %K /u 64
    for %k in 0..%k_tiles {
      // (values, tiles in M or N, tiles in K, k)
      %fA = cute.make_fragment_like(%gA_read[_,_,_,%k])
      %fB = cute.make_fragment_like(%gB_read[_,_,_,%k])
      cute.copy(%g2s, %gA_read[_,_,_,%k], %fA)
      cute.copy(%g2s, %gB_read[_,_,_,%k], %fB)
      gpu.barrier
      cute.copy(%g2s, %fA, %sA_write)
      cute.copy(%g2s, %fB, %sB_write)
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
    }

    // The sums, as f16, straight from the registers: two neighbours at a time.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    cute.copy(%pair, %rD, %tCgC)
    gpu.return
  }
}
