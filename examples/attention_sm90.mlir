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
// Rows of Q, K and V that do not exist are loaded as zeros, and those of O are
// not stored.

// In panels of 64 columns, which one row of the swizzle holds: so one instruction
// loads a whole tile.
!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?,?,(64,2)):(?{i64 div=8},?{i64 div=8},?{i64 div=8},(1,64))">
!filling_Q = !cute.pipeline_state<"producer", stages<1>>
!filling = !cute.pipeline_state<"producer", stages<2>>
!draining_Q = !cute.pipeline_state<"consumer", stages<1>>
!draining = !cute.pipeline_state<"consumer", stages<2>>
// Scores of a thread in one of its two rows, and sums of O.
!scores = vector<32xf32>
!sums = vector<32xf32>

gpu.module @attention_sm90 attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16"}} {
  // P of the scores of one row, which four neighbouring threads hold, m for it, the
  // sum of what this thread has of P, and whether m has grown.
  func.func @softmax(%s: !scores, %m: f32, %c: f32) -> (!scores, f32, f32, i1) {
    %most_mine = cute.reduce_vector<"maxnum", "32", "1"> (%s, %m) : (!scores, f32) -> f32
    %most = gpu.subgroup_reduce maxnumf %most_mine cluster(size = 4) : (f32) -> f32
    %more = arith.subf %most, %m : f32
    %exponent = arith.mulf %more, %c : f32
    %c8 = arith.constant 8.0 : f32
    %grows = arith.cmpf ogt, %exponent, %c8 : f32
    %m_new = arith.select %grows, %most, %m : f32
    %cm = arith.mulf %c, %m_new : f32
    %minus_cm = arith.negf %cm : f32
    %c_all = vector.broadcast %c : f32 to !scores
    %minus_cm_all = vector.broadcast %minus_cm : f32 to !scores
    %exponents = math.fma %s, %c_all, %minus_cm_all : !scores
    %p = math.exp2 %exponents fastmath<afn> : !scores
    %zero = arith.constant -0.0 : f32
    %sum = cute.reduce_vector<"add", "32", "1"> (%p, %zero) : (!scores, f32) -> f32
    return %p, %m_new, %sum, %grows : !scores, f32, f32, i1
  }

  // The scores of a warpgroup, -inf where column + from + slope row is not negative.
  func.func @mask(%s: vector<64xf32>, %from: i32, %slope: i32, %thread: i32) -> vector<64xf32> {
    %atom = cute.static : !cute.mma_atom<"SM90_64x128x16_${PRODUCT}_SS<K,K>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %shape = cute.static : !cute.shape<"(64,128)">
    %stride = cute.make_stride(%slope) : (i32) -> !cute.stride<"(?,1)">
    %layout = cute.make_layout(%shape, %stride)
    %origin = cute.make_int_tuple(%from) : (i32) -> !cute.int_tuple<"?">
    %cS = cute.make_tensor(%origin, %layout)
    %tS = cute.partition_c(%mma, %cS, %thread)
    %zero = cute.static : !cute.int_tuple<"0">
    %pS = cute.make_predicate(%tS, %zero)
    %sees = cute.load_vector(%pS)
    %none = arith.constant dense<0xFF800000> : vector<64xf32>
    %seen = arith.select %sees, %s, %none : vector<64xi1>, vector<64xf32>
    return %seen : vector<64xf32>
  }

  // Tiles with neighbouring numbers run at the same time, and share K and V in the L2
  // cache: those of one head from the first to the last; or, if it is causal, of four
  // heads from the last rows, which take longest, to the first. Returns the number of
  // the tile in its head, and of the head among those of all batches.
  func.func @place(%number: i32, %row_tiles: i32, %heads: i32, %causal: i1) -> (i32, i32) {
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %group = arith.select %causal, %c4, %c1 : i32
    %group_size = arith.muli %row_tiles, %group : i32
    %group_number = arith.divui %number, %group_size : i32
    %in_group = arith.remui %number, %group_size : i32
    %first_head = arith.muli %group_number, %group : i32
    %heads_left = arith.subi %heads, %first_head : i32
    %heads_here = arith.minui %heads_left, %group : i32
    %head_here = arith.remui %in_group, %heads_here : i32
    %tile_up = arith.divui %in_group, %heads_here : i32
    %last_tile = arith.subi %row_tiles, %c1 : i32
    %tile_down = arith.subi %last_tile, %tile_up : i32
    %tile = arith.select %causal, %tile_down, %tile_up : i32
    %head = arith.addi %first_head, %head_here : i32
    return %tile, %head : i32, i32
  }

  // How many blocks of keys some row of a tile sees. There is at least one, even if it
  // is masked as a whole.
  func.func @count_blocks(%tile: i32, %M: i32, %N: i32, %causal: i1) -> i32 {
    %c1 = arith.constant 1 : i32
    %c127 = arith.constant 127 : i32
    %c128 = arith.constant 128 : i32
    %rows = arith.constant 128 : i32
    %next = arith.addi %tile, %c1 : i32
    %end_row = arith.muli %next, %rows : i32
    %shift = arith.subi %N, %M : i32
    %end_causal = arith.addi %end_row, %shift : i32
    %end_seen = arith.minsi %end_causal, %N : i32
    %end_any = arith.select %causal, %end_seen, %N : i32
    %end = arith.maxsi %end_any, %c1 : i32
    %end_more = arith.addi %end, %c127 : i32
    %blocks = arith.divui %end_more, %c128 : i32
    return %blocks : i32
  }

  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32, %is_causal: i32) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>,
                  nvvm.minctasm = 1 : i32,
                  cute.grid = ["min(ceil_div(arg0.shape[2], 128) * arg0.shape[1] * arg0.shape[0], active_clusters + arg5 * (ceil_div(arg0.shape[2], 128) * arg0.shape[1] * arg0.shape[0]))"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c127 = arith.constant 127 : i32
    %c128 = arith.constant 128 : i32

    //===-- Threads -------------------------------------------------------===//

    %block_index = gpu.block_id x
    %first_number = arith.index_cast %block_index : index to i32
    %blocks_index = gpu.grid_dim x
    %grid = arith.index_cast %blocks_index : index to i32
    %tid = gpu.thread_id x
    %thread = arith.index_cast %tid : index to i32
    %warp_mine = arith.shrui %thread, %c5 : i32
    %warp, %is_lane = gpu.shuffle idx %warp_mine, %c0, %c32 : i32
    %warpgroup = arith.shrui %warp, %c2 : i32

    //===-- Tiles ---------------------------------------------------------===//

    %shape_Q = cute.get_shape(%Q)
    %shape_K = cute.get_shape(%K)
    %batches, %heads_Q, %M = cute.get_scalars<{only_dynamic}> (%shape_Q)
    %batches_K, %heads_K, %N = cute.get_scalars<{only_dynamic}> (%shape_K)
    %causal = arith.cmpi ne, %is_causal, %c0 : i32
    %M_more = arith.addi %M, %c127 : i32
    %row_tiles = arith.divui %M_more, %c128 : i32
    %heads = arith.muli %batches, %heads_Q : i32
    %tiles = arith.muli %row_tiles, %heads : i32

    //===-- Shared memory -------------------------------------------------===//

    // Panels of 64 columns, whose rows of 128 bytes S<3,3,3> permutes.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %extents_Q = cute.static : !cute.shape<"(128,128)">
    %extents_K = cute.static : !cute.shape<"(128,128)">
    %extents_stages = cute.static : !cute.shape<"(128,128,2)">
    %Q_layout = cute.tile_to_shape(%rows, %extents_Q)
    %K_layout = cute.tile_to_shape(%rows, %extents_K)
    %stages_layout = cute.tile_to_shape(%rows, %extents_stages)
    %sQ = cute.alloc_smem<$T, 1024> (%Q_layout)
    %sO = cute.alloc_smem<$T, 1024> (%Q_layout)
    %sK = cute.alloc_smem<$T, 1024> (%stages_layout)
    %sV = cute.alloc_smem<$T, 1024> (%stages_layout)

    //===-- Tensor maps ---------------------------------------------------===//

    %tile_Q = cute.static : !cute.shape<"(1,1,128,128)">
    %tile_K = cute.static : !cute.shape<"(1,1,128,128)">
    %tile_O = cute.static : !cute.shape<"(1,1,64,64)">
    %part = cute.static : !cute.shape<"(64,128)">
    %panel = cute.static : !cute.shape<"(64,64)">
    %panel_layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (64,64):(64,1)">
    %load_Q, %mQ = cute.make_tma_atom<"SM90_TMA_LOAD"> (%Q, %Q_layout, %tile_Q)
    %load_K, %mK = cute.make_tma_atom<"SM90_TMA_LOAD"> (%K, %K_layout, %tile_K)
    %load_V, %mV = cute.make_tma_atom<"SM90_TMA_LOAD"> (%V, %K_layout, %tile_K)
    %store_O, %mO = cute.make_tma_atom<"SM90_TMA_STORE"> (%O, %panel_layout, %tile_O)

    //===-- Pipelines -----------------------------------------------------===//

    %pipe_Q = cute.make_pipeline_tma<1, 2, "warpgroup"> (%load_Q)
    %pipe_K = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load_K)
    %pipe_V = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load_V)
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
      cute.init_pipeline(%pipe_Q)
      cute.init_pipeline(%pipe_K)
      cute.init_pipeline(%pipe_V)
    }
    gpu.barrier

    %is_producer = arith.cmpi eq, %warpgroup, %c0 : i32
    scf.if %is_producer {
      //===-- The producer ------------------------------------------------===//

      cute.set_registers<"decrease", 24>
      %is_warp_0 = arith.cmpi eq, %warp, %c0 : i32
      scf.if %is_warp_0 {
        %is_elected = cute.elect_one
        scf.if %is_elected {
          %sharing = arith.divui %heads_Q, %heads_K : i32
          %sQ_tile = cute.group_modes<0, 2> (%sQ)
          %sK_tile = cute.group_modes<0, 2> (%sK)
          %sV_tile = cute.group_modes<0, 2> (%sV)
          %fill_Q = cute.make_pipeline_state<"producer"> (%pipe_Q)
          %fill_K = cute.make_pipeline_state<"producer"> (%pipe_K)
          %fill_V = cute.make_pipeline_state<"producer"> (%pipe_V)
          %end_Q, %end_K, %end_V = scf.for %number = %first_number to %tiles step %grid
              iter_args(%state_Q = %fill_Q, %first_K = %fill_K, %first_V = %fill_V)
              -> (!filling_Q, !filling, !filling) : i32 {
            %tile, %any_head = func.call @place(%number, %row_tiles, %heads, %causal) : (i32, i32, i32, i1) -> (i32, i32)
            %blocks = func.call @count_blocks(%tile, %M, %N, %causal) : (i32, i32, i32, i1) -> i32
            %last = arith.subi %blocks, %c1 : i32
            %batch = arith.divui %any_head, %heads_Q : i32
            %head = arith.remui %any_head, %heads_Q : i32
            %head_K = arith.divui %head, %sharing : i32
            %at_Q = cute.make_coord(%batch, %head, %tile) : (i32, i32, i32) -> !cute.coord<"(?,?,?,0)">
            %at_K = cute.make_coord(%batch, %head_K) : (i32, i32) -> !cute.coord<"(?,?,_,0)">
            %gQ = cute.local_tile(%mQ, %tile_Q, %at_Q)
            %gK = cute.local_tile(%mK, %tile_K, %at_K)
            %gV = cute.local_tile(%mV, %tile_K, %at_K)
            %gQ_tile = cute.group_modes<0, 4> (%gQ)
            %gK_tile = cute.group_modes<0, 4> (%gK)
            %gV_tile = cute.group_modes<0, 4> (%gV)
            %sQ_load, %gQ_load = cute.tma_partition(%load_Q, %sQ_tile, %gQ_tile)
            %sK_load, %gK_load = cute.tma_partition(%load_K, %sK_tile, %gK_tile)
            %sV_load, %gV_load = cute.tma_partition(%load_V, %sV_tile, %gV_tile)

            // Q, and K of block 0; then K of block i before V of block i - 1, as the
            // consumers need them.
            cute.producer_acquire(%pipe_Q, %state_Q)
            %full_Q = cute.producer_barrier(%pipe_Q, %state_Q)
            %to_Q = cute.with_barrier(%load_Q, %full_Q)
            cute.copy(%to_Q, %gQ_load, %sQ_load)
            cute.producer_commit(%pipe_Q, %state_Q)
            %next_Q = cute.pipeline_advance(%state_Q)
            %next_K, %last_V = scf.for %i = %c0 to %blocks step %c1
                iter_args(%state_K = %first_K, %state_V = %first_V) -> (!filling, !filling) : i32 {
              %block = arith.subi %last, %i : i32
              %from = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,?)">
              %stage = cute.pipeline_stage(%state_K)
              %to = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
              %gK_i = cute.slice(%gK_load, %from)
              %sK_i = cute.slice(%sK_load, %to)
              cute.producer_acquire(%pipe_K, %state_K)
              %full_K = cute.producer_barrier(%pipe_K, %state_K)
              %to_K = cute.with_barrier(%load_K, %full_K)
              cute.copy(%to_K, %gK_i, %sK_i)
              cute.producer_commit(%pipe_K, %state_K)
              %state_K_1 = cute.pipeline_advance(%state_K)

              %is_later = arith.cmpi ne, %i, %c0 : i32
              %state_V_1 = scf.if %is_later -> (!filling) {
                %block_V = arith.addi %block, %c1 : i32
                %from_V = cute.make_coord(%block_V) : (i32) -> !cute.coord<"(_,?)">
                %stage_V = cute.pipeline_stage(%state_V)
                %to_V = cute.make_coord(%stage_V) : (i32) -> !cute.coord<"(_,?)">
                %gV_i = cute.slice(%gV_load, %from_V)
                %sV_i = cute.slice(%sV_load, %to_V)
                cute.producer_acquire(%pipe_V, %state_V)
                %full_V = cute.producer_barrier(%pipe_V, %state_V)
                %with_V = cute.with_barrier(%load_V, %full_V)
                cute.copy(%with_V, %gV_i, %sV_i)
                cute.producer_commit(%pipe_V, %state_V)
                %state_V_next = cute.pipeline_advance(%state_V)
                scf.yield %state_V_next : !filling
              } else {
                scf.yield %state_V : !filling
              }
              scf.yield %state_K_1, %state_V_1 : !filling, !filling
            } {cute.unroll = "none"}

            %from_end = cute.static : !cute.coord<"(_,0)">
            %stage_end = cute.pipeline_stage(%last_V)
            %to_end = cute.make_coord(%stage_end) : (i32) -> !cute.coord<"(_,?)">
            %gV_end = cute.slice(%gV_load, %from_end)
            %sV_end = cute.slice(%sV_load, %to_end)
            cute.producer_acquire(%pipe_V, %last_V)
            %full_end = cute.producer_barrier(%pipe_V, %last_V)
            %with_end = cute.with_barrier(%load_V, %full_end)
            cute.copy(%with_end, %gV_end, %sV_end)
            cute.producer_commit(%pipe_V, %last_V)
            %next_V = cute.pipeline_advance(%last_V)
            scf.yield %next_Q, %next_K, %next_V : !filling_Q, !filling, !filling
          } {cute.unroll = "none"}
        }
      }
    } else {
      //===-- The consumers -----------------------------------------------===//

      cute.set_registers<"increase", 240>
      %consumer = arith.subi %warpgroup, %c1 : i32
      %in_group = arith.andi %thread, %c127 : i32
      %is_leader = arith.cmpi eq, %in_group, %c0 : i32

      // S = Q K^T reads both by descriptors. O = O + P V has P in registers, and
      // sums over the rows of V, whose transpose is operand B with N contiguous.
      %atom_S = cute.static : !cute.mma_atom<"SM90_64x128x16_${PRODUCT}_SS<K,K>">
      %atom_O = cute.static : !cute.mma_atom<"SM90_64x128x16_${PRODUCT}_RS<K,MN>">
      %warpgroups = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
      %mma_S = cute.make_tiled_mma(%atom_S, %warpgroups)
      %mma_O = cute.make_tiled_mma(%atom_O, %warpgroups)
      %leader = arith.muli %consumer, %c128 : i32
      %sVt = cute.select<[1, 0, 2]> (%sV)
      %tQ = cute.partition_a(%mma_S, %sQ, %leader)
      %tK = cute.partition_b(%mma_S, %sK, %leader)
      %tV = cute.partition_b(%mma_O, %sVt, %leader)
      %dQ = cute.make_fragment_a(%mma_S, %tQ)
      %dK = cute.make_fragment_b(%mma_S, %tK)
      %dV = cute.make_fragment_b(%mma_O, %tV)

      // Sums of a warpgroup, ((2,2,16),1,1) for S: two neighbours in each of two
      // rows, 8 apart, in groups of eight columns. P as such sums, and as operand A,
      // ((2,2,2),1,8): two groups of columns are one step of 16.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma_S_1 = cute.make_tiled_mma(%atom_S, %one)
      %mma_O_1 = cute.make_tiled_mma(%atom_O, %one)
      %origin = cute.static : !cute.int_tuple<"0">
      %columns_S = cute.static : !cute.layout<"(64,128):(0,1)">
      %columns_O = cute.static : !cute.layout<"(64,128):(0,1)">
      %cS = cute.make_tensor(%origin, %columns_S)
      %cO = cute.make_tensor(%origin, %columns_O)
      %tS = cute.partition_c(%mma_S_1, %cS, %in_group)
      %tO = cute.partition_c(%mma_O_1, %cO, %in_group)
      %rS = cute.make_fragment_c(%mma_S_1, %tS)
      %rO = cute.make_fragment_c(%mma_O_1, %tO)
      %rP = cute.make_fragment_like<$T> (%rS)
      %C_to_A = cute.static : !cute.layout<"((2,2,2),1,8):((1,2,4),0,8)">
      %rP_A = cute.composition(%rP, %C_to_A)
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
      %both = cute.static : !cute.int_tuple<"256">
      %other = arith.xori %consumer, %c1 : i32
      %is_last = arith.cmpi eq, %consumer, %c1 : i32
      %my_turn = arith.addi %consumer, %c4 : i32
      %other_turn = arith.addi %other, %c4 : i32
      scf.if %is_last {
        cute.named_barrier_arrive(%other_turn, %both)
      }

      // m begins as a number, so that m - m is 0 for a row that sees nothing yet.
      %log2e = arith.constant 1.44269504 : f32
      %c = arith.mulf %scale, %log2e : f32
      %lowest = arith.constant -1.0e30 : f32

      %false = arith.constant false
      %f0 = arith.constant 0.0 : f32
      %f1 = arith.constant 1.0 : f32

      // The place of this consumer's part of the result.
      %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", $T>
      %r2s = cute.make_tiled_copy_c(%stmatrix, %mma_O_1)
      %at_part = cute.make_coord(%consumer) : (i32) -> !cute.coord<"(?,0)">
      %sO_mine = cute.local_tile(%sO, %part, %at_part)
      %sO_write = cute.partition_d(%r2s, %sO_mine, %in_group)
      %at_panels = cute.make_coord(%consumer) : (i32) -> !cute.coord<"(?,_)">
      %sO_panels = cute.local_tile(%sO, %panel, %at_panels)
      %sO_tile = cute.group_modes<0, 2> (%sO_panels)
      %barrier_id = arith.addi %consumer, %c1 : i32
      %warpgroup_size = cute.static : !cute.int_tuple<"128">

      %drain_Q = cute.make_pipeline_state<"consumer"> (%pipe_Q)
      %drain_K = cute.make_pipeline_state<"consumer"> (%pipe_K)
      %drain_V = cute.make_pipeline_state<"consumer"> (%pipe_V)
      %end_Q, %end_K, %end_V = scf.for %number = %first_number to %tiles step %grid
          iter_args(%state_Q = %drain_Q, %first_K = %drain_K, %first_V = %drain_V)
          -> (!draining_Q, !draining, !draining) : i32 {
        %tile, %any_head = func.call @place(%number, %row_tiles, %heads, %causal) : (i32, i32, i32, i1) -> (i32, i32)
        %blocks = func.call @count_blocks(%tile, %M, %N, %causal) : (i32, i32, i32, i1) -> i32
        %last = arith.subi %blocks, %c1 : i32
        %batch = arith.divui %any_head, %heads_Q : i32
        %head = arith.remui %any_head, %heads_Q : i32
        cute.clear(%rO)

        // Row r of this consumer sees the columns before %limit + r, or before %limit
        // if it is not causal. All rows see all columns from block %edge on.
        %in_tile = arith.muli %consumer, %c64 : i32
        %first_row = arith.muli %tile, %c128 : i32
        %my_row = arith.addi %first_row, %in_tile : i32
        %next_row = arith.addi %my_row, %c1 : i32
        %shift = arith.subi %N, %M : i32
        %limit_causal = arith.addi %next_row, %shift : i32
        %limit = arith.select %causal, %limit_causal, %N : i32
        %limit_0 = arith.maxsi %limit, %c0 : i32
        %whole = arith.divui %limit_0, %c128 : i32
        %edge = arith.subi %blocks, %whole : i32
        %minus_1 = arith.constant -1 : i32
        %slope = arith.select %causal, %minus_1, %c0 : i32

        //===-- The last block of keys ------------------------------------===//

        %stage_first = cute.pipeline_stage(%first_K)
        %at_first = cute.make_coord(%stage_first) : (i32) -> !cute.coord<"(_,_,_,?)">
        %dK_first = cute.slice(%dK, %at_first)
        cute.consumer_wait(%pipe_Q, %state_Q)
        cute.consumer_wait(%pipe_K, %first_K)
        cute.named_barrier_sync(%my_turn, %both)
        cute.warpgroup_fence()
        cute.gemm(%mma_S, %rS, %dQ, %dK_first, %rS, %false)
        cute.warpgroup_commit
        cute.named_barrier_arrive(%other_turn, %both)
        cute.warpgroup_wait<0> (%rS)
        cute.consumer_release(%pipe_K, %first_K)
        %second_K = cute.pipeline_advance(%first_K)

        %is_edge_first = arith.cmpi slt, %c0, %edge : i32
        scf.if %is_edge_first {
          %begin = arith.muli %last, %c128 : i32
          %from = arith.subi %begin, %limit : i32
          %s = cute.load_vector(%rS)
          %seen = func.call @mask(%s, %from, %slope, %in_group) : (vector<64xf32>, i32, i32, i32) -> vector<64xf32>
          cute.store_vector(%seen, %rS)
        }
        %s_0_first = cute.load_vector(%rS_0)
        %s_1_first = cute.load_vector(%rS_1)
        %p_0_first, %m_0_first, %l_0_first, %g_0 = func.call @softmax(%s_0_first, %lowest, %c) : (!scores, f32, f32) -> (!scores, f32, f32, i1)
        %p_1_first, %m_1_first, %l_1_first, %g_1 = func.call @softmax(%s_1_first, %lowest, %c) : (!scores, f32, f32) -> (!scores, f32, f32, i1)
        %h_0_first = arith.truncf %p_0_first : !scores to vector<32x${T}>
        %h_1_first = arith.truncf %p_1_first : !scores to vector<32x${T}>
        cute.store_vector(%h_0_first, %rP_0)
        cute.store_vector(%h_1_first, %rP_1)

        //===-- The others ------------------------------------------------===//

        %m_0_last, %m_1_last, %l_0_last, %l_1_last, %next_K, %last_V = scf.for %i = %c1 to %blocks step %c1
            iter_args(%m_0 = %m_0_first, %m_1 = %m_1_first, %l_0 = %l_0_first, %l_1 = %l_1_first,
                      %state_K = %second_K, %state_V = %first_V)
            -> (f32, f32, f32, f32, !draining, !draining) : i32 {
          %stage = cute.pipeline_stage(%state_K)
          %stage_V = cute.pipeline_stage(%state_V)
          %at = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %at_V = cute.make_coord(%stage_V) : (i32) -> !cute.coord<"(_,_,_,?)">
          %dK_i = cute.slice(%dK, %at)
          %dV_i = cute.slice(%dV, %at_V)
          cute.consumer_wait(%pipe_K, %state_K)
          cute.named_barrier_sync(%my_turn, %both)
          cute.warpgroup_fence()
          cute.gemm(%mma_S, %rS, %dQ, %dK_i, %rS, %false)
          cute.warpgroup_commit
          cute.consumer_wait(%pipe_V, %state_V)
          cute.warpgroup_fence(%rO, %rP)
          cute.gemm(%mma_O, %rO, %rP_A, %dV_i, %rO)
          cute.warpgroup_commit
          cute.named_barrier_arrive(%other_turn, %both)
          cute.warpgroup_wait<1> (%rS)
  
          %is_edge = arith.cmpi slt, %i, %edge : i32
          scf.if %is_edge {
            %block = arith.subi %last, %i : i32
            %begin = arith.muli %block, %c128 : i32
            %from = arith.subi %begin, %limit : i32
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
          %minus_one = arith.constant -1.0 : f32
          %is_computed = arith.cmpf ugt, %sum_0, %minus_one : f32
          scf.if %is_computed {
            cute.consumer_release(%pipe_K, %state_K)
          }
          cute.warpgroup_wait<0> (%rO)
          cute.consumer_release(%pipe_V, %state_V)

          %grows = arith.ori %grows_0, %grows_1 : i1
          %lanes = arith.constant -1 : i32
          %any_grows = nvvm.vote.sync any %lanes, %grows -> i1
          %l_0_less, %l_1_less = scf.if %any_grows -> (f32, f32) {
            %less_0 = arith.subf %m_0, %m_0_new : f32
            %less_1 = arith.subf %m_1, %m_1_new : f32
            %exponent_0 = arith.mulf %less_0, %c : f32
            %exponent_1 = arith.mulf %less_1, %c : f32
            %shrink_0 = math.exp2 %exponent_0 fastmath<afn> : f32
            %shrink_1 = math.exp2 %exponent_1 fastmath<afn> : f32
            %shrink_0_all = vector.broadcast %shrink_0 : f32 to !sums
            %shrink_1_all = vector.broadcast %shrink_1 : f32 to !sums
            %o_0 = cute.load_vector(%rO_0)
            %o_1 = cute.load_vector(%rO_1)
            %o_0_less = arith.mulf %o_0, %shrink_0_all : !sums
            %o_1_less = arith.mulf %o_1, %shrink_1_all : !sums
            cute.store_vector(%o_0_less, %rO_0)
            cute.store_vector(%o_1_less, %rO_1)
            %l_0_shrunk = arith.mulf %l_0, %shrink_0 : f32
            %l_1_shrunk = arith.mulf %l_1, %shrink_1 : f32
            scf.yield %l_0_shrunk, %l_1_shrunk : f32, f32
          } else {
            scf.yield %l_0, %l_1 : f32, f32
          }
          %l_0_new = arith.addf %l_0_less, %sum_0 : f32
          %l_1_new = arith.addf %l_1_less, %sum_1 : f32
          %h_0 = arith.truncf %p_0 : !scores to vector<32x${T}>
          %h_1 = arith.truncf %p_1 : !scores to vector<32x${T}>
          cute.store_vector(%h_0, %rP_0)
          cute.store_vector(%h_1, %rP_1)
          %state_K_1 = cute.pipeline_advance(%state_K)
          %state_V_1 = cute.pipeline_advance(%state_V)
          scf.yield %m_0_new, %m_1_new, %l_0_new, %l_1_new, %state_K_1, %state_V_1
              : f32, f32, f32, f32, !draining, !draining
        } {cute.unroll = "none"}

        // All products with Q are done: that of the next tile may come.
        cute.consumer_release(%pipe_Q, %state_Q)
        %next_Q = cute.pipeline_advance(%state_Q)
        %stage_end = cute.pipeline_stage(%last_V)
        %at_end = cute.make_coord(%stage_end) : (i32) -> !cute.coord<"(_,_,_,?)">
        %dV_end = cute.slice(%dV, %at_end)
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
        %sees_0 = arith.cmpf ogt, %l_0_row, %f0 : f32
        %sees_1 = arith.cmpf ogt, %l_1_row, %f0 : f32
        %one_by_0 = arith.divf %f1, %l_0_row : f32
        %one_by_1 = arith.divf %f1, %l_1_row : f32
        %inverse_0 = arith.select %sees_0, %one_by_0, %f0 : f32
        %inverse_1 = arith.select %sees_1, %one_by_1, %f0 : f32
        %inverse_0_all = vector.broadcast %inverse_0 : f32 to !sums
        %inverse_1_all = vector.broadcast %inverse_1 : f32 to !sums
        %o_0_sum = cute.load_vector(%rO_0)
        %o_1_sum = cute.load_vector(%rO_1)
        %o_0_mean = arith.mulf %o_0_sum, %inverse_0_all : !sums
        %o_1_mean = arith.mulf %o_1_sum, %inverse_1_all : !sums
        %d_0 = arith.truncf %o_0_mean : !sums to vector<32x${T}>
        %d_1 = arith.truncf %o_1_mean : !sums to vector<32x${T}>
        %rD = cute.make_fragment_like<$T> (%rO)
        %rD_0 = cute.slice(%rD, %of_row_0)
        %rD_1 = cute.slice(%rD, %of_row_1)
        cute.store_vector(%d_0, %rD_0)
        cute.store_vector(%d_1, %rD_1)
        %rD_read = cute.retile(%r2s, %rD)
        scf.if %is_leader {
          cute.cp_async_bulk_wait_read<0>
        }
        cute.named_barrier_sync(%barrier_id, %warpgroup_size)
        cute.copy(%r2s, %rD_read, %sO_write)
        cute.fence_proxy<"async.shared">
        cute.named_barrier_sync(%barrier_id, %warpgroup_size)
        scf.if %is_leader {
          %parts = arith.muli %tile, %c2 : i32
          %part_number = arith.addi %parts, %consumer : i32
          %at_O = cute.make_coord(%batch, %head, %part_number) : (i32, i32, i32) -> !cute.coord<"(?,?,?,_)">
          %gO = cute.local_tile(%mO, %tile_O, %at_O)
          %gO_tile = cute.group_modes<0, 4> (%gO)
          %sO_store, %gO_store = cute.tma_partition(%store_O, %sO_tile, %gO_tile)
          cute.copy(%store_O, %sO_store, %gO_store)
          cute.cp_async_bulk_commit
        }
        scf.yield %next_Q, %next_K, %next_V : !draining_Q, !draining, !draining
      } {cute.unroll = "none"}
      scf.if %is_leader {
        cute.cp_async_bulk_wait<0>
      }
    }
    gpu.return
  }
}
