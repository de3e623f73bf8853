!x = !cute.tensor<f16, gmem, align<16>, "(?,128):(128,1)">
!r = !cute.tensor<i32, gmem, align<16>, "?:1">

gpu.module @m {
  gpu.func @gather(%X: !x, %rows: !r, %Y: !x) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["arg1.shape[0] / 32"]} {
    %thread = cute.thread_idx
    %block = cute.block_idx
    %layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), (32,128))
    %s = cute.alloc_smem<f16, 1024> (%layout)
    %load, %mX = cute.make_tma_atom<"SM100_TMA_LOAD_GATHER4"> (%X, %layout, (32,128))
    %store, %mY = cute.make_tma_atom<"SM100_TMA_STORE_SCATTER4"> (%Y, %layout, (32,128))
    %tile = cute.local_tile(%mX, (32,128), (%block,0))
    %to, %from = cute.tma_partition(%load, cute.group_modes<0, 2> (%s), cute.group_modes<0, 2> (%tile))
    %back, %out = cute.tma_partition(%store, cute.group_modes<0, 2> (%s), cute.group_modes<0, 2> (%tile))
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)
    %four = cute.with_rows(%load, %rows)
    %copy = cute.with_barrier(%four, %full)
    %put = cute.with_rows(%store, %rows)
    if %thread == 0 {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
      cute.mbarrier_arrive_expect_tx(%full, 8192)
      cute.copy(%copy, %from, %to)
      cute.mbarrier_wait(%full, 0)
      cute.copy(%put, %back, %out)
      cute.cp_async_bulk_commit
      cute.cp_async_bulk_wait<0>
    }
    gpu.return
  }
}
