// Shared memory to tensor memory by tcgen05.cp, and from there to global
// memory.
!m = !cute.tensor<f32, gmem, align<16>, "(128,8):(8,1)">

gpu.module @tensor_copy {
  gpu.func @through(%A: !m, %B: !m) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %layout = cute.tile_to_shape((8,4):(4,1), (128,8))
    %s = cute.alloc_smem<f32, 128> (%layout)
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
      cute.tmem_alloc<32, 1> (%slot)
      cute.tmem_relinquish<1>
    }
    %ones = cute.make_layout((128,1))
    %mine = cute.local_partition(%s, %ones, %thread)
    %theirs = cute.local_partition(%A, %ones, %thread)
    cute.basic_copy(%theirs, %mine)
    cute.fence_proxy<"async.shared">
    gpu.barrier
    %address = cute.load(%slots, 0)
    %p = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %T = cute.make_tensor(%p, (128,8):(65536,1))
    %start = cute.get_iter(%s)
    %rows = cute.make_tensor(%start, (((8,16),(4,2)),1):(((4,32),(1,512)),0))
    %lanes = cute.make_tensor(%p, ((128,8),1):((65536,1),0))
    %cp = cute.static : !cute.copy_atom<"SM100_UTCCP_128dp256bit_1cta", f32>
    scf.if %is_first {
      cute.copy(%cp, %rows, %lanes)
      cute.tcgen05_commit<1> (%done)
    }
    cute.mbarrier_wait(%done, %c0)
    cute.tcgen05_fence<"after">
    %load = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b8x", f32>, %T)
    %tT = cute.partition_s(%load, %T, %thread)
    %gB = cute.partition_d(%load, %B, %thread)
    %r = cute.make_fragment_like(%gB)
    cute.copy(%load, %tT, %r)
    cute.tmem_wait<"ld"> (%r)
    cute.autovec_copy(%r, %gB)
    cute.tcgen05_fence<"before">
    gpu.barrier
    scf.if %is_warp0 {
      cute.tmem_dealloc<32, 1> (%p)
    }
    gpu.return
  }
}
