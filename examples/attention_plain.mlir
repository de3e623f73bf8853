// O = softmax(scale * Q K^T) V, for each batch and head, as one writes it first: a loop
// over tiles of keys with two products and a softmax between them. Q and O are (batch,
// head, row, D), K and V (batch, head, column, D) of f16, or of bf16 (-D T=bf16 -D
// PRODUCT=F32BF16BF16). Q has GROUP times as many heads as K and V.
//
//   cutec examples/attention_plain.mlir --arch=sm_90a --passes=cute-optimize -o attention.ptx
//
// makes of it what attention_sm90.mlir is by hand, and with --arch=sm_100a one with both
// products in tensor memory (docs/hopper.md). Parameters:
//
//   D=64        heads of 64, or of any multiple of 8, in tiles of D_TILE, a multiple of 16
//   DV=64       heads of V and O of another size than Q's and K's
//   KEYS=64     that many keys in a tile, for heads of 128 on sm_86, sm_89 and sm_120, whose blocks
//               have 99 KiB of shared memory
//   CAUSAL=1    row i of M sees the columns up to i + N - M
//   TOGETHER=4  with CAUSAL=1, four heads, whose K and V the L2 cache holds, are computed before
//               the next four; a divisor of the number of heads
//   LSE=1       L (batch, head, row) gets the logarithm of the sum of e^(scale Q K^T) for each
//               row, -inf of no columns
//   WINDOW=1    with CAUSAL=1, a row sees the last %window of its columns
//   CAP=1       a product x = scale Q K^T becomes %cap tanh(x / %cap)
//   FP8=1       (-D T=f8E4M3FN -D TO=bf16 -D PRODUCT=F32E4M3E4M3) 8-bit floats, and V is (batch, head, DV,
//               column), with the columns of each 32 in the order that P has in a thread's
//               registers: 2t, 2t+1, 2t+8 and 2t+9 for t of 0 to 3, and the same from 16 on. With it
//               FACTORS=1  multiplies what comes of Q, K and V by a factor for each batch and
//               head of K
//   SINKS=1     the sum of a row of head h has e^sinks[h] in addition
//   VARLEN=1    a batch of one has several sequences, one after another: rows %starts_Q[s] to
//               %starts_Q[s + 1] attend to columns %starts_K[s] to %starts_K[s + 1]. Sequence s
//               has the blocks from %starts_Q[s] / ROWS + s on, at least as many as it has
//               tiles, so that a block finds its sequence by bisection
//
// A warp has 16 rows, and goes from the last key that one of the block's rows sees to the
// first, KEYS at a time. P = 2^(c S - c m) with c = scale log2(e) and m, a maximum of the
// row: it becomes the new one, and O and l, the sum of P, shrink, if P would be more than
// 2^8. Sums of S are what a thread needs as operand A of P V.

!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?,?,$D):(?{i64 div=$VEC},?{i64 div=$VEC},?{i64 div=$VEC},1)">
//$HALF !values = !cute.tensor<$T, gmem, align<16>, "(?,?,?,$DV):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
//$FP8 !values = !cute.tensor<$T, gmem, align<16>, "(?,?,$DV,?):(?{i64 div=16},?{i64 div=16},?{i64 div=16},1)">
!results = !cute.tensor<$TO, gmem, align<16>, "(?,?,?,$DV):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM${80+9*FP8}_16x8x${2*VEC}_${PRODUCT}F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", $T>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", $T>
//$HALF !ldmatrix_v = !cute.copy_atom<"SM75_U16x8_LDSM_T", $T>
//$FP8 !ldmatrix_v = !cute.copy_atom<"SM75_U32x4_LDSM_N", $T>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", $TO>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", $TO>
!row_sums = !cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">
!starts = !cute.tensor<i32, gmem, align<4>, "?:1">
!head_sums = !cute.tensor<f32, gmem, align<4>, "(?):(1)">
!factors = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">
!two = vector<2xf32>
!scores = vector<${KEYS/2}xf32>

