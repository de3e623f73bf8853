// A product with a sparse A whose blocks along K have scale factors: of four elements
// along K the first two are there in 8 columns of A, the last two in the next 8.
!a = !cute.tensor<f8E4M3FN, gmem, align<16>, "(128,128):(128,1)">
!b = !cute.tensor<f8E4M3FN, gmem, align<16>, "(64,256):(256,1)">
!c = !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">
!factors = !cute.tensor<f8E8M0FNU, gmem, align<16>, "((32,4),4):((16,4),1)">

gpu.module @tensor_sparse_scaled {
  gpu.func @product(%A: !a, %B: !b, %C: !c, %SFA: !factors, %SFB: !factors) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %no = arith.constant false
    %indices = arith.constant 0xEEEE4444 : i32
    %rows = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,128):(128,1)">
    %layout_A = cute.tile_to_shape(%rows, (128,128))
    %layout_B = cute.tile_to_shape(%rows, (64,256))
    %sA = cute.alloc_smem<f8E4M3FN, 1024> (%layout_A)
    %sB = cute.alloc_smem<f8E4M3FN, 1024> (%layout_B)
    %sSFA = cute.alloc_smem<f8E8M0FNU, 128> (512:1)
    %sSFB = cute.alloc_smem<f8E8M0FNU, 128> (512:1)
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
    scf.if %is_warp0 {
      cute.tmem_alloc<128, 1> (%slot)
      cute.tmem_relinquish<1>
    }

    %threads = cute.make_layout((16,8), (8,1))
    %gA = cute.recast_tensor<i8> (%A)
    %tA = cute.recast_tensor<i8> (%sA)
    %theirs_A = cute.local_partition(%gA, %threads, %thread)
    %mine_A = cute.local_partition(%tA, %threads, %thread)
    %gB = cute.recast_tensor<i8> (%B)
    %tB = cute.recast_tensor<i8> (%sB)
    %theirs_B = cute.local_partition(%gB, %threads, %thread)
    %mine_B = cute.local_partition(%tB, %threads, %thread)
    cute.basic_copy(%theirs_A, %mine_A)
    cute.basic_copy(%theirs_B, %mine_B)
    %flat_A = cute.get_iter(%SFA)
    %flat_B = cute.get_iter(%SFB)
    %gSFA = cute.make_tensor(%flat_A, 512:1)
    %gSFB = cute.make_tensor(%flat_B, 512:1)
    %bytes = cute.make_layout(128)
    %theirs_SFA = cute.local_partition(%gSFA, %bytes, %thread)
    %mine_SFA = cute.local_partition(%sSFA, %bytes, %thread)
    %theirs_SFB = cute.local_partition(%gSFB, %bytes, %thread)
    %mine_SFB = cute.local_partition(%sSFB, %bytes, %thread)
    cute.basic_copy(%theirs_SFA, %mine_SFA)
    cute.basic_copy(%theirs_SFB, %mine_SFB)
    cute.fence_proxy<"async.shared">
    gpu.barrier

    %address = cute.load(%slots, 0)
    %sums = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %start = cute.make_ptr(%address) : (i32) -> !cute.ptr<f8E8M0FNU, tmem, align<16>>
    %place_SFA = cute.add_offset(%start, 256)
    %place_SFB = cute.add_offset(%start, 272)
    %istart = cute.make_ptr(%address) : (i32) -> !cute.ptr<i32, tmem, align<16>>
    %place = cute.add_offset(%istart, 80)
    %words = cute.make_tensor(%place, (128,8):(65536,1))
    %store = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_STORE_32dp32b8x", i32>, %words)
    %their_words = cute.partition_d(%store, %words, %thread)
    %flat = cute.get_iter(%C)
    %integers = cute.recast_ptr(%flat) : (!cute.ptr<f32, gmem, align<16>>) -> !cute.ptr<i32, gmem, align<16>>
    %like = cute.make_tensor(%integers, (128,8):(8,1))
    %my_words = cute.partition_s(%store, %like, %thread)
    %mine = cute.make_fragment_like(%my_words)
    cute.fill(%mine, %indices)
    cute.copy(%store, %mine, %their_words)
    cute.tmem_wait<"st"> ()
    cute.tcgen05_fence<"before">
    gpu.barrier
    cute.tcgen05_fence<"after">
    %from_A = cute.get_iter(%sSFA)
    %from_B = cute.get_iter(%sSFB)
    %rows_SFA = cute.make_tensor(%from_A, ((32,16,4),1):((16,1,0),0))
    %rows_SFB = cute.make_tensor(%from_B, ((32,16,4),1):((16,1,0),0))
    %lanes_SFA = cute.make_tensor(%place_SFA, ((32,16,4),1):((262144,1,8388608),0))
    %lanes_SFB = cute.make_tensor(%place_SFB, ((32,16,4),1):((262144,1,8388608),0))
    %cp = cute.static : !cute.copy_atom<"SM100_UTCCP_4x32dp128bit_1cta", f8E8M0FNU>

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_MXF8F6F4_SS_SPARSE<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,128,64,K,K>">)
    %twice = cute.composition(%sA, (128,(2,128)):(1,(0,128)))
    %pA = cute.partition_a(%mma, %twice, 0)
    %nowhere = cute.recast_ptr(%place) : (!cute.ptr<i32, tmem, align<16>>) -> !cute.ptr<ui2, tmem, align<16>>
    %gE = cute.make_tensor(%nowhere, (128,128):(128,1))
    %pE = cute.partition_operand<"E"> (%mma, %gE, 0)
    %like_E = cute.make_fragment_operand<"E"> (%mma, %pE)
    %layout_E = cute.get_layout(%like_E)
    %fE = cute.make_tensor(%nowhere, %layout_E)
    %pB = cute.partition_b(%mma, %sB, 0)
    %pC = cute.partition_c(%mma, %C, 0)
    %dA = cute.make_fragment_a(%mma, %pA)
    %dB = cute.make_fragment_b(%mma, %pB)
    %like_C = cute.make_fragment_c(%mma, %pC)
    %pSFA = cute.partition_operand<"SFA"> (%mma, %SFA, 0)
    %like_SFA = cute.make_fragment_operand<"SFA"> (%mma, %pSFA)
    %used_SFB = cute.make_tensor(%flat_B, ((32,2),4):((16,4),1))
    %pSFB = cute.partition_operand<"SFB"> (%mma, %used_SFB, 0)
    %like_SFB = cute.make_fragment_operand<"SFB"> (%mma, %pSFB)
    %layout_C = cute.get_layout(%like_C)
    %layout_SFA = cute.get_layout(%like_SFA)
    %layout_SFB = cute.get_layout(%like_SFB)
    %acc = cute.make_tensor(%sums, %layout_C)
    %fSFA = cute.make_tensor(%place_SFA, %layout_SFA)
    %fSFB = cute.make_tensor(%place_SFB, %layout_SFB)
    scf.if %is_first {
      cute.copy(%cp, %rows_SFA, %lanes_SFA)
      cute.copy(%cp, %rows_SFB, %lanes_SFB)
      cute.gemm(%mma, %acc, %dA, %dB, %acc, %fE, %fSFA, %fSFB, %no)
      cute.tcgen05_commit<1> (%done)
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
    gpu.barrier
    scf.if %is_warp0 {
      cute.tmem_dealloc<128, 1> (%sums)
    }
    gpu.return
  }
}
