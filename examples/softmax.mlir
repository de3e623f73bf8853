// Softmax of the rows of an f16 matrix, in f32: B[m,n] = e^A[m,n] / sum of e^A[m,k].
//
//   cutec examples/softmax.mlir --arch=sm_90 -o softmax.ptx
//
// In kernel softmax a block has one row, and a row is read once and written once:
//
//   load      each of 512 threads takes up to 32 elements, 16 bytes at a time, and
//             keeps them in registers as a vector<32xf16>
//   reduce    a thread has the maximum m of its elements and s, the sum of
//             2^(c (x - m)), where c = log2(e). Two such pairs make one,
//               m = max(m1, m2),  s = s1 2^(c (m1 - m)) + s2 2^(c (m2 - m))
//             first the lanes of a warp, then one lane of each warp
//   store     2^(c (x - m) - log2(s)), so that nothing is divided
//
// Rows of more than 16384 elements, and rows that do not begin or end at 16 bytes,
// are read twice, element by element.
//
// Kernel softmax_short is for rows of at most 1024 elements: a warp has one, and
// the lanes of a warp are all there is to combine.
//
// The largest element of a row contributes 1 to s. Where there is none, m is -10^30:
// less than any f16, but not infinite, as infinity less infinity is no number.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!aligned = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!partials = !cute.tensor<f32, smem, align<16>, "16:1">

