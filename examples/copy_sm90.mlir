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
    %column = cute.block_idx
    %row = cute.block_idx<"y">

    // Rows of 512 bytes without a swizzle, as no thread reads them. The tile is one
    // box of the tensor map: at most 256 elements along each mode.
    %tile = cute.static : !cute.shape<"(64,256)">
    %layout = cute.static : !cute.layout<"(64,256):(256,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)

    // The tensors of coordinates take the place of A and B.
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, %tile)
    %store, %mB = cute.make_tma_atom<"SM90_TMA_STORE"> (%B, %layout, %tile)
    %gA_tile = cute.local_tile(%mA, %tile, (%row,%column))
    %gB_tile = cute.local_tile(%mB, %tile, (%row,%column))
    %sA_load, %gA_load = cute.tma_partition(%load, %s, %gA_tile)
    %sB_store, %gB_store = cute.tma_partition(%store, %s, %gB_tile)

    // The barrier waits for an arrival and for the bytes that it announces; what the
    // thread wrote there is made visible to TMA. The L2 cache need not keep what is
    // read or written once.
    %is_elected = cute.elect_one
    if %is_elected {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
      cute.fence_proxy<"async.shared">
      cute.mbarrier_arrive_expect_tx(%full, 32768)
      cute.copy(cute.with_barrier<"evict_first">(%load, %full), %gA_load, %sA_load)
    }
    gpu.barrier
    cute.mbarrier_wait(%full, 0)

    // TMA stores whole pieces of 16 bytes of a row, with zeros after its end. Where
    // rows of B end within this tile, but not with such a piece, the threads store
    // the elements that exist.
    %shape = cute.get_shape(%B)
    %M, %N = cute.get_scalars(%shape)
    if (%column + 1) * 256 >u %N and %N & 7 != 0 {
      %single = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
      %by_1 = cute.make_tiled_copy(%single, (1,32):(0,1), (1,1):(0,0))
      %thread = cute.thread_idx
      %cB = cute.local_tile(cute.make_identity_tensor(%shape), %tile, (%row,%column))
      %tile_B = cute.local_tile(%B, %tile, (%row,%column))
      %from = cute.partition_s(%by_1, %s, %thread)
      %to = cute.partition_d(%by_1, %tile_B, %thread)
      %coords = cute.partition_d(%by_1, %cB, %thread)
      for %i in 0..64 {
        %exists = cute.make_predicate(%coords[_,%i,_], %shape)
        cute.basic_copy_if(%exists, %from[_,%i,_], %to[_,%i,_])
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
