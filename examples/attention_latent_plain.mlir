// Attention of one row for each head to latent keys in pages, as multi-head latent attention
// decodes: all heads share one key, whose first DV elements are also the value, so heads are
// rows of a product, and a tile of keys is loaded once for both products.
//
//   cutec examples/attention_latent_plain.mlir --arch=sm_90a --passes=cute-optimize -o latent.ptx
//
// has TMA load the tiles of pages, whose numbers the loading warp reads, and wgmma multiply. Q is
// (batch, head, 1, D), KV (page, slot, D), with a multiple of 64 slots in a page; pages (batch, n) has
// the numbers of a sequence's pages, and lengths (batch) how many keys it has. Block (i, j, b) has 64
// heads of sequence b and the keys from i %chunk on, %chunk of them, a multiple of 64. It leaves O,
// not yet divided by l, in parts (i, b heads + head, DV), and c m and l, a row's maximum and the sum of
// 2^(c S - c m) with c = scale log2(e), in sums (i, b heads + head, 2): a second kernel weighs the chunks.
//
// Both warpgroups have all rows: of S each has half of the columns, so they exchange maxima of rows
// in shared memory, and of O half of the columns as well.
//
//   D=576 DV=512   multiples of 64 and of 128
//   T=bf16 PRODUCT=F32BF16BF16

!queries = !cute.tensor<$T, gmem, align<16>, "(?,?,?,$D):(?{i64 div=8},?{i64 div=8},?{i64 div=8},1)">
!keys = !cute.tensor<$T, gmem, align<16>, "(?,?,$D):(?{i64 div=8},?{i64 div=8},1)">
!pages = !cute.tensor<i32, gmem, align<4>, "(?,?):(?{i64},1)">
!lengths = !cute.tensor<i32, gmem, align<4>, "(?):(1)">
!parts = !cute.tensor<f32, gmem, align<16>, "(?,?,$DV):(?{i64 div=$DV},$DV,1)">
!sums = !cute.tensor<f32, gmem, align<8>, "(?,?,2):(?{i64 div=2},2,1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x16_${PRODUCT}F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", $T>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", $T>
!ldmatrix_v = !cute.copy_atom<"SM75_U16x8_LDSM_T", $T>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", $T>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", $T>
!two_sums = !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
!two = vector<2xf32>
!scores = vector<16xf32>

