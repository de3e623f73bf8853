// gemm_plain with an epilogue by elements: C = A B^T + 2 D, and D = C / 2.

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
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix, %D: !matrix) kernel
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
    %rows, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
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

    // Element by element.
    %places = cute.make_identity_tensor(%C)
    %tile_C = cute.local_tile(%C, ($BM,$BN), (%bm,%bn))
    %tile_D = cute.local_tile(%D, ($BM,$BN), (%bm,%bn))
    %tile_at = cute.local_tile(%places, ($BM,$BN), (%bm,%bn))
    %own_C = cute.partition_c(%mma, %tile_C, %thread)
    %own_D = cute.partition_c(%mma, %tile_D, %thread)
    %own_at = cute.partition_c(%mma, %tile_at, %thread)
    %M, %N = cute.get_scalars<{only_dynamic}> (cute.get_shape(%C))
    for %i in 0..${BM * BN / 128} {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %x, %y = cute.get_scalars(cute.get_iter(cute.slice(%own_at, %at)))
      if cute.elem_less((%x,%y), (%M,%N)) {
        %sum = cute.load(%rC, %at)
        %d = cute.load(%own_D, %at)
        %c = %sum + f32(%d) * 2.0
        cute.store(f16(%c), %own_C, %at)
        cute.store(f16(%c * 0.5), %own_D, %at)
      }
    }
    gpu.return
  }
}
