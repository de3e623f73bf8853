// B[c,y,x] = sum of A[c,y+r,x+s] W[c,r,s] over r, s < 3: a filter for each channel. A
// thread has two columns of eight rows, for which it reads four columns of ten: two
// columns, as then half as many accesses reach twice as many bytes, and all of them
// before it computes, so that they are in flight together. Rows of A and B begin at
// multiples of 8 bytes.
!A = !cute.tensor<f32, gmem, align<8>, "(?,?,?):(?{i64 div=2},?{div=2},1)">
!W = !cute.tensor<f32, gmem, align<4>, "(?,3,3):(9,3,1)">

gpu.module @depthwise_module {
  gpu.func @depthwise(%A: !A {llvm.noalias, llvm.readonly}, %W: !W {llvm.noalias, llvm.readonly},
                      %B: !A {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[2], 256)", "ceil_div(arg2.shape[1], 8)", "arg2.shape[0]"]} {
    %bx = cute.block_idx<"x">
    %by = cute.block_idx<"y">
    %c = cute.block_idx<"z">
    %thread = cute.thread_idx<"x">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %c128 = arith.constant 128 : i32
    %zero = arith.constant 0.0 : f32
    %a = cute.slice(%A, (%c,_,_))
    %b = cute.slice(%B, (%c,_,_))
    %gW = cute.slice(%W, (%c,_,_))

    %shape = cute.get_shape(%b)
    %Y, %X = cute.get_scalars(%shape)
    %by8 = arith.muli %by, %c8 : i32
    %Y_8 = arith.subi %Y, %c8 : i32
    %y_last = arith.maxsi %Y_8, %c0 : i32
    %y = arith.minsi %by8, %y_last : i32
    %done = arith.subi %by8, %y : i32
    %is_new = arith.cmpi eq, %done, %c0 : i32

    // The thread's tile of B, and that of A with two rows and columns more.
    %block_x = arith.muli %bx, %c128 : i32
    %tx = arith.addi %block_x, %thread : i32
    %b_y = cute.domain_offset((%y,0), %b)
    %a_y = cute.domain_offset((%y,0), %a)
    %gB = cute.local_tile(%b_y, (8,2), (0,%tx))
    %corner = cute.local_tile(%a_y, (8,2), (0,%tx))
    %first = cute.get_iter(%corner)
    %tile = cute.static : !cute.shape<"(10,4)">
    %a_layout = cute.get_layout(%a)
    %stride = cute.get_stride(%a_layout)
    %layout = cute.make_layout(%tile, %stride)
    %gA = cute.make_tensor(%first, %layout)

    %x = arith.muli %tx, %c2 : i32
    %columns = arith.subi %X, %x : i32
    %rows = arith.subi %Y, %y : i32
    %all_columns = arith.cmpi sge, %columns, %c2 : i32
    %all_rows = arith.cmpi sge, %rows, %c8 : i32
    %all = arith.andi %all_columns, %all_rows : i1
    %rW = cute.make_fragment_like(%gW)
    scf.if %all {
      %rA = cute.make_fragment_like(%gA)
      cute.autovec_copy(%gA, %rA)
      cute.basic_copy(%gW, %rW)
      %rB = cute.make_fragment_like(%gB)
      scf.for %i = %c0 to %c8 step %c1 : i32 {
        scf.for %j = %c0 to %c2 step %c1 : i32 {
          %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%sum_r = %zero) -> (f32) : i32 {
            %row = arith.addi %i, %r : i32
            %sum_r1 = scf.for %s = %c0 to %c3 step %c1 iter_args(%sum_s = %sum_r) -> (f32) : i32 {
              %column = arith.addi %j, %s : i32
              %value = cute.load(%rA, (%row,%column))
              %weight = cute.load(%rW, (%r,%s))
              %sum_s1 = math.fma %value, %weight, %sum_s : f32
              scf.yield %sum_s1 : f32
            }
            scf.yield %sum_r1 : f32
          }
          cute.store(%sum, %rB, (%i,%j))
        }
      }
      scf.if %is_new {
        cute.autovec_copy(%rB, %gB)
      } else {
        scf.for %i = %c1 to %c8 step %c1 : i32 {
          %is_missing = arith.cmpi sge, %i, %done : i32
          scf.if %is_missing {
            %from = cute.slice(%rB, (%i,_))
            %to = cute.slice(%gB, (%i,_))
            cute.autovec_copy(%from, %to)
          }
        }
      }
    } else {
      // Tiles at the edges, an element at a time.
      %last_row = arith.minsi %rows, %c8 : i32
      %last_column = arith.minsi %columns, %c2 : i32
      scf.for %i = %done to %last_row step %c1 : i32 {
        scf.for %j = %c0 to %last_column step %c1 : i32 {
          %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%sum_r = %zero) -> (f32) : i32 {
            %row = arith.addi %i, %r : i32
            %sum_r1 = scf.for %s = %c0 to %c3 step %c1 iter_args(%sum_s = %sum_r) -> (f32) : i32 {
              %column = arith.addi %j, %s : i32
              %value = cute.load(%gA, (%row,%column))
              %weight = cute.load(%gW, (%r,%s))
              %sum_s1 = math.fma %value, %weight, %sum_s : f32
              scf.yield %sum_s1 : f32
            }
            scf.yield %sum_r1 : f32
          }
          cute.store(%sum, %gB, (%i,%j))
        }
      }
    }
    gpu.return
  }
}
