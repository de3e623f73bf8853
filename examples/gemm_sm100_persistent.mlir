// C = A B^T on Blackwell by blocks that stay: each takes one tile of 128 x 128 after the other.
// A warp loads by TMA, another starts products, and four store sums, all at the same time:
// tensor memory has two accumulators, so that the products of a tile run while the sums of
// the one before are stored.
//
//   cutec examples/gemm_sm100_persistent.mlir --arch=sm_100a -o gemm_sm100_persistent.ptx
//
// M and N are multiples of 128, K is any; rows begin at multiples of 16 bytes.
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!result = !cute.tensor<f32, gmem, align<16>, "(?{div=128},?{div=128}):(?{i64 div=4},1)">

gpu.module @blackwell {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !result) kernel
      attributes {known_block_size = array<i32: 192, 1, 1>,
                  cute.roles = "warps 0 to 3 store, warp 4 loads, warp 5 multiplies",
                  cute.grid = ["min(ceil_div(arg2.shape[0], 128) * ceil_div(arg2.shape[1], 128), active_clusters)"]} {
    %block = cute.block_idx
    %thread = cute.thread_idx
    %blocks = cute.grid_dim

    //===-- Shared memory: three stages of A and B, barriers ---------------===//

    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout = cute.tile_to_shape(%rows, (128,64))
    %stages = cute.tile_to_shape(%rows, (128,64,3))
    %sA = cute.alloc_smem<f16, 1024> (%stages)
    %sB = cute.alloc_smem<f16, 1024> (%stages)
    %barriers = cute.alloc_smem<i64, 8> (10:1)
    %full = cute.get_iter(%barriers)            // A and B have come
    %empty = cute.add_offset(%full, 3)          // products have read them
    %sums_full = cute.add_offset(%full, 6)      // sums are complete
    %sums_empty = cute.add_offset(%full, 8)     // warps have loaded them
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    %is_warp0 = %thread <u 32
    if %thread == 0 {
      for %i in 0..3 {
        cute.mbarrier_init(cute.add_offset(%full, %i), 1)
        cute.mbarrier_init(cute.add_offset(%empty, %i), 1)
      }
      for %i in 0..2 {
        cute.mbarrier_init(cute.add_offset(%sums_full, %i), 1)
        cute.mbarrier_init(cute.add_offset(%sums_empty, %i), 128)
      }
      cute.fence_mbarrier_init
    }
    if %is_warp0 {
      cute.tmem_alloc<256, 1> (%slot)
      cute.tmem_relinquish<1>
    }
    gpu.barrier
    %tmem = cute.make_ptr(%slots[0]) : (i32) -> !cute.ptr<f32, tmem, align<16>>

    //===-- Tiles -----------------------------------------------------------===//

    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, (128,64))
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout, (128,64))
    %gA = cute.local_tile(%mA, (128,64), (_,_))
    %gB = cute.local_tile(%mB, (128,64), (_,_))
    %gC = cute.local_tile(%C, (128,128), (_,_))
    %to_A, %from_A = cute.tma_partition(%load_A, %sA, %gA)
    %to_B, %from_B = cute.tma_partition(%load_B, %sB, %gB)
    %tiles_m = cute.size<[2]>(%gC)
    %tiles_n = cute.size<[3]>(%gC)
    %k_tiles = cute.size<[3]>(%gA)
    %tiles = %tiles_m * %tiles_n

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
    %tC = cute.partition_c(%mma, %gC, 0)
    %dA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA, 0))
    %dB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB, 0))
    %fC = cute.make_fragment_c(%mma, %tC[_,_,_,0,0])
    %place = cute.get_layout(%fC)

    //===-- Loads -----------------------------------------------------------===//

    if %thread == 128 {
      %loaded = for %tile in %block..%tiles step %blocks carry(%first = 0 : i32) {
        %m = %tile modu %tiles_m
        %n = %tile /u %tiles_m
        %end = for %k in 0..%k_tiles carry(%count = %first) {
          %stage = %count modu 3
          %before = %count /u 3 & 1 xor 1
          %f = cute.add_offset(%full, %stage)
          %e = cute.add_offset(%empty, %stage)
          %into_A = cute.with_barrier(%load_A, %f)
          %into_B = cute.with_barrier(%load_B, %f)
          cute.mbarrier_wait(%e, %before)
          cute.mbarrier_arrive_expect_tx(%f, 32768)
          cute.copy(%into_A, %from_A[_,%m,%k], %to_A[_,%stage])
          cute.copy(%into_B, %from_B[_,%n,%k], %to_B[_,%stage])
          yield %count + 1
        }
        yield %end
      }
    }

    //===-- Products --------------------------------------------------------===//

    if %thread == 160 {
      %used, %turns = for %tile in %block..%tiles step %blocks
          carry(%first = 0 : i32, %turn = 0 : i32) {
        %which = %turn & 1
        %free = %turn /u 2 & 1 xor 1
        %ready = cute.add_offset(%sums_full, %which)
        %room = cute.add_offset(%sums_empty, %which)
        %start = cute.add_offset(%tmem, %which * 128)
        %acc = cute.make_tensor(%start, %place)
        cute.mbarrier_wait(%room, %free)
        cute.tcgen05_fence<"after">
        %end = for %k in 0..%k_tiles carry(%count = %first) {
          %stage = %count modu 3
          %odd = %count /u 3 & 1
          cute.mbarrier_wait(cute.add_offset(%full, %stage), %odd)
          cute.gemm(%mma, %acc, %dA[_,_,_,%stage], %dB[_,_,_,%stage], %acc, %k != 0)
          cute.tcgen05_commit<1> (cute.add_offset(%empty, %stage))
          yield %count + 1
        }
        cute.tcgen05_commit<1> (%ready)
        yield %end, %turn + 1
      }
    }

    //===-- Stores ----------------------------------------------------------===//

    if %thread <u 128 {
      %stored = for %tile in %block..%tiles step %blocks carry(%turn = 0 : i32) {
        %m = %tile modu %tiles_m
        %which = %turn & 1
        %parity = %turn /u 2 & 1
        %ready = cute.add_offset(%sums_full, %which)
        %room = cute.add_offset(%sums_empty, %which)
        %start = cute.add_offset(%tmem, %which * 128)
        %acc = cute.make_tensor(%start, %place)
        %copy = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f32>, %acc[_,0,0])
        %from = cute.partition_s(%copy, %acc[_,0,0], %thread)
        %into = cute.partition_d(%copy, %tC[_,0,0,%m,%tile /u %tiles_m], %thread)
        %r = cute.make_fragment_like(%into)
        cute.mbarrier_wait(%ready, %parity)
        cute.tcgen05_fence<"after">
        cute.copy(%copy, %from, %r)
        cute.tmem_wait<"ld"> (%r)
        cute.tcgen05_fence<"before">
        cute.mbarrier_arrive(%room) // products may write it again while these stores run
        cute.autovec_copy(%r, %into)
        yield %turn + 1
      }
    }
    gpu.barrier
    if %is_warp0 {
      cute.tmem_dealloc<256, 1> (%tmem)
    }
    gpu.return
  }
}
