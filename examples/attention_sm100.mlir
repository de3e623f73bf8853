// O = softmax(scale * Q K^T) V for Blackwell, for each batch and head: Q and O are
// (batch, head, row, 128), K and V (batch, head, column, 128) of f16. The last mode is
// contiguous, and the others have any stride that is a multiple of 8. Q may have more heads
// than K and V, a multiple of theirs. The scale is positive.
//
//   cutec examples/attention_sm100.mlir --arch=sm_100a -o attention_sm100.ptx
//
// A block has 128 rows of Q, and takes 128 of K and V at a time. Six warps share the work:
//
//   warps 0 to 3   softmax: a thread has a row; it takes S from tensor memory, and leaves P
//                  there, over S
//   warp 4         loads by TMA, Q once, K and V into two stages
//   warp 5         products: S = Q K^T, and O = O + P V with P from tensor memory
//
// S of the next columns is computed while the softmax works on these. With c = scale log2(e)
// a row's P is 2^(c S - c m), where m is near its maximum so far: if that grows by more than
// a factor of 2^8 in P, m becomes the new one, and what is in O and l shrinks. That is rare,
// and O / l in the end holds for any m.
//
//   tensor memory   columns   0 to 127   S and P of even columns' tiles
//                           128 to 255   S and P of odd ones
//                           256 to 383   O
//
// Products run in the order in which they start: that of S two tiles on overwrites P after
// it was read. Rows that do not exist are loaded as zeros, and are not stored.

// In panels of 64 columns, which one row of the swizzle holds.
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?,?,(64,2)):(?{i64 div=8},?{i64 div=8},?{i64 div=8},(1,64))">
!column = !cute.ptr<f32, tmem, align<4>>
!halves = !cute.ptr<f16, tmem, align<4>>

