// B = transpose(A) of 32x32 tiles, through swizzled shared memory.
!matrix = !cute.tensor<f32, gmem, align<16>, "(?{div=32},?{div=32}):(?{i64 div=32},1)">

gpu.module @addresses {
  gpu.func @transpose(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg0.shape[0] / 32", "arg0.shape[1] / 32"]} {
    %x = gpu.block_id x
    %bm = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %bn = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.shape<"(32,32)">
    %block_A = cute.make_coord(%bm, %bn) : (i32, i32) -> !cute.coord<"(?,?)">
    %block_B = cute.make_coord(%bn, %bm) : (i32, i32) -> !cute.coord<"(?,?)">
    %gA = cute.local_tile(%A, %tile, %block_A)
    %gB = cute.local_tile(%B, %tile, %block_B)

    %s_layout = cute.static : !cute.composed_layout<"S<5,0,5> o 0 o (32,32):(32,1)">
    %sA = cute.alloc_smem<f32, 128> (%s_layout)

    %transposed = cute.static : !cute.composed_layout<"S<5,0,5> o 0 o (32,32):(1,32)">
    %s_pointer = cute.get_iter(%sA)
    %sB = cute.make_tensor(%s_pointer, %transposed)

    %element = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %threads = cute.static : !cute.layout<"(8,32):(32,1)">
    %values = cute.static : !cute.layout<"(1,1):(0,0)">
    %copy = cute.make_tiled_copy(%element, %threads, %values)
    %gA_t = cute.partition_s(%copy, %gA, %thread)
    %sA_t = cute.partition_d(%copy, %sA, %thread)
    %sB_t = cute.partition_s(%copy, %sB, %thread)
    %gB_t = cute.partition_d(%copy, %gB, %thread)

    %rA = cute.make_fragment_like(%gA_t)
    cute.copy(%copy, %gA_t, %rA)
    cute.copy(%copy, %rA, %sA_t)
    gpu.barrier
    %rB = cute.make_fragment_like(%sB_t)
    cute.copy(%copy, %sB_t, %rB)
    cute.copy(%copy, %rB, %gB_t)
    gpu.return
  }
}
