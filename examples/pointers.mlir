// B = transpose(A), row by row: pointers and tensors in loops.
//
//   cutec examples/pointers.mlir --arch=sm_80 -o pointers.ptx
//
// The same as transpose.mlir with less speed and other means. There are two tiles
// of shared memory; a block takes one of them. Which one is known at run time,
// so a pointer is moved there. The pointer has a swizzle of addresses,
// S<5,2,5>: bits 7 to 11 of an address, the row, are xored into bits 2 to 6, the
// bank. Each thread has a column of the tile, and goes from row to row by a loop
// that carries a tensor.

!matrix = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">
!tile = !cute.tensor<f32, gmem, align<4>, "(32,32):(?{i64},1)">
!shared = !cute.tensor<f32, smem, align<4096>, "S<5,0,5> o ? o (32,32):(32,1)">

gpu.module @pointers_module {
  // Reads a column of a tile, whose first element has this coordinate in the
  // matrix, into a column of shared memory. What the matrix does not have is
  // left as it is.
  func.func @read_column(%from: !tile, %bound: !cute.shape<"(?,?)">,
                         %m: i32, %n: i32, %thread: i32, %to: !shared) {
    %end = for %r in 0..32 carry(%row = %from) {
      if cute.elem_less((%m + %r,%n + %thread), %bound) {
        %to[%r,%thread] = %row[0,%thread]
      }
      yield cute.domain_offset((1,0), %row)
    }
    return
  }

  gpu.func @pointers(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[1], 32)",
                               "ceil_div(arg0.shape[0], 32)"]} {
    %bn = cute.block_idx
    %bm = cute.block_idx<"y">
    %thread = cute.thread_idx
    %m = %bm * 32
    %n = %bn * 32

    // Even blocks have the first tile, odd ones the second.
    %storage = cute.alloc_smem<f32, 4096> (2048:1)
    %tiles = cute.get_iter(%storage)
    %plain = cute.recast_ptr(%tiles) : (!cute.ptr<f32, smem, align<4096>>) -> !cute.ptr<f32, smem, align<4096>, S<5,2,5>>
    %offset = ((%bm + %bn) & 1) * 1024
    %p = cute.add_offset(%plain, %offset)
    %sA = cute.make_tensor(%p, (32,32):(32,1))
    %sB = cute.make_tensor(%p, (32,32):(1,32))

    %gA = cute.local_tile(%A, (32,32), (%bm,%bn))
    %gB = cute.local_tile(%B, (32,32), (%bn,%bm))
    %shape_A = cute.get_shape(%A)
    %shape_B = cute.get_shape(%B)
    func.call @read_column(%gA, %shape_A, %m, %n, %thread, %sA) : (!tile, !cute.shape<"(?,?)">, i32, i32, i32, !shared) -> ()
    gpu.barrier

    %end = for %r in 0..32 carry(%row = %gB) {
      if cute.elem_less((%n + %r,%m + %thread), %shape_B) {
        %row[0,%thread] = %sB[%r,%thread]
      }
      yield cute.domain_offset((1,0), %row)
    }
    gpu.return
  }
}
