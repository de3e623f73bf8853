// C = A + B for vectors of any length.
//
//   cutec examples/vector_add.mlir --arch=sm_80 -o vector_add.ptx
//
// Every CuTe kernel starts the same way: a tensor for all of the data, the tile
// of it that belongs to this block, and the part of the tile that belongs to
// this thread. Nothing is loaded until the end; all before is layout algebra,
// which costs a handful of integer instructions.
//
// Each access moves 16 bytes, the most that a thread can, so that few
// instructions keep the memory busy.

!vector = !cute.tensor<f32, gmem, align<16>, "?:1">

gpu.module @vector_add_module {
  gpu.func @vector_add(%A: !vector, %B: !vector, %C: !vector) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 1024)"]} {
    %block = cute.block_idx
    %thread = cute.thread_idx

    // A tile of 1024 elements for this block. The last tile may reach past the
    // end of the vector.
    %gA = cute.local_tile(%A, 1024, %block)
    %gB = cute.local_tile(%B, 1024, %block)
    %gC = cute.local_tile(%C, 1024, %block)

    // Where the elements are in the vector: a tensor whose elements are their own
    // coordinates, tiled and partitioned in the same way.
    %shape = cute.get_shape(%C)
    %cC = cute.local_tile(cute.make_identity_tensor(%shape), 1024, %block)

    // A copy in which thread t has elements 4t, ..., 4t + 3.
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %copy = cute.make_tiled_copy(%vector, 256:1, 4:1)
    %tA = cute.partition_s(%copy, %gA, %thread)
    %tB = cute.partition_s(%copy, %gB, %thread)
    %tC = cute.partition_d(%copy, %gC, %thread)
    %tcC = cute.partition_d(%copy, %cC, %thread)

    // One predicate for each element.
    %in_range = cute.make_predicate(%tcC, %shape)
    %rA = cute.make_fragment_like(%tA)
    %rB = cute.make_fragment_like(%tB)

    %length = cute.get_scalars<{only_dynamic}> (%shape)
    if %block <u %length /u 1024 {
      cute.copy(%copy, %tA, %rA)
      cute.copy(%copy, %tB, %rB)
      cute.store_vector(cute.load_vector(%rA) + cute.load_vector(%rB), %rA)
      cute.copy(%copy, %rA, %tC)
    } else {
      // The last tile, element by element.
      cute.basic_copy_if(%in_range, %tA, %rA)
      cute.basic_copy_if(%in_range, %tB, %rB)
      cute.store_vector(cute.load_vector(%rA) + cute.load_vector(%rB), %rA)
      cute.basic_copy_if(%in_range, %rA, %tC)
    }
    gpu.return
  }
}
