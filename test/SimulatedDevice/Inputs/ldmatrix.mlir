// Four matrices of 8 x 8 halves, two in each i32, from shared memory by ldmatrix in inline
// PTX, which takes the address of a row from each lane.
!matrix = !cute.tensor<i32, gmem, align<16>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @ldmatrix(%A: !matrix, %B: !matrix) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %lane = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<i32, 16> (%layout)
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %r = arith.muli %i, %c4 : i32
      %r_lane = arith.divui %lane, %c8 : i32
      %row = arith.addi %r, %r_lane : i32
      %column = arith.remui %lane, %c8 : i32
      %x = cute.load(%A, (%row,%column))
      cute.store(%x, %s, (%row,%column))
    }
    gpu.barrier

    // Lanes 0 to 7 have the rows of the first matrix, 8 to 15 those below them, and the
    // others those to the right.
    %row_low = arith.remui %lane, %c16 : i32
    %right = arith.divui %lane, %c16 : i32
    %column_low = arith.muli %right, %c4 : i32
    %offset = arith.constant 0 : i64
    %p = cute.to_llvm_ptr(%s, (%row_low,%column_low)) : (!cute.tensor<i32, smem, align<16>, "(16,8):(8,1)">, !cute.coord<"(?,?)">) -> !llvm.ptr<3>
    %address = llvm.ptrtoint %p : !llvm.ptr<3> to i64
    %moved = arith.addi %address, %offset : i64
    %a = arith.trunci %moved : i64 to i32
    %four = llvm.inline_asm has_side_effects
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"
        %a : (i32) -> !llvm.struct<(i32, i32, i32, i32)>
    %d0 = llvm.extractvalue %four[0] : !llvm.struct<(i32, i32, i32, i32)>
    %d1 = llvm.extractvalue %four[1] : !llvm.struct<(i32, i32, i32, i32)>
    %d2 = llvm.extractvalue %four[2] : !llvm.struct<(i32, i32, i32, i32)>
    %d3 = llvm.extractvalue %four[3] : !llvm.struct<(i32, i32, i32, i32)>
    %x0 = arith.addi %d0, %c0 : i32
    %x1 = arith.addi %d1, %c0 : i32
    %x2 = arith.addi %d2, %c0 : i32
    %x3 = arith.addi %d3, %c0 : i32
    %up = arith.divui %lane, %c4 : i32
    %down = arith.addi %up, %c8 : i32
    %first = arith.remui %lane, %c4 : i32
    %second = arith.addi %first, %c4 : i32
    cute.store(%x0, %B, (%up,%first))
    cute.store(%x1, %B, (%down,%first))
    cute.store(%x2, %B, (%up,%second))
    cute.store(%x3, %B, (%down,%second))
    gpu.return
  }
}
