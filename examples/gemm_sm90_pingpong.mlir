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

    //===-- Threads -------------------------------------------------------===//

    // The number of the warp is the same in all its lanes, and a shuffle makes
    // the compiler see it.
    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %warpgroup = %warp >>u 2
    %block = cute.block_idx
    %blocks = cute.grid_dim

    //===-- Shared memory -------------------------------------------------===//

    // Rows of 128 bytes under S<3,3,3>, as TMA writes and wgmma reads them.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %tile_AB = cute.static : !cute.shape<"(128,64)">
    %layout_AB = cute.tile_to_shape(%rows, %tile_AB)
    %layout_C = cute.tile_to_shape(%rows, (64,64))
    %stages_layout = cute.tile_to_shape(%rows, (128,64,6))
    %buffers_layout_C = cute.tile_to_shape(%rows, (64,64,4))
    %sA = cute.alloc_smem<f16, 1024> (%stages_layout)
    %sB = cute.alloc_smem<f16, 1024> (%stages_layout)
    %sC = cute.alloc_smem<f16, 1024> (%buffers_layout_C)

    //===-- Tensor maps ---------------------------------------------------===//

    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout_AB, %tile_AB)
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout_AB, %tile_AB)
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, (64,64))

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
    %M, %K = cute.get_scalars(cute.get_shape(%A))
    %N, %K_B = cute.get_scalars(cute.get_shape(%B))
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
        if cute.elect_one {
          %sA_tile = cute.group_modes<0, 2> (%sA)
          %sB_tile = cute.group_modes<0, 2> (%sB)
          %fill = cute.make_pipeline_state<"producer"> (%pipeline)
          %fill_end = for %tile in %block..%tiles step %blocks carry(%fill_tile = %fill) {
            %in_group = %tile modu %group
            %first_row = %tile /u %group * 8
            %group_rows = minu(%tiles_M - %first_row, 8)
            %column = %in_group /u %group_rows
            %row = %first_row + %in_group modu %group_rows

            // The tiles of this block, one for each step along K.
            %gA_tile = cute.group_modes<0, 2> (cute.local_tile(%mA, %tile_AB, (%row,_)))
            %gB_tile = cute.group_modes<0, 2> (cute.local_tile(%mB, %tile_AB, (%column,_)))
            %sA_load, %gA_load = cute.tma_partition(%load_A, %sA_tile, %gA_tile)
            %sB_load, %gB_load = cute.tma_partition(%load_B, %sB_tile, %gB_tile)

            %fill_next = for %k in 0..%k_tiles carry(%state = %fill_tile) {
              %stage = cute.pipeline_stage(%state)
              %gA_k = cute.slice(%gA_load, (_,%k))
              %gB_k = cute.slice(%gB_load, (_,%k))
              %sA_s = cute.slice(%sA_load, (_,%stage))
              %sB_s = cute.slice(%sB_load, (_,%stage))
              cute.producer_acquire(%pipeline, %state)
              %full = cute.producer_barrier(%pipeline, %state)
              %to_A = cute.with_barrier(%load_A, %full)
              %to_B = cute.with_barrier(%load_B, %full)
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

      // m64n128k16, twice for the 128 rows of a tile. A and B are read by descriptors,
      // which are the same in all threads.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma = cute.make_tiled_mma(!cute.mma_atom<"SM90_64x128x16_F32F16F16_SS<K,K>">, %one)
      %dA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA, 0))
      %dB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB, 0))

      // The sums: 128 registers of each thread. A quarter, 64 x 64, is stored at a
      // time, by stmatrix and then TMA: quarters 0 and 1 are the upper rows.
      %tC = cute.partition_c(%mma, cute.make_identity_tensor((128,128)), %in_group)
      %rC = cute.make_fragment_c(%mma, %tC)
      %rC_quarters = cute.make_tensor(cute.get_iter(%rC), ((2,2,8),1,1,4):((1,2,4),0,0,32))

      %mma_64 = cute.make_tiled_mma(!cute.mma_atom<"SM90_64x64x16_F32F16F16_SS<K,K>">, %one)
      %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", f16>, %mma_64)
      %barrier_id = %consumer + 1
      %first_buffer = %consumer * 2

      // Whether rows of C end within 16 bytes.
      %shape_C = cute.get_shape(%C)
      %is_ragged = %N & 7 != 0

      // The second consumer begins with the block's second tile.
      %begin = cute.make_pipeline_state<"consumer"> (%pipeline)
      %drain = cute.pipeline_advance(%begin, %consumer * %k_tiles)
      %turn = cute.make_pipeline_state<"order"> (%order, %consumer)
      %first_tile = %block + %consumer * %blocks
      %drain_end, %turn_end = for %tile in %first_tile..%tiles step %blocks * 2
          carry(%drain_tile = %drain, %turn_tile = %turn) {
        %in_tiles = %tile modu %group
        %first_row = %tile /u %group * 8
        %group_rows = minu(%tiles_M - %first_row, 8)
        %row = %first_row + %in_tiles modu %group_rows

        // The turn ends when the last products have been started, so that those of
        // the other consumer follow without a gap.
        cute.order_wait(%order, %turn_tile, %consumer)
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
        cute.order_arrive(%order, %turn_tile, %consumer)
        %turn_store = cute.pipeline_advance(%turn_tile)
        cute.warpgroup_wait<0> (%rC)
        cute.consumer_release(%pipeline, %last)
        %drain_other = cute.pipeline_advance(%drain_next, %k_tiles)

        // The result, a quarter at a time, in two buffers in turn.
        cute.order_wait(%order, %turn_store, %consumer)
        %row_64 = %row * 2
        %column_64 = %in_tiles /u %group_rows * 2
        %store = cute.make_pipeline_state<"producer"> (%buffers)
        %store_end = for %quarter in 0..4 carry(%state = %store) {
          %rC_quarter = cute.slice(%rC_quarters, (_,_,_,%quarter))
          %rD = cute.make_fragment_like<f16> (%rC_quarter)
          cute.convert(%rC_quarter, %rD)
          %sC_buffer = cute.slice(%sC, (_,_,%first_buffer + cute.pipeline_stage(%state)))
          %sC_write = cute.partition_d(%r2s, %sC_buffer, %in_group)
          %rD_read = cute.retile(%r2s, %rD)
          %row_C = %row_64 + (%quarter >>u 1)
          %column_C = %column_64 + (%quarter & 1)
          %gC = cute.local_tile(%mC, (64,64), (%row_C,%column_C))
          %gC_tile = cute.group_modes<0, 2> (%gC)
          %sC_tile = cute.group_modes<0, 2> (%sC_buffer)
          %sC_store, %gC_store = cute.tma_partition(%store_C, %sC_tile, %gC_tile)
          %by_threads = (%column_C + 1) * 64 >u %N and %is_ragged
          %by_tma = not %by_threads
          if %is_leader {
            cute.producer_acquire(%buffers, %state)
          }
          cute.named_barrier_sync(%barrier_id, 128)
          cute.copy(%r2s, %rD_read, %sC_write)
          cute.fence_proxy<"async.shared">
          cute.named_barrier_sync(%barrier_id, 128)
          // A group without a store is complete at once, and keeps the buffers' turns.
          if %is_leader {
            if %by_tma {
              cute.copy(%store_C, %sC_store, %gC_store)
            }
            cute.producer_commit(%buffers, %state)
          }
          if %by_threads {
            %C_tile = cute.local_tile(%C, (64,64), (%row_C,%column_C))
            %all_coords = cute.make_identity_tensor(%shape_C)
            %coords_tile = cute.local_tile(%all_coords, (64,64), (%row_C,%column_C))
            %C_part = cute.partition_c(%mma_64, %C_tile, %in_group)
            %coords = cute.partition_c(%mma_64, %coords_tile, %in_group)
            %exists = cute.make_predicate(%coords, %shape_C)
            cute.basic_copy_if(%exists, %rD, %C_part)
          }
          yield cute.pipeline_advance(%state)
        } {cute.unroll = "full"}
        cute.order_arrive(%order, %turn_store, %consumer)
        yield %drain_other, cute.pipeline_advance(%turn_store)
      } {cute.unroll = "none"}
      if %is_leader {
        cute.producer_tail(%buffers, cute.make_pipeline_state<"producer">(%buffers))
      }
    }
    gpu.return
  }
}
