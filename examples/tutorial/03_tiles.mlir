// Step 3: tiles for blocks, partitions for threads.
//
//   cutec examples/tutorial/03_tiles.mlir --arch=sm_80 -o 03_tiles.ptx
//
// C = A + B for row-major matrices, of which rows and columns are multiples of 32
// (div=32 in the type, which who launches the kernel promises). No index is
// computed by hand any more: a block takes a tile, a thread a part of the tile.

!matrix = !cute.tensor<f32, gmem, align<16>, "(?{div=32},?{div=32}):(?{i64 div=32},1)">

gpu.module @tutorial {
  gpu.func @tiles(%A: !matrix, %B: !matrix, %C: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg2.shape[0] / 32", "arg2.shape[1] / 32"]} {
    %x = gpu.block_id x
    %bm = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %bn = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32

    // The 32x32 tile at (bm, bn) in the grid of tiles.
    %tile = cute.static : !cute.shape<"(32,32)">
    %block = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%A, %tile, %block)
    %gB = cute.local_tile(%B, %tile, %block)
    %gC = cute.local_tile(%C, %tile, %block)

    // Thread t is number (t / 32, t % 32) of 8x32 threads, and has every 8th row of
    // one column: 4 elements. The 32 threads of a warp access one row together.
    %threads = cute.static : !cute.layout<"(8,32):(32,1)">
    %tA = cute.local_partition(%gA, %threads, %thread)
    %tB = cute.local_partition(%gB, %threads, %thread)
    %tC = cute.local_partition(%gC, %threads, %thread)

    // Fragments are tensors in registers. autovec_copy finds out by itself how many
    // elements one access can take: here one, as the 4 are rows apart.
    %rA = cute.make_fragment_like(%tA)
    %rB = cute.make_fragment_like(%tB)
    cute.autovec_copy(%tA, %rA)
    cute.autovec_copy(%tB, %rB)
    %one = arith.constant 1.0 : f32
    cute.axpby(%one, %rA, %one, %rB)
    cute.autovec_copy(%rB, %tC)
    gpu.return
  }
}
