// O = softmax(scale * Q K^T) V, for each batch and head, as one writes it first: a loop
// over tiles of keys with two products and a softmax between them. Q and O are (batch,
// head, row, D), K and V (batch, head, column, D) of f16, or of bf16 (-D T=bf16 -D
// PRODUCT=F32BF16BF16). Q has GROUP times as many heads as K and V.
//
//   cutec examples/attention_plain.mlir --arch=sm_90a --passes=cute-optimize -o attention.ptx
//
// makes of it what attention_sm90.mlir is by hand (docs/hopper.md). -D D=64 has heads
// of 64, and with -D CAUSAL=1 row i of M sees the columns up to i + N - M; then with -D
// TOGETHER=4, a divisor of the number of heads, four of them, whose K and V the L2 cache
// holds, are computed before the next four.
//
// A warp has 16 rows, and goes from the last key that one of the block's rows sees to the
// first, KEYS at a time. P = 2^(c S - c m) with c = scale log2(e) and m, a maximum of the
// row: it becomes the new one, and O and l, the sum of P, shrink, if P would be more than
// 2^8. Sums of S are what a thread needs as operand A of P V.

!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?,?,$D):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_${PRODUCT}F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", $T>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", $T>
!ldmatrix_t = !cute.copy_atom<"SM75_U16x8_LDSM_T", $T>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", $T>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", $T>
!two = vector<2xf32>
!scores = vector<${KEYS/2}xf32>
!sums = vector<${D/2}xf32>

