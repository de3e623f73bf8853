// The gradients of attention, O = softmax(scale * Q K^T) V, as one writes them first: a loop
// over tiles with four products. With dO the gradient of O, L the logarithm of the sum of
// e^(scale Q K^T) for each row, and D the sum of dO O for each row,
//
//   P = e^(scale S - L), S = Q K^T        dV = P^T dO
//   dS = P (dO V^T - D)                   dQ = scale dS K      dK = scale dS^T Q
//
// A block computes ROWS rows of dQ, from all keys that they see; or with -D KEYS=1, ROWS rows of
// dK and dV, from all queries that see them, a tile of each of GROUP heads after the other. It adds
// to nothing that another one writes, so that equal inputs give equal bits. To a block
//
//   X and Y are its rows of Q and dO, or of K and V;
//   U and W are tiles of COLS rows of K and V, or of Q and dO, and S = X U^T.
//
// With -D ONCE=1, for sm_90, it also adds its part of dQ to sums of float32, which are 0 before and
// are to be scaled after: five products make all gradients, and the order of additions is any. dS goes
// through shared memory for dQ, and dQ so that threads add whole rows.
//
// With -D ORDER=1 beside it, blocks add to a tile of dQ in the order of their rows of K, so that equal
// inputs give equal bits here, too: %turns (batch, head, tile of dQ), 0 before, counts the threads that
// have added. A block waits only for blocks that are launched before it. All go through dQ in the same
// direction, from the last row down if it is causal, so that one which begins a round after the block
// before it never waits; blocks of %side heads are launched by turns, which leaves the time between.
//
// The operands are (batch, head, row, D) of f16, or of bf16 (-D T=bf16 -D PRODUCT=F32BF16BF16), D a
// multiple of 8, in tiles of D_TILE, a multiple of 16.
// L2 is -L log2(e) and D as above, (batch, head, row), with so many rows that tiles divide them:
// L2 of a row that sees no key, or is not there, is -inf. With -D CAUSAL=1 row i of M sees the
// columns up to i + N - M, and with -D WINDOW=1 the last %window of them. With -D CAP=1 a product
// x = scale S became %cap tanh(x / %cap). Sums of S are what a thread needs as operand A of the later products.

!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?,?,$D):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!row_sums = !cute.tensor<f32, gmem, align<16>, "(?,?,?{div=${ROWS+KEYS*(COLS-ROWS)}}):(?{i64 div=4},?{i64 div=4},1)">
!sums = !cute.tensor<f32, gmem, align<16>, "(?,?,?,$D):(?{i64 div=4},?{i64 div=4},?{i64 div=4},1)">
!turns = !cute.tensor<i32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},1)">
!red = !cute.copy_atom<"$RED", f32>
!mma_atom = !cute.mma_atom<"SM80_16x8x16_${PRODUCT}F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", $T>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", $T>
!ldmatrix_t = !cute.copy_atom<"SM75_U16x8_LDSM_T", $T>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", $T>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", $T>

