// A GEMM as fast as any on Hopper: C = A B^T, of f16 with sums in f32, or of bf16
// (-D T=bf16 -D PRODUCT=F32BF16BF16), for
// matrices of any size whose rows begin at multiples of 16 bytes. (Of no size is
// none: a tensor map has extents of at least 1, and the launcher says so.)
//
//   tile       128 x 256 of C for each thread block, 64 of K at a time
//   loads      by TMA into four stages of shared memory, started by one thread
//   products   by wgmma, two warpgroups with 64 rows each
//   cluster    two blocks, one above the other, which share their tile of B:
//              each loads half of it for both
//   grid       as many clusters as fit; each goes from tile to tile
//   result     through shared memory, by TMA, while the next tile is loaded
//
// The three warpgroups of a block have roles. Warpgroup 0 is the producer: one
// of its threads waits for an empty stage, and starts the loads that fill it.
// The other two are consumers: they wait for a full stage and multiply.
//
// Stages go round in a pipeline. It has two barriers for each: `full` counts the
// bytes that a tile of A and one of B have, and `empty` an arrival of each
// consumer of each block of the cluster, as what a block loads goes to both. A
// state says which stage is next, and in which phase of its barrier.
//
// The result goes through a pipeline, too: of two buffers for each consumer,
// which TMA stores empty.
//
// Edges need no care: what TMA loads from outside of a matrix is zero, and what it
// stores there is dropped. But it stores whole pieces of 16 bytes of a row, with
// zeros after its end. If rows of C do not end with a piece (N is no multiple of 8),
// threads store the last tiles of these rows; the branch is the same for all threads
// of a warpgroup, and other tiles do not take it.

