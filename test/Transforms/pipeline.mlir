// The IR of a pipelined loop. pipeline_model.test checks what it does.
// RUN: cute-opt %s --pass-pipeline='builtin.module(cute-pipeline,cute-fold-static,cute-canonicalize)' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: cute-opt %s --pass-pipeline='builtin.module(cute-pipeline{stages=2 fragments=false},cute-fold-static,cute-canonicalize)' | FileCheck %s --check-prefix=TWO
//
// A second run changes nothing.
// RUN: cute-opt %s --cute-pipeline >%t.once
// RUN: cute-opt %s --pass-pipeline='builtin.module(cute-pipeline,cute-pipeline{stages=4})' >%t.twice
// RUN: diff %t.once %t.twice
//
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cute-pipeline{stages=1})' 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cute-pipeline{stages=17})' 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cute-pipeline{stages=3x})' 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not cute-opt %s --pass-pipeline='builtin.module(cute-pipeline{fragments=2})' 2>&1 | FileCheck %s --check-prefix=FRAGMENTS

// STAGES: error: cute-pipeline: stages={{.*}} must be a number from 2 to 16
// FRAGMENTS: error: cute-pipeline: fragments=2 must be true or false
// REMARK: pipeline.mlir:{{[0-9]+}}:5: remark: the loop has 3 stages, and loads fragments one of 2 k-blocks ahead

// Shared memory for three tiles, each where the swizzle begins anew.
// CHECK: %[[SA:.*]] = cute.alloc_smem<f16, 128> {{.*}} -> !cute.tensor<f16, smem, align<128>, "S<2,3,3> o 0 o (64,32,3):(32,1,2048)">
// CHECK: %[[SB:.*]] = cute.alloc_smem<f16, 128> {{.*}} -> !cute.tensor<f16, smem, align<128>, "S<2,3,3> o 0 o (64,32,3):(32,1,2048)">
// CHECK-NOT: cute.alloc_smem
//
// Two tiles ahead, if they exist.
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: vector.broadcast %[[ANY]] : i1 to vector<4xi1>
// CHECK: cute.copy({{.*}}CP_ASYNC
// CHECK: cute.copy({{.*}}CP_ASYNC
// CHECK-NEXT: cute.cp_async_commit
// CHECK: %[[LEFT:.*]] = arith.subi
// CHECK: %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %
// CHECK: %[[BOTH:.*]] = arith.andi %[[ANY]], %[[MORE]] : i1
// CHECK: vector.broadcast %[[BOTH]]
// CHECK-COUNT-2: cute.copy({{.*}}CP_ASYNC
// CHECK-NEXT: cute.cp_async_commit
// CHECK-NEXT: cute.cp_async_wait<1>
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-2: cute.copy({{.*}}LDSM
//
// CHECK: scf.for {{.*}} iter_args(%[[READ:.*]] = %c0{{.*}}, %[[WRITE:.*]] = %c2{{.*}}) -> (i32, i32)
// CHECK: %[[NEXT:.*]] = arith.select
// CHECK: cute.make_coord(%[[READ]]) : (i32) -> !cute.coord<"(_,_,?)">
// CHECK-COUNT-2: cute.copy({{.*}}LDSM
// CHECK: cute.make_coord(%[[WRITE]]) : (i32) -> !cute.coord<"(_,_,?)">
// CHECK-COUNT-2: cute.copy({{.*}}CP_ASYNC
// CHECK-NEXT: cute.cp_async_commit
// CHECK: cute.gemm
// CHECK-NEXT: cute.cp_async_wait<1>
// CHECK-NEXT: gpu.barrier
// CHECK: cute.make_coord(%[[NEXT]]) : (i32) -> !cute.coord<"(_,_,?)">
// CHECK-COUNT-2: cute.copy({{.*}}LDSM
// CHECK: cute.gemm
// CHECK-NEXT: scf.yield %[[NEXT]], %[[READ]] : i32, i32
// CHECK-NEXT: } {cute.stages = 3 : i32}
// CHECK-NEXT: cute.cp_async_wait<0>
// CHECK-NEXT: gpu.barrier

// TWO: (64,32,2):(32,1,2048)
// TWO-COUNT-2: cute.copy({{.*}}CP_ASYNC
// TWO-NEXT: cute.cp_async_commit
// TWO: scf.for {{.*}} iter_args(%[[READ:.*]] = %c0{{.*}}, %[[WRITE:.*]] = %c1{{.*}}) -> (i32, i32)
// TWO: cute.cp_async_wait<0>
// TWO-NEXT: gpu.barrier
// TWO-COUNT-2: cute.copy({{.*}}CP_ASYNC
// TWO-NEXT: cute.cp_async_commit
// TWO-COUNT-2: cute.copy({{.*}}LDSM
// TWO-NEXT: cute.gemm
// TWO-NEXT: scf.yield
// TWO: cute.cp_async_wait<0>
// TWO-NEXT: gpu.barrier

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
      %p = cute.make_predicate(%cA, %bound)
      cute.copy(%g2s, %gA_k, %sA_write, %p)
      cute.copy(%g2s, %gB_k, %sB_write)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier

      cute.copy(%s2r_A, %sA_read, %rA_write)
      cute.copy(%s2r_B, %sB_read, %rB_write)
      cute.gemm(%mma, %rC, %rA, %rB, %rC)
      gpu.barrier
    }
    gpu.return
  }
}
