// Step 1: a layout is a function from coordinates to offsets.
//
//   cutec examples/tutorial/01_layout.mlir --arch=sm_80 -o 01_layout.ptx
//
// A is a 4x8 matrix stored row after row, B one stored column after column. Thread
// i copies the element at coordinate i, which is the same place of the matrix in
// both. Where that is in memory, the two layouts say.

!rows = !cute.tensor<f32, gmem, align<16>, "(4,8):(8,1)">
!columns = !cute.tensor<f32, gmem, align<16>, "(4,8):(1,4)">

gpu.module @tutorial {
  gpu.func @layout(%A: !rows, %B: !columns) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %i = cute.thread_idx

    // One number is a coordinate of a matrix, too: it counts through the shape
    // with the first mode fastest, so that i is row i % 4 of column i / 4.
    %x = cute.load(%A, %i)
    cute.store(%x, %B, %i)
    gpu.return
  }
}
