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
!filling = !cute.pipeline_state<"producer", stages<4>>
!draining = !cute.pipeline_state<"consumer", stages<4>>
!turns = !cute.pipeline_state<"producer", stages<2>>

gpu.module @gemm_sm90 attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16"}} {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel attributes {
      known_block_size = array<i32: 384, 1, 1>,
      known_cluster_size = array<i32: 2, 1, 1>,
      nvvm.minctasm = 1 : i32,
      cute.grid = ["min(ceil_div(arg0.shape[0], 256) * ceil_div(arg1.shape[0], 256), active_clusters) * 2"]} {
    %c0 = 0 : i32
    %c32 = 32 : i32

    //===-- Threads -------------------------------------------------------===//

    // The number of the warp is the same in all its lanes, and a shuffle makes
    // the compiler see it.
    %tid = gpu.thread_id x
    %thread = i32(%tid)
    %warp_mine = %thread >>u 5
    %warp, %is_lane = gpu.shuffle idx %warp_mine, %c0, %c32 : i32
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
    %tile_C = cute.static : !cute.shape<"(64,64)">
    %layout_A = cute.tile_to_shape(%rows, %tile_A)
    %layout_B = cute.tile_to_shape(%rows, %tile_B)
    %layout_C = cute.tile_to_shape(%rows, %tile_C)
    %stages_A = cute.static : !cute.shape<"(128,64,4)">
    %stages_B = cute.static : !cute.shape<"(256,64,4)">
    %buffers_C = cute.static : !cute.shape<"(64,64,4)">
    %stages_layout_A = cute.tile_to_shape(%rows, %stages_A)
    %stages_layout_B = cute.tile_to_shape(%rows, %stages_B)
    %buffers_layout_C = cute.tile_to_shape(%rows, %buffers_C)
    %sA = cute.alloc_smem<$T, 1024> (%stages_layout_A)
    %sB = cute.alloc_smem<$T, 1024> (%stages_layout_B)
    %sC = cute.alloc_smem<$T, 1024> (%buffers_layout_C)

    //===-- Tensor maps ---------------------------------------------------===//

    // Each says which box of a matrix goes where in shared memory. The tensors
    // of coordinates take the place of the matrices.
    %two = cute.static : !cute.int_tuple<"2">
    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout_A, %tile_A)
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%B, %layout_B, %tile_B, %two)
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, %tile_C)

    //===-- Pipelines -----------------------------------------------------===//

    // Four stages, which two warpgroups empty, in both blocks of the cluster. One
    // thread makes the barriers, and nobody may use them, or copy to the other
    // block, before both blocks are that far.
    %both = cute.static : !cute.int_tuple<"3">
    %pipeline = cute.make_pipeline_tma<4, 2, "warpgroup"> (%load_A, %load_B, %both)
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
    %shape_A = cute.get_shape(%A)
    %shape_B = cute.get_shape(%B)
    %M, %K = cute.get_scalars(%shape_A)
    %N, %K_B = cute.get_scalars(%shape_B)
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
        %is_elected = cute.elect_one
        if %is_elected {
          %sA_tile = cute.group_modes<0, 2> (%sA)
          %sB_tile = cute.group_modes<0, 2> (%sB)
          %fill = cute.make_pipeline_state<"producer"> (%pipeline)
          %fill_end = for %tile in %cluster..%tiles step %clusters
              carry(%fill_tile = %fill) {
            %g = %tile /u %group
            %in_group = %tile modu %group
            %first_row = %g * 8
            %rows_left = %tiles_M - %first_row
            %group_rows = minu(%rows_left, 8)
            %row_in_group = %in_group modu %group_rows
            %column = %in_group /u %group_rows
            %row_cluster = %first_row + %row_in_group
            %row_2 = %row_cluster * 2
            %row = %row_2 + %rank

            // The tiles of this block, one for each step along K.
            %at_A = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
            %at_B = cute.make_coord(%column) : (i32) -> !cute.coord<"(?,_)">
            %gA = cute.local_tile(%mA, %tile_A, %at_A)
            %gB = cute.local_tile(%mB, %tile_B, %at_B)
            %gA_tile = cute.group_modes<0, 2> (%gA)
            %gB_tile = cute.group_modes<0, 2> (%gB)
            %sA_load, %gA_load = cute.tma_partition(%load_A, %sA_tile, %gA_tile)
            %sB_load, %gB_load = cute.tma_partition(%load_B, %sB_tile, %gB_tile, %rank)

            %fill_next = for %k in 0..%k_tiles carry(%state = %fill_tile) {
              %stage = cute.pipeline_stage(%state)
              %from = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
              %to = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
              %gA_k = cute.slice(%gA_load, %from)
              %gB_k = cute.slice(%gB_load, %from)
              %sA_s = cute.slice(%sA_load, %to)
              %sB_s = cute.slice(%sB_load, %to)
              cute.producer_acquire(%pipeline, %state)
              %full = cute.producer_barrier(%pipeline, %state)
              %to_A = cute.with_barrier(%load_A, %full)
              %to_B = cute.with_barrier(%load_B, %full, %both)
              cute.copy(%to_A, %gA_k, %sA_s)
              cute.copy(%to_B, %gB_k, %sB_s)
              cute.producer_commit(%pipeline, %state)
              %next = cute.pipeline_advance(%state)
              yield %next
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
      // descriptors, which are the same in all threads of a warpgroup: those of
      // its first.
      %atom = cute.static : !cute.mma_atom<"SM90_64x256x16_${PRODUCT}_SS<K,K>">
      %warpgroups = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
      %mma = cute.make_tiled_mma(%atom, %warpgroups)
      %leader = %consumer * 128
      %tA = cute.partition_a(%mma, %sA, %leader)
      %tB = cute.partition_b(%mma, %sB, %leader)
      %dA = cute.make_fragment_a(%mma, %tA)
      %dB = cute.make_fragment_b(%mma, %tB)

      // The sums: 128 registers of each thread. A group of them, of 64 columns,
      // is stored at a time, by stmatrix and then TMA.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %shape_sums = cute.static : !cute.shape<"(64,256)">
      %all_sums = cute.make_identity_tensor(%shape_sums)
      %mma_1 = cute.make_tiled_mma(%atom, %one)
      %tC = cute.partition_c(%mma_1, %all_sums, %in_group)
      %rC = cute.make_fragment_c(%mma_1, %tC)
      %quarters = cute.static : !cute.layout<"((2,2,8),1,1,4):((1,2,4),0,0,32)">
      %rC_start = cute.get_iter(%rC)
      %rC_quarters = cute.make_tensor(%rC_start, %quarters)

      %atom_64 = cute.static : !cute.mma_atom<"SM90_64x64x16_${PRODUCT}_SS<K,K>">
      %mma_64 = cute.make_tiled_mma(%atom_64, %one)
      %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", $T>
      %r2s = cute.make_tiled_copy_c(%stmatrix, %mma_64)
      %barrier_id = %consumer + 1
      %warpgroup_size = cute.static : !cute.int_tuple<"128">
      %first_buffer = %consumer * 2

      // Whether rows of C end within 16 bytes.
      %shape_C = cute.get_shape(%C)
      %is_ragged = %N & 7 != 0

      %drain = cute.make_pipeline_state<"consumer"> (%pipeline)
      %drain_end = for %tile in %cluster..%tiles step %clusters
          carry(%drain_tile = %drain) {
        %g = %tile /u %group
        %in_tiles = %tile modu %group
        %first_row = %g * 8
        %rows_left = %tiles_M - %first_row
        %group_rows = minu(%rows_left, 8)
        %row_in_group = %in_tiles modu %group_rows
        %column = %in_tiles /u %group_rows
        %row_cluster = %first_row + %row_in_group
        %row_2 = %row_cluster * 2
        %row = %row_2 + %rank

        // One group of products is always under way: when the next has been
        // started, the one before is complete and its stage empty.
        %drain_next, %last = for %k in 0..%k_tiles
            carry(%state = %drain_tile, %before = %drain_tile) {
          %stage = cute.pipeline_stage(%state)
          %at = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %dA_k = cute.slice(%dA, %at)
          %dB_k = cute.slice(%dB, %at)
          %is_later = %k != 0
          cute.consumer_wait(%pipeline, %state)
          cute.warpgroup_fence()
          cute.gemm(%mma, %rC, %dA_k, %dB_k, %rC, %is_later)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> ()
          if %is_later {
            cute.consumer_release(%pipeline, %before)
          }
          %next = cute.pipeline_advance(%state)
          yield %next, %state
        }
        cute.warpgroup_wait<0> (%rC)
        cute.consumer_release(%pipeline, %last)

        // The result, 64 columns at a time, in two buffers in turn.
        %row_128 = %row * 2
        %row_64 = %row_128 + %consumer
        %first_column = %column * 4
        %turn = cute.make_pipeline_state<"producer"> (%buffers)
        %turn_end = for %quarter in 0..4 carry(%state = %turn) {
          %quarter_at = cute.make_coord(%quarter) : (i32) -> !cute.coord<"(_,_,_,?)">
          %rC_quarter = cute.slice(%rC_quarters, %quarter_at)
          %rD = cute.make_fragment_like<$T> (%rC_quarter)
          cute.convert(%rC_quarter, %rD)
          %stage = cute.pipeline_stage(%state)
          %buffer = %first_buffer + %stage
          %buffer_at = cute.make_coord(%buffer) : (i32) -> !cute.coord<"(_,_,?)">
          %sC_buffer = cute.slice(%sC, %buffer_at)
          %sC_write = cute.partition_d(%r2s, %sC_buffer, %in_group)
          %rD_read = cute.retile(%r2s, %rD)
          %column_64 = %first_column + %quarter
          %at_C = cute.make_coord(%row_64, %column_64) : (i32, i32) -> !cute.coord<"(?,?)">
          %gC = cute.local_tile(%mC, %tile_C, %at_C)
          %gC_tile = cute.group_modes<0, 2> (%gC)
          %sC_tile = cute.group_modes<0, 2> (%sC_buffer)
          %sC_store, %gC_store = cute.tma_partition(%store_C, %sC_tile, %gC_tile)
          %by_threads = (%column_64 + 1) * 64 >u %N and %is_ragged
          %by_tma = not %by_threads
          if %is_leader {
            cute.producer_acquire(%buffers, %state)
          }
          cute.named_barrier_sync(%barrier_id, %warpgroup_size)
          cute.copy(%r2s, %rD_read, %sC_write)
          cute.fence_proxy<"async.shared">
          cute.named_barrier_sync(%barrier_id, %warpgroup_size)
          // A group without a store is complete at once, and keeps the buffers' turns.
          if %is_leader {
            if %by_tma {
              cute.copy(%store_C, %sC_store, %gC_store)
            }
            cute.producer_commit(%buffers, %state)
          }
          if %by_threads {
            %C_tile = cute.local_tile(%C, %tile_C, %at_C)
            %all_coords = cute.make_identity_tensor(%shape_C)
            %coords_tile = cute.local_tile(%all_coords, %tile_C, %at_C)
            %C_part = cute.partition_c(%mma_64, %C_tile, %in_group)
            %coords = cute.partition_c(%mma_64, %coords_tile, %in_group)
            %exists = cute.make_predicate(%coords, %shape_C)
            cute.basic_copy_if(%exists, %rD, %C_part)
          }
          %next = cute.pipeline_advance(%state)
          yield %next
        } {cute.unroll = "full"}
        yield %drain_next
      } {cute.unroll = "none"}
      if %is_leader {
        %turn = cute.make_pipeline_state<"producer"> (%buffers)
        cute.producer_tail(%buffers, %turn)
      }
    }

    // A block stays until the other has made its last arrival at its barriers.
    cute.cluster_arrive
    cute.cluster_wait
    gpu.return
  }
}
