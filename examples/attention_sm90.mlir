// O = softmax(scale * Q K^T) V for Hopper, for each batch and head: Q and O are
// (batch, head, row, 128), K and V (batch, head, column, 128) of f16, or of bf16
// (-D T=bf16 -D PRODUCT=F32BF16BF16). The last mode is contiguous, and the others
// have any stride that is a multiple of 8. Q may have more heads than K and V, a
// multiple of theirs: neighbours share a head of K and V then. The scale is positive.
//
// If `is_causal` is 1 and not 0, a row sees the columns up to its own, where the last
// row sees all: row i of M those up to i + N - M. Rows that see none are 0.
//
//   tile       128 rows of Q, with 128 of K and V at a time
//   loads      by TMA, Q once, K and V into two stages, started by one thread
//   products   by wgmma, two warpgroups with 64 rows each
//   softmax    in the registers of the sums; P is operand A from registers
//   result     through shared memory, by TMA
//   blocks     stay for many tiles; one for each tile if it is causal, since tiles
//              take unequal time then, and the hardware deals them best
//
// As in gemm_sm90.mlir, warpgroup 0 loads, and the others, the consumers,
// multiply. Q, K and V go through pipelines of their own, as K is needed earlier
// than V and is free earlier; the pipelines go on from tile to tile.
//
// A consumer goes over blocks of keys from the last to the first, so that those
// which a row sees in part come first. With c = scale log2(e):
//
//   S = Q K^T            of this block
//   O = O + P V          of the block before, under way at the same time
//   P = 2^(c S - c m)    with m, a number near the row's maximum so far
//   l = l + sum of P
//
// If the maximum grows by more than a factor of 2^8 in P, m becomes the new one,
// and O and l shrink by 2^(c old m - c m). That is rare, and O = O / l in the end
// holds for any m. So P is at most 2^8, which f16 holds as exactly as 1.
//
// While a consumer computes P, the tensor cores work for the other: named
// barriers let them start their products in turn.
//
// Rows of Q, K and V that do not exist are loaded as zeros, and such rows of O are
// not stored.

// In panels of 64 columns, which one row of the swizzle holds: so one instruction
// loads a whole tile.
!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?,?,(64,2)):(?{i64 div=8},?{i64 div=8},?{i64 div=8},(1,64))">
// Scores of a thread in one of its two rows, and sums of O.
!scores = vector<32xf32>

