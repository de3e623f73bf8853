// O = softmax(scale * Q K^T) V for Hopper, for each batch and head: Q and O are
// (batch, head, row, 128), K and V (batch, head, column, 128) of f16, in which
// the last mode is contiguous and the others have any stride that is a multiple
// of 8. Q may have more heads than K and V, a multiple of theirs: neighbours
// share a head of K and V then. There is at least one column, and the scale is
// positive.
//
//   tile       128 rows of Q for each thread block, 128 of K and V at a time
//   loads      by TMA, Q once, K and V into two stages, started by one thread
//   products   by wgmma, two warpgroups with 64 rows each
//   softmax    in the registers of the sums; P is operand A from registers
//   result     through the shared memory of Q, by TMA
//
// As in gemm_sm90.mlir, warpgroup 0 loads, and the others, the consumers,
// multiply; `full` and `empty` barriers guard each stage. K and V have their own,
// as K is needed earlier and is free earlier.
//
// A consumer goes over blocks of keys from the last to the first, so that the
// one block that may lie partly outside is the first of all, before the loop.
// With c = scale log2(e):
//
//   S = Q K^T            of this block
//   O = O + P V          of the block before, under way at the same time
//   m = max(m, S)        by row
//   P = 2^(c S - c m)
//   l = l 2^(c old m - c m) + sum of P
//   O = O 2^(c old m - c m)
//
// While a consumer computes P, the tensor cores work for the other: named
// barriers let them start their products in turn.
//
// Rows of Q, K and V that do not exist are loaded as zeros, and those of O are
// not stored.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?,?,128):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
// The same tensors in columns of 64, which one row of the swizzle holds: so one
// instruction loads a whole tile.
!halves = !cute.tensor<f16, gmem, align<16>, "(?,?,?,(64,2)):(?{i64 div=8},?{i64 div=8},?{i64 div=8},(1,64))">
!rows = vector<2xf32>
!scores = vector<64xf32>

