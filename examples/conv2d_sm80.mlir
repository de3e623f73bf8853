// Convolution in two dimensions as a matrix product, on tensor cores:
//
//   D[n,p,q,k] = sum over r, s, c of A[n, h, w, c] * B[k,r,s,c]
//       with h = stride p + dilation r - pad, w = stride q + dilation s - pad
//
// for images A (N,H,W,C), filters B (K,R,S,C) and D (N,P,Q,K) of f16, summed in f32.
// Of A what is outside counts as 0. C and K are multiples of 8, so that channels can
// be moved 16 bytes at a time; everything else may be any.
//
//   cutec examples/conv2d_sm80.mlir --arch=sm_80 -o conv2d.ptx
//
// Nothing is copied to make a matrix of the images: a layout does. The rows of the
// matrix are pixels of D, its columns the values that a filter takes,
//
//   ((Q,P,N), (C,S,R)) : ((stride w, stride h, n), (1, dilation w, dilation h))
//
// where w, h and n are the strides of A. That several places of this matrix are one
// place of A does not matter to whom reads it. The same layout over the coordinates
// of A, with 1@2 for w and 1@1 for h, says for each place where in A it is, and so
// whether there is something.
//
// How the work is split:
//
//   block     16x8 pixels of an image and 128 filters: 128x128 of the product, from
//             tiles of 64 channels for each r and s
//   warp      8 warps as 2x4, each 64x32 of the tile
//   instruction   mma.sync 16x8x16
//
// The loop is that of gemm_sm80.mlir: cp.async three tiles deep, ldmatrix one k-block
// ahead of the MMAs. It counts through all tiles of the mode (C,S,R), whose modes
// turn the number into that of the channels, of s and of r.

!image = !cute.tensor<f16, gmem, align<16>, "(?,?,?,?{div=8}):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">

