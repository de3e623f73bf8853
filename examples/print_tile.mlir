// What is in a tensor? Printing from a kernel, for debugging.
//
//   cutec examples/print_tile.mlir --arch=sm_80 -o print_tile.ptx
//   cute-run print_tile.json 'f32[8x16]:iota'
//
// cute.print writes a layout, a shape or a coordinate, cute.print_value a number, and
// cute.print_tensor a tensor: its type, then its elements, row by row. Every thread that
// comes to the op prints, so there is an `if` around them. A view prints like the
// tensor that it is a view of: here, what thread 5 has of the block's tile, and where
// that is in the matrix, from an identity tensor that is partitioned the same way.

!matrix = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">

gpu.module @print_tile_module {
  gpu.func @print_tile(%A: !matrix) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>,
                  cute.grid = ["arg0.shape[0] / 4", "arg0.shape[1] / 8"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx

    // A 4x8 tile: 2x4 threads have 2x2 elements each.
    %gA = cute.local_tile(%A, (4,8), (%bm,%bn))
    %threads = cute.static : !cute.layout<"(2,4):(4,1)">
    %tA = cute.local_partition(%gA, %threads, %thread)
    %shape = cute.get_shape(%A)
    %cA = cute.local_tile(cute.make_identity_tensor(%shape), (4,8), (%bm,%bn))
    %tcA = cute.local_partition(%cA, %threads, %thread)

    // Only in block (1,0), and there only thread 5.
    %here = cute.static : !cute.coord<"((1,0),5)">
    %at = cute.make_coord(%bm, %bn, %thread) : (i32, i32, i32) -> !cute.coord<"((?,?),?)">
    if cute.equal(%at, %here) {
      cute.print(%at)
      cute.print_tensor(%gA)
      cute.print_tensor(%tA)
      cute.print_tensor(%tcA)
    }
    gpu.return
  }
}