gpu.module @attention_sm100 {
  // Scores of a row, -inf where column + from is not negative.
  func.func @mask(%s: vector<128xf32>, %from: i32) -> vector<128xf32> {
    %origin = cute.make_int_tuple(%from) : (i32) -> !cute.int_tuple<"?">
    %columns = cute.make_tensor(%origin, 128:1)
    %is_there = cute.load_vector(cute.make_predicate(%columns, 0))
    return arith.select(%is_there, %s, 0xFF800000) : vector<128xf32>
  }

  gpu.func @attention(%Q: !matrix, %K: !matrix, %V: !matrix, %O: !matrix, %scale: f32) kernel
      attributes {known_block_size = array<i32: 192, 1, 1>,
                  cute.roles = "warps 0 to 3 compute, warp 4 loads, warp 5 multiplies",
                  cute.grid = ["ceil_div(arg0.shape[2], 128)", "arg0.shape[1]", "arg0.shape[0]"]} {
    %tile = cute.block_idx
    %head = cute.block_idx<"y">
    %batch = cute.block_idx<"z">
    %thread = cute.thread_idx
    %batches, %heads_Q, %M = cute.get_scalars<{only_dynamic}> (cute.get_shape(%Q))
    %batches_K, %heads_K, %N = cute.get_scalars<{only_dynamic}> (cute.get_shape(%K))
    %blocks = (%N + 127) /u 128
    %head_K = %head /u (%heads_Q /u %heads_K)

    //===-- Shared memory ---------------------------------------------------===//

    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout = cute.tile_to_shape(%rows, (128,128))
    %stages = cute.tile_to_shape(%rows, (128,128,2))
    %sQ = cute.alloc_smem<f16, 1024> (%layout) // and O in the end
    %sK = cute.alloc_smem<f16, 1024> (%stages)
    %sV = cute.alloc_smem<f16, 1024> (%stages)
    %barriers = cute.alloc_smem<i64, 8> (14:1)
    %full_Q = cute.get_iter(%barriers)
    %full_K = cute.add_offset(%full_Q, 1)
    %empty_K = cute.add_offset(%full_Q, 3)
    %full_V = cute.add_offset(%full_Q, 5)
    %empty_V = cute.add_offset(%full_Q, 7)
    %full_S = cute.add_offset(%full_Q, 9)   // S is complete
    %full_P = cute.add_offset(%full_Q, 11)  // all threads have stored P, and O may grow
    %done_O = cute.add_offset(%full_Q, 13)  // P V has been added to O
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %is_warp0 = %thread <u 32
    if %thread == 0 {
      for %i in 0..11 {
        cute.mbarrier_init(cute.add_offset(%full_Q, %i), 1)
      }
      cute.mbarrier_init(%full_P, 128)
      cute.mbarrier_init(cute.add_offset(%full_P, 1), 128)
      cute.mbarrier_init(%done_O, 1)
      cute.fence_mbarrier_init
    }
    if %is_warp0 {
      cute.tmem_alloc<512, 1> (cute.get_iter(%slots))
      cute.tmem_relinquish<1>
    }
    gpu.barrier
    %tmem = cute.make_ptr(%slots[0]) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %tmem_O = cute.add_offset(%tmem, 256)

    //===-- Tiles -----------------------------------------------------------===//

    %box = cute.static : !cute.shape<"(1,1,128,128)">
    %load_Q, %mQ = cute.make_tma_atom<"SM90_TMA_LOAD"> (%Q, %layout, %box)
    %load_K, %mK = cute.make_tma_atom<"SM90_TMA_LOAD"> (%K, %layout, %box)
    %load_V, %mV = cute.make_tma_atom<"SM90_TMA_LOAD"> (%V, %layout, %box)
    %store_O, %mO = cute.make_tma_atom<"SM90_TMA_STORE"> (%O, %layout, %box)
    %mma_S = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
    %mma_O = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_TS<half_t,half_t,float,128,128,K,MN>">)
    %sums = cute.make_tensor(%tmem, (128,128):(65536,1))
    %fC = cute.make_fragment_c(%mma_S, cute.partition_c(%mma_S, %sums, 0))
    %place = cute.get_layout(%fC)
    %start_P = cute.make_ptr(%slots[0]) : (i32) -> !cute.ptr<f16, tmem, align<16>>
    %fP = cute.make_fragment_a(%mma_O, cute.partition_a(%mma_O, cute.make_tensor(%start_P, (128,128):(131072,1)), 0))
    %place_P = cute.get_layout(%fP)

    //===-- Loads -----------------------------------------------------------===//

    if %thread == 128 {
      %gQ = cute.local_tile(%mQ, %box, (%batch,%head,%tile,0))
      %gK = cute.local_tile(%mK, %box, (%batch,%head_K,_,0))
      %gV = cute.local_tile(%mV, %box, (%batch,%head_K,_,0))
      %to_Q, %from_Q = cute.tma_partition(%load_Q, %sQ, %gQ)
      %to_K, %from_K = cute.tma_partition(%load_K, %sK, %gK)
      %to_V, %from_V = cute.tma_partition(%load_V, %sV, %gV)
      cute.mbarrier_arrive_expect_tx(%full_Q, 32768)
      cute.copy(cute.with_barrier(%load_Q, %full_Q), %from_Q, %to_Q)
      for %i in 0..%blocks {
        %stage = %i & 1
        %before = %i /u 2 & 1 xor 1
        %f_K = cute.add_offset(%full_K, %stage)
        %f_V = cute.add_offset(%full_V, %stage)
        cute.mbarrier_wait(cute.add_offset(%empty_K, %stage), %before)
        cute.mbarrier_arrive_expect_tx(%f_K, 32768)
        cute.copy(cute.with_barrier(%load_K, %f_K), %from_K[_,%i], %to_K[_,%stage])
        cute.mbarrier_wait(cute.add_offset(%empty_V, %stage), %before)
        cute.mbarrier_arrive_expect_tx(%f_V, 32768)
        cute.copy(cute.with_barrier(%load_V, %f_V), %from_V[_,%i], %to_V[_,%stage])
      }
    }

    //===-- Products --------------------------------------------------------===//

    if %thread == 160 {
      %dQ = cute.make_fragment_a(%mma_S, cute.partition_a(%mma_S, %sQ, 0))
      %dK = cute.make_fragment_b(%mma_S, cute.partition_b(%mma_S, %sK, 0))
      %dV = cute.make_fragment_b(%mma_O, cute.partition_b(%mma_O, cute.select<[1, 0, 2]>(%sV), 0))
      %acc_O = cute.make_tensor(%tmem_O, %place)
      cute.mbarrier_wait(%full_Q, 0)
      for %i in 0..(%blocks + 1) {
        if %i <u %blocks {
          %stage = %i & 1
          %acc_S = cute.make_tensor(cute.add_offset(%tmem, %stage * 128), %place)
          cute.mbarrier_wait(cute.add_offset(%full_K, %stage), %i /u 2 & 1)
          cute.gemm(%mma_S, %acc_S, %dQ, %dK[_,_,_,%stage], %acc_S, false)
          cute.tcgen05_commit<1> (cute.add_offset(%empty_K, %stage))
          cute.tcgen05_commit<1> (cute.add_offset(%full_S, %stage))
        }
        if %i != 0 {
          %done = %i - 1
          %stage = %done & 1
          %parity = %done /u 2 & 1
          %at_S = cute.add_offset(%tmem, %stage * 128)
          %at_P = cute.recast_ptr(%at_S) : (!column) -> !halves
          %operand_P = cute.make_tensor(%at_P, %place_P)
          cute.mbarrier_wait(cute.add_offset(%full_V, %stage), %parity)
          cute.mbarrier_wait(cute.add_offset(%full_P, %stage), %parity)
          cute.tcgen05_fence<"after">
          cute.gemm(%mma_O, %acc_O, %operand_P, %dV[_,_,_,%stage], %acc_O, %done != 0)
          cute.tcgen05_commit<1> (cute.add_offset(%empty_V, %stage))
          cute.tcgen05_commit<1> (%done_O)
        }
      }
    }

    //===-- Softmax ---------------------------------------------------------===//

    if %thread <u 128 {
      %c = %scale * 1.44269504
      %load = cute.static : !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f32>
      %store = cute.static : !cute.copy_atom<"SM100_TMEM_STORE_32dp32b32x", f32>
      %store_16 = cute.static : !cute.copy_atom<"SM100_TMEM_STORE_32dp32b32x", f16>
      %of_row = cute.make_tensor(0, (128,128):(0,1))
      %of_chunk = cute.make_tensor(0, (128,32):(0,1))
      %chunk = cute.make_tensor(%tmem_O, (128,32):(65536,1))
      %take_O = cute.make_tmem_copy(%load, %chunk)
      %put_O = cute.make_tmem_copy(%store, %chunk)

      %m_last, %l_last = for %i in 0..%blocks carry(%m = -1.0e30 : f32, %l = 0.0 : f32) {
        %stage = %i & 1
        %at_S = cute.add_offset(%tmem, %stage * 128)
        %acc_S = cute.make_tensor(%at_S, (128,128):(65536,1))
        %take = cute.make_tmem_copy(%load, %acc_S)
        %from = cute.partition_s(%take, %acc_S, %thread)
        %r = cute.make_fragment_like<f32> (cute.partition_d(%take, %of_row, %thread))
        cute.mbarrier_wait(cute.add_offset(%full_S, %stage), %i /u 2 & 1)
        cute.tcgen05_fence<"after">
        cute.copy(%take, %from, %r)
        cute.tmem_wait<"ld"> (%r)
        if %i + 1 == %blocks {
          %all = cute.load_vector(%r)
          %seen = func.call @mask(%all, %i * 128 - %N) : (vector<128xf32>, i32) -> vector<128xf32>
          cute.store_vector(%seen, %r)
        }
        %s = cute.load_vector(%r)
        %most = cute.reduce_vector<"maxnum", "128", "1"> (%s, %m)
        %grows = (%most - %m) * %c > 8.0
        %m_new = arith.select(%grows, %most, %m)
        %p = math.exp2<afn>(math.fma(%s, %c, -(%c * %m_new)))
        %sum = cute.reduce_vector<"add", "128", "1"> (%p, -0.0)

        %at_P = cute.recast_ptr(%at_S) : (!column) -> !halves
        %tile_P = cute.make_tensor(%at_P, (128,128):(131072,1))
        %put = cute.make_tmem_copy(%store_16, %tile_P)
        %into = cute.partition_d(%put, %tile_P, %thread)
        %r_P = cute.make_fragment_like<f16> (cute.partition_s(%put, %of_row, %thread))
        cute.store_vector(f16(%p), %r_P)
        cute.copy(%put, %r_P, %into)

        // O shrinks when the products before have been added to it.
        if %i != 0 {
          cute.mbarrier_wait(%done_O, %i & 1 xor 1)
          cute.tcgen05_fence<"after">
        }
        %shrink = math.exp2<afn>((%m - %m_new) * %c)
        %any_grows = nvvm.vote.sync any i32(-1), %grows -> i1
        if %any_grows {
          if %i != 0 {
            for %j in 0..4 {
              %part = cute.make_tensor(cute.add_offset(%tmem_O, %j * 32), (128,32):(65536,1))
              %r_O = cute.make_fragment_like<f32> (cute.partition_d(%take_O, %of_chunk, %thread))
              cute.copy(%take_O, cute.partition_s(%take_O, %part, %thread), %r_O)
              cute.tmem_wait<"ld"> (%r_O)
              %o = cute.load_vector(%r_O)
              cute.store_vector(%o * %shrink, %r_O)
              cute.copy(%put_O, %r_O, cute.partition_d(%put_O, %part, %thread))
            } {cute.unroll = "none"}
          }
        }
        cute.tmem_wait<"st"> ()
        cute.tcgen05_fence<"before">
        cute.mbarrier_arrive(cute.add_offset(%full_P, %stage))
        yield %m_new, %l * %shrink + %sum
      } {cute.unroll = "none"}

      //===-- The result ----------------------------------------------------===//

      cute.mbarrier_wait(%done_O, %blocks & 1 xor 1)
      cute.tcgen05_fence<"after">
      %inverse = 1.0 / %l_last
      for %j in 0..4 {
        %part = cute.make_tensor(cute.add_offset(%tmem_O, %j * 32), (128,32):(65536,1))
        %r_O = cute.make_fragment_like<f32> (cute.partition_d(%take_O, %of_chunk, %thread))
        cute.copy(%take_O, cute.partition_s(%take_O, %part, %thread), %r_O)
        cute.tmem_wait<"ld"> (%r_O)
        %o = cute.load_vector(%r_O)
        %near = cute.partition_d(%take_O, cute.local_tile(%sQ, (128,32), (0,%j)), %thread)
        %r_half = cute.make_fragment_like<f16> (%r_O)
        cute.store_vector(f16(%o * %inverse), %r_half)
        cute.autovec_copy(%r_half, %near)
      }
      cute.tcgen05_fence<"before">
      cute.fence_proxy<"async.shared">
      cute.named_barrier_sync(1, 128)
      if %thread == 0 {
        %gO = cute.local_tile(%mO, %box, (%batch,%head,%tile,0))
        %out, %there = cute.tma_partition(%store_O, %sQ, %gO)
        cute.copy(%store_O, %out, %there)
        cute.cp_async_bulk_commit
        cute.cp_async_bulk_wait<0>
      }
    }
    gpu.barrier
    if %is_warp0 {
      cute.tmem_dealloc<512, 1> (%tmem)
    }
    gpu.return
  }
}
