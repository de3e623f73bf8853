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
// A step adds P = 2^(c S - m), with c = scale log2(e), to the rows' sums l, and P V to O.
// In the end O is divided by l, so that any m does that all of a row have in common and
// no P overflows with. It is the maximum of c S up to some step. Where a row of the warp
// has found a maximum that is more than 8 larger, m becomes the maximum, and O and l are
// scaled by 2^(old m - new m); else P is at most 2^8.
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
    // Q, K and V its row, of each of S its row and its column. That these are
    // layouts, too, gives each thread its own.
    %origin = cute.static : !cute.int_tuple<"0">
    %Q_rows = cute.static : !cute.layout<"(128,128):(1,0)">
    %K_rows = cute.static : !cute.layout<"(64,128):(1,0)">
    %S_rows = cute.static : !cute.layout<"(128,64):(1,0)">
    %S_columns = cute.static : !cute.layout<"(128,64):(0,1)">
    %cQ = cute.make_tensor(%origin, %Q_rows)
    %cK = cute.make_tensor(%origin, %K_rows)
    %cM = cute.make_tensor(%origin, %S_rows)
    %cN = cute.make_tensor(%origin, %S_columns)

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
    %tS = cute.partition_c(%mma, %cN, %thread)
    %tO = cute.partition_c(%mma, %cQ, %thread)
    %rQ = cute.make_fragment_a(%mma, %tQ)
    %rK = cute.make_fragment_b(%mma, %tK)
    %rV = cute.make_fragment_b(%mma, %tV)
    %rS = cute.make_fragment_c(%mma, %tS)
    %rO = cute.make_fragment_c(%mma, %tO)
    cute.clear(%rO)

    // Two of the instructions that are side by side in N, of both operands and sums.
    %N_pairs = cute.static : !cute.tile<"[_;2:1;_]">
    %C_pairs = cute.static : !cute.tile<"[_;_;2:1]">
    %rK_pairs = cute.logical_divide(%rK, %N_pairs)
    %rV_pairs = cute.logical_divide(%rV, %N_pairs)
    %rS_pairs = cute.logical_divide(%rS, %C_pairs)
    %rO_pairs = cute.logical_divide(%rO, %C_pairs)

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
    %sQ_1 = cute.slice(%sQ_read, %k1)
    %rQ_write_1 = cute.slice(%rQ_write, %k1)
    %rK_write_1 = cute.slice(%rK_write, %k1)
    %rQ_1 = cute.slice(%rQ, %k1)
    %sQ_2 = cute.slice(%sQ_read, %k2)
    %rQ_write_2 = cute.slice(%rQ_write, %k2)
    %rK_write_2 = cute.slice(%rK_write, %k2)
    %rQ_2 = cute.slice(%rQ, %k2)
    %sQ_3 = cute.slice(%sQ_read, %k3)
    %rQ_write_3 = cute.slice(%rQ_write, %k3)
    %rK_write_3 = cute.slice(%rK_write, %k3)
    %rQ_3 = cute.slice(%rQ, %k3)
    %sQ_4 = cute.slice(%sQ_read, %k4)
    %rQ_write_4 = cute.slice(%rQ_write, %k4)
    %rK_write_4 = cute.slice(%rK_write, %k4)
    %rQ_4 = cute.slice(%rQ, %k4)
    %sQ_5 = cute.slice(%sQ_read, %k5)
    %rQ_write_5 = cute.slice(%rQ_write, %k5)
    %rK_write_5 = cute.slice(%rK_write, %k5)
    %rQ_5 = cute.slice(%rQ, %k5)
    %sQ_6 = cute.slice(%sQ_read, %k6)
    %rQ_write_6 = cute.slice(%rQ_write, %k6)
    %rK_write_6 = cute.slice(%rK_write, %k6)
    %rQ_6 = cute.slice(%rQ, %k6)
    %sQ_7 = cute.slice(%sQ_read, %k7)
    %rQ_write_7 = cute.slice(%rQ_write, %k7)
    %rK_write_7 = cute.slice(%rK_write, %k7)
    %rQ_7 = cute.slice(%rQ, %k7)
    %rV_write_0 = cute.slice(%rV_write, %k0)
    %rS_0 = cute.slice(%rS_A, %k0)
    %rP_0 = cute.slice(%rP_A, %k0)
    %rV_write_1 = cute.slice(%rV_write, %k1)
    %rS_1 = cute.slice(%rS_A, %k1)
    %rP_1 = cute.slice(%rP_A, %k1)
    %rV_write_2 = cute.slice(%rV_write, %k2)
    %rS_2 = cute.slice(%rS_A, %k2)
    %rP_2 = cute.slice(%rP_A, %k2)
    %rV_write_3 = cute.slice(%rV_write, %k3)
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
    %minus_zero = arith.constant -0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %eight = arith.constant 8.0 : f32
    %warp = arith.constant -1 : i32
    %minus_infinity = arith.constant dense<0xFF800000> : vector<16xf32>
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
      %K_n_0_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_0_0 = cute.static : !cute.coord<"(_,(_,0),0)">
      %K_c_0_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_0_0 = cute.slice(%sK_0, %K_n_0_0)
      %rK_write_0_0 = cute.slice(%rK_write_0, %K_n_0_0)
      %rK_0_0 = cute.slice(%rK_pairs, %K_b_0_0)
      %rS_0_0 = cute.slice(%rS_pairs, %K_c_0_0)
      cute.copy(%s2r_K, %sK_0_0, %rK_write_0_0)
      cute.gemm(%mma, %rS_0_0, %rQ_0, %rK_0_0, %rS_0_0)
      %K_n_0_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_0_1 = cute.static : !cute.coord<"(_,(_,1),0)">
      %K_c_0_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_0_1 = cute.slice(%sK_0, %K_n_0_1)
      %rK_write_0_1 = cute.slice(%rK_write_0, %K_n_0_1)
      %rK_0_1 = cute.slice(%rK_pairs, %K_b_0_1)
      %rS_0_1 = cute.slice(%rS_pairs, %K_c_0_1)
      cute.copy(%s2r_K, %sK_0_1, %rK_write_0_1)
      cute.gemm(%mma, %rS_0_1, %rQ_0, %rK_0_1, %rS_0_1)
      %K_n_0_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_0_2 = cute.static : !cute.coord<"(_,(_,2),0)">
      %K_c_0_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_0_2 = cute.slice(%sK_0, %K_n_0_2)
      %rK_write_0_2 = cute.slice(%rK_write_0, %K_n_0_2)
      %rK_0_2 = cute.slice(%rK_pairs, %K_b_0_2)
      %rS_0_2 = cute.slice(%rS_pairs, %K_c_0_2)
      cute.copy(%s2r_K, %sK_0_2, %rK_write_0_2)
      cute.gemm(%mma, %rS_0_2, %rQ_0, %rK_0_2, %rS_0_2)
      %K_n_0_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_0_3 = cute.static : !cute.coord<"(_,(_,3),0)">
      %K_c_0_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_0_3 = cute.slice(%sK_0, %K_n_0_3)
      %rK_write_0_3 = cute.slice(%rK_write_0, %K_n_0_3)
      %rK_0_3 = cute.slice(%rK_pairs, %K_b_0_3)
      %rS_0_3 = cute.slice(%rS_pairs, %K_c_0_3)
      cute.copy(%s2r_K, %sK_0_3, %rK_write_0_3)
      cute.gemm(%mma, %rS_0_3, %rQ_0, %rK_0_3, %rS_0_3)
      %sK_at_1 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,1,?)">
      %sK_1 = cute.slice(%sK_read, %sK_at_1)
      cute.copy(%s2r_Q, %sQ_1, %rQ_write_1)
      %K_n_1_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_1_0 = cute.static : !cute.coord<"(_,(_,0),1)">
      %K_c_1_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_1_0 = cute.slice(%sK_1, %K_n_1_0)
      %rK_write_1_0 = cute.slice(%rK_write_1, %K_n_1_0)
      %rK_1_0 = cute.slice(%rK_pairs, %K_b_1_0)
      %rS_1_0 = cute.slice(%rS_pairs, %K_c_1_0)
      cute.copy(%s2r_K, %sK_1_0, %rK_write_1_0)
      cute.gemm(%mma, %rS_1_0, %rQ_1, %rK_1_0, %rS_1_0)
      %K_n_1_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_1_1 = cute.static : !cute.coord<"(_,(_,1),1)">
      %K_c_1_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_1_1 = cute.slice(%sK_1, %K_n_1_1)
      %rK_write_1_1 = cute.slice(%rK_write_1, %K_n_1_1)
      %rK_1_1 = cute.slice(%rK_pairs, %K_b_1_1)
      %rS_1_1 = cute.slice(%rS_pairs, %K_c_1_1)
      cute.copy(%s2r_K, %sK_1_1, %rK_write_1_1)
      cute.gemm(%mma, %rS_1_1, %rQ_1, %rK_1_1, %rS_1_1)
      %K_n_1_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_1_2 = cute.static : !cute.coord<"(_,(_,2),1)">
      %K_c_1_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_1_2 = cute.slice(%sK_1, %K_n_1_2)
      %rK_write_1_2 = cute.slice(%rK_write_1, %K_n_1_2)
      %rK_1_2 = cute.slice(%rK_pairs, %K_b_1_2)
      %rS_1_2 = cute.slice(%rS_pairs, %K_c_1_2)
      cute.copy(%s2r_K, %sK_1_2, %rK_write_1_2)
      cute.gemm(%mma, %rS_1_2, %rQ_1, %rK_1_2, %rS_1_2)
      %K_n_1_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_1_3 = cute.static : !cute.coord<"(_,(_,3),1)">
      %K_c_1_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_1_3 = cute.slice(%sK_1, %K_n_1_3)
      %rK_write_1_3 = cute.slice(%rK_write_1, %K_n_1_3)
      %rK_1_3 = cute.slice(%rK_pairs, %K_b_1_3)
      %rS_1_3 = cute.slice(%rS_pairs, %K_c_1_3)
      cute.copy(%s2r_K, %sK_1_3, %rK_write_1_3)
      cute.gemm(%mma, %rS_1_3, %rQ_1, %rK_1_3, %rS_1_3)
      %sK_at_2 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,2,?)">
      %sK_2 = cute.slice(%sK_read, %sK_at_2)
      cute.copy(%s2r_Q, %sQ_2, %rQ_write_2)
      %K_n_2_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_2_0 = cute.static : !cute.coord<"(_,(_,0),2)">
      %K_c_2_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_2_0 = cute.slice(%sK_2, %K_n_2_0)
      %rK_write_2_0 = cute.slice(%rK_write_2, %K_n_2_0)
      %rK_2_0 = cute.slice(%rK_pairs, %K_b_2_0)
      %rS_2_0 = cute.slice(%rS_pairs, %K_c_2_0)
      cute.copy(%s2r_K, %sK_2_0, %rK_write_2_0)
      cute.gemm(%mma, %rS_2_0, %rQ_2, %rK_2_0, %rS_2_0)
      %K_n_2_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_2_1 = cute.static : !cute.coord<"(_,(_,1),2)">
      %K_c_2_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_2_1 = cute.slice(%sK_2, %K_n_2_1)
      %rK_write_2_1 = cute.slice(%rK_write_2, %K_n_2_1)
      %rK_2_1 = cute.slice(%rK_pairs, %K_b_2_1)
      %rS_2_1 = cute.slice(%rS_pairs, %K_c_2_1)
      cute.copy(%s2r_K, %sK_2_1, %rK_write_2_1)
      cute.gemm(%mma, %rS_2_1, %rQ_2, %rK_2_1, %rS_2_1)
      %K_n_2_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_2_2 = cute.static : !cute.coord<"(_,(_,2),2)">
      %K_c_2_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_2_2 = cute.slice(%sK_2, %K_n_2_2)
      %rK_write_2_2 = cute.slice(%rK_write_2, %K_n_2_2)
      %rK_2_2 = cute.slice(%rK_pairs, %K_b_2_2)
      %rS_2_2 = cute.slice(%rS_pairs, %K_c_2_2)
      cute.copy(%s2r_K, %sK_2_2, %rK_write_2_2)
      cute.gemm(%mma, %rS_2_2, %rQ_2, %rK_2_2, %rS_2_2)
      %K_n_2_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_2_3 = cute.static : !cute.coord<"(_,(_,3),2)">
      %K_c_2_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_2_3 = cute.slice(%sK_2, %K_n_2_3)
      %rK_write_2_3 = cute.slice(%rK_write_2, %K_n_2_3)
      %rK_2_3 = cute.slice(%rK_pairs, %K_b_2_3)
      %rS_2_3 = cute.slice(%rS_pairs, %K_c_2_3)
      cute.copy(%s2r_K, %sK_2_3, %rK_write_2_3)
      cute.gemm(%mma, %rS_2_3, %rQ_2, %rK_2_3, %rS_2_3)
      %sK_at_3 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,3,?)">
      %sK_3 = cute.slice(%sK_read, %sK_at_3)
      cute.copy(%s2r_Q, %sQ_3, %rQ_write_3)
      %K_n_3_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_3_0 = cute.static : !cute.coord<"(_,(_,0),3)">
      %K_c_3_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_3_0 = cute.slice(%sK_3, %K_n_3_0)
      %rK_write_3_0 = cute.slice(%rK_write_3, %K_n_3_0)
      %rK_3_0 = cute.slice(%rK_pairs, %K_b_3_0)
      %rS_3_0 = cute.slice(%rS_pairs, %K_c_3_0)
      cute.copy(%s2r_K, %sK_3_0, %rK_write_3_0)
      cute.gemm(%mma, %rS_3_0, %rQ_3, %rK_3_0, %rS_3_0)
      %K_n_3_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_3_1 = cute.static : !cute.coord<"(_,(_,1),3)">
      %K_c_3_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_3_1 = cute.slice(%sK_3, %K_n_3_1)
      %rK_write_3_1 = cute.slice(%rK_write_3, %K_n_3_1)
      %rK_3_1 = cute.slice(%rK_pairs, %K_b_3_1)
      %rS_3_1 = cute.slice(%rS_pairs, %K_c_3_1)
      cute.copy(%s2r_K, %sK_3_1, %rK_write_3_1)
      cute.gemm(%mma, %rS_3_1, %rQ_3, %rK_3_1, %rS_3_1)
      %K_n_3_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_3_2 = cute.static : !cute.coord<"(_,(_,2),3)">
      %K_c_3_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_3_2 = cute.slice(%sK_3, %K_n_3_2)
      %rK_write_3_2 = cute.slice(%rK_write_3, %K_n_3_2)
      %rK_3_2 = cute.slice(%rK_pairs, %K_b_3_2)
      %rS_3_2 = cute.slice(%rS_pairs, %K_c_3_2)
      cute.copy(%s2r_K, %sK_3_2, %rK_write_3_2)
      cute.gemm(%mma, %rS_3_2, %rQ_3, %rK_3_2, %rS_3_2)
      %K_n_3_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_3_3 = cute.static : !cute.coord<"(_,(_,3),3)">
      %K_c_3_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_3_3 = cute.slice(%sK_3, %K_n_3_3)
      %rK_write_3_3 = cute.slice(%rK_write_3, %K_n_3_3)
      %rK_3_3 = cute.slice(%rK_pairs, %K_b_3_3)
      %rS_3_3 = cute.slice(%rS_pairs, %K_c_3_3)
      cute.copy(%s2r_K, %sK_3_3, %rK_write_3_3)
      cute.gemm(%mma, %rS_3_3, %rQ_3, %rK_3_3, %rS_3_3)
      %sK_at_4 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,4,?)">
      %sK_4 = cute.slice(%sK_read, %sK_at_4)
      cute.copy(%s2r_Q, %sQ_4, %rQ_write_4)
      %K_n_4_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_4_0 = cute.static : !cute.coord<"(_,(_,0),4)">
      %K_c_4_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_4_0 = cute.slice(%sK_4, %K_n_4_0)
      %rK_write_4_0 = cute.slice(%rK_write_4, %K_n_4_0)
      %rK_4_0 = cute.slice(%rK_pairs, %K_b_4_0)
      %rS_4_0 = cute.slice(%rS_pairs, %K_c_4_0)
      cute.copy(%s2r_K, %sK_4_0, %rK_write_4_0)
      cute.gemm(%mma, %rS_4_0, %rQ_4, %rK_4_0, %rS_4_0)
      %K_n_4_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_4_1 = cute.static : !cute.coord<"(_,(_,1),4)">
      %K_c_4_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_4_1 = cute.slice(%sK_4, %K_n_4_1)
      %rK_write_4_1 = cute.slice(%rK_write_4, %K_n_4_1)
      %rK_4_1 = cute.slice(%rK_pairs, %K_b_4_1)
      %rS_4_1 = cute.slice(%rS_pairs, %K_c_4_1)
      cute.copy(%s2r_K, %sK_4_1, %rK_write_4_1)
      cute.gemm(%mma, %rS_4_1, %rQ_4, %rK_4_1, %rS_4_1)
      %K_n_4_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_4_2 = cute.static : !cute.coord<"(_,(_,2),4)">
      %K_c_4_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_4_2 = cute.slice(%sK_4, %K_n_4_2)
      %rK_write_4_2 = cute.slice(%rK_write_4, %K_n_4_2)
      %rK_4_2 = cute.slice(%rK_pairs, %K_b_4_2)
      %rS_4_2 = cute.slice(%rS_pairs, %K_c_4_2)
      cute.copy(%s2r_K, %sK_4_2, %rK_write_4_2)
      cute.gemm(%mma, %rS_4_2, %rQ_4, %rK_4_2, %rS_4_2)
      %K_n_4_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_4_3 = cute.static : !cute.coord<"(_,(_,3),4)">
      %K_c_4_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_4_3 = cute.slice(%sK_4, %K_n_4_3)
      %rK_write_4_3 = cute.slice(%rK_write_4, %K_n_4_3)
      %rK_4_3 = cute.slice(%rK_pairs, %K_b_4_3)
      %rS_4_3 = cute.slice(%rS_pairs, %K_c_4_3)
      cute.copy(%s2r_K, %sK_4_3, %rK_write_4_3)
      cute.gemm(%mma, %rS_4_3, %rQ_4, %rK_4_3, %rS_4_3)
      %sK_at_5 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,5,?)">
      %sK_5 = cute.slice(%sK_read, %sK_at_5)
      cute.copy(%s2r_Q, %sQ_5, %rQ_write_5)
      %K_n_5_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_5_0 = cute.static : !cute.coord<"(_,(_,0),5)">
      %K_c_5_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_5_0 = cute.slice(%sK_5, %K_n_5_0)
      %rK_write_5_0 = cute.slice(%rK_write_5, %K_n_5_0)
      %rK_5_0 = cute.slice(%rK_pairs, %K_b_5_0)
      %rS_5_0 = cute.slice(%rS_pairs, %K_c_5_0)
      cute.copy(%s2r_K, %sK_5_0, %rK_write_5_0)
      cute.gemm(%mma, %rS_5_0, %rQ_5, %rK_5_0, %rS_5_0)
      %K_n_5_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_5_1 = cute.static : !cute.coord<"(_,(_,1),5)">
      %K_c_5_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_5_1 = cute.slice(%sK_5, %K_n_5_1)
      %rK_write_5_1 = cute.slice(%rK_write_5, %K_n_5_1)
      %rK_5_1 = cute.slice(%rK_pairs, %K_b_5_1)
      %rS_5_1 = cute.slice(%rS_pairs, %K_c_5_1)
      cute.copy(%s2r_K, %sK_5_1, %rK_write_5_1)
      cute.gemm(%mma, %rS_5_1, %rQ_5, %rK_5_1, %rS_5_1)
      %K_n_5_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_5_2 = cute.static : !cute.coord<"(_,(_,2),5)">
      %K_c_5_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_5_2 = cute.slice(%sK_5, %K_n_5_2)
      %rK_write_5_2 = cute.slice(%rK_write_5, %K_n_5_2)
      %rK_5_2 = cute.slice(%rK_pairs, %K_b_5_2)
      %rS_5_2 = cute.slice(%rS_pairs, %K_c_5_2)
      cute.copy(%s2r_K, %sK_5_2, %rK_write_5_2)
      cute.gemm(%mma, %rS_5_2, %rQ_5, %rK_5_2, %rS_5_2)
      %K_n_5_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_5_3 = cute.static : !cute.coord<"(_,(_,3),5)">
      %K_c_5_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_5_3 = cute.slice(%sK_5, %K_n_5_3)
      %rK_write_5_3 = cute.slice(%rK_write_5, %K_n_5_3)
      %rK_5_3 = cute.slice(%rK_pairs, %K_b_5_3)
      %rS_5_3 = cute.slice(%rS_pairs, %K_c_5_3)
      cute.copy(%s2r_K, %sK_5_3, %rK_write_5_3)
      cute.gemm(%mma, %rS_5_3, %rQ_5, %rK_5_3, %rS_5_3)
      %sK_at_6 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,6,?)">
      %sK_6 = cute.slice(%sK_read, %sK_at_6)
      cute.copy(%s2r_Q, %sQ_6, %rQ_write_6)
      %K_n_6_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_6_0 = cute.static : !cute.coord<"(_,(_,0),6)">
      %K_c_6_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_6_0 = cute.slice(%sK_6, %K_n_6_0)
      %rK_write_6_0 = cute.slice(%rK_write_6, %K_n_6_0)
      %rK_6_0 = cute.slice(%rK_pairs, %K_b_6_0)
      %rS_6_0 = cute.slice(%rS_pairs, %K_c_6_0)
      cute.copy(%s2r_K, %sK_6_0, %rK_write_6_0)
      cute.gemm(%mma, %rS_6_0, %rQ_6, %rK_6_0, %rS_6_0)
      %K_n_6_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_6_1 = cute.static : !cute.coord<"(_,(_,1),6)">
      %K_c_6_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_6_1 = cute.slice(%sK_6, %K_n_6_1)
      %rK_write_6_1 = cute.slice(%rK_write_6, %K_n_6_1)
      %rK_6_1 = cute.slice(%rK_pairs, %K_b_6_1)
      %rS_6_1 = cute.slice(%rS_pairs, %K_c_6_1)
      cute.copy(%s2r_K, %sK_6_1, %rK_write_6_1)
      cute.gemm(%mma, %rS_6_1, %rQ_6, %rK_6_1, %rS_6_1)
      %K_n_6_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_6_2 = cute.static : !cute.coord<"(_,(_,2),6)">
      %K_c_6_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_6_2 = cute.slice(%sK_6, %K_n_6_2)
      %rK_write_6_2 = cute.slice(%rK_write_6, %K_n_6_2)
      %rK_6_2 = cute.slice(%rK_pairs, %K_b_6_2)
      %rS_6_2 = cute.slice(%rS_pairs, %K_c_6_2)
      cute.copy(%s2r_K, %sK_6_2, %rK_write_6_2)
      cute.gemm(%mma, %rS_6_2, %rQ_6, %rK_6_2, %rS_6_2)
      %K_n_6_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_6_3 = cute.static : !cute.coord<"(_,(_,3),6)">
      %K_c_6_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_6_3 = cute.slice(%sK_6, %K_n_6_3)
      %rK_write_6_3 = cute.slice(%rK_write_6, %K_n_6_3)
      %rK_6_3 = cute.slice(%rK_pairs, %K_b_6_3)
      %rS_6_3 = cute.slice(%rS_pairs, %K_c_6_3)
      cute.copy(%s2r_K, %sK_6_3, %rK_write_6_3)
      cute.gemm(%mma, %rS_6_3, %rQ_6, %rK_6_3, %rS_6_3)
      %sK_at_7 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,7,?)">
      %sK_7 = cute.slice(%sK_read, %sK_at_7)
      cute.copy(%s2r_Q, %sQ_7, %rQ_write_7)
      %K_n_7_0 = cute.static : !cute.coord<"(_,0)">
      %K_b_7_0 = cute.static : !cute.coord<"(_,(_,0),7)">
      %K_c_7_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sK_7_0 = cute.slice(%sK_7, %K_n_7_0)
      %rK_write_7_0 = cute.slice(%rK_write_7, %K_n_7_0)
      %rK_7_0 = cute.slice(%rK_pairs, %K_b_7_0)
      %rS_7_0 = cute.slice(%rS_pairs, %K_c_7_0)
      cute.copy(%s2r_K, %sK_7_0, %rK_write_7_0)
      cute.gemm(%mma, %rS_7_0, %rQ_7, %rK_7_0, %rS_7_0)
      %K_n_7_1 = cute.static : !cute.coord<"(_,1)">
      %K_b_7_1 = cute.static : !cute.coord<"(_,(_,1),7)">
      %K_c_7_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sK_7_1 = cute.slice(%sK_7, %K_n_7_1)
      %rK_write_7_1 = cute.slice(%rK_write_7, %K_n_7_1)
      %rK_7_1 = cute.slice(%rK_pairs, %K_b_7_1)
      %rS_7_1 = cute.slice(%rS_pairs, %K_c_7_1)
      cute.copy(%s2r_K, %sK_7_1, %rK_write_7_1)
      cute.gemm(%mma, %rS_7_1, %rQ_7, %rK_7_1, %rS_7_1)
      %K_n_7_2 = cute.static : !cute.coord<"(_,2)">
      %K_b_7_2 = cute.static : !cute.coord<"(_,(_,2),7)">
      %K_c_7_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sK_7_2 = cute.slice(%sK_7, %K_n_7_2)
      %rK_write_7_2 = cute.slice(%rK_write_7, %K_n_7_2)
      %rK_7_2 = cute.slice(%rK_pairs, %K_b_7_2)
      %rS_7_2 = cute.slice(%rS_pairs, %K_c_7_2)
      cute.copy(%s2r_K, %sK_7_2, %rK_write_7_2)
      cute.gemm(%mma, %rS_7_2, %rQ_7, %rK_7_2, %rS_7_2)
      %K_n_7_3 = cute.static : !cute.coord<"(_,3)">
      %K_b_7_3 = cute.static : !cute.coord<"(_,(_,3),7)">
      %K_c_7_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sK_7_3 = cute.slice(%sK_7, %K_n_7_3)
      %rK_write_7_3 = cute.slice(%rK_write_7, %K_n_7_3)
      %rK_7_3 = cute.slice(%rK_pairs, %K_b_7_3)
      %rS_7_3 = cute.slice(%rS_pairs, %K_c_7_3)
      cute.copy(%s2r_K, %sK_7_3, %rK_write_7_3)
      cute.gemm(%mma, %rS_7_3, %rQ_7, %rK_7_3, %rS_7_3)

      // Only the last tiles have elements that do not count: column n does for row m
      // if n < N and, if causal, n <= m.
      %is_partial = arith.cmpi sge, %j, %full : i32
      scf.if %is_partial {
        %t_mask = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
        %tM = cute.partition_c(%mma, %cM, %t_mask)
        %tN = cute.partition_c(%mma, %cN, %t_mask)
        %nS_first = cute.get_iter(%tN)
        %nS_layout = cute.get_layout(%tN)
        %nS = cute.make_tensor(%origin, %nS_layout)
        %m_first = cute.get_iter(%tM)
        %row_here = cute.get_scalars(%m_first)
        %column_here = cute.get_scalars(%nS_first)
        %column_0 = arith.muli %j, %c_bn : i32
        %column = arith.addi %column_0, %column_here : i32
        %left = arith.subi %N, %column : i32
        %row = arith.addi %row_1, %row_here : i32
        %ahead = arith.subi %row, %column : i32
        %never = arith.constant 0x40000000 : i32
        %last = arith.select %is_causal, %ahead, %never : i32
        %below_0 = arith.constant 0 : i32
        %seen_0 = arith.addi %last, %below_0 : i32
        %count_0 = arith.minsi %left, %seen_0 : i32
        %bound_0 = cute.make_int_tuple(%count_0) : (i32) -> !cute.int_tuple<"?">
        %at_0 = cute.static : !cute.coord<"((_,0),0,_)">
        %nS_0 = cute.slice(%nS, %at_0)
        %rS_row_0 = cute.slice(%rS, %at_0)
        %p_row_0 = cute.make_predicate(%nS_0, %bound_0)
        %counts_0 = cute.load_vector(%p_row_0)
        %all_0 = cute.load_vector(%rS_row_0)
        %some_0 = arith.select %counts_0, %all_0, %minus_infinity : vector<16xi1>, vector<16xf32>
        cute.store_vector(%some_0, %rS_row_0)
        %below_1 = arith.constant 8 : i32
        %seen_1 = arith.addi %last, %below_1 : i32
        %count_1 = arith.minsi %left, %seen_1 : i32
        %bound_1 = cute.make_int_tuple(%count_1) : (i32) -> !cute.int_tuple<"?">
        %at_1 = cute.static : !cute.coord<"((_,1),0,_)">
        %nS_1 = cute.slice(%nS, %at_1)
        %rS_row_1 = cute.slice(%rS, %at_1)
        %p_row_1 = cute.make_predicate(%nS_1, %bound_1)
        %counts_1 = cute.load_vector(%p_row_1)
        %all_1 = cute.load_vector(%rS_row_1)
        %some_1 = arith.select %counts_1, %all_1, %minus_infinity : vector<16xi1>, vector<16xf32>
        cute.store_vector(%some_1, %rS_row_1)
        %below_2 = arith.constant 64 : i32
        %seen_2 = arith.addi %last, %below_2 : i32
        %count_2 = arith.minsi %left, %seen_2 : i32
        %bound_2 = cute.make_int_tuple(%count_2) : (i32) -> !cute.int_tuple<"?">
        %at_2 = cute.static : !cute.coord<"((_,0),1,_)">
        %nS_2 = cute.slice(%nS, %at_2)
        %rS_row_2 = cute.slice(%rS, %at_2)
        %p_row_2 = cute.make_predicate(%nS_2, %bound_2)
        %counts_2 = cute.load_vector(%p_row_2)
        %all_2 = cute.load_vector(%rS_row_2)
        %some_2 = arith.select %counts_2, %all_2, %minus_infinity : vector<16xi1>, vector<16xf32>
        cute.store_vector(%some_2, %rS_row_2)
        %below_3 = arith.constant 72 : i32
        %seen_3 = arith.addi %last, %below_3 : i32
        %count_3 = arith.minsi %left, %seen_3 : i32
        %bound_3 = cute.make_int_tuple(%count_3) : (i32) -> !cute.int_tuple<"?">
        %at_3 = cute.static : !cute.coord<"((_,1),1,_)">
        %nS_3 = cute.slice(%nS, %at_3)
        %rS_row_3 = cute.slice(%rS, %at_3)
        %p_row_3 = cute.make_predicate(%nS_3, %bound_3)
        %counts_3 = cute.load_vector(%p_row_3)
        %all_3 = cute.load_vector(%rS_row_3)
        %some_3 = arith.select %counts_3, %all_3, %minus_infinity : vector<16xi1>, vector<16xf32>
        cute.store_vector(%some_3, %rS_row_3)
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
      %m_here = arith.mulf %m_quad, %c_rows : !rows
      %m_most = arith.maximumf %m, %m_here : !rows
      %m_more = arith.subf %m_most, %m : !rows
      %m_most_more = vector.reduction <maximumf>, %m_more : !rows into f32
      %is_thread_more = arith.cmpf ogt, %m_most_more, %eight : f32
      %is_more = nvvm.vote.sync any %warp, %is_thread_more -> i1
      %m_new, %l_0 = scf.if %is_more -> (!rows, !rows) {
        %m_less = arith.subf %m, %m_most : !rows
        %keep = math.exp2 %m_less fastmath<afn> : !rows
        %l_kept = arith.mulf %l, %keep : !rows
        %o = cute.load_vector(%rO)
        %keep_all = cute.broadcast_vector<"((1,2),2,1)", "((2,2),2,16)"> (%keep)
        %o_kept = arith.mulf %o, %keep_all : !sums
        cute.store_vector(%o_kept, %rO)
        scf.yield %m_most, %l_kept : !rows, !rows
      } else {
        scf.yield %m, %l : !rows, !rows
      }

      // O = O + P V, by 16 columns of P at a time, so that the next are computed
      // while the tensor cores are at work.
      %m_minus = arith.negf %m_new : !rows
      %m_piece = cute.broadcast_vector<"((1,2,1),2)", "((2,2,2),2)"> (%m_minus)
      %s_0 = cute.load_vector(%rS_0)
      %e_0 = math.fma %s_0, %c_piece, %m_piece : !piece
      %p_0 = math.exp2 %e_0 fastmath<afn> : !piece
      %l_piece_0 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_0, %minus_zero)
      %l_1 = arith.addf %l_0, %l_piece_0 : !rows
      %h_0 = arith.truncf %p_0 : !piece to vector<16xf16>
      cute.store_vector(%h_0, %rP_0)
      %sV_at_0 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,0,?)">
      %sV_0 = cute.slice(%sV_read, %sV_at_0)
      %V_n_0_0 = cute.static : !cute.coord<"(_,0)">
      %V_b_0_0 = cute.static : !cute.coord<"(_,(_,0),0)">
      %V_c_0_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sV_0_0 = cute.slice(%sV_0, %V_n_0_0)
      %rV_write_0_0 = cute.slice(%rV_write_0, %V_n_0_0)
      %rV_0_0 = cute.slice(%rV_pairs, %V_b_0_0)
      %rO_0_0 = cute.slice(%rO_pairs, %V_c_0_0)
      cute.copy(%s2r_V, %sV_0_0, %rV_write_0_0)
      cute.gemm(%mma, %rO_0_0, %rP_0, %rV_0_0, %rO_0_0)
      %V_n_0_1 = cute.static : !cute.coord<"(_,1)">
      %V_b_0_1 = cute.static : !cute.coord<"(_,(_,1),0)">
      %V_c_0_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sV_0_1 = cute.slice(%sV_0, %V_n_0_1)
      %rV_write_0_1 = cute.slice(%rV_write_0, %V_n_0_1)
      %rV_0_1 = cute.slice(%rV_pairs, %V_b_0_1)
      %rO_0_1 = cute.slice(%rO_pairs, %V_c_0_1)
      cute.copy(%s2r_V, %sV_0_1, %rV_write_0_1)
      cute.gemm(%mma, %rO_0_1, %rP_0, %rV_0_1, %rO_0_1)
      %V_n_0_2 = cute.static : !cute.coord<"(_,2)">
      %V_b_0_2 = cute.static : !cute.coord<"(_,(_,2),0)">
      %V_c_0_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sV_0_2 = cute.slice(%sV_0, %V_n_0_2)
      %rV_write_0_2 = cute.slice(%rV_write_0, %V_n_0_2)
      %rV_0_2 = cute.slice(%rV_pairs, %V_b_0_2)
      %rO_0_2 = cute.slice(%rO_pairs, %V_c_0_2)
      cute.copy(%s2r_V, %sV_0_2, %rV_write_0_2)
      cute.gemm(%mma, %rO_0_2, %rP_0, %rV_0_2, %rO_0_2)
      %V_n_0_3 = cute.static : !cute.coord<"(_,3)">
      %V_b_0_3 = cute.static : !cute.coord<"(_,(_,3),0)">
      %V_c_0_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sV_0_3 = cute.slice(%sV_0, %V_n_0_3)
      %rV_write_0_3 = cute.slice(%rV_write_0, %V_n_0_3)
      %rV_0_3 = cute.slice(%rV_pairs, %V_b_0_3)
      %rO_0_3 = cute.slice(%rO_pairs, %V_c_0_3)
      cute.copy(%s2r_V, %sV_0_3, %rV_write_0_3)
      cute.gemm(%mma, %rO_0_3, %rP_0, %rV_0_3, %rO_0_3)
      %V_n_0_4 = cute.static : !cute.coord<"(_,4)">
      %V_b_0_4 = cute.static : !cute.coord<"(_,(_,4),0)">
      %V_c_0_4 = cute.static : !cute.coord<"(_,_,(_,4))">
      %sV_0_4 = cute.slice(%sV_0, %V_n_0_4)
      %rV_write_0_4 = cute.slice(%rV_write_0, %V_n_0_4)
      %rV_0_4 = cute.slice(%rV_pairs, %V_b_0_4)
      %rO_0_4 = cute.slice(%rO_pairs, %V_c_0_4)
      cute.copy(%s2r_V, %sV_0_4, %rV_write_0_4)
      cute.gemm(%mma, %rO_0_4, %rP_0, %rV_0_4, %rO_0_4)
      %V_n_0_5 = cute.static : !cute.coord<"(_,5)">
      %V_b_0_5 = cute.static : !cute.coord<"(_,(_,5),0)">
      %V_c_0_5 = cute.static : !cute.coord<"(_,_,(_,5))">
      %sV_0_5 = cute.slice(%sV_0, %V_n_0_5)
      %rV_write_0_5 = cute.slice(%rV_write_0, %V_n_0_5)
      %rV_0_5 = cute.slice(%rV_pairs, %V_b_0_5)
      %rO_0_5 = cute.slice(%rO_pairs, %V_c_0_5)
      cute.copy(%s2r_V, %sV_0_5, %rV_write_0_5)
      cute.gemm(%mma, %rO_0_5, %rP_0, %rV_0_5, %rO_0_5)
      %V_n_0_6 = cute.static : !cute.coord<"(_,6)">
      %V_b_0_6 = cute.static : !cute.coord<"(_,(_,6),0)">
      %V_c_0_6 = cute.static : !cute.coord<"(_,_,(_,6))">
      %sV_0_6 = cute.slice(%sV_0, %V_n_0_6)
      %rV_write_0_6 = cute.slice(%rV_write_0, %V_n_0_6)
      %rV_0_6 = cute.slice(%rV_pairs, %V_b_0_6)
      %rO_0_6 = cute.slice(%rO_pairs, %V_c_0_6)
      cute.copy(%s2r_V, %sV_0_6, %rV_write_0_6)
      cute.gemm(%mma, %rO_0_6, %rP_0, %rV_0_6, %rO_0_6)
      %V_n_0_7 = cute.static : !cute.coord<"(_,7)">
      %V_b_0_7 = cute.static : !cute.coord<"(_,(_,7),0)">
      %V_c_0_7 = cute.static : !cute.coord<"(_,_,(_,7))">
      %sV_0_7 = cute.slice(%sV_0, %V_n_0_7)
      %rV_write_0_7 = cute.slice(%rV_write_0, %V_n_0_7)
      %rV_0_7 = cute.slice(%rV_pairs, %V_b_0_7)
      %rO_0_7 = cute.slice(%rO_pairs, %V_c_0_7)
      cute.copy(%s2r_V, %sV_0_7, %rV_write_0_7)
      cute.gemm(%mma, %rO_0_7, %rP_0, %rV_0_7, %rO_0_7)
      %s_1 = cute.load_vector(%rS_1)
      %e_1 = math.fma %s_1, %c_piece, %m_piece : !piece
      %p_1 = math.exp2 %e_1 fastmath<afn> : !piece
      %l_piece_1 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_1, %minus_zero)
      %l_2 = arith.addf %l_1, %l_piece_1 : !rows
      %h_1 = arith.truncf %p_1 : !piece to vector<16xf16>
      cute.store_vector(%h_1, %rP_1)
      %sV_at_1 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,1,?)">
      %sV_1 = cute.slice(%sV_read, %sV_at_1)
      %V_n_1_0 = cute.static : !cute.coord<"(_,0)">
      %V_b_1_0 = cute.static : !cute.coord<"(_,(_,0),1)">
      %V_c_1_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sV_1_0 = cute.slice(%sV_1, %V_n_1_0)
      %rV_write_1_0 = cute.slice(%rV_write_1, %V_n_1_0)
      %rV_1_0 = cute.slice(%rV_pairs, %V_b_1_0)
      %rO_1_0 = cute.slice(%rO_pairs, %V_c_1_0)
      cute.copy(%s2r_V, %sV_1_0, %rV_write_1_0)
      cute.gemm(%mma, %rO_1_0, %rP_1, %rV_1_0, %rO_1_0)
      %V_n_1_1 = cute.static : !cute.coord<"(_,1)">
      %V_b_1_1 = cute.static : !cute.coord<"(_,(_,1),1)">
      %V_c_1_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sV_1_1 = cute.slice(%sV_1, %V_n_1_1)
      %rV_write_1_1 = cute.slice(%rV_write_1, %V_n_1_1)
      %rV_1_1 = cute.slice(%rV_pairs, %V_b_1_1)
      %rO_1_1 = cute.slice(%rO_pairs, %V_c_1_1)
      cute.copy(%s2r_V, %sV_1_1, %rV_write_1_1)
      cute.gemm(%mma, %rO_1_1, %rP_1, %rV_1_1, %rO_1_1)
      %V_n_1_2 = cute.static : !cute.coord<"(_,2)">
      %V_b_1_2 = cute.static : !cute.coord<"(_,(_,2),1)">
      %V_c_1_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sV_1_2 = cute.slice(%sV_1, %V_n_1_2)
      %rV_write_1_2 = cute.slice(%rV_write_1, %V_n_1_2)
      %rV_1_2 = cute.slice(%rV_pairs, %V_b_1_2)
      %rO_1_2 = cute.slice(%rO_pairs, %V_c_1_2)
      cute.copy(%s2r_V, %sV_1_2, %rV_write_1_2)
      cute.gemm(%mma, %rO_1_2, %rP_1, %rV_1_2, %rO_1_2)
      %V_n_1_3 = cute.static : !cute.coord<"(_,3)">
      %V_b_1_3 = cute.static : !cute.coord<"(_,(_,3),1)">
      %V_c_1_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sV_1_3 = cute.slice(%sV_1, %V_n_1_3)
      %rV_write_1_3 = cute.slice(%rV_write_1, %V_n_1_3)
      %rV_1_3 = cute.slice(%rV_pairs, %V_b_1_3)
      %rO_1_3 = cute.slice(%rO_pairs, %V_c_1_3)
      cute.copy(%s2r_V, %sV_1_3, %rV_write_1_3)
      cute.gemm(%mma, %rO_1_3, %rP_1, %rV_1_3, %rO_1_3)
      %V_n_1_4 = cute.static : !cute.coord<"(_,4)">
      %V_b_1_4 = cute.static : !cute.coord<"(_,(_,4),1)">
      %V_c_1_4 = cute.static : !cute.coord<"(_,_,(_,4))">
      %sV_1_4 = cute.slice(%sV_1, %V_n_1_4)
      %rV_write_1_4 = cute.slice(%rV_write_1, %V_n_1_4)
      %rV_1_4 = cute.slice(%rV_pairs, %V_b_1_4)
      %rO_1_4 = cute.slice(%rO_pairs, %V_c_1_4)
      cute.copy(%s2r_V, %sV_1_4, %rV_write_1_4)
      cute.gemm(%mma, %rO_1_4, %rP_1, %rV_1_4, %rO_1_4)
      %V_n_1_5 = cute.static : !cute.coord<"(_,5)">
      %V_b_1_5 = cute.static : !cute.coord<"(_,(_,5),1)">
      %V_c_1_5 = cute.static : !cute.coord<"(_,_,(_,5))">
      %sV_1_5 = cute.slice(%sV_1, %V_n_1_5)
      %rV_write_1_5 = cute.slice(%rV_write_1, %V_n_1_5)
      %rV_1_5 = cute.slice(%rV_pairs, %V_b_1_5)
      %rO_1_5 = cute.slice(%rO_pairs, %V_c_1_5)
      cute.copy(%s2r_V, %sV_1_5, %rV_write_1_5)
      cute.gemm(%mma, %rO_1_5, %rP_1, %rV_1_5, %rO_1_5)
      %V_n_1_6 = cute.static : !cute.coord<"(_,6)">
      %V_b_1_6 = cute.static : !cute.coord<"(_,(_,6),1)">
      %V_c_1_6 = cute.static : !cute.coord<"(_,_,(_,6))">
      %sV_1_6 = cute.slice(%sV_1, %V_n_1_6)
      %rV_write_1_6 = cute.slice(%rV_write_1, %V_n_1_6)
      %rV_1_6 = cute.slice(%rV_pairs, %V_b_1_6)
      %rO_1_6 = cute.slice(%rO_pairs, %V_c_1_6)
      cute.copy(%s2r_V, %sV_1_6, %rV_write_1_6)
      cute.gemm(%mma, %rO_1_6, %rP_1, %rV_1_6, %rO_1_6)
      %V_n_1_7 = cute.static : !cute.coord<"(_,7)">
      %V_b_1_7 = cute.static : !cute.coord<"(_,(_,7),1)">
      %V_c_1_7 = cute.static : !cute.coord<"(_,_,(_,7))">
      %sV_1_7 = cute.slice(%sV_1, %V_n_1_7)
      %rV_write_1_7 = cute.slice(%rV_write_1, %V_n_1_7)
      %rV_1_7 = cute.slice(%rV_pairs, %V_b_1_7)
      %rO_1_7 = cute.slice(%rO_pairs, %V_c_1_7)
      cute.copy(%s2r_V, %sV_1_7, %rV_write_1_7)
      cute.gemm(%mma, %rO_1_7, %rP_1, %rV_1_7, %rO_1_7)
      %s_2 = cute.load_vector(%rS_2)
      %e_2 = math.fma %s_2, %c_piece, %m_piece : !piece
      %p_2 = math.exp2 %e_2 fastmath<afn> : !piece
      %l_piece_2 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_2, %minus_zero)
      %l_3 = arith.addf %l_2, %l_piece_2 : !rows
      %h_2 = arith.truncf %p_2 : !piece to vector<16xf16>
      cute.store_vector(%h_2, %rP_2)
      %sV_at_2 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,2,?)">
      %sV_2 = cute.slice(%sV_read, %sV_at_2)
      %V_n_2_0 = cute.static : !cute.coord<"(_,0)">
      %V_b_2_0 = cute.static : !cute.coord<"(_,(_,0),2)">
      %V_c_2_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sV_2_0 = cute.slice(%sV_2, %V_n_2_0)
      %rV_write_2_0 = cute.slice(%rV_write_2, %V_n_2_0)
      %rV_2_0 = cute.slice(%rV_pairs, %V_b_2_0)
      %rO_2_0 = cute.slice(%rO_pairs, %V_c_2_0)
      cute.copy(%s2r_V, %sV_2_0, %rV_write_2_0)
      cute.gemm(%mma, %rO_2_0, %rP_2, %rV_2_0, %rO_2_0)
      %V_n_2_1 = cute.static : !cute.coord<"(_,1)">
      %V_b_2_1 = cute.static : !cute.coord<"(_,(_,1),2)">
      %V_c_2_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sV_2_1 = cute.slice(%sV_2, %V_n_2_1)
      %rV_write_2_1 = cute.slice(%rV_write_2, %V_n_2_1)
      %rV_2_1 = cute.slice(%rV_pairs, %V_b_2_1)
      %rO_2_1 = cute.slice(%rO_pairs, %V_c_2_1)
      cute.copy(%s2r_V, %sV_2_1, %rV_write_2_1)
      cute.gemm(%mma, %rO_2_1, %rP_2, %rV_2_1, %rO_2_1)
      %V_n_2_2 = cute.static : !cute.coord<"(_,2)">
      %V_b_2_2 = cute.static : !cute.coord<"(_,(_,2),2)">
      %V_c_2_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sV_2_2 = cute.slice(%sV_2, %V_n_2_2)
      %rV_write_2_2 = cute.slice(%rV_write_2, %V_n_2_2)
      %rV_2_2 = cute.slice(%rV_pairs, %V_b_2_2)
      %rO_2_2 = cute.slice(%rO_pairs, %V_c_2_2)
      cute.copy(%s2r_V, %sV_2_2, %rV_write_2_2)
      cute.gemm(%mma, %rO_2_2, %rP_2, %rV_2_2, %rO_2_2)
      %V_n_2_3 = cute.static : !cute.coord<"(_,3)">
      %V_b_2_3 = cute.static : !cute.coord<"(_,(_,3),2)">
      %V_c_2_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sV_2_3 = cute.slice(%sV_2, %V_n_2_3)
      %rV_write_2_3 = cute.slice(%rV_write_2, %V_n_2_3)
      %rV_2_3 = cute.slice(%rV_pairs, %V_b_2_3)
      %rO_2_3 = cute.slice(%rO_pairs, %V_c_2_3)
      cute.copy(%s2r_V, %sV_2_3, %rV_write_2_3)
      cute.gemm(%mma, %rO_2_3, %rP_2, %rV_2_3, %rO_2_3)
      %V_n_2_4 = cute.static : !cute.coord<"(_,4)">
      %V_b_2_4 = cute.static : !cute.coord<"(_,(_,4),2)">
      %V_c_2_4 = cute.static : !cute.coord<"(_,_,(_,4))">
      %sV_2_4 = cute.slice(%sV_2, %V_n_2_4)
      %rV_write_2_4 = cute.slice(%rV_write_2, %V_n_2_4)
      %rV_2_4 = cute.slice(%rV_pairs, %V_b_2_4)
      %rO_2_4 = cute.slice(%rO_pairs, %V_c_2_4)
      cute.copy(%s2r_V, %sV_2_4, %rV_write_2_4)
      cute.gemm(%mma, %rO_2_4, %rP_2, %rV_2_4, %rO_2_4)
      %V_n_2_5 = cute.static : !cute.coord<"(_,5)">
      %V_b_2_5 = cute.static : !cute.coord<"(_,(_,5),2)">
      %V_c_2_5 = cute.static : !cute.coord<"(_,_,(_,5))">
      %sV_2_5 = cute.slice(%sV_2, %V_n_2_5)
      %rV_write_2_5 = cute.slice(%rV_write_2, %V_n_2_5)
      %rV_2_5 = cute.slice(%rV_pairs, %V_b_2_5)
      %rO_2_5 = cute.slice(%rO_pairs, %V_c_2_5)
      cute.copy(%s2r_V, %sV_2_5, %rV_write_2_5)
      cute.gemm(%mma, %rO_2_5, %rP_2, %rV_2_5, %rO_2_5)
      %V_n_2_6 = cute.static : !cute.coord<"(_,6)">
      %V_b_2_6 = cute.static : !cute.coord<"(_,(_,6),2)">
      %V_c_2_6 = cute.static : !cute.coord<"(_,_,(_,6))">
      %sV_2_6 = cute.slice(%sV_2, %V_n_2_6)
      %rV_write_2_6 = cute.slice(%rV_write_2, %V_n_2_6)
      %rV_2_6 = cute.slice(%rV_pairs, %V_b_2_6)
      %rO_2_6 = cute.slice(%rO_pairs, %V_c_2_6)
      cute.copy(%s2r_V, %sV_2_6, %rV_write_2_6)
      cute.gemm(%mma, %rO_2_6, %rP_2, %rV_2_6, %rO_2_6)
      %V_n_2_7 = cute.static : !cute.coord<"(_,7)">
      %V_b_2_7 = cute.static : !cute.coord<"(_,(_,7),2)">
      %V_c_2_7 = cute.static : !cute.coord<"(_,_,(_,7))">
      %sV_2_7 = cute.slice(%sV_2, %V_n_2_7)
      %rV_write_2_7 = cute.slice(%rV_write_2, %V_n_2_7)
      %rV_2_7 = cute.slice(%rV_pairs, %V_b_2_7)
      %rO_2_7 = cute.slice(%rO_pairs, %V_c_2_7)
      cute.copy(%s2r_V, %sV_2_7, %rV_write_2_7)
      cute.gemm(%mma, %rO_2_7, %rP_2, %rV_2_7, %rO_2_7)
      %s_3 = cute.load_vector(%rS_3)
      %e_3 = math.fma %s_3, %c_piece, %m_piece : !piece
      %p_3 = math.exp2 %e_3 fastmath<afn> : !piece
      %l_piece_3 = cute.reduce_vector<"add", "((2,2,2),2)", "((1,_,1),_)"> (%p_3, %minus_zero)
      %l_4 = arith.addf %l_3, %l_piece_3 : !rows
      %h_3 = arith.truncf %p_3 : !piece to vector<16xf16>
      cute.store_vector(%h_3, %rP_3)
      %sV_at_3 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,3,?)">
      %sV_3 = cute.slice(%sV_read, %sV_at_3)
      %V_n_3_0 = cute.static : !cute.coord<"(_,0)">
      %V_b_3_0 = cute.static : !cute.coord<"(_,(_,0),3)">
      %V_c_3_0 = cute.static : !cute.coord<"(_,_,(_,0))">
      %sV_3_0 = cute.slice(%sV_3, %V_n_3_0)
      %rV_write_3_0 = cute.slice(%rV_write_3, %V_n_3_0)
      %rV_3_0 = cute.slice(%rV_pairs, %V_b_3_0)
      %rO_3_0 = cute.slice(%rO_pairs, %V_c_3_0)
      cute.copy(%s2r_V, %sV_3_0, %rV_write_3_0)
      cute.gemm(%mma, %rO_3_0, %rP_3, %rV_3_0, %rO_3_0)
      %V_n_3_1 = cute.static : !cute.coord<"(_,1)">
      %V_b_3_1 = cute.static : !cute.coord<"(_,(_,1),3)">
      %V_c_3_1 = cute.static : !cute.coord<"(_,_,(_,1))">
      %sV_3_1 = cute.slice(%sV_3, %V_n_3_1)
      %rV_write_3_1 = cute.slice(%rV_write_3, %V_n_3_1)
      %rV_3_1 = cute.slice(%rV_pairs, %V_b_3_1)
      %rO_3_1 = cute.slice(%rO_pairs, %V_c_3_1)
      cute.copy(%s2r_V, %sV_3_1, %rV_write_3_1)
      cute.gemm(%mma, %rO_3_1, %rP_3, %rV_3_1, %rO_3_1)
      %V_n_3_2 = cute.static : !cute.coord<"(_,2)">
      %V_b_3_2 = cute.static : !cute.coord<"(_,(_,2),3)">
      %V_c_3_2 = cute.static : !cute.coord<"(_,_,(_,2))">
      %sV_3_2 = cute.slice(%sV_3, %V_n_3_2)
      %rV_write_3_2 = cute.slice(%rV_write_3, %V_n_3_2)
      %rV_3_2 = cute.slice(%rV_pairs, %V_b_3_2)
      %rO_3_2 = cute.slice(%rO_pairs, %V_c_3_2)
      cute.copy(%s2r_V, %sV_3_2, %rV_write_3_2)
      cute.gemm(%mma, %rO_3_2, %rP_3, %rV_3_2, %rO_3_2)
      %V_n_3_3 = cute.static : !cute.coord<"(_,3)">
      %V_b_3_3 = cute.static : !cute.coord<"(_,(_,3),3)">
      %V_c_3_3 = cute.static : !cute.coord<"(_,_,(_,3))">
      %sV_3_3 = cute.slice(%sV_3, %V_n_3_3)
      %rV_write_3_3 = cute.slice(%rV_write_3, %V_n_3_3)
      %rV_3_3 = cute.slice(%rV_pairs, %V_b_3_3)
      %rO_3_3 = cute.slice(%rO_pairs, %V_c_3_3)
      cute.copy(%s2r_V, %sV_3_3, %rV_write_3_3)
      cute.gemm(%mma, %rO_3_3, %rP_3, %rV_3_3, %rO_3_3)
      %V_n_3_4 = cute.static : !cute.coord<"(_,4)">
      %V_b_3_4 = cute.static : !cute.coord<"(_,(_,4),3)">
      %V_c_3_4 = cute.static : !cute.coord<"(_,_,(_,4))">
      %sV_3_4 = cute.slice(%sV_3, %V_n_3_4)
      %rV_write_3_4 = cute.slice(%rV_write_3, %V_n_3_4)
      %rV_3_4 = cute.slice(%rV_pairs, %V_b_3_4)
      %rO_3_4 = cute.slice(%rO_pairs, %V_c_3_4)
      cute.copy(%s2r_V, %sV_3_4, %rV_write_3_4)
      cute.gemm(%mma, %rO_3_4, %rP_3, %rV_3_4, %rO_3_4)
      %V_n_3_5 = cute.static : !cute.coord<"(_,5)">
      %V_b_3_5 = cute.static : !cute.coord<"(_,(_,5),3)">
      %V_c_3_5 = cute.static : !cute.coord<"(_,_,(_,5))">
      %sV_3_5 = cute.slice(%sV_3, %V_n_3_5)
      %rV_write_3_5 = cute.slice(%rV_write_3, %V_n_3_5)
      %rV_3_5 = cute.slice(%rV_pairs, %V_b_3_5)
      %rO_3_5 = cute.slice(%rO_pairs, %V_c_3_5)
      cute.copy(%s2r_V, %sV_3_5, %rV_write_3_5)
      cute.gemm(%mma, %rO_3_5, %rP_3, %rV_3_5, %rO_3_5)
      %V_n_3_6 = cute.static : !cute.coord<"(_,6)">
      %V_b_3_6 = cute.static : !cute.coord<"(_,(_,6),3)">
      %V_c_3_6 = cute.static : !cute.coord<"(_,_,(_,6))">
      %sV_3_6 = cute.slice(%sV_3, %V_n_3_6)
      %rV_write_3_6 = cute.slice(%rV_write_3, %V_n_3_6)
      %rV_3_6 = cute.slice(%rV_pairs, %V_b_3_6)
      %rO_3_6 = cute.slice(%rO_pairs, %V_c_3_6)
      cute.copy(%s2r_V, %sV_3_6, %rV_write_3_6)
      cute.gemm(%mma, %rO_3_6, %rP_3, %rV_3_6, %rO_3_6)
      %V_n_3_7 = cute.static : !cute.coord<"(_,7)">
      %V_b_3_7 = cute.static : !cute.coord<"(_,(_,7),3)">
      %V_c_3_7 = cute.static : !cute.coord<"(_,_,(_,7))">
      %sV_3_7 = cute.slice(%sV_3, %V_n_3_7)
      %rV_write_3_7 = cute.slice(%rV_write_3, %V_n_3_7)
      %rV_3_7 = cute.slice(%rV_pairs, %V_b_3_7)
      %rO_3_7 = cute.slice(%rO_pairs, %V_c_3_7)
      cute.copy(%s2r_V, %sV_3_7, %rV_write_3_7)
      cute.gemm(%mma, %rO_3_7, %rP_3, %rV_3_7, %rO_3_7)
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
    %t_end = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %r2s = cute.make_tiled_copy_c(%pair, %mma)
    %sO_write = cute.partition_d(%r2s, %sQ, %t_end)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sO_write)
    gpu.barrier
    %O_2 = cute.slice(%O, %which)
    %gO = cute.local_tile(%O_2, %Q_tile, %Q_at)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2g = cute.make_tiled_copy(%vector, %g2s_threads, %g2s_values)
    %sO_read = cute.partition_s(%s2g, %sQ, %t_end)
    %gO_write = cute.partition_d(%s2g, %gO, %t_end)
    %r = cute.make_fragment_like(%sO_read)
    %cO_write = cute.partition_d(%s2g, %cQ, %t_end)
    %cO_first = cute.slice(%cO_write, %first)
    %nO_first = cute.get_iter(%cO_first)
    %nO_layout = cute.get_layout(%cO_first)
    %nO = cute.make_tensor(%origin, %nO_layout)
    %pO_tuple = cute.make_int_tuple(%M_left) : (i32) -> !cute.int_tuple<"?">
    %pO_bound = cute.tuple_sub(%pO_tuple, %nO_first)
    %pO = cute.make_predicate(%nO, %pO_bound)
    cute.copy(%s2g, %sO_read, %r)
    cute.copy(%s2g, %r, %gO_write, %pO)
    gpu.return
  }
}
