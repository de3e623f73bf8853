// B = A by TMA, by blocks that go from tile to tile. The parameters plant mistakes: the first
// tile, the rows of the box that is stored, and whether the second half of a tile is.
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">

gpu.module @copies attributes {cute.parameters = {FIRST = 0, ROWS = 32, HALVES = 2, STEP = 1}} {
  gpu.func @copy(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  cute.grid = ["min(ceil_div(arg1.shape[0], 64) * ceil_div(arg1.shape[1], 64), 3)"]} {
    %full = cute.alloc_smem<i64, 8> (1:0)
    %s = cute.alloc_smem<f16, 128> ((64,64):(64,1))
    %load, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, (64,64):(64,1), (64,64))
    %store, %mB = cute.make_tma_atom<"SM90_TMA_STORE"> (%B, ($ROWS,64):(64,1), ($ROWS,64))
    %M, %N = cute.get_scalars(cute.get_shape(%B))
    %rows = %M ceildivu 64
    %columns = %N ceildivu 64
    %block = cute.block_idx
    %grid = cute.grid_dim
    %barrier = cute.get_iter(%full)
    %is_elected = cute.elect_one
    if %is_elected {
      cute.mbarrier_init(%barrier, 1)
      cute.fence_mbarrier_init
    }
    gpu.barrier
    %last = for %tile in (%block + $FIRST)..(%rows * %columns) step (%grid * $STEP) carry(%phase = 0 : i32) {
      %m = %tile /u %columns
      %n = %tile modu %columns
      %sA, %gA = cute.tma_partition(%load, %s, cute.local_tile(%mA, (64,64), (%m,%n)))
      if %is_elected {
        cute.mbarrier_arrive_expect_tx(%barrier, 8192)
        cute.copy(cute.with_barrier(%load, %barrier), %gA, %sA)
      }
      cute.mbarrier_wait(%barrier, %phase)
      for %half in 0..i32($HALVES) {
        %part = cute.local_tile(cute.local_tile(%mB, (64,64), (%m,%n)), ($ROWS,64), (%half,0))
        %sB, %gB = cute.tma_partition(%store, cute.local_tile(%s, ($ROWS,64), (%half,0)), %part)
        if %is_elected {
          cute.copy(%store, %sB, %gB)
          cute.cp_async_bulk_commit
          cute.cp_async_bulk_wait_read<0>
        }
      }
      gpu.barrier
      yield 1 - %phase
    }
    gpu.return
  }
}
