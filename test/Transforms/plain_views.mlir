// Ways to look at tiles; each becomes the one that TMA loads by: all of a
// matrix's tiles divided among threads at once, a tiler of three modes, tiles
// beside each other, and shared memory of one allocation.
// DEFINE: %{edit} =
// DEFINE: %{run} = sed %{edit} %s | cute-opt - --cute-tma -o /dev/null 2>&1 | FileCheck %s --check-prefix
// REDEFINE: %{edit} = ''
// RUN: %{run}=LOADS
// REDEFINE: %{edit} = 's/zipped_divide(%%B/flat_divide(%%B/; s/((_,_),(%%n,%%k))/(_,_,%%n,%%k)/'
// RUN: %{run}=LOADS
// LOADS-NOT: threads still copy
// LOADS: TMA loads the tiles of 2 tensors
//
// Tensors that share bytes keep their allocation.
// REDEFINE: %{edit} = 's/(%%pool, 8192)/(%%pool, 7168)/'
// RUN: %{run}=SHARED
// SHARED: threads still copy: 'cute.copy' copies to only a part of a shared-memory allocation
//
// A pointer to what gets another layout leads nowhere.
// REDEFINE: %{edit} = 's/partition_d(%%g2s, %%sB/partition_d(%%g2s, %%bytes/; s/alloc_smem<i8, 1024> (32768:1)/alloc_smem<f16, 1024> ((64,64):(64,1))/; /%%other =/d; /%%sB =/d; s/%%half = .*/%%half = cute.get_iter(%%bytes)/; s/%%next = .*/%%at = cute.make_int_tuple(%%m) : (i32) -> !cute.int_tuple<"?"> %%next = cute.add_offset(%%pool, %%at) %%t = cute.make_tensor(%%next, (8):(1)) cute.clear(%%t)/; s/%%sA = .*/%%sA = cute.alloc_smem<f16, 128> ((64,64):(64,1))/'
// RUN: %{run}=POINTER
// POINTER: threads still copy: 'cute.get_iter' takes the pointer of a tile that gets another layout, for more than tensors that lie apart or have all of it in another order; make these by cute.composition or cute.select of the tile

gpu.module @m {
  gpu.func @k(%A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">,
              %B: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">,
              %n_tiles: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %thread = cute.thread_idx
    %m = cute.block_idx<"x">
    %n = cute.block_idx<"y">
    %bytes = cute.alloc_smem<i8, 1024> (32768:1)
    %pool = cute.get_iter(%bytes)
    %half = cute.recast_ptr(%pool) : (!cute.ptr<i8, smem, align<1024>>) -> !cute.ptr<f16, smem, align<1024>>
    %sA = cute.make_tensor(%half, (64,64):(64,1))
    %next = cute.add_offset(%pool, 8192)
    %other = cute.recast_ptr(%next) : (!cute.ptr<i8, smem, align<1024>>) -> !cute.ptr<f16, smem, align<1024>>
    %sB = cute.make_tensor(%other, (64,64):(64,1))
    %g2s = cute.make_tiled_copy(!cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", f16>, (16,8):(8,1), (1,8):(8,1))
    %tiles_A = cute.local_tile<"(1,_,1)"> (%A, (64,64,64), (%m,%n,_))
    %parts_A = cute.partition_s(%g2s, %tiles_A, %thread)
    %tiles_B = cute.zipped_divide(%B, (64,64))
    %part_A = cute.partition_d(%g2s, %sA, %thread)
    %part_B = cute.partition_d(%g2s, %sB, %thread)
    %r = cute.make_fragment_like(%part_A)
    %q = cute.make_fragment_like(%part_B)
    scf.for %k = %c0 to %n_tiles step %c1 : i32 {
      %gA = cute.slice(%parts_A, (_,_,_,%k))
      %tile_B = cute.slice(%tiles_B, ((_,_),(%n,%k)))
      %gB = cute.partition_s(%g2s, %tile_B, %thread)
      cute.copy(%g2s, %gA, %part_A)
      cute.copy(%g2s, %gB, %part_B)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.autovec_copy(%part_A, %r)
      cute.autovec_copy(%part_B, %q)
      gpu.barrier
    }
    gpu.return
  }
}
