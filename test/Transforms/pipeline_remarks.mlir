// RUN: sed -e '/^PROLOGUE/r %S/Inputs/pipeline_remarks.mlir' -e '/^PROLOGUE/d' -e 's/^EPILOGUE/gpu.return } }/' %s | cute-opt - --split-input-file --cute-pipeline 2>&1 >/dev/null | FileCheck %s
// Says what keeps cute-pipeline from a loop, and which op it is. Each loop is that of
// a kernel that begins with Inputs/pipeline_remarks.mlir.

// CHECK: remark: the loop has 3 stages{{$}}
PROLOGUE of @fits
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory before the loop has waited for its copies (cp_async_wait<0>)
PROLOGUE of @no_wait
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory without a gpu.barrier between it and the wait for the copies
PROLOGUE of @no_barrier
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory without a gpu.barrier between it and the wait for the copies
PROLOGUE of @barrier_before_wait
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      gpu.barrier
      cute.cp_async_wait_all
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' lacks a gpu.barrier between the last read of shared memory and the copies of the next round
PROLOGUE of @no_barrier_at_end
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.cp_async_wait' leaves copies pending: the loop is pipelined already
PROLOGUE of @pending
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_commit
      cute.cp_async_wait<1>
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' reads nothing of the shared memory that it fetches to
PROLOGUE of @never_read
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' follows a read of the shared memory that the loop fetches to
PROLOGUE of @fetch_after_read
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
      cute.copy(%g2s, %gA_k, %write)
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.autovec_copy' writes global memory, which the copies of later rounds may read; it may write that of a parameter with llvm.noalias that it does not read
PROLOGUE of @store
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.autovec_copy(%r, %out)
      gpu.barrier
    }
EPILOGUE

// -----