gpu.module @softmax_module {
  gpu.func @softmax(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %x = gpu.block_id x
    %row = arith.index_cast %x : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %c15 = arith.constant 15 : i32
    %c31 = arith.constant 31 : i32
    %c512 = arith.constant 512 : i32
    %lane = arith.andi %thread, %c31 : i32
    %warp = arith.shrui %thread, %c5 : i32
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %log2e = arith.constant 1.44269504 : f32

    %A_layout = cute.get_layout(%A)
    %A_shape = cute.get_shape(%A_layout)
    %B_layout = cute.get_layout(%B)
    %M, %N, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %M_B, %N_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout) : !cute.layout<"(?,?):(?{i64},1)">

    // Whether the row fits and all of it can be accessed 16 bytes at a time.
    %N_long = arith.extui %N : i32 to i64
    %pitches = arith.ori %lda, %ldb : i64
    %all = arith.ori %pitches, %N_long : i64
    %seven = arith.constant 7 : i64
    %zero_long = arith.constant 0 : i64
    %rest = arith.andi %all, %seven : i64
    %aligned = arith.cmpi eq, %rest, %zero_long : i64
    %most = arith.constant 16384 : i32
    %short = arith.cmpi sle, %N, %most : i32
    %fits = arith.andi %aligned, %short : i1

    //===-- The row as vectors --------------------------------------------===//

    // The thread's part of the row: 8 elements, 4 times 4096 apart, and whether
    // the first of each 8 is in the matrix.
    %A8 = cute.assume(%A) : !matrix -> !aligned
    %B8 = cute.assume(%B) : !matrix -> !aligned
    %identity = cute.make_identity_tensor(%A_shape)
    %tile = cute.static : !cute.shape<"(1,16384)">
    %row_at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
    %gA = cute.local_tile(%A8, %tile, %row_at)
    %gB = cute.local_tile(%B8, %tile, %row_at)
    %gC = cute.local_tile(%identity, %tile, %row_at)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(1,512):(0,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %tA = cute.partition_s(%copy, %gA, %thread)
    %tB = cute.partition_d(%copy, %gB, %thread)
    %tC = cute.partition_s(%copy, %gC, %thread)
    %first = cute.static : !cute.coord<"(0,_,_)">
    %tC_first = cute.slice(%tC, %first)
    %p = cute.make_predicate(%tC_first, %A_shape)

    //===-- Maximum and sum of a thread -----------------------------------===//

    %elements, %m_thread, %s_thread = scf.if %fits -> (vector<32xf16>, f32, f32) {
      // What does not exist is -inf, which changes neither maximum nor sum.
      %v = cute.load_vector<"-inf">(%tA, %p)
      %minus_inf = arith.constant 0xFC00 : f16
      %m16 = cute.reduce_vector<"max", "32", "0"> (%v, %minus_inf)
      %m32 = arith.extf %m16 : f16 to f32
      %m = arith.maximumf %m32, %least : f32
      %ms = vector.broadcast %m : f32 to vector<32xf32>
      %cs = vector.broadcast %log2e : f32 to vector<32xf32>
      %f = arith.extf %v : vector<32xf16> to vector<32xf32>
      %d = arith.subf %f, %ms : vector<32xf32>
      %exponent = arith.mulf %d, %cs : vector<32xf32>
      %e = math.exp2 %exponent : vector<32xf32>
      %s = cute.reduce_vector<"add", "32", "0"> (%e, %zero)
      scf.yield %v, %m, %s : vector<32xf16>, f32, f32
    } else {
      %m, %s = scf.for %n = %thread to %N step %c512
          iter_args(%m1 = %least, %s1 = %zero) -> (f32, f32) : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %v = cute.load(%A, %at)
        %f = arith.extf %v : f16 to f32
        %m2 = arith.maximumf %m1, %f : f32
        %d1 = arith.subf %m1, %m2 : f32
        %before = arith.mulf %d1, %log2e : f32
        %scale = math.exp2 %before : f32
        %d = arith.subf %f, %m2 : f32
        %exponent = arith.mulf %d, %log2e : f32
        %e = math.exp2 %exponent : f32
        %s2 = math.fma %s1, %scale, %e : f32
        scf.yield %m2, %s2 : f32, f32
      }
      %none = ub.poison : vector<32xf16>
      scf.yield %none, %m, %s : vector<32xf16>, f32, f32
    }

    //===-- Of a warp, and of the block -----------------------------------===//

    %m_warp = gpu.subgroup_reduce maximumf %m_thread uniform : (f32) -> f32
    %d_thread = arith.subf %m_thread, %m_warp : f32
    %e_thread = arith.mulf %d_thread, %log2e : f32
    %k_thread = math.exp2 %e_thread : f32
    %part = arith.mulf %s_thread, %k_thread : f32
    %s_warp = gpu.subgroup_reduce add %part uniform : (f32) -> f32

    %sixteen = cute.static : !cute.layout<"16:1">
    %maxima = cute.alloc_smem<f32, 16> (%sixteen)
    %sums = cute.alloc_smem<f32, 16> (%sixteen)
    %is_first = arith.cmpi eq, %lane, %c0 : i32
    scf.if %is_first {
      %at = cute.make_coord(%warp) : (i32) -> !cute.coord<"?">
      cute.store(%m_warp, %maxima, %at) : f32, !partials, !cute.coord<"?">
      cute.store(%s_warp, %sums, %at) : f32, !partials, !cute.coord<"?">
    }
    gpu.barrier

    // Every half of a warp combines the 16 pairs, so that all threads know.
    %lane16 = arith.andi %lane, %c15 : i32
    %at16 = cute.make_coord(%lane16) : (i32) -> !cute.coord<"?">
    %m_one = cute.load(%maxima, %at16)
    %s_one = cute.load(%sums, %at16)
    %m_block = gpu.subgroup_reduce maximumf %m_one cluster(size = 16) : (f32) -> f32
    %d_one = arith.subf %m_one, %m_block : f32
    %e_one = arith.mulf %d_one, %log2e : f32
    %k_one = math.exp2 %e_one : f32
    %part_one = arith.mulf %s_one, %k_one : f32
    %s_block = gpu.subgroup_reduce add %part_one cluster(size = 16) : (f32) -> f32
    %log2s = math.log2 %s_block fastmath<afn> : f32
    %minus_log2s = arith.negf %log2s : f32

    //===-- The result ----------------------------------------------------===//

    scf.if %fits {
      %f = arith.extf %elements : vector<32xf16> to vector<32xf32>
      %cs = vector.broadcast %log2e : f32 to vector<32xf32>
      %ms = vector.broadcast %m_block : f32 to vector<32xf32>
      %minus = vector.broadcast %minus_log2s : f32 to vector<32xf32>
      %d = arith.subf %f, %ms : vector<32xf32>
      %exponent = math.fma %d, %cs, %minus : vector<32xf32>
      %e = math.exp2 %exponent : vector<32xf32>
      %h = arith.truncf %e : vector<32xf32> to vector<32xf16>
      cute.store_vector(%h, %tB, %p)
    } else {
      scf.for %n = %thread to %N step %c512 : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %v = cute.load(%A, %at)
        %f = arith.extf %v : f16 to f32
        %d = arith.subf %f, %m_block : f32
        %exponent = math.fma %d, %log2e, %minus_log2s : f32
        %e = math.exp2 %exponent : f32
        %h = arith.truncf %e : f32 to f16
        cute.store(%h, %B, %at) : f16, !matrix, !cute.coord<"(?,?)">
      }
    }
    gpu.return
  }

  gpu.func @softmax_short(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[0], 8)"]} {
    %x = gpu.block_id x
    %block = arith.index_cast %x : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %lane = arith.andi %thread, %c31 : i32
    %warp = arith.shrui %thread, %c5 : i32
    %first_row = arith.shli %block, %c3 : i32
    %row = arith.addi %first_row, %warp : i32
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %log2e = arith.constant 1.44269504 : f32

    %A_layout = cute.get_layout(%A)
    %A_shape = cute.get_shape(%A_layout)
    %B_layout = cute.get_layout(%B)
    %M, %N, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %M_B, %N_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %N_long = arith.extui %N : i32 to i64
    %pitches = arith.ori %lda, %ldb : i64
    %all = arith.ori %pitches, %N_long : i64
    %seven = arith.constant 7 : i64
    %zero_long = arith.constant 0 : i64
    %rest = arith.andi %all, %seven : i64
    %aligned = arith.cmpi eq, %rest, %zero_long : i64
    %most = arith.constant 1024 : i32
    %short = arith.cmpi sle, %N, %most : i32
    %fits = arith.andi %aligned, %short : i1

    scf.if %fits {
      // 8 rows of 32 lanes with 8 elements each, 4 times 256 apart. The predicate
      // is also false in rows that the matrix does not have.
      %A8 = cute.assume(%A) : !matrix -> !aligned
      %B8 = cute.assume(%B) : !matrix -> !aligned
      %identity = cute.make_identity_tensor(%A_shape)
      %tile = cute.static : !cute.shape<"(8,1024)">
      %block_at = cute.make_coord(%block) : (i32) -> !cute.coord<"(?,0)">
      %gA = cute.local_tile(%A8, %tile, %block_at)
      %gB = cute.local_tile(%B8, %tile, %block_at)
      %gC = cute.local_tile(%identity, %tile, %block_at)
      %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
      %threads = cute.static : !cute.layout<"(8,32):(32,1)">
      %values = cute.static : !cute.layout<"(1,8):(0,1)">
      %copy = cute.make_tiled_copy(%atom, %threads, %values)
      %tA = cute.partition_s(%copy, %gA, %thread)
      %tB = cute.partition_d(%copy, %gB, %thread)
      %tC = cute.partition_s(%copy, %gC, %thread)
      %first = cute.static : !cute.coord<"(0,_,_)">
      %tC_first = cute.slice(%tC, %first)
      %p = cute.make_predicate(%tC_first, %A_shape)

      %v = cute.load_vector<"-inf">(%tA, %p)
      %minus_inf = arith.constant 0xFC00 : f16
      %m16 = cute.reduce_vector<"max", "32", "0"> (%v, %minus_inf)
      %m32 = arith.extf %m16 : f16 to f32
      %m_thread = arith.maximumf %m32, %least : f32
      %m = gpu.subgroup_reduce maximumf %m_thread uniform : (f32) -> f32
      %f = arith.extf %v : vector<32xf16> to vector<32xf32>
      %ms = vector.broadcast %m : f32 to vector<32xf32>
      %cs = vector.broadcast %log2e : f32 to vector<32xf32>
      %d = arith.subf %f, %ms : vector<32xf32>
      %exponent = arith.mulf %d, %cs : vector<32xf32>
      %e = math.exp2 %exponent : vector<32xf32>
      %s_thread = cute.reduce_vector<"add", "32", "0"> (%e, %zero)
      %s = gpu.subgroup_reduce add %s_thread uniform : (f32) -> f32
      %one = arith.constant 1.0 : f32
      %inverse = arith.divf %one, %s : f32
      %inverses = vector.broadcast %inverse : f32 to vector<32xf32>
      %r = arith.mulf %e, %inverses : vector<32xf32>
      %h = arith.truncf %r : vector<32xf32> to vector<32xf16>
      cute.store_vector(%h, %tB, %p)
    } else {
      // All lanes of a warp have the same row, or none.
      %exists = arith.cmpi slt, %row, %M : i32
      scf.if %exists {
        %m_thread, %s_thread = scf.for %n = %lane to %N step %c32
            iter_args(%m1 = %least, %s1 = %zero) -> (f32, f32) : i32 {
          %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
          %v = cute.load(%A, %at)
          %f = arith.extf %v : f16 to f32
          %m2 = arith.maximumf %m1, %f : f32
          %d1 = arith.subf %m1, %m2 : f32
          %before = arith.mulf %d1, %log2e : f32
          %scale = math.exp2 %before : f32
          %d = arith.subf %f, %m2 : f32
          %exponent = arith.mulf %d, %log2e : f32
          %e = math.exp2 %exponent : f32
          %s2 = math.fma %s1, %scale, %e : f32
          scf.yield %m2, %s2 : f32, f32
        }
        %m = gpu.subgroup_reduce maximumf %m_thread uniform : (f32) -> f32
        %d_thread = arith.subf %m_thread, %m : f32
        %e_thread = arith.mulf %d_thread, %log2e : f32
        %k_thread = math.exp2 %e_thread : f32
        %part = arith.mulf %s_thread, %k_thread : f32
        %s = gpu.subgroup_reduce add %part uniform : (f32) -> f32
        %one = arith.constant 1.0 : f32
        %inverse = arith.divf %one, %s : f32
        scf.for %n = %lane to %N step %c32 : i32 {
          %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
          %v = cute.load(%A, %at)
          %f = arith.extf %v : f16 to f32
          %d = arith.subf %f, %m : f32
          %exponent = arith.mulf %d, %log2e : f32
          %e = math.exp2 %exponent : f32
          %r = arith.mulf %e, %inverse : f32
          %h = arith.truncf %r : f32 to f16
          cute.store(%h, %B, %at) : f16, !matrix, !cute.coord<"(?,?)">
        }
      }
    }
    gpu.return
  }
}
