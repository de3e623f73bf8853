// Layouts without data that ops make are put together all the same, where these
// are not folded before; cute.static is poison.
// RUN: cute-opt %s --cute-to-base | FileCheck %s --implicit-check-not=cute.

// CHECK-LABEL: func.func @layout(
// CHECK-NEXT: %[[S:.*]] = ub.poison : !llvm.struct<()>
// CHECK-NEXT: %[[D:.*]] = ub.poison : !llvm.struct<()>
// CHECK-NEXT: %[[R0:.*]] = ub.poison : !llvm.struct<(struct<()>, struct<()>)>
// CHECK-NEXT: %[[R1:.*]] = llvm.insertvalue %[[S]], %[[R0]][0]
// CHECK-NEXT: %[[R2:.*]] = llvm.insertvalue %[[D]], %[[R1]][1]
// CHECK-NEXT: return %[[R2]]
func.func @layout() -> !cute.layout<"(4,8):(8,1)"> {
  %s = cute.make_shape() : () -> !cute.shape<"(4,8)">
  %d = cute.make_stride() : () -> !cute.stride<"(8,1)">
  %l = cute.make_layout(%s, %d) : (!cute.shape<"(4,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)">
  return %l : !cute.layout<"(4,8):(8,1)">
}

// CHECK-LABEL: func.func @composed(
// CHECK-NEXT: %[[B:.*]] = ub.poison : !llvm.struct<(struct<()>, struct<()>)>
// CHECK-NEXT: %[[O:.*]] = ub.poison : !llvm.struct<()>
// CHECK-NEXT: %[[A:.*]] = ub.poison : !llvm.struct<()>
// CHECK-NEXT: %[[R0:.*]] = ub.poison : !llvm.struct<(struct<(struct<()>, struct<()>)>, struct<()>, struct<()>)>
// CHECK-NEXT: %[[R1:.*]] = llvm.insertvalue %[[B]], %[[R0]][0]
// CHECK-NEXT: %[[R2:.*]] = llvm.insertvalue %[[O]], %[[R1]][1]
// CHECK-NEXT: %[[R3:.*]] = llvm.insertvalue %[[A]], %[[R2]][2]
// CHECK-NEXT: return %[[R3]]
func.func @composed() -> !cute.composed_layout<"S<2,1,3> o 0 o (4,8):(8,1)"> {
  %a = cute.static : !cute.swizzle<"S<2,1,3>">
  %o = cute.static : !cute.int_tuple<"0">
  %b = cute.static : !cute.layout<"(4,8):(8,1)">
  %c = cute.make_composed_layout(%a, %o, %b) : (!cute.swizzle<"S<2,1,3>">, !cute.int_tuple<"0">, !cute.layout<"(4,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o 0 o (4,8):(8,1)">
  return %c : !cute.composed_layout<"S<2,1,3> o 0 o (4,8):(8,1)">
}
