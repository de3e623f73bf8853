// Functions of the module are followed at each call, with its operands.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!rows = !cute.tensor<f32, smem, align<128>, "(32,32):(32,1)">

gpu.module @m {
  // Two calls of four in @calls make the same conflict, which is reported once. In @columns there
  // are none.
  // CHECK: calls.mlir:[[@LINE+4]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  // CHECK: note: S<5,0,5> over its layout has no conflicts
  func.func private @put(%t: !rows, %v: f32, %row: i32, %column: i32) -> i32 {
    %at = cute.make_coord(%row, %column) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %t, %at)
    %sum = arith.addi %row, %column : i32
    return %sum : i32
  }

  func.func private @declared(i32) -> i32

  // What a call gives is what its function returns; what a declaration gives is
  // not known, also in a function that was called with a known number before.
  // CHECK: calls.mlir:[[@LINE+16]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  gpu.func @calls(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %along = func.call @put(%s, %v, %c1, %thread) : (!rows, f32, i32, i32) -> i32
    %a = func.call @put(%s, %v, %thread, %c1) : (!rows, f32, i32, i32) -> i32
    %b = func.call @put(%s, %v, %thread, %c0) : (!rows, f32, i32, i32) -> i32
    %x = func.call @declared(%thread) : (i32) -> i32
    %unknown = func.call @put(%s, %v, %x, %c0) : (!rows, f32, i32, i32) -> i32
    %there = cute.make_coord(%unknown, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %s, %there)
    %at = cute.make_coord(%b, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %s, %at)
    gpu.return
  }

  gpu.func @columns(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %r = func.call @put(%s, %v, %c0, %thread) : (!rows, f32, i32, i32) -> i32
    gpu.return
  }

  // Conditions of the caller and of the function count together: of 32 threads
  // 16 call and 8 write.
  // CHECK: calls.mlir:[[@LINE+7]]:7: warning: 'cute.store' op 7 of the block's 8 writes of 4 bytes to tensor
  func.func private @guarded(%t: !rows, %v: f32, %i: i32) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %low = arith.cmpi ult, %i, %c8 : i32
    scf.if %low {
      %at = cute.make_coord(%c0, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%v, %t, %at)
    }
    return
  }

  func.func private @deeper(%t: !rows, %v: f32, %i: i32) {
    func.call @guarded(%t, %v, %i) : (!rows, f32, i32) -> ()
    return
  }

  gpu.func @nested(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c16 = arith.constant 16 : i32
    %low = arith.cmpi ult, %thread, %c16 : i32
    scf.if %low {
      func.call @deeper(%s, %v, %thread) : (!rows, f32, i32) -> ()
    }
    gpu.return
  }

  // A function that calls itself is followed once, and none for ever.
  // CHECK: calls.mlir:[[@LINE+5]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do
  func.func private @again(%t: !rows, %v: f32, %i: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %at = cute.make_coord(%i, %c0) : (i32, i32) -> !cute.coord<"(?,?)">
    cute.store(%v, %t, %at)
    func.call @again(%t, %v, %c1) : (!rows, f32, i32) -> ()
    return
  }

  gpu.func @recursive(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    func.call @again(%s, %v, %thread) : (!rows, f32, i32) -> ()
    gpu.return
  }
}