gpu.module @attention_module attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16", D = 128, WARPS = 8, KEYS = 128, CAUSAL = 0, GROUP = 1, TOGETHER = 1, ROWS = ${16*WARPS}, THREADS = ${32*WARPS}}} {
  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32) kernel
      attributes {known_block_size = array<i32: $THREADS, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[2], $ROWS) * $TOGETHER", "ceil_div(arg0.shape[1], $TOGETHER)", "arg0.shape[0]"]} {
    %block = cute.block_idx
    %heads = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx
    %causal = arith.constant $CAUSAL : i1
    %together = arith.constant $TOGETHER : i32
    %x_together = arith.divui %block, %together : i32
    %x = arith.select %causal, %x_together, %block : i32
    %first_head = arith.muli %heads, %together : i32
    %in_heads = arith.remui %block, %together : i32
    %head_together = arith.addi %first_head, %in_heads : i32
    %head = arith.select %causal, %head_together, %heads : i32
    %group = arith.constant $GROUP : i32
    %head_K = arith.divui %head, %group : i32
    %mQ = cute.slice(%Q, (%batch,%head,_,_))
    %mK = cute.slice(%K, (%batch,%head_K,_,_))
    %mV = cute.slice(%V, (%batch,%head_K,_,_))
    %mO = cute.slice(%O, (%batch,%head,_,_))
    %Q_layout = cute.get_layout(%mQ)
    %K_layout = cute.get_layout(%mK)
    %M, %ldq = cute.get_scalars<{only_dynamic}> (%Q_layout)
    %N, %ldk = cute.get_scalars<{only_dynamic}> (%K_layout)

    // Row r of the block sees the columns before end + r, or before end.
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %rows = arith.constant $ROWS : i32
    %keys = arith.constant $KEYS : i32
    %row_tiles = arith.ceildivui %M, %rows : i32
    %last_tile = arith.subi %row_tiles, %c1 : i32
    %x_up = arith.subi %last_tile, %x : i32
    %tile = arith.select %causal, %x_up, %x : i32
    %first_row = arith.muli %tile, %rows : i32
    %before = arith.subi %N, %M : i32
    %shifted = arith.addi %first_row, %before : i32
    %next = arith.addi %shifted, %c1 : i32
    %end = arith.select %causal, %next, %N : i32
    %last_end = arith.addi %shifted, %rows : i32
    %end_seen = arith.minsi %last_end, %N : i32
    %end_all = arith.select %causal, %end_seen, %N : i32
    %end_least = arith.maxsi %end_all, %c0 : i32
    %tiles = arith.ceildivui %end_least, %keys : i32
    %last = arith.subi %tiles, %c1 : i32

    %sQ = cute.alloc_smem<$T, 128> (($ROWS,$D):($D,1))
    %sK = cute.alloc_smem<$T, 128> (($KEYS,$D):($D,1))
    %sV = cute.alloc_smem<$T, 128> (($KEYS,$D):($D,1))
    %sVt = cute.select<[1, 0]> (%sV)

    %mma_S = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,16))
    %mma_O = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,16))
    %tQ = cute.partition_a(%mma_S, %sQ, %thread)
    %tK = cute.partition_b(%mma_S, %sK, %thread)
    %tV = cute.partition_b(%mma_O, %sVt, %thread)
    %rQ = cute.make_fragment_a(%mma_S, %tQ)
    %rK = cute.make_fragment_b(%mma_S, %tK)
    %rV = cute.make_fragment_b(%mma_O, %tV)
    %S_shape = cute.partition_shape_c(%mma_S, ($ROWS,$KEYS))
    %O_shape = cute.partition_shape_c(%mma_O, ($ROWS,$D))
    %rS = cute.make_fragment<f32> (%S_shape)
    %rO = cute.make_fragment<f32> (%O_shape)
    %rP = cute.make_fragment_like<$T> (%rS)
    %rP_A = cute.composition(%rP, ((2,2,2),1,${KEYS/16}):((1,2,4),0,8))

    %g2s = cute.make_tiled_copy(!async, (${THREADS*8/D},${D/8}):(${D/8},1), (1,8):(0,1))
    %sQ_write = cute.partition_d(%g2s, %sQ, %thread)
    %sK_write = cute.partition_d(%g2s, %sK, %thread)
    %sV_write = cute.partition_d(%g2s, %sV, %thread)
    %s2r_Q = cute.make_tiled_copy_a(!ldmatrix, %mma_S)
    %s2r_K = cute.make_tiled_copy_b(!ldmatrix, %mma_S)
    %s2r_V = cute.make_tiled_copy_b(!ldmatrix_t, %mma_O)
    %sQ_read = cute.partition_s(%s2r_Q, %sQ, %thread)
    %sK_read = cute.partition_s(%s2r_K, %sK, %thread)
    %sV_read = cute.partition_s(%s2r_V, %sVt, %thread)
    %rQ_write = cute.retile(%s2r_Q, %rQ)
    %rK_write = cute.retile(%s2r_K, %rK)
    %rV_write = cute.retile(%s2r_V, %rV)

    %gQ, %pQ = cute.predicated_tile_s(%g2s, %mQ, ($ROWS,$D), (%tile,0), %thread)
    cute.copy(%g2s, %gQ, %sQ_write, %pQ)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier
    cute.copy(%s2r_Q, %sQ_read, %rQ_write)

    %log2e = arith.constant 1.44269504 : f32
    %c = arith.mulf %scale, %log2e : f32
    %cs = vector.broadcast %c : f32 to !scores
    %c2 = vector.broadcast %c : f32 to !two
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -1.0e30 : f32
    %l_0 = arith.constant dense<0.0> : !two
    %m_0 = arith.constant dense<-1.0e30> : !two
    %much = arith.constant dense<8.0> : !two
    %none = arith.constant dense<0xFF800000> : !scores
    cute.clear(%rO)
    %m_last, %l_last = scf.for %i = %c0 to %tiles step %c1 iter_args(%m = %m_0, %l = %l_0) -> (!two, !two) : i32 {
      %j = arith.subi %last, %i : i32
      %gK, %pK = cute.predicated_tile_s(%g2s, %mK, ($KEYS,$D), (%j,0), %thread)
      %gV, %pV = cute.predicated_tile_s(%g2s, %mV, ($KEYS,$D), (%j,0), %thread)
      cute.copy(%g2s, %gK, %sK_write, %pK)
      cute.copy(%g2s, %gV, %sV_write, %pV)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.copy(%s2r_K, %sK_read, %rK_write)
      cute.clear(%rS)
      cute.gemm(%mma_S, %rS, %rQ, %rK, %rS)

      // Scores that some row does not see are -inf.
      %begin = arith.muli %j, %keys : i32
      %left = arith.subi %end, %begin : i32
      %is_edge = arith.cmpi slt, %left, %keys : i32
      scf.if %is_edge {
        %cS = cute.make_tensor(0, ($ROWS,$KEYS):(${0-CAUSAL},1))
        %tS = cute.partition_c(%mma_S, %cS, %thread)
        %bound = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
        %pS = cute.make_predicate(%tS, %bound)
        %sees = cute.load_vector(%pS)
        %s_all = cute.load_vector(%rS)
        %s_seen = arith.select %sees, %s_all, %none : vector<${KEYS/2}xi1>, !scores
        cute.store_vector(%s_seen, %rS)
      }

      %s = cute.load_vector(%rS)
      %m_mine = cute.reduce_vector<"max", "((2,2),${KEYS/8})", "((1,_),1)"> (%s, %lowest)
      %m_quad = cute.warp_reduce<"max", 4> (%m_mine)
      %more = arith.subf %m_quad, %m : !two
      %more_c = arith.mulf %more, %c2 : !two
      %grows = arith.cmpf ogt, %more_c, %much : !two
      %m_new = arith.select %grows, %m_quad, %m : vector<2xi1>, !two
      %less = arith.subf %m, %m_new : !two
      %less_c = arith.mulf %less, %c2 : !two
      %shrink = math.exp2 %less_c fastmath<afn> : !two
      %cm = arith.mulf %m_new, %c2 : !two
      %minus_cm = arith.negf %cm : !two
      %minus_cms = cute.broadcast_vector<"((1,2),1)", "((2,2),${KEYS/8})"> (%minus_cm)
      %e = math.fma %s, %cs, %minus_cms : !scores
      %p = math.exp2 %e fastmath<afn> : !scores
      %l_step = cute.reduce_vector<"add", "((2,2),${KEYS/8})", "((1,_),1)"> (%p, %zero)
      %l_less = arith.mulf %l, %shrink : !two
      %l_new = arith.addf %l_less, %l_step : !two
      %h = arith.truncf %p : !scores to vector<${KEYS/2}x${T}>
      cute.store_vector(%h, %rP)

      %grows_mine = vector.reduction <or>, %grows : vector<2xi1> into i1
      %grows_any = cute.vote_any_sync(%grows_mine)
      scf.if %grows_any {
        %shrinks = cute.broadcast_vector<"((1,2),1)", "((2,2),${D/8})"> (%shrink)
        %o = cute.load_vector(%rO)
        %o_less = arith.mulf %o, %shrinks : !sums
        cute.store_vector(%o_less, %rO)
      }
      cute.copy(%s2r_V, %sV_read, %rV_write)
      cute.gemm(%mma_O, %rO, %rP_A, %rV, %rO)
      gpu.barrier
      scf.yield %m_new, %l_new : !two, !two
    }

    // O / l, or 0 of no columns, by way of shared memory.
    %tiny = arith.constant dense<1.0e-30> : !two
    %ones = arith.constant dense<1.0> : !two
    %l_quad = cute.warp_reduce<"add", 4> (%l_last)
    %l_safe = arith.maximumf %l_quad, %tiny : !two
    %by_l = arith.divf %ones, %l_safe : !two
    %by_ls = cute.broadcast_vector<"((1,2),1)", "((2,2),${D/8})"> (%by_l)
    %o_sum = cute.load_vector(%rO)
    %o_mean = arith.mulf %o_sum, %by_ls : !sums
    %o_half = arith.truncf %o_mean : !sums to vector<${D/2}x${T}>
    %rD = cute.make_fragment_like<$T> (%rO)
    cute.store_vector(%o_half, %rD)
    %sO = cute.alloc_smem<$T, 128> (($ROWS,$D):($D,1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma_O)
    %sO_write = cute.partition_d(%r2s, %sO, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sO_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, (${THREADS*8/D},${D/8}):(${D/8},1), (1,8):(0,1))
    %sO_read = cute.partition_s(%s2g, %sO, %thread)
    %gO, %pO = cute.predicated_tile_d(%s2g, %mO, ($ROWS,$D), (%tile,0), %thread)
    %r = cute.make_fragment_like(%sO_read)
    cute.copy(%s2g, %sO_read, %r)
    cute.copy(%s2g, %r, %gO, %pO)
    gpu.return
  }
}
