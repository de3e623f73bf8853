// C = A B^T on Blackwell by pairs of blocks: each loads half of a tile of A and half of one
// of B by TMA, the first of the two multiplies both into the tensor memory of both, and each
// takes its 128 rows of sums from there. A tile of 256 x 128 a pair, which the blocks read
// less of B for than two blocks of one tile each would.
//
//   cutec examples/gemm_sm100_pair.mlir --arch=sm_100a -o gemm_sm100_pair.ptx
//
// M is a multiple of 256 and N of 128, K is any; rows begin at multiples of 16 bytes.
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!result = !cute.tensor<f32, gmem, align<16>, "(?{div=256},?{div=128}):(?{i64 div=4},1)">

gpu.module @blackwell {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !result) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  known_cluster_size = array<i32: 2, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %rank = cute.block_rank_in_cluster
    %bm2 = %bm /u 2
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout_A = cute.tile_to_shape(%rows, (128,64))
    %layout_B = cute.tile_to_shape(%rows, (64,64))
    %sA = cute.alloc_smem<f16, 1024> (%layout_A)
    %sB = cute.alloc_smem<f16, 1024> (%layout_B)
    %load_A, %mA = cute.make_tma_atom<"SM100_TMA_2SM_LOAD"> (%A, %layout_A, (128,64))
    %load_B, %mB = cute.make_tma_atom<"SM100_TMA_2SM_LOAD"> (%B, %layout_B, (64,64))
    %gA = cute.local_tile(%mA, (128,64), (%bm,_))
    %gB = cute.local_tile(%mB, (64,64), (%bn * 2 + %rank,_))
    %gC = cute.local_tile(%C, (256,128), (%bm2,%bn))
    %sA_load, %gA_load = cute.tma_partition(%load_A, %sA, %gA)
    %sB_load, %gB_load = cute.tma_partition(%load_B, %sB, %gB)

    %barriers = cute.alloc_smem<i64, 8> (2:1)
    %full = cute.get_iter(%barriers)
    %done = cute.add_offset(%full, 1)
    %to_A = cute.with_barrier(%load_A, %full)
    %to_B = cute.with_barrier(%load_B, %full)
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    %is_first = %thread == 0
    %is_warp0 = %thread <u 32
    %is_leader = %rank == 0
    if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.mbarrier_init(%done, 1)
      cute.fence_mbarrier_init
    }
    if %is_warp0 {
      cute.tmem_alloc<128, 2> (%slot)
      cute.tmem_relinquish<2>
    }
    gpu.barrier
    cute.cluster_arrive
    cute.cluster_wait // the other block's barriers are there, and its columns
    %tmem = cute.make_ptr(%slots[0]) : (i32) -> !cute.ptr<f32, tmem, align<16>>

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,256,128,K,K>">)
    %tA = cute.tiled_divide(%sA, (128,16))
    %tB = cute.tiled_divide(%sB, (64,16))
    %tC = cute.partition_c(%mma, %gC, %rank)
    %dA = cute.make_fragment_a(%mma, %tA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %fC = cute.make_fragment_c(%mma, %tC)
    %acc = cute.make_tensor(%tmem, cute.get_layout(%fC))

    for %k in 0..cute.size<[2]>(%gA) {
      %phase = %k & 1
      if %is_first {
        if %is_leader {
          cute.mbarrier_arrive_expect_tx(%full, 49152) // of both blocks
        }
        cute.copy(%to_A, %gA_load[_,%k], %sA_load)
        cute.copy(%to_B, %gB_load[_,%k], %sB_load)
        if %is_leader {
          cute.mbarrier_wait(%full, %phase)
          cute.gemm(%mma, %acc, %dA, %dB, %acc, %k != 0)
          cute.tcgen05_commit<2> (%done, 3)
        }
      }
      cute.mbarrier_wait(%done, %phase)
      gpu.barrier // none waits for this phase when the next one ends
    }
    cute.tcgen05_fence<"after">

    %copy = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f32>, %acc[_,0,0])
    %tAcc = cute.partition_s(%copy, %acc[_,0,0], %thread)
    %gOut = cute.partition_d(%copy, %tC[_,0,0], %thread)
    %r = cute.make_fragment_like(%gOut)
    cute.copy(%copy, %tAcc, %r)
    cute.tmem_wait<"ld"> (%r)
    cute.autovec_copy(%r, %gOut)
    cute.tcgen05_fence<"before">
    cute.cluster_arrive
    cute.cluster_wait // both have what they need of the other
    if %is_warp0 {
      cute.tmem_dealloc<128, 2> (%tmem)
    }
    gpu.return
  }
}
