// Operands beside A, B and C: pretty and generic forms, types inferred.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: cute-opt %s --cute-print-stock | cute-opt | FileCheck %s
// RUN: cute-opt %s --cute-print-stock | FileCheck %s --check-prefix=STOCK

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">

// Half of A's 64 columns are stored. Thread 0 of a quad has the indices of 8 of
// them in two rows, thread 1 of the next 8.
// CHECK-LABEL: func.func @sparse
func.func @sparse(%m: !mma, %a: !cute.tensor<f16, gmem, align<16>, "(64,32):(32,1)">, %b: !cute.tensor<f16, gmem, align<16>, "(16,64):(64,1)">, %c: !cute.tensor<f32, gmem, align<16>, "(64,16):(16,1)">, %e: !cute.tensor<ui2, gmem, align<16>, "(64,32):(32,1)">, %i: i32) {
  // CHECK: %[[A:.*]] = cute.partition_operand<"A"> ({{.*}}) : ({{.*}}, i32) -> !cute.tensor<f16, gmem, align<4>, "((2,2,2),2,2):((1,256,8),1024,16)">
  %pa = cute.partition_operand<"A"> (%m, %a, %i)
  %qa = cute.partition_a(%m, %a, %i)
  %pb = cute.partition_operand<"B"> (%m, %b, %i)
  %pc = cute.partition_operand<"C"> (%m, %c, %i)
  // CHECK: %[[E:.*]] = cute.partition_operand<"E"> ({{.*}}) : ({{.*}}, i32) -> !cute.tensor<ui2, gmem, align<2>, "((8,2),2,2):((1,256),1024,16)">
  // GENERIC: "cute.partition_operand"(%{{.*}}, %{{.*}}, %{{.*}}) <{operand = "E"}> : (!cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">, !cute.tensor<ui2, "gmem", 16 : i64, "(64,32):(32,1)">, i32) -> !cute.tensor<ui2, "gmem", 2 : i64, "((8,2),2,2):((1,256),1024,16)">
  %pe = cute.partition_operand<"E">(%m, %e, %i)
  // CHECK: cute.make_fragment_operand<"A"> (%{{.*}}, %[[A]]) : ({{.*}}) -> !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),16,8)">
  %fa = cute.make_fragment_operand<"A"> (%m, %pa)
  %fb = cute.make_fragment_operand<"B"> (%m, %pb)
  %fc = cute.make_fragment_operand<"C"> (%m, %pc)
  // CHECK: cute.make_fragment_operand<"E"> (%{{.*}}, %[[E]]) : ({{.*}}) -> !cute.tensor<ui2, rmem, align<16>, "((8,2),2,2):((1,8),32,16)">
  // GENERIC: "cute.make_fragment_operand"({{.*}}) <{operand = "E"}> : ({{.*}}) -> !cute.tensor<ui2, "rmem", 16 : i64, "((8,2),2,2):((1,8),32,16)">
  %fe = cute.make_fragment_operand<"E"> (%m, %pe)
  // CHECK: cute.gemm(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !cute.tiled_mma<{{.*}}>, {{.*}}, !cute.tensor<ui2, rmem, align<16>, "((8,2),2,2):((1,8),32,16)">
  // GENERIC: "cute.gemm"({{.*}}) : ({{.*}}, !cute.tensor<ui2, "rmem", 16 : i64, "((8,2),2,2):((1,8),32,16)">) -> ()
  // STOCK: "cute.gemm"({{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0>} :
  cute.gemm(%m, %fc, %fa, %fb, %fc, %fe)
  return
}

// CHECK-LABEL: func.func @scaled
func.func @scaled(%a: !cute.tensor<f4E2M1FN, rmem, align<16>, "32:1">, %b: !cute.tensor<f4E2M1FN, rmem, align<16>, "16:1">, %c: !cute.tensor<f32, rmem, align<16>, "4:1">, %s: !cute.tensor<f8E8M0FNU, rmem, align<16>, "2:1">, %t: !cute.tensor<f8E8M0FNU, smem, align<16>, "2:1">) {
  %m = cute.static : !cute.mma_atom<"SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,32>">
  // CHECK: cute.mma_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}, !cute.tensor<f8E8M0FNU, rmem, align<16>, "2:1">, !cute.tensor<f8E8M0FNU, smem, align<16>, "2:1">
  // GENERIC: "cute.mma_atom_call"({{.*}}) : ({{.*}}, !cute.tensor<f8E8M0FNU, "rmem", 16 : i64, "2:1">, !cute.tensor<f8E8M0FNU, "smem", 16 : i64, "2:1">) -> ()
  // STOCK: "cute.mma_atom_call"({{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0>} :
  cute.mma_atom_call(%m, %c, %a, %b, %c, %s, %t)
  return
}

// Layouts over the (M,K) tile of what is stored; SFB's over (N,K).
// CHECK-LABEL: func.func @tv_layouts
func.func @tv_layouts(%m: !mma) {
  // CHECK: cute.get_tv_layout<"A"> ({{.*}} -> !cute.layout<"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">
  %a = cute.get_tv_layout<"A"> (%m)
  // CHECK: cute.get_tv_layout<"E"> ({{.*}} -> !cute.layout<"((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))">
  %e = cute.get_tv_layout<"E"> (%m)
  %s = cute.static : !cute.mma_atom<"SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,32>">
  // CHECK: cute.get_tv_layout<"E"> ({{.*}} -> !cute.layout<"((2,2,8),16):((8,256,1),16)">
  %f = cute.get_tv_layout<"E"> (%s)
  // CHECK: cute.get_tv_layout<"SFA"> ({{.*}} -> !cute.layout<"((2,2,8),4):((8,0,1),16)">
  %g = cute.get_tv_layout<"SFA"> (%s)
  // CHECK: cute.get_tv_layout<"SFB"> ({{.*}} -> !cute.layout<"((4,8),4):((0,1),8)">
  %h = cute.get_tv_layout<"SFB"> (%s)
  return
}
