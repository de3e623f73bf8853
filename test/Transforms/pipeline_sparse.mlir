// Operands beside A, B and C are loaded one k-block ahead, too: two calls for each
// of two k-blocks, and with each gemm goes its block of the metadata.
// RUN: cute-opt %s --cute-pipeline 2>&1 >%t | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: cutec %s --passes=cute-pipeline --arch=sm_80 --no-manifest -o - | FileCheck %s --check-prefix=PTX

// REMARK-NOT: fragments are not loaded
// REMARK: remark: the loop has 3 stages, and loads fragments one of 2 k-blocks ahead
// CHECK: scf.for
// CHECK: cute.gemm({{.*}}) : {{.*}}, !cute.tensor<ui2, rmem, align<{{.*}}>, "((8,2),2):((1,8),{{.*}})">
// CHECK: cute.gemm({{.*}}) : {{.*}}, !cute.tensor<ui2, rmem, align<{{.*}}>, "((8,2),2):((1,8),{{.*}})">
// CHECK-NOT: cute.gemm
// PTX-COUNT-8: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
// PTX-NOT: mma.sp
gpu.module @m {
  gpu.func @sparse(%A: !cute.tensor<f16, gmem, align<16>, "(64,32,?):(32,1,2048)">, %B: !cute.tensor<f16, gmem, align<16>, "(16,64,?):(64,1,1024)">, %E: !cute.tensor<ui2, gmem, align<16>, "(64,32,?):(32,1,2048)">, %C: !cute.tensor<f32, gmem, align<16>, "(64,16):(16,1)">, %ub: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %lb = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %layoutA = cute.static : !cute.layout<"(64,32):(32,1)">
    %layoutB = cute.static : !cute.layout<"(16,64):(64,1)">
    %sA = cute.alloc_smem<f16, 128> (%layoutA)
    %sB = cute.alloc_smem<f16, 128> (%layoutB)
    %sE = cute.alloc_smem<ui2, 128> (%layoutA)
    %atom = cute.static : !cute.mma_atom<"SM80_SPARSE_16x8x32_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %mma = cute.make_tiled_mma(%atom, %warps)
    %pA = cute.partition_a(%mma, %sA, %thread)
    %pB = cute.partition_b(%mma, %sB, %thread)
    %pC = cute.partition_c(%mma, %C, %thread)
    %pE = cute.partition_operand<"E"> (%mma, %sE, %thread)
    %rA = cute.make_fragment_a(%mma, %pA)
    %rB = cute.make_fragment_b(%mma, %pB)
    %rC = cute.make_fragment_c(%mma, %pC)
    %rE = cute.make_fragment_operand<"E"> (%mma, %pE)
    cute.clear(%rC)
    %async = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %asyncE = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", ui2>
    %threads = cute.static : !cute.layout<"(16,4):(4,1)">
    %threadsB = cute.static : !cute.layout<"(8,8):(8,1)">
    %threadsE = cute.static : !cute.layout<"(64,1):(1,0)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %valuesE = cute.static : !cute.layout<"(1,32):(0,1)">
    %g2sA = cute.make_tiled_copy(%async, %threads, %values)
    %g2sB = cute.make_tiled_copy(%async, %threadsB, %values)
    %g2sE = cute.make_tiled_copy(%asyncE, %threadsE, %valuesE)
    %gA = cute.partition_s(%g2sA, %A, %thread)
    %gB = cute.partition_s(%g2sB, %B, %thread)
    %gE = cute.partition_s(%g2sE, %E, %thread)
    %wA = cute.partition_d(%g2sA, %sA, %thread)
    %wB = cute.partition_d(%g2sB, %sB, %thread)
    %wE = cute.partition_d(%g2sE, %sE, %thread)
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %indices = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>
    %sums = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    scf.for %k = %lb to %ub step %step : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gA_k = cute.slice(%gA, %at)
      %gB_k = cute.slice(%gB, %at)
      %gE_k = cute.slice(%gE, %at)
      cute.copy(%g2sA, %gA_k, %wA)
      cute.copy(%g2sB, %gB_k, %wB)
      cute.copy(%g2sE, %gE_k, %wE)
      cute.cp_async_wait_all
      gpu.barrier
      cute.copy(%pair, %pA, %rA)
      cute.copy(%pair, %pB, %rB)
      cute.copy(%indices, %pE, %rE)
      cute.gemm(%mma, %rC, %rA, %rB, %rC, %rE)
      gpu.barrier
    }
    cute.copy(%sums, %rC, %pC)
    gpu.return
  }
}
