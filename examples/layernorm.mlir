// Layer normalization of the rows of an f16 matrix, in f32:
//
//   B[m,n] = (A[m,n] - mean) / sqrt(variance + eps) * gamma[n] + beta[n]
//
//   cutec layernorm.mlir --arch=sm_90 -o layernorm.ptx
//
// There is a kernel for each of several lengths of rows: layernorm_512 is for 512
// elements and fewer, 1024, 2048, 3072, 4096, 5120, 6144, 8192, 10240, 12288, 16384.
// They differ in how many threads have a row, so that each has at most 32 elements.
// A row is read from memory once and written once:
//
//   load      a thread takes its elements, 16 bytes at a time, all before the first
//             is used
//   reduce    the mean, then the variance: the lanes of a warp sum up, then one lane
//             of each warp
//   store     what becomes of its elements, with those of gamma and beta
//
// The variance is the mean of the squares of what the mean leaves, and not a
// difference of large numbers.
//
// Rows that are longer, and rows that do not begin and end at 16 bytes, are read again
// each time, element by element.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!aligned = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!row = !cute.tensor<f16, gmem, align<16>, "(?):(1)">
!pieces = !cute.layout<"(8,?,4):(1,8,?{div=8})">
!part = !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?{div=8})">
!numbers = !cute.coord_tensor<"?{div=8}", "(4):(?{div=8})">
!partials = !cute.tensor<f32, smem, align<16>, "(16,2):(1,16)">
!elements = vector<32xf16>
!floats = vector<32xf32>
!warps = !cute.tensor<f32, smem, align<16>, "(16):(1)">

