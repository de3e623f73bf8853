// Sectors of global memory.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

gpu.module @m {
  // Neighbouring threads have neighbouring rows, and each goes along its own: a
  // request takes a sector of each, which later ones use. The pitch is taken as
  // large.
  // CHECK: sectors.mlir:[[@LINE+14]]:5: remark: 'cute.basic_copy' op source reads 1024 sectors of global memory where 128 would do (8 times as many; 4 bytes a thread; 4 warps, 8 requests each)
  // CHECK: note: other requests use the rest of the sectors, in the cache; wider accesses, or threads side by side, need fewer requests
  // CHECK: sectors.mlir:[[@LINE+12]]:5: warning: 'cute.basic_copy' op moves 4 bytes at once where 16 lie side by side
  // CHECK: sectors.mlir:[[@LINE+11]]:5: remark: 'cute.basic_copy' op source is cut into tiles of 8 in mode 1
  gpu.func @rows(%A: !cute.tensor<f32, gmem, align<16>, "(128,?):(?{i64},1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.shape<"(128,8)">
    %at = cute.static : !cute.coord<"(0,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %threads = cute.static : !cute.layout<"(128,1):(1,0)">
    %part = cute.local_partition(%gA, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    cute.basic_copy(%part, %r)
    gpu.return
  }

  // Half a sector of each row is used: 16 bytes of 32.
  // CHECK: sectors.mlir:[[@LINE+13]]:5: warning: 'cute.copy' op destination writes 32 sectors of global memory where 16 would do (2 times as many; 16 bytes a thread; 1 warp, 1 request)
  // CHECK: note: threads with neighbouring numbers should access neighbouring addresses: let the thread layout run along the mode of stride 1; to draw which thread has which element: cute-layout show --tv='(32,4)' '(32,4):(1,32)'
  gpu.func @halves(%A: !cute.tensor<f32, gmem, align<16>, "(32,4):(64,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,4):(0,1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_d(%copy, %A, %thread)
    %r = cute.make_fragment_like(%part)
    cute.clear(%r)
    cute.copy(%copy, %r, %part)
    gpu.return
  }

  // Any of three strides may be 1: nobody knows.
  gpu.func @open(%A: !cute.tensor<f32, gmem, align<4>, "(?,?,?):(?,?,?)">, %v: f32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %at = cute.make_coord(%c0, %thread, %c0) : (i32, i32, i32) -> !cute.coord<"(?,?,?)">
    cute.store(%v, %A, %at)
    gpu.return
  }

  // Rows of 128 bytes, 8 threads each: the rows need not be neighbours. All
  // threads of a block that is two-dimensional count, x first.
  // CHECK: sectors.mlir:[[@LINE+20]]:5: remark: 'cute.copy' op source is cut into tiles of 16 in mode 0
  gpu.func @fine(%A: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">,
                 %row: i32) kernel
      attributes {known_block_size = array<i32: 8, 16, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %xi = arith.index_cast %x : index to i32
    %yi = arith.index_cast %y : index to i32
    %c8 = arith.constant 8 : i32
    %y8 = arith.muli %yi, %c8 : i32
    %thread = arith.addi %y8, %xi : i32
    %tile = cute.static : !cute.shape<"(16,64)">
    %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,8):(8,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %gA, %thread)
    %r = cute.make_fragment_like(%part)
    cute.copy(%copy, %part, %r)
    gpu.return
  }

  // With a predicate it is counted, too: half of each sector at a time.
  // CHECK: sectors.mlir:[[@LINE+12]]:5: remark: 'cute.store_vector' op tensor writes 32 sectors of global memory where 16 would do (2 times as many; 2 bytes a thread; 1 warp, 8 requests)
  // CHECK: note: other requests use the rest of the sectors
  gpu.func @predicated(%A: !cute.tensor<f16, gmem, align<2>, "(32,8):(8,1)">, %n: !cute.shape<"(?,?)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %shape = cute.get_shape(%A)
    %id = cute.make_identity_tensor(%shape)
    %part = cute.local_partition(%A, (8,4):(4,1), %thread)
    %c = cute.local_partition(%id, (8,4):(4,1), %thread)
    %p = cute.make_predicate(%c, %n)
    %v = arith.constant dense<1.0> : vector<8xf16>

    cute.store_vector(%v, %part, %p)
    gpu.return
  }
}
