// B = transpose(A) on Hopper, for a row-major matrix A of any size whose rows, like B's, begin at
// multiples of 16 bytes.
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
    %bn = cute.block_idx
    %bm = cute.block_idx<"y">
    %thread = cute.thread_idx
    %is_first = %thread == 0

    //===-- Shared memory -------------------------------------------------===//

    // Two panels of 64 columns. The same bytes are the tile of A, the same with
    // its modes exchanged, and, when all threads have read it, the tile of B.
    %tile = cute.static : !cute.shape<"(128,128)">
    %layout = cute.tile_to_shape(S<3,3,3> o 0 o (8,64):(64,1), %tile)
    %s = cute.alloc_smem<f16, 1024> (%layout)
    %exchanged = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o ((64,2),(8,16)):((1,8192),(64,512))">
    %sT = cute.make_tensor(cute.get_iter(%s), %exchanged)
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)

    //===-- Load ----------------------------------------------------------===//

    // The tensors of coordinates take the place of A and B. A box of the tensor
    // map is a panel, so that a tile is two instructions.
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout, %tile)
    %store, %mB = cute.make_tma_atom<"SM90_TMA_STORE"> (%B, %layout, %tile)
    %gA_tile = cute.local_tile(%mA, %tile, (%bm,%bn))
    %gB_tile = cute.local_tile(%mB, %tile, (%bn,%bm))
    %sA_load, %gA_load = cute.tma_partition(%load, %s, %gA_tile)
    %sB_store, %gB_store = cute.tma_partition(%store, %s, %gB_tile)

    // The barrier waits for one arrival, this thread's, and for 32 KiB. A tile is
    // read once, so the L2 cache need not keep it.
    if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
      cute.fence_proxy<"async.shared">
      cute.mbarrier_arrive_expect_tx(%full, 32768)
      cute.copy(cute.with_barrier<"evict_first">(%load, %full), %gA_load, %sA_load)
    }
    gpu.barrier
    cute.mbarrier_wait(%full, 0)

    //===-- Transposition -------------------------------------------------===//

    // Eight warps with 16 rows of B each, as an MMA has its operand A: there are
    // matrices of 8 x 8 in the form in which ldmatrix gives and stmatrix takes them.
    %warps = cute.static : !cute.layout<"(8,1,1):(1,0,0)">
    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %warps)
    %s2r = cute.make_tiled_copy_a(!cute.copy_atom<"SM75_U16x8_LDSM_T", f16>, %mma)
    %r2s = cute.make_tiled_copy_a(!cute.copy_atom<"SM90_U32x4_STSM_N", f16>, %mma)
    %r = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sT, %thread))
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
      %by_1 = cute.make_tiled_copy(%single, (2,128):(128,1), (1,1):(0,0))
      %cB = cute.local_tile(cute.make_identity_tensor(%shape_B), %tile, (%bn,%bm))
      %tile_B = cute.local_tile(%B, %tile, (%bn,%bm))
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
