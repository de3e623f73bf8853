// C = A * transpose(B) on tensor cores, as one writes it first: a loop that
// copies a tile of A and of B to shared memory, waits for it, copies it to
// registers and multiplies. A (MxK), B (NxK) and C (MxN) are row-major f16, of any
// size as long as K and N, and the row pitches, are multiples of 8; the sum is
// f32.
//
//   cutec examples/gemm_plain.mlir --passes=cute-optimize -o gemm.ptx
//
// makes of it what gemm_sm80.mlir is: shared memory gets swizzles, so that its
// banks do not conflict, and the loop loads ahead (docs/passes.md).
//
// A block of 4 warps has a 128x128 tile of C.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">

gpu.module @gemm_module {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    // The block's tiles: of A and B all along K, a third mode, and one of C; and
    // the same tiles of coordinates, which say what lies in the matrices.
    %tile = cute.static : !cute.shape<"(128,128,64)">
    %block = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?,_)">
    %gA = cute.local_tile<"(1,_,1)"> (%A, %tile, %block)
    %gB = cute.local_tile<"(_,1,1)"> (%B, %tile, %block)
    %gC = cute.local_tile<"(1,1,_)"> (%C, %tile, %block)
    %A_layout = cute.get_layout(%A)
    %B_layout = cute.get_layout(%B)
    %C_layout = cute.get_layout(%C)
    %A_shape = cute.get_shape(%A_layout)
    %B_shape = cute.get_shape(%B_layout)
    %C_shape = cute.get_shape(%C_layout)
    %A_identity = cute.make_identity_tensor(%A_shape)
    %B_identity = cute.make_identity_tensor(%B_shape)
    %C_identity = cute.make_identity_tensor(%C_shape)
    %cA = cute.local_tile<"(1,_,1)"> (%A_identity, %tile, %block)
    %cB = cute.local_tile<"(_,1,1)"> (%B_identity, %tile, %block)
    %cC = cute.local_tile<"(1,1,_)"> (%C_identity, %tile, %block)

    // Shared memory for one tile of each.
    %s_layout = cute.static : !cute.layout<"(128,64):(64,1)">
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    // 2x2 warps of mma.sync 16x8x16, and the fragments of a thread.
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

    // Global to shared memory: cp.async, 16 rows of 8 threads with 8 elements each.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s_threads = cute.static : !cute.layout<"(16,8):(8,1)">
    %g2s_values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %g2s_threads, %g2s_values)
    %gA_read = cute.partition_s(%g2s, %gA, %thread)
    %gB_read = cute.partition_s(%g2s, %gB, %thread)
    %cA_read = cute.partition_s(%g2s, %cA, %thread)
    %cB_read = cute.partition_s(%g2s, %cB, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)

    // Shared memory to registers: ldmatrix.
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    // Over the tiles along K.
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %k_tiles = arith.ceildivui %K, %c64 : i32
    scf.for %k = %c0 to %k_tiles step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %first_at = cute.make_coord(%k) : (i32) -> !cute.coord<"(0,_,_,?)">
      %gA_k = cute.slice(%gA_read, %at)
      %gB_k = cute.slice(%gB_read, %at)
      %cA_k = cute.slice(%cA_read, %first_at)
      %cB_k = cute.slice(%cB_read, %first_at)
      %pA = cute.make_predicate(%cA_k, %A_shape)
      %pB = cute.make_predicate(%cB_k, %B_shape)
      cute.copy(%g2s, %gA_k, %sA_write, %pA)
      cute.copy(%g2s, %gB_k, %sB_write, %pB)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }

    // The result by way of shared memory, so that it is written in whole rows.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %sC_layout = cute.static : !cute.layout<"(128,128):(128,1)">
    %sC = cute.alloc_smem<f16, 128> (%sC_layout)
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %r2s = cute.make_tiled_copy_c(%pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2g_threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %s2g_values = cute.static : !cute.layout<"(1,8):(0,1)">
    %s2g = cute.make_tiled_copy(%vector, %s2g_threads, %s2g_values)
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC_write = cute.partition_d(%s2g, %gC, %thread)
    %cC_write = cute.partition_d(%s2g, %cC, %thread)
    %first = cute.static : !cute.coord<"(0,_,_)">
    %cC_first = cute.slice(%cC_write, %first)
    %pC = cute.make_predicate(%cC_first, %C_shape)
    %r = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %r)
    cute.copy(%s2g, %r, %gC_write, %pC)
    gpu.return
  }
}
