// Inline PTX on the device that is simulated: what a thread does itself, and operations
// of a warp, of memory and of special registers.
// RUN: cute-run --device=sim %s 'i32[32x8]:poison' 'i32[4]:zeros' --check 'A[i,j] = max(0, 1 - abs(j - 0)) * i + max(0, 1 - abs(j - 1)) * (31 - i) + max(0, 1 - abs(j - 2)) * 31 + max(0, 1 - abs(j - 3)) * 496 + max(0, 1 - abs(j - 4)) * (i + 5) + max(0, 1 - abs(j - 5)) * min(1, max(0, 16 - i)) + max(0, 1 - abs(j - 6)) * 1 + max(0, 1 - abs(j - 7)) * (i * 3 + 7)' --tolerance=0 --schedules=3
// RUN: cute-run --device=sim %s 'i32[32x8]:poison' 'i32[4]:zeros' --check 'B[i] = max(0, 1 - i) * 32 + max(0, 1 - abs(i - 1)) * 31' --tolerance=0

// What it does not know is named before the kernel runs.
// RUN: sed 's/mad.lo.s32/vmad.s32.s32.s32/' %s > %t.mlir
// RUN: not cute-run --device=sim %t.mlir 'i32[32x8]:poison' 'i32[4]:zeros' 2>&1 | FileCheck %s
// CHECK: inline PTX: vmad.s32.s32.s32 is not interpreted
// RUN: sed 's/mad.lo.s32 $0, $1, 3, 7/tcgen05.shift.cta_group::1.down [$1]/' %s > %t.mlir
// RUN: not cute-run --arch=sm_100a --device=sim %t.mlir 'i32[32x8]:poison' 'i32[4]:zeros' 2>&1 | FileCheck %s --check-prefix=LATER
// LATER: inline PTX: tcgen05.shift.cta_group::1.down is not interpreted
// RUN: sed 's/mad.lo.s32 $0, $1, 3, 7/st.later.weak [$1], 64, 0/' %s > %t.mlir
// RUN: not cute-run --device=sim %t.mlir 'i32[32x8]:poison' 'i32[4]:zeros' 2>&1 | FileCheck %s --check-prefix=STORE
// STORE: inline PTX: st.later.weak is not interpreted

!ints = !cute.tensor<i32, gmem, align<16>, "(32,8):(8,1)">
!sums = !cute.tensor<i32, gmem, align<16>, "4:1">

gpu.module @inline_ptx {
  gpu.func @store(%A: !ints, %S: !sums) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %lane = llvm.inline_asm "mov.u32 $0, %laneid;", "=r" : () -> i32
    %mirrored = llvm.inline_asm has_side_effects
        "{ .reg .pred p; shfl.sync.bfly.b32 $0|p, $1, 31, 31, -1; }", "=r,r" %lane : (i32) -> i32
    %highest = llvm.inline_asm has_side_effects
        "{ .reg .pred p; setp.ge.u32 p, $1, 31; vote.sync.ballot.b32 $0, p, 0xffffffff; bfind.u32 $0, $0; }", "=r,r" %lane : (i32) -> i32
    %sum = llvm.inline_asm has_side_effects
        "redux.sync.add.s32 $0, $1, 0xffffffff;", "=r,r" %lane : (i32) -> i32
    %looped = llvm.inline_asm
        "{ .reg .pred p; .reg .b32 n; mov.u32 n, 5; mov.u32 $0, $1; again: add.u32 $0, $0, 1; sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra again; }", "=&r,r" %lane : (i32) -> i32
    %half = llvm.inline_asm
        "{ .reg .pred p; .reg .b32 m; mov.u32 m, %lanemask_lt; popc.b32 m, m; setp.lt.u32 p, m, 16; selp.u32 $0, 1, 0, p; }", "=r,r" %lane : (i32) -> i32
    %alone = llvm.inline_asm has_side_effects
        "{ .reg .b32 m; match.any.sync.b32 m, $1, -1; popc.b32 $0, m; }", "=r,r" %lane : (i32) -> i32
    %fused = llvm.inline_asm "mad.lo.s32 $0, $1, 3, 7;", "=r,r" %lane : (i32) -> i32
    %p = cute.get_iter(%S)
    %at = cute.ptr_to_int(%p)
    llvm.inline_asm has_side_effects
        "{ .reg .b32 old; atom.global.add.u32 old, [$0], 1; red.global.max.s32 [$0+4], $1; }", "l,r" %at, %lane : (i64, i32) -> ()
    %k0 = arith.constant 0 : i32
    %at0 = cute.make_coord(%lane, %k0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%lane, %A, %at0) : i32, !ints, !cute.coord<"(?,?)">
    %k1 = arith.constant 1 : i32
    %at1 = cute.make_coord(%lane, %k1) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%mirrored, %A, %at1) : i32, !ints, !cute.coord<"(?,?)">
    %k2 = arith.constant 2 : i32
    %at2 = cute.make_coord(%lane, %k2) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%highest, %A, %at2) : i32, !ints, !cute.coord<"(?,?)">
    %k3 = arith.constant 3 : i32
    %at3 = cute.make_coord(%lane, %k3) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%sum, %A, %at3) : i32, !ints, !cute.coord<"(?,?)">
    %k4 = arith.constant 4 : i32
    %at4 = cute.make_coord(%lane, %k4) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%looped, %A, %at4) : i32, !ints, !cute.coord<"(?,?)">
    %k5 = arith.constant 5 : i32
    %at5 = cute.make_coord(%lane, %k5) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%half, %A, %at5) : i32, !ints, !cute.coord<"(?,?)">
    %k6 = arith.constant 6 : i32
    %at6 = cute.make_coord(%lane, %k6) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%alone, %A, %at6) : i32, !ints, !cute.coord<"(?,?)">
    %k7 = arith.constant 7 : i32
    %at7 = cute.make_coord(%lane, %k7) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%fused, %A, %at7) : i32, !ints, !cute.coord<"(?,?)">
    gpu.return
  }
}
