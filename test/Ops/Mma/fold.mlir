// Tiled MMAs are constants, and so are the coordinates of a known thread.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @make_tiled_mma(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
// CHECK-NEXT: return %[[R]] :
func.func @make_tiled_mma(%a: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %l: !cute.layout<"(2,2,1):(1,2,0)">, %s: !cute.shape<"(32,32,16)">) -> !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]"> {
  %r = cute.make_tiled_mma(%a, %l, %s)
  return %r : !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
}

// Lane 5 of warp 0 has row 5 / 4 and columns 5 % 4 * 2 and so on.
// CHECK-LABEL: func.func @partition_a(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,2)", "((2,2,2),2,2):((1@1,8@0,8@1),32@0,16@1)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_a(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, %t: !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, %i: !cute.int_tuple<"5">) -> !cute.coord_tensor<"(1,2)", "((2,2,2),2,2):((1@1,8@0,8@1),32@0,16@1)"> {
  %r = cute.partition_a(%m, %t, %i)
  return %r : !cute.coord_tensor<"(1,2)", "((2,2,2),2,2):((1@1,8@0,8@1),32@0,16@1)">
}

// CHECK-LABEL: func.func @partition_b(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,2)", "((2,2),4,2):((1@1,8@1),16@0,16@1)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_b(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, %t: !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, %i: !cute.int_tuple<"5">) -> !cute.coord_tensor<"(1,2)", "((2,2),4,2):((1@1,8@1),16@0,16@1)"> {
  %r = cute.partition_b(%m, %t, %i)
  return %r : !cute.coord_tensor<"(1,2)", "((2,2),4,2):((1@1,8@1),16@0,16@1)">
}

// CHECK-LABEL: func.func @partition_c(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,2)", "((2,2),2,4):((1@1,8@0),32@0,16@1)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_c(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">, %t: !cute.coord_tensor<"(0,0)", "(64,64):(1@0,1@1)">, %i: !cute.int_tuple<"5">) -> !cute.coord_tensor<"(1,2)", "((2,2),2,4):((1@1,8@0),32@0,16@1)"> {
  %r = cute.partition_c(%m, %t, %i)
  return %r : !cute.coord_tensor<"(1,2)", "((2,2),2,4):((1@1,8@0),32@0,16@1)">
}
