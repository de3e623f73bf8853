// Step 11: TMA, an mbarrier and wgmma.
//
//   cutec examples/tutorial/11_wgmma_sm90.mlir --arch=sm_90a -o 11_wgmma_sm90.ptx
//
// The GEMM of step 10 for Hopper, where three things are done by other hands. One
// thread has tiles loaded by the tensor memory accelerator, which needs no addresses
// and no predicates. A barrier in shared memory counts the bytes that have come. And
// the four warps of the block, a warpgroup, multiply by one instruction that reads A
// and B where they lie. There is one tile in shared memory, so that loads and products
// wait for each other; step 12 takes several.
//
// M and K are any, and N is a multiple of 8, as in step 10: TMA stores whole pieces of
// 16 bytes. Rows begin at multiples of them.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @tutorial {
  gpu.func @wgmma(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    // Rows of 128 bytes in shared memory, whose pieces of 16 bytes a swizzle permutes:
    // one of the layouts that TMA writes and wgmma reads. It repeats itself after 8
    // rows, 1024 bytes, and begins at a multiple of them.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout = cute.tile_to_shape(%rows, (128,64))
    %layout_C = cute.tile_to_shape(%rows, (128,128))
    %sA = cute.alloc_smem<f16, 1024> (%layout)
    %sB = cute.alloc_smem<f16, 1024> (%layout)
    %sC = cute.alloc_smem<f16, 1024> (%layout_C)

    // An atom for each matrix, and instead of the matrix a tensor of its coordinates:
    // TMA is told where a tile begins, and knows the rest from a map that the launcher
    // makes of the parameter.
    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, (128,64))
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout, (128,64))
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, (128,128))
    %gA = cute.local_tile(%mA, (128,64), (%bm,_))
    %gB = cute.local_tile(%mB, (128,64), (%bn,_))
    %gC = cute.local_tile(%mC, (128,128), (%bm,%bn))

    // The parts that one instruction moves: here a whole tile of A or B.
    %sA_load, %gA_load = cute.tma_partition(%load_A, %sA, %gA)
    %sB_load, %gB_load = cute.tma_partition(%load_B, %sB, %gB)
    %sC_store, %gC_store = cute.tma_partition(%store_C, %sC, %gC)

    // The barrier waits for one arrival, and for the bytes that it says will come.
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)
    %to_A = cute.with_barrier(%load_A, %full)
    %to_B = cute.with_barrier(%load_B, %full)
    %is_first = %thread == 0
    if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
    }
    gpu.barrier

    // m64n128k16, twice for 128 rows and four times for 64 of K. Fragments of A and B
    // are descriptors: where in shared memory, and in which layout.
    %atom = cute.static : !cute.mma_atom<"SM90_64x128x16_F32F16F16_SS<K,K>">
    %mma = cute.make_tiled_mma(%atom)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %sC, %thread)
    %dA = cute.make_fragment_a(%mma, %tA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)

    for %k in 0..cute.size<[2]>(%gA) {
      if %is_first {
        cute.mbarrier_arrive_expect_tx(%full, 32768)
        cute.copy(%to_A, %gA_load[_,%k], %sA_load)
        cute.copy(%to_B, %gB_load[_,%k], %sB_load)
      }

      // The barrier counts phases, and a wait names the parity of one: the k-th is
      // complete when the k-th tiles are there.
      cute.mbarrier_wait(%full, %k & 1)

      // The instructions start, and go on by themselves until the wait. In the first
      // round they do not add to the sums, which hold nothing yet.
      %is_later = %k != 0
      cute.warpgroup_fence()
      cute.gemm(%mma, %rC, %dA, %dB, %rC, %is_later)
      cute.warpgroup_commit
      cute.warpgroup_wait<0> (%rC)

      // Thread 0 may load the next tiles now: the products are the warpgroup's,
      // so that its own wait says of all four warps that they have read these.
    }

    // The sums as f16, through shared memory, as in step 10, but by TMA: what threads
    // wrote is fenced for it, and what lies outside of C is dropped.
    %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", f16>
    %r2s = cute.make_tiled_copy_c(%stmatrix, %mma)
    %rD = cute.make_fragment_like<f16> (%rC)
    cute.convert(%rC, %rD)
    %rD_read = cute.retile(%r2s, %rD)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    cute.copy(%r2s, %rD_read, %sC_write)
    cute.fence_proxy<"async.shared">
    gpu.barrier
    if %is_first {
      cute.copy(%store_C, %sC_store, %gC_store)
      cute.cp_async_bulk_commit
      cute.cp_async_bulk_wait<0>
    }
    gpu.return
  }
}
