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

  // A condition that is not known holds; a while loop is looked at with what it
  // begins with.
  // CHECK: control_flow.mlir:[[@LINE+22]]:7: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
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

  // The first region of a while loop runs at least once, for all threads; what
  // it passes on are the first numbers.
  // CHECK: control_flow.mlir:[[@LINE+11]]:7: warning: 'cute.store' op 31 of the block's 32 writes
  // CHECK: control_flow.mlir:[[@LINE+21]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  gpu.func @while(%v: f32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %carried, %end = scf.while (%w = %s, %i = %c0) : (!rows, i32) -> (!rows, i32) {
      %there = cute.make_coord(%i, %i) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %w, %there)
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %w, %i : !rows, i32
    } do {
    ^bb0(%w: !rows, %i: i32):
      %same = cute.make_coord(%i, %i) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %w, %same)
      %next = arith.addi %i, %c1 : i32
      scf.yield %w, %next : !rows, i32
    }
    %at = cute.make_coord(%thread, %end) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %carried, %at)
    gpu.return
  }

  // Each thread takes its case: the first 8 a row each, the next 8 go along one,
  // the others have one address.
  // CHECK: control_flow.mlir:[[@LINE+25]]:7: warning: 'cute.store' op 15 of the block's 16 writes
  // CHECK: control_flow.mlir:[[@LINE+14]]:7: warning: 'cute.store' op tensor writes shared memory in 8 wavefronts where 1 would do
  // CHECK: control_flow.mlir:[[@LINE+27]]:5: warning: 'cute.store' op tensor writes shared memory in 8 wavefronts where 1 would do
  // CHECK: control_flow.mlir:[[@LINE+26]]:5: warning: 'cute.store' op 16 of the block's 32 writes
  gpu.func @switch(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : index
    %which = arith.divui %t, %c8 : index
    %row, %column = scf.index_switch %which -> i32, i32
    case 0 {
      %rows = cute.make_coord(%thread, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %s, %rows)
      scf.yield %thread, %c0 : i32, i32
    }
    case 1 {
      %columns = cute.make_coord(%c0, %thread) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %s, %columns)
      scf.yield %c0, %thread : i32, i32
    }
    default {
      %one = cute.make_coord(%c0, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %s, %one)
      scf.yield %c0, %c0 : i32, i32
    }
    %at = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %s, %at)
    gpu.return
  }

  // Of a case that is not known the first is an example, which says nothing of
  // what is written twice.
  // CHECK: control_flow.mlir:[[@LINE+11]]:7: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  // CHECK: control_flow.mlir:[[@LINE+19]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  gpu.func @any(%v: f32, %which: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %row = scf.index_switch %which -> i32
    case 3 {
      %rows = cute.make_coord(%thread, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %s, %rows)
      scf.yield %thread : i32
    }
    default {
      %one = cute.make_coord(%c0, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %s, %one)
      scf.yield %c0 : i32
    }
    %at = cute.make_coord(%row, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %s, %at)
    gpu.return
  }

  // What a region is left with, from one place; from two nothing is known.
  // CHECK: control_flow.mlir:[[@LINE+12]]:7: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  // CHECK: control_flow.mlir:[[@LINE+15]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  gpu.func @execute(%v: f32, %p: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %whole, %row = scf.execute_region -> (!rows, i32) {
      cf.br ^next
    ^next:
      %rows = cute.make_coord(%thread, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %s, %rows)
      scf.yield %s, %thread : !rows, i32
    }
    %at = cute.make_coord(%row, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %whole, %at)
    %other = scf.execute_region -> i32 {
      cf.cond_br %p, ^one, ^two
    ^one:
      scf.yield %thread : i32
    ^two:
      scf.yield %c0 : i32
    }
    %there = cute.make_coord(%other, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %s, %there)
    gpu.return
  }
}
