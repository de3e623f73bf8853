// C = A B^T of f32, multiplied as tf32: gemm_sm90.mlir for elements of 32 bits in the
// result. What differs:
//
//   tile       32 of K at a time: 128 bytes, as there
//   result     32 columns at a time, 128 bytes, too; from registers by stores of two
//              neighbours, as stmatrix is for 16 bits
//
// The same text serves integers of 8 bits, where 128 elements have 128 bytes: -D AB=i8 -D SUM=i32
// -D K=128 -D PIECE=4 -D PRODUCT=x32_S32S8S8. PIECE is the logarithm of the elements in 16 bytes.

!operand = !cute.tensor<$AB, gmem, align<16>, "(?,?):(?{i64 div=${K/8}},1)">
!result = !cute.tensor<$SUM, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
!filling = !cute.pipeline_state<"producer", stages<4>>
!draining = !cute.pipeline_state<"consumer", stages<4>>
!turns = !cute.pipeline_state<"producer", stages<2>>

gpu.module @gemm_tf32_sm90 attributes {cute.parameters = {
    AB = tf32, SUM = f32, K = 32, PIECE = 2, PRODUCT = "x8_F32TF32TF32"}} {
  gpu.func @gemm(%A: !operand, %B: !operand, %C: !result) kernel attributes {
      known_block_size = array<i32: 384, 1, 1>,
      known_cluster_size = array<i32: 2, 1, 1>,
      nvvm.minctasm = 1 : i32,
      cute.grid = ["min(ceil_div(arg0.shape[0], 256) * ceil_div(arg1.shape[0], 256), active_clusters) * 2"]} {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %step_K = arith.constant $K : i32
    %step_K_1 = arith.constant ${K-1} : i32
    %c127 = arith.constant 127 : i32
    %c128 = arith.constant 128 : i32
    %c255 = arith.constant 255 : i32
    %c256 = arith.constant 256 : i32

    //===-- Threads -------------------------------------------------------===//

    // The number of the warp is the same in all its lanes, and a shuffle makes
    // the compiler see it.
    %tid = gpu.thread_id x
    %thread = arith.index_cast %tid : index to i32
    %warp_mine = arith.shrui %thread, %c5 : i32
    %warp, %is_lane = gpu.shuffle idx %warp_mine, %c0, %c32 : i32
    %warpgroup = arith.shrui %warp, %c2 : i32
    %rank = cute.block_rank_in_cluster
    %cluster_index = gpu.cluster_id x
    %cluster = arith.index_cast %cluster_index : index to i32
    %clusters_index = gpu.cluster_dim x
    %clusters = arith.index_cast %clusters_index : index to i32

    //===-- Shared memory -------------------------------------------------===//

    // Rows of 32 elements (128 bytes), in which S<3,2,3> permutes the eight
    // pieces of 16 bytes by the number of the row modulo 8: a layout that TMA
    // writes and wgmma reads. It repeats itself after 1024 bytes.
    %rows = cute.static : !cute.composed_layout<"S<3,$PIECE,3> o 0 o (8,$K):($K,1)">
    %rows_C = cute.static : !cute.composed_layout<"S<3,2,3> o 0 o (8,32):(32,1)">
    %tile_A = cute.static : !cute.shape<"(128,$K)">
    %tile_B = cute.static : !cute.shape<"(256,$K)">
    %tile_C = cute.static : !cute.shape<"(64,32)">
    %layout_A = cute.tile_to_shape(%rows, %tile_A)
    %layout_B = cute.tile_to_shape(%rows, %tile_B)
    %layout_C = cute.tile_to_shape(%rows_C, %tile_C)
    %stages_A = cute.static : !cute.shape<"(128,$K,4)">
    %stages_B = cute.static : !cute.shape<"(256,$K,4)">
    %buffers_C = cute.static : !cute.shape<"(64,32,4)">
    %stages_layout_A = cute.tile_to_shape(%rows, %stages_A)
    %stages_layout_B = cute.tile_to_shape(%rows, %stages_B)
    %buffers_layout_C = cute.tile_to_shape(%rows_C, %buffers_C)
    %sA = cute.alloc_smem<$AB, 1024> (%stages_layout_A)
    %sB = cute.alloc_smem<$AB, 1024> (%stages_layout_B)
    %sC = cute.alloc_smem<$SUM, 1024> (%buffers_layout_C)

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
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
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
    %M_255 = arith.addi %M, %c255 : i32
    %N_255 = arith.addi %N, %c255 : i32
    %K_more = arith.addi %K, %step_K_1 : i32
    %tiles_M = arith.divui %M_255, %c256 : i32
    %tiles_N = arith.divui %N_255, %c256 : i32
    %k_tiles = arith.divui %K_more, %step_K : i32
    %tiles = arith.muli %tiles_M, %tiles_N : i32
    %group = arith.muli %tiles_N, %c8 : i32

    %is_producer = arith.cmpi eq, %warpgroup, %c0 : i32
    scf.if %is_producer {
      //===-- The producer ------------------------------------------------===//

      // It needs few registers, and leaves its own to the consumers.
      cute.set_registers<"decrease", 40>
      %is_warp_0 = arith.cmpi eq, %warp, %c0 : i32
      scf.if %is_warp_0 {
        %is_elected = cute.elect_one
        scf.if %is_elected {
          %sA_tile = cute.group_modes<0, 2> (%sA)
          %sB_tile = cute.group_modes<0, 2> (%sB)
          %fill = cute.make_pipeline_state<"producer"> (%pipeline)
          %fill_end = scf.for %tile = %cluster to %tiles step %clusters
              iter_args(%fill_tile = %fill) -> (!filling) : i32 {
            %g = arith.divui %tile, %group : i32
            %in_group = arith.remui %tile, %group : i32
            %first_row = arith.muli %g, %c8 : i32
            %rows_left = arith.subi %tiles_M, %first_row : i32
            %group_rows = arith.minui %rows_left, %c8 : i32
            %row_in_group = arith.remui %in_group, %group_rows : i32
            %column = arith.divui %in_group, %group_rows : i32
            %row_cluster = arith.addi %first_row, %row_in_group : i32
            %row_2 = arith.muli %row_cluster, %c2 : i32
            %row = arith.addi %row_2, %rank : i32

            // The tiles of this block, one for each step along K.
            %at_A = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
            %at_B = cute.make_coord(%column) : (i32) -> !cute.coord<"(?,_)">
            %gA = cute.local_tile(%mA, %tile_A, %at_A)
            %gB = cute.local_tile(%mB, %tile_B, %at_B)
            %gA_tile = cute.group_modes<0, 2> (%gA)
            %gB_tile = cute.group_modes<0, 2> (%gB)
            %sA_load, %gA_load = cute.tma_partition(%load_A, %sA_tile, %gA_tile)
            %sB_load, %gB_load = cute.tma_partition(%load_B, %sB_tile, %gB_tile, %rank)

            %fill_next = scf.for %k = %c0 to %k_tiles step %c1
                iter_args(%state = %fill_tile) -> (!filling) : i32 {
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
              scf.yield %next : !filling
            } {cute.unroll = "none"}
            scf.yield %fill_next : !filling
          } {cute.unroll = "none"}
        }
      }
    } else {
      //===-- The consumers -----------------------------------------------===//

      cute.set_registers<"increase", 232>
      %consumer = arith.subi %warpgroup, %c1 : i32
      %in_group = arith.andi %thread, %c127 : i32
      %is_leader = arith.cmpi eq, %in_group, %c0 : i32

      // m64n256k8, for each warpgroup 64 of the 128 rows. A and B are read by
      // descriptors, which are the same in all threads of a warpgroup: those of
      // its first.
      %atom = cute.static : !cute.mma_atom<"SM90_64x256${PRODUCT}_SS_TN">
      %warpgroups = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
      %mma = cute.make_tiled_mma(%atom, %warpgroups)
      %leader = arith.muli %consumer, %c128 : i32
      %tA = cute.partition_a(%mma, %sA, %leader)
      %tB = cute.partition_b(%mma, %sB, %leader)
      %dA = cute.make_fragment_a(%mma, %tA)
      %dB = cute.make_fragment_b(%mma, %tB)

      // The sums: 128 registers of each thread. A group of them, of 32 columns,
      // is stored at a time, through shared memory and then TMA.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %shape_sums = cute.static : !cute.shape<"(64,256)">
      %all_sums = cute.make_identity_tensor(%shape_sums)
      %mma_1 = cute.make_tiled_mma(%atom, %one)
      %tC = cute.partition_c(%mma_1, %all_sums, %in_group)
      %rC = cute.make_fragment_c(%mma_1, %tC)
      %eighths = cute.static : !cute.layout<"((2,2,4),1,1,8):((1,2,4),0,0,16)">
      %rC_start = cute.get_iter(%rC)
      %rC_eighths = cute.make_tensor(%rC_start, %eighths)

      %atom_32 = cute.static : !cute.mma_atom<"SM90_64x32${PRODUCT}_SS_TN">
      %mma_32 = cute.make_tiled_mma(%atom_32, %one)
      %store_2 = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", $SUM>
      %r2s = cute.make_tiled_copy_c(%store_2, %mma_32)
      %barrier_id = arith.addi %consumer, %c1 : i32
      %warpgroup_size = cute.static : !cute.int_tuple<"128">
      %first_buffer = arith.muli %consumer, %c2 : i32

      // Whether rows of C end within 16 bytes.
      %shape_C = cute.get_shape(%C)
      %beyond = arith.andi %N, %c3 : i32
      %is_ragged = arith.cmpi ne, %beyond, %c0 : i32

      %drain = cute.make_pipeline_state<"consumer"> (%pipeline)
      %drain_end = scf.for %tile = %cluster to %tiles step %clusters
          iter_args(%drain_tile = %drain) -> (!draining) : i32 {
        %g = arith.divui %tile, %group : i32
        %in_tiles = arith.remui %tile, %group : i32
        %first_row = arith.muli %g, %c8 : i32
        %rows_left = arith.subi %tiles_M, %first_row : i32
        %group_rows = arith.minui %rows_left, %c8 : i32
        %row_in_group = arith.remui %in_tiles, %group_rows : i32
        %column = arith.divui %in_tiles, %group_rows : i32
        %row_cluster = arith.addi %first_row, %row_in_group : i32
        %row_2 = arith.muli %row_cluster, %c2 : i32
        %row = arith.addi %row_2, %rank : i32

        // One group of products is always under way: when the next has been
        // started, the one before is complete and its stage empty.
        %drain_next, %last = scf.for %k = %c0 to %k_tiles step %c1
            iter_args(%state = %drain_tile, %before = %drain_tile) -> (!draining, !draining) : i32 {
          %stage = cute.pipeline_stage(%state)
          %at = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %dA_k = cute.slice(%dA, %at)
          %dB_k = cute.slice(%dB, %at)
          %is_later = arith.cmpi ne, %k, %c0 : i32
          cute.consumer_wait(%pipeline, %state)
          cute.warpgroup_fence()
          cute.gemm(%mma, %rC, %dA_k, %dB_k, %rC, %is_later)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> ()
          scf.if %is_later {
            cute.consumer_release(%pipeline, %before)
          }
          %next = cute.pipeline_advance(%state)
          scf.yield %next, %state : !draining, !draining
        }
        cute.warpgroup_wait<0> (%rC)
        cute.consumer_release(%pipeline, %last)

        // The result, 32 columns at a time, in two buffers in turn.
        %row_128 = arith.muli %row, %c2 : i32
        %row_64 = arith.addi %row_128, %consumer : i32
        %first_column = arith.muli %column, %c8 : i32
        %turn = cute.make_pipeline_state<"producer"> (%buffers)
        %turn_end = scf.for %eighth = %c0 to %c8 step %c1
            iter_args(%state = %turn) -> (!turns) : i32 {
          %eighth_at = cute.make_coord(%eighth) : (i32) -> !cute.coord<"(_,_,_,?)">
          %rC_eighth = cute.slice(%rC_eighths, %eighth_at)
          %stage = cute.pipeline_stage(%state)
          %buffer = arith.addi %first_buffer, %stage : i32
          %buffer_at = cute.make_coord(%buffer) : (i32) -> !cute.coord<"(_,_,?)">
          %sC_buffer = cute.slice(%sC, %buffer_at)
          %sC_write = cute.partition_d(%r2s, %sC_buffer, %in_group)
          %rD_read = cute.retile(%r2s, %rC_eighth)
          %column_32 = arith.addi %first_column, %eighth : i32
          %at_C = cute.make_coord(%row_64, %column_32) : (i32, i32) -> !cute.coord<"(?,?)">
          %gC = cute.local_tile(%mC, %tile_C, %at_C)
          %gC_tile = cute.group_modes<0, 2> (%gC)
          %sC_tile = cute.group_modes<0, 2> (%sC_buffer)
          %sC_store, %gC_store = cute.tma_partition(%store_C, %sC_tile, %gC_tile)
          %next_32 = arith.addi %column_32, %c1 : i32
          %end = arith.muli %next_32, %c32 : i32
          %is_last = arith.cmpi ugt, %end, %N : i32
          %by_threads = arith.andi %is_last, %is_ragged : i1
          %by_tma = arith.xori %by_threads, %true : i1
          scf.if %is_leader {
            cute.producer_acquire(%buffers, %state)
          }
          cute.named_barrier_sync(%barrier_id, %warpgroup_size)
          cute.copy(%r2s, %rD_read, %sC_write)
          cute.fence_proxy<"async.shared">
          cute.named_barrier_sync(%barrier_id, %warpgroup_size)
          // A group without a store is complete at once, and keeps the buffers' turns.
          scf.if %is_leader {
            scf.if %by_tma {
              cute.copy(%store_C, %sC_store, %gC_store)
            }
            cute.producer_commit(%buffers, %state)
          }
          scf.if %by_threads {
            %C_tile = cute.local_tile(%C, %tile_C, %at_C)
            %all_coords = cute.make_identity_tensor(%shape_C)
            %coords_tile = cute.local_tile(%all_coords, %tile_C, %at_C)
            %C_part = cute.partition_c(%mma_32, %C_tile, %in_group)
            %coords = cute.partition_c(%mma_32, %coords_tile, %in_group)
            %exists = cute.make_predicate(%coords, %shape_C)
            cute.basic_copy_if(%exists, %rC_eighth, %C_part)
          }
          %next = cute.pipeline_advance(%state)
          scf.yield %next : !turns
        } {cute.unroll = "full"}
        scf.yield %drain_next : !draining
      } {cute.unroll = "none"}
      scf.if %is_leader {
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
