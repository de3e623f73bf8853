// What is stored to tensor memory is loaded with the largest value of each row.
!m = !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">
!v = !cute.tensor<f32, gmem, align<16>, "(128,1):(1,1)">

gpu.module @tensor_reduce {
  gpu.func @largest(%A: !m, %B: !m, %C: !v) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    if %thread <u 32 {
      cute.tmem_alloc<64, 1> (%slot)
      cute.tmem_relinquish<1>
    }
    gpu.barrier
    %p = cute.make_ptr(%slots[0]) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %T = cute.make_tensor(%p, (128,64):(65536,1))
    %store = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_STORE_32dp32b64x", f32>, %T)
    %gA = cute.partition_s(%store, %A, %thread)
    %rA = cute.make_fragment_like(%gA)
    cute.autovec_copy(%gA, %rA)
    cute.copy(%store, %rA, cute.partition_d(%store, %T, %thread))
    cute.tmem_wait<"st"> ()
    cute.tcgen05_fence<"before">
    gpu.barrier
    cute.tcgen05_fence<"after">

    %load = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b64x", f32>, %T)
    %tT = cute.partition_s(%load, %T, %thread)
    %gB = cute.partition_d(%load, %B, %thread)
    %r = cute.make_fragment_like(%gB)
    %largest = cute.local_partition(%C, (128,1), %thread)
    %most = cute.make_fragment_like(%largest)
    %v = cute.tmem_load_reduce<"max"> (%load, %tT[_,0,0], %r[_,0,0])
    cute.store(%v, %most, 0)
    cute.tmem_wait<"ld"> (%r, %most)
    cute.autovec_copy(%r, %gB)
    cute.autovec_copy(%most, %largest)
    gpu.barrier
    if %thread <u 32 {
      cute.tmem_dealloc<64, 1> (%p)
    }
    gpu.return
  }
}
