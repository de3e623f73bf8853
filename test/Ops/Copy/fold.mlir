// Tiled copies are constants, and so are the coordinates of a known thread.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @make_tiled_copy(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy(%a: !cute.copy_atom<"UniversalCopy<uint128_t>", f16>, %t: !cute.layout<"(16,8):(8,1)">, %v: !cute.layout<"(1,8):(0,1)">) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]"> {
  %r = cute.make_tiled_copy(%a, %t, %v)
  return %r : !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_tv(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_tv(%a: !cute.copy_atom<"UniversalCopy<uint128_t>", f16>, %t: !cute.layout<"(16,8):(8,1)">, %v: !cute.layout<"(1,8):(0,1)">) -> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]"> {
  %r = cute.make_tiled_copy_tv(%a, %t, %v)
  return %r : !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_a(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))", "[32:1;16:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_a(%a: !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, %m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))", "[32:1;16:1]"> {
  %r = cute.make_tiled_copy_a(%a, %m)
  return %r : !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))", "[32:1;16:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_operand(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint16_t>", ui2, "((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))", "[32:1;16:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_operand(%a: !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>, %m: !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">) -> !cute.tiled_copy<"UniversalCopy<uint16_t>", ui2, "((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))", "[32:1;16:1]"> {
  %r = cute.make_tiled_copy_operand<"E"> (%a, %m)
  return %r : !cute.tiled_copy<"UniversalCopy<uint16_t>", ui2, "((2,2,8,2,2),((8,2),(1,1))):((256,0,1,16,0),((32,8),(0,0)))", "[32:1;16:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_b(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))", "[32:1;16:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_b(%a: !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, %m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))", "[32:1;16:1]"> {
  %r = cute.make_tiled_copy_b(%a, %m)
  return %r : !cute.tiled_copy<"SM75_U32x4_LDSM_N", f16, "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))", "[32:1;16:1]">
}

// CHECK-LABEL: func.func @make_tiled_copy_c(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))", "[32:1;32:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_copy_c(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f32>, %m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">) -> !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))", "[32:1;32:1]"> {
  %r = cute.make_tiled_copy_c(%a, %m)
  return %r : !cute.tiled_copy<"UniversalCopy<uint64_t>", f32, "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))", "[32:1;32:1]">
}

// Thread 10 of 16x8 is at (1,2), with 8 columns each.
// CHECK-LABEL: func.func @partition_s(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,16)", "((8,1),4,2):((1@1,0),16@0,64@1)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_s(%c: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %t: !cute.coord_tensor<"(0,0)", "(64,128):(1@0,1@1)">, %i: !cute.int_tuple<"10">) -> !cute.coord_tensor<"(1,16)", "((8,1),4,2):((1@1,0),16@0,64@1)"> {
  %r = cute.partition_s(%c, %t, %i)
  return %r : !cute.coord_tensor<"(1,16)", "((8,1),4,2):((1@1,0),16@0,64@1)">
}

// CHECK-LABEL: func.func @partition_d(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,16)", "((8,1),4,2):((1@1,0),16@0,64@1)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_d(%c: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %t: !cute.coord_tensor<"(0,0)", "(64,128):(1@0,1@1)">, %i: !cute.int_tuple<"10">) -> !cute.coord_tensor<"(1,16)", "((8,1),4,2):((1@1,0),16@0,64@1)"> {
  %r = cute.partition_d(%c, %t, %i)
  return %r : !cute.coord_tensor<"(1,16)", "((8,1),4,2):((1@1,0),16@0,64@1)">
}
