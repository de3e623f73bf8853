// The coordinates of a known tile or thread are known.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// Tile (1,2) of 16x8 begins at (16,16).
// CHECK-LABEL: func.func @local_tile(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(16,16)", "(16,8):(1@0,1@1)">
// CHECK-NEXT: return %[[R]] :
func.func @local_tile(%t: !cute.coord_tensor<"(0,0)", "(64,64):(1@0,1@1)">, %s: !cute.shape<"(16,8)">, %c: !cute.coord<"(1,2)">) -> !cute.coord_tensor<"(16,16)", "(16,8):(1@0,1@1)"> {
  %r = cute.local_tile (%t, %s, %c)
  return %r : !cute.coord_tensor<"(16,16)", "(16,8):(1@0,1@1)">
}

// Thread 10 of 8x8, row-major, is at (1,2).
// CHECK-LABEL: func.func @local_partition(
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.coord_tensor<"(1,2)", "(4,2):(8@0,8@1)">
// CHECK-NEXT: return %[[R]] :
func.func @local_partition(%t: !cute.coord_tensor<"(0,0)", "(32,16):(1@0,1@1)">, %l: !cute.layout<"(8,8):(8,1)">, %i: !cute.int_tuple<"10">) -> !cute.coord_tensor<"(1,2)", "(4,2):(8@0,8@1)"> {
  %r = cute.local_partition (%t, %l, %i)
  return %r : !cute.coord_tensor<"(1,2)", "(4,2):(8@0,8@1)">
}
