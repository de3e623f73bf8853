// C = A * transpose(B) as a persistent kernel with its loops written out: blocks
// take tiles of C in turns, and clear their sums, go through k-blocks and write the
// result by loops over registers. A (MxK), B (NxK) and C (MxN) are row-major f16
// of any size as long as K and N, and the row pitches, are multiples of 8.
//
//   cutec bench/plain/gemm_loops.mlir --passes=cute-optimize -o gemm_loops.ptx
//
// makes of it what it makes of examples/gemm_plain.mlir, also for sm_90a, whose copies
// and products of whole tiles need no such loops.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @gemm_module {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["132"]} {
    %block = cute.block_idx
    %blocks = cute.grid_dim
    %thread = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c128 = arith.constant 128 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant 0.0 : f32

    // Shared memory for one tile of A and of B.
    %sA = cute.alloc_smem<f16, 128> ((128,64):(64,1))
    %sB = cute.alloc_smem<f16, 128> ((128,64):(64,1))

    // 2x2 warps of mma.sync 16x8x16, and the fragments of a thread.
    %mma = cute.make_tiled_mma(!mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tCsA = cute.partition_a(%mma, %sA, %thread)
    %tCsB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tCsA)
    %rB = cute.make_fragment_b(%mma, %tCsB)
    %rC_shape = cute.partition_shape_c(%mma, (128,128))
    %rC = cute.make_fragment<f32> (%rC_shape)

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

    // By way of shared memory, so that the result is written in whole rows.
    %sC = cute.alloc_smem<f16, 128> ((128,128):(128,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD = cute.make_fragment_like<f16> (%rC)
    %rD_read = cute.retile(%r2s, %rD)
    %s2g = cute.make_tiled_copy(!vector, (8,16):(16,1), (1,8):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)

    %A_layout = cute.get_layout(%A)
    %M, %K, %lda = cute.get_scalars<{only_dynamic}> (%A_layout)
    %B_layout = cute.get_layout(%B)
    %N, %K_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout)
    %rows = arith.ceildivui %M, %c128 : i32
    %columns = arith.ceildivui %N, %c128 : i32
    %tiles = arith.muli %rows, %columns : i32
    %k_tiles = arith.ceildivui %K, %c64 : i32
    scf.for %tile = %block to %tiles step %blocks : i32 {
      %bm = arith.remui %tile, %rows : i32
      %bn = arith.divui %tile, %rows : i32
      scf.for %i = %c0 to %c128 step %c1 : i32 {
        %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
        cute.store(%zero, %rC, %at)
      }
      scf.for %k = %c0 to %k_tiles step %c1 : i32 {
        %gA, %pA = cute.predicated_tile_s(%g2s, %A, (128,64), (%bm,%k), %thread)
        %gB, %pB = cute.predicated_tile_s(%g2s, %B, (128,64), (%bn,%k), %thread)
        cute.copy(%g2s, %gA, %sA_write, %pA)
        cute.copy(%g2s, %gB, %sB_write, %pB)
        cute.cp_async_commit
        cute.cp_async_wait<0>
        gpu.barrier
        scf.for %b = %c0 to %c4 step %c1 : i32 {
          %sA_b = cute.slice(%sA_read, (_,_,%b))
          %sB_b = cute.slice(%sB_read, (_,_,%b))
          %to_A = cute.slice(%rA_write, (_,_,%b))
          %to_B = cute.slice(%rB_write, (_,_,%b))
          cute.copy(%s2r_A, %sA_b, %to_A)
          cute.copy(%s2r_B, %sB_b, %to_B)
          %rA_b = cute.slice(%rA, (_,_,%b))
          %rB_b = cute.slice(%rB, (_,_,%b))
          cute.gemm(%mma, %rC, %rA_b, %rB_b, %rC)
        }
        gpu.barrier
      }
      scf.for %m = %c0 to %c4 step %c1 : i32 {
        %sums = cute.slice(%rC, (_,%m,_))
        %rounded = cute.slice(%rD, (_,%m,_))
        cute.convert(%sums, %rounded)
        %from = cute.slice(%rD_read, (_,%m,_))
        %to = cute.slice(%sC_write, (_,%m,_))
        cute.copy(%r2s, %from, %to)
      }
      gpu.barrier
      %gC, %pC = cute.predicated_tile_d(%s2g, %C, (128,128), (%bm,%bn), %thread)
      %r = cute.make_fragment_like(%sC_read)
      cute.copy(%s2g, %sC_read, %r)
      cute.copy(%s2g, %r, %gC, %pC)
    }
    gpu.return
  }
}
