// Sums over any mode of an f32 tensor: B[i,k] = sum over j of A[i,j,k].
//
//   cutec examples/reduce.mlir --arch=sm_90 -o reduce.ptx
//
// Which mode is summed over, and where the elements lie, the layout of A says: a
// tensor of rank 3 or less is (I,J,K) with extents of 1 for modes that it lacks, so
// the sum over rows of an MxN matrix is that of ((1,M,N) : (0,N,1)), and over its
// columns of ((M,N,1) : (N,1,0)). There are two kernels, which access neighbours
// together where
//
//   sum_inner   j runs fastest: a warp has one (i,k), and its lanes take every 32nd j
//   sum_outer   k runs fastest: the lanes of a warp are 32 of k, and its 8 warps take
//               every 8th j and add up through shared memory
//
// Both are correct for all layouts.

!input = !cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},?{i64})">
!output = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},?{i64})">
!partials = !cute.tensor<f32, smem, align<128>, "(32,8):(1,32)">

gpu.module @reduce_module {
  gpu.func @sum_inner(%A: !input, %B: !output) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg1.shape[0], 8)", "arg1.shape[1]"]} {
    %x = gpu.block_id x
    %block = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %k = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %lane = arith.andi %thread, %c31 : i32
    %warp = arith.shrui %thread, %c5 : i32
    %first = arith.shli %block, %c3 : i32
    %i = arith.addi %first, %warp : i32
    %A_layout = cute.get_layout(%A)
    %I, %J, %K, %di, %dj, %dk = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?,?):(?{i64},?{i64},?{i64})">

    // All lanes of a warp have the same i, or none.
    %exists = arith.cmpi slt, %i, %I : i32
    scf.if %exists {
      %fiber_at = cute.make_coord(%i, %k) : (i32, i32) -> !cute.coord<"(?,_,?)">
      %fiber = cute.slice(%A, %fiber_at)
      %s_lane = scf.for %j = %lane to %J step %c32 iter_args(%s1 = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%j) : (i32) -> !cute.coord<"(?)">
        %v = cute.load(%fiber, %at)
        %s2 = arith.addf %s1, %v : f32
        scf.yield %s2 : f32
      }
      %s = gpu.subgroup_reduce add %s_lane uniform : (f32) -> f32
      %is_first = arith.cmpi eq, %lane, %c0 : i32
      scf.if %is_first {
        %to = cute.make_coord(%i, %k) : (i32, i32) -> !cute.coord<"(?,?)">
        cute.store(%s, %B, %to) : f32, !output, !cute.coord<"(?,?)">
      }
    }
    gpu.return
  }

  gpu.func @sum_outer(%A: !input, %B: !output) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg1.shape[1], 32)", "arg1.shape[0]"]} {
    %x = gpu.block_id x
    %block = arith.index_cast %x : index to i32
    %y = gpu.block_id y
    %i = arith.index_cast %y : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %c31 = arith.constant 31 : i32
    %zero = arith.constant 0.0 : f32
    %lane = arith.andi %thread, %c31 : i32
    %warp = arith.shrui %thread, %c5 : i32
    %first = arith.shli %block, %c5 : i32
    %k = arith.addi %first, %lane : i32
    %A_layout = cute.get_layout(%A)
    %I, %J, %K, %di, %dj, %dk = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?,?):(?{i64},?{i64},?{i64})">
    %exists = arith.cmpi slt, %k, %K : i32

    %s_thread = scf.if %exists -> (f32) {
      %fiber_at = cute.make_coord(%i, %k) : (i32, i32) -> !cute.coord<"(?,_,?)">
      %fiber = cute.slice(%A, %fiber_at)
      %s = scf.for %j = %warp to %J step %c8 iter_args(%s1 = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%j) : (i32) -> !cute.coord<"(?)">
        %v = cute.load(%fiber, %at)
        %s2 = arith.addf %s1, %v : f32
        scf.yield %s2 : f32
      }
      scf.yield %s : f32
    } else {
      scf.yield %zero : f32
    }

    // (lane, warp): the first warp adds up what all of them have.
    %layout = cute.static : !cute.layout<"(32,8):(1,32)">
    %partials = cute.alloc_smem<f32, 128> (%layout)
    %mine = cute.make_coord(%lane, %warp) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%s_thread, %partials, %mine) : f32, !partials, !cute.coord<"(?,?)">
    gpu.barrier
    %is_first = arith.cmpi eq, %warp, %c0 : i32
    %writes = arith.andi %is_first, %exists : i1
    scf.if %writes {
      %all_at = cute.make_coord(%lane) : (i32) -> !cute.coord<"(?,_)">
      %all = cute.slice(%partials, %all_at)
      %v = cute.load_vector(%all)
      %s = cute.reduce_vector<"add", "8", "0"> (%v, %zero)
      %to = cute.make_coord(%i, %k) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%s, %B, %to) : f32, !output, !cute.coord<"(?,?)">
    }
    gpu.return
  }
}
