// Step 3: tiles for blocks, partitions for threads.
//
//   cutec examples/tutorial/03_tiles.mlir --arch=sm_80 -o 03_tiles.ptx
//
// C = A + B for row-major matrices whose rows and columns are multiples of 32
// (div=32 in the type, which who launches the kernel promises). No index is
// computed by hand any more: a block takes a tile, a thread a part of the tile.

!matrix = !cute.tensor<f32, gmem, align<16>, "(?{div=32},?{div=32}):(?{i64 div=32},1)">

gpu.module @tutorial {
  gpu.func @tiles(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg2.shape[0] / 32", "arg2.shape[1] / 32"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    // The 32x32 tile at (bm, bn) in the grid of tiles.
    %gA = cute.local_tile(%A, (32,32), (%bm,%bn))
    %gB = cute.local_tile(%B, (32,32), (%bm,%bn))
    %gC = cute.local_tile(%C, (32,32), (%bm,%bn))

    // Thread t is number (t / 32, t % 32) of 8x32 threads, and has every 8th row of
    // one column: 4 elements. The 32 threads of a warp access one row together.
    %tA = cute.local_partition(%gA, (8,32):(32,1), %thread)
    %tB = cute.local_partition(%gB, (8,32):(32,1), %thread)
    %tC = cute.local_partition(%gC, (8,32):(32,1), %thread)

    // Fragments are tensors in registers. autovec_copy finds out by itself how many
    // elements one access can take: here one, as the 4 are rows apart.
    %rA = cute.make_fragment_like(%tA)
    %rB = cute.make_fragment_like(%tB)
    cute.autovec_copy(%tA, %rA)
    cute.autovec_copy(%tB, %rB)
    %one = 1.0 : f32
    cute.axpby(%one, %rA, %one, %rB)
    cute.autovec_copy(%rB, %tC)
    gpu.return
  }
}
