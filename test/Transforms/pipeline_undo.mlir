// What cute-pipeline cannot build it leaves as it was: a stage of a swizzled tensor
// has another type than the tensor, which an op whose type is written by hand does
// not take.
// RUN: cute-opt %s >%t.plain
// RUN: cute-opt %s --cute-pipeline 2>%t.remarks >%t
// RUN: diff %t.plain %t
// RUN: FileCheck %s --input-file=%t.remarks
// CHECK: remark: the loop is not pipelined: 'cute.assume' cannot be built with stages
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
    %sAa = cute.assume(%sA) : !cute.tensor<f16, smem, align<128>, "S<2,3,3> o 0 o (64,32):(32,1)"> -> !cute.tensor<f16, smem, align<128>, "S<2,3,3> o 0 o (64,32):(32,1)">
    %sA_read = cute.partition_s(%s2r_A, %sAa, %thread)
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