gpu.module @attention_sm90 attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16"}} {
  // P of the scores of one row, which four neighbouring threads hold, m for it, the
  // sum of what this thread has of P, and whether m has grown.
  func.func @softmax(%s: !scores, %m: f32, %c: f32) -> (!scores, f32, f32, i1) {
    %most_mine = cute.reduce_vector<"maxnum", "32", "1"> (%s, %m)
    %most = gpu.subgroup_reduce maxnumf %most_mine cluster(size = 4) : (f32) -> f32
    %grows = (%most - %m) * %c > 8.0
    %m_new = arith.select(%grows, %most, %m)
    %p = math.exp2<afn>(math.fma(%s, %c, -(%c * %m_new)))
    %sum = cute.reduce_vector<"add", "32", "1"> (%p, -0.0)
    return %p, %m_new, %sum, %grows : !scores, f32, f32, i1
  }

  // The scores of a warpgroup, -inf where column + from + slope row is not negative.
  func.func @mask(%s: vector<64xf32>, %from: i32, %slope: i32, %thread: i32) -> vector<64xf32> {
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM90_64x128x16_${PRODUCT}_SS<K,K>">, %one)
    %stride = cute.make_stride(%slope) : (i32) -> !cute.stride<"(?,1)">
    %layout = cute.make_layout((64,128), %stride)
    %origin = cute.make_int_tuple(%from) : (i32) -> !cute.int_tuple<"?">
    %tS = cute.partition_c(%mma, cute.make_tensor(%origin, %layout), %thread)
    %pS = cute.make_predicate(%tS, 0)
    return arith.select(cute.load_vector(%pS), %s, 0xFF800000) : vector<64xf32>
  }

  // Tiles with neighbouring numbers run at the same time, and share K and V in the L2
  // cache: tiles of one head from the first to the last; or, if it is causal, of four
  // heads from the last rows, which take longest, to the first. Returns the number of
  // the tile in its head, and of the head among the heads of all batches.
  func.func @place(%number: i32, %row_tiles: i32, %heads: i32, %causal: i1) -> (i32, i32) {
    %group = arith.select(%causal, i32(4), 1)
    %group_size = %row_tiles * %group
    %in_group = %number modu %group_size
    %first_head = %number /u %group_size * %group
    %heads_here = minu(%heads - %first_head, %group)
    %head_here = %in_group modu %heads_here
    %tile_up = %in_group /u %heads_here
    %tile = arith.select(%causal, %row_tiles - 1 - %tile_up, %tile_up)
    return %tile, %first_head + %head_here : i32, i32
  }

  // How many blocks of keys some row of a tile sees. There is at least one, even if it
  // is masked as a whole.
  func.func @count_blocks(%tile: i32, %M: i32, %N: i32, %causal: i1) -> i32 {
    %end_any = arith.select(%causal, mins((%tile + 1) * 128 + (%N - %M), %N), %N)
    %blocks = (maxs(%end_any, 1) + 127) /u 128
    return %blocks : i32
  }

  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32, %is_causal: i32) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>,
                  nvvm.minctasm = 1 : i32,
                  cute.grid = ["min(ceil_div(arg0.shape[2], 128) * arg0.shape[1] * arg0.shape[0], active_clusters + arg5 * (ceil_div(arg0.shape[2], 128) * arg0.shape[1] * arg0.shape[0]))"]} {

    //===-- Threads -------------------------------------------------------===//

    %first_number = cute.block_idx
    %grid = cute.grid_dim
    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %warpgroup = %warp >>u 2

    //===-- Tiles ---------------------------------------------------------===//

    %batches, %heads_Q, %M = cute.get_scalars<{only_dynamic}> (cute.get_shape(%Q))
    %batches_K, %heads_K, %N = cute.get_scalars<{only_dynamic}> (cute.get_shape(%K))
    %causal = %is_causal != 0
    %row_tiles = (%M + 127) /u 128
    %heads = %batches * %heads_Q
    %tiles = %row_tiles * %heads

    //===-- Shared memory -------------------------------------------------===//

    // Panels of 64 columns, whose rows of 128 bytes S<3,3,3> permutes.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %Q_layout = cute.tile_to_shape(%rows, (128,128))
    %K_layout = cute.tile_to_shape(%rows, (128,128))
    %stages_layout = cute.tile_to_shape(%rows, (128,128,2))
    %sQ = cute.alloc_smem<$T, 1024> (%Q_layout)
    %sO = cute.alloc_smem<$T, 1024> (%Q_layout)
    %sK = cute.alloc_smem<$T, 1024> (%stages_layout)
    %sV = cute.alloc_smem<$T, 1024> (%stages_layout)

    //===-- Tensor maps ---------------------------------------------------===//

    %tile_Q = cute.static : !cute.shape<"(1,1,128,128)">
    %tile_K = cute.static : !cute.shape<"(1,1,128,128)">
    %tile_O = cute.static : !cute.shape<"(1,1,64,64)">
    %panel_layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (64,64):(64,1)">
    %load_Q, %mQ = cute.make_tma_atom<"SM90_TMA_LOAD"> (%Q, %Q_layout, %tile_Q)
    %load_K, %mK = cute.make_tma_atom<"SM90_TMA_LOAD"> (%K, %K_layout, %tile_K)
    %load_V, %mV = cute.make_tma_atom<"SM90_TMA_LOAD"> (%V, %K_layout, %tile_K)
    %store_O, %mO = cute.make_tma_atom<"SM90_TMA_STORE"> (%O, %panel_layout, %tile_O)

    //===-- Pipelines -----------------------------------------------------===//

    %pipe_Q = cute.make_pipeline_tma<1, 2, "warpgroup"> (%load_Q)
    %pipe_K = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load_K)
    %pipe_V = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load_V)
    if %thread == 0 {
      cute.init_pipeline(%pipe_Q)
      cute.init_pipeline(%pipe_K)
      cute.init_pipeline(%pipe_V)
    }
    gpu.barrier

    if %warpgroup == 0 {
      //===-- The producer ------------------------------------------------===//

      cute.set_registers<"decrease", 24>
      if %warp == 0 {
        if cute.elect_one {
          %sharing = %heads_Q /u %heads_K
          %fill_Q = cute.make_pipeline_state<"producer"> (%pipe_Q)
          %fill_K = cute.make_pipeline_state<"producer"> (%pipe_K)
          %fill_V = cute.make_pipeline_state<"producer"> (%pipe_V)
          %end_Q, %end_K, %end_V = for %number in %first_number..%tiles step %grid
              carry(%state_Q = %fill_Q, %first_K = %fill_K, %first_V = %fill_V) {
            %tile, %any_head = func.call @place(%number, %row_tiles, %heads, %causal) : (i32, i32, i32, i1) -> (i32, i32)
            %blocks = func.call @count_blocks(%tile, %M, %N, %causal) : (i32, i32, i32, i1) -> i32
            %batch = %any_head /u %heads_Q
            %head = %any_head modu %heads_Q
            %head_K = %head /u %sharing
            %gQ = cute.local_tile(%mQ, %tile_Q, (%batch,%head,%tile,0))
            %gK = cute.local_tile(%mK, %tile_K, (%batch,%head_K,_,0))
            %gV = cute.local_tile(%mV, %tile_K, (%batch,%head_K,_,0))
            %sQ_load, %gQ_load = cute.tma_partition(%load_Q, %sQ, %gQ)
            %sK_load, %gK_load = cute.tma_partition(%load_K, %sK, %gK)
            %sV_load, %gV_load = cute.tma_partition(%load_V, %sV, %gV)

            // Q, and K of block 0; then K of block i before V of block i - 1, as the
            // consumers need them.
            cute.producer_acquire(%pipe_Q, %state_Q)
            %to_Q = cute.with_barrier(%load_Q, cute.producer_barrier(%pipe_Q, %state_Q))
            cute.copy(%to_Q, %gQ_load, %sQ_load)
            cute.producer_commit(%pipe_Q, %state_Q)
            %next_Q = cute.pipeline_advance(%state_Q)
            %next_K, %last_V = for %i in 0..%blocks
                carry(%state_K = %first_K, %state_V = %first_V) {
              %block = %blocks - 1 - %i
              %gK_i = cute.slice(%gK_load, (_,%block))
              %sK_i = cute.slice(%sK_load, (_,cute.pipeline_stage(%state_K)))
              cute.producer_acquire(%pipe_K, %state_K)
              %to_K = cute.with_barrier(%load_K, cute.producer_barrier(%pipe_K, %state_K))
              cute.copy(%to_K, %gK_i, %sK_i)
              cute.producer_commit(%pipe_K, %state_K)
              %state_K_1 = cute.pipeline_advance(%state_K)

              %state_V_1 = if %i != 0 {
                %gV_i = cute.slice(%gV_load, (_,%block + 1))
                %sV_i = cute.slice(%sV_load, (_,cute.pipeline_stage(%state_V)))
                cute.producer_acquire(%pipe_V, %state_V)
                %full_V = cute.producer_barrier(%pipe_V, %state_V)
                cute.copy(cute.with_barrier(%load_V, %full_V), %gV_i, %sV_i)
                cute.producer_commit(%pipe_V, %state_V)
                yield cute.pipeline_advance(%state_V)
              } else {
                yield %state_V
              }
              yield %state_K_1, %state_V_1
            } {cute.unroll = "none"}

            %gV_end = cute.slice(%gV_load, (_,0))
            %sV_end = cute.slice(%sV_load, (_,cute.pipeline_stage(%last_V)))
            cute.producer_acquire(%pipe_V, %last_V)
            %with_end = cute.with_barrier(%load_V, cute.producer_barrier(%pipe_V, %last_V))
            cute.copy(%with_end, %gV_end, %sV_end)
            cute.producer_commit(%pipe_V, %last_V)
            yield %next_Q, %next_K, cute.pipeline_advance(%last_V)
          } {cute.unroll = "none"}
        }
      }
    } else {
      //===-- The consumers -----------------------------------------------===//

      cute.set_registers<"increase", 240>
      %consumer = %warpgroup - 1
      %in_group = %thread & 127
      %is_leader = %in_group == 0

      // S = Q K^T reads both by descriptors. O = O + P V has P in registers, and
      // sums over the rows of V, whose transpose is operand B with N contiguous.
      %atom_S = cute.static : !cute.mma_atom<"SM90_64x128x16_${PRODUCT}_SS<K,K>">
      %atom_O = cute.static : !cute.mma_atom<"SM90_64x128x16_${PRODUCT}_RS<K,MN>">
      %warpgroups = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
      %mma_S = cute.make_tiled_mma(%atom_S, %warpgroups)
      %mma_O = cute.make_tiled_mma(%atom_O, %warpgroups)
      %leader = %consumer * 128
      %tK = cute.partition_b(%mma_S, %sK, %leader)
      %tV = cute.partition_b(%mma_O, cute.select<[1, 0, 2]>(%sV), %leader)
      %dQ = cute.make_fragment_a(%mma_S, cute.partition_a(%mma_S, %sQ, %leader))
      %dK = cute.make_fragment_b(%mma_S, %tK)
      %dV = cute.make_fragment_b(%mma_O, %tV)

      // Sums of a warpgroup, ((2,2,16),1,1) for S: two neighbours in each of two
      // rows, 8 apart, in groups of eight columns. P as such sums, and as operand A,
      // ((2,2,2),1,8): two groups of columns are one step of 16.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma_S_1 = cute.make_tiled_mma(%atom_S, %one)
      %mma_O_1 = cute.make_tiled_mma(%atom_O, %one)
      %tS = cute.partition_c(%mma_S_1, cute.make_tensor(0, (64,128):(0,1)), %in_group)
      %tO = cute.partition_c(%mma_O_1, cute.make_tensor(0, (64,128):(0,1)), %in_group)
      %rS = cute.make_fragment_c(%mma_S_1, %tS)
      %rO = cute.make_fragment_c(%mma_O_1, %tO)
      %rP = cute.make_fragment_like<$T> (%rS)
      %rP_A = cute.composition(%rP, ((2,2,2),1,8):((1,2,4),0,8))
      %of_row_0 = cute.static : !cute.coord<"((_,0,_),_,_)">
      %of_row_1 = cute.static : !cute.coord<"((_,1,_),_,_)">
      %rS_0 = cute.slice(%rS, %of_row_0)
      %rS_1 = cute.slice(%rS, %of_row_1)
      %rP_0 = cute.slice(%rP, %of_row_0)
      %rP_1 = cute.slice(%rP, %of_row_1)
      %rO_0 = cute.slice(%rO, %of_row_0)
      %rO_1 = cute.slice(%rO, %of_row_1)

      // The barriers of the turns, one for each consumer: two warpgroups count, the
      // one that waits and the one that lets it go.
      %other = %consumer xor 1
      %is_last = %consumer == 1
      %my_turn = %consumer + 4
      %other_turn = %other + 4
      if %is_last {
        cute.named_barrier_arrive(%other_turn, 256)
      }

      // m begins as a number, so that m - m is 0 for a row that sees nothing yet.
      %c = %scale * 1.44269504

      // The place of this consumer's part of the result.
      %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", $T>, %mma_O_1)
      %sO_mine = cute.local_tile(%sO, (64,128), (%consumer,0))
      %sO_write = cute.partition_d(%r2s, %sO_mine, %in_group)
      %sO_tile = cute.local_tile(%sO, (64,64), (%consumer,_))
      %barrier_id = %consumer + 1

      %drain_Q = cute.make_pipeline_state<"consumer"> (%pipe_Q)
      %drain_K = cute.make_pipeline_state<"consumer"> (%pipe_K)
      %drain_V = cute.make_pipeline_state<"consumer"> (%pipe_V)
      %end_Q, %end_K, %end_V = for %number in %first_number..%tiles step %grid
          carry(%state_Q = %drain_Q, %first_K = %drain_K, %first_V = %drain_V) {
        %tile, %any_head = func.call @place(%number, %row_tiles, %heads, %causal) : (i32, i32, i32, i1) -> (i32, i32)
        %blocks = func.call @count_blocks(%tile, %M, %N, %causal) : (i32, i32, i32, i1) -> i32
        %last = %blocks - 1
        %head = %any_head modu %heads_Q
        cute.clear(%rO)

        // Row r of this consumer sees the columns before %limit + r, or before %limit
        // if it is not causal. All rows see all columns from block %edge on.
        %limit = arith.select(%causal, %tile * 128 + %consumer * 64 + 1 + (%N - %M), %N)
        %edge = %blocks - maxs(%limit, 0) /u 128
        %slope = arith.select(%causal, i32(-1), 0)

        //===-- The last block of keys ------------------------------------===//

        %dK_first = cute.slice(%dK, (_,_,_,cute.pipeline_stage(%first_K)))
        cute.consumer_wait(%pipe_Q, %state_Q)
        cute.consumer_wait(%pipe_K, %first_K)
        cute.named_barrier_sync(%my_turn, 256)
        cute.warpgroup_fence()
        cute.gemm(%mma_S, %rS, %dQ, %dK_first, %rS, false)
        cute.warpgroup_commit
        cute.named_barrier_arrive(%other_turn, 256)
        cute.warpgroup_wait<0> (%rS)
        cute.consumer_release(%pipe_K, %first_K)
        %second_K = cute.pipeline_advance(%first_K)

        if 0 <s %edge {
          %s = cute.load_vector(%rS)
          %seen = func.call @mask(%s, %last * 128 - %limit, %slope, %in_group) : (vector<64xf32>, i32, i32, i32) -> vector<64xf32>
          cute.store_vector(%seen, %rS)
        }
        %s_0_first = cute.load_vector(%rS_0)
        %s_1_first = cute.load_vector(%rS_1)
        %p_0_first, %m_0_first, %l_0_first, %g_0 = func.call @softmax(%s_0_first, -1.0e30, %c) : (!scores, f32, f32) -> (!scores, f32, f32, i1)
        %p_1_first, %m_1_first, %l_1_first, %g_1 = func.call @softmax(%s_1_first, -1.0e30, %c) : (!scores, f32, f32) -> (!scores, f32, f32, i1)
        cute.store_vector($T(%p_0_first), %rP_0)
        cute.store_vector($T(%p_1_first), %rP_1)

        //===-- The others ------------------------------------------------===//

        %m_0_last, %m_1_last, %l_0_last, %l_1_last, %next_K, %last_V = for %i in 1..%blocks
            carry(%m_0 = %m_0_first, %m_1 = %m_1_first, %l_0 = %l_0_first, %l_1 = %l_1_first,
                  %state_K = %second_K, %state_V = %first_V) {
          %dK_i = cute.slice(%dK, (_,_,_,cute.pipeline_stage(%state_K)))
          %dV_i = cute.slice(%dV, (_,_,_,cute.pipeline_stage(%state_V)))
          cute.consumer_wait(%pipe_K, %state_K)
          cute.named_barrier_sync(%my_turn, 256)
          cute.warpgroup_fence()
          cute.gemm(%mma_S, %rS, %dQ, %dK_i, %rS, false)
          cute.warpgroup_commit
          cute.consumer_wait(%pipe_V, %state_V)
          cute.warpgroup_fence(%rO, %rP)
          cute.gemm(%mma_O, %rO, %rP_A, %dV_i, %rO)
          cute.warpgroup_commit
          cute.named_barrier_arrive(%other_turn, 256)
          cute.warpgroup_wait<1> (%rS)
  
          if %i <s %edge {
            %from = (%last - %i) * 128 - %limit
            %s = cute.load_vector(%rS)
            %seen = func.call @mask(%s, %from, %slope, %in_group) : (vector<64xf32>, i32, i32, i32) -> vector<64xf32>
            cute.store_vector(%seen, %rS)
          }
          %s_0 = cute.load_vector(%rS_0)
          %s_1 = cute.load_vector(%rS_1)
          %p_0, %m_0_new, %sum_0, %grows_0 = func.call @softmax(%s_0, %m_0, %c) : (!scores, f32, f32) -> (!scores, f32, f32, i1)
          %p_1, %m_1_new, %sum_1, %grows_1 = func.call @softmax(%s_1, %m_1, %c) : (!scores, f32, f32) -> (!scores, f32, f32, i1)
          // ptxas would wait for O before it computes P. It does not know that no sum
          // is negative, and K is released only then.
          %is_computed = arith.cmpf ugt, %sum_0, -1.0 : f32
          if %is_computed {
            cute.consumer_release(%pipe_K, %state_K)
          }
          cute.warpgroup_wait<0> (%rO)
          cute.consumer_release(%pipe_V, %state_V)

          %any_grows = nvvm.vote.sync any i32(-1), %grows_0 or %grows_1 -> i1
          %l_0_less, %l_1_less = if %any_grows {
            %less_0 = %m_0 - %m_0_new
            %less_1 = %m_1 - %m_1_new
            %exponent_0 = %less_0 * %c
            %exponent_1 = %less_1 * %c
            %shrink_0 = math.exp2<afn>(%exponent_0)
            %shrink_1 = math.exp2<afn>(%exponent_1)
            %o_0 = cute.load_vector(%rO_0)
            %o_1 = cute.load_vector(%rO_1)
            cute.store_vector(%o_0 * %shrink_0, %rO_0)
            cute.store_vector(%o_1 * %shrink_1, %rO_1)
            yield %l_0 * %shrink_0, %l_1 * %shrink_1
          } else {
            yield %l_0, %l_1
          }
          %l_0_new = %l_0_less + %sum_0
          %l_1_new = %l_1_less + %sum_1
          cute.store_vector($T(%p_0), %rP_0)
          cute.store_vector($T(%p_1), %rP_1)
          %state_K_1 = cute.pipeline_advance(%state_K)
          %state_V_1 = cute.pipeline_advance(%state_V)
          yield %m_0_new, %m_1_new, %l_0_new, %l_1_new, %state_K_1, %state_V_1
        } {cute.unroll = "none"}

        // All products with Q are done: that of the next tile may come.
        cute.consumer_release(%pipe_Q, %state_Q)
        %next_Q = cute.pipeline_advance(%state_Q)
        %dV_end = cute.slice(%dV, (_,_,_,cute.pipeline_stage(%last_V)))
        cute.consumer_wait(%pipe_V, %last_V)
        cute.warpgroup_fence(%rO, %rP)
        cute.gemm(%mma_O, %rO, %rP_A, %dV_end, %rO)
        cute.warpgroup_commit
        cute.warpgroup_wait<0> (%rO)
        cute.consumer_release(%pipe_V, %last_V)
        %next_V = cute.pipeline_advance(%last_V)

        //===-- The result ------------------------------------------------===//

        // O / l, or 0 where nothing is seen. The result before must have left its place.
        %l_0_row = gpu.subgroup_reduce add %l_0_last cluster(size = 4) : (f32) -> f32
        %l_1_row = gpu.subgroup_reduce add %l_1_last cluster(size = 4) : (f32) -> f32
        %sees_0 = %l_0_row > 0.0
        %sees_1 = %l_1_row > 0.0
        %one_by_0 = 1.0 / %l_0_row
        %one_by_1 = 1.0 / %l_1_row
        %inverse_0 = arith.select(%sees_0, %one_by_0, 0.0)
        %inverse_1 = arith.select(%sees_1, %one_by_1, 0.0)
        %o_0_mean = cute.load_vector(%rO_0) * %inverse_0
        %o_1_mean = cute.load_vector(%rO_1) * %inverse_1
        %rD = cute.make_fragment_like<$T> (%rO)
        %rD_0 = cute.slice(%rD, %of_row_0)
        %rD_1 = cute.slice(%rD, %of_row_1)
        cute.store_vector($T(%o_0_mean), %rD_0)
        cute.store_vector($T(%o_1_mean), %rD_1)
        %rD_read = cute.retile(%r2s, %rD)
        if %is_leader {
          cute.cp_async_bulk_wait_read<0>
        }
        cute.named_barrier_sync(%barrier_id, 128)
        cute.copy(%r2s, %rD_read, %sO_write)
        cute.fence_proxy<"async.shared">
        cute.named_barrier_sync(%barrier_id, 128)
        if %is_leader {
          %gO = cute.local_tile(%mO, %tile_O, (%any_head /u %heads_Q,%head,%tile * 2 + %consumer,_))
          %sO_store, %gO_store = cute.tma_partition(%store_O, %sO_tile, %gO)
          cute.copy(%store_O, %sO_store, %gO_store)
          cute.cp_async_bulk_commit
        }
        yield %next_Q, %next_K, %next_V
      } {cute.unroll = "none"}
      if %is_leader {
        cute.cp_async_bulk_wait<0>
      }
    }
    gpu.return
  }
}
