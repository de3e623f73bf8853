// Every MMA atom of sm_80 that is compiled: the instruction, and which elements of
// row-major A (16xK), B (8xK) and C (16x8) its registers hold, as the PTX ISA draws
// them: register 0 of A is row t / 4, columns 2 (t % 4) and the next; the others lie
// 8 rows below, 8 columns right, and both. Register 1 of B is 8 columns right of
// register 0, and the second half of C and D 8 rows below the first.
// RUN: cutec %s -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=NVVM

!one = !cute.layout<"(1,1,1):(0,0,0)">

gpu.module @mma {
  // NVVM-LABEL: gpu.func @k8_f16_f16(
  // NVVM: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}]
  // NVVM-SAME: layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>
  // NVVM-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // NVVM-SAME: (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  // CHECK-LABEL: .entry k8_f16_f16(
  // CHECK-DAG: ld.global.b32 %[[A0:r[0-9]+]], [%[[PA:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[A1:r[0-9]+]], [%[[PA]]+128];
  // CHECK-DAG: ld.global.b32 %[[B0:r[0-9]+]], [%[[PB:rd[0-9]+]]];
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[A0]], %[[A1]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[B0]]{{[}]}},
  // CHECK: st.global.b32 [%[[PC:rd[0-9]+]]], %[[D0]];
  // CHECK: st.global.b32 [%[[PC]]+128], %[[D1]];
  gpu.func @k8_f16_f16(%A: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,8):(8,1)">, %C: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %a = cute.static : !cute.mma_atom<"SM80_16x8x8_F16F16F16F16_TN">
    %one = cute.static : !one
    %m = cute.make_tiled_mma(%a, %one)
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %store = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    cute.copy(%load, %pA, %rA)
    cute.copy(%load, %pB, %rB)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    cute.copy(%store, %rC, %pC)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @k16_f16_f16(
  // NVVM: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}, %{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}]
  // NVVM-SAME: layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>
  // NVVM-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // NVVM-SAME: (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  // CHECK-LABEL: .entry k16_f16_f16(
  // CHECK-DAG: ld.global.b32 %[[A0:r[0-9]+]], [%[[PA:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[A1:r[0-9]+]], [%[[PA]]+256];
  // CHECK-DAG: ld.global.b32 %[[A2:r[0-9]+]], [%[[PA]]+16];
  // CHECK-DAG: ld.global.b32 %[[A3:r[0-9]+]], [%[[PA]]+272];
  // CHECK-DAG: ld.global.b32 %[[B0:r[0-9]+]], [%[[PB:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[B1:r[0-9]+]], [%[[PB]]+16];
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[A0]], %[[A1]], %[[A2]], %[[A3]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[B0]], %[[B1]]{{[}]}},
  // CHECK: st.global.b32 [%[[PC:rd[0-9]+]]], %[[D0]];
  // CHECK: st.global.b32 [%[[PC]]+128], %[[D1]];
  gpu.func @k16_f16_f16(%A: !cute.tensor<f16, gmem, align<16>, "(16,16):(16,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,16):(16,1)">, %C: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F16F16F16F16_TN">
    %one = cute.static : !one
    %m = cute.make_tiled_mma(%a, %one)
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %store = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    cute.copy(%load, %pA, %rA)
    cute.copy(%load, %pB, %rB)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    cute.copy(%store, %rC, %pC)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @k8_f16_f32(
  // NVVM: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]
  // NVVM-SAME: layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>
  // NVVM-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // NVVM-SAME: (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-LABEL: .entry k8_f16_f32(
  // CHECK-DAG: ld.global.b32 %[[A0:r[0-9]+]], [%[[PA:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[A1:r[0-9]+]], [%[[PA]]+128];
  // CHECK-DAG: ld.global.b32 %[[B0:r[0-9]+]], [%[[PB:rd[0-9]+]]];
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]], %[[D2:r[0-9]+]], %[[D3:r[0-9]+]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[A0]], %[[A1]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[B0]]{{[}]}},
  // CHECK: st.global.v2.b32 [%[[PC:rd[0-9]+]]], {{[{]}}%[[D0]], %[[D1]]{{[}]}};
  // CHECK: st.global.v2.b32 [%[[PC]]+256], {{[{]}}%[[D2]], %[[D3]]{{[}]}};
  gpu.func @k8_f16_f32(%A: !cute.tensor<f16, gmem, align<16>, "(16,8):(8,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,8):(8,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %a = cute.static : !cute.mma_atom<"SM80_16x8x8_F32F16F16F32_TN">
    %one = cute.static : !one
    %m = cute.make_tiled_mma(%a, %one)
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

  // NVVM-LABEL: gpu.func @k16_f16_f32(
  // NVVM: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}, %{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]
  // NVVM-SAME: layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>
  // NVVM-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // NVVM-SAME: (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-LABEL: .entry k16_f16_f32(
  // CHECK-DAG: ld.global.b32 %[[A0:r[0-9]+]], [%[[PA:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[A1:r[0-9]+]], [%[[PA]]+256];
  // CHECK-DAG: ld.global.b32 %[[A2:r[0-9]+]], [%[[PA]]+16];
  // CHECK-DAG: ld.global.b32 %[[A3:r[0-9]+]], [%[[PA]]+272];
  // CHECK-DAG: ld.global.b32 %[[B0:r[0-9]+]], [%[[PB:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[B1:r[0-9]+]], [%[[PB]]+16];
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]], %[[D2:r[0-9]+]], %[[D3:r[0-9]+]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[A0]], %[[A1]], %[[A2]], %[[A3]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[B0]], %[[B1]]{{[}]}},
  // CHECK: st.global.v2.b32 [%[[PC:rd[0-9]+]]], {{[{]}}%[[D0]], %[[D1]]{{[}]}};
  // CHECK: st.global.v2.b32 [%[[PC]]+256], {{[{]}}%[[D2]], %[[D3]]{{[}]}};
  gpu.func @k16_f16_f32(%A: !cute.tensor<f16, gmem, align<16>, "(16,16):(16,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,16):(16,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %one = cute.static : !one
    %m = cute.make_tiled_mma(%a, %one)
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

  // NVVM-LABEL: gpu.func @k8_bf16_f32(
  // NVVM: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]
  // NVVM-SAME: layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>
  // NVVM-SAME: multiplicandAPtxType = #nvvm.mma_type<bf16>
  // NVVM-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // NVVM-SAME: (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-LABEL: .entry k8_bf16_f32(
  // CHECK-DAG: ld.global.b32 %[[A0:r[0-9]+]], [%[[PA:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[A1:r[0-9]+]], [%[[PA]]+128];
  // CHECK-DAG: ld.global.b32 %[[B0:r[0-9]+]], [%[[PB:rd[0-9]+]]];
  // CHECK: mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]], %[[D2:r[0-9]+]], %[[D3:r[0-9]+]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[A0]], %[[A1]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[B0]]{{[}]}},
  // CHECK: st.global.v2.b32 [%[[PC:rd[0-9]+]]], {{[{]}}%[[D0]], %[[D1]]{{[}]}};
  // CHECK: st.global.v2.b32 [%[[PC]]+256], {{[{]}}%[[D2]], %[[D3]]{{[}]}};
  gpu.func @k8_bf16_f32(%A: !cute.tensor<bf16, gmem, align<16>, "(16,8):(8,1)">, %B: !cute.tensor<bf16, gmem, align<16>, "(8,8):(8,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %a = cute.static : !cute.mma_atom<"SM80_16x8x8_F32BF16BF16F32_TN">
    %one = cute.static : !one
    %m = cute.make_tiled_mma(%a, %one)
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", bf16>
    %store = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    cute.copy(%load, %pA, %rA)
    cute.copy(%load, %pB, %rB)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    cute.copy(%store, %rC, %pC)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @k16_bf16_f32(
  // NVVM: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}, %{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]
  // NVVM-SAME: layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>
  // NVVM-SAME: multiplicandAPtxType = #nvvm.mma_type<bf16>
  // NVVM-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>
  // NVVM-SAME: (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK-LABEL: .entry k16_bf16_f32(
  // CHECK-DAG: ld.global.b32 %[[A0:r[0-9]+]], [%[[PA:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[A1:r[0-9]+]], [%[[PA]]+256];
  // CHECK-DAG: ld.global.b32 %[[A2:r[0-9]+]], [%[[PA]]+16];
  // CHECK-DAG: ld.global.b32 %[[A3:r[0-9]+]], [%[[PA]]+272];
  // CHECK-DAG: ld.global.b32 %[[B0:r[0-9]+]], [%[[PB:rd[0-9]+]]];
  // CHECK-DAG: ld.global.b32 %[[B1:r[0-9]+]], [%[[PB]]+16];
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]], %[[D2:r[0-9]+]], %[[D3:r[0-9]+]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[A0]], %[[A1]], %[[A2]], %[[A3]]{{[}]}},
  // CHECK-NEXT: {{[{]}}%[[B0]], %[[B1]]{{[}]}},
  // CHECK: st.global.v2.b32 [%[[PC:rd[0-9]+]]], {{[{]}}%[[D0]], %[[D1]]{{[}]}};
  // CHECK: st.global.v2.b32 [%[[PC]]+256], {{[{]}}%[[D2]], %[[D3]]{{[}]}};
  gpu.func @k16_bf16_f32(%A: !cute.tensor<bf16, gmem, align<16>, "(16,16):(16,1)">, %B: !cute.tensor<bf16, gmem, align<16>, "(8,16):(16,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32BF16BF16F32_TN">
    %one = cute.static : !one
    %m = cute.make_tiled_mma(%a, %one)
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    %load = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", bf16>
    %store = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    cute.copy(%load, %pA, %rA)
    cute.copy(%load, %pB, %rB)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    cute.copy(%store, %rC, %pC)
    gpu.return
  }
}
