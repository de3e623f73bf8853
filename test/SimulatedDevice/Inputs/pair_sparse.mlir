// A product of two blocks of a cluster with a sparse A: each has half of A's
// rows, their metadata in its tensor memory, and half of B's columns. Of four
// elements along K the first two are there in rows whose number divided by 8 is
// even, the last two in others.
!a = !cute.tensor<f16, gmem, align<16>, "(256,64):(64,1)">
!b = !cute.tensor<f16, gmem, align<16>, "(64,128):(128,1)">
!c = !cute.tensor<f32, gmem, align<16>, "(256,64):(64,1)">

gpu.module @pair {
  gpu.func @product(%A: !a, %B: !b, %C: !c) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  known_cluster_size = array<i32: 2, 1, 1>, cute.grid = ["2"]} {
    %thread = cute.thread_idx
    %rank = cute.block_rank_in_cluster
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %no = arith.constant false
    %c3 = arith.constant 3 : i32
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout_A = cute.tile_to_shape(%rows, (128,64))
    %layout_B = cute.tile_to_shape(%rows, (32,128))
    %sA = cute.alloc_smem<f16, 1024> (%layout_A)
    %sB = cute.alloc_smem<f16, 1024> (%layout_B)
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %done = cute.get_iter(%barriers)
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    %is_warp0 = arith.cmpi ult, %thread, %c32 : i32
    scf.if %is_first {
      cute.mbarrier_init(%done, 1)
      cute.fence_mbarrier_init
    }
    %is_leader = arith.cmpi eq, %rank, %c0 : i32
    %starts = arith.andi %is_leader, %is_first : i1
    scf.if %is_warp0 {
      cute.tmem_alloc<128, 2> (%slot)
      cute.tmem_relinquish<2>
    }
    gpu.barrier
    %address = cute.load(%slots, 0)
    %sums = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %tile_A = cute.local_tile(%A, (128,64), (%rank,0))
    %tile_B = cute.local_tile(%B, (32,128), (%rank,0))
    %threads = cute.make_layout((32,4), (4,1))
    %theirs_A = cute.local_partition(%tile_A, %threads, %thread)
    %mine_A = cute.local_partition(%sA, %threads, %thread)
    %theirs_B = cute.local_partition(%tile_B, %threads, %thread)
    %mine_B = cute.local_partition(%sB, %threads, %thread)
    cute.basic_copy(%theirs_A, %mine_A)
    cute.basic_copy(%theirs_B, %mine_B)
    cute.fence_proxy<"async.shared">

    %indices = arith.constant 0xEEEE4444 : i32
    %start = cute.make_ptr(%address) : (i32) -> !cute.ptr<i32, tmem, align<16>>
    %place = cute.add_offset(%start, 64)
    %words = cute.make_tensor(%place, (128,4):(65536,1))
    %store = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_STORE_32dp32b4x", i32>, %words)
    %their_words = cute.partition_d(%store, %words, %thread)
    %flat = cute.get_iter(%C)
    %integers = cute.recast_ptr(%flat) : (!cute.ptr<f32, gmem, align<16>>) -> !cute.ptr<i32, gmem, align<16>>
    %like = cute.make_tensor(%integers, (128,4):(4,1))
    %my_words = cute.partition_s(%store, %like, %thread)
    %mine = cute.make_fragment_like(%my_words)
    cute.fill(%mine, %indices)
    cute.copy(%store, %mine, %their_words)
    cute.tmem_wait<"st"> ()
    cute.tcgen05_fence<"before">
    cute.cluster_arrive
    cute.cluster_wait
    cute.tcgen05_fence<"after">

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_2x1SM_SS_SPARSE<half_t,half_t,float,256,64,K,K>">)
    %twice = cute.composition(%sA, (128,(2,64)):(1,(0,128)))
    %pA = cute.tiled_divide(%twice, (128,32))
    %pB = cute.tiled_divide(%sB, (32,32))
    %nowhere = cute.recast_ptr(%place) : (!cute.ptr<i32, tmem, align<16>>) -> !cute.ptr<ui2, tmem, align<16>>
    %gE = cute.make_tensor(%nowhere, (256,64):(64,1))
    %pE = cute.partition_operand<"E"> (%mma, %gE, %rank)
    %like_E = cute.make_fragment_operand<"E"> (%mma, %pE)
    %layout_E = cute.get_layout(%like_E)
    %fE = cute.make_tensor(%nowhere, %layout_E)
    %pC = cute.partition_c(%mma, %C, %rank)
    %dA = cute.make_fragment_a(%mma, %pA)
    %dB = cute.make_fragment_b(%mma, %pB)
    %like_C = cute.make_fragment_c(%mma, %pC)
    %layout_C = cute.get_layout(%like_C)
    %acc = cute.make_tensor(%sums, %layout_C)
    scf.if %starts {
      cute.gemm(%mma, %acc, %dA, %dB, %acc, %fE, %no)
      cute.tcgen05_commit<2> (%done, %c3)
    }
    cute.mbarrier_wait(%done, %c0)
    cute.tcgen05_fence<"after">

    %load = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f32>, %acc[_,0,0])
    %tC = cute.partition_s(%load, %acc[_,0,0], %thread)
    %gC = cute.partition_d(%load, %pC[_,0,0], %thread)
    %rC = cute.make_fragment_like(%gC)
    cute.copy(%load, %tC, %rC)
    cute.tmem_wait<"ld"> (%rC)
    cute.autovec_copy(%rC, %gC)
    cute.tcgen05_fence<"before">
    cute.cluster_arrive
    cute.cluster_wait
    scf.if %is_warp0 {
      cute.tmem_dealloc<128, 2> (%sums)
    }
    gpu.return
  }
}
