// O = softmax(scale * Q K^T) V on tensor cores, for each batch and head: Q and O are
// (batch, head, row, 64), K and V (batch, head, column, 64) of f16, in which the last
// mode is contiguous and the others have any stride that is a multiple of 8.
//
//   cutec examples/attention.mlir --arch=sm_80 -o attention.ptx
//
// A block of 4 warps has 64 rows of Q of one head, a warp 16 of them, and goes over K
// and V in steps of 64 columns (FlashAttention-2 of Tri Dao, 2023):
//
//   S = Q K^T            sums of mma.sync 16x8x16, which stay in registers
//   m = max(m, c S)      by row, with c = scale log2(e), so that no power overflows
//   P = 2^(c S - m)
//   l = l 2^(old m - m) + sum of P
//   O = O 2^(old m - m) + P V
//
// In the end O is divided by l. P need not move: what a thread has of the sums of the
// first product is what it needs as operand A of the second. Only the order of modes
// differs, which is a layout.
//
// `./dev kernel attention_sm80` writes the fast form, which loads ahead, swizzles shared
// memory, skips scaling where the maximum hardly grows, and knows causal masks.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?,?,64):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!tile = !cute.tensor<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">
!rows = vector<2xf32>
!scores = vector<32xf32>

gpu.module @attention_module {
  // The largest and the sum of what four neighbouring threads have of two rows.
  func.func @quad_max(%x: !rows) -> !rows {
    %x0, %x1 = vector.to_elements %x : !rows
    %y0 = gpu.subgroup_reduce maximumf %x0 cluster(size = 4) : (f32) -> f32
    %y1 = gpu.subgroup_reduce maximumf %x1 cluster(size = 4) : (f32) -> f32
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

  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[2], 64)", "arg0.shape[1]", "arg0.shape[0]"]} {
    %x = gpu.block_id x
    %block = i32(%x)
    %y = gpu.block_id y
    %head = i32(%y)
    %z = gpu.block_id z
    %batch = i32(%z)
    %t = gpu.thread_id x
    %thread = i32(%t)

    // The matrices of this head; the block's tile of Q and O; all tiles of K and V.
    %which = cute.make_coord(%batch, %head) : (i32, i32) -> !cute.coord<"(?,?,_,_)">
    %Q_2 = cute.slice(%Q, %which)
    %K_2 = cute.slice(%K, %which)
    %V_2 = cute.slice(%V, %which)
    %O_2 = cute.slice(%O, %which)
    %tile = cute.static : !cute.shape<"(64,64)">
    %block_at = cute.make_coord(%block) : (i32) -> !cute.coord<"(?,0)">
    %all_at = cute.static : !cute.coord<"(_,0)">
    %gQ = cute.local_tile(%Q_2, %tile, %block_at)
    %gO = cute.local_tile(%O_2, %tile, %block_at)
    %gK = cute.local_tile(%K_2, %tile, %all_at)
    %gV = cute.local_tile(%V_2, %tile, %all_at)

    // The same tiles of coordinates, which say what lies in the matrices. Those of S
    // are (row, column).
    %Q_layout = cute.get_layout(%Q_2)
    %K_layout = cute.get_layout(%K_2)
    %Q_shape = cute.get_shape(%Q_layout)
    %K_shape = cute.get_shape(%K_layout)
    %M, %Q_pitch = cute.get_scalars<{only_dynamic}> (%Q_layout)
    %N, %K_pitch = cute.get_scalars<{only_dynamic}> (%K_layout)
    %Q_identity = cute.make_identity_tensor(%Q_shape)
    %K_identity = cute.make_identity_tensor(%K_shape)
    %cQ = cute.local_tile(%Q_identity, %tile, %block_at)
    %cK = cute.local_tile(%K_identity, %tile, %all_at)
    %origin = cute.static : !cute.int_tuple<"0">
    %columns = cute.static : !cute.layout<"(64,64):(0,1)">
    %cS = cute.make_tensor(%origin, %columns)

    // Rows of shared memory are 128 bytes, all banks once; S<3,3,3> permutes their
    // 16-byte pieces, because ldmatrix reads 8 rows of 16 bytes at once. The second
    // product sums over the rows of V: its operand B is V transposed.
    %s_atom = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %s_layout = cute.tile_to_shape(%s_atom, %tile)
    %sQ = cute.alloc_smem<f16, 128> (%s_layout)
    %sK = cute.alloc_smem<f16, 128> (%s_layout)
    %sV = cute.alloc_smem<f16, 128> (%s_layout)
    %sVt = cute.select<[1, 0]> (%sV)

    // Four warps below each other. The permutation gives each two instructions side
    // by side in N, whose B one ldmatrix.x4 loads.
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(4,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(64,16,16)">
    %mma = cute.make_tiled_mma(%mma_atom, %warps, %permutation)
    %tQ = cute.partition_a(%mma, %sQ, %thread)
    %tK = cute.partition_b(%mma, %sK, %thread)
    %tV = cute.partition_b(%mma, %sVt, %thread)
    %tS = cute.partition_c(%mma, %cS, %thread)
    %tO = cute.partition_c(%mma, %gO, %thread)
    %tP = cute.partition_c(%mma, %cQ, %thread)
    %rQ = cute.make_fragment_a(%mma, %tQ)
    %rK = cute.make_fragment_b(%mma, %tK)
    %rV = cute.make_fragment_b(%mma, %tV)
    %rS = cute.make_fragment_c(%mma, %tS)
    %rO = cute.make_fragment_c(%mma, %tO)
    cute.clear(%rO)

    // P as sums of the first product, ((2,2),1,8), and as operand A of the second,
    // ((2,2,2),1,4): two neighbouring instructions in N are one in K.
    %rP = cute.make_fragment_like<f16> (%rS)
    %C_to_A = cute.static : !cute.layout<"((2,2,2),1,4):((1,2,4),0,8)">
    %rP_A = cute.composition(%rP, %C_to_A)

    // Global to shared memory: cp.async, 16 rows of 8 threads with 8 elements each.
    // Rows that do not exist are zeros.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s_threads = cute.static : !cute.layout<"(16,8):(8,1)">
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

    // Shared memory to registers: ldmatrix, of V transposed.
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

    // Q is loaded once and stays in registers.
    %first = cute.static : !cute.coord<"(0,_,_)">
    %cQ_first = cute.slice(%cQ_read, %first)
    %pQ = cute.make_predicate(%cQ_first, %Q_shape)
    cute.copy(%g2s, %gQ_read, %sQ_write, %pQ)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier
    cute.copy(%s2r_Q, %sQ_read, %rQ_write)

    %tiles = %N ceildivu 64
    %c = %scale * 1.44269504
    %cs = %c : !scores
    %zero = 0.0 : f32
    %zeros = 0.0 : !rows
    // Less than c S can be, but finite: infinity less infinity is no number.
    %lowest = -1.0e30 : f32
    %least = -1.0e30 : !rows
    %m_last, %l_last = for %j in 0..%tiles carry(%m = %least, %l = %zeros) {
      %at = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,_,_,?)">
      %first_at = cute.make_coord(%j) : (i32) -> !cute.coord<"(0,_,_,?)">
      %gK_j = cute.slice(%gK_read, %at)
      %gV_j = cute.slice(%gV_read, %at)
      %cK_j = cute.slice(%cK_read, %first_at)
      %pK = cute.make_predicate(%cK_j, %K_shape)
      cute.copy(%g2s, %gK_j, %sK_write, %pK)
      cute.copy(%g2s, %gV_j, %sV_write, %pK)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.copy(%s2r_K, %sK_read, %rK_write)
      cute.copy(%s2r_V, %sV_read, %rV_write)
      cute.clear(%rS)
      cute.gemm(%mma, %rS, %rQ, %rK, %rS)

      // Columns that do not exist count as -inf.
      %begin = %j * 64
      %left = %N - %begin
      %end = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
      %pS = cute.make_predicate(%tS, %end)
      %exist = cute.load_vector(%pS)
      %s_raw = cute.load_vector(%rS)
      %s = arith.select(%exist, %s_raw * %cs, 0xFF800000)

      // A thread has two rows: the second mode of ((2,2),1,8).
      %m_thread = cute.reduce_vector<"max", "((2,2),8)", "((1,_),1)"> (%s, %lowest)
      %m_quad = func.call @quad_max(%m_thread) : (!rows) -> !rows
      %m_new = max(%m, %m_quad)
      %m_all = cute.broadcast_vector<"((1,2),1)", "((2,2),8)"> (%m_new)
      %p = math.exp2<afn>(%s - %m_all)
      cute.store_vector(f16(%p), %rP)
      %shrink = math.exp2<afn>(%m - %m_new)
      %l_scaled = %l * %shrink
      %l_step = cute.reduce_vector<"add", "((2,2),8)", "((1,_),1)"> (%p, %zero)
      %l_new = %l_scaled + %l_step
      %shrink_all = cute.broadcast_vector<"((1,2),1)", "((2,2),8)"> (%shrink)
      %o = cute.load_vector(%rO)
      cute.store_vector(%o * %shrink_all, %rO)
      cute.gemm(%mma, %rO, %rP_A, %rV, %rO)
      gpu.barrier
      yield %m_new, %l_new
    }

    // The result, two neighbours at a time. Of no columns l is 0, and so is O.
    %l_rows = func.call @quad_sum(%l_last) : (!rows) -> !rows
    %l_positive = max(%l_rows, 1.0e-30)
    %l_all = cute.broadcast_vector<"((1,2),1)", "((2,2),8)"> (%l_positive)
    %o_sum = cute.load_vector(%rO)
    %rD = cute.make_fragment_like<f16> (%rO)
    cute.store_vector(f16(%o_sum / %l_all), %rD)
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %pairs = cute.static : !cute.coord<"((0,_),_,_)">
    %tP_pairs = cute.slice(%tP, %pairs)
    %pO = cute.make_predicate(%tP_pairs, %Q_shape)
    cute.copy(%pair, %rD, %tO, %pO)
    gpu.return
  }
}
