// A GEMM for Hopper whose consumers take turns: C = A B^T, of f16 with sums in
// f32, for matrices of any size whose rows begin at multiples of 16 bytes. Where K
// is short, a tile's sums are soon complete, and the tensor cores would rest while
// they are stored; here one warpgroup stores while the other multiplies.
//
//   tile       128 x 128 of C for each warpgroup, 64 of K at a time
//   loads      by TMA into six stages of shared memory, started by one thread
//   products   by wgmma, of one warpgroup at a time
//   turns      one warpgroup multiplies, then the other; so they do with stores
//   grid       as many blocks as fit; each goes from tile to tile
//
// The warpgroups have the roles that they have in gemm_sm90.mlir, which explains
// what is common to both. But here the first consumer takes the block's tiles 0, 2,
// 4 and so on, and the second 1, 3, 5, from one pipeline: the producer loads all of
// tile 0, then all of tile 1. Each consumer goes over the stages that belong to the
// other.
//
// The order of turns is more than a matter of speed. A stage is full in phase after
// phase, and a barrier tells by parity only whether the latest is the one waited
// for. If the second consumer waited for the stages of tile 1 while tile 0 is being
// loaded, it would take phases for its own that are two rounds older. With its turn
// the first one says that all of its stages have come.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!filling = !cute.pipeline_state<"producer", stages<6>>
!draining = !cute.pipeline_state<"consumer", stages<6>>
!storing = !cute.pipeline_state<"producer", stages<2>>
!turns = !cute.pipeline_state<"order", stages<2>>

