// The metadata of a known thread: lane 5 has the second half of columns of rows 1
// and 9.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @partition_operand(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,8)", "((8,2),2,2):((1@1,8@0),32@0,16@1)">
// CHECK-NEXT: return %[[R]] :
func.func @partition_operand(%m: !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[_;_;_]">, %t: !cute.coord_tensor<"(0,0)", "(64,32):(1@0,1@1)">, %i: !cute.int_tuple<"5">) -> !cute.coord_tensor<"(1,8)", "((8,2),2,2):((1@1,8@0),32@0,16@1)"> {
  %r = cute.partition_operand<"E"> (%m, %t, %i)
  return %r : !cute.coord_tensor<"(1,8)", "((8,2),2,2):((1@1,8@0),32@0,16@1)">
}
