// Registers that inline PTX declares outside of braces are known to the inline PTX after it, up
// to the function's end: on the simulator as in PTX, where all of it becomes one function.
// RUN: cute-run --device=sim %s 'i32[64x2]:poison' --check 'A[i,j] = max(0, 1 - j) * (100 + 5 * i) + max(0, 1 - abs(j - 1)) * 7' --tolerance=0
// RUN: %if ptxas %{ cutec --arch=sm_90a %s -o %t.ptx && ptxas -arch=sm_90a %t.ptx -o %t.cubin %}

!ints = !cute.tensor<i32, gmem, align<4>, "(64,2):(2,1)">

gpu.module @inline_ptx {
  gpu.func @scope(%A: !ints) kernel attributes {
      known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %first = arith.constant 0 : index
    %step = arith.constant 1 : index
    %last = arith.constant 5 : index
    llvm.inline_asm has_side_effects ".reg .b32 sum; .reg .b64 kept_<2>; mov.u32 sum, 100; mov.b64 kept_1, 7;", "" : () -> ()
    scf.for %i = %first to %last step %step {
      llvm.inline_asm has_side_effects "{ .reg .b32 twice; add.u32 sum, sum, $0; }", "r" %t : (i32) -> ()
    }
    %sum = llvm.inline_asm has_side_effects "mov.u32 $0, sum;", "=r" : () -> i32
    %kept = llvm.inline_asm has_side_effects "cvt.u32.u64 $0, kept_1;", "=r" : () -> i32
    cute.store(%sum, %A, (%t,0)) : i32, !ints, !cute.coord<"(?,0)">
    cute.store(%kept, %A, (%t,1)) : i32, !ints, !cute.coord<"(?,1)">
    gpu.return
  }
}
