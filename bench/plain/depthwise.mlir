// B[c,y,x] = sum of A[c,y+r,x+s] W[c,r,s] over r, s < 3: a filter for each channel. A
// thread has one column of 16 rows, and keeps three rows of A in registers.
!A = !cute.tensor<f32, gmem, align<4>, "(?,?,?):(?{i64},?,1)">
!row_of = !cute.tensor<f32, gmem, align<4>, "(?,?):(?,1)">
!W = !cute.tensor<f32, gmem, align<4>, "(?,3,3):(9,3,1)">

gpu.module @depthwise_module {
  gpu.func @depthwise(%A: !A {llvm.noalias, llvm.readonly}, %W: !W {llvm.noalias, llvm.readonly},
                      %B: !A {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[2], 128)", "ceil_div(arg2.shape[1], 16)", "arg2.shape[0]"]} {
    %bx = cute.block_idx<"x">
    %by = cute.block_idx<"y">
    %c = cute.block_idx<"z">
    %thread = cute.thread_idx<"x">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c16 = arith.constant 16 : i32
    %c128 = arith.constant 128 : i32
    %x0 = arith.muli %bx, %c128 : i32
    %x = arith.addi %x0, %thread : i32
    %y0 = arith.muli %by, %c16 : i32
    %shape = cute.get_shape(%B)
    %C, %Y, %X = cute.get_scalars<{only_dynamic}> (%shape) : !cute.shape<"(?,?,?)">
    %left = arith.subi %Y, %y0 : i32
    %rows = arith.minsi %left, %c16 : i32
    %inside = arith.cmpi slt, %x, %X : i32
    scf.if %inside {
      %w_c = cute.slice(%W, (%c, _, _))
      %w = cute.load_vector(%w_c)
      %a = cute.slice(%A, (%c, _, _))
      %b = cute.slice(%B, (%c, _, _))
      %y1 = arith.addi %y0, %c1 : i32
      %first = func.call @row(%a, %y0, %x) : (!row_of, i32, i32) -> vector<3xf32>
      %second = func.call @row(%a, %y1, %x) : (!row_of, i32, i32) -> vector<3xf32>
      %end:2 = scf.for %i = %c0 to %rows step %c1
          iter_args(%r0 = %first, %r1 = %second) -> (vector<3xf32>, vector<3xf32>) : i32 {
        %y = arith.addi %y0, %i : i32
        %y2 = arith.addi %y, %c2 : i32
        %r2 = func.call @row(%a, %y2, %x) : (!row_of, i32, i32) -> vector<3xf32>
        %w0 = cute.slice_vector<"(3,3)", "(0,_)"> (%w)
        %w1 = cute.slice_vector<"(3,3)", "(1,_)"> (%w)
        %w2 = cute.slice_vector<"(3,3)", "(2,_)"> (%w)
        %zero = arith.constant dense<0.0> : vector<3xf32>
        %s0 = math.fma %r0, %w0, %zero : vector<3xf32>
        %s1 = math.fma %r1, %w1, %s0 : vector<3xf32>
        %s2 = math.fma %r2, %w2, %s1 : vector<3xf32>
        %sum = vector.reduction <add>, %s2 : vector<3xf32> into f32
        %at = cute.make_coord(%y, %x) : (i32, i32) -> !cute.coord<"(?,?)">
        cute.store(%sum, %b, %at)
        scf.yield %r1, %r2 : vector<3xf32>, vector<3xf32>
      } {cute.unroll = 8 : i32}
    }
    gpu.return
  }

  // Three neighbours of a row.
  func.func @row(%a: !row_of, %y: i32, %x: i32) -> vector<3xf32> {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %x1 = arith.addi %x, %c1 : i32
    %x2 = arith.addi %x, %c2 : i32
    %at0 = cute.make_coord(%y, %x) : (i32, i32) -> !cute.coord<"(?,?)">
    %at1 = cute.make_coord(%y, %x1) : (i32, i32) -> !cute.coord<"(?,?)">
    %at2 = cute.make_coord(%y, %x2) : (i32, i32) -> !cute.coord<"(?,?)">
    %0 = cute.load(%a, %at0)
    %1 = cute.load(%a, %at1)
    %2 = cute.load(%a, %at2)
    %v = vector.from_elements %0, %1, %2 : vector<3xf32>
    return %v : vector<3xf32>
  }
}
