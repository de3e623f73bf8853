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
//   sum_inner   j runs fastest: a warp has one (i,k), and its lanes share the j
//   sum_outer   k runs fastest: a block has 64 of k; 16 groups of threads
//               share the j and add up through shared memory
//
// Both are correct for all layouts. Where j or k is contiguous and all lines begin
// and end at 16 bytes, a thread loads 16 bytes at a time, 4 or 8 times before it adds.

!input = !cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?{i64},?{i64})">
!output = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},?{i64})">
!plane = !cute.tensor<f32, gmem, align<4>, "(?,?):(?{i64},?{i64})">
!lines = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">

gpu.module @reduce_module {
  // Whether lines of N elements, so far apart, begin and end at 16 bytes and have
  // no gaps.
  func.func @are_aligned(%plane: !plane, %N: i32, %pitch: i64, %step: i64) -> i1 {
    %address = cute.ptr_to_int(cute.get_iter(%plane))
    %is_aligned = ((i64u(%N) | %pitch) << 2 | %address) & 15 == 0
    %both = %is_aligned and %step == 1
    return %both : i1
  }

  // M such lines.
  func.func @lines(%plane: !plane, %M: i32, %N: i32, %pitch: i64) -> !lines {
    %begin = cute.get_iter(%plane)
    %aligned = cute.assume(%begin) : !cute.ptr<f32, gmem, align<4>> -> !cute.ptr<f32, gmem, align<16>>
    %shape = cute.make_shape(%M, %N) : (i32, i32) -> !cute.shape<"(?,?)">
    %stride = cute.make_stride(%pitch) : (i64) -> !cute.stride<"(?{i64 div=4},1)">
    %layout = cute.make_layout(%shape, %stride)
    %lines = cute.make_tensor(%aligned, %layout)
    return %lines : !lines
  }

  gpu.func @sum_inner(%A: !input, %B: !output) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg1.shape[0], 8)", "arg1.shape[1]"]} {
    %block = cute.block_idx
    %k = cute.block_idx<"y">
    %thread = cute.thread_idx
    %lane = %thread & 31
    %warp = %thread >>u 5
    %i = %block * 8 + %warp
    %A_layout = cute.get_layout(%A)
    %I, %J, %K, %di, %dj, %dk = cute.get_scalars<{only_dynamic}> (%A_layout)
    %exists = %i <s %I
    %plane = cute.slice(%A, (_,_,%k))
    %are_aligned = func.call @are_aligned(%plane, %J, %di, %dj) : (!plane, i32, i64, i64) -> i1
    %s_lane = if %are_aligned {
      // Tiles of 8 lines and 512 elements: 4 for a lane, 4 times 128 apart.
      %lines = func.call @lines(%plane, %I, %J, %di) : (!plane, i32, i32, i64) -> !lines
      %shape = cute.make_shape(%I, %J) : (i32, i32) -> !cute.shape<"(?,?)">
      %identity = cute.make_identity_tensor(%shape)
      %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
      %copy = cute.make_tiled_copy(%atom, (8,32):(32,1), (1,4):(0,1))
      %sums = for %n in 0..(%J + 511) >>u 9 carry(%s = 0.0 : vector<16xf32>) {
        %g = cute.local_tile(%lines, (8,512), (%block,%n))
        %c = cute.local_tile(%identity, (8,512), (%block,%n))
        %tg = cute.partition_s(%copy, %g, %thread)
        %tc = cute.partition_s(%copy, %c, %thread)
        %p = cute.make_predicate(%tc[0,_,_], %shape)
        yield %s + cute.load_vector(%tg, %p)
      }
      yield cute.reduce_vector<"add", "16", "0">(%sums, 0.0)
    } else if %exists {
      %fiber = cute.slice(%plane, (%i,_))
      %some = for %j in %lane..%J step 32 carry(%s = 0.0 : f32) {
        yield %s + %fiber[%j]
      }
      yield %some
    } else {
      yield 0.0
    }

    // All lanes of a warp have the same i, or none.
    %s = gpu.subgroup_reduce add %s_lane uniform : (f32) -> f32
    if %lane == 0 and %exists {
      %B[%i,%k] = %s
    }
    gpu.return
  }

  gpu.func @sum_outer(%A: !input, %B: !output) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg1.shape[1], 64)", "arg1.shape[0]"]} {
    %block = cute.block_idx
    %i = cute.block_idx<"y">
    %thread = cute.thread_idx
    %lane = %thread & 15
    %group = %thread >>u 4
    %first = %block << 6
    %A_layout = cute.get_layout(%A)
    %I, %J, %K, %di, %dj, %dk = cute.get_scalars<{only_dynamic}> (%A_layout)
    %plane = cute.slice(%A, (%i,_,_))
    %are_aligned = func.call @are_aligned(%plane, %K, %dj, %dk) : (!plane, i32, i64, i64) -> i1

    // Sums by (k, group), the groups 80 apart: two of 16 threads each write in
    // different banks.
    %partials = cute.alloc_smem<f32, 16> ((64,16):(1,80))
    if %are_aligned {
      // Tiles of 128 lines and 64 elements: 4 for each of 16 lanes, 8 times 16 lines
      // apart.
      %lines = func.call @lines(%plane, %J, %K, %dj) : (!plane, i32, i32, i64) -> !lines
      %shape = cute.make_shape(%J, %K) : (i32, i32) -> !cute.shape<"(?,?)">
      %identity = cute.make_identity_tensor(%shape)
      %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
      %copy = cute.make_tiled_copy(%atom, (16,16):(16,1), (1,4):(0,1))
      %tile = cute.static : !cute.shape<"(128,64)">
      %sums = for %n in 0..(%J + 127) >>u 7 carry(%s = 0.0 : vector<4xf32>) {
        %g = cute.local_tile(%lines, %tile, (%n,%block))
        %c = cute.local_tile(%identity, %tile, (%n,%block))
        %tg = cute.partition_s(%copy, %g, %thread)
        %tc = cute.partition_s(%copy, %c, %thread)
        %p = cute.make_predicate(%tc[0,_,_], %shape)
        yield %s + cute.reduce_vector<"add", "(_,1,1)">(cute.load_vector(%tg, %p), 0.0)
      }
      %mine = cute.slice(cute.composition(%partials, (4,16,16):(1,4,64)), (_,%lane,%group))
      cute.store_vector(%sums, %mine)
    } else {
      // 4 of k, 16 apart, one after the other.
      for %n in %lane..64 step 16 {
        %k = %first + %n
        %sum = if %k <s %K {
          %fiber = cute.slice(%plane, (_,%k))
          %some = for %j in %group..%J step 16 carry(%s = 0.0 : f32) {
            yield %s + %fiber[%j]
          }
          yield %some
        } else {
          yield 0.0
        }
        %partials[%n,%group] = %sum
      }
    }
    gpu.barrier

    // A thread for each k adds up what the groups have.
    %k = %first + %thread
    %exists = %k <s %K
    if %thread <s 64 and %exists {
      %s = cute.reduce_vector<"add", "0"> (cute.load_vector(%partials[%thread,_]), 0.0)
      %B[%i,%k] = %s
    }
    gpu.return
  }
}
