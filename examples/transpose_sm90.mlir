// B = transpose(A) on Hopper, for a row-major matrix A of any size whose rows, as
// those of B, begin at multiples of 16 bytes.
//
//   cutec examples/transpose_sm90.mlir --arch=sm_90a -o transpose_sm90.ptx
//
// examples/transpose.mlir moves the tile with the threads' own loads and stores.
// Here the tensor memory accelerator (TMA) does: one thread starts the load of a
// tile of 128 x 128, all threads transpose it in shared memory, one starts the
// store. No thread computes an address of A or B, no register holds what is under
// way, and nobody asks whether an element exists: TMA fills what lies outside of A
// with zeros and drops what lies outside of B.
//
//   A -- TMA --> shared memory -- ldmatrix.trans --> registers
//                shared memory <------ stmatrix -----'
//                      '-- TMA --> B
//
// ldmatrix.trans takes 8 x 8 matrices of shared memory and gives each thread
// neighbours of a column; stmatrix writes them back as neighbours of a row. Both
// move rows of 16 bytes. A row of the tile has 128 bytes for each 64 columns, and
// S<3,3,3> permutes its eight pieces of 16 bytes by the number of the row modulo 8,
// so that eight rows of one matrix are in different banks. TMA writes and reads
// that order by itself: the tensor map says so.
//
// One corner needs care. TMA stores whole pieces of 16 bytes of a row. If the rows
// of B do not end with a piece (the number of rows of A is no multiple of 8), the
// rest of the last one would be written with zeros, between the end of the row and
// the next one, which may be somebody else's. Tiles at that edge are stored by the
// threads; the branch is the same for all threads of a block and costs the others
// nothing.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">

gpu.module @transpose_sm90 {
  gpu.func @transpose(%A: !matrix, %B: !matrix) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>,
      cute.grid = ["ceil_div(arg0.shape[1], 128)", "ceil_div(arg0.shape[0], 128)"]} {
    %c0 = 0 : i32
    %x = gpu.block_id x
    %bn = i32(%x)
    %y = gpu.block_id y
    %bm = i32(%y)
    %tid = gpu.thread_id x
    %thread = i32(%tid)
    %is_first = %thread == 0

    //===-- Shared memory -------------------------------------------------===//

    // Two panels of 64 columns. The same bytes are the tile of A, the same with
    // its modes exchanged, and, when all threads have read it, the tile of B.
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %tile = cute.static : !cute.shape<"(128,128)">
    %layout = cute.tile_to_shape(%rows, %tile)
    %s = cute.alloc_smem<f16, 1024> (%layout)
    %s_pointer = cute.get_iter(%s)
    %exchanged = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o ((64,2),(8,16)):((1,8192),(64,512))">
    %sT = cute.make_tensor(%s_pointer, %exchanged)
    %one = cute.static : !cute.layout<"1:1">
    %barriers = cute.alloc_smem<i64, 8> (%one)
    %full = cute.get_iter(%barriers)

    //===-- Load ----------------------------------------------------------===//

    // The tensors of coordinates take the place of A and B. A box of the tensor
    // map is a panel, so that a tile is two instructions.
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, %tile)
    %store, %mB = cute.make_tma_atom<"SM90_TMA_STORE"> (%B, %layout, %tile)
    %at_A = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %at_B = cute.make_coord(%bn, %bm) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%mA, %tile, %at_A)
    %gB = cute.local_tile(%mB, %tile, %at_B)
    %s_tile = cute.group_modes<0, 2> (%s)
    %gA_tile = cute.group_modes<0, 2> (%gA)
    %gB_tile = cute.group_modes<0, 2> (%gB)
    %sA_load, %gA_load = cute.tma_partition(%load, %s_tile, %gA_tile)
    %sB_store, %gB_store = cute.tma_partition(%store, %s_tile, %gB_tile)

    // The barrier waits for one arrival, this thread's, and for 32 KiB. A tile is
    // read once, so the L2 cache need not keep it.
    if %is_first {
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

    //===-- Transposition -------------------------------------------------===//

    // Eight warps with 16 rows of B each, as an MMA has its operand A: there are
    // matrices of 8 x 8 in the form in which ldmatrix gives and stmatrix takes them.
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(8,1,1):(1,0,0)">
    %mma = cute.make_tiled_mma(%mma_atom, %warps)
    %ldmatrix = cute.static : !cute.copy_atom<"SM75_U16x8_LDSM_T", f16>
    %stmatrix = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", f16>
    %s2r = cute.make_tiled_copy_a(%ldmatrix, %mma)
    %r2s = cute.make_tiled_copy_a(%stmatrix, %mma)
    %part = cute.partition_a(%mma, %sT, %thread)
    %r = cute.make_fragment_a(%mma, %part)
    %s_read = cute.partition_s(%s2r, %sT, %thread)
    %r_read = cute.retile(%s2r, %r)
    cute.copy(%s2r, %s_read, %r_read)
    gpu.barrier
    %s_write = cute.partition_d(%r2s, %s, %thread)
    %r_write = cute.retile(%r2s, %r)
    cute.copy(%r2s, %r_write, %s_write)

    //===-- Store ---------------------------------------------------------===//

    // Whether rows of B end within this tile, but not with 16 bytes.
    %shape_B = cute.get_shape(%B)
    %N, %M = cute.get_scalars(%shape_B)
    if (%bm + 1) * 128 >u %M and %M & 7 != 0 {
      gpu.barrier
      %single = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
      %threads = cute.static : !cute.layout<"(2,128):(128,1)">
      %values = cute.static : !cute.layout<"(1,1):(0,0)">
      %by_1 = cute.make_tiled_copy(%single, %threads, %values)
      %identity = cute.make_identity_tensor(%shape_B)
      %cB = cute.local_tile(%identity, %tile, %at_B)
      %tile_B = cute.local_tile(%B, %tile, %at_B)
      %from = cute.partition_s(%by_1, %s, %thread)
      %to = cute.partition_d(%by_1, %tile_B, %thread)
      %coords = cute.partition_d(%by_1, %cB, %thread)
      %exists = cute.make_predicate(%coords, %shape_B)
      cute.basic_copy_if(%exists, %from, %to)
    } else {
      // The threads' writes are made visible to TMA before one of them starts it.
      // It ends when TMA has read the tile.
      cute.fence_proxy<"async.shared">
      gpu.barrier
      if %is_first {
        %to_B = cute.with_cache<"evict_first">(%store)
        cute.copy(%to_B, %sB_store, %gB_store)
        cute.cp_async_bulk_commit
        cute.cp_async_bulk_wait_read<0>
      }
    }
    gpu.return
  }
}