gpu.module @attention_sm90 {
  // The largest and the sum of what four neighbouring threads have of two rows.
  func.func @quad_max(%x: !rows) -> !rows {
    %x0, %x1 = vector.to_elements %x : !rows
    %y0 = gpu.subgroup_reduce maxnumf %x0 cluster(size = 4) : (f32) -> f32
    %y1 = gpu.subgroup_reduce maxnumf %x1 cluster(size = 4) : (f32) -> f32
    %y = vector.from_elements %y0, %y1 : !rows
    return %y : !rows
  }
  func.func @quad_sum(%x: !rows) -> !rows {
    %x0, %x1 = vector.to_elements %x : !rows
    %y0 = gpu.subgroup_reduce add %x0 cluster(size = 4) : (f32) -> f32
    %y1 = gpu.subgroup_reduce add %x1 cluster(size = 4) : (f32) -> f32
    %y = vector.from_elements %y0, %y1 : !rows
    return %y : !rows
  }

  gpu.func @attention(%Q: !halves, %K: !halves, %V: !halves, %O: !matrix, %scale: f32) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>,
                  nvvm.minctasm = 1 : i32,
                  cute.grid = ["ceil_div(arg0.shape[2], 128)", "arg0.shape[1]", "arg0.shape[0]"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %c127 = arith.constant 127 : i32
    %c128 = arith.constant 128 : i32

    //===-- Threads -------------------------------------------------------===//

    %x = gpu.block_id x
    %row = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %head = arith.index_cast %y : index to i32
    %z = gpu.block_id z
    %batch = arith.index_cast %z : index to i32
    %tid = gpu.thread_id x
    %thread = arith.index_cast %tid : index to i32
    %warp_mine = arith.shrui %thread, %c5 : i32
    %warp, %is_lane = gpu.shuffle idx %warp_mine, %c0, %c32 : i32
    %warpgroup = arith.shrui %warp, %c2 : i32

    //===-- Shared memory -------------------------------------------------===//

    // Panels of 64 columns, whose rows of 128 bytes S<3,3,3> permutes.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,128)">
    %stages = cute.static : !cute.shape<"(128,128,2)">
    %tile_layout = cute.tile_to_shape(%rows, %tile)
    %stages_layout = cute.tile_to_shape(%rows, %stages)
    %sQ = cute.alloc_smem<f16, 1024> (%tile_layout)
    %sK = cute.alloc_smem<f16, 1024> (%stages_layout)
    %sV = cute.alloc_smem<f16, 1024> (%stages_layout)
    %one_barrier = cute.static : !cute.layout<"1:1">
    %two_barriers = cute.static : !cute.layout<"2:1">
    %full_Q_barrier = cute.alloc_smem<i64, 8> (%one_barrier)
    %full_K_barriers = cute.alloc_smem<i64, 8> (%two_barriers)
    %full_V_barriers = cute.alloc_smem<i64, 8> (%two_barriers)
    %empty_K_barriers = cute.alloc_smem<i64, 8> (%two_barriers)
    %empty_V_barriers = cute.alloc_smem<i64, 8> (%two_barriers)
    %full_Q = cute.get_iter(%full_Q_barrier)
    %full_K_0 = cute.get_iter(%full_K_barriers)
    %full_V_0 = cute.get_iter(%full_V_barriers)
    %empty_K_0 = cute.get_iter(%empty_K_barriers)
    %empty_V_0 = cute.get_iter(%empty_V_barriers)

    //===-- Tensor maps ---------------------------------------------------===//

    %tile_4 = cute.static : !cute.shape<"(1,1,128,128)">
    %tile_O = cute.static : !cute.shape<"(1,1,64,128)">
    %half = cute.static : !cute.shape<"(64,128)">
    %half_layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))">
    %load_Q, %mQ = cute.make_tma_atom<"SM90_TMA_LOAD"> (%Q, %tile_layout, %tile_4)
    %load_K, %mK = cute.make_tma_atom<"SM90_TMA_LOAD"> (%K, %tile_layout, %tile_4)
    %load_V, %mV = cute.make_tma_atom<"SM90_TMA_LOAD"> (%V, %tile_layout, %tile_4)
    %store_O, %mO = cute.make_tma_atom<"SM90_TMA_STORE"> (%O, %half_layout, %tile_O)

    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
      %one_arrival = cute.static : !cute.int_tuple<"1">
      %two_arrivals = cute.static : !cute.int_tuple<"2">
      cute.mbarrier_init(%full_Q, %one_arrival)
      scf.for %s = %c0 to %c2 step %c1 : i32 {
        %full_K = cute.add_offset(%full_K_0, %s)
        %full_V = cute.add_offset(%full_V_0, %s)
        %empty_K = cute.add_offset(%empty_K_0, %s)
        %empty_V = cute.add_offset(%empty_V_0, %s)
        cute.mbarrier_init(%full_K, %one_arrival)
        cute.mbarrier_init(%full_V, %one_arrival)
        cute.mbarrier_init(%empty_K, %two_arrivals)
        cute.mbarrier_init(%empty_V, %two_arrivals)
      } {cute.unroll = "full"}
      cute.fence_mbarrier_init
    }
    gpu.barrier

    // Block i of the keys is the i-th from the end.
    %shape_Q = cute.get_shape(%Q)
    %shape_K = cute.get_shape(%K)
    %batches, %heads_Q, %M = cute.get_scalars<{only_dynamic}> (%shape_Q)
    %batches_K, %heads_K, %N = cute.get_scalars<{only_dynamic}> (%shape_K)
    %N_127 = arith.addi %N, %c127 : i32
    %blocks = arith.divui %N_127, %c128 : i32
    %last = arith.subi %blocks, %c1 : i32

    %is_producer = arith.cmpi eq, %warpgroup, %c0 : i32
    scf.if %is_producer {
      //===-- The producer ------------------------------------------------===//

      cute.set_registers<"decrease", 24>
      %is_warp_0 = arith.cmpi eq, %warp, %c0 : i32
      scf.if %is_warp_0 {
        %is_elected = cute.elect_one
        scf.if %is_elected {
          %bytes = cute.static : !cute.int_tuple<"32768">
          %sharing = arith.divui %heads_Q, %heads_K : i32
          %head_K = arith.divui %head, %sharing : i32
          %at_Q = cute.make_coord(%batch, %head, %row) : (i32, i32, i32) -> !cute.coord<"(?,?,?,0)">
          %at_K = cute.make_coord(%batch, %head_K) : (i32, i32) -> !cute.coord<"(?,?,_,0)">
          %gQ = cute.local_tile(%mQ, %tile_4, %at_Q)
          %gK = cute.local_tile(%mK, %tile_4, %at_K)
          %gV = cute.local_tile(%mV, %tile_4, %at_K)
          %sQ_tile = cute.group_modes<0, 2> (%sQ)
          %sK_tile = cute.group_modes<0, 2> (%sK)
          %sV_tile = cute.group_modes<0, 2> (%sV)
          %gQ_tile = cute.group_modes<0, 4> (%gQ)
          %gK_tile = cute.group_modes<0, 4> (%gK)
          %gV_tile = cute.group_modes<0, 4> (%gV)
          %sQ_load, %gQ_load = cute.tma_partition(%load_Q, %sQ_tile, %gQ_tile)
          %sK_load, %gK_load = cute.tma_partition(%load_K, %sK_tile, %gK_tile)
          %sV_load, %gV_load = cute.tma_partition(%load_V, %sV_tile, %gV_tile)

          // Q, and K of block 0; then K of block i before V of block i - 1, as the
          // consumers need them.
          cute.mbarrier_arrive_expect_tx(%full_Q, %bytes)
          %to_Q = cute.with_barrier(%load_Q, %full_Q)
          cute.copy(%to_Q, %gQ_load, %sQ_load)
          scf.for %i = %c0 to %blocks step %c1 : i32 {
            %stage = arith.andi %i, %c1 : i32
            %round = arith.shrui %i, %c1 : i32
            %parity_full = arith.andi %round, %c1 : i32
            %parity = arith.xori %parity_full, %c1 : i32
            %block = arith.subi %last, %i : i32
            %from = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,?)">
            %to = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
            %full = cute.add_offset(%full_K_0, %stage)
            %empty = cute.add_offset(%empty_K_0, %stage)
            %gK_i = cute.slice(%gK_load, %from)
            %sK_i = cute.slice(%sK_load, %to)
            cute.mbarrier_wait(%empty, %parity)
            cute.mbarrier_arrive_expect_tx(%full, %bytes)
            %to_K = cute.with_barrier(%load_K, %full)
            cute.copy(%to_K, %gK_i, %sK_i)

            %is_later = arith.cmpi ne, %i, %c0 : i32
            scf.if %is_later {
              %before = arith.subi %i, %c1 : i32
              %stage_V = arith.andi %before, %c1 : i32
              %round_V = arith.shrui %before, %c1 : i32
              %parity_full_V = arith.andi %round_V, %c1 : i32
              %parity_V = arith.xori %parity_full_V, %c1 : i32
              %block_V = arith.subi %last, %before : i32
              %from_V = cute.make_coord(%block_V) : (i32) -> !cute.coord<"(_,?)">
              %to_V = cute.make_coord(%stage_V) : (i32) -> !cute.coord<"(_,?)">
              %full_V = cute.add_offset(%full_V_0, %stage_V)
              %empty_V = cute.add_offset(%empty_V_0, %stage_V)
              %gV_i = cute.slice(%gV_load, %from_V)
              %sV_i = cute.slice(%sV_load, %to_V)
              cute.mbarrier_wait(%empty_V, %parity_V)
              cute.mbarrier_arrive_expect_tx(%full_V, %bytes)
              %with_V = cute.with_barrier(%load_V, %full_V)
              cute.copy(%with_V, %gV_i, %sV_i)
            }
          } {cute.unroll = "none"}

          %stage_end = arith.andi %last, %c1 : i32
          %round_end = arith.shrui %last, %c1 : i32
          %parity_full_end = arith.andi %round_end, %c1 : i32
          %parity_end = arith.xori %parity_full_end, %c1 : i32
          %from_end = cute.static : !cute.coord<"(_,0)">
          %to_end = cute.make_coord(%stage_end) : (i32) -> !cute.coord<"(_,?)">
          %full_end = cute.add_offset(%full_V_0, %stage_end)
          %empty_end = cute.add_offset(%empty_V_0, %stage_end)
          %gV_end = cute.slice(%gV_load, %from_end)
          %sV_end = cute.slice(%sV_load, %to_end)
          cute.mbarrier_wait(%empty_end, %parity_end)
          cute.mbarrier_arrive_expect_tx(%full_end, %bytes)
          %with_end = cute.with_barrier(%load_V, %full_end)
          cute.copy(%with_end, %gV_end, %sV_end)
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
      %atom_S = cute.static : !cute.mma_atom<"SM90_64x128x16_F32F16F16_SS<K,K>">
      %atom_O = cute.static : !cute.mma_atom<"SM90_64x128x16_F32F16F16_RS<K,MN>">
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

      // Sums of a warpgroup, ((2,2,16),1,1): two neighbours in each of two rows,
      // 8 apart, in groups of eight columns. P as such sums, and as operand A,
      // ((2,2,2),1,8): two groups of columns are one step of 16.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma_1 = cute.make_tiled_mma(%atom_S, %one)
      %origin = cute.static : !cute.int_tuple<"0">
      %columns = cute.static : !cute.layout<"(64,128):(0,1)">
      %cS = cute.make_tensor(%origin, %columns)
      %tS = cute.partition_c(%mma_1, %cS, %in_group)
      %rS = cute.make_fragment_c(%mma_1, %tS)
      %rO = cute.make_fragment_c(%mma_1, %tS)
      %rP = cute.make_fragment_like<f16> (%rS)
      %C_to_A = cute.static : !cute.layout<"((2,2,2),1,8):((1,2,4),0,8)">
      %rP_A = cute.composition(%rP, %C_to_A)
      cute.clear(%rO)

      // The barriers of the turns, one for each consumer: both warpgroups count,
      // the one that waits and the one that lets it go.
      %both = cute.static : !cute.int_tuple<"256">
      %other = arith.xori %consumer, %c1 : i32
      %my_turn = arith.addi %consumer, %c4 : i32
      %other_turn = arith.addi %other, %c4 : i32
      %is_second = arith.cmpi eq, %consumer, %c1 : i32
      scf.if %is_second {
        cute.named_barrier_arrive(%other_turn, %both)
      }

      %false = arith.constant false
      %log2e = arith.constant 1.44269504 : f32
      %c = arith.mulf %scale, %log2e : f32
      %cs = vector.broadcast %c : f32 to !scores
      %c_rows = vector.broadcast %c : f32 to !rows
      %zero = arith.constant -0.0 : f32
      %lowest = arith.constant 0xFF800000 : f32
      %none = arith.constant dense<0xFF800000> : !scores

      //===-- The last block of keys --------------------------------------===//

      %first_at = cute.static : !cute.coord<"(_,_,_,0)">
      %dK_first = cute.slice(%dK, %first_at)
      cute.mbarrier_wait(%full_Q, %c0)
      cute.mbarrier_wait(%full_K_0, %c0)
      cute.named_barrier_sync(%my_turn, %both)
      cute.warpgroup_fence()
      cute.gemm(%mma_S, %rS, %dQ, %dK_first, %rS, %false)
      cute.warpgroup_commit
      cute.named_barrier_arrive(%other_turn, %both)
      cute.warpgroup_wait<0> (%rS)
      scf.if %is_leader {
        cute.mbarrier_arrive(%empty_K_0)
      }

      // Columns that do not exist count as -inf. One of the block does.
      %begin = arith.muli %last, %c128 : i32
      %left = arith.subi %N, %begin : i32
      %end = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
      %pS = cute.make_predicate(%tS, %end)
      %exist = cute.load_vector(%pS)
      %s_raw = cute.load_vector(%rS)
      %s_first = arith.select %exist, %s_raw, %none : vector<64xi1>, !scores
      %m_thread_first = cute.reduce_vector<"maxnum", "((2,2),16)", "((1,_),1)"> (%s_first, %lowest)
      %m_first = func.call @quad_max(%m_thread_first) : (!rows) -> !rows
      %cm_first = arith.mulf %m_first, %c_rows : !rows
      %neg_first = arith.negf %cm_first : !rows
      %neg_all_first = cute.broadcast_vector<"((1,2),1)", "((2,2),16)"> (%neg_first)
      %less_first = math.fma %s_first, %cs, %neg_all_first : !scores
      %p_first = math.exp2 %less_first fastmath<afn> : !scores
      %l_first = cute.reduce_vector<"add", "((2,2),16)", "((1,_),1)"> (%p_first, %zero)
      %h_first = arith.truncf %p_first : !scores to vector<64xf16>
      cute.store_vector(%h_first, %rP)

      //===-- The others --------------------------------------------------===//

      %m_last, %l_last = scf.for %i = %c1 to %blocks step %c1
          iter_args(%m = %m_first, %l = %l_first) -> (!rows, !rows) : i32 {
        %stage = arith.andi %i, %c1 : i32
        %round = arith.shrui %i, %c1 : i32
        %parity = arith.andi %round, %c1 : i32
        %before = arith.subi %i, %c1 : i32
        %stage_V = arith.andi %before, %c1 : i32
        %round_V = arith.shrui %before, %c1 : i32
        %parity_V = arith.andi %round_V, %c1 : i32
        %at = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
        %at_V = cute.make_coord(%stage_V) : (i32) -> !cute.coord<"(_,_,_,?)">
        %dK_i = cute.slice(%dK, %at)
        %dV_i = cute.slice(%dV, %at_V)
        %full = cute.add_offset(%full_K_0, %stage)
        %full_V = cute.add_offset(%full_V_0, %stage_V)
        cute.mbarrier_wait(%full, %parity)
        cute.named_barrier_sync(%my_turn, %both)
        cute.warpgroup_fence()
        cute.gemm(%mma_S, %rS, %dQ, %dK_i, %rS, %false)
        cute.warpgroup_commit
        cute.mbarrier_wait(%full_V, %parity_V)
        cute.warpgroup_fence(%rO, %rP)
        cute.gemm(%mma_O, %rO, %rP_A, %dV_i, %rO)
        cute.warpgroup_commit
        cute.named_barrier_arrive(%other_turn, %both)
        cute.warpgroup_wait<1> (%rS)
        scf.if %is_leader {
          %empty = cute.add_offset(%empty_K_0, %stage)
          cute.mbarrier_arrive(%empty)
        }

        %s = cute.load_vector(%rS)
        // Row by row, beginning with the largest so far.
        %m_0, %m_1 = vector.to_elements %m : !rows
        %s_0 = vector.shuffle %s, %s [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 44, 45, 48, 49, 52, 53, 56, 57, 60, 61] : !scores, !scores
        %s_1 = vector.shuffle %s, %s [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 35, 38, 39, 42, 43, 46, 47, 50, 51, 54, 55, 58, 59, 62, 63] : !scores, !scores
        %most_0 = cute.reduce_vector<"maxnum", "32", "1"> (%s_0, %m_0) : (vector<32xf32>, f32) -> f32
        %most_1 = cute.reduce_vector<"maxnum", "32", "1"> (%s_1, %m_1) : (vector<32xf32>, f32) -> f32
        %m_thread = vector.from_elements %most_0, %most_1 : !rows
        %m_new = func.call @quad_max(%m_thread) : (!rows) -> !rows
        %cm = arith.mulf %m_new, %c_rows : !rows
        %neg = arith.negf %cm : !rows
        %neg_all = cute.broadcast_vector<"((1,2),1)", "((2,2),16)"> (%neg)
        %less = math.fma %s, %cs, %neg_all : !scores
        %p = math.exp2 %less fastmath<afn> : !scores
        %grown = math.fma %m, %c_rows, %neg : !rows
        %shrink = math.exp2 %grown fastmath<afn> : !rows
        %l_step = cute.reduce_vector<"add", "((2,2),16)", "((1,_),1)"> (%p, %zero)
        %l_new = math.fma %l, %shrink, %l_step : !rows

        cute.warpgroup_wait<0> (%rO)
        scf.if %is_leader {
          %empty_V = cute.add_offset(%empty_V_0, %stage_V)
          cute.mbarrier_arrive(%empty_V)
        }
        %shrink_all = cute.broadcast_vector<"((1,2),1)", "((2,2),16)"> (%shrink)
        %o = cute.load_vector(%rO)
        %o_scaled = arith.mulf %o, %shrink_all : !scores
        cute.store_vector(%o_scaled, %rO)
        %h = arith.truncf %p : !scores to vector<64xf16>
        cute.store_vector(%h, %rP)
        scf.yield %m_new, %l_new : !rows, !rows
      } {cute.unroll = "none"}

      %stage_end = arith.andi %last, %c1 : i32
      %round_end = arith.shrui %last, %c1 : i32
      %parity_end = arith.andi %round_end, %c1 : i32
      %at_end = cute.make_coord(%stage_end) : (i32) -> !cute.coord<"(_,_,_,?)">
      %dV_end = cute.slice(%dV, %at_end)
      %full_end = cute.add_offset(%full_V_0, %stage_end)
      cute.mbarrier_wait(%full_end, %parity_end)
      cute.warpgroup_fence(%rO, %rP)
      cute.gemm(%mma_O, %rO, %rP_A, %dV_end, %rO)
      cute.warpgroup_commit
      cute.warpgroup_wait<0> (%rO)

      //===-- The result --------------------------------------------------===//

      // Through the rows of Q that this warpgroup alone has read.
      %ones = arith.constant dense<1.0> : !rows
      %l_rows = func.call @quad_sum(%l_last) : (!rows) -> !rows
      %inverse = arith.divf %ones, %l_rows : !rows
      %inverse_all = cute.broadcast_vector<"((1,2),1)", "((2,2),16)"> (%inverse)
      %o_sum = cute.load_vector(%rO)
      %o_mean = arith.mulf %o_sum, %inverse_all : !scores
      %o_half = arith.truncf %o_mean : !scores to vector<64xf16>
      %rD = cute.make_fragment_like<f16> (%rO)
      cute.store_vector(%o_half, %rD)
      %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", f16>
      %r2s = cute.make_tiled_copy_c(%stmatrix, %mma_1)
      %at_half = cute.make_coord(%consumer) : (i32) -> !cute.coord<"(?,0)">
      %sO = cute.local_tile(%sQ, %half, %at_half)
      %sO_write = cute.partition_d(%r2s, %sO, %in_group)
      %rD_read = cute.retile(%r2s, %rD)
      cute.copy(%r2s, %rD_read, %sO_write)
      cute.fence_proxy<"async.shared">
      %barrier_id = arith.addi %consumer, %c1 : i32
      %warpgroup_size = cute.static : !cute.int_tuple<"128">
      cute.named_barrier_sync(%barrier_id, %warpgroup_size)
      scf.if %is_leader {
        %row_2 = arith.muli %row, %c2 : i32
        %row_64 = arith.addi %row_2, %consumer : i32
        %at_O = cute.make_coord(%batch, %head, %row_64) : (i32, i32, i32) -> !cute.coord<"(?,?,?,0)">
        %gO = cute.local_tile(%mO, %tile_O, %at_O)
        %gO_tile = cute.group_modes<0, 4> (%gO)
        %sO_tile = cute.group_modes<0, 2> (%sO)
        %sO_store, %gO_store = cute.tma_partition(%store_O, %sO_tile, %gO_tile)
        cute.copy(%store_O, %sO_store, %gO_store)
        cute.cp_async_bulk_commit
        cute.cp_async_bulk_wait<0>
      }
    }
    gpu.return
  }
}
