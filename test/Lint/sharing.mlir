// Threads without a part, parts without a thread, and writes to one address.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!tile = !cute.tensor<f32, gmem, align<16>, "(8,128):(128,1)">

gpu.module @m {
  // CHECK: sharing.mlir:[[@LINE+12]]:5: warning: 'cute.copy' op 64 of the block's 128 threads have no part of the tiled copy, which has 64; they access elements of other threads, or none
  // CHECK: note: make the block as large as that, or let the others do something else (scf.if)
  gpu.func @too_many(%A: !tile) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %threads = cute.static : !cute.layout<"(2,32):(32,1)">
    %values = cute.static : !cute.layout<"(1,4):(0,1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %A, %thread)
    %r = cute.make_fragment_like(%part)
    %again = cute.partition_s(%copy, %A, %thread)
    cute.copy(%copy, %part, %r)
    cute.copy(%copy, %again, %r)
    gpu.return
  }

  // Where the others do not get there all is well.
  gpu.func @guarded(%A: !tile) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %threads = cute.static : !cute.layout<"(2,32):(32,1)">
    %values = cute.static : !cute.layout<"(1,4):(0,1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %A, %thread)
    %r = cute.make_fragment_like(%part)
    %c64 = arith.constant 64 : i32
    %first = arith.cmpi ult, %thread, %c64 : i32
    scf.if %first {
      cute.copy(%copy, %part, %r)
    }
    gpu.return
  }

  // CHECK: sharing.mlir:[[@LINE+8]]:5: warning: 'cute.basic_copy' op 32 of the 64 parts of the thread layout belong to none of the block's 32 threads; the first is thread 32's
  // CHECK: note: their elements are left out; make the block as large as the number of threads that the work is divided among
  gpu.func @too_few(%A: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %threads = cute.static : !cute.layout<"(2,32):(32,1)">
    %part = cute.local_partition(%A, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    cute.basic_copy(%part, %r)
    gpu.return
  }

  // Each half of the parts by another group of threads.
  gpu.func @both_halves(%A: !tile) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %threads = cute.static : !cute.layout<"(2,32):(32,1)">
    %part = cute.local_partition(%A, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    %c32 = arith.constant 32 : i32
    %first = arith.cmpi ult, %thread, %c32 : i32
    scf.if %first {
      cute.basic_copy(%part, %r)
    } else {
      cute.basic_copy(%part, %r)
    }
    gpu.return
  }

  // A tiled MMA of one warp in a block of two.
  // CHECK: sharing.mlir:[[@LINE+13]]:5: warning: 'cute.autovec_copy' op 64 of the block's 128 writes of 8 bytes to destination go to addresses that another of them writes, too
  // CHECK: note: threads that write one address race
  // CHECK: sharing.mlir:[[@LINE+11]]:5: warning: 'cute.autovec_copy' op 32 of the block's 64 threads have no part of the tiled MMA, which has 32
  gpu.func @mma(%C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %part = cute.partition_c(%mma, %C, %thread)
    %r = cute.make_fragment_like(%part)
    cute.clear(%r)
    cute.autovec_copy(%r, %part)
    gpu.return
  }

  // All threads write a sum that they share; one would do.
  // CHECK: sharing.mlir:[[@LINE+7]]:5: warning: 'cute.store' op 63 of the block's 64 writes of 4 bytes to tensor go to addresses that another of them writes, too
  // CHECK: note: threads that write one address race, and all writes but one are wasted; let one thread write (scf.if), or divide the tile among all
  gpu.func @sum(%out: !cute.tensor<f32, gmem, align<4>, "1:0">, %v: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %at = cute.static : !cute.coord<"0">
    cute.store(%v, %out, %at)
    %c0 = arith.constant 0 : i32
    %first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %first {
      cute.store(%v, %out, %at)
    }
    gpu.return
  }
}
