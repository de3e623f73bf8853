// Two pairs of blocks in a cluster of four: the first pair loads for both, each
// block a tile to the block of its place in either pair. The first block of each
// pair waits for the bytes of both of its blocks, and tells the other by a commit.
!x = !cute.tensor<f16, gmem, align<16>, "(16,64):(64,1)">
!y = !cute.tensor<f16, gmem, align<16>, "(2,16,64):(1024,64,1)">

gpu.module @pairs {
  gpu.func @share(%X: !x, %Y: !y) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  known_cluster_size = array<i32: 4, 1, 1>, cute.grid = ["4"]} {
    %thread = cute.thread_idx
    %rank = cute.block_rank_in_cluster
    %place = %rank & 1
    %layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (8,64))
    %s = cute.alloc_smem<f16, 1024> (%layout)
    %load, %mX = cute.make_tma_atom<"SM100_TMA_2SM_LOAD_MULTICAST"> (%X, %layout, (8,64))
    %tile = cute.local_tile(%mX, (8,64), (%place,0))
    %to, %from = cute.tma_partition(%load, cute.group_modes<0, 2> (%s), cute.group_modes<0, 2> (%tile))
    %barriers = cute.alloc_smem<i64, 8> (2:1)
    %full = cute.get_iter(%barriers)
    %done = cute.add_offset(%full, 1)
    %mask = 5 << %place
    %copy = cute.with_barrier(%load, %full, %mask)
    %is_first = %thread == 0
    %leads = %place == 0
    %starts = %is_first & (%rank <u 2)
    if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.mbarrier_init(%done, 1)
      cute.fence_mbarrier_init
      if %leads {
        cute.mbarrier_arrive_expect_tx(%full, 2048)
      }
    }
    cute.cluster_arrive
    cute.cluster_wait
    if %starts {
      cute.copy(%copy, %from, %to)
    }
    if %leads {
      cute.mbarrier_wait(%full, 0)
      if %is_first {
        cute.tcgen05_commit<2> (%done, 3 << %rank)
      }
    }
    cute.mbarrier_wait(%done, 0)
    %rows = cute.make_tensor(cute.get_iter(%Y), (32,64):(64,1))
    %out = cute.local_tile(%rows, (8,64), (%rank,0))
    %threads = cute.make_layout((8,16), (16,1))
    cute.basic_copy(cute.local_partition(%s, %threads, %thread), cute.local_partition(%out, %threads, %thread))
    gpu.return
  }
}
