// Two products of 96 elements of K (sm_103) with a scale factor for 16 of them: the factors of
// the second begin in the middle of a word and go on in the next. Threads bring
// everything to shared memory, tcgen05.cp the factors from there to tensor memory.
!a = !cute.tensor<f4E2M1FN, gmem, align<16>, "(128,192):(192,1)">
!b = !cute.tensor<f4E2M1FN, gmem, align<16>, "(64,192):(192,1)">
!c = !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">
!factors = !cute.tensor<f8E8M0FNU, gmem, align<16>, "((32,4),(4,3)):((16,4),(1,512))">

gpu.module @block_scaled {
  gpu.func @product(%A: !a, %B: !b, %C: !c, %SFA: !factors, %SFB: !factors) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %layout_A = cute.tile_to_shape((8,32):(32,1), (128,192))
    %layout_B = cute.tile_to_shape((8,32):(32,1), (64,192))
    %sA = cute.alloc_smem<f4E2M1FN, 128> (%layout_A)
    %sB = cute.alloc_smem<f4E2M1FN, 128> (%layout_B)
    %sSFA = cute.alloc_smem<f8E8M0FNU, 128> (1536:1)
    %sSFB = cute.alloc_smem<f8E8M0FNU, 128> (1536:1)
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %done = cute.get_iter(%barriers)
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    %is_first = %thread == 0
    %is_warp0 = %thread <u 32
    if %is_first {
      cute.mbarrier_init(%done, 1)
      cute.fence_mbarrier_init
    }
    if %is_warp0 {
      cute.tmem_alloc<128, 1> (%slot)
      cute.tmem_relinquish<1>
    }

    %threads = cute.make_layout((8,16), (16,1))
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
    %gSFA = cute.make_tensor(%flat_A, 1536:1)
    %gSFB = cute.make_tensor(%flat_B, 1536:1)
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
    %place_SFB = cute.add_offset(%start, 304)
    %from_A = cute.get_iter(%sSFA)
    %from_B = cute.get_iter(%sSFB)
    %rows_SFA = cute.make_tensor(%from_A, ((32,16,4),3):((16,1,0),512))
    %rows_SFB = cute.make_tensor(%from_B, ((32,16,4),3):((16,1,0),512))
    %lanes_SFA = cute.make_tensor(%place_SFA, ((32,16,4),3):((262144,1,8388608),16))
    %lanes_SFB = cute.make_tensor(%place_SFB, ((32,16,4),3):((262144,1,8388608),16))
    %cp = cute.static : !cute.copy_atom<"SM100_UTCCP_4x32dp128bit_1cta", f8E8M0FNU>

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,64,16,K,K>">)
    %pA = cute.partition_a(%mma, %sA, 0)
    %pB = cute.partition_b(%mma, %sB, 0)
    %pC = cute.partition_c(%mma, %C, 0)
    %dA = cute.make_fragment_a(%mma, %pA)
    %dB = cute.make_fragment_b(%mma, %pB)
    %like_C = cute.make_fragment_c(%mma, %pC)
    %layout_C = cute.get_layout(%like_C)
    %acc = cute.make_tensor(%sums, %layout_C)
    %each = cute.make_tensor(%flat_A, (1,1,12):(0,0,1))
    %like_SFA = cute.make_fragment_operand<"SFA"> (%mma, %each)
    %like_SFB = cute.make_fragment_operand<"SFB"> (%mma, %each)
    %layout_SFA = cute.get_layout(%like_SFA)
    %layout_SFB = cute.get_layout(%like_SFB)
    %fSFA = cute.make_tensor(%place_SFA, %layout_SFA)
    %fSFB = cute.make_tensor(%place_SFB, %layout_SFB)
    if %is_first {
      cute.copy(%cp, %rows_SFA, %lanes_SFA)
      cute.copy(%cp, %rows_SFB, %lanes_SFB)
      cute.gemm(%mma, %acc, %dA[_,_,0], %dB[_,_,0], %acc, %fSFA[_,_,0], %fSFB[_,_,0], false)
      cute.gemm(%mma, %acc, %dA[_,_,1], %dB[_,_,1], %acc, %fSFA[_,_,6], %fSFB[_,_,6], true)
      cute.tcgen05_commit<1> (%done)
    }
    cute.mbarrier_wait(%done, 0)
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
    if %is_warp0 {
      cute.tmem_dealloc<128, 1> (%sums)
    }
    gpu.return
  }
}