gpu.module @attention_module attributes {cute.parameters = {T = f16, PRODUCT = "F32F16F16", D = 576, DV = 512, ROWS = 64, KEYS = 64}} {
  gpu.func @attention_latent(%Q: !queries, %KV: !keys, %pages: !pages, %lengths: !lengths, %parts: !parts, %sums: !sums,
      %scale: f32, %chunk: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg4.shape[0]", "ceil_div(arg0.shape[1], $ROWS)", "arg0.shape[0]"]} {
    %number = cute.block_idx
    %tile = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx
    %warp = cute.warp_idx
    %lane = cute.lane_idx
    %mQ = cute.slice(%Q, (%batch,_,0,_))
    %heads, %ldq = cute.get_scalars<{only_dynamic}> (cute.get_layout(%mQ))
    %page_count, %slots, %ldp, %ldk = cute.get_scalars<{only_dynamic}> (cute.get_layout(%KV))
    %length = mins(cute.load(%lengths, %batch), cute.size<1>(%pages) * %slots)
    %begin = %number * %chunk
    %end = mins(%begin + %chunk, %length)
    %steps = maxs(%end - %begin, 0) ceildivu $KEYS

    %sQ = cute.alloc_smem<$T, 128> (($ROWS,$D):($D,1))
    %sK = cute.alloc_smem<$T, 128> (($KEYS,$D):($D,1))
    %sP = cute.alloc_smem<$T, 128> (($ROWS,$KEYS):($KEYS,1))
    %sM = cute.alloc_smem<f32, 16> (($ROWS,2):(1,$ROWS))
    %sL = cute.alloc_smem<f32, 16> (($ROWS,2):(1,$ROWS))
    %sKt = cute.select<[1, 0]> (%sK)
    %sV = cute.local_tile(%sKt, ($DV,$KEYS), (0,0))

    %mma_S = cute.make_tiled_mma(!mma_atom, (4,2,1):(1,4,0), [64:1;(8,2,4):(1,32,8);16:1])
    %mma_O = cute.make_tiled_mma(!mma_atom, (4,2,1):(1,4,0), [64:1;(8,2,${DV/16}):(1,${DV/2},8);16:1])
    %rQ = cute.make_fragment_a(%mma_S, cute.partition_a(%mma_S, %sQ, %thread))
    %rK = cute.make_fragment_b(%mma_S, cute.partition_b(%mma_S, %sK, %thread))
    %rP = cute.make_fragment_a(%mma_O, cute.partition_a(%mma_O, %sP, %thread))
    %rV = cute.make_fragment_b(%mma_O, cute.partition_b(%mma_O, %sV, %thread))
    %rS = cute.make_fragment<f32> (cute.partition_shape_c(%mma_S, ($ROWS,$KEYS)))
    %rO = cute.make_fragment<f32> (cute.partition_shape_c(%mma_O, ($ROWS,$DV)))
    %rW = cute.make_fragment_like<$T> (%rS)

    %g2s = cute.make_tiled_copy(!async, (32,8):(8,1), (1,8):(0,1))
    %r2s = cute.make_tiled_copy(!vector, (32,8):(8,1), (1,8):(0,1))
    %sV_zero = cute.partition_d(%r2s, cute.local_tile(%sK, ($KEYS,$DV), (0,0)), %thread)
    %zeros = cute.make_fragment_like(%sV_zero)
    cute.clear(%zeros)
    %tV = cute.partition_d(%r2s, cute.make_tensor(0, ($KEYS,$DV):(1,0)), %thread)
    %keys = $KEYS : i32
    %all = cute.make_int_tuple(%keys) : (i32) -> !cute.int_tuple<"?">
    %sQ_write = cute.partition_d(%g2s, %sQ, %thread)
    %sK_write = cute.partition_d(%g2s, %sK, %thread)
    %s2r_Q = cute.make_tiled_copy_a(!ldmatrix, %mma_S)
    %s2r_K = cute.make_tiled_copy_b(!ldmatrix, %mma_S)
    %s2r_P = cute.make_tiled_copy_a(!ldmatrix, %mma_O)
    %s2r_V = cute.make_tiled_copy_b(!ldmatrix_v, %mma_O)
    %sQ_read = cute.partition_s(%s2r_Q, %sQ, %thread)
    %sK_read = cute.partition_s(%s2r_K, %sK, %thread)
    %sP_read = cute.partition_s(%s2r_P, %sP, %thread)
    %sV_read = cute.partition_s(%s2r_V, %sV, %thread)
    %rQ_write = cute.retile(%s2r_Q, %rQ)
    %rK_write = cute.retile(%s2r_K, %rK)
    %rP_write = cute.retile(%s2r_P, %rP)
    %rV_write = cute.retile(%s2r_V, %rV)
    %r2s_P = cute.make_tiled_copy_c(!pair, %mma_S)
    %sP_write = cute.partition_d(%r2s_P, %sP, %thread)
    %rW_read = cute.retile(%r2s_P, %rW)

    %gQ, %pQ = cute.predicated_tile_s(%g2s, %mQ, ($ROWS,$D), (%tile,0), %thread)
    cute.copy(%g2s, %gQ, %sQ_write, %pQ)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.barrier

    %c = %scale * 1.44269504
    %cs = %c : !scores
    %row = (%warp modu 4) * 16 + %lane /u 4
    %half = %warp /u 4
    %other = 1 - %half
    cute.clear(%rO)
    %m_last, %l_last = for %i in 0..%steps carry(%m = -1.0e30 : !two, %l = 0.0 : !two) {
      %first = %begin + %i * $KEYS
      %page = cute.load(%pages, (%batch, %first /u %slots))
      %mK = cute.slice(%KV, (%page,_,_))
      %nth = (%first modu %slots) /u $KEYS
      %gK, %pK = cute.predicated_tile_s(%g2s, %mK, ($KEYS,$D), (%nth,0), %thread)
      cute.copy(%g2s, %gK, %sK_write, %pK)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.copy(%s2r_Q, %sQ_read, %rQ_write)
      cute.copy(%s2r_K, %sK_read, %rK_write)
      cute.clear(%rS)
      cute.gemm(%mma_S, %rS, %rQ, %rK, %rS)

      %left = %end - %first
      %bound = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
      if %left <s $KEYS {
        %tS = cute.partition_c(%mma_S, cute.make_tensor(0, ($ROWS,$KEYS):(0,1)), %thread)
        %pS = cute.make_predicate(%tS, %bound)
        %s_seen = arith.select(cute.load_vector(%pS), cute.load_vector(%rS), 0xFF800000)
        cute.store_vector(%s_seen, %rS)
      }

      %s = cute.load_vector(%rS)
      %m_thread = cute.reduce_vector<"max", "((2,2),4)", "((1,_),1)"> (%s, -1.0e30)
      %m_mine = cute.warp_reduce<"max", 4> (%m_thread)
      if %lane modu 4 == 0 {
        %m_0 = vector.extract %m_mine[0] : f32 from !two
        %m_1 = vector.extract %m_mine[1] : f32 from !two
        cute.store(%m_0, %sM, (%row,%half))
        cute.store(%m_1, %sM, (%row + 8,%half))
      }
      gpu.barrier
      %o_0 = cute.load(%sM, (%row,%other))
      %o_1 = cute.load(%sM, (%row + 8,%other))
      %o_two = vector.from_elements %o_0, %o_1 : !two
      %m_both = max(%m_mine, %o_two)
      %grows = (%m_both - %m) * %c > 8.0
      %m_new = arith.select(%grows, %m_both, %m)
      %shrink = math.exp2<afn>((%m - %m_new) * %c)
      %minus_cm = -(%m_new * %c)
      %minus_cms = cute.broadcast_vector<"((1,2),1)", "((2,2),4)"> (%minus_cm)
      %p = math.exp2<afn>(math.fma(%s, %cs, %minus_cms))
      %l_step = cute.reduce_vector<"add", "((2,2),4)", "((1,_),1)"> (%p, 0.0)
      %l_new = %l * %shrink + %l_step
      // Values behind the last key may be NaN, which O would be as well.
      if %left <s $KEYS {
        %pV = cute.make_predicate(%tV[0,_,_], %all, %bound)
        cute.copy(%r2s, %zeros, %sV_zero, %pV)
      }
      cute.store_vector($T(%p), %rW)
      cute.copy(%r2s_P, %rW_read, %sP_write)

      %grows_mine = vector.reduction <or>, %grows : vector<2xi1> into i1
      if cute.vote_any_sync(%grows_mine) {
        %shrinks = cute.broadcast_vector<"((1,2),1)", "((2,2),${DV/16})"> (%shrink)
        cute.store_vector(cute.load_vector(%rO) * %shrinks, %rO)
      }
      gpu.barrier
      cute.copy(%s2r_P, %sP_read, %rP_write)
      cute.copy(%s2r_V, %sV_read, %rV_write)
      cute.gemm(%mma_O, %rO, %rP, %rV, %rO)
      gpu.barrier
      yield %m_new, %l_new
    }

    // m and l of each row, and O, which is not yet divided by l.
    %l_quad = cute.warp_reduce<"add", 4> (%l_last)
    gpu.barrier
    if %lane modu 4 == 0 {
      %l_0 = vector.extract %l_quad[0] : f32 from !two
      %l_1 = vector.extract %l_quad[1] : f32 from !two
      cute.store(%l_0, %sL, (%row,%half))
      cute.store(%l_1, %sL, (%row + 8,%half))
    }
    gpu.barrier
    %head = %tile * $ROWS + %row
    %start = %batch * %heads
    if %lane modu 4 == 0 and %half == 0 {
      %cm = %m_last * %c
      if %head <u %heads {
        %cm_0 = vector.extract %cm[0] : f32 from !two
        cute.store(%cm_0, %sums, (%number,%start + %head,0))
        cute.store(cute.load(%sL, (%row,0)) + cute.load(%sL, (%row,1)), %sums, (%number,%start + %head,1))
      }
      if %head + 8 <u %heads {
        %cm_1 = vector.extract %cm[1] : f32 from !two
        cute.store(%cm_1, %sums, (%number,%start + %head + 8,0))
        cute.store(cute.load(%sL, (%row + 8,0)) + cute.load(%sL, (%row + 8,1)), %sums, (%number,%start + %head + 8,1))
      }
    }
    %part = cute.slice(%parts, (%number,_,_))
    %shape = cute.make_shape(%start + %heads) : (i32) -> !cute.shape<"(?,$DV)">
    %rows = cute.make_layout(%shape, cute.get_stride(cute.get_layout(%part)))
    %mO = cute.make_tensor(cute.get_iter(%part), %rows)
    %r2g = cute.make_tiled_copy_c(!two_sums, %mma_O)
    %gO, %pO = cute.predicated_tile_d(%r2g, %mO, ($ROWS,$DV), (%tile,0), %thread, (%start,0))
    cute.copy(%r2g, cute.retile(%r2g, %rO), %gO, %pO)
    gpu.return
  }
}
