// Tiles that do not divide a tensor, accessed without a predicate.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!odd = !cute.tensor<f32, gmem, align<16>, "(100,64):(64,1)">
!open = !cute.tensor<f32, gmem, align<16>, "(?,64):(64,1)">
!promised = !cute.tensor<f32, gmem, align<16>, "(?{div=32},64):(64,1)">

gpu.module @m {
  // CHECK: residues.mlir:[[@LINE+11]]:5: warning: 'cute.autovec_copy' op source is cut into tiles of 32 in mode 0, which has 100 elements: the last reaches 28 past the end, and nothing stops accesses there
  // CHECK: note: give the copy a predicate (cute.make_predicate of an identity tensor that is cut in the same way), or choose a tile that divides
  gpu.func @static(%A: !odd, %x: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.shape<"(32,64)">
    %at = cute.make_coord(%x) : (i32) -> !cute.coord<"(?,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %threads = cute.static : !cute.layout<"(1,32):(0,1)">
    %part = cute.local_partition(%gA, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    cute.autovec_copy(%part, %r)
    gpu.return
  }

  // A tile that is known to be a whole one; a tile of 25 rows; and one of a
  // projected tiler, in which M is left out.
  gpu.func @whole(%A: !odd, %x: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.shape<"(32,64)">
    %at = cute.static : !cute.coord<"(2,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %fit = cute.static : !cute.shape<"(25,64)">
    %there = cute.make_coord(%x) : (i32) -> !cute.coord<"(?,0)">
    %gB = cute.local_tile(%A, %fit, %there)
    %mnk = cute.static : !cute.shape<"(7,25,64)">
    %at_mnk = cute.make_coord(%x, %x) : (i32, i32) -> !cute.coord<"(?,?,0)">
    %gC = cute.local_tile<"(_,1,1)"> (%A, %mnk, %at_mnk)
    %threads = cute.static : !cute.layout<"(1,32):(0,1)">
    %part = cute.local_partition(%gA, %threads, %thread)
    %part_B = cute.local_partition(%gB, %threads, %thread)
    %part_C = cute.local_partition(%gC, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    %r_B = cute.make_fragment_like(%part_B)
    cute.autovec_copy(%part, %r)
    cute.autovec_copy(%part_B, %r_B)
    cute.autovec_copy(%part_C, %r_B)
    gpu.return
  }

  // CHECK: residues.mlir:[[@LINE+14]]:5: remark: 'cute.autovec_copy' op source is cut into tiles of 32 in mode 0, whose extent is not known to be a multiple: promise it, ?{div=32}, or stop accesses past the end
  gpu.func @dynamic(%A: !open, %B: !promised, %x: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.shape<"(32,64)">
    %at = cute.make_coord(%x) : (i32) -> !cute.coord<"(?,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %gB = cute.local_tile(%B, %tile, %at)
    %threads = cute.static : !cute.layout<"(1,32):(0,1)">
    %part = cute.local_partition(%gA, %threads, %thread)
    %part_B = cute.local_partition(%gB, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    cute.autovec_copy(%part_B, %r)
    cute.autovec_copy(%part, %r)
    gpu.return
  }

  // With a predicate, or in a condition, the end is taken care of.
  gpu.func @guarded(%A: !odd, %x: i32, %inside: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.shape<"(32,64)">
    %shape = cute.get_shape(%A)
    %identity = cute.make_identity_tensor(%shape)
    %at = cute.make_coord(%x) : (i32) -> !cute.coord<"(?,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %cA = cute.local_tile(%identity, %tile, %at)
    %threads = cute.static : !cute.layout<"(1,32):(0,1)">
    %part = cute.local_partition(%gA, %threads, %thread)
    %coords = cute.local_partition(%cA, %threads, %thread)
    %p = cute.make_predicate(%coords, %shape)
    %r = cute.make_fragment_like(%part)
    cute.basic_copy_if(%p, %part, %r)
    scf.if %inside {
      cute.autovec_copy(%part, %r)
    }
    gpu.return
  }

  // The tile of a copy, and that of a thread layout, repeat over the tensor.
  // CHECK: residues.mlir:[[@LINE+13]]:5: warning: 'cute.copy' op source is cut into tiles of 8 in mode 0, which has 100 elements: the last reaches 4 past the end
  // CHECK: residues.mlir:[[@LINE+13]]:5: warning: 'cute.autovec_copy' op source is cut into tiles of 8 in mode 0, which has 100 elements: the last reaches 4 past the end
  gpu.func @copies(%A: !odd) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %threads = cute.static : !cute.layout<"(8,8):(8,1)">
    %values = cute.static : !cute.layout<"(1,4):(0,1)">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %A, %thread)
    %r = cute.make_fragment_like(%part)
    %part_2 = cute.local_partition(%A, %threads, %thread)
    %r_2 = cute.make_fragment_like(%part_2)
    cute.copy(%copy, %part, %r)
    cute.autovec_copy(%part_2, %r_2)
    gpu.return
  }

  // A predicate that knows the tensor's extents lets threads into the next tile,
  // and shared memory has an end, too.
  // CHECK: residues.mlir:[[@LINE+13]]:5: remark: 'cute.copy' op source is a tile that is cut again, into tiles of 32 in mode 1, which has 24 elements: the last reaches 8 into the next tile, which the extents of the tensor allow
  // CHECK: note: choose a tile that divides, or let the predicate bound the tile, too
  // CHECK: residues.mlir:[[@LINE+12]]:5: warning: 'cute.copy' op destination is cut into tiles of 32 in mode 1, which has 24 elements: the last reaches 8 past the end, and nothing stops accesses there
  gpu.func @tiles(%A: !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64},1)">, %x: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %thread = cute.thread_idx
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %copy = cute.make_tiled_copy(%atom, (8,32):(32,1), (1,1):(0,0))
    %part, %p = cute.predicated_tile_s(%copy, %A, (8,24), (%x,%x), %thread)
    %s = cute.alloc_smem<f32, 16> ((8,24):(32,1))
    %s_part = cute.partition_d(%copy, %s, %thread)
    %r = cute.make_fragment_like(%part)
    cute.clear(%r)
    cute.copy(%copy, %part, %r, %p)
    cute.copy(%copy, %r, %s_part)
    gpu.return
  }
}