!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @gemm_sm90 attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16"}} {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel attributes {
      known_block_size = array<i32: 384, 1, 1>,
      known_cluster_size = array<i32: 2, 1, 1>,
      nvvm.minctasm = 1 : i32,
      cute.grid = ["min(ceil_div(arg0.shape[0], 256) * ceil_div(arg1.shape[0], 256), active_clusters) * 2"]} {
    //===-- Threads -------------------------------------------------------===//

    // The number of the warp is the same in all its lanes, and a shuffle makes
    // the compiler see it.
    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %warpgroup = %warp >>u 2
    %rank = cute.block_rank_in_cluster
    %cluster_index = gpu.cluster_id x
    %cluster = i32(%cluster_index)
    %clusters_index = gpu.cluster_dim x
    %clusters = i32(%clusters_index)

    //===-- Shared memory -------------------------------------------------===//

    // Rows of 64 elements (128 bytes), in which S<3,3,3> permutes the eight
    // pieces of 16 bytes by the number of the row modulo 8: a layout that TMA
    // writes and wgmma reads. It repeats itself after 1024 bytes.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %tile_A = cute.static : !cute.shape<"(128,64)">
    %tile_B = cute.static : !cute.shape<"(256,64)">
    %layout_A = cute.tile_to_shape(%rows, %tile_A)
    %layout_B = cute.tile_to_shape(%rows, %tile_B)
    %layout_C = cute.tile_to_shape(%rows, (64,64))
    %stages_layout_A = cute.tile_to_shape(%rows, (128,64,4))
    %stages_layout_B = cute.tile_to_shape(%rows, (256,64,4))
    %buffers_layout_C = cute.tile_to_shape(%rows, (64,64,4))
    %sA = cute.alloc_smem<$T, 1024> (%stages_layout_A)
    %sB = cute.alloc_smem<$T, 1024> (%stages_layout_B)
    %sC = cute.alloc_smem<$T, 1024> (%buffers_layout_C)

    //===-- Tensor maps ---------------------------------------------------===//

    // Each says which box of a matrix goes where in shared memory. The tensors
    // of coordinates take the place of the matrices.
    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout_A, %tile_A)
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%B, %layout_B, %tile_B, 2)
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, (64,64))

    //===-- Pipelines -----------------------------------------------------===//

    // Four stages, which two warpgroups empty, in both blocks of the cluster. One
    // thread makes the barriers, and nobody may use them, or copy to the other
    // block, before both blocks are that far.
    %pipeline = cute.make_pipeline_tma<4, 2, "warpgroup"> (%load_A, %load_B, 3)
    %buffers = cute.make_pipeline_tma_store<2>
    if %thread == 0 {
      cute.init_pipeline(%pipeline)
      cute.prefetch_descriptor(%load_A)
      cute.prefetch_descriptor(%load_B)
      cute.prefetch_descriptor(%store_C)
    }
    cute.cluster_arrive<{relaxed}>
    cute.cluster_wait

    //===-- Tiles ---------------------------------------------------------===//

    // A cluster has 256 x 256 of C. Clusters take tiles in groups of eight rows,
    // column by column, so that those at work together share A and B in the L2
    // cache.
    %M, %K = cute.get_scalars(cute.get_shape(%A))
    %N, %K_B = cute.get_scalars(cute.get_shape(%B))
    %M_255 = %M + 255
    %N_255 = %N + 255
    %K_63 = %K + 63
    %tiles_M = %M_255 /u 256
    %tiles_N = %N_255 /u 256
    %k_tiles = %K_63 /u 64
    %tiles = %tiles_M * %tiles_N
    %group = %tiles_N * 8

    if %warpgroup == 0 {
      //===-- The producer ------------------------------------------------===//

      // It needs few registers, and leaves its own to the consumers.
      cute.set_registers<"decrease", 40>
      if %warp == 0 {
        if cute.elect_one {
          %fill_end = for %tile in %cluster..%tiles step %clusters
              carry(%fill_tile = cute.make_pipeline_state<"producer">(%pipeline)) {
            %in_group = %tile modu %group
            %first_row = %tile /u %group * 8
            %group_rows = minu(%tiles_M - %first_row, 8)
            %row = (%first_row + %in_group modu %group_rows) * 2 + %rank

            // The tiles of this block, one for each step along K.
            %gA_tile = cute.local_tile(%mA, %tile_A, (%row,_))
            %gB_tile = cute.local_tile(%mB, %tile_B, (%in_group /u %group_rows,_))
            %sA_load, %gA_load = cute.tma_partition(%load_A, %sA, %gA_tile)
            %sB_load, %gB_load = cute.tma_partition(%load_B, %sB, %gB_tile, %rank)

            %fill_next = for %k in 0..%k_tiles carry(%state = %fill_tile) {
              %stage = cute.pipeline_stage(%state)
              %gA_k = cute.slice(%gA_load, (_,%k))
              %gB_k = cute.slice(%gB_load, (_,%k))
              %sA_s = cute.slice(%sA_load, (_,%stage))
              %sB_s = cute.slice(%sB_load, (_,%stage))
              cute.producer_acquire(%pipeline, %state)
              %full = cute.producer_barrier(%pipeline, %state)
              %to_A = cute.with_barrier(%load_A, %full)
              %to_B = cute.with_barrier(%load_B, %full, 3)
              cute.copy(%to_A, %gA_k, %sA_s)
              cute.copy(%to_B, %gB_k, %sB_s)
              cute.producer_commit(%pipeline, %state)
              yield cute.pipeline_advance(%state)
            } {cute.unroll = "none"}
            yield %fill_next
          } {cute.unroll = "none"}
        }
      }
    } else {
      //===-- The consumers -----------------------------------------------===//

      cute.set_registers<"increase", 232>
      %consumer = %warpgroup - 1
      %in_group = %thread & 127
      %is_leader = %in_group == 0

      // m64n256k16, for each warpgroup 64 of the 128 rows. A and B are read by
      // descriptors, which are the same in all threads of a warpgroup: its first
      // thread's.
      %atom = cute.static : !cute.mma_atom<"SM90_64x256x16_${PRODUCT}_SS<K,K>">
      %mma = cute.make_tiled_mma(%atom, (2,1,1):(1,0,0))
      %leader = %consumer * 128
      %dA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA, %leader))
      %dB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB, %leader))

      // The sums: 128 registers of each thread. A group of them, of 64 columns,
      // is stored at a time, by stmatrix and then TMA.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma_1 = cute.make_tiled_mma(%atom, %one)
      %tC = cute.partition_c(%mma_1, cute.make_identity_tensor((64,256)), %in_group)
      %rC = cute.make_fragment_c(%mma_1, %tC)
      %rC_quarters = cute.make_tensor(cute.get_iter(%rC), ((2,2,8),1,1,4):((1,2,4),0,0,32))

      %atom_64 = cute.static : !cute.mma_atom<"SM90_64x64x16_${PRODUCT}_SS<K,K>">
      %mma_64 = cute.make_tiled_mma(%atom_64, %one)
      %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", $T>, %mma_64)
      %barrier_id = %consumer + 1

      // Whether rows of C end within 16 bytes.
      %shape_C = cute.get_shape(%C)
      %is_ragged = %N & 7 != 0

      %drain_end = for %tile in %cluster..%tiles step %clusters
          carry(%drain_tile = cute.make_pipeline_state<"consumer">(%pipeline)) {
        %in_tiles = %tile modu %group
        %first_row = %tile /u %group * 8
        %group_rows = minu(%tiles_M - %first_row, 8)
        %row = (%first_row + %in_tiles modu %group_rows) * 2 + %rank

        // One group of products is always under way: when the next has been
        // started, the one before is complete and its stage empty.
        %drain_next, %last = for %k in 0..%k_tiles
            carry(%state = %drain_tile, %before = %drain_tile) {
          %stage = cute.pipeline_stage(%state)
          %dA_k = cute.slice(%dA, (_,_,_,%stage))
          %dB_k = cute.slice(%dB, (_,_,_,%stage))
          %is_later = %k != 0
          cute.consumer_wait(%pipeline, %state)
          cute.warpgroup_fence()
          cute.gemm(%mma, %rC, %dA_k, %dB_k, %rC, %is_later)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> ()
          if %is_later {
            cute.consumer_release(%pipeline, %before)
          }
          yield cute.pipeline_advance(%state), %state
        }
        cute.warpgroup_wait<0> (%rC)
        cute.consumer_release(%pipeline, %last)

        // The result, 64 columns at a time, in two buffers in turn.
        %row_64 = %row * 2 + %consumer
        %turn = cute.make_pipeline_state<"producer"> (%buffers)
        %turn_end = for %quarter in 0..4 carry(%state = %turn) {
          %rC_quarter = cute.slice(%rC_quarters, (_,_,_,%quarter))
          %rD = cute.make_fragment_like<$T> (%rC_quarter)
          cute.convert(%rC_quarter, %rD)
          %sC_buffer = cute.slice(%sC, (_,_,%consumer * 2 + cute.pipeline_stage(%state)))
          %sC_write = cute.partition_d(%r2s, %sC_buffer, %in_group)
          %rD_read = cute.retile(%r2s, %rD)
          %column_64 = %in_tiles /u %group_rows * 4 + %quarter
          %gC = cute.local_tile(%mC, (64,64), (%row_64,%column_64))
          %sC_store, %gC_store = cute.tma_partition(%store_C, %sC_buffer, %gC)
          %by_threads = (%column_64 + 1) * 64 >u %N and %is_ragged
          if %is_leader {
            cute.producer_acquire(%buffers, %state)
          }
          cute.named_barrier_sync(%barrier_id, 128)
          cute.copy(%r2s, %rD_read, %sC_write)
          cute.fence_proxy<"async.shared">
          cute.named_barrier_sync(%barrier_id, 128)
          // A group without a store is complete at once, and keeps the buffers' turns.
          if %is_leader {
            if not %by_threads {
              cute.copy(%store_C, %sC_store, %gC_store)
            }
            cute.producer_commit(%buffers, %state)
          }
          if %by_threads {
            %C_tile = cute.local_tile(%C, (64,64), (%row_64,%column_64))
            %all_coords = cute.make_identity_tensor(%shape_C)
            %coords_tile = cute.local_tile(%all_coords, (64,64), (%row_64,%column_64))
            %C_part = cute.partition_c(%mma_64, %C_tile, %in_group)
            %coords = cute.partition_c(%mma_64, %coords_tile, %in_group)
            %exists = cute.make_predicate(%coords, %shape_C)
            cute.basic_copy_if(%exists, %rD, %C_part)
          }
          yield cute.pipeline_advance(%state)
        } {cute.unroll = "full"}
        yield %drain_next
      } {cute.unroll = "none"}
      if %is_leader {
        cute.producer_tail(%buffers, cute.make_pipeline_state<"producer">(%buffers))
      }
    }

    // A block stays until the other has made its last arrival at its barriers.
    cute.cluster_arrive
    cute.cluster_wait
    gpu.return
  }
}