gpu.module @attention_backward_module attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16", D = 128, WARPS = 4, COLS = 32, D_TILE = ${(D+15)/16*16}, ACROSS = ${D_TILE}, ONCE = 0, TWICE = ${1-ONCE}, KEYS = ${ONCE}, TWICE_KEYS = ${KEYS*TWICE}, RED = "SM90_RED_ADD_F32x4", QUERIES = ${1-KEYS}, CAUSAL = 0, WINDOW = 0, WHOLE = ${1-WINDOW}, CAP = 0, LINEAR = ${1-CAP}, GROUP = 1, SHARED = ${KEYS*min(GROUP-1,1)}, ALONE = ${1-SHARED}, ORDER = 0, LOOSE = ${1-ORDER}, DOWN = ${ORDER*CAUSAL}, UP = ${1-DOWN}, ROWS = ${16*WARPS}, THREADS = ${32*WARPS}}} {
  gpu.func @attention_backward(%X: !matrix, %Y: !matrix, %U: !matrix, %W: !matrix,
      %L2: !row_sums, %D: !row_sums, %dX: !matrix,
      //$KEYS %dY: !matrix,
      //$ONCE %dQ: !sums {llvm.noalias},
      //$ORDER %turns: !turns {llvm.noalias}, %side: i32,
      //$WINDOW %window: i32,
      //$CAP %cap: f32,
      %scale: f32) kernel
      attributes {known_block_size = array<i32: $THREADS, 1, 1>,
                  //$LOOSE cute.grid = ["ceil_div(arg0.shape[2], $ROWS)", "arg0.shape[1]", "arg0.shape[0]"]} {
                  //$ORDER cute.schedule = {persist = 2},
                  //$ORDER cute.grid = ["ceil_div(arg0.shape[2], $ROWS) * arg0.shape[1] * arg0.shape[0]"]} {
    cute.static_assert<"divisible", "all threads copy parts of a tile of COLS rows"> ($COLS, ${THREADS*8/ACROSS})
    //$LOOSE %tile = cute.block_idx
    //$LOOSE %head = cute.block_idx<"y">
    //$LOOSE %batch = cute.block_idx<"z">
    //$ORDER %heads = cute.size<1>(%X)
    //$ORDER %all_heads = cute.size<0>(%X) * %heads
    //$ORDER %in_turn = cute.size<2>(%X) ceildivu $ROWS * %side
    //$ORDER %first_head = cute.block_idx /u %in_turn * %side
    //$ORDER %beside = mins(%side, %all_heads - %first_head)
    //$ORDER %place = cute.block_idx modu %in_turn
    //$ORDER %tile = %place /u %beside
    //$ORDER %row_of_heads = %first_head + %place modu %beside
    //$ORDER %batch = %row_of_heads /u %heads
    //$ORDER %head = %row_of_heads modu %heads
    %thread = cute.thread_idx
    %causal = $CAUSAL : i1
    %of_keys = $KEYS : i1
    %mX = cute.slice(%X, (%batch,%head,_,_))
    %mY = cute.slice(%Y, (%batch,%head,_,_))
    %mU_0 = cute.slice(%U, (0,0,_,_))
    %X_layout = cute.get_layout(%mX)
    %U_layout = cute.get_layout(%mU_0)
    %M, %ldx = cute.get_scalars<{only_dynamic}> (%X_layout)
    %N, %ldu = cute.get_scalars<{only_dynamic}> (%U_layout)

    // Tiles from %begin to before %end have columns that a row of the block sees, or is seen by.
    %first = %tile * $ROWS
    %last_seen = %first + (%N - %M) + $ROWS
    %first_seen = %first - (%M - %N)
    %sees = arith.select(%causal, mins(%last_seen, %N), %N)
    %from = arith.select(%causal, %first_seen, 0)
    //$WHOLE %from_Q = 0 : i32
    //$WHOLE %to_K = maxs(%N, 0)
    //$WINDOW %from_Q = maxs(%first + (%N - %M) + 1 - %window, 0)
    //$WINDOW %to_K = maxs(mins(%first_seen + ${ROWS-1} + %window, %N), 0)
    %begin = arith.select(%of_keys, maxs(%from, 0), %from_Q) /u $COLS
    %end = arith.select(%of_keys, %to_K, maxs(%sees, 0)) ceildivu $COLS
    %tiles = maxs(%end - %begin, 0)

    %sX = cute.alloc_smem<$T, 128> (($ROWS,$D_TILE):($D_TILE,1))
    %sY = cute.alloc_smem<$T, 128> (($ROWS,$D_TILE):($D_TILE,1))
    %sU = cute.alloc_smem<$T, 128> (($COLS,$D_TILE):($D_TILE,1))
    %sW = cute.alloc_smem<$T, 128> (($COLS,$D_TILE):($D_TILE,1))
    %sUt = cute.select<[1, 0]> (%sU)

    %mma_S = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,16))
    %mma_P = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,16))
    %mma_X = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,16))
    //$KEYS %mma_Y = cute.make_tiled_mma(!mma_atom, ($WARPS,1,1):(1,0,0), ($ROWS,16,16))
    %tX = cute.partition_a(%mma_S, %sX, %thread)
    %tU = cute.partition_b(%mma_S, %sU, %thread)
    %tUt = cute.partition_b(%mma_X, %sUt, %thread)
    %rX = cute.make_fragment_a(%mma_S, %tX)
    %rY = cute.make_fragment_a(%mma_P, %tX)
    %rU = cute.make_fragment_b(%mma_S, %tU)
    %rW = cute.make_fragment_b(%mma_P, %tU)
    %rUt = cute.make_fragment_b(%mma_X, %tUt)
    %S_shape = cute.partition_shape_c(%mma_S, ($ROWS,$COLS))
    %dX_shape = cute.partition_shape_c(%mma_X, ($ROWS,$D_TILE))
    %rS = cute.make_fragment<f32> (%S_shape)
    %rdP = cute.make_fragment<f32> (%S_shape)
    %rdX = cute.make_fragment<f32> (%dX_shape)
    %rdS = cute.make_fragment_like<$T> (%rS)
    %rdS_A = cute.composition(%rdS, ((2,2,2),1,${COLS/16}):((1,2,4),0,8))
    //$ONCE %sL = cute.alloc_smem<f32, 128> ((1,$COLS):($COLS,1))
    //$ONCE %sD = cute.alloc_smem<f32, 128> ((1,$COLS):($COLS,1))
    //$ONCE %line = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>", f32>
    //$ONCE %g2s_line = cute.make_tiled_copy(%line, (($COLS,${THREADS/COLS}),1):((1,0),0), (1,$COLS))
    //$ONCE %sL_write = cute.partition_d(%g2s_line, %sL, %thread)
    //$ONCE %sD_write = cute.partition_d(%g2s_line, %sD, %thread)
    //$ONCE %sdS = cute.alloc_smem<$T, 128> (($ROWS,$COLS):($COLS,1))
    //$ONCE %mma_Q = cute.make_tiled_mma(!mma_atom, (${COLS/16},${WARPS*16/COLS},1):(1,${COLS/16},0), ($COLS,${WARPS*16/COLS*16},16))
    //$ONCE %sdSt = cute.select<[1, 0]> (%sdS)
    //$ONCE %sXt = cute.select<[1, 0]> (%sX)
    //$ONCE %rdSt = cute.make_fragment_a(%mma_Q, cute.partition_a(%mma_Q, %sdSt, %thread))
    //$ONCE %rXt = cute.make_fragment_b(%mma_Q, cute.partition_b(%mma_Q, %sXt, %thread))
    //$ONCE %rdQ = cute.make_fragment<f32> (cute.partition_shape_c(%mma_Q, ($COLS,$D_TILE)))
    //$ONCE %sdQ = cute.alloc_smem<f32, 128> (($COLS,$D_TILE):($D_TILE,1))
    //$ONCE %r2s_Q = cute.make_tiled_copy_c(!cute.copy_atom<"UniversalCopy<uint64_t>", f32>, %mma_Q)
    //$ONCE %rdQ_read = cute.retile(%r2s_Q, %rdQ)
    //$ONCE %sdQ_write = cute.partition_d(%r2s_Q, %sdQ, %thread)
    //$ONCE %s2r_Q = cute.make_tiled_copy(!cute.copy_atom<"UniversalCopy<uint128_t>", f32>, (${THREADS*4/ACROSS},${ACROSS/4}):(${ACROSS/4},1), (1,4):(0,1))
    //$ONCE %r2g = cute.make_tiled_copy(!red, (${THREADS*4/ACROSS},${ACROSS/4}):(${ACROSS/4},1), (1,4):(0,1))
    //$ONCE %sdQ_read = cute.partition_s(%s2r_Q, %sdQ, %thread)
    //$ONCE %rdQ_row = cute.make_fragment_like(%sdQ_read)
    //$ONCE %r2s_S = cute.make_tiled_copy_c(!pair, %mma_S)
    //$ONCE %sdS_write = cute.partition_d(%r2s_S, %sdS, %thread)
    //$ONCE %rdS_read = cute.retile(%r2s_S, %rdS)
    //$ONCE %s2r_at = cute.make_tiled_copy_a(!ldmatrix_t, %mma_Q)
    //$ONCE %s2r_bt = cute.make_tiled_copy_b(!ldmatrix_t, %mma_Q)
    //$ONCE %sdSt_read = cute.partition_s(%s2r_at, %sdSt, %thread)
    //$ONCE %sXt_read = cute.partition_s(%s2r_bt, %sXt, %thread)
    //$ONCE %rdSt_write = cute.retile(%s2r_at, %rdSt)
    //$ONCE %rXt_write = cute.retile(%s2r_bt, %rXt)
    //$KEYS %sWt = cute.select<[1, 0]> (%sW)
    //$KEYS %rWt = cute.make_fragment_b(%mma_Y, %tUt)
    //$KEYS %rdY = cute.make_fragment<f32> (%dX_shape)
    //$KEYS %rP = cute.make_fragment_like<$T> (%rS)
    //$KEYS %rP_A = cute.composition(%rP, ((2,2,2),1,${COLS/16}):((1,2,4),0,8))

    %g2s = cute.make_tiled_copy(!async, (${THREADS*8/ACROSS},${ACROSS/8}):(${ACROSS/8},1), (1,8):(0,1))
    %sX_write = cute.partition_d(%g2s, %sX, %thread)
    %sY_write = cute.partition_d(%g2s, %sY, %thread)
    %sU_write = cute.partition_d(%g2s, %sU, %thread)
    %sW_write = cute.partition_d(%g2s, %sW, %thread)
    %s2r_a = cute.make_tiled_copy_a(!ldmatrix, %mma_S)
    %s2r_b = cute.make_tiled_copy_b(!ldmatrix, %mma_S)
    %s2r_t = cute.make_tiled_copy_b(!ldmatrix_t, %mma_X)
    %sX_read = cute.partition_s(%s2r_a, %sX, %thread)
    %sY_read = cute.partition_s(%s2r_a, %sY, %thread)
    %sU_read = cute.partition_s(%s2r_b, %sU, %thread)
    %sW_read = cute.partition_s(%s2r_b, %sW, %thread)
    %sUt_read = cute.partition_s(%s2r_t, %sUt, %thread)
    %rX_write = cute.retile(%s2r_a, %rX)
    %rY_write = cute.retile(%s2r_a, %rY)
    %rU_write = cute.retile(%s2r_b, %rU)
    %rW_write = cute.retile(%s2r_b, %rW)
    %rUt_write = cute.retile(%s2r_t, %rUt)
    //$KEYS %sWt_read = cute.partition_s(%s2r_t, %sWt, %thread)
    //$KEYS %rWt_write = cute.retile(%s2r_t, %rWt)

    %gX, %pX = cute.predicated_tile_s(%g2s, %mX, ($ROWS,$D_TILE), (%tile,0), %thread)
    %gY, %pY = cute.predicated_tile_s(%g2s, %mY, ($ROWS,$D_TILE), (%tile,0), %thread)
    cute.copy(%g2s, %gX, %sX_write, %pX)
    cute.copy(%g2s, %gY, %sY_write, %pY)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier

    %c = %scale * 1.44269504
    cute.clear(%rdX)
    //$KEYS cute.clear(%rdY)
    %head_first = arith.select(%of_keys, %head * $GROUP, %head /u $GROUP)
    for %i in 0..%tiles * ${KEYS*(GROUP-1)+1} {
      //$SHARED %head_U = %head_first + %i modu $GROUP
      //$SHARED %step = %i /u $GROUP
      //$ALONE %head_U = %head_first + 0
      //$ALONE %step = %i + 0
      //$UP %j = %begin + %step
      //$DOWN %j = %end - 1 - %step
      %head_Q = arith.select(%of_keys, %head_U, %head)
      %mU = cute.slice(%U, (%batch,%head_U,_,_))
      %mW = cute.slice(%W, (%batch,%head_U,_,_))
      %mL2 = cute.slice(%L2, (%batch,%head_Q,_))
      %mD = cute.slice(%D, (%batch,%head_Q,_))
      %gU, %pU = cute.predicated_tile_s(%g2s, %mU, ($COLS,$D_TILE), (%j,0), %thread)
      %gW, %pW = cute.predicated_tile_s(%g2s, %mW, ($COLS,$D_TILE), (%j,0), %thread)
      cute.copy(%g2s, %gU, %sU_write, %pU)
      cute.copy(%g2s, %gW, %sW_write, %pW)
      //$ONCE %lL = cute.slice(%L2, (%batch,_,_))
      //$ONCE %lD = cute.slice(%D, (%batch,_,_))
      //$ONCE %gL, %pL = cute.predicated_tile_s(%g2s_line, %lL, (1,$COLS), (%head_Q,%j), %thread)
      //$ONCE %gD, %pD = cute.predicated_tile_s(%g2s_line, %lD, (1,$COLS), (%head_Q,%j), %thread)
      //$ONCE cute.copy(%g2s_line, %gL, %sL_write, %pL)
      //$ONCE cute.copy(%g2s_line, %gD, %sD_write, %pD)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.copy(%s2r_a, %sX_read, %rX_write)
      cute.copy(%s2r_b, %sU_read, %rU_write)
      cute.clear(%rS)
      cute.gemm(%mma_S, %rS, %rX, %rU, %rS)
      cute.copy(%s2r_a, %sY_read, %rY_write)
      cute.copy(%s2r_b, %sW_read, %rW_write)
      cute.clear(%rdP)
      cute.gemm(%mma_P, %rdP, %rY, %rW, %rdP)

      %number = arith.select(%of_keys, %j, %tile)
      //$TWICE %gL2 = cute.local_tile(%mL2, ${ROWS+KEYS*(COLS-ROWS)}, %number)
      //$TWICE %gD = cute.local_tile(%mD, ${ROWS+KEYS*(COLS-ROWS)}, %number)
      //$TWICE %aL2 = cute.composition(%gL2, ($ROWS,$COLS):($QUERIES,$KEYS))
      //$TWICE %aD = cute.composition(%gD, ($ROWS,$COLS):($QUERIES,$KEYS))
      //$ONCE %aL2 = cute.composition(%sL, ($ROWS,$COLS):(0,1))
      //$ONCE %aD = cute.composition(%sD, ($ROWS,$COLS):(0,1))
      %tL2 = cute.partition_c(%mma_S, %aL2, %thread)
      %tD = cute.partition_c(%mma_S, %aD, %thread)
      %l2 = cute.load_vector(%tL2)
      //$TWICE %d = cute.load_vector(%tD)

      //$CAP %s_raw = cute.load_vector(%rS)
      //$CAP %e = math.exp2<afn>(%s_raw * (%scale * 2.88539008 / %cap))
      //$CAP %bent = 1.0 - arith.divf<afn>(2.0, %e + 1.0)
      //$CAP cute.store_vector(%bent * (%cap / %scale), %rS)

      // Products that a row does not see are -inf, for which P is 0.
      %columns = %j * $COLS
      %left_Q = arith.select(%causal, %first + (%N - %M) + 1, %N) - %columns
      %left_K = arith.select(%causal, %columns + (%M - %N) - %first + 1, $ROWS)
      %left = arith.select(%of_keys, %left_K, %left_Q)
      //$WHOLE %masks = %left <s ${COLS+KEYS*(ROWS-COLS)}
      //$WINDOW %before = %left - %window
      //$WINDOW %masks = %left <s ${COLS+KEYS*(ROWS-COLS)} or %before >s ${1-ROWS+KEYS*(ROWS-COLS)}
      if %masks {
        %cS = cute.make_tensor(0, ($ROWS,$COLS):(${CAUSAL*(2*KEYS-1)},${1-KEYS*(1+CAUSAL)}))
        %tS = cute.partition_c(%mma_S, %cS, %thread)
        %bound = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
        //$WHOLE %pS = cute.make_predicate(%tS, %bound)
        //$WINDOW %least = cute.make_int_tuple(%before) : (i32) -> !cute.int_tuple<"?">
        //$WINDOW %pS = cute.make_predicate(%tS, %bound, %least)
        %seen = cute.load_vector(%pS)
        %s_all = cute.load_vector(%rS)
        cute.store_vector(arith.select(%seen, %s_all, 0xFF800000), %rS)
      }

      %s = cute.load_vector(%rS)
      %p = math.exp2<afn>(math.fma(%s, %c, %l2))
      //$KEYS cute.store_vector($T(%p), %rP)
      //$KEYS cute.copy(%s2r_t, %sWt_read, %rWt_write)
      //$KEYS cute.gemm(%mma_Y, %rdY, %rP_A, %rWt, %rdY)
      //$ONCE %d = cute.load_vector(%tD)
      %dp = cute.load_vector(%rdP)
      //$LINEAR %ds = %p * (%dp - %d)
      //$CAP %ds = %p * (%dp - %d) * (1.0 - %bent * %bent)
      cute.store_vector($T(%ds), %rdS)
      //$ONCE cute.copy(%r2s_S, %rdS_read, %sdS_write)
      //$ONCE gpu.barrier
      //$ONCE cute.copy(%s2r_at, %sdSt_read, %rdSt_write)
      //$ONCE cute.copy(%s2r_bt, %sXt_read, %rXt_write)
      //$ONCE cute.clear(%rdQ)
      //$ONCE cute.gemm(%mma_Q, %rdQ, %rdSt, %rXt, %rdQ)
      cute.copy(%s2r_t, %sUt_read, %rUt_write)
      cute.gemm(%mma_X, %rdX, %rdS_A, %rUt, %rdX)
      //$ONCE %mdQ = cute.slice(%dQ, (%batch,%head_Q,_,_))
      //$ONCE %gdQ = cute.local_tile(%mdQ, ($COLS,$D_TILE), (%j,0))
      //$ONCE cute.copy(%r2s_Q, %rdQ_read, %sdQ_write)
      //$ONCE gpu.barrier
      //$ONCE cute.copy(%s2r_Q, %sdQ_read, %rdQ_row)
      //$ONCE %tdQ = cute.partition_d(%r2g, %gdQ, %thread)
      //$ORDER scf.while : () -> () {
        //$ORDER %zero = 0 : i32
        //$ORDER %have_added = cute.atomic_rmw<"add", "acquire", "gpu"> (%zero, %turns, (%batch,%head_Q,%j))
        //$ORDER %turn = %tile * $THREADS
        //$ORDER %waits = %have_added <s %turn
        //$ORDER scf.condition(%waits)
      //$ORDER } do {
        //$ORDER scf.yield
      //$ORDER }
      //$ONCE cute.copy(%r2g, %rdQ_row, %tdQ)
      //$ORDER %one = 1 : i32
      //$ORDER %before_this = cute.atomic_rmw<"add", "release", "gpu"> (%one, %turns, (%batch,%head_Q,%j))
      gpu.barrier
    }

    %r2s = cute.make_tiled_copy_c(!pair, %mma_X)
    %s2g = cute.make_tiled_copy(!vector, (${THREADS*8/ACROSS},${ACROSS/8}):(${ACROSS/8},1), (1,8):(0,1))
    %mdX = cute.slice(%dX, (%batch,%head,_,_))
    %dx = cute.load_vector(%rdX)
    %rdX_T = cute.make_fragment_like<$T> (%rdX)
    cute.store_vector($T(%dx * %scale), %rdX_T)
    %sdX = cute.alloc_smem<$T, 128> (($ROWS,$D_TILE):($D_TILE,1))
    %sdX_write = cute.partition_d(%r2s, %sdX, %thread)
    %rdX_read = cute.retile(%r2s, %rdX_T)
    cute.copy(%r2s, %rdX_read, %sdX_write)
    //$KEYS %mdY = cute.slice(%dY, (%batch,%head,_,_))
    //$KEYS %dy = cute.load_vector(%rdY)
    //$KEYS %rdY_T = cute.make_fragment_like<$T> (%rdY)
    //$KEYS cute.store_vector($T(%dy), %rdY_T)
    //$TWICE_KEYS %sdY = cute.alloc_smem<$T, 128> (($ROWS,$D_TILE):($D_TILE,1))
    //$TWICE_KEYS %sdY_write = cute.partition_d(%r2s, %sdY, %thread)
    //$TWICE_KEYS %rdY_read = cute.retile(%r2s, %rdY_T)
    //$TWICE_KEYS cute.copy(%r2s, %rdY_read, %sdY_write)
    gpu.barrier
    %sdX_read = cute.partition_s(%s2g, %sdX, %thread)
    %gdX, %pdX = cute.predicated_tile_d(%s2g, %mdX, ($ROWS,$D_TILE), (%tile,0), %thread)
    %r = cute.make_fragment_like(%sdX_read)
    cute.copy(%s2g, %sdX_read, %r)
    cute.copy(%s2g, %r, %gdX, %pdX)
    //$ONCE gpu.barrier
    //$ONCE %rdY_read = cute.retile(%r2s, %rdY_T)
    //$ONCE cute.copy(%r2s, %rdY_read, %sdX_write)
    //$ONCE gpu.barrier
    //$ONCE %sdY_read = cute.partition_s(%s2g, %sdX, %thread)
    //$TWICE_KEYS %sdY_read = cute.partition_s(%s2g, %sdY, %thread)
    //$KEYS %gdY, %pdY = cute.predicated_tile_d(%s2g, %mdY, ($ROWS,$D_TILE), (%tile,0), %thread)
    //$KEYS %rY_copy = cute.make_fragment_like(%sdY_read)
    //$KEYS cute.copy(%s2g, %sdY_read, %rY_copy)
    //$KEYS cute.copy(%s2g, %rY_copy, %gdY, %pdY)
    gpu.return
  }
}
