// Step 7: predicates, for matrices of odd extents.
//
//   cutec examples/tutorial/07_predicates.mlir --arch=sm_80 -o 07_predicates.ptx
//
// The GEMM of step 6 for any M and N and any multiple of 8 as K. Tiles at the
// borders reach past the matrices, so each copy from or to global memory has a
// predicate, which says what exists. What does not exist stays zero in the
// fragments, and adds nothing to the sums. A copy of 8 elements along K needs one
// bit: as K is a multiple of 8, all of them exist or none.

!A = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!C = !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">

gpu.module @tutorial {
  gpu.func @predicates(%A: !A, %B: !A, %C: !C) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    %gA = cute.local_tile<"(1,_,1)"> (%A, (128,128,64), (%bm,%bn,_))
    %gB = cute.local_tile<"(_,1,1)"> (%B, (128,128,64), (%bm,%bn,_))
    %gC = cute.local_tile<"(1,1,_)"> (%C, (128,128,64), (%bm,%bn,_))

    // An identity tensor has no memory: its elements are their own coordinates.
    // Tiled and partitioned like the data, it says where in the matrix each is.
    %A_identity = cute.make_identity_tensor(%A)
    %B_identity = cute.make_identity_tensor(%B)
    %C_identity = cute.make_identity_tensor(%C)
    %cA = cute.local_tile<"(1,_,1)"> (%A_identity, (128,128,64), (%bm,%bn,_))
    %cB = cute.local_tile<"(_,1,1)"> (%B_identity, (128,128,64), (%bm,%bn,_))
    %cC = cute.local_tile<"(1,1,_)"> (%C_identity, (128,128,64), (%bm,%bn,_))

    // Rows of 128 bytes, whose pieces of 16 bytes are exchanged: see step 6.
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
    %cA_read = cute.partition_s(%g2s, %cA, %thread)
    %cB_read = cute.partition_s(%g2s, %cB, %thread)

    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsA = cute.partition_a(%mma, %sA, %thread)
    %tCsB = cute.partition_b(%mma, %sB, %thread)
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

    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    %k_tiles = %K ceildivu 64
    for %k in 0..%k_tiles {
      // (values, tiles in M or N, tiles in K, k)

      // One bit for each copy: that of the first of its 8 elements.
      %pA = cute.make_predicate(%cA_read[0,_,_,%k], %A)
      %pB = cute.make_predicate(%cB_read[0,_,_,%k], %B)
      %fA = cute.make_fragment_like(%gA_read[_,_,_,%k])
      %fB = cute.make_fragment_like(%gB_read[_,_,_,%k])
      cute.clear(%fA)
      cute.clear(%fB)
      cute.copy(%g2s, %gA_read[_,_,_,%k], %fA, %pA)
      cute.copy(%g2s, %gB_read[_,_,_,%k], %fB, %pB)
      gpu.barrier
      cute.copy(%g2s, %fA, %sA_write)
      cute.copy(%g2s, %fB, %sB_write)
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
    }

    // The sums, one element at a time: rows of C may have any length.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %tCcC = cute.partition_c(%mma, %cC, %thread)
    %pC = cute.make_predicate(%tCcC, %C)
    cute.basic_copy_if(%pC, %rD, %tCgC)
    gpu.return
  }
}
