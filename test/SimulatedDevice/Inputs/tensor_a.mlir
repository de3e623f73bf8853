// A product with A in tensor memory: four warps bring A from global memory to
// tensor memory, and B to shared memory. M, the negated operands and the
// multiples of C vary with the atom.
!a = !cute.tensor<f16, gmem, align<16>, "(128,64):(64,1)">
!b = !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">
!c = !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">

gpu.module @tensor_a {
  gpu.func @product(%A: !a, %B: !b, %C: !c) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %no = arith.constant false
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout = cute.tile_to_shape(%rows, (64,64))
    %sB = cute.alloc_smem<f16, 1024> (%layout)
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
    gpu.barrier
    %address = cute.load(%slots, 0)
    %sums = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %start = cute.make_ptr(%address) : (i32) -> !cute.ptr<f16, tmem, align<16>>
    %place_A = cute.add_offset(%start, 128)

    %threads = cute.make_layout((32,4), (4,1))
    %mine = cute.local_partition(%sB, %threads, %thread)
    %theirs = cute.local_partition(%B, %threads, %thread)
    cute.basic_copy(%theirs, %mine)
    cute.fence_proxy<"async.shared">

    %T = cute.make_tensor(%place_A, (128,64):(131072,1))
    %store = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_STORE_32dp32b32x", f16>, %T)
    %gA = cute.partition_s(%store, %A, %thread)
    %tA = cute.partition_d(%store, %T, %thread)
    %rA = cute.make_fragment_like(%gA)
    cute.autovec_copy(%gA, %rA)
    cute.copy(%store, %rA, %tA)
    cute.tmem_wait<"st"> ()
    cute.tcgen05_fence<"before">
    gpu.barrier
    cute.tcgen05_fence<"after">

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,K,K>">)
    %pA = cute.partition_a(%mma, %A, 0)
    %pB = cute.partition_b(%mma, %sB, 0)
    %pC = cute.partition_c(%mma, %C, 0)
    %like_A = cute.make_fragment_a(%mma, %pA)
    %like_C = cute.make_fragment_c(%mma, %pC)
    %dB = cute.make_fragment_b(%mma, %pB)
    %layout_A = cute.get_layout(%like_A)
    %layout_C = cute.get_layout(%like_C)
    %fA = cute.make_tensor(%place_A, %layout_A)
    %acc = cute.make_tensor(%sums, %layout_C)
    scf.if %is_first {
      cute.gemm(%mma, %acc, %fA, %dB, %acc, %no)
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
