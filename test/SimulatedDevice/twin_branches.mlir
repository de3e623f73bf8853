// Branches that differ in their tensors alone become one code, whose line is that
// of one of them: the other's tensor is no mistake there.
// RUN: cute-run %s --device=sim 'f32[64]:normal(1)' 'f32[32]:poison' 'f32[64]:poison'
// In an allocation, but beyond its tensor, is a mistake still, in one branch.
// RUN: sed 's/%B, %at/%C, %at/; s/%is_first = .*/%is_first = arith.constant true/' %s > %t.mlir
// RUN: not cute-run %t.mlir --device=sim 'f32[64]:normal(1)' 'f32[32]:poison' 'f32[(32):(2)]:poison' 2>&1 | FileCheck %s
// CHECK: :[[#]]:[[#]]: block 1, thread {{[0-9]+}}: out of bounds: writes 4 bytes of global memory
!vector = !cute.tensor<f32, gmem, align<4>, "(?):(?)">

gpu.module @m {
  gpu.func @twins(%A: !vector, %B: !vector, %C: !vector) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["2"]} {
    %t = cute.thread_idx
    %block = cute.block_idx
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %start = arith.muli %block, %c32 : i32
    %at = arith.addi %t, %start : i32
    %is_first = arith.cmpi eq, %block, %c0 : i32
    %x = cute.load(%A, %at)
    scf.if %is_first {
      cute.store(%x, %B, %at)
    } else {
      cute.store(%x, %C, %at)
    }
    gpu.return
  }
}
