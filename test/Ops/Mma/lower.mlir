// gemm accumulates in place over k-blocks, and D may differ from C.
// RUN: cutec %s -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=NVVM --implicit-check-not=cute.

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!acc = !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

gpu.module @gemm {
  // The sums of the first k-block go into the second.
  // CHECK-LABEL: .entry chain(
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]], %[[D1:r[0-9]+]], %[[D2:r[0-9]+]], %[[D3:r[0-9]+]]{{[}]}},
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  // CHECK-NEXT: {{[{]}}%[[E0:r[0-9]+]], %[[E1:r[0-9]+]], %{{r[0-9]+}}, %{{r[0-9]+}}{{[}]}},
  // CHECK: {{[{]}}%[[D0]], %[[D1]], %[[D2]], %[[D3]]{{[}]}};
  // CHECK-NOT: mma.sync
  // CHECK: st.global.v2.b32 [%{{.*}}], {{[{]}}%[[E0]], %[[E1]]{{[}]}};
  // NVVM-LABEL: gpu.func @chain(
  // NVVM-COUNT-2: nvvm.mma.sync
  // NVVM-NOT: nvvm.mma.sync
  // NVVM: gpu.return
  gpu.func @chain(%A: !cute.tensor<f16, gmem, align<16>, "(16,32):(32,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(8,32):(32,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">, %i: i32) kernel {
    %m = cute.static : !mma
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

  // D is not C: C, all ones, stays as it is.
  // CHECK-LABEL: .entry separate(
  // CHECK: mov.b32 %[[ONE:r[0-9]+]], {{(0f3F800000|1065353216)}};
  // CHECK: mma.sync
  // CHECK-NEXT: {{[{]}}%[[D0:r[0-9]+]],
  // CHECK: {{[{]}}%[[ONE]], %[[ONE]], %[[ONE]], %[[ONE]]{{[}]}};
  // CHECK: st.global.v4.b32 [%{{rd[0-9]+}}], {{[{]}}%[[D0]],
  // CHECK: st.global.v4.b32 [%{{rd[0-9]+}}+16], {{.*}}0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000
  gpu.func @separate(%x: f16, %t: !cute.tensor<f32, gmem, align<16>, "(4,2):(1,4)">) kernel {
    %m = cute.static : !mma
    %la = cute.static : !cute.layout<"((2,2,2),1,1):((1,2,4),0,0)">
    %lb = cute.static : !cute.layout<"((2,2),1,1):((1,2),0,0)">
    %a = cute.make_fragment<f16> (%la)
    %b = cute.make_fragment<f16> (%lb)
    %c = cute.make_fragment<f32> (%lb)
    %d = cute.make_fragment<f32> (%lb)
    cute.fill(%a, %x) : !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, f16
    cute.fill(%b, %x) : !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, f16
    %one = arith.constant 1.0 : f32
    cute.fill(%c, %one) : !acc, f32
    cute.gemm(%m, %d, %a, %b, %c)
    %s = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %c0 = cute.static : !cute.coord<"(_,0)">
    %c1 = cute.static : !cute.coord<"(_,1)">
    %t0 = cute.slice(%t, %c0)
    %t1 = cute.slice(%t, %c1)
    cute.copy(%s, %d, %t0)
    cute.copy(%s, %c, %t1)
    gpu.return
  }

  // Values of A in another order of registers are gathered into pairs.
  // NVVM-LABEL: gpu.func @gathered(
  // NVVM: %[[P:.*]] = llvm.mlir.poison : vector<2xf16>
  // NVVM: %[[Q:.*]] = llvm.insertelement %{{.*}}, %[[P]]
  // NVVM: llvm.insertelement %{{.*}}, %[[Q]]
  // NVVM: nvvm.mma.sync
  gpu.func @gathered(%x: f16) kernel {
    %a = cute.static : !cute.mma_atom<"SM80_16x8x8_F32F16F16F32_TN">
    %la = cute.static : !cute.layout<"((2,2)):((2,1))">
    %lb = cute.static : !cute.layout<"(2):(1)">
    %lc = cute.static : !cute.layout<"((2,2)):((1,2))">
    %fa = cute.make_fragment<f16> (%la)
    %fb = cute.make_fragment<f16> (%lb)
    %fc = cute.make_fragment<f32> (%lc)
    cute.fill(%fa, %x) : !cute.tensor<f16, rmem, align<16>, "((2,2)):((2,1))">, f16
    cute.fill(%fb, %x) : !cute.tensor<f16, rmem, align<16>, "(2):(1)">, f16
    cute.clear(%fc)
    cute.mma_atom_call(%a, %fc, %fa, %fb, %fc)
    gpu.return
  }

  // From shared memory a register is one access where its values are neighbours,
  // as in rows of A, and one for each value elsewhere, as across columns of B.
  // NVVM-LABEL: gpu.func @shared(
  // NVVM-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> vector<2xf16>
  // NVVM-NOT: -> vector<2xf16>
  // NVVM: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> f16
  // NVVM: nvvm.mma.sync
  gpu.func @shared(%i: i32) kernel {
    %m = cute.static : !mma
    %la = cute.static : !cute.layout<"(16,16):(24,1)">
    %lb = cute.static : !cute.layout<"(8,16):(1,8)">
    %lc = cute.static : !cute.layout<"((2,2),1,1):((1,2),0,0)">
    %A = cute.alloc_smem<f16, 16> (%la)
    %B = cute.alloc_smem<f16, 16> (%lb)
    %a = cute.partition_a(%m, %A, %i)
    %b = cute.partition_b(%m, %B, %i)
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }
}
