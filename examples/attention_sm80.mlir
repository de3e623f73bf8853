// O = softmax(scale * Q K^T) V on tensor cores, for each batch and head: Q and O are
// (batch, head, row, 128), K and V (batch, head, column, 128) of f16, in which the
// last mode is contiguous and the others have any stride that is a multiple of 8.
// Any extents. With causal = 1, row m sees columns up to m; with 0, all.
//
//   cutec attention_sm80.mlir --arch=sm_80 -o attention.ptx
//
// How the work is split (FlashAttention-2 of Tri Dao, 2023):
//
//   block     128 rows of Q of one head, in steps of 64 rows of K and V
//   warp      32 of the rows, all columns: what a softmax needs stays in a warp,
//             a row with four neighbouring threads
//   instruction   mma.sync 16x8x16, once with S = Q K^T for its sums, once with
//             O = O + P V
//
// S and P never leave registers: what an accumulator of S is to a thread, an operand
// of the second product is, too, but for the order of modes, which is a layout.
//
// The rows' maxima m and sums l are those of the columns seen so far. A step with a
// new maximum scales O and l by 2^(c (old m - new m)), with c = scale log2(e), and
// adds P = 2^(c (S - m)). In the end O is divided by l.
//
// K and V are fetched by cp.async, 16 bytes a thread, one step ahead.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?,?,128):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!rows = vector<4xf32>
!sums = vector<128xf32>
!piece = vector<16xf32>

