// Normalization of the rows of an f16 matrix, in f32:
//
//   layernorm   B[m,n] = (A[m,n] - mean) / sqrt(variance + eps) * gamma[n] + beta[n]
//   rmsnorm     B[m,n] = A[m,n] / sqrt(mean of squares + eps) * gamma[n]
//
//   cutec examples/layernorm.mlir --arch=sm_90 -o layernorm.ptx
//
// As in examples/softmax.mlir a block of 512 threads has one row and keeps it in
// registers, 16 elements a thread, read and written 16 bytes at a time. Here the row
// is a tensor of rank 1, which gamma and beta are, too, and the sums of the block are
// MLIR's gpu.all_reduce. The variance is the mean of the squares of what the mean
// leaves, and not a difference of large numbers.
//
// Rows of more than 8192 elements, and rows that do not begin or end at 16 bytes,
// are read three times (twice), element by element.

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!aligned = !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!vector = !cute.tensor<f16, gmem, align<16>, "(?):(1)">

gpu.module @layernorm_module {
  gpu.func @layernorm(%A: !matrix, %gamma: !vector, %beta: !vector, %eps: f32,
                      %B: !matrix) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %x = gpu.block_id x
    %row = arith.index_cast %x : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c512 = arith.constant 512 : i32
    %zero = arith.constant 0.0 : f32

    %A_layout = cute.get_layout(%A)
    %B_layout = cute.get_layout(%B)
    %M, %N, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %M_B, %N_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %N_float = arith.sitofp %N : i32 to f32

    // Whether the row fits and all of it can be accessed 16 bytes at a time.
    %N_long = arith.extui %N : i32 to i64
    %pitches = arith.ori %lda, %ldb : i64
    %all = arith.ori %pitches, %N_long : i64
    %seven = arith.constant 7 : i64
    %zero_long = arith.constant 0 : i64
    %rest = arith.andi %all, %seven : i64
    %aligned = arith.cmpi eq, %rest, %zero_long : i64
    %most = arith.constant 8192 : i32
    %short = arith.cmpi sle, %N, %most : i32
    %fits = arith.andi %aligned, %short : i1

    //===-- The row as vectors --------------------------------------------===//

    // The thread's part: 8 elements, 2 times 4096 apart, and whether the first of
    // each 8 is in the row.
    %A8 = cute.assume(%A) : !matrix -> !aligned
    %B8 = cute.assume(%B) : !matrix -> !aligned
    %row_at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
    %A_row = cute.slice(%A8, %row_at)
    %B_row = cute.slice(%B8, %row_at)
    %length = cute.make_shape(%N) : (i32) -> !cute.shape<"(?)">
    %identity = cute.make_identity_tensor(%length)
    %tile = cute.static : !cute.shape<"(8192)">
    %start = cute.static : !cute.coord<"(0)">
    %gA = cute.local_tile(%A_row, %tile, %start)
    %gB = cute.local_tile(%B_row, %tile, %start)
    %gGamma = cute.local_tile(%gamma, %tile, %start)
    %gBeta = cute.local_tile(%beta, %tile, %start)
    %gC = cute.local_tile(%identity, %tile, %start)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(512):(1)">
    %values = cute.static : !cute.layout<"(8):(1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %tA = cute.partition_s(%copy, %gA, %thread)
    %tB = cute.partition_d(%copy, %gB, %thread)
    %tGamma = cute.partition_s(%copy, %gGamma, %thread)
    %tBeta = cute.partition_s(%copy, %gBeta, %thread)
    %tC = cute.partition_s(%copy, %gC, %thread)
    %first = cute.static : !cute.coord<"(0,_)">
    %tC_first = cute.slice(%tC, %first)
    %p = cute.make_predicate(%tC_first, %length)

    //===-- Mean ----------------------------------------------------------===//

    %elements, %sum_thread = scf.if %fits -> (vector<16xf16>, f32) {
      %v = cute.load_vector(%tA, %p)
      %f = arith.extf %v : vector<16xf16> to vector<16xf32>
      %s = cute.reduce_vector<"add", "16", "0"> (%f, %zero)
      scf.yield %v, %s : vector<16xf16>, f32
    } else {
      %s = scf.for %n = %thread to %N step %c512 iter_args(%s1 = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %v = cute.load(%A, %at)
        %f = arith.extf %v : f16 to f32
        %s2 = arith.addf %s1, %f : f32
        scf.yield %s2 : f32
      }
      %none = ub.poison : vector<16xf16>
      scf.yield %none, %s : vector<16xf16>, f32
    }
    %sum = gpu.all_reduce add %sum_thread uniform {} : (f32) -> f32
    %mean = arith.divf %sum, %N_float : f32

    //===-- Variance ------------------------------------------------------===//

    %squares_thread = scf.if %fits -> (f32) {
      %f = arith.extf %elements : vector<16xf16> to vector<16xf32>
      %means = vector.broadcast %mean : f32 to vector<16xf32>
      %d = arith.subf %f, %means : vector<16xf32>
      // What does not exist was read as 0, which differs from the mean.
      %exists2 = cute.load_vector(%p)
      %exists = cute.broadcast_vector<"(1,2)", "(8,2)"> (%exists2)
      %zeros = arith.constant dense<0.0> : vector<16xf32>
      %e = arith.select %exists, %d, %zeros : vector<16xi1>, vector<16xf32>
      %squares = arith.mulf %e, %e : vector<16xf32>
      %s = cute.reduce_vector<"add", "16", "0"> (%squares, %zero)
      scf.yield %s : f32
    } else {
      %s = scf.for %n = %thread to %N step %c512 iter_args(%s1 = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %v = cute.load(%A, %at)
        %f = arith.extf %v : f16 to f32
        %d = arith.subf %f, %mean : f32
        %s2 = math.fma %d, %d, %s1 : f32
        scf.yield %s2 : f32
      }
      scf.yield %s : f32
    }
    %squares = gpu.all_reduce add %squares_thread uniform {} : (f32) -> f32
    %variance = arith.divf %squares, %N_float : f32
    %shifted = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %shifted : f32

    //===-- The result ----------------------------------------------------===//

    scf.if %fits {
      %f = arith.extf %elements : vector<16xf16> to vector<16xf32>
      %means = vector.broadcast %mean : f32 to vector<16xf32>
      %scales = vector.broadcast %scale : f32 to vector<16xf32>
      %g16 = cute.load_vector(%tGamma, %p)
      %b16 = cute.load_vector(%tBeta, %p)
      %g = arith.extf %g16 : vector<16xf16> to vector<16xf32>
      %b = arith.extf %b16 : vector<16xf16> to vector<16xf32>
      %d = arith.subf %f, %means : vector<16xf32>
      %y = arith.mulf %d, %scales : vector<16xf32>
      %r = math.fma %y, %g, %b : vector<16xf32>
      %h = arith.truncf %r : vector<16xf32> to vector<16xf16>
      cute.store_vector(%h, %tB, %p)
    } else {
      scf.for %n = %thread to %N step %c512 : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %at_n = cute.make_coord(%n) : (i32) -> !cute.coord<"(?)">
        %v = cute.load(%A, %at)
        %g16 = cute.load(%gamma, %at_n)
        %b16 = cute.load(%beta, %at_n)
        %f = arith.extf %v : f16 to f32
        %g = arith.extf %g16 : f16 to f32
        %b = arith.extf %b16 : f16 to f32
        %d = arith.subf %f, %mean : f32
        %y = arith.mulf %d, %scale : f32
        %r = math.fma %y, %g, %b : f32
        %h = arith.truncf %r : f32 to f16
        cute.store(%h, %B, %at) : f16, !matrix, !cute.coord<"(?,?)">
      }
    }
    gpu.return
  }

  gpu.func @rmsnorm(%A: !matrix, %gamma: !vector, %eps: f32, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>,
                  cute.grid = ["arg0.shape[0]"]} {
    %x = gpu.block_id x
    %row = arith.index_cast %x : index to i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c512 = arith.constant 512 : i32
    %zero = arith.constant 0.0 : f32

    %A_layout = cute.get_layout(%A)
    %B_layout = cute.get_layout(%B)
    %M, %N, %lda = cute.get_scalars<{only_dynamic}> (%A_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %M_B, %N_B, %ldb = cute.get_scalars<{only_dynamic}> (%B_layout) : !cute.layout<"(?,?):(?{i64},1)">
    %N_float = arith.sitofp %N : i32 to f32
    %N_long = arith.extui %N : i32 to i64
    %pitches = arith.ori %lda, %ldb : i64
    %all = arith.ori %pitches, %N_long : i64
    %seven = arith.constant 7 : i64
    %zero_long = arith.constant 0 : i64
    %rest = arith.andi %all, %seven : i64
    %aligned = arith.cmpi eq, %rest, %zero_long : i64
    %most = arith.constant 8192 : i32
    %short = arith.cmpi sle, %N, %most : i32
    %fits = arith.andi %aligned, %short : i1

    %A8 = cute.assume(%A) : !matrix -> !aligned
    %B8 = cute.assume(%B) : !matrix -> !aligned
    %row_at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
    %A_row = cute.slice(%A8, %row_at)
    %B_row = cute.slice(%B8, %row_at)
    %length = cute.make_shape(%N) : (i32) -> !cute.shape<"(?)">
    %identity = cute.make_identity_tensor(%length)
    %tile = cute.static : !cute.shape<"(8192)">
    %start = cute.static : !cute.coord<"(0)">
    %gA = cute.local_tile(%A_row, %tile, %start)
    %gB = cute.local_tile(%B_row, %tile, %start)
    %gGamma = cute.local_tile(%gamma, %tile, %start)
    %gC = cute.local_tile(%identity, %tile, %start)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(512):(1)">
    %values = cute.static : !cute.layout<"(8):(1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %tA = cute.partition_s(%copy, %gA, %thread)
    %tB = cute.partition_d(%copy, %gB, %thread)
    %tGamma = cute.partition_s(%copy, %gGamma, %thread)
    %tC = cute.partition_s(%copy, %gC, %thread)
    %first = cute.static : !cute.coord<"(0,_)">
    %tC_first = cute.slice(%tC, %first)
    %p = cute.make_predicate(%tC_first, %length)

    %elements, %sum_thread = scf.if %fits -> (vector<16xf16>, f32) {
      %v = cute.load_vector(%tA, %p)
      %f = arith.extf %v : vector<16xf16> to vector<16xf32>
      %squares = arith.mulf %f, %f : vector<16xf32>
      %s = cute.reduce_vector<"add", "16", "0"> (%squares, %zero)
      scf.yield %v, %s : vector<16xf16>, f32
    } else {
      %s = scf.for %n = %thread to %N step %c512 iter_args(%s1 = %zero) -> (f32) : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %v = cute.load(%A, %at)
        %f = arith.extf %v : f16 to f32
        %s2 = math.fma %f, %f, %s1 : f32
        scf.yield %s2 : f32
      }
      %none = ub.poison : vector<16xf16>
      scf.yield %none, %s : vector<16xf16>, f32
    }
    %sum = gpu.all_reduce add %sum_thread uniform {} : (f32) -> f32
    %mean = arith.divf %sum, %N_float : f32
    %shifted = arith.addf %mean, %eps : f32
    %scale = math.rsqrt %shifted : f32

    scf.if %fits {
      %f = arith.extf %elements : vector<16xf16> to vector<16xf32>
      %scales = vector.broadcast %scale : f32 to vector<16xf32>
      %g16 = cute.load_vector(%tGamma, %p)
      %g = arith.extf %g16 : vector<16xf16> to vector<16xf32>
      %y = arith.mulf %f, %scales : vector<16xf32>
      %r = arith.mulf %y, %g : vector<16xf32>
      %h = arith.truncf %r : vector<16xf32> to vector<16xf16>
      cute.store_vector(%h, %tB, %p)
    } else {
      scf.for %n = %thread to %N step %c512 : i32 {
        %at = cute.make_coord(%row, %n) : (i32, i32) -> !cute.coord<"(?,?)">
        %at_n = cute.make_coord(%n) : (i32) -> !cute.coord<"(?)">
        %v = cute.load(%A, %at)
        %g16 = cute.load(%gamma, %at_n)
        %f = arith.extf %v : f16 to f32
        %g = arith.extf %g16 : f16 to f32
        %y = arith.mulf %f, %scale : f32
        %r = arith.mulf %y, %g : f32
        %h = arith.truncf %r : f32 to f16
        cute.store(%h, %B, %at) : f16, !matrix, !cute.coord<"(?,?)">
      }
    }
    gpu.return
  }
}
