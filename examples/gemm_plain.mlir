// C = A * transpose(B) on tensor cores, as one writes it first: a loop that
// copies a tile of A and of B to shared memory, waits for it, copies it to
// registers and multiplies. A (MxK), B (NxK) and C (MxN) are row-major f16, of any
// size as long as K and N, and the row pitches, are multiples of 8; the sum is
// f32.
//
//   cutec examples/gemm_plain.mlir --passes=cute-optimize -o gemm.ptx
//
// makes of it what gemm_sm80.mlir is: swizzles, so that banks of shared memory do
// not conflict, and loads ahead; for sm_90a TMA and wgmma, for sm_100a TMA and tcgen05.
//
// A block of 4 warps has a 128x128 tile of C, or another one: -D BM=64 -D BN=16. Rows
// are a multiple of 64, columns of 16. Where the columns are no multiple of 32, the warps
// have 16 rows each; and the fewer powers of two divide them, the more rows the threads
// store at a time.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @gemm_module attributes {cute.parameters = {
    BM = 128, BN = 128, BK = 64,
    WARPS_N = ${2 - min(1, BN - BN / 32 * 32)},
    STORED = ${8 - 4 * min(1, BN - BN / 64 * 64) - 2 * min(1, BN - BN / 32 * 32)}}} {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], $BM)",
                               "ceil_div(arg2.shape[1], $BN)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    cute.static_assert<"divisible", "warps and threads cover rows of the tile by 64"> ($BM, 64)
    cute.static_assert<"divisible", "warps and threads cover columns of the tile by 16"> ($BN, 16)

    // Shared memory for one tile of A and of B.
    %sA = cute.alloc_smem<f16, 128> (($BM,$BK):($BK,1))
    %sB = cute.alloc_smem<f16, 128> (($BN,$BK):($BK,1))

    // 2x2 warps of mma.sync 16x8x16, or 4x1, and the fragments of a thread.
    %mma = cute.make_tiled_mma(!mma_atom, (${4/WARPS_N},$WARPS_N,1):(1,${4/WARPS_N},0), (${64/WARPS_N},${16*WARPS_N},16))
    %tCsA = cute.partition_a(%mma, %sA, %thread)
    %tCsB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tCsA)
    %rB = cute.make_fragment_b(%mma, %tCsB)
    %rC_shape = cute.partition_shape_c(%mma, ($BM,$BN))
    %rC = cute.make_fragment<f32> (%rC_shape)
    cute.clear(%rC)

    // Global to shared memory: cp.async, 16 rows of 8 threads with 8 elements each.
    %g2s = cute.make_tiled_copy(!async, (16,8):(8,1), (1,8):(0,1))
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)

    // Shared memory to registers: ldmatrix.
    %s2r_A = cute.make_tiled_copy_a(!ldmatrix, %mma)
    %s2r_B = cute.make_tiled_copy_b(!ldmatrix, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    // Over the tiles along K: what the thread copies of them, and a predicate that
    // says which of it lies in the matrix.
    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    %k_tiles = %K ceildivu $BK
    for %k in 0..%k_tiles {
      %gA, %pA = cute.predicated_tile_s(%g2s, %A, ($BM,$BK), (%bm,%k), %thread)
      %gB, %pB = cute.predicated_tile_s(%g2s, %B, ($BN,$BK), (%bn,%k), %thread)
      cute.copy(%g2s, %gA, %sA_write, %pA)
      cute.copy(%g2s, %gB, %sB_write, %pB)
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
    %sC = cute.alloc_smem<f16, 128> (($BM,$BN):($BN,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (${128/STORED},$STORED):($STORED,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC, %pC = cute.predicated_tile_d(%s2g, %C, ($BM,$BN), (%bm,%bn), %thread)
    %r = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %r)
    cute.copy(%s2g, %r, %gC, %pC)
    gpu.return
  }
}