gpu.module @attention_module attributes {
    cute.parameters = {T = f16, TO = f16, PRODUCT = "F32F16F16", FP8 = 0, FACTORS = 0, HALF = ${1-FP8}, VEC = ${8+8*FP8}, D = 128, WARPS = 8, KEYS = 128, DV = ${D}, D_TILE = ${(D+15)/16*16}, DV_TILE = ${(DV+15)/16*16}, ACROSS = ${D_TILE}, ACROSS_V = ${DV_TILE-(DV_TILE-KEYS)*FP8}, ACROSS_O = ${ACROSS_V*HALF+DV_TILE*FP8}, CAUSAL = 0, GROUP = 1, TOGETHER = 1, LSE = 0, SINKS = 0, PLAIN = ${1-SINKS}, LSE_PLAIN = ${LSE*PLAIN}, LSE_SINKS = ${LSE*SINKS}, WINDOW = 0, WHOLE = ${1-WINDOW}, CAP = 0, VARLEN = 0, FIXED = ${1-VARLEN}, FIXED_HALF = ${FIXED*HALF}, WITHOUT_FACTORS = ${1-FACTORS}, ROWS = ${16*WARPS}, THREADS = ${32*WARPS}}} {
  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !values, %O: !results,
      //$VARLEN %starts_Q: !starts, %starts_K: !starts,
      //$LSE %L: !row_sums,
      //$SINKS %sinks: !head_sums,
      //$FACTORS %of_Q: !factors, %of_K: !factors, %of_V: !factors,
      //$WINDOW %window: i32,
      //$CAP %cap: f32,
      %scale_given: f32) kernel
      attributes {//$VARLEN cute.grid = ["(ceil_div(arg0.shape[2], $ROWS) + arg4.shape[0] - 1) * $TOGETHER", "ceil_div(arg0.shape[1], $TOGETHER)"],
                  //$FIXED cute.grid = ["ceil_div(arg0.shape[2], $ROWS) * $TOGETHER", "ceil_div(arg0.shape[1], $TOGETHER)", "arg0.shape[0]"],
                  known_block_size = array<i32: $THREADS, 1, 1>} {
    %block = cute.block_idx
    %heads = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx
    %causal = $CAUSAL : i1
    %x = arith.select(%causal, %block /u $TOGETHER, %block)
    %head = arith.select(%causal, %heads * $TOGETHER + %block modu $TOGETHER, %heads)
    %head_K = %head /u $GROUP
    %mQ = cute.slice(%Q, (%batch,%head,_,_))
    %mK = cute.slice(%K, (%batch,%head_K,_,_))
    %mV = cute.slice(%V, (%batch,%head_K,_,_))
    //$FIXED %mO = cute.slice(%O, (%batch,%head,_,_))
    //$FIXED %M, %ldq = cute.get_scalars<{only_dynamic}> (cute.get_layout(%mQ))
    //$FIXED %N, %ldk = cute.get_scalars<{only_dynamic}> (cute.get_layout(%mK))
    //$FIXED %start_Q = 0 : i32
    //$FIXED %tile = arith.select(%causal, %M ceildivu $ROWS - 1 - %x, %x)

    // The block's sequence, and its tile; none for a block beyond the sequence's last tile.
    //$VARLEN %M_all, %ldq = cute.get_scalars<{only_dynamic}> (cute.get_layout(%mQ))
    //$VARLEN %N_all, %ldk = cute.get_scalars<{only_dynamic}> (cute.get_layout(%mK))
    //$VARLEN %sequences = cute.size(%starts_Q) - 1
    //$VARLEN %sequence, %after = for %i in 0..32 - math.ctlz(%sequences) carry(%low = 0 : i32, %high = %sequences) {
    //$VARLEN   %middle = (%low + %high) /u 2
    //$VARLEN   %is_before = cute.load(%starts_Q, %middle) /u $ROWS + %middle <=u %x
    //$VARLEN   yield arith.select(%is_before, %middle, %low), arith.select(%is_before, %high, %middle)
    //$VARLEN }
    //$VARLEN %end_Q = minu(cute.load(%starts_Q, %sequence + 1), %M_all)
    //$VARLEN %end_K = minu(cute.load(%starts_K, %sequence + 1), %N_all)
    //$VARLEN %start_Q = minu(cute.load(%starts_Q, %sequence), %end_Q)
    //$VARLEN %start_K = minu(cute.load(%starts_K, %sequence), %end_K)
    //$VARLEN %tiles_M = (%end_Q - %start_Q) ceildivu $ROWS
    //$VARLEN %nth = %x - (%start_Q /u $ROWS + %sequence)
    //$VARLEN %is_there = %nth <u %tiles_M
    //$VARLEN %M = arith.select(%is_there, %end_Q - %start_Q, 0)
    //$VARLEN %N = arith.select(%is_there, %end_K - %start_K, 0)
    //$VARLEN %tile = arith.select(%is_there, arith.select(%causal, %tiles_M - 1 - %nth, %nth), 0)
    //$VARLEN %O_head = cute.slice(%O, (%batch,%head,_,_))
    //$VARLEN %O_shape = cute.make_shape(%start_Q + %M) : (i32) -> !cute.shape<"(?,$DV)">
    //$VARLEN %O_rows = cute.make_layout(%O_shape, cute.get_stride(cute.get_layout(%O_head)))
    //$VARLEN %mO = cute.make_tensor(cute.get_iter(%O_head), %O_rows)

    // Row r of the block sees the columns before end + r, or before end.
    %shifted = %tile * $ROWS + (%N - %M)
    %end = arith.select(%causal, %shifted + 1, %N)
    //$WHOLE %tiles = maxs(arith.select(%causal, mins(%shifted + $ROWS, %N), %N), 0) ceildivu $KEYS
    //$WHOLE %last = %tiles - 1
    //$WINDOW %first = %end - %window
    //$WINDOW %tiles_all = maxs(mins(%shifted + $ROWS, %N), 0) ceildivu $KEYS
    //$WINDOW %tiles = maxs(%tiles_all - maxs(%first, 0) /u $KEYS, 0)
    //$WINDOW %last = %tiles_all - 1

    %sQ = cute.alloc_smem<$T, 128> (($ROWS,$D_TILE):($D_TILE,1))
    %sK = cute.alloc_smem<$T, 128> (($KEYS,$D_TILE):($D_TILE,1))
    //$HALF %sV = cute.alloc_smem<$T, 128> (($KEYS,$DV_TILE):($DV_TILE,1))
    //$HALF %sVt = cute.select<[1, 0]> (%sV)
    //$FP8 %sV = cute.alloc_smem<$T, 128> (($DV_TILE,$KEYS):($KEYS,1))
    //$FP8 %sVt = cute.select<[0, 1]> (%sV)

    %mma_S = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,${2*VEC}))
    %mma_O = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,${2*VEC}))
    %rQ = cute.make_fragment_a(%mma_S, cute.partition_a(%mma_S, %sQ, %thread))
    %rK = cute.make_fragment_b(%mma_S, cute.partition_b(%mma_S, %sK, %thread))
    %rV = cute.make_fragment_b(%mma_O, cute.partition_b(%mma_O, %sVt, %thread))
    %rS = cute.make_fragment<f32> (cute.partition_shape_c(%mma_S, ($ROWS,$KEYS)))
    %rO = cute.make_fragment<f32> (cute.partition_shape_c(%mma_O, ($ROWS,$DV_TILE)))
    //$HALF %rP = cute.make_fragment_like<$T> (%rS)
    //$HALF %rP_A = cute.composition(%rP, ((2,2,2),1,${KEYS/16}):((1,2,4),0,8))
    //$FP8 %rW = cute.make_fragment_like(%rS)
    //$FP8 %rW_A = cute.composition(%rW, (((2,2),2,2),1,${KEYS/32}):(((1,4),2,8),0,16))
    //$FP8 %rP_A = cute.make_fragment<$T> ((((2,2),2,2),1,${KEYS/32}):(((1,2),4,8),0,16))

    %g2s = cute.make_tiled_copy(!async, (${THREADS*VEC/ACROSS},${ACROSS/VEC}):(${ACROSS/VEC},1), (1,$VEC):(0,1))
    %g2s_V = cute.make_tiled_copy(!async, (${THREADS*VEC/ACROSS_V},${ACROSS_V/VEC}):(${ACROSS_V/VEC},1), (1,$VEC):(0,1))
    %sQ_write = cute.partition_d(%g2s, %sQ, %thread)
    %sK_write = cute.partition_d(%g2s, %sK, %thread)
    %sV_write = cute.partition_d(%g2s_V, %sV, %thread)
    %s2r_Q = cute.make_tiled_copy_a(!ldmatrix, %mma_S)
    %s2r_K = cute.make_tiled_copy_b(!ldmatrix, %mma_S)
    %s2r_V = cute.make_tiled_copy_b(!ldmatrix_v, %mma_O)
    %sQ_read = cute.partition_s(%s2r_Q, %sQ, %thread)
    %sK_read = cute.partition_s(%s2r_K, %sK, %thread)
    %sV_read = cute.partition_s(%s2r_V, %sVt, %thread)
    %rQ_write = cute.retile(%s2r_Q, %rQ)
    %rK_write = cute.retile(%s2r_K, %rK)
    %rV_write = cute.retile(%s2r_V, %rV)

    //$FIXED %gQ, %pQ = cute.predicated_tile_s(%g2s, %mQ, ($ROWS,$D_TILE), (%tile,0), %thread)
    //$VARLEN %gQ, %pQ = cute.predicated_tile_s(%g2s, %mQ, ($ROWS,$D_TILE), (%tile,0), %thread, (%start_Q,0))
    cute.copy(%g2s, %gQ, %sQ_write, %pQ)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier
    cute.copy(%s2r_Q, %sQ_read, %rQ_write)

    //$WITHOUT_FACTORS %factor = 1.0 : f32
    //$WITHOUT_FACTORS %factor_V = 1.0 : f32
    //$FACTORS %factor = %of_Q[%batch,%head_K] * %of_K[%batch,%head_K]
    //$FACTORS %factor_V = %of_V[%batch,%head_K]
    %scale = %scale_given * %factor
    %c = %scale * 1.44269504
    %cs = %c : !scores
    cute.clear(%rO)
    %m_last, %l_last = for %i in 0..%tiles carry(%m = -1.0e30 : !two, %l = 0.0 : !two) {
      %j = %last - %i
      //$FIXED %gK, %pK = cute.predicated_tile_s(%g2s, %mK, ($KEYS,$D_TILE), (%j,0), %thread)
      //$VARLEN %gK, %pK = cute.predicated_tile_s(%g2s, %mK, ($KEYS,$D_TILE), (%j,0), %thread, (%start_K,0))
      //$FIXED_HALF %gV, %pV = cute.predicated_tile_s(%g2s_V, %mV, ($KEYS,$DV_TILE), (%j,0), %thread)
      //$FP8 %gV, %pV = cute.predicated_tile_s(%g2s_V, %mV, ($DV_TILE,$KEYS), (0,%j), %thread)
      //$VARLEN %gV, %pV = cute.predicated_tile_s(%g2s_V, %mV, ($KEYS,$DV_TILE), (%j,0), %thread, (%start_K,0))
      cute.copy(%g2s, %gK, %sK_write, %pK)
      cute.copy(%g2s_V, %gV, %sV_write, %pV)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.copy(%s2r_K, %sK_read, %rK_write)
      cute.clear(%rS)
      cute.gemm(%mma_S, %rS, %rQ, %rK, %rS)

      //$CAP %s_raw = cute.load_vector(%rS)
      //$CAP %e = math.exp2<afn>(%s_raw * (%scale * 2.88539008 / %cap))
      //$CAP %s_bent = (1.0 - arith.divf<afn>(2.0, %e + 1.0)) * (%cap / %scale)
      //$CAP cute.store_vector(%s_bent, %rS)

      // Scores that some row does not see are -inf.
      %left = %end - %j * $KEYS
      //$WHOLE %masks = %left <s $KEYS
      //$WINDOW %before = %left - %window
      //$WINDOW %masks = %left <s $KEYS or %before >s ${1-16*WARPS}
      if %masks {
        %cS = cute.make_tensor(0, ($ROWS,$KEYS):(${0-CAUSAL},1))
        %tS = cute.partition_c(%mma_S, %cS, %thread)
        %bound = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
        //$WHOLE %pS = cute.make_predicate(%tS, %bound)
        //$WINDOW %least = cute.make_int_tuple(%before) : (i32) -> !cute.int_tuple<"?">
        //$WINDOW %pS = cute.make_predicate(%tS, %bound, %least)
        %s_seen = arith.select(cute.load_vector(%pS), cute.load_vector(%rS), 0xFF800000)
        cute.store_vector(%s_seen, %rS)
      }

      %s = cute.load_vector(%rS)
      %m_quad = row_max(%mma_S, %s, -1.0e30)
      %grows = (%m_quad - %m) * %c > 8.0
      %m_new = arith.select(%grows, %m_quad, %m)
      %shrink = math.exp2<afn>((%m - %m_new) * %c)
      %minus_cm = -(%m_new * %c)
      %minus_cms = cute.broadcast_vector<"((1,2),1)", "((2,2),${KEYS/8})"> (%minus_cm)
      %p = math.exp2<afn>(math.fma(%s, %cs, %minus_cms))
      %l_step = cute.reduce_vector<"add", "((2,2),${KEYS/8})", "((1,_),1)"> (%p, 0.0)
      %l_new = %l * %shrink + %l_step
      //$HALF cute.store_vector($T(%p), %rP)
      //$FP8 cute.store_vector(%p, %rW)
      //$FP8 cute.convert(%rW_A, %rP_A)

      %grows_mine = vector.reduction <or>, %grows : vector<2xi1> into i1
      if cute.vote_any_sync(%grows_mine) {
        %shrinks = cute.broadcast_vector<"((1,2),1)", "((2,2),${DV_TILE/8})"> (%shrink)
        cute.store_vector(cute.load_vector(%rO) * %shrinks, %rO)
      }
      cute.copy(%s2r_V, %sV_read, %rV_write)
      cute.gemm(%mma_O, %rO, %rP_A, %rV, %rO)
      gpu.barrier
      yield %m_new, %l_new
    }

    // O / l, or 0 of no columns, by way of shared memory.
    //$PLAIN %l_sum = cute.warp_reduce<"add", 4> (%l_last)
    //$PLAIN %by_l = 1.0 / max(%l_sum, 1.0e-30)
    //$SINKS %l_quad = cute.warp_reduce<"add", 4> (%l_last)
    //$SINKS %sink = cute.load(%sinks, %head) * 1.44269504
    //$SINKS %sink_two = vector.broadcast %sink : f32 to !two
    //$SINKS %most = max(%m_last * %c, %sink_two)
    //$SINKS %weight = math.exp2<afn>(%m_last * %c - %most)
    //$SINKS %l_sum = %l_quad * %weight + math.exp2<afn>(%sink_two - %most)
    //$SINKS %by_l = %weight / %l_sum
    //$LSE %mL = cute.slice(%L, (%batch,%head,_))
    //$LSE_PLAIN %lse = (%m_last * %c + math.log2<afn>(%l_sum)) * 0.693147181
    //$LSE_SINKS %lse = (%most + math.log2<afn>(%l_sum)) * 0.693147181
    //$LSE %rows = cute.make_tensor(0, ($ROWS,$DV_TILE):(1,0))
    //$LSE %first_row = cute.get_scalars(cute.get_iter(cute.partition_c(%mma_O, %rows, %thread)))
    //$LSE %row = %tile * $ROWS + %first_row
    //$LSE %lane = cute.lane_idx
    //$LSE if %lane modu 4 == 0 and %row <u %M {
    //$LSE   %lse_0 = vector.extract %lse[0] : f32 from !two
    //$LSE   cute.store(%lse_0, %mL, %start_Q + %row)
    //$LSE   if %row + 8 <u %M {
    //$LSE     %lse_1 = vector.extract %lse[1] : f32 from !two
    //$LSE     cute.store(%lse_1, %mL, %start_Q + %row + 8)
    //$LSE   }
    //$LSE }
    %by_ls = cute.broadcast_vector<"((1,2),1)", "((2,2),${DV_TILE/8})"> (%by_l * %factor_V)
    %rD = cute.make_fragment_like<$TO> (%rO)
    cute.store_vector($TO(cute.load_vector(%rO) * %by_ls), %rD)
    %sO = cute.alloc_smem<$TO, 128> (($ROWS,$DV_TILE):($DV_TILE,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma_O)
    %sO_write = cute.partition_d(%r2s, %sO, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sO_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (${THREADS*8/ACROSS_O},${ACROSS_O/8}):(${ACROSS_O/8},1), (1,8):(0,1))
    %sO_read = cute.partition_s(%s2g, %sO, %thread)
    //$FIXED %gO, %pO = cute.predicated_tile_d(%s2g, %mO, ($ROWS,$DV_TILE), (%tile,0), %thread)
    //$VARLEN %gO, %pO = cute.predicated_tile_d(%s2g, %mO, ($ROWS,$DV_TILE), (%tile,0), %thread, (%start_Q,0))
    %r = cute.make_fragment_like(%sO_read)
    cute.copy(%s2g, %sO_read, %r)
    cute.copy(%s2g, %r, %gO, %pO)
    gpu.return
  }
}
