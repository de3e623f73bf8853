// Instructions that take more than A, B and C: metadata and scale factors are the
// lowest bits of a register each, and the selectors are 0.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s --arch=sm_120a --no-manifest -o - | FileCheck %s --check-prefix=PTX

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

gpu.module @operands {
  // The indices of 16 elements are two loads of 16 bits, of rows 8 apart. Both
  // calls for one k take the same.
  // PTX-LABEL: .entry partition(
  // PTX: ld.global.b16 %[[HIGH:r[0-9]+]], [%{{rd[0-9]+}}+64];
  // PTX: shl.b32 %[[S:r[0-9]+]], %[[HIGH]], 16;
  // PTX: or.b32 %[[E:r[0-9]+]], %[[S]], %{{r[0-9]+}};
  // PTX: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {{.*}}, %[[E]], 0x0;
  // PTX: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {{.*}}, %[[E]], 0x0;
  // PTX-COUNT-2: mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32
  // PTX-NOT: mma.sp
  // PTX: ret;
  // CHECK-LABEL: gpu.func @partition(
  // CHECK-COUNT-4: llvm.inline_asm "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9, $10, $11}, {$12, $13, $14, $15}, $16, 0x0;", "=f,=f,=f,=f,r,r,r,r,r,r,r,r,f,f,f,f,r" %
  gpu.func @partition(%A: !cute.tensor<f16, gmem, align<16>, "(16,32):(32,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(16,64):(64,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,16):(16,1)">, %E: !cute.tensor<ui2, gmem, align<16>, "(16,32):(32,1)">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %m = cute.static : !mma
    %pA = cute.partition_operand<"A"> (%m, %A, %i)
    %pB = cute.partition_operand<"B"> (%m, %B, %i)
    %pC = cute.partition_operand<"C"> (%m, %C, %i)
    %rA = cute.make_fragment_operand<"A"> (%m, %pA)
    %rB = cute.make_fragment_operand<"B"> (%m, %pB)
    %rC = cute.make_fragment_operand<"C"> (%m, %pC)
    %pE = cute.partition_operand<"E"> (%m, %E, %i)
    %rE = cute.make_fragment_operand<"E"> (%m, %pE)
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %sums = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    %indices = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>
    cute.copy(%pair, %pA, %rA)
    cute.copy(%pair, %pB, %rB)
    cute.copy(%indices, %pE, %rE)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC, %rE)
    cute.copy(%sums, %rC, %pC)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @tf32(
  // CHECK: llvm.inline_asm "mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5}, {$6, $7}, {$8, $9, $10, $11}, $12, 0x0;", "=f,=f,=f,=f,r,r,r,r,f,f,f,f,r" %
  gpu.func @tf32() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_SPARSE_16x8x8_F32TF32TF32F32_TN">
    %la = cute.static : !cute.layout<"2:1">
    %a = cute.make_fragment<tf32> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"2:1">
    %b = cute.make_fragment<tf32> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    %le = cute.static : !cute.layout<"8:1">
    %e = cute.make_fragment<ui4> (%le)
    cute.clear(%e)
    cute.gemm(%m, %c, %a, %b, %c, %e)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @s8(
  // CHECK: llvm.inline_asm "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {$0, $1, $2, $3}, {$4, $5}, {$6, $7}, {$8, $9, $10, $11}, $12, 0x0;", "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r" %
  gpu.func @s8() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_SPARSE_16x8x32_S32S8U8S32_TN_SATURATE">
    %la = cute.static : !cute.layout<"8:1">
    %a = cute.make_fragment<i8> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"8:1">
    %b = cute.make_fragment<ui8> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    %le = cute.static : !cute.layout<"16:1">
    %e = cute.make_fragment<ui2> (%le)
    cute.clear(%e)
    cute.gemm(%m, %c, %a, %b, %c, %e)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @s4(
  // CHECK: llvm.inline_asm "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.s32.s4.u4.s32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9, $10, $11}, {$12, $13, $14, $15}, $16, 0x0;", "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r,r,r,r" %
  gpu.func @s4() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_SPARSE_16x8x128_S32S4U4S32_TN">
    %la = cute.static : !cute.layout<"32:1">
    %a = cute.make_fragment<i4> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"32:1">
    %b = cute.make_fragment<ui4> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    %le = cute.static : !cute.layout<"16:1">
    %e = cute.make_fragment<ui2> (%le)
    cute.clear(%e)
    cute.gemm(%m, %c, %a, %b, %c, %e)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @fp8(
  // CHECK: llvm.inline_asm "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9, $10, $11}, {$12, $13, $14, $15}, $16, 0x0;", "=f,=f,=f,=f,r,r,r,r,r,r,r,r,f,f,f,f,r" %
  gpu.func @fp8() kernel {
    %m = cute.static : !cute.mma_atom<"SM89_SPARSE_16x8x64_F32E4M3E5M2F32_TN">
    %la = cute.static : !cute.layout<"16:1">
    %a = cute.make_fragment<f8E4M3FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"16:1">
    %b = cute.make_fragment<f8E5M2> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    %le = cute.static : !cute.layout<"16:1">
    %e = cute.make_fragment<ui2> (%le)
    cute.clear(%e)
    cute.gemm(%m, %c, %a, %b, %c, %e)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @factors_1(
  // CHECK: %[[F:.*]] = llvm.load {{.*}} : !llvm.ptr -> i8
  // CHECK: arith.extui %[[F]] : i8 to i32
  // CHECK: llvm.inline_asm "mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e3m2.f32.ue8m0 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13}, {$14}, {0, 0}, {$15}, {0, 0};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,r" %
  gpu.func @factors_1() kernel {
    %m = cute.static : !cute.mma_atom<"SM120_16x8x32_TN_VS<float_e4m3_t,float_e3m2_t,float,float_ue8m0_t,32>">
    %la = cute.static : !cute.layout<"16:1">
    %a = cute.make_fragment<f8E4M3FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"8:1">
    %b = cute.make_fragment<f6E3M2FN> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    %ls = cute.static : !cute.layout<"1:1">
    %s = cute.make_fragment<f8E8M0FNU> (%ls)
    cute.clear(%s)
    %lt = cute.static : !cute.layout<"1:1">
    %t = cute.make_fragment<f8E8M0FNU> (%lt)
    cute.clear(%t)
    cute.gemm(%m, %c, %a, %b, %c, %s, %t)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @factors_2(
  // CHECK: %[[F:.*]] = llvm.load {{.*}} : !llvm.ptr -> i16
  // CHECK: arith.extui %[[F]] : i16 to i32
  // CHECK: llvm.inline_asm "mma.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13}, {$14}, {0, 0}, {$15}, {0, 0};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,r" %
  gpu.func @factors_2() kernel {
    %m = cute.static : !cute.mma_atom<"SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,32>">
    %la = cute.static : !cute.layout<"32:1">
    %a = cute.make_fragment<f4E2M1FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"16:1">
    %b = cute.make_fragment<f4E2M1FN> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    %ls = cute.static : !cute.layout<"2:1">
    %s = cute.make_fragment<f8E8M0FNU> (%ls)
    cute.clear(%s)
    %lt = cute.static : !cute.layout<"2:1">
    %t = cute.make_fragment<f8E8M0FNU> (%lt)
    cute.clear(%t)
    cute.gemm(%m, %c, %a, %b, %c, %s, %t)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @factors_4(
  // CHECK: llvm.inline_asm "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13}, {$14}, {0, 0}, {$15}, {0, 0};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,r" %
  gpu.func @factors_4() kernel {
    %m = cute.static : !cute.mma_atom<"SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>">
    %la = cute.static : !cute.layout<"32:1">
    %a = cute.make_fragment<f4E2M1FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"16:1">
    %b = cute.make_fragment<f4E2M1FN> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    %ls = cute.static : !cute.layout<"4:1">
    %s = cute.make_fragment<f8E4M3FN> (%ls)
    cute.clear(%s)
    %lt = cute.static : !cute.layout<"4:1">
    %t = cute.make_fragment<f8E4M3FN> (%lt)
    cute.clear(%t)
    cute.gemm(%m, %c, %a, %b, %c, %s, %t)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @both(
  // CHECK: llvm.inline_asm "mma.sync.aligned.kind::mxf4nvf4.sp::ordered_metadata.block_scale.scale_vec::4X.m16n8k128.row.col.f32.e2m1.e2m1.f32.ue4m3 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9, $10, $11}, {$12, $13, $14, $15}, $16, 0x0, {$17}, {0, 0}, {$18}, {0, 0};", "=f,=f,=f,=f,r,r,r,r,r,r,r,r,f,f,f,f,r,r,r" %
  gpu.func @both() kernel {
    %m = cute.static : !cute.mma_atom<"SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,32>">
    %la = cute.static : !cute.layout<"32:1">
    %a = cute.make_fragment<f4E2M1FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"32:1">
    %b = cute.make_fragment<f4E2M1FN> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"4:1">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    %le = cute.static : !cute.layout<"16:1">
    %e = cute.make_fragment<ui2> (%le)
    cute.clear(%e)
    %ls = cute.static : !cute.layout<"4:1">
    %s = cute.make_fragment<f8E4M3FN> (%ls)
    cute.clear(%s)
    %lt = cute.static : !cute.layout<"4:1">
    %t = cute.make_fragment<f8E4M3FN> (%lt)
    cute.clear(%t)
    cute.gemm(%m, %c, %a, %b, %c, %e, %s, %t)
    gpu.return
  }
}
