// Kernels that hand numbers from thread to thread by shared memory, with and without
// the barriers that this needs.
!g = !cute.tensor<i32, gmem, align<16>, "32:1">
!s = !cute.tensor<i32, smem, align<128>, "32:1">
gpu.module @m {
  gpu.func @good(%A: !g, %B: !g, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %last = arith.constant 31 : i32
    %u = arith.subi %last, %t : i32
    %here = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    %there = cute.make_coord(%u) : (i32) -> !cute.coord<"?">
    %l = cute.static : !cute.layout<"32:1">
    %s = cute.alloc_smem<i32, 128> (%l)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %v = cute.load(%A, %here)
      cute.store(%v, %s, %here)
      gpu.barrier
      %w = cute.load(%s, %there)
      cute.store(%w, %B, %here)
      gpu.barrier
    }
    gpu.return
  }

  // A round writes what the round before may not have read yet.
  gpu.func @early(%A: !g, %B: !g, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %last = arith.constant 31 : i32
    %u = arith.subi %last, %t : i32
    %here = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    %there = cute.make_coord(%u) : (i32) -> !cute.coord<"?">
    %l = cute.static : !cute.layout<"32:1">
    %s = cute.alloc_smem<i32, 128> (%l)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %v = cute.load(%A, %here)
      cute.store(%v, %s, %here)
      gpu.barrier
      %w = cute.load(%s, %there)
      cute.store(%w, %B, %here)
    }
    gpu.return
  }

  // cp.async writes before its wait, though it need not.
  gpu.func @copied(%A: !g, %B: !g, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %last = arith.constant 31 : i32
    %u = arith.subi %last, %t : i32
    %there = cute.make_coord(%u) : (i32) -> !cute.coord<"?">
    %l = cute.static : !cute.layout<"32:1">
    %s = cute.alloc_smem<i32, 128> (%l)
    %atom = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", i32>
    %one = cute.static : !cute.layout<"1:0">
    %copy = cute.make_tiled_copy(%atom, %l, %one)
    %from = cute.partition_s(%copy, %A, %t)
    %to = cute.partition_d(%copy, %s, %t)
    %here = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    cute.copy(%copy, %from, %to)
    cute.cp_async_wait_all
    gpu.barrier
    %w = cute.load(%s, %there)
    cute.store(%w, %B, %here)
    cute.copy(%copy, %from, %to)
    gpu.barrier
    cute.cp_async_wait_all
    gpu.return
  }
}
