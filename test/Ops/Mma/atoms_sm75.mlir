// The atoms of sm_75 that are compiled: the instruction of sm_80's.
// RUN: cutec %s --arch=sm_75 -o - | FileCheck %s

!mma32 = !cute.tiled_mma<"SM75_16x8x8_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!mma16 = !cute.tiled_mma<"SM75_16x8x8_F16F16F16F16_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

gpu.module @mma {
  // CHECK-LABEL: .entry f32_sums(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
  gpu.func @f32_sums(%A: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,8):(8,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">, %i: i32) kernel {
    %m = cute.static : !mma32
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %store = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    cute.copy(%load, %pA, %rA)
    cute.copy(%load, %pB, %rB)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    cute.copy(%store, %rC, %pC)
    gpu.return
  }

  // CHECK-LABEL: .entry f16_sums(
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16
  gpu.func @f16_sums(%A: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,8):(8,1)">, %C: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">, %i: i32) kernel {
    %m = cute.static : !mma16
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    cute.copy(%load, %pA, %rA)
    cute.copy(%load, %pB, %rB)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    cute.copy(%load, %rC, %pC)
    gpu.return
  }
}
