// C = A + B for vectors of any length.
//
//   cutec examples/vector_add.mlir --arch=sm_80 -o vector_add.ptx
//
// Every CuTe kernel starts the same way: a tensor for all of the data, the tile
// of it that belongs to this block, and the part of the tile that belongs to
// this thread. Nothing is loaded until the end; all before is layout algebra,
// which costs a handful of integer instructions.

!vector = !cute.tensor<f32, gmem, align<16>, "?:1">

gpu.module @vector_add_module {
  gpu.func @vector_add(%A: !vector, %B: !vector, %C: !vector) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 1024)"]} {
    %block_index = gpu.block_id x
    %block = arith.index_cast %block_index : index to i32
    %thread_index = gpu.thread_id x
    %thread = arith.index_cast %thread_index : index to i32

    // A tile of 1024 elements for this block. The last tile may reach past the
    // end of the vector.
    %tile = cute.static : !cute.shape<"1024">
    %tile_coord = cute.make_coord(%block) : (i32) -> !cute.coord<"?">
    %gA = cute.local_tile(%A, %tile, %tile_coord)
    %gB = cute.local_tile(%B, %tile, %tile_coord)
    %gC = cute.local_tile(%C, %tile, %tile_coord)

    // Thread t takes elements t, t + 256, t + 512, t + 768: neighbouring threads
    // touch neighbouring addresses, so each access is one full cache line.
    %threads = cute.static : !cute.layout<"256:1">
    %tA = cute.local_partition(%gA, %threads, %thread)
    %tB = cute.local_partition(%gB, %threads, %thread)
    %tC = cute.local_partition(%gC, %threads, %thread)

    // Where the elements are in the vector: a tensor whose elements are their own
    // coordinates, tiled and partitioned in the same way.
    %shape_layout = cute.get_layout(%C)
    %shape = cute.get_shape(%shape_layout)
    %identity = cute.make_identity_tensor(%shape)
    %cC = cute.local_tile(%identity, %tile, %tile_coord)
    %tcC = cute.local_partition(%cC, %threads, %thread)
    %in_range = cute.make_predicate(%tcC, %shape)

    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %coord = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %p = cute.load(%in_range, %coord)
      scf.if %p {
        %a = cute.load(%tA, %coord)
        %b = cute.load(%tB, %coord)
        %sum = arith.addf %a, %b : f32
        cute.store(%sum, %tC, %coord)
      }
    }
    gpu.return
  }
}
