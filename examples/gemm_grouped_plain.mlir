// Products of several groups of rows, each with a weight, as one writes them first:
//
//   C[m,n] = sum over k of A[m,k] * B[g,n,k]   for the rows m of group g
//
// as in a mixture of experts. The rows of A (MxK) and C (MxN) lie group after group;
// ends[g] is where group g's rows end and group g+1's begin, and a group may have none;
// beyond M it is M.
// All are f16, and K and N multiples of 8; the sum is f32.
//
//   cutec examples/gemm_grouped_plain.mlir --passes=cute-optimize -o grouped.ptx
//
// is TMA and wgmma for sm_90a, in blocks that go from tile to tile. A block counts the tiles of
// the groups before its own. No group needs more than one tile that it does not fill, so that
// ceil_div(M, BM) + groups blocks along x suffice; those beyond the last tile do nothing.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!weights = !cute.tensor<f16, gmem, align<16>, "(?,?,?{div=8}):(?{i64 div=8},?{i64 div=8},1)">
!ends = !cute.tensor<i32, gmem, align<4>, "?:1">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @gemm_module attributes {cute.parameters = {BM = 128, BN = 128, BK = 64, ROWS = 8}} {
  gpu.func @gemm_grouped(%A: !matrix, %B: !weights, %ends: !ends, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.schedule = {persist = 1},
                  cute.grid = ["(ceil_div(arg3.shape[0], $BM) + arg2.shape[0]) * ceil_div(arg3.shape[1], $BN)"]} {
    %x = cute.block_idx
    %thread = cute.thread_idx
    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    %C_layout = cute.get_layout(%C)
    %M_C, %N, %ldc = cute.get_scalars<{only_dynamic}> (%C_layout)
    %groups = cute.size(%ends)
    %G = cute.get_scalars(%groups)

    // Which tile of all rows it is; the groups whose tiles are before it, where the last of these
    // ends, and how many tiles they have.
    %zero = 0 : i32
    %columns = (%N + ${BN - 1}) /u $BN
    %of_rows = %x /u %columns
    %before, %first_row, %passed, %all, %row = for %g in 0..%G
        carry(%before = %zero, %first_row = %zero, %passed = %zero, %all = %zero, %row = %zero) {
      %next = cute.load(%ends, %g)
      %tiles = %all + (%next - %row + ${BM - 1}) /u $BM
      %is_before = %tiles <=u %of_rows
      %before_1, %first_1, %passed_1 = if %is_before { yield %before + 1, %next, %tiles } else { yield %before, %first_row, %passed }
      yield %before_1, %first_1, %passed_1, %tiles, %next
    }
    %group = minu(%before, %G - 1)
    %end = minu(cute.load(%ends, %group), %M)
    %start = minu(%first_row, %end)
    %own = %of_rows - %passed

    // Blocks go through $ROWS rows of a group's tiles, column by column.
    %first = %own /u $ROWS * $ROWS
    %place = (%own - %first - %of_rows) * %columns + %x
    %height = maxu(minu((%end - %start + ${BM - 1}) /u $BM - %first, $ROWS), 1)
    %bn = %place /u %height
    %bm = %first + %place - %bn * %height

    // Shared memory for one tile of A and of B.
    %sA = cute.alloc_smem<f16, 128> (($BM,$BK):($BK,1))
    %sB = cute.alloc_smem<f16, 128> (($BN,$BK):($BK,1))

    // 2x2 warps of mma.sync 16x8x16, and the fragments of a thread.
    %mma = cute.make_tiled_mma(!mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsA = cute.partition_a(%mma, %sA, %thread)
    %tCsB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tCsA)
    %rB = cute.make_fragment_b(%mma, %tCsB)
    %rC_shape = cute.partition_shape_c(%mma, ($BM,$BN))
    %rC = cute.make_fragment<f32> (%rC_shape)
    cute.clear(%rC)

    %g2s = cute.make_tiled_copy(!async, (16,8):(8,1), (1,8):(0,1))
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)
    %s2r_A = cute.make_tiled_copy_a(!ldmatrix, %mma)
    %s2r_B = cute.make_tiled_copy_b(!ldmatrix, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    // A tile of A begins at the group's first row and may have rows of the next group, which are
    // not stored. A block without a tile has no rounds.
    %B_group = cute.slice(%B, (%group,_,_))
    %rounds = if %start <u %end { yield (%K + ${BK - 1}) /u $BK } else { yield %zero }
    for %k in 0..%rounds {
      %gA, %pA = cute.predicated_tile_s(%g2s, %A, ($BM,$BK), (%bm,%k), %thread, (%start,0))
      %gB, %pB = cute.predicated_tile_s(%g2s, %B_group, ($BN,$BK), (%bn,%k), %thread)
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

    // C up to the last row of the group.
    %C_first = cute.get_iter(%C)
    %C_stride = cute.get_stride(%C_layout)
    %C_shape = cute.make_shape(%end, %N) : (i32, i32) -> !cute.shape<"(?,?)">
    %C_rows = cute.make_layout(%C_shape, %C_stride)
    %C_group = cute.make_tensor(%C_first, %C_rows)

    // The result by way of shared memory, so that it is written in whole rows.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %sC = cute.alloc_smem<f16, 128> (($BM,$BN):($BN,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (16,8):(8,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC, %pC = cute.predicated_tile_d(%s2g, %C_group, ($BM,$BN), (%bm,%bn), %thread, (%start,0))
    %r = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %r)
    cute.copy(%s2g, %r, %gC, %pC)
    gpu.return
  }
}
