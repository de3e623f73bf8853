// All gradients of attention, O = softmax(scale * Q K^T) V, for Hopper, by five products. With dO
// the gradient of O, L the logarithm of the sum of e^(scale Q K^T) for each row, and R the sum of
// dO O for each row,
//
//   P = e^(scale S - L), S = Q K^T        dV = P^T dO
//   dS = P (dO V^T - R)                   dQ = scale dS K      dK = scale dS^T Q
//
// Q, dO (G below) and dQ are (batch, head, row, D) of f16, or of bf16 (-D T=bf16
// -D PRODUCT=F32BF16BF16), K, V, dK and dV (batch, head, column, D), with GROUP times as many heads
// of Q. D is a multiple of 8 up to 128; tiles have WIDTH columns. L2 is -L log2(e) and R as above,
// (batch, head, row), with so many rows that tiles divide them: L2 of a row that sees no key, or is
// not there, is -inf. With -D CAUSAL=1 row i of M sees the columns up to i + N - M, and with
// -D WINDOW=1 the last %window of them.
//
// A block has 128 rows of K and V, and goes over ROWS rows of Q and dO at a time, whose dQ it adds
// to sums of float32, which are 0 before. As blocks come in any order, sums of equal inputs may
// differ in their last bits. What is added lies as threads have it, 64 sums of each of 128 threads,
// four of each side by side, for either of two warpgroups: %dQ is (batch, head, tile, sum).
//
// Warpgroup 0 loads by TMA. The two others have 64 rows of K and V each, and S and dP transposed, so
// that P^T and dS^T are operands in registers of the products that dV and dK are sums of. dS goes to
// shared memory for dQ, which needs that of both: of a tile of 64 rows each makes half of the
// columns, of one of 128 half of the rows. Where tiles have 64 columns, a round has fewer sums and
// more powers: there S of the next tile is made in it, too.

!matrix = !cute.tensor<$T, gmem, align<16>, "(?,?,?,$D):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!row_sums = !cute.tensor<f32, gmem, align<16>, "(?,?,?):(?{i64 div=4},?{i64 div=4},1)">
!parts = !cute.tensor<f32, gmem, align<16>, "(?,?,?,8192):(?{i64 div=4},?{i64 div=4},8192,1)">
!part = !cute.tensor<f32, smem, align<1024>, "(4,128,8,2):(1,4,512,4096)">
!sums = !cute.tensor<f32, rmem, align<16>, "((2,2,8),1,1):((1,2,4),0,0)">
// Scores of a thread, for its two rows of K and V.
!scores = vector<${ROWS/2}xf32>

