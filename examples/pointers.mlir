// B = transpose(A), row by row: pointers, structs and tensors in loops.
//
//   cutec examples/pointers.mlir --arch=sm_80 -o pointers.ptx
//
// The same as transpose.mlir with less speed and other means. A struct has two
// tiles of shared memory; a block takes one of them. Which one is known at run time,
// so a pointer is moved there. The pointer has a swizzle of addresses,
// S<5,2,5>: bits 7 to 11 of an address, the row, are xored into bits 2 to 6, the
// bank. Each thread has a column of the tile, and goes from row to row by a loop
// that carries a tensor.

!matrix = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},1)">
!tile = !cute.tensor<f32, gmem, align<4>, "(32,32):(?{i64},1)">
!storage = !cute.struct<"bar: i64; tiles: f32 x 2048 align 4096">
!swizzled = !cute.ptr<f32, smem, align<4>, S<5,2,5>>
!shared = !cute.tensor<f32, smem, align<4096>, "S<5,0,5> o ? o (32,32):(32,1)">

gpu.module @pointers_module {
  // Reads a column of a tile, whose first element has this coordinate in the
  // matrix, into a column of shared memory. What the matrix does not have is
  // left as it is.
  func.func @read_column(%from: !tile, %bound: !cute.shape<"(?,?)">,
                         %m: i32, %n: i32, %thread: i32, %to: !shared) {
    %next = cute.static : !cute.coord<"(1,0)">
    %at = cute.make_coord(%thread) : (i32) -> !cute.coord<"(0,?)">
    %end = for %r in 0..32 carry(%row = %from) {
      %i = %m + %r
      %j = %n + %thread
      %c = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
      %inside = cute.elem_less(%c, %bound)
      if %inside {
        %x = cute.load(%row, %at)
        %s = cute.make_coord(%r, %thread) : (i32, i32) -> !cute.coord<"(?,?)">
        cute.store(%x, %to, %s) : f32, !shared, !cute.coord<"(?,?)">
      }
      %below = cute.domain_offset(%next, %row)
      yield %below
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
    %storage = cute.alloc_struct : !storage
    %tiles = cute.struct_member<"tiles"> (%storage)
    %plain = cute.recast_ptr(%tiles) : (!cute.ptr<f32, smem, align<4096>>) -> !cute.ptr<f32, smem, align<4096>, S<5,2,5>>
    %offset = ((%bm + %bn) & 1) * 1024
    %p = cute.add_offset(%plain, %offset) : (!cute.ptr<f32, smem, align<4096>, S<5,2,5>>, i32) -> !swizzled
    %rows = cute.static : !cute.layout<"(32,32):(32,1)">
    %columns = cute.static : !cute.layout<"(32,32):(1,32)">
    %sA = cute.make_tensor(%p, %rows)
    %sB = cute.make_tensor(%p, %columns)

    %tile = cute.static : !cute.shape<"(32,32)">
    %coord_A = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %coord_B = cute.make_coord(%bn, %bm) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%A, %tile, %coord_A)
    %gB = cute.local_tile(%B, %tile, %coord_B)
    %shape_A = cute.get_shape(%A) : !matrix -> !cute.shape<"(?,?)">
    %shape_B = cute.get_shape(%B) : !matrix -> !cute.shape<"(?,?)">
    func.call @read_column(%gA, %shape_A, %m, %n, %thread, %sA) : (!tile, !cute.shape<"(?,?)">, i32, i32, i32, !shared) -> ()
    gpu.barrier

    %next = cute.static : !cute.coord<"(1,0)">
    %at = cute.make_coord(%thread) : (i32) -> !cute.coord<"(0,?)">
    %end = for %r in 0..32 carry(%row = %gB) {
      %i = %n + %r
      %j = %m + %thread
      %c = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
      %inside = cute.elem_less(%c, %shape_B)
      if %inside {
        %s = cute.make_coord(%r, %thread) : (i32, i32) -> !cute.coord<"(?,?)">
        %v = cute.load(%sB, %s)
        cute.store(%v, %row, %at) : f32, !tile, !cute.coord<"(0,?)">
      }
      %below = cute.domain_offset(%next, %row)
      yield %below
    }
    gpu.return
  }
}
