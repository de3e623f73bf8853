// indices[m] = the first n at which A[m,n] is largest; a warp has a row, a lane four
// columns at a time. Rows begin at multiples of 16 bytes and have any length.
!A = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
!indices = !cute.tensor<i32, gmem, align<4>, "?:1">

gpu.module @argmax_module {
  gpu.func @argmax(%A: !A {llvm.noalias, llvm.readonly}, %indices: !indices {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg0.shape[0], 4)"]} {
    %block = cute.block_idx<"x">
    %warp = cute.warp_idx
    %lane = cute.lane_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %first_row = arith.muli %block, %c4 : i32
    %row = arith.addi %first_row, %warp : i32
    %shape = cute.get_shape(%A)
    %M, %N = cute.get_scalars<{only_dynamic}> (%shape) : !cute.shape<"(?,?)">
    %exists = arith.cmpi slt, %row, %M : i32
    scf.if %exists {
      %a = cute.slice(%A, (%row, _))

      // The best of each lane's four columns.
      %low = arith.constant dense<0xFF800000> : vector<4xf32>
      %none = arith.constant dense<2147483647> : vector<4xi32>
      %quads = arith.divui %N, %c4 : i32
      %bests, %places = scf.for %q = %lane to %quads step %c32
          iter_args(%best = %low, %place = %none) -> (vector<4xf32>, vector<4xi32>) : i32 {
        %at = cute.make_coord(%q) : (i32) -> !cute.coord<"?">
        %tile = cute.local_tile(%a, 4, %at)
        %x = cute.load_vector(%tile)
        %here = vector.broadcast %q : i32 to vector<4xi32>
        %more = arith.cmpf ogt, %x, %best : vector<4xf32>
        %best_now = arith.select %more, %x, %best : vector<4xi1>, vector<4xf32>
        %place_now = arith.select %more, %here, %place : vector<4xi1>, vector<4xi32>
        scf.yield %best_now, %place_now : vector<4xf32>, vector<4xi32>
      } {cute.unroll = 4 : i32}

      // Of these, and of the columns behind the last four, the first of the largest.
      %ninf = arith.constant 0xFF800000 : f32
      %nowhere = arith.constant 2147483647 : i32
      %m0, %i0 = scf.for %j = %c0 to %c4 step %c1
          iter_args(%best = %ninf, %place = %nowhere) -> (f32, i32) : i32 {
        %j_index = arith.index_cast %j : i32 to index
        %x = vector.extract %bests[%j_index] : f32 from vector<4xf32>
        %q = vector.extract %places[%j_index] : i32 from vector<4xi32>
        %q4 = arith.muli %q, %c4 : i32
        %n = arith.addi %q4, %j : i32
        %b, %p = func.call @better(%best, %place, %x, %n) : (f32, i32, f32, i32) -> (f32, i32)
        scf.yield %b, %p : f32, i32
      } {cute.unroll = "full"}
      %in_quads = arith.muli %quads, %c4 : i32
      %rest = arith.addi %in_quads, %lane : i32
      %has_rest = arith.cmpi slt, %rest, %N : i32
      %m1, %i1 = scf.if %has_rest -> (f32, i32) {
        %at = cute.make_coord(%rest) : (i32) -> !cute.coord<"?">
        %x = cute.load(%a, %at)
        %b, %p = func.call @better(%m0, %i0, %x, %rest) : (f32, i32, f32, i32) -> (f32, i32)
        scf.yield %b, %p : f32, i32
      } else {
        scf.yield %m0, %i0 : f32, i32
      }

      // Of all lanes.
      %c5 = arith.constant 5 : i32
      %c16 = arith.constant 16 : i32
      %m2, %i2 = scf.for %s = %c0 to %c5 step %c1
          iter_args(%best = %m1, %place = %i1) -> (f32, i32) : i32 {
        %o = arith.shrui %c16, %s : i32
        %x, %v0 = gpu.shuffle xor %best, %o, %c32 : f32
        %n, %v1 = gpu.shuffle xor %place, %o, %c32 : i32
        %b, %p = func.call @better(%best, %place, %x, %n) : (f32, i32, f32, i32) -> (f32, i32)
        scf.yield %b, %p : f32, i32
      }
      %is_first = arith.cmpi eq, %lane, %c0 : i32
      scf.if %is_first {
        %to = cute.make_coord(%row) : (i32) -> !cute.coord<"?">
        cute.store(%i2, %indices, %to)
      }
    }
    gpu.return
  }

  // The larger of two numbers, or the first of equal ones, with its place.
  func.func @better(%best: f32, %place: i32, %x: f32, %n: i32) -> (f32, i32) {
    %more = arith.cmpf ogt, %x, %best : f32
    %equal = arith.cmpf oeq, %x, %best : f32
    %before = arith.cmpi slt, %n, %place : i32
    %tie = arith.andi %equal, %before : i1
    %take = arith.ori %more, %tie : i1
    %b = arith.select %take, %x, %best : f32
    %p = arith.select %take, %n, %place : i32
    return %b, %p : f32, i32
  }
}
