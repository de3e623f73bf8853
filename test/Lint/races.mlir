// Accesses to shared memory that no barrier or wait orders, barriers that only
// some threads get to, and fragments that are read before they are written.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!row = !cute.tensor<f32, gmem, align<16>, "128:1">
!tile = !cute.tensor<f32, gmem, align<16>, "(32,128):(128,1)">

gpu.module @m {
  // CHECK: races.mlir:[[@LINE+12]]:10: warning: 'cute.load' op tensor reads shared memory that is written in line [[@LINE+10]], with no barrier in between: thread 0 reads what thread 127 writes
  // CHECK: note: put a gpu.barrier between them, which all threads reach
  gpu.func @exchange(%A: !row, %B: !row) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c127 = arith.constant 127 : i32
    %other = arith.subi %c127, %thread : i32
    %me = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %you = cute.make_coord(%other) : (i32) -> !cute.coord<"?">
    %s = cute.alloc_smem<f32, 16> (128:1)
    %x = cute.load(%A, %me)
    cute.store(%x, %s, %me)

    %y = cute.load(%s, %you)
    cute.store(%y, %B, %me)
    gpu.return
  }

  // With a barrier all is well; so it is where threads read what they wrote.
  gpu.func @ordered(%A: !row, %B: !row) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c127 = arith.constant 127 : i32
    %other = arith.subi %c127, %thread : i32
    %me = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %you = cute.make_coord(%other) : (i32) -> !cute.coord<"?">
    %s = cute.alloc_smem<f32, 16> (128:1)
    %x = cute.load(%A, %me)
    cute.store(%x, %s, %me)
    %own = cute.load(%s, %me)
    gpu.barrier
    %y = cute.load(%s, %you)
    %sum = arith.addf %own, %y : f32
    cute.store(%sum, %B, %me)
    gpu.return
  }

  // The next round writes what this one may still be reading.
  // CHECK: races.mlir:[[@LINE+14]]:7: warning: 'cute.store' op tensor writes shared memory that is read in line [[@LINE+17]], with no barrier in between: thread 0 reads what thread 127 writes
  gpu.func @around(%A: !row {llvm.noalias, llvm.readonly}, %B: !row, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c127 = arith.constant 127 : i32
    %other = arith.subi %c127, %thread : i32
    %me = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %you = cute.make_coord(%other) : (i32) -> !cute.coord<"?">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %s = cute.alloc_smem<f32, 16> (128:1)
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
      %x = cute.load(%A, %me)

      cute.store(%x, %s, %me)
      gpu.barrier

      %y = cute.load(%s, %you)
      %next = arith.addf %sum, %y : f32
      scf.yield %next : f32
    }
    cute.store(%end, %B, %me)
    gpu.return
  }

  // Two buffers in turns need one barrier in a round.
  gpu.func @in_turns(%A: !row {llvm.noalias, llvm.readonly}, %B: !row, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c127 = arith.constant 127 : i32
    %other = arith.subi %c127, %thread : i32
    %me = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %you = cute.make_coord(%other) : (i32) -> !cute.coord<"?">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %s = cute.alloc_smem<f32, 16> ((128,2):(1,128))
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
      %x = cute.load(%A, %me)
      %buffer = arith.andi %i, %c1 : i32
      %to = cute.make_coord(%thread, %buffer) : (i32, i32) -> !cute.coord<"(?,?)">
      %from = cute.make_coord(%other, %buffer) : (i32, i32) -> !cute.coord<"(?,?)">
      cute.store(%x, %s, %to)
      gpu.barrier
      %y = cute.load(%s, %from)
      %next = arith.addf %sum, %y : f32
      scf.yield %next : f32
    }
    cute.store(%end, %B, %me)
    gpu.return
  }

  // CHECK: races.mlir:[[@LINE+15]]:5: warning: 'cute.autovec_copy' op source reads shared memory that is written in line [[@LINE+13]] by cp.async, which nothing waits for: thread 0 reads what it brings itself
  // CHECK: note: cute.cp_async_commit after the copies; then cute.cp_async_wait<0> and a gpu.barrier before what they bring is read
  // CHECK: races.mlir:[[@LINE+21]]:5: warning: 'cute.autovec_copy' op source reads shared memory that is written in line [[@LINE+18]], with no barrier in between: thread 0 reads what thread 1 writes
  gpu.func @async(%A: !tile, %B: !tile) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %s = cute.alloc_smem<f32, 128> ((32,128):(128,1))
    %u = cute.alloc_smem<f32, 128> ((32,128):(128,1))
    %atom = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f32>
    %copy = cute.make_tiled_copy(%atom, (4,32):(32,1), (1,4):(0,1))
    %a = cute.partition_s(%copy, %A, %thread)
    %own = cute.partition_d(%copy, %s, %thread)
    %b = cute.partition_d(%copy, %B, %thread)
    %r = cute.make_fragment_like(%b)
    cute.copy(%copy, %a, %own)
    gpu.barrier
    cute.autovec_copy(%own, %r)
    %u_own = cute.partition_d(%copy, %u, %thread)
    %one = arith.constant 1 : i32
    %neighbour = arith.xori %thread, %one : i32
    %u_first = cute.partition_s(%copy, %u, %neighbour)
    cute.copy(%copy, %a, %u_own)
    gpu.barrier
    cute.cp_async_wait_all
    cute.autovec_copy(%u_first, %r)
    cute.autovec_copy(%r, %b)
    gpu.return
  }

  // CHECK: races.mlir:[[@LINE+8]]:7: warning: 'gpu.barrier' op needs all threads of the block, but only 4 of 128 reach it, and wait for the others
  // CHECK: note: take it out of the condition, or let those threads meet at a barrier of their own (cute.named_barrier_sync)
  gpu.func @divergent(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c4 = arith.constant 4 : i32
    %first = arith.cmpi slt, %thread, %c4 : i32
    %any = arith.cmpi slt, %n, %c4 : i32
    scf.if %first {
      gpu.barrier
    }
    scf.if %any {
      gpu.barrier
    }
    scf.if %first {
      gpu.barrier
    } else {
      gpu.barrier
    }
    gpu.return
  }

  // Ops with a barrier in them need all threads, too. A barrier with a number
  // needs as many as it says, wherever these get to it.
  // CHECK: races.mlir:[[@LINE+19]]:12: warning: 'cute.block_reduce' op needs all threads of the block, but only 64 of 128 reach it, and wait for the others
  // CHECK: races.mlir:[[@LINE+21]]:12: warning: 'gpu.all_reduce' op needs all threads of the block, but only 64 of 128 reach it, and wait for the others
  // CHECK: races.mlir:[[@LINE+21]]:7: warning: 'cute.named_barrier_sync' op barrier 1 is for 128 threads, but only 64 of the block ever reach it: they wait forever
  // CHECK: note: the number counts threads that wait and threads that only arrive (cute.named_barrier_arrive)
  // CHECK: races.mlir:[[@LINE+24]]:5: warning: 'cute.named_barrier_sync' op barrier 3 is for 64 threads, but 128 reach it, and nothing says which of them meet
  // CHECK: note: each group of threads takes a barrier of its own, with another number
  gpu.func @some(%x: f32, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %b1 = cute.static : !cute.int_tuple<"1">
    %b2 = cute.static : !cute.int_tuple<"2">
    %b3 = cute.static : !cute.int_tuple<"3">
    %half = cute.static : !cute.int_tuple<"64">
    %all = cute.static : !cute.int_tuple<"128">
    %buffer = cute.alloc_smem<f32, 16> (4:1)
    %first = arith.cmpi slt, %thread, %c64 : i32
    scf.if %first {
      %s = cute.block_reduce<"add"> (%x, %buffer)
    }
    scf.if %first {
      %s = gpu.all_reduce add %x uniform {} : (f32) -> f32
      cute.named_barrier_sync(%b1, %all)
      cute.named_barrier_sync(%b2, %all)
    } else {
      cute.named_barrier_arrive(%b2, %all)
    }
    cute.named_barrier_sync(%b3, %half)
    %group = arith.divui %thread, %c64 : i32
    %turn = arith.addi %group, %c4 : i32
    cute.named_barrier_sync(%turn, %half)
    %any = arith.cmpi slt, %n, %c1 : i32
    scf.if %any {
      cute.named_barrier_sync(%turn, %half)
    }
    gpu.return
  }

  // Unknown numbers give no diagnostic.
  gpu.func @unknown(%n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b1 = cute.static : !cute.int_tuple<"1">
    %all = cute.static : !cute.int_tuple<"128">
    cute.named_barrier_sync(%b1, %all)
    cute.named_barrier_arrive(%n, %all)
    gpu.return
  }

  // CHECK: races.mlir:[[@LINE+6]]:10: warning: 'cute.load_vector' op reads a fragment that was never written
  // CHECK: note: cute.clear or cute.fill writes all of it
  gpu.func @unwritten(%A: !cute.tensor<f32, gmem, align<16>, "4:1">, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %r = cute.make_fragment_like(%A)
    %q = cute.make_fragment_like(%A)

    %v = cute.load_vector(%r)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %some = arith.cmpi slt, %n, %c1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.if %some {
        %w = cute.load_vector(%q)
        cute.store_vector(%w, %A)
      }
      cute.store_vector(%v, %q)
    }
    gpu.return
  }
}
