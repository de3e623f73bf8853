// Convolution in two dimensions as one writes it first: for images A (N,H,W,C), filters
// B (K,R,S,C) and D (N,P,Q,K) of f16, summed in f32,
//
//   D[n,p,q,k] = sum over r, s, c of A[n, h, w, c] * B[k,r,s,c],  h = STEP p + dilation r - pad,
//                                                                w = STEP q + dilation s - pad
//
// where A is 0 outside of the image. C and K are multiples of 8; everything else may be any.
//
//   cutec examples/conv2d_plain.mlir --passes=cute-optimize -o conv2d.ptx
//
// is TMA and wgmma for sm_90a. A block has 128 pixels, COLUMNS x ROWS of an image or of as many images
// as that takes, and BN filters: 4x4 waste nothing of images of 56, 28 or 20 rows. For each r and s,
// and 64 channels at a time, it multiplies the same pixels of A, moved by r and s, with a slice of B:
// a loop over tiles of matrices; A's have three modes for a row. What lies outside of
// the image is 0 by a predicate, or because TMA fills with zeros.

!image = !cute.tensor<f16, gmem, align<16>, "(?,?,?,?{div=8}):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @conv2d_module attributes {cute.parameters = {BN = 128, COLUMNS = 16, ROWS = 8, STEP = 1}} {
  gpu.func @conv2d(%A: !image, %B: !image, %D: !image, %pad: i32, %dilation: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[2], $COLUMNS) * ceil_div(arg2.shape[1], $ROWS)",
                               "ceil_div(arg2.shape[3], $BN)", "ceil_div(arg2.shape[0], ${128/(COLUMNS*ROWS)})"]} {
    %x = cute.block_idx
    %bk = cute.block_idx<"y">
    %n = cute.block_idx<"z">
    %thread = cute.thread_idx
    cute.static_assert<"divisible", "rows and columns of pixels fill the tile of 128"> (128, ${COLUMNS*ROWS})
    %B_layout = cute.get_layout(%B)
    %K, %R, %S, %C, %k_B, %r_B, %s_B = cute.get_scalars<{only_dynamic}> (%B_layout)
    %D_layout = cute.get_layout(%D)
    %N, %P, %Q, %K_D, %n_D, %p_D, %q_D = cute.get_scalars<{only_dynamic}> (%D_layout)
    %wide = (%Q + ${COLUMNS - 1}) /u $COLUMNS
    %bq = %x modu %wide
    %bp = %x /u %wide

    // The images as matrices of pixels (W,H,N) and channels.
    %A_pixels = cute.select<[2, 1, 0, 3]> (%A)
    %A_matrix = cute.group_modes<0, 3> (%A_pixels)
    %D_pixels = cute.select<[2, 1, 0, 3]> (%D)
    %D_matrix = cute.group_modes<0, 3> (%D_pixels)

    // Shared memory for one tile of A and of B.
    %sA = cute.alloc_smem<f16, 128> ((128,64):(64,1))
    %sB = cute.alloc_smem<f16, 128> (($BN,64):(64,1))

    // 2x2 warps of mma.sync 16x8x16, and the fragments of a thread.
    %mma = cute.make_tiled_mma(!mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsA = cute.partition_a(%mma, %sA, %thread)
    %tCsB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tCsA)
    %rB = cute.make_fragment_b(%mma, %tCsB)
    %rC_shape = cute.partition_shape_c(%mma, (128,$BN))
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

    // The pixels of a tile are STEP apart; between its rows and columns lie other tiles'.
    %pixels = cute.static : !cute.tile<"[[$COLUMNS:$STEP;$ROWS:$STEP;${128/(COLUMNS*ROWS)}:1];64:1]">

    // Through the channels for each column s of the filter, and each row r.
    %channels = (%C + 63) /u 64
    %taps = cute.make_shape(%channels, %S, %R) : (i32, i32, i32) -> !cute.shape<"(?,?,?)">
    for %i in 0..%channels * %S * %R {
      %at = cute.idx2crd(%i, %taps)
      %c, %s, %r = cute.get_scalars(%at)
      %w = %dilation * %s - %pad
      %h = %dilation * %r - %pad
      %gA, %pA = cute.predicated_tile_s(%g2s, %A_matrix, %pixels, (($STEP * %bq,$STEP * %bp,%n),%c), %thread, ((%w,%h,0),0))
      %B_tap = cute.slice(%B, (_,%r,%s,_))
      %gB, %pB = cute.predicated_tile_s(%g2s, %B_tap, ($BN,64), (%bk,%c), %thread)
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
    %sC = cute.alloc_smem<f16, 128> ((128,$BN):($BN,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (16,8):(8,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gD, %pD = cute.predicated_tile_d(%s2g, %D_matrix, (($COLUMNS,$ROWS,${128/(COLUMNS*ROWS)}),$BN), ((%bq,%bp,%n),%bk), %thread)
    %out = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %out)
    cute.copy(%s2g, %out, %gD, %pD)
    gpu.return
  }
}
