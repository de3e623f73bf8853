// Softmax of the rows of an f16 matrix, in f32: B[m,n] = e^A[m,n] / sum of e^A[m,k].
//
//   cutec softmax.mlir --arch=sm_90 -o softmax.ptx
//
// There is a kernel for each of several lengths of rows: softmax_512 is for 512
// elements and fewer, 1024, 2048, 3072, 4096, 5120, 6144, 8192, 10240, 12288, 16384.
// They differ in how many threads have a row, so that each has at most 32 elements.
// A row is read once and written once:
//
//   load      a thread takes its elements, 16 bytes at a time, all before the first
//             is used
//   reduce    with c = log2(e), it has m, the maximum of c x, and s, the sum of
//             2^(c x - m), and keeps these powers in registers. Two such pairs make
//             one,
//               m = max(m1, m2),  s = s1 2^(m1 - m) + s2 2^(m2 - m)
//             first the lanes of a warp, then one lane of each warp
//   store     its powers times 2^(its m - m - log2(s)), so that nothing is divided,
//             and there is one power for each element
//
// Rows that are longer, and rows that do not begin and end at 16 bytes, are read
// twice, element by element.
//
// The largest element of a row contributes 1 to s. Where there is none, m is -10^30:
// less than c x can be, but not infinite, as infinity less infinity is no number.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!aligned = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!row = !cute.tensor<f16, gmem, align<16>, "(?):(1)">
!pieces = !cute.layout<"(8,?,4):(1,8,?{div=8})">
!part = !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?{div=8})">
!numbers = !cute.coord_tensor<"?{div=8}", "(4):(?{div=8})">
!partials = !cute.tensor<f32, smem, align<16>, "(16,2):(1,16)">
!elements = vector<32xf16>
!floats = vector<32xf32>

