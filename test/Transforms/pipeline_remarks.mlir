// RUN: cute-opt %s --split-input-file --cute-pipeline 2>&1 >/dev/null | FileCheck %s
// What stands in the way of cute-pipeline, and which op it is.

// CHECK: remark: the loop has 3 stages now{{$}}
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @fits(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory before the loop has waited for its copies (cp_async_wait<0>)
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @no_wait(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory without a gpu.barrier between it and the wait for the copies
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @no_barrier(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' reads shared memory without a gpu.barrier between it and the wait for the copies
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @barrier_before_wait(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      gpu.barrier
      cute.cp_async_wait_all
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' lacks a gpu.barrier between the last read of shared memory and the copies of the next round
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @no_barrier_at_end(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.cp_async_wait' leaves copies pending: the loop is pipelined already
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @pending(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' reads nothing of the shared memory that it fetches to
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @never_read(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' stands after a read of the shared memory that the loop fetches to
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @fetch_after_read(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.autovec_copy' writes global memory, which the copies of later rounds may read
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @store(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' writes shared memory, but not by cp.async from global memory
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @store_shared(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s2 = cute.alloc_smem<f16, 128> (%layout)
    %other = cute.partition_d(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.copy(%s2r, %r, %other)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'memref.store' is an op of which it is not known what it does to memory
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @memref(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">, %m: memref<i32>) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'scf.if' is an op of which it is not known what it does to memory
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @conditional(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">, %c: i1) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' depends on 'cute.load', which cannot be done some rounds ahead
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @depends_on_memory(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">, %table: !cute.tensor<i32, gmem, align<4>, "?:1">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'arith.divui' is an op of which it is not known what it does to memory
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @divides(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' uses a tensor in shared memory that the loop fetches to, outside of the loop's copies
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @used_after(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' uses a tensor in shared memory that the loop fetches to, outside of the loop's copies
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @used_in_front(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.ptr_to_int' uses a tensor in shared memory that the loop fetches to, outside of the loop's copies
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @address(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' writes shared memory that is not a cute.alloc_smem
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @argument(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %st = cute.alloc_struct : !cute.struct<"a: f16 x 128 align 128">
    %sm = cute.struct_member<"a"> (%st, %layout) : (!cute.struct<"a: f16 x 128 align 128">, !cute.layout<"(16,8):(8,1)">) -> !s
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.alloc_smem' is an op of which it is not known what it does to memory
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @inside(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' needs a step that is a positive constant
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @step(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %x : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' has a step of 1500000000, too large to look 2 rounds ahead in its type
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @large_step(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' copies a dynamic number of elements
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @dynamic(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' depends on a value that the loop carries, which is not known some rounds ahead
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @carried(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.fill' writes the predicate of a copy to shared memory
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!s = !cute.tensor<f16, smem, align<128>, "(16,8):(8,1)">
gpu.module @m {
  gpu.func @writes_predicate(%A: !g, %n: i32, %x: i32, %thread: i32, %out: !cute.tensor<f16, gmem, align<16>, "(8,1):(1,0)">, %c: i1) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %write = cute.partition_d(%g2s, %s, %thread)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %s2r = cute.make_tiled_copy(%vector, %threads, %values)
    %read = cute.partition_s(%s2r, %s, %thread)
    %r = cute.make_fragment_like(%read)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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
    gpu.return
  }
}

// -----