gpu.module @gemm_sm90_pingpong {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !matrix) kernel attributes {
      known_block_size = array<i32: 384, 1, 1>,
      nvvm.minctasm = 1 : i32,
      cute.grid = ["min(ceil_div(arg0.shape[0], 128) * ceil_div(arg1.shape[0], 128), active_clusters)"]} {
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
    %block_index = gpu.block_id x
    %block = i32(%block_index)
    %blocks_index = gpu.grid_dim x
    %blocks = i32(%blocks_index)

    //===-- Shared memory -------------------------------------------------===//

    // Rows of 128 bytes under S<3,3,3>, as TMA writes and wgmma reads them.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %tile_AB = cute.static : !cute.shape<"(128,64)">
    %tile_C = cute.static : !cute.shape<"(64,64)">
    %layout_AB = cute.tile_to_shape(%rows, %tile_AB)
    %layout_C = cute.tile_to_shape(%rows, %tile_C)
    %stages_AB = cute.static : !cute.shape<"(128,64,6)">
    %buffers_C = cute.static : !cute.shape<"(64,64,4)">
    %stages_layout = cute.tile_to_shape(%rows, %stages_AB)
    %buffers_layout_C = cute.tile_to_shape(%rows, %buffers_C)
    %sA = cute.alloc_smem<f16, 1024> (%stages_layout)
    %sB = cute.alloc_smem<f16, 1024> (%stages_layout)
    %sC = cute.alloc_smem<f16, 1024> (%buffers_layout_C)

    //===-- Tensor maps ---------------------------------------------------===//

    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout_AB, %tile_AB)
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout_AB, %tile_AB)
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, %tile_C)

    //===-- Pipelines -----------------------------------------------------===//

    // A stage is emptied by one warpgroup. The turns have two stages, too: the first
    // is to multiply, the second to store.
    %pipeline = cute.make_pipeline_tma<6, 1, "warpgroup"> (%load_A, %load_B)
    %buffers = cute.make_pipeline_tma_store<2>
    %order = cute.make_pipeline_order<2, 2, 128>
    if %thread == 0 {
      cute.init_pipeline(%pipeline)
      cute.init_pipeline(%order)
      cute.prefetch_descriptor(%load_A)
      cute.prefetch_descriptor(%load_B)
      cute.prefetch_descriptor(%store_C)
    }
    gpu.barrier

    //===-- Tiles ---------------------------------------------------------===//

    // Blocks take tiles in groups of eight rows, column by column, so that those at
    // work together share A and B in the L2 cache.
    %shape_A = cute.get_shape(%A)
    %shape_B = cute.get_shape(%B)
    %M, %K = cute.get_scalars(%shape_A)
    %N, %K_B = cute.get_scalars(%shape_B)
    %M_127 = %M + 127
    %N_127 = %N + 127
    %K_63 = %K + 63
    %tiles_M = %M_127 /u 128
    %tiles_N = %N_127 /u 128
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
          %fill_end = for %tile in %block..%tiles step %blocks carry(%fill_tile = %fill) {
            %g = %tile /u %group
            %in_group = %tile modu %group
            %first_row = %g * 8
            %rows_left = %tiles_M - %first_row
            %group_rows = minu(%rows_left, 8)
            %row_in_group = %in_group modu %group_rows
            %column = %in_group /u %group_rows
            %row = %first_row + %row_in_group

            // The tiles of this block, one for each step along K.
            %at_A = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
            %at_B = cute.make_coord(%column) : (i32) -> !cute.coord<"(?,_)">
            %gA = cute.local_tile(%mA, %tile_AB, %at_A)
            %gB = cute.local_tile(%mB, %tile_AB, %at_B)
            %gA_tile = cute.group_modes<0, 2> (%gA)
            %gB_tile = cute.group_modes<0, 2> (%gB)
            %sA_load, %gA_load = cute.tma_partition(%load_A, %sA_tile, %gA_tile)
            %sB_load, %gB_load = cute.tma_partition(%load_B, %sB_tile, %gB_tile)

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
              %to_B = cute.with_barrier(%load_B, %full)
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

      // m64n128k16, twice for the 128 rows of a tile. A and B are read by descriptors,
      // which are the same in all threads.
      %atom = cute.static : !cute.mma_atom<"SM90_64x128x16_F32F16F16_SS<K,K>">
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma = cute.make_tiled_mma(%atom, %one)
      %tA = cute.partition_a(%mma, %sA, %c0)
      %tB = cute.partition_b(%mma, %sB, %c0)
      %dA = cute.make_fragment_a(%mma, %tA)
      %dB = cute.make_fragment_b(%mma, %tB)

      // The sums: 128 registers of each thread. A quarter, 64 x 64, is stored at a
      // time, by stmatrix and then TMA: quarters 0 and 1 are the upper rows.
      %shape_sums = cute.static : !cute.shape<"(128,128)">
      %all_sums = cute.make_identity_tensor(%shape_sums)
      %tC = cute.partition_c(%mma, %all_sums, %in_group)
      %rC = cute.make_fragment_c(%mma, %tC)
      %quarters = cute.static : !cute.layout<"((2,2,8),1,1,4):((1,2,4),0,0,32)">
      %rC_start = cute.get_iter(%rC)
      %rC_quarters = cute.make_tensor(%rC_start, %quarters)

      %atom_64 = cute.static : !cute.mma_atom<"SM90_64x64x16_F32F16F16_SS<K,K>">
      %mma_64 = cute.make_tiled_mma(%atom_64, %one)
      %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", f16>
      %r2s = cute.make_tiled_copy_c(%stmatrix, %mma_64)
      %barrier_id = %consumer + 1
      %warpgroup_size = cute.static : !cute.int_tuple<"128">
      %first_buffer = %consumer * 2

      // Whether rows of C end within 16 bytes.
      %shape_C = cute.get_shape(%C)
      %is_ragged = %N & 7 != 0

      // The second consumer begins with the block's second tile.
      %passed = %consumer * %k_tiles
      %begin = cute.make_pipeline_state<"consumer"> (%pipeline)
      %drain = cute.pipeline_advance(%begin, %passed)
      %turn = cute.make_pipeline_state<"order"> (%order, %consumer)
      %first_tile = %block + %consumer * %blocks
      %blocks_2 = %blocks * 2
      %drain_end, %turn_end = for %tile in %first_tile..%tiles step %blocks_2
          carry(%drain_tile = %drain, %turn_tile = %turn) {
        %g = %tile /u %group
        %in_tiles = %tile modu %group
        %first_row = %g * 8
        %rows_left = %tiles_M - %first_row
        %group_rows = minu(%rows_left, 8)
        %row_in_group = %in_tiles modu %group_rows
        %column = %in_tiles /u %group_rows
        %row = %first_row + %row_in_group

        // The turn ends when the last products have been started, so that those of
        // the other consumer follow without a gap.
        cute.order_wait(%order, %turn_tile, %consumer)
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
        cute.order_arrive(%order, %turn_tile, %consumer)
        %turn_store = cute.pipeline_advance(%turn_tile)
        cute.warpgroup_wait<0> (%rC)
        cute.consumer_release(%pipeline, %last)
        %drain_other = cute.pipeline_advance(%drain_next, %k_tiles)

        // The result, a quarter at a time, in two buffers in turn.
        cute.order_wait(%order, %turn_store, %consumer)
        %row_64 = %row * 2
        %column_64 = %column * 2
        %store = cute.make_pipeline_state<"producer"> (%buffers)
        %store_end = for %quarter in 0..4 carry(%state = %store) {
          %quarter_at = cute.make_coord(%quarter) : (i32) -> !cute.coord<"(_,_,_,?)">
          %rC_quarter = cute.slice(%rC_quarters, %quarter_at)
          %rD = cute.make_fragment_like<f16> (%rC_quarter)
          cute.convert(%rC_quarter, %rD)
          %stage = cute.pipeline_stage(%state)
          %buffer = %first_buffer + %stage
          %buffer_at = cute.make_coord(%buffer) : (i32) -> !cute.coord<"(_,_,?)">
          %sC_buffer = cute.slice(%sC, %buffer_at)
          %sC_write = cute.partition_d(%r2s, %sC_buffer, %in_group)
          %rD_read = cute.retile(%r2s, %rD)
          %row_C = %row_64 + (%quarter >>u 1)
          %column_C = %column_64 + (%quarter & 1)
          %at_C = cute.make_coord(%row_C, %column_C) : (i32, i32) -> !cute.coord<"(?,?)">
          %gC = cute.local_tile(%mC, %tile_C, %at_C)
          %gC_tile = cute.group_modes<0, 2> (%gC)
          %sC_tile = cute.group_modes<0, 2> (%sC_buffer)
          %sC_store, %gC_store = cute.tma_partition(%store_C, %sC_tile, %gC_tile)
          %by_threads = (%column_C + 1) * 64 >u %N and %is_ragged
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
        cute.order_arrive(%order, %turn_store, %consumer)
        %turn_next = cute.pipeline_advance(%turn_store)
        yield %drain_other, %turn_next
      } {cute.unroll = "none"}
      if %is_leader {
        %store = cute.make_pipeline_state<"producer"> (%buffers)
        cute.producer_tail(%buffers, %store)
      }
    }
    gpu.return
  }
}
