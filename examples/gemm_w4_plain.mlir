// C = W * transpose(X), where W (MxK) has weights of 4 bits and a scale for each 64 of a
// row, as one writes it first: gemm_plain.mlir, in which threads make f16 of W between
// shared memory and the product. X (NxK) and C (MxN) are row-major f16, the sum is f32.
// Bytes of W hold two signed weights, the first one in the low bits; S (M x K/64) has
// the scales. K is a multiple of 64, N of 8.
//
//   cutec examples/gemm_w4_plain.mlir --arch=sm_90a --passes=cute-optimize -o gemm.ptx
//
// has TMA load W and X, and wgmma take W from registers. W is the product's first operand,
// since that is the one that may come from registers.

!weights = !cute.tensor<i8, gmem, align<16>, "(?,?{div=32}):(?{i64 div=16},1)">
!scales = !cute.tensor<f16, gmem, align<2>, "(?,?):(?{i64},1)">
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
!async_weights = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", i8>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @gemm_module attributes {cute.parameters = {BM = 128, BN = 128}} {
  gpu.func @gemm(%W: !weights, %S: !scales, %X: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg3.shape[0], $BM)",
                               "ceil_div(arg3.shape[1], $BN)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    // Shared memory for 64 columns of W and X, which are 32 bytes of W.
    %sW = cute.alloc_smem<i8, 128> (($BM,32):(32,1))
    %sX = cute.alloc_smem<f16, 128> (($BN,64):(64,1))
    %sW_4bit = cute.recast_tensor<i4> (%sW)

    // 2x2 warps of mma.sync 16x8x16; a thread has its weights as they are, and as f16.
    %mma = cute.make_tiled_mma(!mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsW = cute.partition_a(%mma, %sW_4bit, %thread)
    %rW_4bit = cute.make_fragment_like(%tCsW)
    %rW = cute.make_fragment_like<f16> (%rW_4bit)
    %rX = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sX, %thread))
    %rC = cute.make_fragment<f32> (cute.partition_shape_c(%mma, ($BM,$BN)))
    cute.clear(%rC)

    %g2s_W = cute.make_tiled_copy(!async_weights, (64,2):(2,1), (1,16):(0,1))
    %g2s_X = cute.make_tiled_copy(!async, (16,8):(8,1), (1,8):(0,1))
    %sW_write = cute.partition_d(%g2s_W, %sW, %thread)
    %sX_write = cute.partition_d(%g2s_X, %sX, %thread)
    %s2r_X = cute.make_tiled_copy_b(!ldmatrix, %mma)
    %sX_read = cute.partition_s(%s2r_X, %sX, %thread)
    %rX_write = cute.retile(%s2r_X, %rX)

    // The scales as a tensor of W's shape: 64 columns have one.
    %M, %groups, %lds = cute.get_scalars<{only_dynamic}> (cute.get_layout(%S))
    %S_shape = cute.make_shape(%M, %groups) : (i32, i32) -> !cute.shape<"(?,(64,?))">
    %S_stride = cute.make_stride(%lds) : (i64) -> !cute.stride<"(?{i64},(0,1))">
    %S_all = cute.make_tensor(cute.get_iter(%S), cute.make_layout(%S_shape, %S_stride))
    %rows = cute.make_tensor(0, ($BM,64):(1,0))
    %tC_rows = cute.partition_a(%mma, %rows, %thread)
    %left = cute.make_int_tuple(%M - %bm * $BM) : (i32) -> !cute.int_tuple<"?">
    %is_row = cute.make_predicate(%tC_rows, %left)

    for %k in 0..%groups {
      %gW, %pW = cute.predicated_tile_s(%g2s_W, %W, ($BM,32), (%bm,%k), %thread)
      %gX, %pX = cute.predicated_tile_s(%g2s_X, %X, ($BN,64), (%bn,%k), %thread)
      cute.copy(%g2s_W, %gW, %sW_write, %pW)
      cute.copy(%g2s_X, %gX, %sX_write, %pX)
      %tCgS = cute.partition_a(%mma, cute.local_tile(%S_all, ($BM,64), (%bm,%k)), %thread)
      %rS = cute.make_fragment_like(%tCgS)
      cute.clear(%rS)
      cute.basic_copy_if(%is_row, %tCgS, %rS)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.autovec_copy(%tCsW, %rW_4bit)
      cute.convert(%rW_4bit, %rW)
      cute.store_vector(cute.load_vector(%rW) * cute.load_vector(%rS), %rW)
      cute.copy(%s2r_X, %sX_read, %rX_write)
      cute.gemm(%mma, %rC, %rW, %rX, %rC)
      gpu.barrier
    }

    // The result by way of shared memory, so that it is written in whole rows.
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %sC = cute.alloc_smem<f16, 128> (($BM,$BN):($BN,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    cute.copy(%r2s, cute.retile(%r2s, %rD), cute.partition_d(%r2s, %sC, %thread))
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (16,8):(8,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC, %pC = cute.predicated_tile_d(%s2g, %C, ($BM,$BN), (%bm,%bn), %thread)
    %r = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %r)
    cute.copy(%s2g, %r, %gC, %pC)
    gpu.return
  }
}
