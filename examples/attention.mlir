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
!rows = vector<2xf32>
!scores = vector<32xf32>

gpu.module @attention_module {
  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[2], 64)", "arg0.shape[1]", "arg0.shape[0]"]} {
    %block = cute.block_idx
    %head = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx

    // The matrices of this head; the block's tile of Q and O; all tiles of K and V.
    %Q_2 = cute.slice(%Q, (%batch,%head,_,_))
    %K_2 = cute.slice(%K, (%batch,%head,_,_))
    %V_2 = cute.slice(%V, (%batch,%head,_,_))
    %O_2 = cute.slice(%O, (%batch,%head,_,_))
    %tile = cute.static : !cute.shape<"(64,64)">
    %gQ = cute.local_tile(%Q_2, %tile, (%block,0))
    %gO = cute.local_tile(%O_2, %tile, (%block,0))
    %gK = cute.local_tile(%K_2, %tile, (_,0))
    %gV = cute.local_tile(%V_2, %tile, (_,0))

    // The same tiles of coordinates, which say what lies in the matrices. Those of S
    // are (row, column).
    %Q_layout = cute.get_layout(%Q_2)
    %K_layout = cute.get_layout(%K_2)
    %Q_shape = cute.get_shape(%Q_layout)
    %K_shape = cute.get_shape(%K_layout)
    %M, %Q_pitch = cute.get_scalars<{only_dynamic}> (%Q_layout)
    %N, %K_pitch = cute.get_scalars<{only_dynamic}> (%K_layout)
    %cQ = cute.local_tile(cute.make_identity_tensor(%Q_shape), %tile, (%block,0))
    %cK = cute.local_tile(cute.make_identity_tensor(%K_shape), %tile, (_,0))

    // Rows of shared memory are 128 bytes, all banks once; S<3,3,3> permutes their
    // 16-byte pieces, because ldmatrix reads 8 rows of 16 bytes at once. The second
    // product sums over the rows of V: its operand B is V transposed.
    %s_layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), %tile)
    %sQ = cute.alloc_smem<f16, 128> (%s_layout)
    %sK = cute.alloc_smem<f16, 128> (%s_layout)
    %sV = cute.alloc_smem<f16, 128> (%s_layout)
    %sVt = cute.select<[1, 0]> (%sV)

    // Four warps below each other. The permutation gives each two instructions side
    // by side in N, whose B one ldmatrix.x4 loads.
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%mma_atom, (4,1,1):(1,0,0), (64,16,16))
    %tS = cute.partition_c(%mma, cute.make_tensor(0, (64,64):(0,1)), %thread)
    %tO = cute.partition_c(%mma, %gO, %thread)
    %tP = cute.partition_c(%mma, %cQ, %thread)
    %rQ = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sQ, %thread))
    %rK = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sK, %thread))
    %rV = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sVt, %thread))
    %rS = cute.make_fragment_c(%mma, %tS)
    %rO = cute.make_fragment_c(%mma, %tO)
    cute.clear(%rO)

    // P as sums of the first product, ((2,2),1,8), and as operand A of the second,
    // ((2,2,2),1,4): two neighbouring instructions in N are one in K.
    %rP = cute.make_fragment_like<f16> (%rS)
    %rP_A = cute.composition(%rP, ((2,2,2),1,4):((1,2,4),0,8))

    // Global to shared memory: cp.async, 16 rows of 8 threads with 8 elements each.
    // Rows that do not exist are zeros.
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %g2s = cute.make_tiled_copy(%async, (16,8):(8,1), (1,8):(0,1))
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
    %s2r_Q = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_K = cute.make_tiled_copy_b(%ldsm, %mma)
    %s2r_V = cute.make_tiled_copy_b(!cute.copy_atom<"SM75_U16x8_LDSM_T", f16>, %mma)
    %sQ_read = cute.partition_s(%s2r_Q, %sQ, %thread)
    %sK_read = cute.partition_s(%s2r_K, %sK, %thread)
    %sV_read = cute.partition_s(%s2r_V, %sVt, %thread)
    %rQ_write = cute.retile(%s2r_Q, %rQ)
    %rK_write = cute.retile(%s2r_K, %rK)
    %rV_write = cute.retile(%s2r_V, %rV)

    // Q is loaded once and stays in registers.
    %pQ = cute.make_predicate(%cQ_read[0,_,_], %Q_shape)
    cute.copy(%g2s, %gQ_read, %sQ_write, %pQ)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier
    cute.copy(%s2r_Q, %sQ_read, %rQ_write)

    %tiles = %N ceildivu 64
    %cs = %scale * 1.44269504 : !scores
    // Less than c S can be, but finite: infinity less infinity is no number.
    %m_last, %l_last = for %j in 0..%tiles carry(%m = -1.0e30 : !rows, %l = 0.0 : !rows) {
      %gK_j = cute.slice(%gK_read, (_,_,_,%j))
      %gV_j = cute.slice(%gV_read, (_,_,_,%j))
      %cK_j = cute.slice(%cK_read, (0,_,_,%j))
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
      %end = cute.make_int_tuple(%N - %j * 64) : (i32) -> !cute.int_tuple<"?">
      %pS = cute.make_predicate(%tS, %end)
      %s = arith.select(cute.load_vector(%pS), cute.load_vector(%rS) * %cs, 0xFF800000)

      // A thread has two rows: the second mode of ((2,2),1,8).
      %m_new = max(%m, row_max(%mma, %s, -1.0e30))
      %p = math.exp2<afn>(%s - cute.broadcast_vector<"((1,2),1)", "((2,2),8)">(%m_new))
      cute.store_vector(f16(%p), %rP)
      %shrink = math.exp2<afn>(%m - %m_new)
      %l_new = %l * %shrink + cute.reduce_vector<"add", "((2,2),8)", "((1,_),1)">(%p, 0.0)
      %o = cute.load_vector(%rO)
      cute.store_vector(%o * cute.broadcast_vector<"((1,2),1)", "((2,2),8)">(%shrink), %rO)
      cute.gemm(%mma, %rO, %rP_A, %rV, %rO)
      gpu.barrier
      yield %m_new, %l_new
    }

    // The result, two neighbours at a time. Of no columns l is 0, and so is O.
    %l_rows = cute.warp_reduce<"add", 4> (%l_last)
    %l_all = cute.broadcast_vector<"((1,2),1)", "((2,2),8)"> (max(%l_rows, 1.0e-30))
    %rD = cute.make_fragment_like<f16> (%rO)
    cute.store_vector(f16(cute.load_vector(%rO) / %l_all), %rD)
    %pO = cute.make_predicate(%tP[(0,_),_,_], %Q_shape)
    cute.copy(!cute.copy_atom<"UniversalCopy<uint32_t>", f16>, %rD, %tO, %pO)
    gpu.return
  }
}