gpu.module @conv2d_module {
  gpu.func @conv2d(%A: !image, %B: !image, %D: !image, %stride: i32, %pad: i32, %dilation: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[2], 16) * ceil_div(arg2.shape[1], 8)",
                               "ceil_div(arg2.shape[3], 128)", "arg2.shape[0]"]} {
    %thread = cute.thread_idx

    //===-- Sizes ---------------------------------------------------------===//

    %A_layout = cute.get_layout(%A)
    %B_layout = cute.get_layout(%B)
    %D_layout = cute.get_layout(%D)
    %N, %H, %W, %C, %n_A, %h_A, %w_A = cute.get_scalars<{only_dynamic}> (%A_layout)
    %K, %R, %S, %C_B, %k_B, %r_B, %s_B = cute.get_scalars<{only_dynamic}> (%B_layout)
    %N_D, %P, %Q, %K_D, %n_D, %p_D, %q_D = cute.get_scalars<{only_dynamic}> (%D_layout)

    // Which tile: of columns of pixels, then of rows; of filters; of an image.
    %pixels = cute.block_idx
    %bk = cute.block_idx<"y">
    %bn = cute.block_idx<"z">
    %Q_tiles = (%Q + 15) /u 16
    %bq = %pixels modu %Q_tiles
    %bp = %pixels /u %Q_tiles

    //===-- The matrices --------------------------------------------------===//

    // A and its coordinates from (0, -pad, -pad, 0) on, as (Q,P,N,C,S,R).
    %minus_pad = -%pad
    %A_shape = cute.get_shape(%A_layout)
    %A_identity = cute.make_identity_tensor(%A_shape)
    %A_first = cute.get_iter(cute.domain_offset((0,%minus_pad,%minus_pad,0), %A))
    %cA_first = cute.get_iter(cute.domain_offset((0,%minus_pad,%minus_pad,0), %A_identity))
    %stride_long = i64s(%stride)
    %dilation_long = i64s(%dilation)
    %w_Q = %stride_long * %w_A
    %h_P = %stride_long * %h_A
    %w_S = %dilation_long * %w_A
    %h_R = %dilation_long * %h_A
    %M_shape = cute.make_shape(%Q, %P, %N, %C, %S, %R) : (i32, i32, i32, i32, i32, i32) -> !cute.shape<"(?,?,?,?,?,?)">
    %M_stride = cute.make_stride(%w_Q, %h_P, %n_A, %w_S, %h_R) : (i64, i64, i64, i64, i64)
        -> !cute.stride<"(?{i64},?{i64},?{i64},1,?{i64},?{i64})">
    %M_aligned = cute.assume(%M_stride) : !cute.stride<"(?{i64},?{i64},?{i64},1,?{i64},?{i64})">
        -> !cute.stride<"(?{i64 div=8},?{i64 div=8},?{i64 div=8},1,?{i64 div=8},?{i64 div=8})">
    %M_layout = cute.make_layout(%M_shape, %M_aligned)
    %M_steps = cute.make_stride(%stride, %stride, %dilation, %dilation) : (i32, i32, i32, i32)
        -> !cute.stride<"(?@2,?@1,1@0,1@3,?@2,?@1)">
    %M_coords = cute.make_layout(%M_shape, %M_steps)

    // The same with signs changed, for what is above and left of an image: -h < 1 is
    // h >= 0.
    %minus_stride = -%stride
    %minus_dilation = -%dilation
    %border_steps = cute.make_stride(%minus_stride, %minus_stride, %minus_dilation, %minus_dilation) : (i32, i32, i32, i32)
        -> !cute.stride<"(?@1,?@0,0,0,?@1,?@0)">
    %border_coords = cute.make_layout(%M_shape, %border_steps)
    %border_first = cute.make_int_tuple(%pad, %pad) : (i32, i32) -> !cute.int_tuple<"(?,?)">
    %cBorder = cute.make_tensor(%border_first, %border_coords)

    // B as (K,C,S,R) and D as (Q,P,N,K).
    %F = cute.select<[0, 3, 2, 1]> (%B)
    %F_shape = cute.get_shape(cute.get_layout(%F))
    %E = cute.select<[2, 1, 0, 3]> (%D)
    %E_shape = cute.get_shape(cute.get_layout(%E))

    //===-- Tiles ---------------------------------------------------------===//

    // The block's tiles, as matrices: of A and B (rows, columns, tiles along C, S and
    // R), of D (rows, columns).
    %M_tile = cute.static : !cute.shape<"(16,8,1,64,1,1)">
    %F_tile = cute.static : !cute.shape<"(128,64,1,1)">
    %E_tile = cute.static : !cute.shape<"(16,8,1,128)">
    %M_at = cute.make_coord(%bq, %bp, %bn) : (i32, i32, i32) -> !cute.coord<"(?,?,?,_,_,_)">
    %E_at = cute.make_coord(%bq, %bp, %bn, %bk) : (i32, i32, i32, i32) -> !cute.coord<"(?,?,?,?)">
    %gM_flat = cute.local_tile(cute.make_tensor(%A_first, %M_layout), %M_tile, %M_at)
    %cM_flat = cute.local_tile(cute.make_tensor(%cA_first, %M_coords), %M_tile, %M_at)
    %cBorder_flat = cute.local_tile(%cBorder, %M_tile, %M_at)
    %gF_flat = cute.local_tile(%F, %F_tile, (%bk,_,_,_))
    %cF_flat = cute.local_tile(cute.make_identity_tensor(%F_shape), %F_tile, (%bk,_,_,_))
    %gE_flat = cute.local_tile(%E, %E_tile, %E_at)
    %cE_flat = cute.local_tile(cute.make_identity_tensor(%E_shape), %E_tile, %E_at)
    %gM_rows = cute.group_modes<0, 3> (%gM_flat)
    %cM_rows = cute.group_modes<0, 3> (%cM_flat)
    %cBorder_rows = cute.group_modes<0, 3> (%cBorder_flat)
    %gM_columns = cute.group_modes<1, 4> (%gM_rows)
    %cM_columns = cute.group_modes<1, 4> (%cM_rows)
    %cBorder_columns = cute.group_modes<1, 4> (%cBorder_rows)
    %gF_columns = cute.group_modes<1, 4> (%gF_flat)
    %cF_columns = cute.group_modes<1, 4> (%cF_flat)
    %gA = cute.group_modes<2, 5> (%gM_columns)
    %cA = cute.group_modes<2, 5> (%cM_columns)
    %cBorder_tiles = cute.group_modes<2, 5> (%cBorder_columns)
    %gB = cute.group_modes<2, 5> (%gF_columns)
    %cB = cute.group_modes<2, 5> (%cF_columns)
    %gC = cute.group_modes<0, 3> (%gE_flat)
    %cC = cute.group_modes<0, 3> (%cE_flat)

    // Shared memory as in gemm_sm80.mlir: rows of 128 bytes, swizzled.
    %s_layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (128,64,3))
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    //===-- The MMA -------------------------------------------------------===//

    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (2,4,1):(1,2,0), (32,64,16))
    %rA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA[_,_,0], %thread))
    %rB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB[_,_,0], %thread))
    %sC = cute.make_tensor(cute.get_iter(%sA), S<3,3,4> o 0 o (128,128):(128,1))
    %rC = cute.make_fragment_c(%mma, cute.partition_c(%mma, %sC, %thread))
    cute.clear(%rC)

    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %rA_write_0 = cute.slice(%rA_write, (_,_,0))
    %rA_write_1 = cute.slice(%rA_write, (_,_,1))
    %rA_write_2 = cute.slice(%rA_write, (_,_,2))
    %rA_write_3 = cute.slice(%rA_write, (_,_,3))
    %rB_write_0 = cute.slice(%rB_write, (_,_,0))
    %rB_write_1 = cute.slice(%rB_write, (_,_,1))
    %rB_write_2 = cute.slice(%rB_write, (_,_,2))
    %rB_write_3 = cute.slice(%rB_write, (_,_,3))
    %rA_0 = cute.slice(%rA, (_,_,0))
    %rA_1 = cute.slice(%rA, (_,_,1))
    %rA_2 = cute.slice(%rA, (_,_,2))
    %rA_3 = cute.slice(%rA, (_,_,3))
    %rB_0 = cute.slice(%rB, (_,_,0))
    %rB_1 = cute.slice(%rB, (_,_,1))
    %rB_2 = cute.slice(%rB, (_,_,2))
    %rB_3 = cute.slice(%rB, (_,_,3))

    //===-- The pipelined loop --------------------------------------------===//

    // 32 rows of 8 threads, 8 elements each. So a thread has one column of pixels,
    // and 4 rows of them.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s = cute.make_tiled_copy(%async, (32,8):(8,1), (1,8):(0,1))
    %gA_read = cute.partition_s(%g2s, %gA, %thread)
    %gB_read = cute.partition_s(%g2s, %gB, %thread)
    %cA_read = cute.partition_s(%g2s, %cA, %thread)
    %cBorder_read = cute.partition_s(%g2s, %cBorder_tiles, %thread)
    %cB_read = cute.partition_s(%g2s, %cB, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB_write = cute.partition_d(%g2s, %sB, %thread)

    %k_tiles = (%C + 64 - 1) /u 64 * (%R * %S)

    // Fill all stages but one. What is not in A or B is zeros, also that of whole
    // tiles past the last r.
    for %k in 0..2 {
      %gA_k = cute.slice(%gA_read, (_,_,_,%k))
      %gB_k = cute.slice(%gB_read, (_,_,_,%k))
      %sA_k = cute.slice(%sA_write, (_,_,_,%k))
      %sB_k = cute.slice(%sB_write, (_,_,_,%k))
      %cA_k = cute.slice(%cA_read, (0,_,_,%k))
      %cBorder_k = cute.slice(%cBorder_read, (0,_,_,%k))
      %cB_k = cute.slice(%cB_read, (0,_,_,%k))
      %pA_end = cute.make_predicate(%cA_k, %A_shape)
      %pA_begin = cute.make_predicate(%cBorder_k, (1,1))
      cute.store_vector(cute.load_vector(%pA_end) & cute.load_vector(%pA_begin), %pA_end)
      %pB = cute.make_predicate(%cB_k, %F_shape)
      cute.copy(%g2s, %gA_k, %sA_k, %pA_end)
      cute.copy(%g2s, %gB_k, %sB_k, %pB)
      cute.cp_async_commit
    }

    cute.cp_async_wait<1>
    gpu.barrier
    %s_first = cute.static : !cute.coord<"(_,_,0,0)">
    %sA_first = cute.slice(%sA_read, %s_first)
    %sB_first = cute.slice(%sB_read, %s_first)
    cute.copy(%s2r_A, %sA_first, %rA_write_0)
    cute.copy(%s2r_B, %sB_first, %rB_write_0)
    %r, %w = for %k in 0..%k_tiles carry(%read = 0 : i32, %write = 2 : i32) {

      // k-block 0, with the fetch of the tile that is two ahead
      cute.copy(%s2r_A, %sA_read[_,_,1,%read], %rA_write_1)
      cute.copy(%s2r_B, %sB_read[_,_,1,%read], %rB_write_1)
      %ahead = %k + 2
      %gA_k = cute.slice(%gA_read, (_,_,_,%ahead))
      %gB_k = cute.slice(%gB_read, (_,_,_,%ahead))
      %sA_k = cute.slice(%sA_write, (_,_,_,%write))
      %sB_k = cute.slice(%sB_write, (_,_,_,%write))
      %cA_k = cute.slice(%cA_read, (0,_,_,%ahead))
      %cBorder_k = cute.slice(%cBorder_read, (0,_,_,%ahead))
      %cB_k = cute.slice(%cB_read, (0,_,_,%ahead))
      %pA_end = cute.make_predicate(%cA_k, %A_shape)
      %pA_begin = cute.make_predicate(%cBorder_k, (1,1))
      cute.store_vector(cute.load_vector(%pA_end) & cute.load_vector(%pA_begin), %pA_end)
      %pB = cute.make_predicate(%cB_k, %F_shape)
      cute.copy(%g2s, %gA_k, %sA_k, %pA_end)
      cute.copy(%g2s, %gB_k, %sB_k, %pB)
      cute.cp_async_commit
      cute.gemm(%mma, %rC, %rA_0, %rB_0, %rC)

      // k-block 1
      cute.copy(%s2r_A, %sA_read[_,_,2,%read], %rA_write_2)
      cute.copy(%s2r_B, %sB_read[_,_,2,%read], %rB_write_2)
      cute.gemm(%mma, %rC, %rA_1, %rB_1, %rC)

      // k-block 2
      cute.copy(%s2r_A, %sA_read[_,_,3,%read], %rA_write_3)
      cute.copy(%s2r_B, %sB_read[_,_,3,%read], %rB_write_3)
      cute.gemm(%mma, %rC, %rA_2, %rB_2, %rC)

      // k-block 3, with the first of the next tile
      %read_1 = %read + 1
      %read_next = arith.select(%read_1 == 3, 0, %read_1)
      cute.cp_async_wait<1>
      gpu.barrier
      cute.copy(%s2r_A, %sA_read[_,_,0,%read_next], %rA_write_0)
      cute.copy(%s2r_B, %sB_read[_,_,0,%read_next], %rB_write_0)
      cute.gemm(%mma, %rC, %rA_3, %rB_3, %rC)
      yield %read_next, %read
    }
    cute.cp_async_wait<0>

    //===-- The result ----------------------------------------------------===//

    // Through shared memory, over A's tiles, so that channels are written in 16-byte
    // pieces.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.store_vector(f16(cute.load_vector(%rC)), %rD)
    gpu.barrier
    %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"UniversalCopy<uint32_t>", f16>, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2g = cute.make_tiled_copy(%vector, (16,16):(16,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC_write = cute.partition_d(%s2g, %gC, %thread)
    %cC_write = cute.partition_d(%s2g, %cC, %thread)
    %pC = cute.make_predicate(%cC_write[0,_,_], %E_shape)
    %v = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %v)
    cute.copy(%s2g, %v, %gC_write, %pC)
    gpu.return
  }
}
