// RUN: cute-opt %s --split-input-file --cute-pipeline 2>&1 >/dev/null | FileCheck %s
// Where a loop gets stages, but its fragments are not loaded one k-block ahead.

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.convert' is where the cute.gemm on the copied fragments should be
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
    %half = cute.make_fragment_like<bf16> (%rA)
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
      cute.convert(%rA, %half)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

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
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %half = cute.make_fragment_like<bf16> (%rA)
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
      cute.convert(%rA, %half)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

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
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %half = cute.make_fragment_like<bf16> (%rA)
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
    cute.convert(%rA, %half)
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.clear' is where the cute.gemm on the copied fragments should be
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
      cute.clear(%rC)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.autovec_copy' reads shared memory and is not a cute.copy
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
      cute.autovec_copy(%tA, %rA)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' reads shared memory after the cute.gemm
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
      cute.copy(%s2r_A, %sA_read, %rA_write)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' does not fill what the cute.gemm reads
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
    %other = cute.make_fragment_like(%rA)
    %other_write = cute.retile(%s2r_A, %other)
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
      cute.copy(%s2r_A, %sA_read, %other_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.copy' has a predicate
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
    %yl = cute.static : !cute.layout<"(2,2):(0,0)">
    %yes = cute.make_fragment<i1> (%yl)
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %sB_write = cute.partition_d(%g2s, %sB, %thread)
      
      cute.copy(%g2s, %gA_k, %sA_write)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%s2r_A, %sA_read, %rA_write, %yes)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// CHECK: remark: fragments are not loaded one k-block ahead: 'cute.gemm' has operands that are not fragments with as many k-blocks each
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
      cute.gemm(%mma, %rC, %rA, %tB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// One that ran in front of the loop is no obstacle.
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
    gpu.return
  }
}
