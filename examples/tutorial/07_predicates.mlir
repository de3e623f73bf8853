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
    %x = gpu.block_id x
    %bm = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %bn = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32

    %tile = cute.static : !cute.shape<"(128,128,64)">
    %block = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?,_)">
    %gA = cute.local_tile<"(1,_,1)"> (%A, %tile, %block)
    %gB = cute.local_tile<"(_,1,1)"> (%B, %tile, %block)
    %gC = cute.local_tile<"(1,1,_)"> (%C, %tile, %block)

    // An identity tensor has no memory: its elements are their own coordinates.
    // Tiled and partitioned like the data, it says where in the matrix each is.
    %A_shape = cute.get_shape(%A) : !A -> !cute.shape<"(?,?{div=8})">
    %B_shape = cute.get_shape(%B) : !A -> !cute.shape<"(?,?{div=8})">
    %C_shape = cute.get_shape(%C) : !C -> !cute.shape<"(?,?)">
    %A_identity = cute.make_identity_tensor(%A_shape)
    %B_identity = cute.make_identity_tensor(%B_shape)
    %C_identity = cute.make_identity_tensor(%C_shape)
    %cA = cute.local_tile<"(1,_,1)"> (%A_identity, %tile, %block)
    %cB = cute.local_tile<"(_,1,1)"> (%B_identity, %tile, %block)
    %cC = cute.local_tile<"(1,1,_)"> (%C_identity, %tile, %block)

    // Rows of 128 bytes, whose pieces of 16 bytes are exchanged: see step 6.
    %s_atom = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %s_shape = cute.static : !cute.shape<"(128,64)">
    %s_layout = cute.tile_to_shape(%s_atom, %s_shape)
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    // Global to shared: 16 rows of 8 threads, 8 elements (16 bytes) each.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %g2s_threads = cute.static : !cute.layout<"(16,8):(8,1)">
    %g2s_values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%vector, %g2s_threads, %g2s_values)
    %gA_read = cute.partition_s(%g2s, %gA, %thread)
    %gB_read = cute.partition_s(%g2s, %gB, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)
    %cA_read = cute.partition_s(%g2s, %cA, %thread)
    %cB_read = cute.partition_s(%g2s, %cB, %thread)

    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,2,1):(1,2,0)">
    %permutation = cute.static : !cute.shape<"(32,32,16)">
    %mma = cute.make_tiled_mma(%mma_atom, %warps, %permutation)
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
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)">
    %K_63 = arith.addi %K, %c63 : i32
    %k_tiles = arith.divui %K_63, %c64 : i32
    scf.for %k = %c0 to %k_tiles step %c1 : i32 {
      // (values, tiles in M or N, tiles in K, k)
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA_read, %at)
      %gB_k = cute.slice(%gB_read, %at)

      // One bit for each copy: that of the first of its 8 elements.
      %first_at = cute.make_coord(%k) : (i32) -> !cute.coord<"(0,_,_,?)">
      %cA_k = cute.slice(%cA_read, %first_at)
      %cB_k = cute.slice(%cB_read, %first_at)
      %pA = cute.make_predicate(%cA_k, %A_shape)
      %pB = cute.make_predicate(%cB_k, %B_shape)
      %fA = cute.make_fragment_like(%gA_k)
      %fB = cute.make_fragment_like(%gB_k)
      cute.clear(%fA)
      cute.clear(%fB)
      cute.copy(%g2s, %gA_k, %fA, %pA)
      cute.copy(%g2s, %gB_k, %fB, %pB)
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
    %pC = cute.make_predicate(%tCcC, %C_shape)
    cute.basic_copy_if(%pC, %rD, %tCgC)
    gpu.return
  }
}