gpu.module @attention_backward_sm90 attributes {
    cute.parameters = {T = f16, PRODUCT = "F32F16F16", D = 128, WIDTH = ${(D+63)/64*64}, ROWS = ${8192/WIDTH}, DOWN = ${ROWS/64}, ACROSS = ${2/DOWN}, CAUSAL = 0, WINDOW = 0, WHOLE = ${1-WINDOW}, GROUP = 1}} {
  // P of scores whose columns have these L2. Row c of the tile sees key r of the warpgroup's where
  // r - CAUSAL c is less than %left, and with WINDOW not less than %left - %window.
  func.func @powers(%s: !scores, %l2: !scores, %c: f32, %left: i32, %window: i32, %thread: i32) -> !scores {
    //$WHOLE %masks = %left <s 64
    //$WINDOW %before = %left - %window
    //$WINDOW %masks = %left <s 64 or %before >s ${1-ROWS}
    %seen = if %masks {
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma = cute.make_tiled_mma(!cute.mma_atom<"SM90_64x${ROWS}x16_${PRODUCT}_SS<K,K>">, %one)
      %of_first = cute.partition_c(%mma, cute.make_tensor(0, (64,$ROWS):(1,${-CAUSAL})), 0)
      %row = (%thread >>u 5) * 16 + ((%thread & 31) >>u 2)
      %mine = %row - (%thread & 3) * ${2*CAUSAL}
      %bound = cute.make_int_tuple(%left - %mine) : (i32) -> !cute.int_tuple<"?">
      //$WHOLE %is_seen = cute.load_vector(cute.make_predicate(%of_first, %bound))
      //$WINDOW %least = cute.make_int_tuple(%before - %mine) : (i32) -> !cute.int_tuple<"?">
      //$WINDOW %is_seen = cute.load_vector(cute.make_predicate(%of_first, %bound, %least))
      yield arith.select(%is_seen, %s, 0xFF800000)
    } else {
      yield %s
    }
    return math.exp2<afn>(math.fma(%seen, %c, %l2)) : !scores
  }

  // Adds what the warpgroups have of dQ to a tile of it.
  func.func @add(%sums: !sums, %place: !part, %dQ: !parts, %batch: i32, %head: i32, %tile: i32, %consumer: i32, %thread: i32) {
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %add = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2G", f32>
    cute.copy(%vector, cute.composition(%sums, (4,8):(1,4)), cute.slice(%place, (_,%thread,_,%consumer)))
    cute.fence_proxy<"async.shared">
    cute.named_barrier_sync(%consumer + 2, 128)
    if %thread == 0 {
      %mine = cute.composition(cute.slice(%place, (_,_,_,%consumer)), 4096:1)
      cute.copy(%add, %mine, cute.local_tile(cute.slice(%dQ, (%batch,%head,%tile,_)), 4096, %consumer))
      cute.cp_async_bulk_commit
    }
    return
  }

  gpu.func @attention_backward(%K: !matrix, %V: !matrix, %Q: !matrix, %G: !matrix,
      %L2: !row_sums, %R: !row_sums, %dQ: !parts, %dK: !matrix, %dV: !matrix,
      //$WINDOW %window: i32,
      %scale: f32) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>,
                  nvvm.minctasm = 1 : i32,
                  cute.pdl,
                  cute.grid = ["ceil_div(arg0.shape[2], 128)", "arg0.shape[1]", "arg0.shape[0]"]} {

    //===-- Threads and tiles ---------------------------------------------===//

    %block = cute.block_idx
    %head = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %warpgroup = %warp >>u 2
    %causal = $CAUSAL : i1
    %is_wide = ${WIDTH/64-1} : i1

    // In step i comes tile i / GROUP, which sees a key of the block, of head i % GROUP of the heads
    // that share it.
    %batches, %heads, %N = cute.get_scalars<{only_dynamic}> (cute.get_shape(%K))
    %batches_Q, %heads_Q, %M = cute.get_scalars<{only_dynamic}> (cute.get_shape(%Q))
    %first = %block * 128
    %shift = %N - %M
    %from = arith.select(%causal, maxs(%first - %shift, 0), 0) /u $ROWS * $GROUP
    //$WHOLE %seen_keys = 0 : i32
    //$WHOLE %end_row = %M + 0
    //$WINDOW %seen_keys = %window + 0
    //$WINDOW %end_row = maxs(mins(%first - %shift + 127 + %window, %M), 0)
    %to = (%end_row + ${ROWS-1}) /u $ROWS * $GROUP
    %head_first = %head * $GROUP

    //===-- Shared memory -------------------------------------------------===//

    // Panels of 64 columns, whose rows of 128 bytes S<3,3,3> permutes.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %K_layout = cute.tile_to_shape(%rows, (128,$WIDTH))
    %dK_layout = cute.tile_to_shape(%rows, (64,$WIDTH))
    %Q_layout = cute.tile_to_shape(%rows, ($ROWS,$WIDTH))
    %stages_layout = cute.tile_to_shape(%rows, ($ROWS,$WIDTH,2))
    %dS_layout = cute.tile_to_shape(%rows, (128,$ROWS,2))
    %L_layout = cute.static : !cute.layout<"$ROWS:1">
    %sK = cute.alloc_smem<$T, 1024> (%K_layout)
    %sV = cute.alloc_smem<$T, 1024> (%K_layout)
    %sQ = cute.alloc_smem<$T, 1024> (%stages_layout)
    %sG = cute.alloc_smem<$T, 1024> (%stages_layout)
    %sdS = cute.alloc_smem<$T, 1024> (%dS_layout)
    %sdQ = cute.alloc_smem<f32, 1024> ((4,128,8,2):(1,4,512,4096))
    %sL = cute.alloc_smem<f32, 128> (($ROWS,2):(1,$ROWS))
    %sR = cute.alloc_smem<f32, 128> (($ROWS,2):(1,$ROWS))

    //===-- Tensor maps ---------------------------------------------------===//

    %tile_K = cute.static : !cute.shape<"(1,1,128,$WIDTH)">
    %tile_dK = cute.static : !cute.shape<"(1,1,64,$WIDTH)">
    %tile_Q = cute.static : !cute.shape<"(1,1,$ROWS,$WIDTH)">
    %tile_L = cute.static : !cute.shape<"(1,1,$ROWS)">
    %load_K, %mK = cute.make_tma_atom<"SM90_TMA_LOAD"> (%K, %K_layout, %tile_K)
    %load_V, %mV = cute.make_tma_atom<"SM90_TMA_LOAD"> (%V, %K_layout, %tile_K)
    %load_Q, %mQ = cute.make_tma_atom<"SM90_TMA_LOAD"> (%Q, %Q_layout, %tile_Q)
    %load_G, %mG = cute.make_tma_atom<"SM90_TMA_LOAD"> (%G, %Q_layout, %tile_Q)
    %load_L, %mL = cute.make_tma_atom<"SM90_TMA_LOAD"> (%L2, %L_layout, %tile_L)
    %load_R, %mR = cute.make_tma_atom<"SM90_TMA_LOAD"> (%R, %L_layout, %tile_L)
    %store_K, %mdK = cute.make_tma_atom<"SM90_TMA_STORE"> (%dK, %dK_layout, %tile_dK)
    %store_V, %mdV = cute.make_tma_atom<"SM90_TMA_STORE"> (%dV, %dK_layout, %tile_dK)

    //===-- Pipelines -----------------------------------------------------===//

    %pipe_K = cute.make_pipeline_tma<1, 2, "warpgroup"> (%load_K)
    %pipe_V = cute.make_pipeline_tma<1, 2, "warpgroup"> (%load_V)
    %pipe_Q = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load_Q, %load_L)
    %pipe_G = cute.make_pipeline_tma<2, 2, "warpgroup"> (%load_G, %load_R)
    if %thread == 0 {
      cute.init_pipeline(%pipe_K)
      cute.init_pipeline(%pipe_V)
      cute.init_pipeline(%pipe_Q)
      cute.init_pipeline(%pipe_G)
    }
    // The kernel ahead writes %L2, %R and the zeros of %dQ.
    cute.griddepcontrol_wait
    cute.griddepcontrol_launch_dependents
    gpu.barrier

    if %warpgroup == 0 {
      //===-- The producer ------------------------------------------------===//

      cute.set_registers<"decrease", 24>
      if %warp == 0 {
        if cute.elect_one {
          %gK = cute.local_tile(%mK, %tile_K, (%batch,%head,%block,0))
          %gV = cute.local_tile(%mV, %tile_K, (%batch,%head,%block,0))
          %sK_load, %gK_load = cute.tma_partition(%load_K, %sK, %gK)
          %sV_load, %gV_load = cute.tma_partition(%load_V, %sV, %gV)
          %fill_K = cute.make_pipeline_state<"producer"> (%pipe_K)
          cute.producer_acquire(%pipe_K, %fill_K)
          cute.copy(cute.with_barrier(%load_K, cute.producer_barrier(%pipe_K, %fill_K)), %gK_load, %sK_load)
          cute.producer_commit(%pipe_K, %fill_K)
          cute.producer_acquire(%pipe_V, %fill_K)
          cute.copy(cute.with_barrier(%load_V, cute.producer_barrier(%pipe_V, %fill_K)), %gV_load, %sV_load)
          cute.producer_commit(%pipe_V, %fill_K)

          // Both pipelines have their tiles in the same stage.
          %fill = cute.make_pipeline_state<"producer"> (%pipe_Q)
          %filled = for %i in %from..%to carry(%state = %fill) {
            %head_Q = %head_first + %i modu $GROUP
            %j = %i /u $GROUP
            %gQ = cute.local_tile(%mQ, %tile_Q, (%batch,%head_Q,%j,0))
            %gG = cute.local_tile(%mG, %tile_Q, (%batch,%head_Q,%j,0))
            %gL = cute.local_tile(%mL, %tile_L, (%batch,%head_Q,%j))
            %gR = cute.local_tile(%mR, %tile_L, (%batch,%head_Q,%j))
            %at = cute.pipeline_stage(%state)
            %sQ_load, %gQ_load = cute.tma_partition(%load_Q, cute.slice(%sQ, (_,_,%at)), %gQ)
            %sL_load, %gL_load = cute.tma_partition(%load_L, cute.slice(%sL, (_,%at)), %gL)
            %sG_load, %gG_load = cute.tma_partition(%load_G, cute.slice(%sG, (_,_,%at)), %gG)
            %sR_load, %gR_load = cute.tma_partition(%load_R, cute.slice(%sR, (_,%at)), %gR)
            cute.producer_acquire(%pipe_Q, %state)
            %full_Q = cute.producer_barrier(%pipe_Q, %state)
            cute.copy(cute.with_barrier(%load_Q, %full_Q), %gQ_load, %sQ_load)
            cute.copy(cute.with_barrier(%load_L, %full_Q), %gL_load, %sL_load)
            cute.producer_commit(%pipe_Q, %state)
            cute.producer_acquire(%pipe_G, %state)
            %full_G = cute.producer_barrier(%pipe_G, %state)
            cute.copy(cute.with_barrier(%load_G, %full_G), %gG_load, %sG_load)
            cute.copy(cute.with_barrier(%load_R, %full_G), %gR_load, %sR_load)
            cute.producer_commit(%pipe_G, %state)
            yield cute.pipeline_advance(%state)
          } {cute.unroll = "none"}
        }
      }
    } else {
      //===-- The consumers -----------------------------------------------===//

      cute.set_registers<"increase", 240>
      %consumer = %warpgroup - 1
      %in_group = %thread & 127
      %leader = %consumer * 128

      %atom_S = cute.static : !cute.mma_atom<"SM90_64x${ROWS}x16_${PRODUCT}_SS<K,K>">
      %atom_V = cute.static : !cute.mma_atom<"SM90_64x${WIDTH}x16_${PRODUCT}_RS<K,MN>">
      %atom_Q = cute.static : !cute.mma_atom<"SM90_64x64x16_${PRODUCT}_SS<MN,MN>">
      %mma_S = cute.make_tiled_mma(%atom_S, (2,1,1):(1,0,0))
      %mma_V = cute.make_tiled_mma(%atom_V, (2,1,1):(1,0,0))
      %mma_Q = cute.make_tiled_mma(%atom_Q, ($DOWN,$ACROSS,1):(1,1,0))
      %aK = cute.make_fragment_a(%mma_S, cute.partition_a(%mma_S, %sK, %leader))
      %aV = cute.make_fragment_a(%mma_S, cute.partition_a(%mma_S, %sV, %leader))
      %bQ = cute.make_fragment_b(%mma_S, cute.partition_b(%mma_S, %sQ, %leader))
      %bG = cute.make_fragment_b(%mma_S, cute.partition_b(%mma_S, %sG, %leader))
      %bQt = cute.make_fragment_b(%mma_V, cute.partition_b(%mma_V, cute.select<[1, 0, 2]>(%sQ), %leader))
      %bGt = cute.make_fragment_b(%mma_V, cute.partition_b(%mma_V, cute.select<[1, 0, 2]>(%sG), %leader))
      %adS = cute.make_fragment_a(%mma_Q, cute.partition_a(%mma_Q, cute.select<[1, 0, 2]>(%sdS), %leader))
      %bKt = cute.make_fragment_b(%mma_Q, cute.partition_b(%mma_Q, cute.select<[1, 0]>(%sK), %leader))

      // Sums of a warpgroup; P and dS as such sums, and as operand A.
      %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
      %mma_S_1 = cute.make_tiled_mma(%atom_S, %one)
      %mma_V_1 = cute.make_tiled_mma(%atom_V, %one)
      %mma_Q_1 = cute.make_tiled_mma(%atom_Q, %one)
      %tS = cute.partition_c(%mma_S_1, cute.make_tensor(0, (64,$ROWS):(0,1)), %in_group)
      %tV = cute.partition_c(%mma_V_1, cute.make_tensor(0, (64,$WIDTH):(0,1)), %in_group)
      %tQ = cute.partition_c(%mma_Q_1, cute.make_tensor(0, (64,64):(0,1)), %in_group)
      %rS = cute.make_fragment_c(%mma_S_1, %tS)
      %rdP = cute.make_fragment_c(%mma_S_1, %tS)
      %rdK = cute.make_fragment_c(%mma_V_1, %tV)
      %rdV = cute.make_fragment_c(%mma_V_1, %tV)
      %rdQ = cute.make_fragment_c(%mma_Q_1, %tQ)
      %rP = cute.make_fragment_like<$T> (%rS)
      %rdS = cute.make_fragment_like<$T> (%rS)
      %rP_A = cute.composition(%rP, ((2,2,2),1,${ROWS/16}):((1,2,4),0,8))
      %rdS_A = cute.composition(%rdS, ((2,2,2),1,${ROWS/16}):((1,2,4),0,8))
      %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", $T>, %mma_S_1)
      %rdS_read = cute.retile(%r2s, %rdS)
      cute.clear(%rdK)
      cute.clear(%rdV)

      %c = %scale * 1.44269504
      %sees = arith.select(%causal, %shift + 1, %N) - (%first + %consumer * 64)
      %drain_K = cute.make_pipeline_state<"consumer"> (%pipe_K)
      %drain = cute.make_pipeline_state<"consumer"> (%pipe_Q)
      cute.consumer_wait(%pipe_K, %drain_K)
      cute.consumer_wait(%pipe_V, %drain_K)

      if %is_wide {
        //===-- Tiles of 128 columns --------------------------------------===//

        %end = for %i in %from..%to carry(%state = %drain) {
          %at = cute.pipeline_stage(%state)
          %tile = %i /u $GROUP
          %head_Q = %head_first + %i modu $GROUP

          // S, and dP while threads compute P.
          cute.consumer_wait(%pipe_Q, %state)
          cute.warpgroup_fence()
          cute.gemm(%mma_S, %rS, %aK, cute.slice(%bQ, (_,_,_,%at)), %rS, false)
          cute.warpgroup_commit
          cute.consumer_wait(%pipe_G, %state)
          cute.warpgroup_fence()
          cute.gemm(%mma_S, %rdP, %aV, cute.slice(%bG, (_,_,_,%at)), %rdP, false)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> (%rS)
          %s = cute.load_vector(%rS)
          %l2 = cute.load_vector(cute.partition_c(%mma_S_1, cute.composition(cute.slice(%sL, (_,%at)), (64,$ROWS):(0,1)), %in_group))
          %p = func.call @powers(%s, %l2, %c, %sees + %tile * ${CAUSAL*ROWS}, %seen_keys, %in_group) : (!scores, !scores, f32, i32, i32, i32) -> !scores
          cute.store_vector($T(%p), %rP)

          // dV, while they compute dS.
          cute.warpgroup_fence(%rdV, %rP)
          cute.gemm(%mma_V, %rdV, %rP_A, cute.slice(%bGt, (_,_,_,%at)), %rdV)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> (%rdP)
          %r = cute.load_vector(cute.partition_c(%mma_S_1, cute.composition(cute.slice(%sR, (_,%at)), (64,$ROWS):(0,1)), %in_group))
          cute.store_vector($T(%p * (cute.load_vector(%rdP) - %r)), %rdS)
          %sdS_mine = cute.local_tile(cute.slice(%sdS, (_,_,%at)), (64,$ROWS), (%consumer,0))
          cute.copy(%r2s, %rdS_read, cute.partition_d(%r2s, %sdS_mine, %in_group))
          cute.fence_proxy<"async.shared">
          if %in_group == 0 {
            // What was added before has left its place.
            cute.cp_async_bulk_wait_read<0>
          }
          cute.named_barrier_sync(1, 256)

          // dQ, and dK while they add it.
          cute.warpgroup_fence()
          cute.gemm(%mma_Q, %rdQ, cute.slice(%adS, (_,_,_,%at)), %bKt, %rdQ, false)
          cute.warpgroup_commit
          cute.warpgroup_fence(%rdK, %rdS)
          cute.gemm(%mma_V, %rdK, %rdS_A, cute.slice(%bQt, (_,_,_,%at)), %rdK)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> (%rdQ, %rdV)
          func.call @add(%rdQ, %sdQ, %dQ, %batch, %head_Q, %tile, %consumer, %in_group) : (!sums, !part, !parts, i32, i32, i32, i32, i32) -> ()
          cute.warpgroup_wait<0> (%rdK)
          cute.consumer_release(%pipe_G, %state)
          cute.consumer_release(%pipe_Q, %state)
          yield cute.pipeline_advance(%state)
        } {cute.unroll = "none"}
      } else if %from <s %to {
        //===-- Tiles of 64 columns ---------------------------------------===//

        // P and dS of the first tile.
        cute.consumer_wait(%pipe_Q, %drain)
        cute.warpgroup_fence()
        cute.gemm(%mma_S, %rS, %aK, cute.slice(%bQ, (_,_,_,0)), %rS, false)
        cute.warpgroup_commit
        cute.consumer_wait(%pipe_G, %drain)
        cute.warpgroup_fence()
        cute.gemm(%mma_S, %rdP, %aV, cute.slice(%bG, (_,_,_,0)), %rdP, false)
        cute.warpgroup_commit
        cute.warpgroup_wait<1> (%rS)
        %at_0 = cute.pipeline_stage(%drain)
        %l2_0 = cute.load_vector(cute.partition_c(%mma_S_1, cute.composition(cute.slice(%sL, (_,%at_0)), (64,$ROWS):(0,1)), %in_group))
        %s_0 = cute.load_vector(%rS)
        %p_0 = func.call @powers(%s_0, %l2_0, %c, %sees + %from /u $GROUP * ${CAUSAL*ROWS}, %seen_keys, %in_group) : (!scores, !scores, f32, i32, i32, i32) -> !scores
        cute.store_vector($T(%p_0), %rP)
        cute.warpgroup_fence(%rdV, %rP)
        cute.gemm(%mma_V, %rdV, %rP_A, cute.slice(%bGt, (_,_,_,%at_0)), %rdV)
        cute.warpgroup_commit
        cute.warpgroup_wait<1> (%rdP)
        %r_0 = cute.load_vector(cute.partition_c(%mma_S_1, cute.composition(cute.slice(%sR, (_,%at_0)), (64,$ROWS):(0,1)), %in_group))
        cute.store_vector($T(%p_0 * (cute.load_vector(%rdP) - %r_0)), %rdS)
        %sdS_mine_0 = cute.local_tile(cute.slice(%sdS, (_,_,%at_0)), (64,$ROWS), (%consumer,0))
        cute.copy(%r2s, %rdS_read, cute.partition_d(%r2s, %sdS_mine_0, %in_group))
        cute.fence_proxy<"async.shared">
        cute.warpgroup_wait<0> (%rdV)
        cute.consumer_release(%pipe_G, %drain)
        cute.named_barrier_sync(1, 256)

        // dQ and dK of the tile before; S of this one while threads add dQ, dP while they compute P, and
        // dV while they compute dS.
        %end = for %i in (%from + 1)..%to carry(%state = %drain) {
          %next = cute.pipeline_advance(%state)
          %before = cute.pipeline_stage(%state)
          %at = cute.pipeline_stage(%next)
          cute.warpgroup_fence()
          cute.gemm(%mma_Q, %rdQ, cute.slice(%adS, (_,_,_,%before)), %bKt, %rdQ, false)
          cute.warpgroup_commit
          cute.warpgroup_fence(%rdK, %rdS)
          cute.gemm(%mma_V, %rdK, %rdS_A, cute.slice(%bQt, (_,_,_,%before)), %rdK)
          cute.warpgroup_commit
          cute.consumer_wait(%pipe_Q, %next)
          cute.warpgroup_fence()
          cute.gemm(%mma_S, %rS, %aK, cute.slice(%bQ, (_,_,_,%at)), %rS, false)
          cute.warpgroup_commit
          cute.warpgroup_wait<2> (%rdQ)
          %j_before = (%i - 1) /u $GROUP
          func.call @add(%rdQ, %sdQ, %dQ, %batch, %head_first + (%i - 1) modu $GROUP, %j_before, %consumer, %in_group) : (!sums, !part, !parts, i32, i32, i32, i32, i32) -> ()
          cute.warpgroup_wait<1> (%rdK)
          cute.consumer_release(%pipe_Q, %state)
          cute.consumer_wait(%pipe_G, %next)
          cute.warpgroup_fence()
          cute.gemm(%mma_S, %rdP, %aV, cute.slice(%bG, (_,_,_,%at)), %rdP, false)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> (%rS)

          %l2 = cute.load_vector(cute.partition_c(%mma_S_1, cute.composition(cute.slice(%sL, (_,%at)), (64,$ROWS):(0,1)), %in_group))
          %s = cute.load_vector(%rS)
          %p = func.call @powers(%s, %l2, %c, %sees + %i /u $GROUP * ${CAUSAL*ROWS}, %seen_keys, %in_group) : (!scores, !scores, f32, i32, i32, i32) -> !scores
          cute.store_vector($T(%p), %rP)
          cute.warpgroup_fence(%rdV, %rP)
          cute.gemm(%mma_V, %rdV, %rP_A, cute.slice(%bGt, (_,_,_,%at)), %rdV)
          cute.warpgroup_commit
          cute.warpgroup_wait<1> (%rdP)
          %r = cute.load_vector(cute.partition_c(%mma_S_1, cute.composition(cute.slice(%sR, (_,%at)), (64,$ROWS):(0,1)), %in_group))
          cute.store_vector($T(%p * (cute.load_vector(%rdP) - %r)), %rdS)
          %sdS_mine = cute.local_tile(cute.slice(%sdS, (_,_,%at)), (64,$ROWS), (%consumer,0))
          cute.copy(%r2s, %rdS_read, cute.partition_d(%r2s, %sdS_mine, %in_group))
          cute.fence_proxy<"async.shared">
          if %in_group == 0 {
            // What was added before has left its place.
            cute.cp_async_bulk_wait_read<0>
          }
          cute.warpgroup_wait<0> (%rdV)
          cute.consumer_release(%pipe_G, %next)
          cute.named_barrier_sync(1, 256)
          yield %next
        } {cute.unroll = "none"}

        // dQ and dK of the last tile.
        %last = cute.pipeline_stage(%end)
        cute.warpgroup_fence()
        cute.gemm(%mma_Q, %rdQ, cute.slice(%adS, (_,_,_,%last)), %bKt, %rdQ, false)
        cute.warpgroup_commit
        cute.warpgroup_fence(%rdK, %rdS)
        cute.gemm(%mma_V, %rdK, %rdS_A, cute.slice(%bQt, (_,_,_,%last)), %rdK)
        cute.warpgroup_commit
        cute.warpgroup_wait<1> (%rdQ)
        %j_last = (%to - 1) /u $GROUP
        func.call @add(%rdQ, %sdQ, %dQ, %batch, %head_first + (%to - 1) modu $GROUP, %j_last, %consumer, %in_group) : (!sums, !part, !parts, i32, i32, i32, i32, i32) -> ()
        cute.warpgroup_wait<0> (%rdK)
      }

      //===-- The results, where K and V were -----------------------------===//

      cute.named_barrier_sync(1, 256)
      %anew = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
      %lane = %anew & 127
      %part = (%anew >>u 7) - 1
      %out = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", $T>, %mma_V_1)
      %rdK_T = cute.make_fragment_like<$T> (%rdK)
      %rdV_T = cute.make_fragment_like<$T> (%rdV)
      cute.store_vector($T(cute.load_vector(%rdV)), %rdV_T)
      cute.store_vector($T(cute.load_vector(%rdK) * %scale), %rdK_T)
      %sdV = cute.local_tile(%sV, (64,$WIDTH), (%part,0))
      %sdK = cute.local_tile(%sK, (64,$WIDTH), (%part,0))
      cute.copy(%out, cute.retile(%out, %rdV_T), cute.partition_d(%out, %sdV, %lane))
      cute.copy(%out, cute.retile(%out, %rdK_T), cute.partition_d(%out, %sdK, %lane))
      cute.fence_proxy<"async.shared">
      cute.named_barrier_sync(%part + 2, 128)
      if %lane == 0 {
        %mine = %block * 2 + %part
        %gdV = cute.local_tile(%mdV, %tile_dK, (%batch,%head,%mine,0))
        %gdK = cute.local_tile(%mdK, %tile_dK, (%batch,%head,%mine,0))
        %sdV_store, %gdV_store = cute.tma_partition(%store_V, %sdV, %gdV)
        %sdK_store, %gdK_store = cute.tma_partition(%store_K, %sdK, %gdK)
        cute.copy(%store_V, %sdV_store, %gdV_store)
        cute.copy(%store_K, %sdK_store, %gdK_store)
        cute.cp_async_bulk_commit
        cute.cp_async_bulk_wait<0>
      }
    }
    gpu.return
  }
  // Writes dQ, %scale times its sums: a block what one warpgroup had of a tile.
  gpu.func @write_dQ(%sums: !parts, %dQ: !matrix, %scale: f32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.pdl,
                  cute.grid = ["arg0.shape[2] * 2", "arg0.shape[1]", "arg0.shape[0]"]} {
    %block = cute.block_idx
    %head = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx
    %tile = %block >>u 1
    %half = %block & 1
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM90_64x64x16_${PRODUCT}_SS<MN,MN>">, %one)
    %r = cute.make_fragment_c(%mma, cute.partition_c(%mma, cute.make_tensor(0, (64,64):(0,1)), %thread))
    %r_T = cute.make_fragment_like<$T> (%r)
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout = cute.tile_to_shape(%rows, (64,64))
    %shape = cute.static : !cute.shape<"(1,1,64,64)">
    %s = cute.alloc_smem<$T, 1024> (%layout)
    %store, %m = cute.make_tma_atom<"SM90_TMA_STORE"> (%dQ, %layout, %shape)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %r2s = cute.make_tiled_copy_c(!cute.copy_atom<"SM90_U32x4_STSM_N", $T>, %mma)

    cute.griddepcontrol_wait
    %part = cute.local_tile(cute.slice(%sums, (%batch,%head,%tile,_)), 4096, %half)
    cute.copy(%vector, cute.slice(cute.composition(%part, (4,128,8):(1,4,512)), (_,%thread,_)), cute.composition(%r, (4,8):(1,4)))
    cute.store_vector($T(cute.load_vector(%r) * %scale), %r_T)
    cute.copy(%r2s, cute.retile(%r2s, %r_T), cute.partition_d(%r2s, %s, %thread))
    cute.fence_proxy<"async.shared">
    gpu.barrier
    if %thread == 0 {
      %g = cute.local_tile(%m, %shape, (%batch,%head,%tile * $DOWN + %half * ${DOWN-1},%half * ${ACROSS-1}))
      %s_store, %g_store = cute.tma_partition(%store, %s, %g)
      cute.copy(%store, %s_store, %g_store)
      cute.cp_async_bulk_commit
      cute.cp_async_bulk_wait_read<0>
    }
    gpu.return
  }
}