gpu.module @attention_module {
  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32, %causal: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[2], 128)", "arg0.shape[1]", "arg0.shape[0]"]} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c_bm = arith.constant 128 : i32
    %c_bn = arith.constant 64 : i32
    %block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %block_z = gpu.block_id z
    %grid_x = gpu.grid_dim x
    %head = arith.index_cast %block_y : index to i32
    %batch = arith.index_cast %block_z : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32

    // Which rows. If causal, the later ones have more to do and come first.
    %is_causal = arith.cmpi ne, %causal, %c0 : i32
    %x = arith.index_cast %block_x : index to i32
    %blocks = arith.index_cast %grid_x : index to i32
    %x_1 = arith.addi %x, %c1 : i32
    %x_last = arith.subi %blocks, %x_1 : i32
    %row_tile = arith.select %is_causal, %x_last, %x : i32
    %row_0 = arith.muli %row_tile, %c_bm : i32

    //===-- Tiles ---------------------------------------------------------===//

    %which = cute.make_coord(%batch, %head) : (i32, i32) -> !cute.coord<"(?,?,_,_)">
    %Q_2 = cute.slice(%Q, %which)
    %K_2 = cute.slice(%K, %which)
    %V_2 = cute.slice(%V, %which)
    %Q_layout = cute.get_layout(%Q_2)
    %K_layout = cute.get_layout(%K_2)
    %M, %Q_pitch = cute.get_scalars<{only_dynamic}> (%Q_layout)
    %N, %K_pitch = cute.get_scalars<{only_dynamic}> (%K_layout)
    %Q_tile = cute.static : !cute.shape<"(128,128)">
    %K_tile = cute.static : !cute.shape<"(64,128)">
    %Q_at = cute.make_coord(%row_tile) : (i32) -> !cute.coord<"(?,0)">
    %K_at = cute.static : !cute.coord<"(_,0)">
    %gQ = cute.local_tile(%Q_2, %Q_tile, %Q_at)
    %gK = cute.local_tile(%K_2, %K_tile, %K_at)
    %gV = cute.local_tile(%V_2, %K_tile, %K_at)

    // What decides which elements exist, and count: of each element of the tiles of
    // Q, K and V its row, of each of S its column, and column - row. That these
    // are layouts, too, gives each thread its own.
    %origin = cute.static : !cute.int_tuple<"0">
    %Q_rows = cute.static : !cute.layout<"(128,128):(1,0)">
    %K_rows = cute.static : !cute.layout<"(64,128):(1,0)">
    %S_columns = cute.static : !cute.layout<"(128,64):(0,1)">
    %S_diagonals = cute.static : !cute.layout<"(128,64):(-1,1)">
    %cQ = cute.make_tensor(%origin, %Q_rows)
    %cK = cute.make_tensor(%origin, %K_rows)
    %cS = cute.make_tensor(%origin, %S_columns)
    %cD = cute.make_tensor(%origin, %S_diagonals)

    // Shared memory: rows of 128 bytes, all banks once, in which S<3,3,3> permutes
    // the eight 16-byte pieces by the row number modulo 8, so that the 8 rows that
    // ldmatrix reads at a time are in different banks.
    %s_atom = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %sQ_shape = cute.static : !cute.shape<"(128,128)">
    %sK_shape = cute.static : !cute.shape<"(64,128,2)">
    %sQ_layout = cute.tile_to_shape(%s_atom, %sQ_shape)
    %sK_layout = cute.tile_to_shape(%s_atom, %sK_shape)
    %sQ = cute.alloc_smem<f16, 128> (%sQ_layout)
    %sK = cute.alloc_smem<f16, 128> (%sK_layout)
    %sV = cute.alloc_smem<f16, 128> (%sK_layout)

    // The second product sums over the rows of V: its operand B is V transposed.
    %sVt = cute.select<[1, 0, 2]> (%sV)

    //===-- The MMA -------------------------------------------------------===//

    // The permutation gives each warp two instructions side by side in N, whose B
    // fragments one ldmatrix.x4 loads.
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(4,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(64,16,16)">
    %mma = cute.make_tiled_mma(%mma_atom, %warps, %permutation)
    %stage_0 = cute.static : !cute.coord<"(_,_,0)">
    %sK_first = cute.slice(%sK, %stage_0)
    %sVt_first = cute.slice(%sVt, %stage_0)
    %tQ = cute.partition_a(%mma, %sQ, %thread)
    %tK = cute.partition_b(%mma, %sK_first, %thread)
    %tV = cute.partition_b(%mma, %sVt_first, %thread)
    %tS = cute.partition_c(%mma, %cS, %thread)
    %tD = cute.partition_c(%mma, %cD, %thread)
    %tO = cute.partition_c(%mma, %cQ, %thread)
    %rQ = cute.make_fragment_a(%mma, %tQ)
    %rK = cute.make_fragment_b(%mma, %tK)
    %rV = cute.make_fragment_b(%mma, %tV)
    %rS = cute.make_fragment_c(%mma, %tS)
    %rO = cute.make_fragment_c(%mma, %tO)
    cute.clear(%rO)

    // P lies as S does. Seen as operand A, two neighbouring instructions in N are
    // one in K: the same registers with other modes.
    %rP = cute.make_fragment_like<f16> (%rS)
    %C_to_A = cute.static : !cute.layout<"((2,2,2),2,4):((1,2,8),4,16)">
    %rS_A = cute.composition(%rS, %C_to_A)
    %rP_A = cute.composition(%rP, %C_to_A)

    // ldmatrix as tiled copies that deliver what the MMA expects, of V transposed.
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %ldsm_t = cute.static : !cute.copy_atom<"SM75_U16x8_LDSM_T", f16>
    %s2r_Q = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_K = cute.make_tiled_copy_b(%ldsm, %mma)
    %s2r_V = cute.make_tiled_copy_b(%ldsm_t, %mma)
    %sQ_read = cute.partition_s(%s2r_Q, %sQ, %thread)
    %sK_read = cute.partition_s(%s2r_K, %sK, %thread)
    %sV_read = cute.partition_s(%s2r_V, %sVt, %thread)
    %rQ_write = cute.retile(%s2r_Q, %rQ)
    %rK_write = cute.retile(%s2r_K, %rK)
    %rV_write = cute.retile(%s2r_V, %rV)

    // The k-blocks of the first product, 16 of 128, and of the second, 16 of 64.
    %k0 = cute.static : !cute.coord<"(_,_,0)">
    %k1 = cute.static : !cute.coord<"(_,_,1)">
    %k2 = cute.static : !cute.coord<"(_,_,2)">
    %k3 = cute.static : !cute.coord<"(_,_,3)">
    %k4 = cute.static : !cute.coord<"(_,_,4)">
    %k5 = cute.static : !cute.coord<"(_,_,5)">
    %k6 = cute.static : !cute.coord<"(_,_,6)">
    %k7 = cute.static : !cute.coord<"(_,_,7)">
    %sQ_0 = cute.slice(%sQ_read, %k0)
    %rQ_write_0 = cute.slice(%rQ_write, %k0)
    %rK_write_0 = cute.slice(%rK_write, %k0)
    %rQ_0 = cute.slice(%rQ, %k0)
    %rK_0 = cute.slice(%rK, %k0)
    %sQ_1 = cute.slice(%sQ_read, %k1)
    %rQ_write_1 = cute.slice(%rQ_write, %k1)
    %rK_write_1 = cute.slice(%rK_write, %k1)
    %rQ_1 = cute.slice(%rQ, %k1)
    %rK_1 = cute.slice(%rK, %k1)
    %sQ_2 = cute.slice(%sQ_read, %k2)
    %rQ_write_2 = cute.slice(%rQ_write, %k2)
    %rK_write_2 = cute.slice(%rK_write, %k2)
    %rQ_2 = cute.slice(%rQ, %k2)
    %rK_2 = cute.slice(%rK, %k2)
    %sQ_3 = cute.slice(%sQ_read, %k3)
    %rQ_write_3 = cute.slice(%rQ_write, %k3)
    %rK_write_3 = cute.slice(%rK_write, %k3)
    %rQ_3 = cute.slice(%rQ, %k3)
    %rK_3 = cute.slice(%rK, %k3)
    %sQ_4 = cute.slice(%sQ_read, %k4)
    %rQ_write_4 = cute.slice(%rQ_write, %k4)
    %rK_write_4 = cute.slice(%rK_write, %k4)
    %rQ_4 = cute.slice(%rQ, %k4)
    %rK_4 = cute.slice(%rK, %k4)
    %sQ_5 = cute.slice(%sQ_read, %k5)
    %rQ_write_5 = cute.slice(%rQ_write, %k5)
    %rK_write_5 = cute.slice(%rK_write, %k5)
    %rQ_5 = cute.slice(%rQ, %k5)
    %rK_5 = cute.slice(%rK, %k5)
    %sQ_6 = cute.slice(%sQ_read, %k6)
    %rQ_write_6 = cute.slice(%rQ_write, %k6)
    %rK_write_6 = cute.slice(%rK_write, %k6)
    %rQ_6 = cute.slice(%rQ, %k6)
    %rK_6 = cute.slice(%rK, %k6)
    %sQ_7 = cute.slice(%sQ_read, %k7)
    %rQ_write_7 = cute.slice(%rQ_write, %k7)
    %rK_write_7 = cute.slice(%rK_write, %k7)
    %rQ_7 = cute.slice(%rQ, %k7)
    %rK_7 = cute.slice(%rK, %k7)
    %rV_write_0 = cute.slice(%rV_write, %k0)
    %rV_0 = cute.slice(%rV, %k0)
    %rS_0 = cute.slice(%rS_A, %k0)
    %rP_0 = cute.slice(%rP_A, %k0)
    %rV_write_1 = cute.slice(%rV_write, %k1)
    %rV_1 = cute.slice(%rV, %k1)
    %rS_1 = cute.slice(%rS_A, %k1)
    %rP_1 = cute.slice(%rP_A, %k1)
    %rV_write_2 = cute.slice(%rV_write, %k2)
    %rV_2 = cute.slice(%rV, %k2)
    %rS_2 = cute.slice(%rS_A, %k2)
    %rP_2 = cute.slice(%rP_A, %k2)
    %rV_write_3 = cute.slice(%rV_write, %k3)
    %rV_3 = cute.slice(%rV, %k3)
    %rS_3 = cute.slice(%rS_A, %k3)
    %rP_3 = cute.slice(%rP_A, %k3)

    //===-- Copies from global memory -------------------------------------===//

    // 8 rows of 16 threads, 8 elements each. Rows that do not exist are zeros.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s_threads = cute.static : !cute.layout<"(8,16):(16,1)">
    %g2s_values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %g2s_threads, %g2s_values)
    %gQ_read = cute.partition_s(%g2s, %gQ, %thread)
    %gK_read = cute.partition_s(%g2s, %gK, %thread)
    %gV_read = cute.partition_s(%g2s, %gV, %thread)
    %cQ_read = cute.partition_s(%g2s, %cQ, %thread)
    %cK_read = cute.partition_s(%g2s, %cK, %thread)
    %sQ_write = cute.partition_d(%g2s, %sQ, %thread)
    %sK_write = cute.partition_d(%g2s, %sK, %thread)
    %sV_write = cute.partition_d(%g2s, %sV, %thread)

    // A thread's numbers are those of thread 0, which are static, and its first.
    // Comparing the static ones with a bound that is less by the first keeps no
    // number of each element in a register.
    %first = cute.static : !cute.coord<"(0,_,_)">
    %cQ_first = cute.slice(%cQ_read, %first)
    %cK_first = cute.slice(%cK_read, %first)
    %nQ_first = cute.get_iter(%cQ_first)
    %nQ_layout = cute.get_layout(%cQ_first)
    %nQ = cute.make_tensor(%origin, %nQ_layout)
    %nK_first = cute.get_iter(%cK_first)
    %nK_layout = cute.get_layout(%cK_first)
    %nK = cute.make_tensor(%origin, %nK_layout)
    %nS_first = cute.get_iter(%tS)
    %nS_layout = cute.get_layout(%tS)
    %nS = cute.make_tensor(%origin, %nS_layout)
    %nD_first = cute.get_iter(%tD)
    %nD_layout = cute.get_layout(%tD)
    %nD = cute.make_tensor(%origin, %nD_layout)
    %M_left = arith.subi %M, %row_0 : i32
    %pQ_tuple = cute.make_int_tuple(%M_left) : (i32) -> !cute.int_tuple<"?">
    %pQ_bound = cute.tuple_sub(%pQ_tuple, %nQ_first)
    %pQ = cute.make_predicate(%nQ, %pQ_bound)
    cute.copy(%g2s, %gQ_read, %sQ_write, %pQ)
    scf.for %j = %c0 to %c1 step %c1 : i32 {
      %first_row = arith.muli %j, %c_bn : i32
      %rows_left = arith.subi %N, %first_row : i32
      %from = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,_,_,?)">
      %to = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,_,_,?)">
      %p_tuple = cute.make_int_tuple(%rows_left) : (i32) -> !cute.int_tuple<"?">
      %p_bound = cute.tuple_sub(%p_tuple, %nK_first)
      %p = cute.make_predicate(%nK, %p_bound)
      %gK_j = cute.slice(%gK_read, %from)
      %sK_j = cute.slice(%sK_write, %to)
      cute.copy(%g2s, %gK_j, %sK_j, %p)
      %gV_j = cute.slice(%gV_read, %from)
      %sV_j = cute.slice(%sV_write, %to)
      cute.copy(%g2s, %gV_j, %sV_j, %p)
      cute.cp_async_commit
    }

    // How many tiles of K and V there are for these rows, and how many of them
    // count in full. Column n counts for row m if n <= m.
    %c_round = arith.constant 63 : i32
    %row_1 = arith.addi %row_0, %c1 : i32
    %row_end = arith.addi %row_0, %c_bm : i32
    %N_seen = arith.minsi %N, %row_end : i32
    %N_full = arith.minsi %N, %row_1 : i32
    %columns = arith.select %is_causal, %N_seen, %N : i32
    %columns_full = arith.select %is_causal, %N_full, %N : i32
    %columns_up = arith.addi %columns, %c_round : i32
    %tiles = arith.divui %columns_up, %c_bn : i32
    %full = arith.divui %columns_full, %c_bn : i32

    //===-- Over the tiles of K and V -------------------------------------===//

    %log2e = arith.constant 1.44269504 : f32
    %c = arith.mulf %scale, %log2e : f32
    %c_rows = vector.broadcast %c : f32 to !rows
    %c_piece = vector.broadcast %c : f32 to !piece
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %minus_infinity = arith.constant dense<0xFF800000> : vector<64xf32>
    %m_0 = arith.constant dense<-1.0e30> : !rows
    %l_start = arith.constant dense<0.0> : !rows
    %m_last, %l_last = scf.for %j = %c0 to %tiles step %c1
        iter_args(%m = %m_0, %l = %l_start) -> (!rows, !rows) : i32 {
      cute.cp_async_wait<0>
      gpu.barrier
      %stage = arith.andi %j, %c1 : i32
      %other = arith.subi %c1, %stage : i32
      %next = arith.addi %j, %c1 : i32
      %first_row = arith.muli %next, %c_bn : i32
      %rows_left = arith.subi %N, %first_row : i32
      %from = cute.make_coord(%next) : (i32) -> !cute.coord<"(_,_,_,?)">
      %to = cute.make_coord(%other) : (i32) -> !cute.coord<"(_,_,_,?)">
      %p_tuple = cute.make_int_tuple(%rows_left) : (i32) -> !cute.int_tuple<"?">
      %p_bound = cute.tuple_sub(%p_tuple, %nK_first)
      %p = cute.make_predicate(%nK, %p_bound)
      %gK_j = cute.slice(%gK_read, %from)
      %sK_j = cute.slice(%sK_write, %to)
      cute.copy(%g2s, %gK_j, %sK_j, %p)
      %gV_j = cute.slice(%gV_read, %from)
      %sV_j = cute.slice(%sV_write, %to)
      cute.copy(%g2s, %gV_j, %sV_j, %p)
      cute.cp_async_commit

      // S = Q K^T
      cute.clear(%rS)
      %sK_at_0 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,0,?)">
      %sK_0 = cute.slice(%sK_read, %sK_at_0)
      cute.copy(%s2r_Q, %sQ_0, %rQ_write_0)
      cute.copy(%s2r_K, %sK_0, %rK_write_0)
      cute.gemm(%mma, %rS, %rQ_0, %rK_0, %rS)
      %sK_at_1 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,1,?)">
      %sK_1 = cute.slice(%sK_read, %sK_at_1)
      cute.copy(%s2r_Q, %sQ_1, %rQ_write_1)
      cute.copy(%s2r_K, %sK_1, %rK_write_1)
      cute.gemm(%mma, %rS, %rQ_1, %rK_1, %rS)
      %sK_at_2 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,2,?)">
      %sK_2 = cute.slice(%sK_read, %sK_at_2)
      cute.copy(%s2r_Q, %sQ_2, %rQ_write_2)
      cute.copy(%s2r_K, %sK_2, %rK_write_2)
      cute.gemm(%mma, %rS, %rQ_2, %rK_2, %rS)
      %sK_at_3 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,3,?)">
      %sK_3 = cute.slice(%sK_read, %sK_at_3)
      cute.copy(%s2r_Q, %sQ_3, %rQ_write_3)
      cute.copy(%s2r_K, %sK_3, %rK_write_3)
      cute.gemm(%mma, %rS, %rQ_3, %rK_3, %rS)
      %sK_at_4 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,4,?)">
      %sK_4 = cute.slice(%sK_read, %sK_at_4)
      cute.copy(%s2r_Q, %sQ_4, %rQ_write_4)
      cute.copy(%s2r_K, %sK_4, %rK_write_4)
      cute.gemm(%mma, %rS, %rQ_4, %rK_4, %rS)
      %sK_at_5 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,5,?)">
      %sK_5 = cute.slice(%sK_read, %sK_at_5)
      cute.copy(%s2r_Q, %sQ_5, %rQ_write_5)
      cute.copy(%s2r_K, %sK_5, %rK_write_5)
      cute.gemm(%mma, %rS, %rQ_5, %rK_5, %rS)
      %sK_at_6 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,6,?)">
      %sK_6 = cute.slice(%sK_read, %sK_at_6)
      cute.copy(%s2r_Q, %sQ_6, %rQ_write_6)
      cute.copy(%s2r_K, %sK_6, %rK_write_6)
      cute.gemm(%mma, %rS, %rQ_6, %rK_6, %rS)
      %sK_at_7 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,7,?)">
      %sK_7 = cute.slice(%sK_read, %sK_at_7)
      cute.copy(%s2r_Q, %sQ_7, %rQ_write_7)
      cute.copy(%s2r_K, %sK_7, %rK_write_7)
      cute.gemm(%mma, %rS, %rQ_7, %rK_7, %rS)

      // Only the last tiles have elements that do not count.
      %is_partial = arith.cmpi sge, %j, %full : i32
      scf.if %is_partial {
        %column_0 = arith.muli %j, %c_bn : i32
        %left = arith.subi %N, %column_0 : i32
        %exists_tuple = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
        %exists_bound = cute.tuple_sub(%exists_tuple, %nS_first)
        %exists = cute.make_predicate(%nS, %exists_bound)
        %ahead = arith.subi %row_1, %column_0 : i32
        %never = arith.constant 0x40000000 : i32
        %last = arith.select %is_causal, %ahead, %never : i32
        %seen_tuple = cute.make_int_tuple(%last) : (i32) -> !cute.int_tuple<"?">
        %seen_bound = cute.tuple_sub(%seen_tuple, %nD_first)
        %seen = cute.make_predicate(%nD, %seen_bound)
        %v_exists = cute.load_vector(%exists)
        %v_seen = cute.load_vector(%seen)
        %v_counts = arith.andi %v_exists, %v_seen : vector<64xi1>
        %s_all = cute.load_vector(%rS)
        %s = arith.select %v_counts, %s_all, %minus_infinity : vector<64xi1>, vector<64xf32>
        cute.store_vector(%s, %rS)
      }

      // The maxima, and what a change of them makes of the sums so far.
      %s = cute.load_vector(%rS)
      %m_thread = cute.reduce_vector<"max", "((2,2),2,8)", "((1,_),_,1)"> (%s, %least)
      %m_thread_0 = vector.extract %m_thread[0] : f32 from !rows
      %m_quad_0 = gpu.subgroup_reduce maximumf %m_thread_0 cluster(size = 4) : (f32) -> f32
      %m_thread_1 = vector.extract %m_thread[1] : f32 from !rows
      %m_quad_1 = gpu.subgroup_reduce maximumf %m_thread_1 cluster(size = 4) : (f32) -> f32
      %m_thread_2 = vector.extract %m_thread[2] : f32 from !rows
      %m_quad_2 = gpu.subgroup_reduce maximumf %m_thread_2 cluster(size = 4) : (f32) -> f32
      %m_thread_3 = vector.extract %m_thread[3] : f32 from !rows
      %m_quad_3 = gpu.subgroup_reduce maximumf %m_thread_3 cluster(size = 4) : (f32) -> f32
      %m_quad = vector.from_elements %m_quad_0, %m_quad_1, %m_quad_2, %m_quad_3 : !rows
      %m_new = arith.maximumf %m, %m_quad : !rows
      %m_less = arith.subf %m, %m_new : !rows
      %m_less_c = arith.mulf %m_less, %c_rows : !rows
      %keep = math.exp2 %m_less_c fastmath<afn> : !rows
      %l_0 = arith.mulf %l, %keep : !rows
      %o = cute.load_vector(%rO)
      %keep_all = cute.broadcast_vector<"((1,2),2,1)", "((2,2),2,16)"> (%keep)
      %o_kept = arith.mulf %o, %keep_all : !sums
      cute.store_vector(%o_kept, %rO)

      // O = O + P V, by 16 columns of P at a time, so that the next are computed
      // while the tensor cores are at work.
      %m_c = arith.mulf %m_new, %c_rows : !rows
      %m_minus = arith.negf %m_c : !rows
      %m_piece = cute.broadcast_vector<"((1,2,1),2)", "((2,2,2),2)"> (%m_minus)
      %s_0 = cute.load_vector(%rS_0)
      %e_0 = math.fma %s_0, %c_piece, %m_piece : !piece
      %p_0 = math.exp2 %e_0 fastmath<afn> : !piece
      %l_piece_0 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_0, %zero)
      %l_1 = arith.addf %l_0, %l_piece_0 : !rows
      %h_0 = arith.truncf %p_0 : !piece to vector<16xf16>
      cute.store_vector(%h_0, %rP_0)
      %sV_at_0 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,0,?)">
      %sV_0 = cute.slice(%sV_read, %sV_at_0)
      cute.copy(%s2r_V, %sV_0, %rV_write_0)
      cute.gemm(%mma, %rO, %rP_0, %rV_0, %rO)
      %s_1 = cute.load_vector(%rS_1)
      %e_1 = math.fma %s_1, %c_piece, %m_piece : !piece
      %p_1 = math.exp2 %e_1 fastmath<afn> : !piece
      %l_piece_1 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_1, %zero)
      %l_2 = arith.addf %l_1, %l_piece_1 : !rows
      %h_1 = arith.truncf %p_1 : !piece to vector<16xf16>
      cute.store_vector(%h_1, %rP_1)
      %sV_at_1 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,1,?)">
      %sV_1 = cute.slice(%sV_read, %sV_at_1)
      cute.copy(%s2r_V, %sV_1, %rV_write_1)
      cute.gemm(%mma, %rO, %rP_1, %rV_1, %rO)
      %s_2 = cute.load_vector(%rS_2)
      %e_2 = math.fma %s_2, %c_piece, %m_piece : !piece
      %p_2 = math.exp2 %e_2 fastmath<afn> : !piece
      %l_piece_2 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_2, %zero)
      %l_3 = arith.addf %l_2, %l_piece_2 : !rows
      %h_2 = arith.truncf %p_2 : !piece to vector<16xf16>
      cute.store_vector(%h_2, %rP_2)
      %sV_at_2 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,2,?)">
      %sV_2 = cute.slice(%sV_read, %sV_at_2)
      cute.copy(%s2r_V, %sV_2, %rV_write_2)
      cute.gemm(%mma, %rO, %rP_2, %rV_2, %rO)
      %s_3 = cute.load_vector(%rS_3)
      %e_3 = math.fma %s_3, %c_piece, %m_piece : !piece
      %p_3 = math.exp2 %e_3 fastmath<afn> : !piece
      %l_piece_3 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_3, %zero)
      %l_4 = arith.addf %l_3, %l_piece_3 : !rows
      %h_3 = arith.truncf %p_3 : !piece to vector<16xf16>
      cute.store_vector(%h_3, %rP_3)
      %sV_at_3 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,3,?)">
      %sV_3 = cute.slice(%sV_read, %sV_at_3)
      cute.copy(%s2r_V, %sV_3, %rV_write_3)
      cute.gemm(%mma, %rO, %rP_3, %rV_3, %rO)
      scf.yield %m_new, %l_4 : !rows, !rows
    }
    cute.cp_async_wait<0>

    //===-- The result ----------------------------------------------------===//

    %l_last_0 = vector.extract %l_last[0] : f32 from !rows
    %l_quad_0 = gpu.subgroup_reduce add %l_last_0 cluster(size = 4) : (f32) -> f32
    %l_last_1 = vector.extract %l_last[1] : f32 from !rows
    %l_quad_1 = gpu.subgroup_reduce add %l_last_1 cluster(size = 4) : (f32) -> f32
    %l_last_2 = vector.extract %l_last[2] : f32 from !rows
    %l_quad_2 = gpu.subgroup_reduce add %l_last_2 cluster(size = 4) : (f32) -> f32
    %l_last_3 = vector.extract %l_last[3] : f32 from !rows
    %l_quad_3 = gpu.subgroup_reduce add %l_last_3 cluster(size = 4) : (f32) -> f32
    %l_quad = vector.from_elements %l_quad_0, %l_quad_1, %l_quad_2, %l_quad_3 : !rows
    // Of no columns the sum is 0, and so is O.
    %tiny = arith.constant dense<1.0e-30> : !rows
    %l_positive = arith.maximumf %l_quad, %tiny : !rows
    %one = arith.constant dense<1.0> : !rows
    %inverse = arith.divf %one, %l_positive : !rows
    %inverse_all = cute.broadcast_vector<"((1,2),2,1)", "((2,2),2,16)"> (%inverse)
    %o_sum = cute.load_vector(%rO)
    %o_mean = arith.mulf %o_sum, %inverse_all : !sums
    %o_half = arith.truncf %o_mean : !sums to vector<128xf16>
    %rD = cute.make_fragment_like<f16> (%rO)
    cute.store_vector(%o_half, %rD)

    // Through shared memory, over Q's tile, so that rows are written in 16-byte
    // pieces.
    gpu.barrier
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %r2s = cute.make_tiled_copy_c(%pair, %mma)
    %sO_write = cute.partition_d(%r2s, %sQ, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sO_write)
    gpu.barrier
    %O_2 = cute.slice(%O, %which)
    %gO = cute.local_tile(%O_2, %Q_tile, %Q_at)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2g = cute.make_tiled_copy(%vector, %g2s_threads, %g2s_values)
    %sO_read = cute.partition_s(%s2g, %sQ, %thread)
    %gO_write = cute.partition_d(%s2g, %gO, %thread)
    %r = cute.make_fragment_like(%sO_read)
    cute.copy(%s2g, %sO_read, %r)
    cute.copy(%s2g, %r, %gO_write, %pQ)
    gpu.return
  }
}
