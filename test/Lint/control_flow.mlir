// What is followed through loops and conditions.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!rows = !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">

gpu.module @m {
  // A tensor and an index that a loop carries count with their first values.
  // CHECK: control_flow.mlir:[[@LINE+11]]:7: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  gpu.func @loop(%v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r, %j = scf.for %i = %c0 to %n step %c1
        iter_args(%carried = %s, %row = %thread) -> (!rows, i32) : i32 {
      %at = cute.make_coord(%row, %i) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %carried, %at)
      scf.yield %carried, %row : !rows, i32
    }
    gpu.return
  }

  // By a condition on the thread each has one index or the other: the second
  // half of the warp goes along a row.
  // CHECK: control_flow.mlir:[[@LINE+18]]:5: warning: 'cute.store' op tensor writes shared memory in 16 wavefronts where 1 would do
  gpu.func @choice(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"1024:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c512 = arith.constant 512 : i32
    %low = arith.cmpi ult, %thread, %c16 : i32
    %index = scf.if %low -> (i32) {
      %by_rows = arith.muli %thread, %c32 : i32
      scf.yield %by_rows : i32
    } else {
      %along = arith.addi %thread, %c512 : i32
      scf.yield %along : i32
    }
    %at = cute.make_coord(%index) : (i32) -> !cute.coord<"?">
    cute.store(%v, %s, %at)
    gpu.return
  }

  // A condition that is not known holds; a loop of unknown kind says nothing.
  // CHECK: control_flow.mlir:[[@LINE+25]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  gpu.func @unknown(%v: f32, %p: i1, %n: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"1024:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c32 = arith.constant 32 : i32
    %index = scf.if %p -> (i32) {
      %by_rows = arith.muli %thread, %c32 : i32
      scf.yield %by_rows : i32
    } else {
      scf.yield %thread : i32
    }
    %end = scf.while (%i = %thread) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %far = arith.muli %i, %c32 : i32
      %there = cute.make_coord(%far) : (i32) -> !cute.coord<"?">
      cute.store(%v, %s, %there)
      scf.yield %far : i32
    }
    %at = cute.make_coord(%index) : (i32) -> !cute.coord<"?">
    cute.store(%v, %s, %at)
    gpu.return
  }
}
