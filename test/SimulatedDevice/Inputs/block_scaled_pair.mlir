// The product of block_scaled.mlir by a pair of blocks: each has the factors of
// its rows of A, and of all of B. Threads bring everything
// to shared memory, tcgen05.cp the factors from there to tensor memory.
!a = !cute.tensor<f8E4M3FN, gmem, align<16>, "(256,128):(128,1)">
!b = !cute.tensor<f8E4M3FN, gmem, align<16>, "(64,128):(128,1)">
!c = !cute.tensor<f32, gmem, align<16>, "(256,64):(64,1)">
!factors = !cute.tensor<f8E8M0FNU, gmem, align<16>, "((32,4),4):((16,4),1)">

!two = !cute.tensor<f8E8M0FNU, gmem, align<16>, "((32,4,2),4):((16,4,512),1)">

gpu.module @block_scaled {
  gpu.func @product(%A: !a, %B: !b, %C: !c, %SFA: !two, %SFB: !factors) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["2"],
                  known_cluster_size = array<i32: 2, 1, 1>} {
    %rank = cute.block_rank_in_cluster
    %both = arith.constant 3 : i32
    %c512 = arith.constant 512 : i32
    %thread = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %no = arith.constant false
    %rows = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,128):(128,1)">
    %layout_A = cute.tile_to_shape(%rows, (128,128))
    %layout_B = cute.tile_to_shape(%rows, (32,128))
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
      cute.tmem_alloc<128, 2> (%slot)
      cute.tmem_relinquish<2>
    }

    %threads = cute.make_layout((16,8), (8,1))
    %half_A = cute.local_tile(%A, (128,128), (%rank,0))
    %gA = cute.recast_tensor<i8> (%half_A)
    %tA = cute.recast_tensor<i8> (%sA)
    %theirs_A = cute.local_partition(%gA, %threads, %thread)
    %mine_A = cute.local_partition(%tA, %threads, %thread)
    %half_B = cute.local_tile(%B, (32,128), (%rank,0))
    %gB = cute.recast_tensor<i8> (%half_B)
    %tB = cute.recast_tensor<i8> (%sB)
    %theirs_B = cute.local_partition(%gB, %threads, %thread)
    %mine_B = cute.local_partition(%tB, %threads, %thread)
    cute.basic_copy(%theirs_A, %mine_A)
    cute.basic_copy(%theirs_B, %mine_B)
    %begin_A = cute.get_iter(%SFA)
    %mine_512 = arith.muli %rank, %c512 : i32
    %flat_A = cute.add_offset(%begin_A, %mine_512)
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
    cute.cluster_arrive
    cute.cluster_wait

    %address = cute.load(%slots, 0)
    %sums = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %start = cute.make_ptr(%address) : (i32) -> !cute.ptr<f8E8M0FNU, tmem, align<16>>
    %place_SFA = cute.add_offset(%start, 256)
    %place_SFB = cute.add_offset(%start, 272)
    %from_A = cute.get_iter(%sSFA)
    %from_B = cute.get_iter(%sSFB)
    %rows_SFA = cute.make_tensor(%from_A, ((32,16,4),1):((16,1,0),0))
    %rows_SFB = cute.make_tensor(%from_B, ((32,16,4),1):((16,1,0),0))
    %lanes_SFA = cute.make_tensor(%place_SFA, ((32,16,4),1):((262144,1,8388608),0))
    %lanes_SFB = cute.make_tensor(%place_SFB, ((32,16,4),1):((262144,1,8388608),0))
    %cp = cute.static : !cute.copy_atom<"SM100_UTCCP_4x32dp128bit_2cta", f8E8M0FNU>

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_MXF8F6F4_2x1SM_SS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,256,64,K,K>">)
    %pA = cute.tiled_divide(%sA, (128,32))
    %pB = cute.tiled_divide(%sB, (32,32))
    %pC = cute.partition_c(%mma, %C, %rank)
    %dA = cute.make_fragment_a(%mma, %pA)
    %dB = cute.make_fragment_b(%mma, %pB)
    %like_C = cute.make_fragment_c(%mma, %pC)
    %pSFA = cute.partition_operand<"SFA"> (%mma, %SFA, %rank)
    %like_SFA = cute.make_fragment_operand<"SFA"> (%mma, %pSFA)
    %used_SFB = cute.make_tensor(%flat_B, ((32,2),4):((16,4),1))
    %pSFB = cute.partition_operand<"SFB"> (%mma, %used_SFB, %rank)
    %like_SFB = cute.make_fragment_operand<"SFB"> (%mma, %pSFB)
    %layout_C = cute.get_layout(%like_C)
    %layout_SFA = cute.get_layout(%like_SFA)
    %layout_SFB = cute.get_layout(%like_SFB)
    %acc = cute.make_tensor(%sums, %layout_C)
    %fSFA = cute.make_tensor(%place_SFA, %layout_SFA)
    %fSFB = cute.make_tensor(%place_SFB, %layout_SFB)
    %is_leader = arith.cmpi eq, %rank, %c0 : i32
    %starts = arith.andi %is_first, %is_leader : i1
    scf.if %starts {
      cute.copy(%cp, %rows_SFA, %lanes_SFA)
      cute.copy(%cp, %rows_SFB, %lanes_SFB)
      cute.gemm(%mma, %acc, %dA, %dB, %acc, %fSFA, %fSFB, %no)
      cute.tcgen05_commit<2> (%done, %both)
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
