// RUN: cute-opt %s --split-input-file --cute-pipeline 2>&1 >/dev/null | FileCheck %s
// Loops that keep something in shared memory from one round to another, which
// would not be there with several tiles.

// CHECK: remark: the loop is not pipelined: 'cute.copy' leaves what its predicate excludes as an earlier round left it, and the predicate may change from round to round; take an atom that fills with zeros (_ZFILL), or make the predicate in front of all loops
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @left_over(%A: !g, %n: i32, %x: i32, %thread: i32, %cA: !cute.coord_tensor<"(0,0,0)", "(1,1,?):(0,0,1@2)">, %bound: !cute.shape<"(?,?,?)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
      %ck = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
      %cA_k = cute.slice(%cA, %ck)
      %p = cute.make_predicate(%cA_k, %bound)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// With zeros, nothing is left of earlier rounds.
// CHECK: remark: the loop has 3 stages{{$}}
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @zeros(%A: !g, %n: i32, %x: i32, %thread: i32, %cA: !cute.coord_tensor<"(0,0,0)", "(1,1,?):(0,0,1@2)">, %bound: !cute.shape<"(?,?,?)">) kernel {
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
      %ck = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
      %cA_k = cute.slice(%cA, %ck)
      %p = cute.make_predicate(%cA_k, %bound)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A predicate that never changes leaves the same elements alone.
// CHECK: remark: the loop has 3 stages{{$}}
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @same_predicate(%A: !g, %n: i32, %x: i32, %thread: i32, %cA: !cute.coord_tensor<"(0,0,0)", "(1,1,?):(0,0,1@2)">, %bound: !cute.shape<"(?,?,?)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
    %first = cute.static : !cute.coord<"(_,_,0)">
    %cA_0 = cute.slice(%cA, %first)
    %p = cute.make_predicate(%cA_0, %bound)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// It does change from one run of the loop to the next.
// CHECK: remark: the loop is not pipelined: 'cute.copy' leaves what its predicate excludes as an earlier round left it, and the predicate may change from round to round; take an atom that fills with zeros (_ZFILL), or make the predicate in front of all loops
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @outer_predicate(%A: !g, %n: i32, %x: i32, %thread: i32, %cA: !cute.coord_tensor<"(0,0,0)", "(1,1,?):(0,0,1@2)">, %bound: !cute.shape<"(?,?,?)">) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
    scf.for %o = %c0 to %x step %c1 : i32 {
      %ck = cute.make_coord(%o) : (i32) -> !cute.coord<"(_,_,?)">
      %cA_k = cute.slice(%cA, %ck)
      %p = cute.make_predicate(%cA_k, %bound)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    }
    gpu.return
  }
}

// -----

// Nor is it the same if a loop around writes it.
// CHECK: remark: the loop is not pipelined: 'cute.copy' leaves what its predicate excludes as an earlier round left it, and the predicate may change from round to round; take an atom that fills with zeros (_ZFILL), or make the predicate in front of all loops
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @written_predicate(%A: !g, %n: i32, %x: i32, %thread: i32, %cA: !cute.coord_tensor<"(0,0,0)", "(1,1,?):(0,0,1@2)">, %bound: !cute.shape<"(?,?,?)">, %c: i1) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
    %first = cute.static : !cute.coord<"(_,_,0)">
    %cA_0 = cute.slice(%cA, %first)
    %p = cute.make_predicate(%cA_0, %bound)
    scf.for %o = %c0 to %x step %c1 : i32 {
      cute.fill(%p, %c)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'cute.copy' writes a part of shared memory that may change from round to round; its destination must be the same in all
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @moving(%A: !g, %n: i32, %x: i32, %thread: i32) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
    %two = cute.static : !cute.layout<"(16,8,2):(8,1,128)">
    %s2 = cute.alloc_smem<f16, 128> (%two)
    %write2 = cute.partition_d(%g2s, %s2, %thread)
    %all = cute.partition_s(%s2r, %s2, %thread)
    %both = cute.make_fragment_like(%all)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %half = arith.andi %k, %c1 : i32
      %to = cute.make_coord(%half) : (i32) -> !cute.coord<"(_,_,_,?)">
      %write_k = cute.slice(%write2, %to)
      cute.copy(%g2s, %gA_k, %write_k)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %all, %both)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// The place may be computed in the loop, of what does not change.
// CHECK: remark: the loop has 3 stages{{$}}
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @computed(%A: !g, %n: i32, %x: i32, %thread: i32) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
      %write_k = cute.partition_d(%g2s, %s, %thread)
      cute.copy(%g2s, %gA_k, %write_k)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: the loop is not pipelined: 'scf.for' with 2 stages needs 262112 bytes of shared memory; a block on any architecture has at most 232448
// CHECK: note: take smaller tiles or fewer stages
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @bytes(%A: !g, %n: i32, %x: i32, %thread: i32) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
    %wide = cute.static : !cute.layout<"(16,8):(4368,1)">
    %s2 = cute.alloc_smem<f16, 128> (%wide)
    %write2 = cute.partition_d(%g2s, %s2, %thread)
    %read2 = cute.partition_s(%s2r, %s2, %thread)
    scf.for %k = %c0 to %n step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write2)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read2, %r)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// What the loop carries may be the predicate.
// CHECK: remark: the loop is not pipelined: 'cute.fill' writes the predicate of a copy to shared memory; make another for each round, by cute.make_predicate
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
!p = !cute.tensor<i1, rmem, align<16>, "(1,1):(0,0)">
gpu.module @m {
  gpu.func @carried_fragment(%A: !g, %n: i32, %x: i32, %thread: i32, %c: i1) kernel {
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
    %one = cute.static : !cute.layout<"(1,1):(0,0)">
    %p = cute.make_fragment<i1> (%one)
    cute.fill(%p, %c)
    %q = scf.for %k = %c0 to %n step %c1 iter_args(%i = %p) -> (!p) : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      cute.copy(%g2s, %gA_k, %write, %p)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r, %read, %r)
      cute.fill(%i, %c)
      gpu.barrier
      scf.yield %i : !p
    }
    gpu.return
  }
}

// -----

// Reductions and the like of vectors are as any arithmetic, and a prefetch reads.
// CHECK: remark: the loop has 3 stages{{$}}
!g = !cute.tensor<f16, gmem, align<16>, "(16,8,?):(8,1,128)">
gpu.module @m {
  gpu.func @vectors(%A: !g, %n: i32, %x: i32, %thread: i32) kernel {
    %layout = cute.static : !cute.layout<"(16,8):(8,1)">
    %s = cute.alloc_smem<f16, 128> (%layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
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
      %v = cute.load_vector(%r)
      cute.prefetch<"L2"> (%gA_k)
      %sum = vector.reduction <add>, %v : vector<8xf16> into f16
      %turned = vector.shuffle %v, %v [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf16>, vector<8xf16>
      cute.store_vector(%turned, %r)
      gpu.barrier
    }
    gpu.return
  }
}
