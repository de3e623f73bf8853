// The instruction follows from the row: nvvm.mma.sync where NVVM has it, else inline
// PTX, and registers of 32 bits that consecutive values share, except f64.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.

gpu.module @instructions {
  // CHECK-LABEL: gpu.func @wraps(
  // CHECK: nvvm.mma.sync A[%{{[0-9]+}}] B[%{{[0-9]+}}] C[%{{[0-9]+}}, %{{[0-9]+}}]{{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>{{.*}}multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  gpu.func @wraps() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_8x8x16_S32S8U8S32_TN">
    %la = cute.static : !cute.layout<"(4):(1)">
    %a = cute.make_fragment<i8> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(4):(1)">
    %b = cute.make_fragment<ui8> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(2):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @saturates(
  // CHECK: %{{.*}} = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i32
  // CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}, %{{[0-9]+}}]{{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>{{.*}}multiplicandAPtxType = #nvvm.mma_type<u4>, multiplicandBPtxType = #nvvm.mma_type<s4>
  gpu.func @saturates() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_16x8x64_S32U4S4S32_TN_SATURATE">
    %la = cute.static : !cute.layout<"(32):(1)">
    %a = cute.make_fragment<ui4> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(16):(1)">
    %b = cute.make_fragment<i4> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(4):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @and_bits(
  // CHECK: nvvm.mma.sync A[%{{[0-9]+}}, %{{[0-9]+}}] B[%{{[0-9]+}}]{{.*}}b1Op = #nvvm.mma_b1op<and_popc>{{.*}}multiplicandAPtxType = #nvvm.mma_type<b1>
  gpu.func @and_bits() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_16x8x128_S32U1U1S32_TN_ANDPOPC">
    %la = cute.static : !cute.layout<"(64):(1)">
    %a = cute.make_fragment<ui1> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(32):(1)">
    %b = cute.make_fragment<ui1> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(4):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @xor_bits(
  // CHECK: nvvm.mma.sync {{.*}}b1Op = #nvvm.mma_b1op<xor_popc>
  gpu.func @xor_bits() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_8x8x128_S32U1U1S32_TN_XORPOPC">
    %la = cute.static : !cute.layout<"(32):(1)">
    %a = cute.make_fragment<ui1> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(32):(1)">
    %b = cute.make_fragment<ui1> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(2):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @columns(
  // CHECK: nvvm.mma.sync {{.*}}layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<row>
  gpu.func @columns() kernel {
    %m = cute.static : !cute.mma_atom<"SM70_8x8x4_F32F16F16F32_NT">
    %la = cute.static : !cute.layout<"(4):(1)">
    %a = cute.make_fragment<f16> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(4):(1)">
    %b = cute.make_fragment<f16> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(8):(1)">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @columns_by_columns(
  // CHECK: nvvm.mma.sync {{.*}}layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<col>
  gpu.func @columns_by_columns() kernel {
    %m = cute.static : !cute.mma_atom<"SM70_8x8x4_F16F16F16F16_NN">
    %la = cute.static : !cute.layout<"(4):(1)">
    %a = cute.make_fragment<f16> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(4):(1)">
    %b = cute.make_fragment<f16> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(8):(1)">
    %c = cute.make_fragment<f16> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rows_by_rows(
  // CHECK: nvvm.mma.sync {{.*}}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>
  gpu.func @rows_by_rows() kernel {
    %m = cute.static : !cute.mma_atom<"SM70_8x8x4_F16F16F16F16_TT">
    %la = cute.static : !cute.layout<"(4):(1)">
    %a = cute.make_fragment<f16> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(4):(1)">
    %b = cute.make_fragment<f16> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(8):(1)">
    %c = cute.make_fragment<f16> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @tf32(
  // CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>{{.*}} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  gpu.func @tf32() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_16x8x8_F32TF32TF32F32_TN">
    %la = cute.static : !cute.layout<"(4):(1)">
    %a = cute.make_fragment<tf32> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(2):(1)">
    %b = cute.make_fragment<tf32> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(4):(1)">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f64(
  // CHECK: nvvm.mma.sync {{.*}} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  gpu.func @f64() kernel {
    %m = cute.static : !cute.mma_atom<"SM80_8x8x4_F64F64F64F64_TN">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<f64> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<f64> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(2):(1)">
    %c = cute.make_fragment<f64> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @fp8(
  // CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16 {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};", "=r,=r,r,r,r,r,r,r,r,r" %
  gpu.func @fp8() kernel {
    %m = cute.static : !cute.mma_atom<"SM89_16x8x32_F16E4M3E5M2F16_TN">
    %la = cute.static : !cute.layout<"(16):(1)">
    %a = cute.make_fragment<f8E4M3FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(8):(1)">
    %b = cute.make_fragment<f8E5M2> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(4):(1)">
    %c = cute.make_fragment<f16> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @spread(
  // CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i32
  // CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i16
  // CHECK: %[[W:.*]] = arith.extui %[[X]] : i16 to i32
  // CHECK: %[[M:.*]] = arith.constant 15 : i32
  // CHECK: %[[E:.*]] = arith.andi %[[W]], %[[M]] : i32
  // CHECK: %[[S:.*]] = arith.constant 2 : i32
  // CHECK: arith.shli %[[E]], %[[S]] : i32
  // CHECK: %[[M1:.*]] = arith.constant 240 : i32
  // CHECK: %[[E1:.*]] = arith.andi %[[W]], %[[M1]] : i32
  // CHECK: %[[S1:.*]] = arith.constant 6 : i32
  // CHECK: arith.shli %[[E1]], %[[S1]] : i32
  // CHECK: llvm.inline_asm "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2.e2m1.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %
  gpu.func @spread() kernel {
    %m = cute.static : !cute.mma_atom<"SM120_16x8x32_TN<float_e3m2_t,float_e2m1_t,float>">
    %la = cute.static : !cute.layout<"(16):(1)">
    %a = cute.make_fragment<f6E3M2FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(8):(1)">
    %b = cute.make_fragment<f4E2M1FN> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(4):(1)">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @dp4a(
  // CHECK: llvm.inline_asm "dp4a.s32.s32 $0, $1, $2, $3;", "=r,r,r,r" %
  gpu.func @dp4a() kernel {
    %m = cute.static : !cute.mma_atom<"SM61_DP4A">
    %la = cute.static : !cute.layout<"(4):(1)">
    %a = cute.make_fragment<i8> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(4):(1)">
    %b = cute.make_fragment<i8> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @fma(
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: llvm.intr.fma(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
  gpu.func @fma() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<float,half_t,half_t,float>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<f16> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<f16> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @mad(
  // CHECK: %[[P:.*]] = arith.muli %{{.*}} : i32
  // CHECK: arith.addi %[[P]], %{{.*}} : i32
  gpu.func @mad() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<int,int,int,int>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<i32> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<i32> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // A and B in the type of D, by their signs.
  // CHECK-LABEL: gpu.func @mad_wide(
  // CHECK: %[[A:.*]] = arith.extsi %{{.*}} : i8 to i32
  // CHECK: %[[B:.*]] = arith.extui %{{.*}} : i8 to i32
  // CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : i32
  // CHECK: arith.addi %[[P]], %{{.*}} : i32
  gpu.func @mad_wide() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<int,int8_t,uint8_t,int>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<i8> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<ui8> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<i32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @mad_unsigned(
  // CHECK: %[[A:.*]] = arith.extui %{{.*}} : i32 to i64
  // CHECK: %[[B:.*]] = arith.extui %{{.*}} : i32 to i64
  // CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : i64
  // CHECK: arith.addi %[[P]], %{{.*}} : i64
  gpu.func @mad_unsigned() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<uint64_t,uint32_t,uint32_t,uint64_t>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<ui32> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<ui32> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<ui64> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @mad_small(
  // CHECK-NOT: arith.ext
  // CHECK: %[[P:.*]] = arith.muli %{{.*}} : i8
  // CHECK: arith.addi %[[P]], %{{.*}} : i8
  gpu.func @mad_small() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<int8_t>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<i8> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<i8> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<i8> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @fma_fp8(
  // CHECK: llvm.inline_asm "cvt.rn.f16x2.e4m3x2 $0, $1;"
  // CHECK: %[[A:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: llvm.inline_asm "cvt.rn.f16x2.e5m2x2 $0, $1;"
  // CHECK: %[[B:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: llvm.intr.fma(%[[A]], %[[B]], %{{.*}}) : (f32, f32, f32) -> f32
  gpu.func @fma_fp8() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<float,float_e4m3_t,float_e5m2_t,float>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<f8E4M3FN> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<f8E5M2> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<f32> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @fma_double(
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  // CHECK: arith.extf %{{.*}} : bf16 to f64
  // CHECK: llvm.intr.fma({{.*}}) : (f64, f64, f64) -> f64
  gpu.func @fma_double() kernel {
    %m = cute.static : !cute.mma_atom<"UniversalFMA<double,bfloat16_t,bfloat16_t,double>">
    %la = cute.static : !cute.layout<"(1):(1)">
    %a = cute.make_fragment<bf16> (%la)
    cute.clear(%a)
    %lb = cute.static : !cute.layout<"(1):(1)">
    %b = cute.make_fragment<bf16> (%lb)
    cute.clear(%b)
    %lc = cute.static : !cute.layout<"(1):(1)">
    %c = cute.make_fragment<f64> (%lc)
    cute.clear(%c)
    cute.gemm(%m, %c, %a, %b, %c)
    gpu.return
  }
}
