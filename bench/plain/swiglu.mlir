// D = silu(A B1^T) * (A B2^T), the first half of a gated layer, as one writes it first: one
// loop with two products, arithmetic on the sums as vectors, and a store through shared
// memory. A (MxK), B1, B2 (NxK) and D (MxN) are row-major f16 whose rows are multiples of 8.
//
//   cutec bench/plain/swiglu.mlir --arch=sm_90a --passes=cute-optimize -o swiglu.ptx

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", f16>

gpu.module @swiglu_module {
  gpu.func @swiglu(%A: !matrix, %B1: !matrix, %B2: !matrix, %D: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg3.shape[0], 128)",
                               "ceil_div(arg3.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %sA = cute.alloc_smem<f16, 128> ((128,64):(64,1))
    %sB1 = cute.alloc_smem<f16, 128> ((128,64):(64,1))
    %sB2 = cute.alloc_smem<f16, 128> ((128,64):(64,1))

    %mma = cute.make_tiled_mma(!mma_atom, (2,2,1):(1,2,0), (32,32,16))
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB1 = cute.partition_b(%mma, %sB1, %thread)
    %tB2 = cute.partition_b(%mma, %sB2, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB1 = cute.make_fragment_b(%mma, %tB1)
    %rB2 = cute.make_fragment_b(%mma, %tB2)
    %shape = cute.partition_shape_c(%mma, (128,128))
    %r1 = cute.make_fragment<f32> (%shape)
    %r2 = cute.make_fragment<f32> (%shape)
    cute.clear(%r1)
    cute.clear(%r2)

    %g2s = cute.make_tiled_copy(!async, (16,8):(8,1), (1,8):(0,1))
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sB1_write = cute.partition_d(%g2s, %sB1, %thread)
    %sB2_write = cute.partition_d(%g2s, %sB2, %thread)
    %s2r_A = cute.make_tiled_copy_a(!ldmatrix, %mma)
    %s2r_B = cute.make_tiled_copy_b(!ldmatrix, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB1_read = cute.partition_s(%s2r_B, %sB1, %thread)
    %sB2_read = cute.partition_s(%s2r_B, %sB2, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB1_write = cute.retile(%s2r_B, %rB1)
    %rB2_write = cute.retile(%s2r_B, %rB2)

    %extent = cute.size<[1]> (%A)
    %K = cute.get_scalars(%extent)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %k_tiles = arith.ceildivui %K, %c64 : i32
    scf.for %k = %c0 to %k_tiles step %c1 : i32 {
      %gA, %pA = cute.predicated_tile_s(%g2s, %A, (128,64), (%bm,%k), %thread)
      %gB1, %pB1 = cute.predicated_tile_s(%g2s, %B1, (128,64), (%bn,%k), %thread)
      %gB2, %pB2 = cute.predicated_tile_s(%g2s, %B2, (128,64), (%bn,%k), %thread)
      cute.copy(%g2s, %gA, %sA_write, %pA)
      cute.copy(%g2s, %gB1, %sB1_write, %pB1)
      cute.copy(%g2s, %gB2, %sB2_write, %pB2)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB1_read, %rB1_write)
      cute.copy(%s2r_B, %sB2_read, %rB2_write)
      cute.gemm(%mma, %r1, %rA, %rB1, %r1)
      cute.gemm(%mma, %r2, %rA, %rB2, %r2)
      gpu.barrier
    }

    // x / (1 + exp(-x)) * y
    %x = cute.load_vector(%r1)
    %y = cute.load_vector(%r2)
    %one = arith.constant dense<1.0> : vector<128xf32>
    %minus_x = arith.negf %x : vector<128xf32>
    %e = math.exp %minus_x fastmath<afn> : vector<128xf32>
    %below = arith.addf %e, %one : vector<128xf32>
    %silu = arith.divf %x, %below fastmath<arcp,afn> : vector<128xf32>
    %z = arith.mulf %silu, %y : vector<128xf32>
    %h = arith.truncf %z : vector<128xf32> to vector<128xf16>
    %rD = cute.make_fragment_like<f16> (%r1)
    cute.store_vector(%h, %rD)

    %sD = cute.alloc_smem<f16, 128> ((128,128):(128,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    %sD_write = cute.partition_d(%r2s, %sD, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sD_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (8,16):(16,1), (1,8):(0,1))
    %sD_read = cute.partition_s(%s2g, %sD, %thread)
    %gD, %pD = cute.predicated_tile_d(%s2g, %D, (128,128), (%bm,%bn), %thread)
    %r = cute.make_fragment_like(%sD_read)
    cute.copy(%s2g, %sD_read, %r)
    cute.copy(%s2g, %r, %gD, %pD)
    gpu.return
  }
}