gpu.module @layernorm_module {
  //===-- Parts of rows ---------------------------------------------------===//

  // Whether rows are no longer than that and begin and end at 16 bytes.
  func.func @fits(%A: !matrix, %B: !matrix, %longest: i32) -> i1 {
    %A_layout = cute.get_layout(%A)
    %B_layout = cute.get_layout(%B)
    %M, %N, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %M_B, %N_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %length = arith.extui %N : i32 to i64
    %pitches = arith.ori %lda, %ldb : i64
    %all = arith.ori %pitches, %length : i64
    %seven = arith.constant 7 : i64
    %zero = arith.constant 0 : i64
    %rest = arith.andi %all, %seven : i64
    %is_aligned = arith.cmpi eq, %rest, %zero : i64
    %is_short = arith.cmpi sle, %N, %longest : i32
    %fits = arith.andi %is_aligned, %is_short : i1
    return %fits : i1
  }

  // The elements that a row has: none if there is no such row.
  func.func @extent(%A: !matrix, %row: i32) -> i32 {
    %A_layout = cute.get_layout(%A)
    %M, %N, %pitch = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %zero = arith.constant 0 : i32
    %exists = arith.cmpi slt, %row, %M : i32
    %extent = arith.select %exists, %N, %zero : i32
    return %extent : i32
  }

  // A row that begins at 16 bytes.
  func.func @row(%A: !matrix, %row: i32) -> !row {
    %A8 = cute.assume(%A) : !matrix -> !aligned
    %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
    %A_row = cute.slice(%A8, %at)
    return %A_row : !row
  }

  // A row as (8,T,4): 4 times a piece of 8 elements for each of T threads.
  func.func @pieces(%threads: i32) -> !pieces {
    %c8 = arith.constant 8 : i32
    %step = arith.muli %threads, %c8 : i32
    %shape = cute.make_shape(%threads) : (i32) -> !cute.shape<"(8,?,4)">
    %stride = cute.make_stride(%step) : (i32) -> !cute.stride<"(1,8,?{div=8})">
    %pieces = cute.make_layout(%shape, %stride)
    return %pieces : !pieces
  }

  // Those of thread t.
  func.func @part(%row: !row, %t: i32, %threads: i32) -> !part {
    %begin = cute.get_iter(%row)
    %pieces = func.call @pieces(%threads) : (i32) -> !pieces
    %all = cute.make_tensor(%begin, %pieces)
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(_,?,_)">
    %part = cute.slice(%all, %at)
    return %part : !part
  }

  // The number in the row of the first element of each.
  func.func @numbers(%t: i32, %threads: i32) -> !numbers {
    %zero = cute.static : !cute.int_tuple<"0">
    %pieces = func.call @pieces(%threads) : (i32) -> !pieces
    %all = cute.make_tensor(%zero, %pieces)
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(0,?,_)">
    %numbers = cute.slice(%all, %at)
    return %numbers : !numbers
  }

  // The elements of thread t of a row with N, 0 for those that do not exist.
  func.func @load(%row: !row, %N: i32, %t: i32, %threads: i32) -> !elements {
    %part = func.call @part(%row, %t, %threads) : (!row, i32, i32) -> !part
    %numbers = func.call @numbers(%t, %threads) : (i32, i32) -> !numbers
    %end = cute.make_int_tuple(%N) : (i32) -> !cute.int_tuple<"?">
    %p = cute.make_predicate(%numbers, %end)
    %x = cute.load_vector(%part, %p)
    return %x : !elements
  }

  //===-- Sums ------------------------------------------------------------===//

  // The sum over a block of at most 16 warps.
  func.func @sum_block(%x: f32, %t: i32, %threads: i32, %partials: !warps) -> f32 {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %c15 = arith.constant 15 : i32
    %c31 = arith.constant 31 : i32
    %sum_warp = gpu.subgroup_reduce add %x uniform : (f32) -> f32
    %lane = arith.andi %t, %c31 : i32
    %is_first = arith.cmpi eq, %lane, %c0 : i32
    scf.if %is_first {
      %warp = arith.shrui %t, %c5 : i32
      %at = cute.make_coord(%warp) : (i32) -> !cute.coord<"?">
      cute.store(%sum_warp, %partials, %at) : f32, !warps, !cute.coord<"?">
    }
    gpu.barrier

    // Every half of a warp adds up the sums of the warps, so that all threads know.
    %lane16 = arith.andi %t, %c15 : i32
    %at16 = cute.make_coord(%lane16) : (i32) -> !cute.coord<"?">
    %any = cute.load(%partials, %at16)
    %warps = arith.shrui %threads, %c5 : i32
    %exists = arith.cmpi slt, %lane16, %warps : i32
    %one = arith.select %exists, %any, %zero : f32
    %sum = gpu.subgroup_reduce add %one cluster(size = 16) : (f32) -> f32
    return %sum : f32
  }

  // The sum over the threads of a row, divided by the row's length: what is left of
  // it is one of the three.
  func.func @mean(%A: !matrix, %x: f32, %t: i32, %threads: i32, %partials: !warps) -> f32 {
    %A_layout = cute.get_layout(%A)
    %M, %N, %pitch = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %c32 = arith.constant 32 : i32
    %is_block = arith.cmpi sgt, %threads, %c32 : i32
    %is_warp = arith.cmpi eq, %threads, %c32 : i32
    %sum = scf.if %is_block -> (f32) {
      %sum_block = func.call @sum_block(%x, %t, %threads, %partials) : (f32, i32, i32, !warps) -> f32
      scf.yield %sum_block : f32
    } else {
      %sum_lanes = scf.if %is_warp -> (f32) {
        %sum_32 = gpu.subgroup_reduce add %x uniform : (f32) -> f32
        scf.yield %sum_32 : f32
      } else {
        %sum_16 = gpu.subgroup_reduce add %x cluster(size = 16) : (f32) -> f32
        scf.yield %sum_16 : f32
      }
      scf.yield %sum_lanes : f32
    }
    %count = arith.sitofp %N : i32 to f32
    %mean = arith.divf %sum, %count fastmath<afn> : f32
    return %mean : f32
  }

  //===-- Rows ------------------------------------------------------------===//

  // A row that fits.
  func.func @in_registers(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix,
      %row: i32, %t: i32, %threads: i32, %partials: !partials) {
    %zero = arith.constant 0.0 : f32
    %A_row = func.call @row(%A, %row) : (!matrix, i32) -> !row
    %B_row = func.call @row(%B, %row) : (!matrix, i32) -> !row
    %N = func.call @extent(%A, %row) : (!matrix, i32) -> i32
    %x = func.call @load(%A_row, %N, %t, %threads) : (!row, i32, i32, i32) -> !elements
    %numbers = func.call @numbers(%t, %threads) : (i32, i32) -> !numbers
    %end = cute.make_int_tuple(%N) : (i32) -> !cute.int_tuple<"?">
    %p = cute.make_predicate(%numbers, %end)
    %f = arith.extf %x : !elements to !floats
    %sum = cute.reduce_vector<"add", "32", "0"> (%f, %zero)
    %mean_at = cute.static : !cute.coord<"(_,0)">
    %mean_partials = cute.slice(%partials, %mean_at)
    %mean = func.call @mean(%A, %sum, %t, %threads, %mean_partials) : (!matrix, f32, i32, i32, !warps) -> f32
    %means = vector.broadcast %mean : f32 to !floats
    %d = arith.subf %f, %means : !floats

    // What does not exist was read as 0, which differs from the mean.
    %squares = arith.mulf %d, %d : !floats
    %of_pieces = cute.reduce_vector<"add", "(8,4)", "(1,_)"> (%squares, %zero)
    %exist = cute.load_vector(%p)
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %of_existing = arith.select %exist, %of_pieces, %zeros : vector<4xi1>, vector<4xf32>
    %square = cute.reduce_vector<"add", "4", "0"> (%of_existing, %zero)

    // On their way while the squares are summed up, and the elements once more, which
    // are in the L1 cache: to keep them would take more registers than two blocks of
    // 512 threads have.
    %x_again = func.call @load(%A_row, %N, %t, %threads) : (!row, i32, i32, i32) -> !elements
    %g = func.call @load(%gamma, %N, %t, %threads) : (!row, i32, i32, i32) -> !elements
    %b = func.call @load(%beta, %N, %t, %threads) : (!row, i32, i32, i32) -> !elements
    %variance_at = cute.static : !cute.coord<"(_,1)">
    %variance_partials = cute.slice(%partials, %variance_at)
    %variance = func.call @mean(%A, %square, %t, %threads, %variance_partials) : (!matrix, f32, i32, i32, !warps) -> f32
    %shifted = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %shifted : f32

    %g_f = arith.extf %g : !elements to !floats
    %scales = vector.broadcast %scale : f32 to !floats
    %b_f = arith.extf %b : !elements to !floats
    %f_again = arith.extf %x_again : !elements to !floats
    %d_again = arith.subf %f_again, %means : !floats
    %y = arith.mulf %d_again, %scales : !floats
    %r = math.fma %y, %g_f, %b_f : !floats
    %h = arith.truncf %r : !floats to !elements
    %tB = func.call @part(%B_row, %t, %threads) : (!row, i32, i32) -> !part
    cute.store_vector(%h, %tB, %p)
    return
  }

  // A row that fits, with registers for one block more: gamma and beta come late.
  func.func @in_few_registers(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix,
      %row: i32, %t: i32, %threads: i32, %partials: !partials) {
    %zero = arith.constant 0.0 : f32
    %A_row = func.call @row(%A, %row) : (!matrix, i32) -> !row
    %B_row = func.call @row(%B, %row) : (!matrix, i32) -> !row
    %N = func.call @extent(%A, %row) : (!matrix, i32) -> i32
    %x = func.call @load(%A_row, %N, %t, %threads) : (!row, i32, i32, i32) -> !elements
    %numbers = func.call @numbers(%t, %threads) : (i32, i32) -> !numbers
    %end = cute.make_int_tuple(%N) : (i32) -> !cute.int_tuple<"?">
    %p = cute.make_predicate(%numbers, %end)
    %f = arith.extf %x : !elements to !floats
    %sum = cute.reduce_vector<"add", "32", "0"> (%f, %zero)
    %mean_at = cute.static : !cute.coord<"(_,0)">
    %mean_partials = cute.slice(%partials, %mean_at)
    %mean = func.call @mean(%A, %sum, %t, %threads, %mean_partials) : (!matrix, f32, i32, i32, !warps) -> f32
    %means = vector.broadcast %mean : f32 to !floats
    %d = arith.subf %f, %means : !floats

    // What does not exist was read as 0, which differs from the mean.
    %squares = arith.mulf %d, %d : !floats
    %of_pieces = cute.reduce_vector<"add", "(8,4)", "(1,_)"> (%squares, %zero)
    %exist = cute.load_vector(%p)
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %of_existing = arith.select %exist, %of_pieces, %zeros : vector<4xi1>, vector<4xf32>
    %square = cute.reduce_vector<"add", "4", "0"> (%of_existing, %zero)
    %variance_at = cute.static : !cute.coord<"(_,1)">
    %variance_partials = cute.slice(%partials, %variance_at)
    %variance = func.call @mean(%A, %square, %t, %threads, %variance_partials) : (!matrix, f32, i32, i32, !warps) -> f32
    %shifted = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %shifted : f32

    %tg = func.call @part(%gamma, %t, %threads) : (!row, i32, i32) -> !part
    %tb = func.call @part(%beta, %t, %threads) : (!row, i32, i32) -> !part
    %mean_8 = vector.broadcast %mean : f32 to vector<8xf32>
    %tB = func.call @part(%B_row, %t, %threads) : (!row, i32, i32) -> !part
    %scale_8 = vector.broadcast %scale : f32 to vector<8xf32>
    %piece = cute.static : !cute.shape<"(8,1)">
    %one = cute.static : !cute.shape<"(1)">
    %at_0 = cute.static : !cute.coord<"(0,0)">
    %which_0 = cute.static : !cute.coord<"(0)">
    %number_0 = cute.local_tile(%numbers, %one, %which_0)
    %p_0 = cute.make_predicate(%number_0, %end)
    %x_0 = vector.extract_strided_slice %x {offsets = [0], sizes = [8], strides = [1]} : !elements to vector<8xf16>
    %f_0 = arith.extf %x_0 : vector<8xf16> to vector<8xf32>
    %tg_0 = cute.local_tile(%tg, %piece, %at_0)
    %g_0 = cute.load_vector(%tg_0, %p_0)
    %g_f_0 = arith.extf %g_0 : vector<8xf16> to vector<8xf32>
    %tb_0 = cute.local_tile(%tb, %piece, %at_0)
    %b_0 = cute.load_vector(%tb_0, %p_0)
    %b_f_0 = arith.extf %b_0 : vector<8xf16> to vector<8xf32>
    %d_0 = arith.subf %f_0, %mean_8 : vector<8xf32>
    %y_0 = arith.mulf %d_0, %scale_8 : vector<8xf32>
    %r_0 = math.fma %y_0, %g_f_0, %b_f_0 : vector<8xf32>
    %h_0 = arith.truncf %r_0 : vector<8xf32> to vector<8xf16>
    %tB_0 = cute.local_tile(%tB, %piece, %at_0)
    cute.store_vector(%h_0, %tB_0, %p_0)
    %at_1 = cute.static : !cute.coord<"(0,1)">
    %which_1 = cute.static : !cute.coord<"(1)">
    %number_1 = cute.local_tile(%numbers, %one, %which_1)
    %p_1 = cute.make_predicate(%number_1, %end)
    %x_1 = vector.extract_strided_slice %x {offsets = [8], sizes = [8], strides = [1]} : !elements to vector<8xf16>
    %f_1 = arith.extf %x_1 : vector<8xf16> to vector<8xf32>
    %tg_1 = cute.local_tile(%tg, %piece, %at_1)
    %g_1 = cute.load_vector(%tg_1, %p_1)
    %g_f_1 = arith.extf %g_1 : vector<8xf16> to vector<8xf32>
    %tb_1 = cute.local_tile(%tb, %piece, %at_1)
    %b_1 = cute.load_vector(%tb_1, %p_1)
    %b_f_1 = arith.extf %b_1 : vector<8xf16> to vector<8xf32>
    %d_1 = arith.subf %f_1, %mean_8 : vector<8xf32>
    %y_1 = arith.mulf %d_1, %scale_8 : vector<8xf32>
    %r_1 = math.fma %y_1, %g_f_1, %b_f_1 : vector<8xf32>
    %h_1 = arith.truncf %r_1 : vector<8xf32> to vector<8xf16>
    %tB_1 = cute.local_tile(%tB, %piece, %at_1)
    cute.store_vector(%h_1, %tB_1, %p_1)
    %at_2 = cute.static : !cute.coord<"(0,2)">
    %which_2 = cute.static : !cute.coord<"(2)">
    %number_2 = cute.local_tile(%numbers, %one, %which_2)
    %p_2 = cute.make_predicate(%number_2, %end)
    %x_2 = vector.extract_strided_slice %x {offsets = [16], sizes = [8], strides = [1]} : !elements to vector<8xf16>
    %f_2 = arith.extf %x_2 : vector<8xf16> to vector<8xf32>
    %tg_2 = cute.local_tile(%tg, %piece, %at_2)
    %g_2 = cute.load_vector(%tg_2, %p_2)
    %g_f_2 = arith.extf %g_2 : vector<8xf16> to vector<8xf32>
    %tb_2 = cute.local_tile(%tb, %piece, %at_2)
    %b_2 = cute.load_vector(%tb_2, %p_2)
    %b_f_2 = arith.extf %b_2 : vector<8xf16> to vector<8xf32>
    %d_2 = arith.subf %f_2, %mean_8 : vector<8xf32>
    %y_2 = arith.mulf %d_2, %scale_8 : vector<8xf32>
    %r_2 = math.fma %y_2, %g_f_2, %b_f_2 : vector<8xf32>
    %h_2 = arith.truncf %r_2 : vector<8xf32> to vector<8xf16>
    %tB_2 = cute.local_tile(%tB, %piece, %at_2)
    cute.store_vector(%h_2, %tB_2, %p_2)
    %at_3 = cute.static : !cute.coord<"(0,3)">
    %which_3 = cute.static : !cute.coord<"(3)">
    %number_3 = cute.local_tile(%numbers, %one, %which_3)
    %p_3 = cute.make_predicate(%number_3, %end)
    %x_3 = vector.extract_strided_slice %x {offsets = [24], sizes = [8], strides = [1]} : !elements to vector<8xf16>
    %f_3 = arith.extf %x_3 : vector<8xf16> to vector<8xf32>
    %tg_3 = cute.local_tile(%tg, %piece, %at_3)
    %g_3 = cute.load_vector(%tg_3, %p_3)
    %g_f_3 = arith.extf %g_3 : vector<8xf16> to vector<8xf32>
    %tb_3 = cute.local_tile(%tb, %piece, %at_3)
    %b_3 = cute.load_vector(%tb_3, %p_3)
    %b_f_3 = arith.extf %b_3 : vector<8xf16> to vector<8xf32>
    %d_3 = arith.subf %f_3, %mean_8 : vector<8xf32>
    %y_3 = arith.mulf %d_3, %scale_8 : vector<8xf32>
    %r_3 = math.fma %y_3, %g_f_3, %b_f_3 : vector<8xf32>
    %h_3 = arith.truncf %r_3 : vector<8xf32> to vector<8xf16>
    %tB_3 = cute.local_tile(%tB, %piece, %at_3)
    cute.store_vector(%h_3, %tB_3, %p_3)
    return
  }

  // Any row.
  func.func @any(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix,
                 %row: i32, %t: i32, %threads: i32, %partials: !partials) {
    %zero = arith.constant 0.0 : f32
    %N = func.call @extent(%A, %row) : (!matrix, i32) -> i32
    %sum = scf.for %n = %t to %N step %threads iter_args(%s = %zero) -> (f32) : i32 {
      %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
      %x = cute.load(%A, %at)
      %f = arith.extf %x : f16 to f32
      %s_next = arith.addf %s, %f : f32
      scf.yield %s_next : f32
    }
    %mean_at = cute.static : !cute.coord<"(_,0)">
    %mean_partials = cute.slice(%partials, %mean_at)
    %mean = func.call @mean(%A, %sum, %t, %threads, %mean_partials) : (!matrix, f32, i32, i32, !warps) -> f32
    %square = scf.for %n = %t to %N step %threads iter_args(%s = %zero) -> (f32) : i32 {
      %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
      %x = cute.load(%A, %at)
      %f = arith.extf %x : f16 to f32
      %d = arith.subf %f, %mean : f32
      %s_next = math.fma %d, %d, %s : f32
      scf.yield %s_next : f32
    }
    %variance_at = cute.static : !cute.coord<"(_,1)">
    %variance_partials = cute.slice(%partials, %variance_at)
    %variance = func.call @mean(%A, %square, %t, %threads, %variance_partials) : (!matrix, f32, i32, i32, !warps) -> f32
    %shifted = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %shifted : f32
    scf.for %n = %t to %N step %threads : i32 {
      %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
      %at_n = cute.make_coord(%n) : (i32) -> !cute.coord<"(?)">
      %x = cute.load(%A, %at)
      %g = cute.load(%gamma, %at_n)
      %f = arith.extf %x : f16 to f32
      %g_f = arith.extf %g : f16 to f32
      %b = cute.load(%beta, %at_n)
      %b_f = arith.extf %b : f16 to f32
      %d = arith.subf %f, %mean : f32
      %y = arith.mulf %d, %scale : f32
      %r = math.fma %y, %g_f, %b_f : f32
      %h = arith.truncf %r : f32 to f16
      cute.store(%h, %B, %at) : f16, !matrix, !cute.coord<"(?,?)">
    }
    return
  }

  //===-- Kernels ---------------------------------------------------------===//

  gpu.func @layernorm_512(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[0], 16)"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %block = arith.index_cast %block_x : index to i32
    %thread = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 16 : i32
    %rows = arith.constant 16 : i32
    %first = arith.muli %block, %rows : i32
    %which = arith.divui %thread, %threads : i32
    %row = arith.addi %first, %which : i32
    %t = arith.remui %thread, %threads : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 512 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_1024(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[0], 8)"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %block = arith.index_cast %block_x : index to i32
    %thread = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 32 : i32
    %rows = arith.constant 8 : i32
    %first = arith.muli %block, %rows : i32
    %which = arith.divui %thread, %threads : i32
    %row = arith.addi %first, %which : i32
    %t = arith.remui %thread, %threads : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 1024 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_2048(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 64 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 2048 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_3072(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 96 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 3072 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_4096(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 128 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 4096 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_5120(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 160 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 5120 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_6144(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 192, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 192 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 6144 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_8192(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 256 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 8192 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_10240(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 320, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 320 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 10240 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_12288(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 384 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 12288 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_few_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @layernorm_16384(%A: !matrix, %gamma: !row, %beta: !row, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %row = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %threads = arith.constant 512 : i32
    %layout = cute.static : !cute.layout<"(16,2):(1,16)">
    %partials = cute.alloc_smem<f32, 16> (%layout)
    %longest = arith.constant 16384 : i32
    %fits = func.call @fits(%A, %B, %longest) : (!matrix, !matrix, i32) -> i1
    scf.if %fits {
      func.call @in_registers(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %gamma, %beta, %eps, %B, %row, %t, %threads, %partials) : (!matrix, !row, !row, f32, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }
}
