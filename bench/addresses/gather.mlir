// B[i,j,k] = A[i,j,k] for any strides; i is a thread, j and k are blocks.
!tensor = !cute.tensor<f32, gmem, align<4>, "(256,?,?):(?{i64},?{i64},?{i64})">

gpu.module @addresses {
  gpu.func @gather(%A: !tensor, %B: !tensor) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg0.shape[1]", "arg0.shape[2]"]} {
    %x = gpu.block_id x
    %j = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %k = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %at = cute.make_coord(%i, %j, %k) : (i32, i32, i32) -> !cute.coord<"(?,?,?)">
    %v = cute.load(%A, %at)
    cute.store(%v, %B, %at)
    gpu.return
  }
}