gpu.module @softmax_module {
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

  //===-- Pairs of m and s ------------------------------------------------===//

  // Of 16 lanes.
  func.func @combine_16(%m_lane: f32, %s_lane: f32) -> (f32, f32) {
    %m = gpu.subgroup_reduce maximumf %m_lane cluster(size = 16) : (f32) -> f32
    %d = arith.subf %m_lane, %m : f32
    %scale = math.exp2 %d fastmath<afn> : f32
    %part = arith.mulf %s_lane, %scale : f32
    %s = gpu.subgroup_reduce add %part cluster(size = 16) : (f32) -> f32
    return %m, %s : f32, f32
  }

  // Of 32 lanes.
  func.func @combine_32(%m_lane: f32, %s_lane: f32) -> (f32, f32) {
    %m = gpu.subgroup_reduce maximumf %m_lane cluster(size = 32) : (f32) -> f32
    %d = arith.subf %m_lane, %m : f32
    %scale = math.exp2 %d fastmath<afn> : f32
    %part = arith.mulf %s_lane, %scale : f32
    %s = gpu.subgroup_reduce add %part cluster(size = 32) : (f32) -> f32
    return %m, %s : f32, f32
  }

  // Of a block of at most 16 warps.
  func.func @combine_block(%m_thread: f32, %s_thread: f32, %t: i32, %threads: i32,
                           %partials: !partials) -> (f32, f32) {
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %c15 = arith.constant 15 : i32
    %c31 = arith.constant 31 : i32
    %m_warp, %s_warp = func.call @combine_32(%m_thread, %s_thread) : (f32, f32) -> (f32, f32)
    %lane = arith.andi %t, %c31 : i32
    %is_first = arith.cmpi eq, %lane, %c0 : i32
    scf.if %is_first {
      %warp = arith.shrui %t, %c5 : i32
      %to_m = cute.make_coord(%warp) : (i32) -> !cute.coord<"(?,0)">
      %to_s = cute.make_coord(%warp) : (i32) -> !cute.coord<"(?,1)">
      cute.store(%m_warp, %partials, %to_m) : f32, !partials, !cute.coord<"(?,0)">
      cute.store(%s_warp, %partials, %to_s) : f32, !partials, !cute.coord<"(?,1)">
    }
    gpu.barrier

    // Every half of a warp combines the pairs of the warps, so that all threads know.
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %lane16 = arith.andi %t, %c15 : i32
    %at_m = cute.make_coord(%lane16) : (i32) -> !cute.coord<"(?,0)">
    %at_s = cute.make_coord(%lane16) : (i32) -> !cute.coord<"(?,1)">
    %m_any = cute.load(%partials, %at_m)
    %s_any = cute.load(%partials, %at_s)
    %warps = arith.shrui %threads, %c5 : i32
    %exists = arith.cmpi slt, %lane16, %warps : i32
    %m_one = arith.select %exists, %m_any, %least : f32
    %s_one = arith.select %exists, %s_any, %zero : f32
    %m, %s = func.call @combine_16(%m_one, %s_one) : (f32, f32) -> (f32, f32)
    return %m, %s : f32, f32
  }

  // Of the threads of a row: what is left of it is one of the three.
  func.func @combine(%m_thread: f32, %s_thread: f32, %t: i32, %threads: i32,
                     %partials: !partials) -> (f32, f32) {
    %c32 = arith.constant 32 : i32
    %is_block = arith.cmpi sgt, %threads, %c32 : i32
    %is_warp = arith.cmpi eq, %threads, %c32 : i32
    %m, %s = scf.if %is_block -> (f32, f32) {
      %m_block, %s_block = func.call @combine_block(%m_thread, %s_thread, %t, %threads, %partials) : (f32, f32, i32, i32, !partials) -> (f32, f32)
      scf.yield %m_block, %s_block : f32, f32
    } else {
      %m_lanes, %s_lanes = scf.if %is_warp -> (f32, f32) {
        %m_32, %s_32 = func.call @combine_32(%m_thread, %s_thread) : (f32, f32) -> (f32, f32)
        scf.yield %m_32, %s_32 : f32, f32
      } else {
        %m_16, %s_16 = func.call @combine_16(%m_thread, %s_thread) : (f32, f32) -> (f32, f32)
        scf.yield %m_16, %s_16 : f32, f32
      }
      scf.yield %m_lanes, %s_lanes : f32, f32
    }
    return %m, %s : f32, f32
  }

  //===-- Rows ------------------------------------------------------------===//

  // A row that fits.
  func.func @in_registers(%A: !matrix, %B: !matrix, %row: i32, %t: i32, %threads: i32,
                          %partials: !partials) {
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %log2e = arith.constant 1.44269504 : f32
    %A_row = func.call @row(%A, %row) : (!matrix, i32) -> !row
    %B_row = func.call @row(%B, %row) : (!matrix, i32) -> !row
    %tA = func.call @part(%A_row, %t, %threads) : (!row, i32, i32) -> !part
    %tB = func.call @part(%B_row, %t, %threads) : (!row, i32, i32) -> !part
    %N = func.call @extent(%A, %row) : (!matrix, i32) -> i32
    %numbers = func.call @numbers(%t, %threads) : (i32, i32) -> !numbers
    %end = cute.make_int_tuple(%N) : (i32) -> !cute.int_tuple<"?">
    %p = cute.make_predicate(%numbers, %end)

    // What does not exist is -inf, which changes neither maximum nor sum.
    %x = cute.load_vector<"-inf">(%tA, %p)
    %minus_infinity = arith.constant 0xFC00 : f16
    %most_x = cute.reduce_vector<"max", "32", "0"> (%x, %minus_infinity)
    %most = arith.extf %most_x : f16 to f32
    %most_c = arith.mulf %most, %log2e : f32
    %m_thread = arith.maximumf %most_c, %least : f32
    %minus_m = arith.negf %m_thread : f32
    %cs = vector.broadcast %log2e : f32 to !floats
    %ms = vector.broadcast %minus_m : f32 to !floats
    %f = arith.extf %x : !elements to !floats
    %exponents = math.fma %f, %cs, %ms : !floats
    %e = math.exp2 %exponents fastmath<afn> : !floats
    %s_thread = cute.reduce_vector<"add", "32", "0"> (%e, %zero)

    %m, %s = func.call @combine(%m_thread, %s_thread, %t, %threads, %partials) : (f32, f32, i32, i32, !partials) -> (f32, f32)
    %log2s = math.log2 %s fastmath<afn> : f32
    %d = arith.subf %m_thread, %m : f32
    %exponent = arith.subf %d, %log2s : f32
    %scale = math.exp2 %exponent fastmath<afn> : f32
    %scales = vector.broadcast %scale : f32 to !floats
    %r = arith.mulf %e, %scales : !floats
    %h = arith.truncf %r : !floats to !elements
    cute.store_vector(%h, %tB, %p)
    return
  }

  // Any row.
  func.func @any(%A: !matrix, %B: !matrix, %row: i32, %t: i32, %threads: i32,
                 %partials: !partials) {
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %log2e = arith.constant 1.44269504 : f32
    %N = func.call @extent(%A, %row) : (!matrix, i32) -> i32
    %m_thread, %s_thread = scf.for %n = %t to %N step %threads
        iter_args(%m1 = %least, %s1 = %zero) -> (f32, f32) : i32 {
      %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
      %x = cute.load(%A, %at)
      %f = arith.extf %x : f16 to f32
      %y = arith.mulf %f, %log2e : f32
      %m2 = arith.maximumf %m1, %y : f32
      %less = arith.subf %m1, %m2 : f32
      %scale = math.exp2 %less fastmath<afn> : f32
      %minus_m = arith.negf %m2 : f32
      %exponent = math.fma %f, %log2e, %minus_m : f32
      %e = math.exp2 %exponent fastmath<afn> : f32
      %s2 = math.fma %s1, %scale, %e : f32
      scf.yield %m2, %s2 : f32, f32
    }

    %m, %s = func.call @combine(%m_thread, %s_thread, %t, %threads, %partials) : (f32, f32, i32, i32, !partials) -> (f32, f32)
    %log2s = math.log2 %s fastmath<afn> : f32
    %minus_m = arith.negf %m : f32
    scf.for %n = %t to %N step %threads : i32 {
      %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
      %x = cute.load(%A, %at)
      %f = arith.extf %x : f16 to f32
      %less = math.fma %f, %log2e, %minus_m : f32
      %exponent = arith.subf %less, %log2s : f32
      %r = math.exp2 %exponent fastmath<afn> : f32
      %h = arith.truncf %r : f32 to f16
      cute.store(%h, %B, %at) : f16, !matrix, !cute.coord<"(?,?)">
    }
    return
  }

  //===-- Kernels ---------------------------------------------------------===//

  gpu.func @softmax_512(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_1024(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_2048(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_3072(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_4096(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_5120(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_6144(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_8192(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_10240(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_12288(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }

  gpu.func @softmax_16384(%A: !matrix, %B: !matrix) kernel
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
      func.call @in_registers(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    } else {
      func.call @any(%A, %B, %row, %t, %threads, %partials) : (!matrix, !matrix, i32, i32, i32, !partials) -> ()
    }
    gpu.return
  }
}
