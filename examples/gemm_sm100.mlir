// C = A B^T on Blackwell: TMA loads f16 tiles, tcgen05.mma multiplies them into tensor
// memory, and four warps take the f32 sums from there. One tile of 128 x 128 a block and
// one stage: the smallest kernel that goes through every part.
//
//   cutec examples/gemm_sm100.mlir --arch=sm_100a -o gemm_sm100.ptx
//
// M and N are multiples of 128, K is any; rows begin at multiples of 16 bytes.
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!result = !cute.tensor<f32, gmem, align<16>, "(?{div=128},?{div=128}):(?{i64 div=4},1)">

gpu.module @blackwell {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !result) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (128,64))
    %sA = cute.alloc_smem<f16, 1024> (%layout)
    %sB = cute.alloc_smem<f16, 1024> (%layout)
    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, (128,64))
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout, (128,64))
    %gA = cute.local_tile(%mA, (128,64), (%bm,_))
    %gB = cute.local_tile(%mB, (128,64), (%bn,_))
    %gC = cute.local_tile(%C, (128,128), (%bm,%bn))
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
    if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.mbarrier_init(%done, 1)
      cute.fence_mbarrier_init
    }
    if %is_warp0 {
      cute.tmem_alloc<128, 1> (%slot)
      cute.tmem_relinquish<1>
    }
    gpu.barrier
    %tmem = cute.make_ptr(%slots[0]) : (i32) -> !cute.ptr<f32, tmem, align<16>>

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
    %tC = cute.partition_c(%mma, %gC, 0)
    %dA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA, 0))
    %dB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB, 0))
    %fC = cute.make_fragment_c(%mma, %tC)
    %acc = cute.make_tensor(%tmem, cute.get_layout(%fC))

    for %k in 0..cute.size<[2]>(%gA) {
      %phase = %k & 1
      if %is_first {
        cute.mbarrier_arrive_expect_tx(%full, 32768)
        cute.copy(%to_A, %gA_load[_,%k], %sA_load)
        cute.copy(%to_B, %gB_load[_,%k], %sB_load)
        cute.mbarrier_wait(%full, %phase)
        cute.gemm(%mma, %acc, %dA, %dB, %acc, %k != 0)
        cute.tcgen05_commit<1> (%done)
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
    gpu.barrier
    if %is_warp0 {
      cute.tmem_dealloc<128, 1> (%tmem)
    }
    gpu.return
  }
}
