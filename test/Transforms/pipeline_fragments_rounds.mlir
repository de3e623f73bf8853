// RUN: cute-opt %s --split-input-file --cute-pipeline 2>&1 >/dev/null | FileCheck %s
// Fragments whose next block would not be what the plain loop reads, or would be gone.

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.make_fragment_a' makes a fragment in each round; make it in front of the loop
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      %rA = cute.make_fragment_a(%mma, %tA)
      %rA_write = cute.retile(%s2r_A, %rA)
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Of two tiles, one is read in even rounds and one in odd ones.
// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' depends on the index of the loop, on what it carries or on memory; its operands must be the same in all rounds
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %layouts = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32,2):(32,1,2048)">
    %sAs = cute.alloc_smem<f16, 128> (%layouts)
    %zero = cute.static : !cute.coord<"(_,_,0)">
    %sA = cute.slice(%sAs, %zero)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_reads = cute.partition_s(%s2r_A, %sAs, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sA_write2 = cute.partition_d(%g2s, %sAs, %thread)
    %one = cute.static : !cute.coord<"(_,_,_,1)">
    %sA_write1 = cute.slice(%sA_write2, %one)
    %c1 = arith.constant 1 : i32
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gA_k, %sA_write1)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      %half = arith.andi %k, %c1 : i32
      %where = cute.make_coord(%half) : (i32) -> !cute.coord<"(_,_,_,?)">
      %sA_read = cute.slice(%sA_reads, %where)
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' depends on the index of the loop, on what it carries or on memory; its operands must be the same in all rounds
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %layouts = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32,2):(32,1,2048)">
    %sAs = cute.alloc_smem<f16, 128> (%layouts)
    %zero = cute.static : !cute.coord<"(_,_,0)">
    %sA = cute.slice(%sAs, %zero)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_reads = cute.partition_s(%s2r_A, %sAs, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %sA_write2 = cute.partition_d(%g2s, %sAs, %thread)
    %one = cute.static : !cute.coord<"(_,_,_,1)">
    %sA_write1 = cute.slice(%sA_write2, %one)
    %c1 = arith.constant 1 : i32
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %end = scf.for %k = %lb to %ub step %step iter_args(%half = %lb) -> (i32) : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gA_k, %sA_write1)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      %where = cute.make_coord(%half) : (i32) -> !cute.coord<"(_,_,_,?)">
      %sA_read = cute.slice(%sA_reads, %where)
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
      %other = arith.xori %half, %c1 : i32
      scf.yield %other : i32
    }
    gpu.return
  }
}

// -----

// Sums would be formed in another order.
// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.gemm' uses the result of a cute.gemm beside it; each must have accumulators of its own
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// The second sum begins with all of the first.
// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.gemm' uses the result of a cute.gemm beside it; each must have accumulators of its own
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %rD = cute.make_fragment<f32> (%c_layout)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      cute.gemm(%mma, %rD, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Two sums of their own are no obstacle.
// CHECK-NOT: remark: fragments
// CHECK: remark: the loop has 3 stages, and loads fragments one of 2 k-blocks ahead
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %rD = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rD)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      cute.gemm(%mma, %rD, %rA, %rB, %rD)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// What the loop has left in the fragment is read before it begins again.
// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.convert' uses a fragment, too
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %half = cute.make_fragment_like<bf16> (%rA)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %c1 = arith.constant 1 : i32
    scf.for %o = %lb to %ub step %c1 : i32 {
    cute.convert(%rA, %half)
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    }
    gpu.return
  }
}

// -----

// Writing it there does no harm.
// CHECK-NOT: remark: fragments
// CHECK: remark: the loop has 3 stages, and loads fragments one of 2 k-blocks ahead
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %c1 = arith.constant 1 : i32
    scf.for %o = %lb to %ub step %c1 : i32 {
    cute.clear(%rA)
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' fills a fragment that is passed on; make one in front of the loop
// CHECK: remark: the loop has 3 stages{{$}}
!r = !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),16,8)">
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %last = scf.for %o = %c0 to %lb step %c1 iter_args(%rP = %rA) -> (!r) : i32 {
    %rP_write = cute.retile(%s2r_A, %rP)
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rP_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rP, %rB, %rC)
      gpu.barrier
    }
    scf.yield %rP : !r
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.gemm' has one k-block
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,16,?):(16,1,1024)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,16,?):(16,1,1024)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<1,3,3> o 0 o (64,16):(16,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(32,2):(2,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r_A, %sA, %thread)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' has other k-blocks than the cute.gemm
// CHECK: remark: the loop has 3 stages{{$}}
gpu.module @m {
  gpu.func @f(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %lb: i32, %ub: i32, %cA: !cute.coord_tensor<"(0,0)", "(4,1):(16@0,0)">, %bound: !cute.shape<"(?,?)">) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %step = arith.constant 1 : i32
    %layout = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (64,32):(32,1)">
    %sA = cute.alloc_smem<f16, 128> (%layout)
    %sB = cute.alloc_smem<f16, 128> (%layout)
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %permutation = cute.static : !cute.shape<"(32,16,16)">
    %mma = cute.make_tiled_mma(%atom, %warps, %permutation)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %c_shape = cute.static : !cute.shape<"(64,64)">
    %c_layout = cute.static : !cute.layout<"((2,2),2,8):((1,2),4,8)">
    %rC = cute.make_fragment<f32> (%c_layout)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%async, %threads, %values)
    %gA = cute.partition_s(%g2s, %A, %thread)
    %gB = cute.partition_s(%g2s, %B, %thread)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %s2r_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %sA_read3 = cute.partition_s(%s2r_A, %sA, %thread)
    %sA_read = cute.group_modes<1, 3>(%sA_read3)
    %sB_read = cute.partition_s(%s2r_B, %sB, %thread)
    %rA_write = cute.retile(%s2r_A, %rA)
    %rB_write = cute.retile(%s2r_B, %rB)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}
