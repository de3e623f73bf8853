// Inline PTX on the device that is simulated: reductions of a block, sums with carry, and
// clocks, which go on.
// RUN: cute-run --device=sim %s 'i32[64x7]:poison' --check 'A[i,j] = max(0, 1 - abs(j - 0)) * 40 + max(0, 1 - abs(j - 2)) * 1 + max(0, 1 - abs(j - 3)) * 24 + max(0, 1 - abs(j - 4)) * min(i,1) + max(0, 1 - abs(j - 5)) * i + max(0, 1 - abs(j - 6)) * 1' --tolerance=0
// The page names what there is.
// RUN: %python %S/Inputs/ptx_names.py %root

!ints = !cute.tensor<i32, gmem, align<4>, "(64,7):(7,1)">

gpu.module @inline_ptx {
  gpu.func @block(%A: !ints) kernel attributes {
      known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = cute.thread_idx
    %popc = llvm.inline_asm has_side_effects
        "{ .reg .pred p; setp.lt.u32 p, $1, 40; bar.red.popc.u32 $0, 0, p; }", "=r,r" %t : (i32) -> i32
    cute.store(%popc, %A, (%t,0)) : i32, !ints, !cute.coord<"(?,0)">
    %all = llvm.inline_asm has_side_effects
        "{ .reg .pred p; setp.lt.u32 p, $1, 40; barrier.cta.red.and.pred p, 1, 64, p; selp.b32 $0, 1, 0, p; }", "=r,r" %t : (i32) -> i32
    cute.store(%all, %A, (%t,1)) : i32, !ints, !cute.coord<"(?,1)">
    %any = llvm.inline_asm has_side_effects
        "{ .reg .pred p; setp.lt.u32 p, $1, 40; bar.red.or.pred p, 0, p; selp.b32 $0, 1, 0, p; }", "=r,r" %t : (i32) -> i32
    cute.store(%any, %A, (%t,2)) : i32, !ints, !cute.coord<"(?,2)">
    %others = llvm.inline_asm has_side_effects
        "{ .reg .pred p; setp.lt.u32 p, $1, 40; barrier.red.popc.u32 $0, 2, 64, !p; }", "=r,r" %t : (i32) -> i32
    cute.store(%others, %A, (%t,3)) : i32, !ints, !cute.coord<"(?,3)">
    %carry = llvm.inline_asm has_side_effects
        "{ .reg .b32 a; add.cc.u32 a, $1, -1; addc.u32 $0, 0, 0; }", "=r,r" %t : (i32) -> i32
    cute.store(%carry, %A, (%t,4)) : i32, !ints, !cute.coord<"(?,4)">
    %later = llvm.inline_asm has_side_effects
        "{ .reg .pred p; .reg .b64 a, b; mov.u64 a, %globaltimer; again: mov.u64 b, %globaltimer; sub.u64 b, b, a; setp.lt.u64 p, b, 1000; @p bra again; mov.u32 $0, $1; }", "=r,r" %t : (i32) -> i32
    cute.store(%later, %A, (%t,5)) : i32, !ints, !cute.coord<"(?,5)">
    %goes_on = llvm.inline_asm has_side_effects
        "{ .reg .pred p; .reg .b64 a, b; mov.u64 a, %clock64; mov.u64 b, %clock64; setp.ge.u64 p, b, a; selp.b32 $0, 1, 0, p; }", "=r,r" %t : (i32) -> i32
    cute.store(%goes_on, %A, (%t,6)) : i32, !ints, !cute.coord<"(?,6)">
    gpu.return
  }
}