// Threads may exchange values through memory of the round's own.
// CHECK: remark: the loop has 3 stages
PROLOGUE of @exchange
    %s2 = cute.alloc_smem<f16, 128> (%layout)
    %there = cute.partition_d(%s2r, %s2, %thread)
    %back = cute.partition_s(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.copy(%s2r, %r, %there)
      gpu.barrier
      cute.copy(%s2r, %back, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory that other threads write in the round, or in the one before, without a gpu.barrier between
PROLOGUE of @exchange_at_once
    %s2 = cute.alloc_smem<f16, 128> (%layout)
    %there = cute.partition_d(%s2r, %s2, %thread)
    %back = cute.partition_s(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.copy(%s2r, %r, %there)
      cute.copy(%s2r, %back, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' writes shared memory that other threads read in the round, or in the one before, without a gpu.barrier between
PROLOGUE of @exchange_again
    %s2 = cute.alloc_smem<f16, 128> (%layout)
    %there = cute.partition_d(%s2r, %s2, %thread)
    %back = cute.partition_s(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.copy(%s2r, %r, %there)
      gpu.barrier
      cute.copy(%s2r, %back, %r)
      cute.copy(%s2r, %r, %there)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' uses shared memory that each round of the loop writes, outside of it
PROLOGUE of @exchange_outside
    %s2 = cute.alloc_smem<f16, 128> (%layout)
    %there = cute.partition_d(%s2r, %s2, %thread)
    %back = cute.partition_s(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.copy(%s2r, %r, %there)
      gpu.barrier
    }
    cute.copy(%s2r, %back, %r)
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' writes shared memory that the loop fetches to, but not by cp.async from global memory
PROLOGUE of @exchange_fetched
    %s2 = cute.alloc_smem<f16, 128> (%layout)
    %there = cute.partition_d(%s2r, %s2, %thread)
    %back = cute.partition_s(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
      %own = cute.partition_d(%s2r, %s, %thread)
      cute.copy(%s2r, %r, %own)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'memref.store' is an op whose effects on memory are unknown
PROLOGUE of @memref
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      memref.store %k, %m[] : memref<i32>
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop has 3 stages{{$}}
PROLOGUE of @conditional
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      scf.if %c {
        cute.copy(%s2r, %read, %r)
      }
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop has 3 stages{{$}}
PROLOGUE of @division
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      %part = arith.divui %n, %x : i32
      scf.for %i = %c0 to %part step %c1 : i32 {
        %round = arith.remui %i, %x : i32
        cute.copy(%s2r, %read, %r)
      }
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'memref.store' is an op whose effects on memory are unknown
PROLOGUE of @unknown_inside
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      scf.if %c {
        cute.copy(%s2r, %read, %r)
        memref.store %k, %m[] : memref<i32>
      }
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'scf.execute_region' is an op whose effects on memory are unknown
PROLOGUE of @loop_unknown
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      scf.execute_region {
        scf.yield
      }
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'gpu.barrier' is in an inner loop or branch; waits and barriers must be in the loop itself
PROLOGUE of @barrier_inside
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      scf.for %i = %c0 to %n step %c1 : i32 {
        cute.copy(%s2r, %read, %r)
        gpu.barrier
      }
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' copies to shared memory in an inner loop or branch; one cute.copy with all modes, and a predicate, does it in the loop itself
PROLOGUE of @copies_inside
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      scf.if %c {
        cute.copy(%g2s, %gA_k, %write)
      }
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.autovec_copy' writes global memory, which the copies of later rounds may read; it may write that of a parameter with llvm.noalias that it does not read
PROLOGUE of @store_inside
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      scf.if %c {
        cute.copy(%s2r, %read, %r)
        cute.autovec_copy(%r, %out)
      }
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' depends on 'cute.load', which cannot be computed some rounds ahead
PROLOGUE of @depends_on_memory
    scf.for %k = %c0 to %n step %c1 : i32 {
      %i = cute.make_coord(%k) : (i32) -> !cute.coord<"?">
      %l = cute.load(%table, %i)
      %at = cute.make_coord(%l) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' depends on 'arith.divui', which cannot be computed some rounds ahead
PROLOGUE of @divides
    scf.for %k = %c0 to %n step %c1 : i32 {
      %l = arith.divui %n, %k : i32
      %at = cute.make_coord(%l) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' uses a tensor in shared memory that the loop fetches to, outside of the loop's copies
PROLOGUE of @used_after
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
      cute.copy(%s2r, %read, %r)
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' uses a tensor in shared memory that the loop fetches to, outside of the loop's copies
PROLOGUE of @used_in_front
    cute.copy(%s2r, %r, %write)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.ptr_to_int' uses a tensor in shared memory that the loop fetches to, outside of the loop's copies
PROLOGUE of @address
    %p = cute.get_iter(%s)
    %int = cute.ptr_to_int(%p)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' writes shared memory that is not a cute.alloc_smem
PROLOGUE of @argument
    %address = arith.constant 0 : i32
    %unknown = cute.make_ptr(%address) : (i32) -> !cute.ptr<f16, smem, align<128>>
    %sm = cute.make_tensor(%unknown, %layout)
    %w2 = cute.partition_d(%g2s, %sm, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %w2)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.alloc_smem' is an op whose effects on memory are unknown
PROLOGUE of @inside
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %s2 = cute.alloc_smem<f16, 128> (%layout)
      %w2 = cute.partition_d(%g2s, %s2, %thread)
      cute.copy(%g2s, %gA_k, %w2)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' needs a step that is a positive constant
PROLOGUE of @step
    scf.for %k = %c0 to %n step %x : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' has a step of 1500000000, too large to look 2 rounds ahead in its type
PROLOGUE of @large_step
    %big = arith.constant 1500000000 : i32
    scf.for %k = %c0 to %n step %big : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' copies a dynamic number of elements
PROLOGUE of @dynamic
    %l4 = cute.static : !cute.layout<"(16,8,4):(8,1,128)">
    %s4 = cute.alloc_smem<f16, 128> (%l4)
    %w4 = cute.partition_d(%g2s, %s4, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      cute.copy(%g2s, %gA, %w4)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' depends on a value that the loop carries, which is not known some rounds ahead
PROLOGUE of @carried
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c0) -> (i32) : i32 {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
      scf.yield %k : i32
    }
EPILOGUE

// -----

// CHECK: remark: the loop is not pipelined: 'cute.fill' writes the predicate of a copy to shared memory
PROLOGUE of @writes_predicate
    %pl = cute.static : !cute.layout<"(1,1):(0,0)">
    %p = cute.make_fragment<i1> (%pl)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.fill(%p, %c)
      gpu.barrier
    }
EPILOGUE
