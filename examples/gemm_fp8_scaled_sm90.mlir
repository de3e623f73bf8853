// C = A B^T, where the elements of A and B are numbers of 8 bits times factors of
// f32, one for each row of A and each block of 128 rows of B, for every 128 of K:
//
//   C(m,n) = sum over k of A(m,k) SA(m,k/128) B(n,k) SB(n/128,k/128)
//
// A step along K has one factor for each row of the tile of C. Its products are
// multiplied as they are added. Those of rows come by TMA with the tiles, and that
// of the block is read while the tensor cores work on the step before.

!input = !cute.tensor<f8E4M3FN, gmem, align<16>, "(?,?):(?{i64 div=16},1)">
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!row_scales = !cute.tensor<f32, gmem, align<16>, "(?,?):(1,?{i64 div=4})">
!block_scales = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">

gpu.module @gemm_fp8_scaled_sm90 {
  gpu.func @gemm_scaled(%A: !input, %B: !input, %C: !matrix, %SA: !row_scales, %SB: !block_scales) kernel attributes {
      known_block_size = array<i32: 384, 1, 1>,
      nvvm.minctasm = 1 : i32,
      cute.grid = ["min(ceil_div(arg0.shape[0], 128) * ceil_div(arg1.shape[0], 128), active_clusters)"]} {

    //===-- Threads -------------------------------------------------------===//

    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %warpgroup = %warp >>u 2
    %block = cute.block_idx
    %blocks = cute.grid_dim

    //===-- Shared memory -------------------------------------------------===//

    %rows = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,128):(128,1)">
    %rows_C = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %tile_A = cute.static : !cute.shape<"(128,128)">
    %tile_B = cute.static : !cute.shape<"(128,128)">
    %layout_A = cute.tile_to_shape(%rows, %tile_A)
    %layout_B = cute.tile_to_shape(%rows, %tile_B)
    %layout_C = cute.tile_to_shape(%rows_C, (64,64))
    %stages_layout_A = cute.tile_to_shape(%rows, (128,128,5))
    %stages_layout_B = cute.tile_to_shape(%rows, (128,128,5))
    %buffers_layout_C = cute.tile_to_shape(%rows_C, (64,64,4))
    %sA = cute.alloc_smem<f8E4M3FN, 1024> (%stages_layout_A)
    %sB = cute.alloc_smem<f8E4M3FN, 1024> (%stages_layout_B)
    %sC = cute.alloc_smem<f16, 1024> (%buffers_layout_C)
    %sSA = cute.alloc_smem<f32, 128> ((128,1,5):(1,0,128))

    //===-- Tensor maps ---------------------------------------------------===//

    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout_A, %tile_A)
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout_B, %tile_B)
    %load_SA, %mSA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%SA, (128,1):(1,0), (128,1))
    %store_C, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout_C, (64,64))

    // Each warp of the consumers reads scales, and says so.
    %pipeline = cute.make_pipeline_tma<5, 8, "warp"> (%load_A, %load_B, %load_SA)
    %buffers = cute.make_pipeline_tma_store<2>
    if %thread == 0 {
      cute.init_pipeline(%pipeline)
      cute.prefetch_descriptor(%load_A)
      cute.prefetch_descriptor(%load_B)
      cute.prefetch_descriptor(%store_C)
    }
    gpu.barrier

    //===-- Tiles ---------------------------------------------------------===//

    %M, %K = cute.get_scalars(cute.get_shape(%A))
    %N, %K_B = cute.get_scalars(cute.get_shape(%B))
    %M_127 = %M + 127
    %N_127 = %N + 127
    %K_127 = %K + 127
    %tiles_M = %M_127 /u 128
    %tiles_N = %N_127 /u 128
    %k_tiles = %K_127 /u 128
    %tiles = %tiles_M * %tiles_N
    %group = %tiles_N * 8

    if %warpgroup == 0 {
      //===-- The producer ------------------------------------------------===//

      cute.set_registers<"decrease", 40>
      if %warp == 0 {
        if cute.elect_one {
          %sSA_tile = cute.group_modes<0, 2> (%sSA)
          %fill = cute.make_pipeline_state<"producer"> (%pipeline)
          %fill_end = for %tile in %block..%tiles step %blocks carry(%fill_tile = %fill) {
            %in_group = %tile modu %group
            %first_row = %tile /u %group * 8
            %group_rows = minu(%tiles_M - %first_row, 8)
            %row = %first_row + %in_group modu %group_rows

            %gA_tile = cute.local_tile(%mA, %tile_A, (%row,_))
            %gB_tile = cute.local_tile(%mB, %tile_B, (%in_group /u %group_rows,_))
            %gSA_tile = cute.group_modes<0, 2> (cute.local_tile(%mSA, (128,1), (%row,_)))
            %sA_load, %gA_load = cute.tma_partition(%load_A, %sA, %gA_tile)
            %sB_load, %gB_load = cute.tma_partition(%load_B, %sB, %gB_tile)

            %sSA_load, %gSA_load = cute.tma_partition(%load_SA, %sSA_tile, %gSA_tile)

            %fill_next = for %k in 0..%k_tiles carry(%state = %fill_tile) {
              %stage = cute.pipeline_stage(%state)
              %gA_k = cute.slice(%gA_load, (_,%k))
              %gB_k = cute.slice(%gB_load, (_,%k))
              %gSA_k = cute.slice(%gSA_load, (_,%k))
              %sA_s = cute.slice(%sA_load, (_,%stage))
              %sB_s = cute.slice(%sB_load, (_,%stage))
              %sSA_s = cute.slice(%sSA_load, (_,%stage))
              cute.producer_acquire(%pipeline, %state)
              %full = cute.producer_barrier(%pipeline, %state)
              %to_A = cute.with_barrier(%load_A, %full)
              %to_B = cute.with_barrier(%load_B, %full)
              %to_SA = cute.with_barrier(%load_SA, %full)
              cute.copy(%to_A, %gA_k, %sA_s)
              cute.copy(%to_B, %gB_k, %sB_s)
              cute.copy(%to_SA, %gSA_k, %sSA_s)
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

      %atom = cute.static : !cute.mma_atom<"SM90_64x128x32_F32E4M3E4M3_SS_TN">
      %mma = cute.make_tiled_mma(%atom, (2,1,1):(1,0,0))
      %leader = %consumer * 128
      %dA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA, %leader))
      %dB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB, %leader))

      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma_1 = cute.make_tiled_mma(%atom, %one)
      %tC = cute.partition_c(%mma_1, cute.make_identity_tensor((64,128)), %in_group)
      %rP = cute.make_fragment_c(%mma_1, %tC)
      %rC = cute.make_fragment_c(%mma_1, %tC)
      %last_k = %k_tiles - 1

      // Its rows among the 128: sixteen of each warp, one of four lanes, and the one
      // eight below.
      %quad_row = %in_group >>u 2 & 7
      %row_in_half = (%in_group >>u 5) * 16 + %quad_row
      %upper = %consumer * 64 + %row_in_half

      %rC_halves = cute.make_tensor(cute.get_iter(%rC), ((2,2,8),1,1,2):((1,2,4),0,0,32))

      %mma_64 = cute.make_tiled_mma(!cute.mma_atom<"SM90_64x64x16_F32F16F16_SS<K,K>">, %one)
      %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", f16>, %mma_64)
      %barrier_id = %consumer + 1

      // Whether rows of C end within 16 bytes.
      %shape_C = cute.get_shape(%C)
      %is_ragged = %N & 7 != 0

      %drain = cute.make_pipeline_state<"consumer"> (%pipeline)
      %drain_end = for %tile in %block..%tiles step %blocks carry(%drain_tile = %drain) {
        %in_tiles = %tile modu %group
        %first_row = %tile /u %group * 8
        %group_rows = minu(%tiles_M - %first_row, 8)
        %column = %in_tiles /u %group_rows
        %row = %first_row + %in_tiles modu %group_rows

        %block_0 = if %k_tiles != 0 {
          yield %SB[%column,0]
        } else {
          yield 0.0
        }
        cute.clear(%rC)
        %drain_next, %block_end = for %k in 0..%k_tiles
            carry(%state = %drain_tile, %scale_B = %block_0) {
          %stage = cute.pipeline_stage(%state)
          %dA_k = cute.slice(%dA, (_,_,_,%stage))
          %dB_k = cute.slice(%dB, (_,_,_,%stage))
          cute.consumer_wait(%pipeline, %state)
          cute.warpgroup_fence()
          cute.gemm(%mma, %rP, %dA_k, %dB_k, %rP, false)
          cute.warpgroup_commit
          %scale_next = cute.load(%SB, (%column,minu(%k + 1, %last_k)))
          %scale_upper = cute.load(%sSA, (%upper,0,%stage))
          %scale_lower = cute.load(%sSA, (%upper + 8,0,%stage))
          cute.warpgroup_wait<0> (%rP)
          cute.consumer_release(%pipeline, %state)
          %scales_A = vector.from_elements %scale_upper, %scale_lower : vector<2xf32>
          %scales = cute.broadcast_vector<"(1,2,1)", "(2,2,16)"> (%scales_A * %scale_B)
          %products = cute.load_vector(%rP)
          %sums = cute.load_vector(%rC)
          cute.store_vector(math.fma(%products, %scales, %sums), %rC)
          yield cute.pipeline_advance(%state), %scale_next
        } {cute.unroll = "none"}

        %row_64 = %row * 2 + %consumer
        %turn = cute.make_pipeline_state<"producer"> (%buffers)
        %turn_end = for %half in 0..2 carry(%state = %turn) {
          %rC_half = cute.slice(%rC_halves, (_,_,_,%half))
          %rD = cute.make_fragment_like<f16> (%rC_half)
          cute.convert(%rC_half, %rD)
          %sC_buffer = cute.slice(%sC, (_,_,%consumer * 2 + %half))
          %sC_write = cute.partition_d(%r2s, %sC_buffer, %in_group)
          %rD_read = cute.retile(%r2s, %rD)
          %column_64 = %column * 2 + %half
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

    gpu.return
  }
}
