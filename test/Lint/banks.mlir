// Bank conflicts of copies to and from shared memory.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: cute-opt %s --cute-lint 2>/dev/null | cute-opt - | FileCheck %s --check-prefix=SAME

// The pass changes nothing.
// SAME: gpu.func @columns
// SAME: cute.copy(

!column_thread = !cute.layout<"(32,1):(1,0)">

gpu.module @m {
  // Each thread has a row: all of a warp read one bank.
  // CHECK: banks.mlir:[[@LINE+14]]:5: warning: 'cute.copy' op source reads shared memory in 1024 wavefronts where 32 would do (32-way bank conflicts; 4 bytes a thread; 1 warp, 32 requests)
  // CHECK: note: S<5,0,5> over its layout has no conflicts in all accesses to this memory; draw it: cute-layout show --element=f32 'S<5,0,5> o 0 o (32,32):(32,1)'
  // CHECK: banks.mlir:[[@LINE+12]]:5: warning: 'cute.copy' op moves 4 bytes at once where 16 lie side by side
  gpu.func @columns() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %threads = cute.static : !column_thread
    %value = cute.static : !cute.layout<"(1,1):(0,0)">
    %copy = cute.make_tiled_copy(%atom, %threads, %value)
    %part = cute.partition_s(%copy, %s, %thread)
    %r = cute.make_fragment_like(%part)
    cute.copy(%copy, %part, %r)
    gpu.return
  }

  // With that swizzle, or with padded rows, nothing is to be said.
  gpu.func @mended() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.composed_layout<"S<5,0,5> o 0 o (32,32):(32,1)">
    %padded = cute.static : !cute.layout<"(32,32):(33,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %p = cute.alloc_smem<f32, 128> (%padded)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %threads = cute.static : !column_thread
    %value = cute.static : !cute.layout<"(1,1):(0,0)">
    %copy = cute.make_tiled_copy(%atom, %threads, %value)
    %from = cute.partition_s(%copy, %s, %thread)
    %to = cute.partition_d(%copy, %p, %thread)
    %r = cute.make_fragment_like(%from)
    cute.copy(%copy, %from, %r)
    cute.copy(%copy, %r, %to)
    gpu.return
  }

  // Eight rows of a matrix that ldmatrix reads at a time begin in the same
  // bank; only the threads that give addresses count. The second access to the
  // same memory has no note.
  // CHECK: banks.mlir:[[@LINE+18]]:5: warning: 'cute.copy' op source reads shared memory in 64 wavefronts where 8 would do (8-way bank conflicts; 16 bytes a thread; 1 warp, 4 requests)
  // CHECK: note: S<3,3,3> over its layout has no conflicts
  // CHECK: banks.mlir:[[@LINE+17]]:5: warning: 'cute.copy' op source reads shared memory in 64 wavefronts
  // CHECK-NOT: note:
  gpu.func @matrices() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(8,64):(64,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.copy_atom<"SM75_U32x2_LDSM_N", f16>
    %mma_atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%mma_atom, %one)
    %copy = cute.make_tiled_copy_b(%atom, %mma)
    %part = cute.partition_s(%copy, %s, %thread)
    %b = cute.partition_b(%mma, %s, %thread)
    %fragment = cute.make_fragment_b(%mma, %b)
    %r = cute.retile(%copy, %fragment)
    cute.copy(%copy, %part, %r)
    cute.copy(%copy, %part, %r)
    gpu.return
  }

  // Single elements and vectors. A stride that nobody knows is nobody's fault,
  // nor is an index that was loaded.
  // CHECK: banks.mlir:[[@LINE+14]]:5: warning: 'cute.store' op tensor writes shared memory in 32 wavefronts where 1 would do (32-way bank conflicts; 4 bytes a thread; 1 warp, 1 request)
  // CHECK: note: S<5,0,16> over its layout
  gpu.func @elements(%v: f32, %pitch: i32, %loaded: !cute.tensor<i32, gmem, align<4>, "32:1">)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"1024:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c32 = arith.constant 32 : i32
    %c65536 = arith.constant 65536 : i32
    %big = cute.static : !cute.layout<"(32):(65536)">
    %pointer = cute.get_iter(%s)
    %far = cute.make_tensor(%pointer, %big)
    %row = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    cute.store(%v, %far, %row)
    %unknown = arith.muli %thread, %pitch : i32
    %at = cute.make_coord(%unknown) : (i32) -> !cute.coord<"?">
    cute.store(%v, %s, %at)
    %j = cute.load(%loaded, %row)
    %there = cute.make_coord(%j) : (i32) -> !cute.coord<"?">
    cute.store(%v, %s, %there)
    gpu.return
  }

  // Pieces of 16 bytes that one access takes stay together, and the first
  // element of each is in one of 8 banks then.
  // CHECK: banks.mlir:[[@LINE+8]]:5: warning: 'cute.store' op tensor writes shared memory in 4 wavefronts where 1 would do (4-way bank conflicts; 4 bytes a thread; 1 warp, 1 request)
  // CHECK: note: no swizzle of its layout has fewer conflicts; pad the rows, or go through them in another order; draw it: cute-layout show --element=f32 '(32,4):(4,1)'
  gpu.func @hopeless(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,4):(4,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %row = cute.make_coord(%thread) : (i32) -> !cute.coord<"(?,0)">
    cute.store(%v, %s, %row)
    %threads = cute.static : !column_thread
    %part = cute.local_partition(%s, %threads, %thread)
    %vector = cute.load_vector(%part)
    gpu.return
  }

  // Threads that a condition leaves out do not count.
  gpu.func @some(%v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %first = arith.cmpi eq, %thread, %c0 : i32
    %row = cute.make_coord(%thread) : (i32) -> !cute.coord<"(?,0)">
    scf.if %first {
      cute.store(%v, %s, %row)
    }
    gpu.return
  }

  // What fills memory writes it.
  // CHECK: banks.mlir:[[@LINE+9]]:5: warning: 'cute.clear' op tensor writes shared memory in 256 wavefronts where 32 would do (8-way bank conflicts; 16 bytes a thread; 1 warp, 8 requests)
  // CHECK: note:
  gpu.func @cleared() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layout = cute.static : !cute.layout<"(32,32):(32,1)">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %threads = cute.static : !cute.shape<"(32,1)">
    %part = cute.local_partition(%s, %threads, %thread)
    cute.clear(%part)
    gpu.return
  }
}
