// Step 12: a pipeline, and warpgroups with roles.
//
//   cutec examples/tutorial/12_pipeline_sm90.mlir --arch=sm_90a -o 12_pipeline_sm90.ptx
//
// Step 11 with four stages. One warpgroup, the producer, only loads; another, the
// consumer, only multiplies. They meet in a pipeline: two barriers for each stage, by
// which the producer says that it is full, and the consumer that it is empty again. The
// pipeline knows how many bytes fill a stage and who empties it, and a state, which is
// carried through the loop, says which stage is next and in which phase.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @tutorial {
  gpu.func @pipeline(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %in_group = %thread & 127
    %is_first = %in_group == 0

    // The layouts of step 11; those in shared memory have a third mode, the stage.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout = cute.tile_to_shape(%rows, (128,64))
    %layout_C = cute.tile_to_shape(%rows, (128,128))
    %layout_stages = cute.tile_to_shape(%rows, (128,64,4))
    %sA = cute.alloc_smem<f16, 1024> (%layout_stages)
    %sB = cute.alloc_smem<f16, 1024> (%layout_stages)
    %sC = cute.alloc_smem<f16, 1024> (%layout_C)

    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, (128,64))
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout, (128,64))
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, (128,128))
    %gA = cute.local_tile(%mA, (128,64), (%bm,_))
    %gB = cute.local_tile(%mB, (128,64), (%bn,_))
    %gC = cute.local_tile(%mC, (128,128), (%bm,%bn))

    %sA_load, %gA_load = cute.tma_partition(%load_A, %sA, %gA)
    %sB_load, %gB_load = cute.tma_partition(%load_B, %sB, %gB)
    %sC_store, %gC_store = cute.tma_partition(%store_C, %sC, %gC)

    // Four stages, each for a tile of A and one of B, which one warpgroup empties.
    %pipeline = cute.make_pipeline_tma<4, 1, "warpgroup"> (%load_A, %load_B)
    if %thread == 0 {
      cute.init_pipeline(%pipeline)
    }
    gpu.barrier

    %k_tiles = cute.size<[2]>(%gA)

    %warpgroup = %thread >>u 7
    if %warpgroup == 0 {
      // One thread goes ahead, as far as stages are empty. All are at first, which the
      // state of a producer says.
      if %is_first {
        %fill = cute.make_pipeline_state<"producer"> (%pipeline)
        %end = for %k in 0..%k_tiles carry(%state = %fill) {
          %stage = cute.pipeline_stage(%state)
          cute.producer_acquire(%pipeline, %state)
          %full = cute.producer_barrier(%pipeline, %state)
          %to_A = cute.with_barrier(%load_A, %full)
          %to_B = cute.with_barrier(%load_B, %full)
          cute.copy(%to_A, %gA_load[_,%k], %sA_load[_,%stage])
          cute.copy(%to_B, %gB_load[_,%k], %sB_load[_,%stage])
          cute.producer_commit(%pipeline, %state)
          yield cute.pipeline_advance(%state)
        }
      }
    } else {
      // As in step 11, in threads 128 to 255.
      %atom = cute.static : !cute.mma_atom<"SM90_64x128x16_F32F16F16_SS<K,K>">
      %mma = cute.make_tiled_mma(%atom)
      %tA = cute.partition_a(%mma, %sA, %in_group)
      %tB = cute.partition_b(%mma, %sB, %in_group)
      %tC = cute.partition_c(%mma, %sC, %in_group)
      %dA = cute.make_fragment_a(%mma, %tA)
      %dB = cute.make_fragment_b(%mma, %tB)
      %rC = cute.make_fragment_c(%mma, %tC)

      // A product is started before the one of the round before is complete, so that
      // the tensor cores never rest. When it is, its stage is empty.
      %drain = cute.make_pipeline_state<"consumer"> (%pipeline)
      %end, %last = for %k in 0..%k_tiles carry(%state = %drain, %before = %drain) {
        %stage = cute.pipeline_stage(%state)
        %is_later = %k != 0
        cute.consumer_wait(%pipeline, %state)
        cute.warpgroup_fence()
        cute.gemm(%mma, %rC, %dA[_,_,_,%stage], %dB[_,_,_,%stage], %rC, %is_later)
        cute.warpgroup_commit
        cute.warpgroup_wait<1> ()
        if %is_later {
          cute.consumer_release(%pipeline, %before)
        }
        yield cute.pipeline_advance(%state), %state
      }
      cute.warpgroup_wait<0> (%rC)

      // The result, as in step 11. The barrier is one of this warpgroup's threads.
      %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", f16>
      %r2s = cute.make_tiled_copy_c(%stmatrix, %mma)
      %rD = cute.make_fragment_like<f16> (%rC)
      cute.convert(%rC, %rD)
      %rD_read = cute.retile(%r2s, %rD)
      %sC_write = cute.partition_d(%r2s, %sC, %in_group)
      cute.copy(%r2s, %rD_read, %sC_write)
      cute.fence_proxy<"async.shared">
      cute.named_barrier_sync(1, 128)
      if %is_first {
        cute.copy(%store_C, %sC_store, %gC_store)
        cute.cp_async_bulk_commit
        cute.cp_async_bulk_wait<0>
      }
    }
    gpu.return
  }
}
