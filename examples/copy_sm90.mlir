// B = A on Hopper, for row-major matrices of any size whose rows begin at multiples
// of 16 bytes: the least that a kernel with TMA does, and as fast as memory is.
//
//   cutec examples/copy_sm90.mlir --arch=sm_90a -o copy_sm90.ptx
//
// A block is one warp, and one of its threads works. It asks for a tile of 64 x 256,
// 32 KiB, waits until it is in shared memory, and has it stored. What hides the time
// of memory is that six blocks run on each multiprocessor, with 192 KiB under way.
// Were it under way to registers, that would be three quarters of all there are.
//
// Two things are asynchronous, and are waited for in two ways. A load says that it
// is complete by a barrier in shared memory, which counts bytes: whoever waits for
// the phase sees the data. A store belongs to a group of its thread, which waits
// until the group has read shared memory, as nobody here waits for its writes.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @copy_sm90 {
  gpu.func @copy(%A: !matrix, %B: !matrix) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>,
      cute.grid = ["ceil_div(arg0.shape[1], 256)", "ceil_div(arg0.shape[0], 64)"]} {
    %c0 = 0 : i32
    %x = gpu.block_id x
    %column = i32(%x)
    %y = gpu.block_id y
    %row = i32(%y)

    // Rows of 512 bytes without a swizzle, as no thread reads them. The tile is one
    // box of the tensor map: at most 256 elements along each mode.
    %tile = cute.static : !cute.shape<"(64,256)">
    %layout = cute.static : !cute.layout<"(64,256):(256,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %one = cute.static : !cute.layout<"1:1">
    %barriers = cute.alloc_smem<i64, 8> (%one)
    %full = cute.get_iter(%barriers)

    // The tensors of coordinates take the place of A and B.
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, %tile)
    %store, %mB = cute.make_tma_atom<"SM90_TMA_STORE"> (%B, %layout, %tile)
    %at = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %at)
    %gB = cute.local_tile(%mB, %tile, %at)
    %s_tile = cute.group_modes<0, 2> (%s)
    %gA_tile = cute.group_modes<0, 2> (%gA)
    %gB_tile = cute.group_modes<0, 2> (%gB)
    %sA_load, %gA_load = cute.tma_partition(%load, %s_tile, %gA_tile)
    %sB_store, %gB_store = cute.tma_partition(%store, %s_tile, %gB_tile)

    // The barrier waits for an arrival and for the bytes that it announces; what the
    // thread wrote there is made visible to TMA. The L2 cache need not keep what is
    // read or written once.
    %is_elected = cute.elect_one
    if %is_elected {
      %arrivals = cute.static : !cute.int_tuple<"1">
      %bytes = cute.static : !cute.int_tuple<"32768">
      cute.mbarrier_init(%full, %arrivals)
      cute.fence_mbarrier_init
      cute.fence_proxy<"async.shared">
      cute.mbarrier_arrive_expect_tx(%full, %bytes)
      %from_A = cute.with_barrier<"evict_first">(%load, %full)
      cute.copy(%from_A, %gA_load, %sA_load)
    }
    gpu.barrier
    cute.mbarrier_wait(%full, %c0)

    // TMA stores whole pieces of 16 bytes of a row, with zeros after its end. Where
    // rows of B end within this tile, but not with such a piece, the threads store
    // the elements that exist.
    %shape = cute.get_shape(%B)
    %M, %N = cute.get_scalars(%shape)
    if (%column + 1) * 256 >u %N and %N & 7 != 0 {
      %single = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
      %threads = cute.static : !cute.layout<"(1,32):(0,1)">
      %values = cute.static : !cute.layout<"(1,1):(0,0)">
      %by_1 = cute.make_tiled_copy(%single, %threads, %values)
      %tid = gpu.thread_id x
      %thread = i32(%tid)
      %identity = cute.make_identity_tensor(%shape)
      %cB = cute.local_tile(%identity, %tile, %at)
      %tile_B = cute.local_tile(%B, %tile, %at)
      %from = cute.partition_s(%by_1, %s, %thread)
      %to = cute.partition_d(%by_1, %tile_B, %thread)
      %coords = cute.partition_d(%by_1, %cB, %thread)
      for %i in 0..64 {
        %at_row = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?,_)">
        %from_row = cute.slice(%from, %at_row)
        %to_row = cute.slice(%to, %at_row)
        %coords_row = cute.slice(%coords, %at_row)
        %exists = cute.make_predicate(%coords_row, %shape)
        cute.basic_copy_if(%exists, %from_row, %to_row)
      } {cute.unroll = "none"}
    } else {
      if %is_elected {
        cute.fence_proxy<"async.shared">
        %to_B = cute.with_cache<"evict_first">(%store)
        cute.copy(%to_B, %sB_store, %gB_store)
        cute.cp_async_bulk_commit
        cute.cp_async_bulk_wait_read<0>
      }
    }
    gpu.return
  }
}
