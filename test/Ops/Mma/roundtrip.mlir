// Pretty and generic forms of tiled MMAs, partitions, fragments and gemm.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @tiled
func.func @tiled() {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  %l = cute.static : !cute.layout<"(2,2,1):(1,2,0)">
  %s = cute.static : !cute.shape<"(32,32,16)">
  // CHECK: cute.make_tiled_mma(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, !cute.layout<"(2,2,1):(1,2,0)">, !cute.shape<"(32,32,16)">) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
  // GENERIC: "cute.make_tiled_mma"({{.*}}) : ({{.*}}) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
  %m = cute.make_tiled_mma(%a, %l, %s)
  // Without a permutation: as large as the threads cover.
  // CHECK: cute.make_tiled_mma(%{{[^,]*}}, %{{[^,]*}}) : ({{.*}}) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">
  %n = cute.make_tiled_mma(%a, %l)
  // A shape of atoms is its compact layout.
  %atoms = cute.static : !cute.shape<"(2,2,1)">
  // CHECK: cute.make_tiled_mma(%{{[^,]*}}, %{{[^,]*}}) : ({{.*}}, !cute.shape<"(2,2,1)">) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">
  %o = cute.make_tiled_mma(%a, %atoms)
  return
}

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
!d = !cute.tensor<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">

// A (64x32) has 2 atoms along M for a thread, 32 rows apart, and 2 along K; its
// values are pairs of a row, of rows 8 apart and of columns 8 apart.
// CHECK-LABEL: func.func @partitions
func.func @partitions(%m: !mma, %a: !cute.tensor<f16, smem, align<16>, "(64,32):(32,1)">, %b: !cute.tensor<f16, smem, align<16>, "(64,32):(32,1)">, %c: !cute.tensor<f32, gmem, align<16>, "(64,64):(64,1)">, %i: i32) {
  // CHECK: %[[A:.*]] = cute.partition_a({{.*}}) : ({{.*}}, i32) -> !cute.tensor<f16, smem, align<4>, "((2,2,2),2,2):((1,256,8),1024,16)">
  // GENERIC: "cute.partition_a"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.tensor<f16, "smem", 16 : i64, "(64,32):(32,1)">, i32) -> !cute.tensor<f16, "smem", 4 : i64, "((2,2,2),2,2):((1,256,8),1024,16)">
  %pa = cute.partition_a(%m, %a, %i)
  // CHECK: %[[B:.*]] = cute.partition_b({{.*}}) : ({{.*}}, i32) -> !cute.tensor<f16, smem, align<4>, "((2,2),4,2):((1,8),512,16)">
  // GENERIC: "cute.partition_b"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.tensor<f16, "smem", 16 : i64, "(64,32):(32,1)">, i32) -> !cute.tensor<f16, "smem", 4 : i64, "((2,2),4,2):((1,8),512,16)">
  %pb = cute.partition_b(%m, %b, %i)
  // CHECK: %[[C:.*]] = cute.partition_c({{.*}}) : ({{.*}}, i32) -> !cute.tensor<f32, gmem, align<8>, "((2,2),2,4):((1,512),2048,16)">
  // GENERIC: "cute.partition_c"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.tensor<f32, "gmem", 16 : i64, "(64,64):(64,1)">, i32) -> !cute.tensor<f32, "gmem", 8 : i64, "((2,2),2,4):((1,512),2048,16)">
  %pc = cute.partition_c(%m, %c, %i)
  // CHECK: %[[FA:.*]] = cute.make_fragment_a(%{{.*}}, %[[A]]) : ({{.*}}) -> !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),16,8)">
  // GENERIC: "cute.make_fragment_a"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.tensor<f16, "smem", 4 : i64, "((2,2,2),2,2):((1,256,8),1024,16)">) -> !cute.tensor<f16, "rmem", 16 : i64, "((2,2,2),2,2):((1,2,4),16,8)">
  %fa = cute.make_fragment_a(%m, %pa)
  // CHECK: %[[FB:.*]] = cute.make_fragment_b(%{{.*}}, %[[B]]) : ({{.*}}) -> !cute.tensor<f16, rmem, align<16>, "((2,2),4,2):((1,2),8,4)">
  // GENERIC: "cute.make_fragment_b"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.tensor<f16, "smem", 4 : i64, "((2,2),4,2):((1,8),512,16)">) -> !cute.tensor<f16, "rmem", 16 : i64, "((2,2),4,2):((1,2),8,4)">
  %fb = cute.make_fragment_b(%m, %pb)
  // CHECK: %[[FC:.*]] = cute.make_fragment_c(%{{.*}}, %[[C]]) : ({{.*}}) -> !cute.tensor<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
  // GENERIC: "cute.make_fragment_c"(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, !cute.tensor<f32, "gmem", 8 : i64, "((2,2),2,4):((1,512),2048,16)">) -> !cute.tensor<f32, "rmem", 16 : i64, "((2,2),2,4):((1,2),4,8)">
  %fc = cute.make_fragment_c(%m, %pc)
  // CHECK: cute.gemm(%{{.*}}, %[[FC]], %[[FA]], %[[FB]], %[[FC]]) : !cute.tiled_mma<{{.*}}>, !cute.tensor<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">, !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),16,8)">, !cute.tensor<f16, rmem, align<16>, "((2,2),4,2):((1,2),8,4)">, !cute.tensor<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
  // GENERIC: "cute.gemm"({{.*}}) : ({{.*}}) -> ()
  cute.gemm(%m, %fc, %fa, %fb, %fc)
  return
}

// One instruction, through the atom itself.
// CHECK-LABEL: func.func @atom_call
func.func @atom_call(%a: !cute.tensor<bf16, rmem, align<16>, "(2,2):(1,2)">, %b: !cute.tensor<bf16, rmem, align<16>, "2:1">, %c: !cute.tensor<f32, rmem, align<16>, "4:1">) {
  %m = cute.static : !cute.mma_atom<"SM80_16x8x8_F32BF16BF16F32_TN">
  %z = cute.static : !cute.coord<"0">
  %l = cute.static : !cute.layout<"((2,2)):((1,2))">
  %f = cute.make_fragment<bf16> (%l)
  // CHECK: cute.mma_atom_call({{.*}}) : !cute.mma_atom<"SM80_16x8x8_F32BF16BF16F32_TN">, !cute.tensor<f32, rmem, align<16>, "4:1">, !cute.tensor<bf16, rmem, align<16>, "((2,2)):((1,2))">, !cute.tensor<bf16, rmem, align<16>, "2:1">, !cute.tensor<f32, rmem, align<16>, "4:1">
  // GENERIC: "cute.mma_atom_call"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!cute.mma_atom<"SM80_16x8x8_F32BF16BF16F32_TN">, !cute.tensor<f32, "rmem", 16 : i64, "4:1">, !cute.tensor<bf16, "rmem", 16 : i64, "((2,2)):((1,2))">, !cute.tensor<bf16, "rmem", 16 : i64, "2:1">, !cute.tensor<f32, "rmem", 16 : i64, "4:1">) -> ()
  cute.mma_atom_call(%m, %c, %f, %b, %c)
  return
}

// CHECK-LABEL: func.func @make_tiled_mma_of_atom(
func.func @make_tiled_mma_of_atom(%a: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // GENERIC: "cute.make_tiled_mma"(
  // CHECK: cute.make_tiled_mma(%{{.*}}) : (!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
  %r = cute.make_tiled_mma(%a) : (!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
  return
}
