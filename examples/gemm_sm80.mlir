// C = A * transpose(B) on tensor cores, for row-major f16 matrices A (MxK),
// B (NxK) and C (MxN) of any size, accumulated in f32.
//
//   cutec examples/gemm_sm80.mlir --arch=sm_80 -o gemm.ptx
//
// How the work is split:
//
//   block     a 128x128 tile of C, from 128x64 tiles of A and B along K
//   warp      4 warps as 2x2, each 64x64 of the tile
//   instruction   mma.sync 16x8x16: the atom of the tiled MMA
//
// and how the data moves:
//
//   global -> shared     cp.async, 16 bytes a thread, three tiles deep, so that
//                        loads run two tiles ahead of their use
//   shared -> registers  ldmatrix, one k-block of 16 ahead of the MMAs
//   registers -> shared -> global   the result, so that rows of C are written in
//                        16-byte pieces
//
// cp.async moves 16 bytes at a time, so rows of A and B must begin at multiples
// of 16 bytes. Matrices for which K or a row pitch is not a multiple of 8 take a
// plain loop without overlap instead, at the end of the file's main `if`.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">

gpu.module @gemm_module {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    //===-- Sizes ---------------------------------------------------------===//

    %A_layout = cute.get_layout(%A)
    %A_shape = cute.get_shape(%A_layout)
    %B_layout = cute.get_layout(%B)
    %B_shape = cute.get_shape(%B_layout)
    %C_layout = cute.get_layout(%C)
    %C_shape = cute.get_shape(%C_layout)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    %N, %K_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout)
    %M_C, %N_C, %ldc = cute.get_scalars<{only_dynamic}> (%C_layout)

    //===-- Tiles ---------------------------------------------------------===//

    // The block's tiles: of A and B all along K, a third mode, and one of C. The
    // tile is (M,N,K), and each matrix takes the two of its modes.
    %tile = cute.static : !cute.shape<"(128,128,64)">
    %block = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?,_)">
    %gC = cute.local_tile<"(1,1,_)"> (%C, %tile, %block)

    // The same tiles of coordinates say which elements exist.
    %cA = cute.local_tile<"(1,_,1)"> (cute.make_identity_tensor(%A_shape), %tile, %block)
    %cB = cute.local_tile<"(_,1,1)"> (cute.make_identity_tensor(%B_shape), %tile, %block)
    %cC = cute.local_tile<"(1,1,_)"> (cute.make_identity_tensor(%C_shape), %tile, %block)

    // Shared memory: rows of 64 elements (128 bytes, all banks once), in which
    // S<3,3,3> permutes the eight 16-byte pieces by the row number modulo 8. The
    // 8 rows that ldmatrix reads at a time are then in different banks.
    %s_layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (128,64,3))
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %sB = cute.alloc_smem<f16, 128> (%s_layout)

    //===-- The MMA -------------------------------------------------------===//

    // 2x2 warps. Permuting by 32 in N gives each warp two instructions side by
    // side, whose B fragments one ldmatrix.x4 loads.
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (2,2,1):(1,2,0), (32,32,16))

    %sA_0 = cute.slice(%sA, (_,_,0))
    %sB_0 = cute.slice(%sB, (_,_,0))
    %rA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA_0, %thread))
    %rB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB_0, %thread))
    %rC = cute.make_fragment_c(%mma, cute.partition_c(%mma, %gC, %thread))
    cute.clear(%rC)

    // ldmatrix as a tiled copy that delivers what the MMA expects. The fragments
    // are seen as it fills them.
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)

    // The k-blocks of a fragment, as ldmatrix writes and as the MMA reads them.
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

    // How many tiles there are along K.
    %k_tiles = (%K + 64 - 1) /u 64

    //===-- The pipelined loop --------------------------------------------===//

    if (%lda | %ldb | i64u(%K)) & 7 == 0 {
      // From here on the compiler may rely on what was just tested.
      %A8 = cute.assume(%A) : !matrix -> !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
      %B8 = cute.assume(%B) : !matrix -> !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
      %gA = cute.local_tile<"(1,_,1)"> (%A8, %tile, %block)
      %gB = cute.local_tile<"(_,1,1)"> (%B8, %tile, %block)

      // 16 rows of 8 threads, 8 elements each: rows of 128 bytes.
      %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
      %g2s = cute.make_tiled_copy(%async, (16,8):(8,1), (1,8):(0,1))
      %gA_read = cute.partition_s(%g2s, %gA, %thread)
      %gB_read = cute.partition_s(%g2s, %gB, %thread)
      %sA_write = cute.partition_d(%g2s, %sA, %thread)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      %cA_read = cute.partition_s(%g2s, %cA, %thread)
      %cB_read = cute.partition_s(%g2s, %cB, %thread)

      // Fill all stages but one. Copies outside of a matrix write zeros, also copies of whole tiles
      // past the end of K. Of all loops only the main one is
      // worth the time that ptxas takes for loops that are unrolled.
      for %k in 0..2 {
        %gA_k = cute.slice(%gA_read, (_,_,_,%k))
        %gB_k = cute.slice(%gB_read, (_,_,_,%k))
        %sA_k = cute.slice(%sA_write, (_,_,_,%k))
        %sB_k = cute.slice(%sB_write, (_,_,_,%k))
        %cA_k = cute.slice(%cA_read, (0,_,_,%k))
        %cB_k = cute.slice(%cB_read, (0,_,_,%k))
        %pA = cute.make_predicate(%cA_k, %A_shape)
        %pB = cute.make_predicate(%cB_k, %B_shape)
        cute.copy(%g2s, %gA_k, %sA_k, %pA)
        cute.copy(%g2s, %gB_k, %sB_k, %pB)
        cute.cp_async_commit
      } {cute.unroll = "none"}

      // The first tile is there when at most one group is still under way.
      cute.cp_async_wait<1>
      gpu.barrier
      %s_first = cute.static : !cute.coord<"(_,_,0,0)">
      %sA_first = cute.slice(%sA_read, %s_first)
      %sB_first = cute.slice(%sB_read, %s_first)
      cute.copy(%s2r_A, %sA_first, %rA_write_0)
      cute.copy(%s2r_B, %sB_first, %rB_write_0)

      // Each round computes one tile (stage `read`) while it fetches the one that
      // is two ahead into the stage that the round before has finished with.
      %r, %w = for %k in 0..%k_tiles carry(%read = 0 : i32, %write = 2 : i32) {

        // k-block 0
        cute.copy(%s2r_A, %sA_read[_,_,1,%read], %rA_write_1)
        cute.copy(%s2r_B, %sB_read[_,_,1,%read], %rB_write_1)
        %ahead = %k + 2
        %gA_k = cute.slice(%gA_read, (_,_,_,%ahead))
        %gB_k = cute.slice(%gB_read, (_,_,_,%ahead))
        %sA_k = cute.slice(%sA_write, (_,_,_,%write))
        %sB_k = cute.slice(%sB_write, (_,_,_,%write))
        %cA_k = cute.slice(%cA_read, (0,_,_,%ahead))
        %cB_k = cute.slice(%cB_read, (0,_,_,%ahead))
        %pA = cute.make_predicate(%cA_k, %A_shape)
        %pB = cute.make_predicate(%cB_k, %B_shape)
        cute.copy(%g2s, %gA_k, %sA_k, %pA)
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
    } else {
      //===-- The plain loop ----------------------------------------------===//

      // Element by element, in strips of 16 rows: 2 rows of 64 threads, 8 times.
      %gA = cute.local_tile<"(1,_,1)"> (%A, %tile, %block)
      %gB = cute.local_tile<"(_,1,1)"> (%B, %tile, %block)
      %element = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
      %e_copy = cute.make_tiled_copy(%element, (2,64):(64,1), (1,1):(0,0))
      for %k in 0..%k_tiles {
        %gA_k = cute.slice(%gA, (_,_,%k))
        %gB_k = cute.slice(%gB, (_,_,%k))
        %cA_k = cute.slice(%cA, (_,_,%k))
        %cB_k = cute.slice(%cB, (_,_,%k))
        gpu.barrier
        for %i in 0..8 {
          %gA_i = cute.local_tile(%gA_k, (16,64), (%i,0))
          %gB_i = cute.local_tile(%gB_k, (16,64), (%i,0))
          %cA_i = cute.local_tile(%cA_k, (16,64), (%i,0))
          %cB_i = cute.local_tile(%cB_k, (16,64), (%i,0))
          %sA_i = cute.local_tile(%sA_0, (16,64), (%i,0))
          %sB_i = cute.local_tile(%sB_0, (16,64), (%i,0))
          %gA_t = cute.partition_s(%e_copy, %gA_i, %thread)
          %gB_t = cute.partition_s(%e_copy, %gB_i, %thread)
          %cA_t = cute.partition_s(%e_copy, %cA_i, %thread)
          %cB_t = cute.partition_s(%e_copy, %cB_i, %thread)
          %sA_t = cute.partition_d(%e_copy, %sA_i, %thread)
          %sB_t = cute.partition_d(%e_copy, %sB_i, %thread)
          %pA = cute.make_predicate(%cA_t[0,_,_], %A_shape)
          %pB = cute.make_predicate(%cB_t[0,_,_], %B_shape)
          %fA = cute.make_fragment_like(%gA_t)
          %fB = cute.make_fragment_like(%gB_t)
          cute.clear(%fA)
          cute.clear(%fB)
          cute.copy(%e_copy, %gA_t, %fA, %pA)
          cute.copy(%e_copy, %gB_t, %fB, %pB)
          cute.copy(%e_copy, %fA, %sA_t)
          cute.copy(%e_copy, %fB, %sB_t)
        } {cute.unroll = "none"}
        gpu.barrier
        %all_blocks = cute.static : !cute.coord<"(_,_,_,0)">
        %sA_all = cute.slice(%sA_read, %all_blocks)
        %sB_all = cute.slice(%sB_read, %all_blocks)
        cute.copy(%s2r_A, %sA_all, %rA_write)
        cute.copy(%s2r_B, %sB_all, %rB_write)
        cute.gemm(%mma, %rC, %rA, %rB, %rC)
      }
    }

    //===-- The result ----------------------------------------------------===//

    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)

    // Through shared memory, over A's tiles, which nobody reads any more.
    gpu.barrier
    %sC = cute.make_tensor(cute.get_iter(%sA), S<3,3,4> o 0 o (128,128):(128,1))
    %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"UniversalCopy<uint32_t>", f16>, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier

    if (i64u(%N) | %ldc) & 7 == 0 {
      %C8 = cute.assume(%C) : !matrix -> !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
      %gC8 = cute.local_tile<"(1,1,_)"> (%C8, %tile, %block)
      %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
      %s2g = cute.make_tiled_copy(%vector, (8,16):(16,1), (1,8):(0,1))
      %sC_read = cute.partition_s(%s2g, %sC, %thread)
      %gC_write = cute.partition_d(%s2g, %gC8, %thread)
      %cC_write = cute.partition_d(%s2g, %cC, %thread)
      %pC = cute.make_predicate(%cC_write[0,_,_], %C_shape)
      %r = cute.make_fragment_like(%sC_read)
      cute.copy(%s2g, %sC_read, %r)
      cute.copy(%s2g, %r, %gC_write, %pC)
    } else {
      %element = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
      %e_copy = cute.make_tiled_copy(%element, (1,128):(0,1), (1,1):(0,0))
      %strip = cute.static : !cute.shape<"(16,128)">
      for %i in 0..8 {
        %gC_t = cute.partition_d(%e_copy, cute.local_tile(%gC, %strip, (%i,0)), %thread)
        %cC_t = cute.partition_d(%e_copy, cute.local_tile(%cC, %strip, (%i,0)), %thread)
        %sC_t = cute.partition_s(%e_copy, cute.local_tile(%sC, %strip, (%i,0)), %thread)
        %pC = cute.make_predicate(%cC_t[0,_,_], %C_shape)
        %f = cute.make_fragment_like(%sC_t)
        cute.copy(%e_copy, %sC_t, %f)
        cute.copy(%e_copy, %f, %gC_t, %pC)
      } {cute.unroll = "none"}
    }
    gpu.return
  }
}
