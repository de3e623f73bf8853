// Block 0 of a cluster loads rows of A by TMA to itself and to block 1; both write them, to
// rows of B of their own.
!A = !cute.tensor<f16, gmem, align<16>, "(32,64):(64,1)">
!B = !cute.tensor<f16, gmem, align<16>, "(32,64,2):(64,1,2048)">
gpu.module @m {
  gpu.func @multicast(%A: !A, %B: !B) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  known_cluster_size = array<i32: 2, 1, 1>, cute.grid = ["2"]} {
    %thread = cute.thread_idx
    %block = cute.block_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %layout = cute.static : !cute.layout<"(32,64):(64,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %two = cute.static : !cute.int_tuple<"2">
    %blocks = cute.static : !cute.int_tuple<"3">
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %layout, (32,64), %two)
    %gA = cute.local_tile(%mA, (32,64), (0,0))
    %s_tile = cute.group_modes<0, 2> (%s)
    %gA_tile = cute.group_modes<0, 2> (%gA)
    %part = arith.andi %block, %c1 : i32
    %sA_load, %gA_load = cute.tma_partition(%load, %s_tile, %gA_tile, %part)
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)
    %to = cute.with_barrier(%load, %full, %blocks)
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
      // Both blocks wait for the halves that both load.
      cute.mbarrier_arrive_expect_tx(%full, 4096)
    }
    cute.cluster_arrive<{relaxed}>
    cute.cluster_wait
    scf.if %is_first {
      cute.copy(%to, %gA_load, %sA_load)
    }
    cute.mbarrier_wait(%full, %c0)
    scf.for %i = %c0 to %c64 step %c1 : i32 {
      %x = cute.load(%s, (%thread,%i))
      cute.store(%x, %B, (%thread,%i,%block))
    }
    cute.cluster_arrive<{relaxed}>
    cute.cluster_wait
    gpu.return
  }
}
