// static and print: every kind of value comes back as it was written.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @static(
func.func @static() {
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.int_tuple<"(2,(3,-4))">
  %0 = cute.static : !cute.int_tuple<"(2,(3,-4))">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.coord<"(_,(1,_))">
  %1 = cute.static : !cute.coord<"(_,(1,_))">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.shape<"(4,(2,8))">
  %2 = cute.static : !cute.shape<"(4,(2,8))">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.shape<"()">
  %3 = cute.static : !cute.shape<"()">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.stride<"(1@0,4@1)">
  %4 = cute.static : !cute.stride<"(1@0,4@1)">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.tile<"[4:1;_;(2,3):(3,1)]">
  %5 = cute.static : !cute.tile<"[4:1;_;(2,3):(3,1)]">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.layout<"(4,8):(8,1)">
  %6 = cute.static : !cute.layout<"(4,8):(8,1)">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
  %7 = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.swizzle<"S<2,1,-3>">
  %8 = cute.static : !cute.swizzle<"S<2,1,-3>">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  %9 = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  %10 = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // GENERIC: "cute.static"()
  // CHECK: cute.static : !cute.coord_tensor<"(0,4)", "(8,2):(1@0,1@1)">
  %11 = cute.static : !cute.coord_tensor<"(0,4)", "(8,2):(1@0,1@1)">
  return
}

// Shorter spellings become the canonical ones.
// CHECK-LABEL: func.func @canonical
func.func @canonical() {
  // CHECK: cute.static : !cute.layout<"(4,1,8):(1,0,4)">
  %0 = cute.static : !cute.layout<" ( 4, 1, 8 ) ">
  // CHECK: cute.static : !cute.tile<"[4:1;_]">
  %1 = cute.static : !cute.tile<"[4;_;]">
  // CHECK: cute.static : !cute.int_tuple<"(7,0)">
  %2 = cute.static : !cute.int_tuple<"(007,-0,)">
  return
}

// A dictionary of further attributes comes before the colon, print's after it.
// CHECK-LABEL: func.func @dictionary
func.func @dictionary(%l: !cute.layout<"?:1">) {
  // CHECK: cute.static {note = "one"} : !cute.shape<"4">
  %0 = cute.static {note = "one"} : !cute.shape<"4">
  // CHECK: cute.print(%{{.*}}) : !cute.layout<"?:1"> {note}
  cute.print(%l) : !cute.layout<"?:1"> {note}
  return
}

// CHECK-LABEL: func.func @claims
func.func @claims(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">, %t: !cute.tensor<f16, gmem, align<2>, "(4,8):(8,?)">) {
  // CHECK: cute.static_assert<"divisible", "rows of 16 bytes"> (%{{.*}}, %{{.*}}) : !cute.shape<"(128,?{div=8})">, !cute.int_tuple<"8">
  // GENERIC: "cute.static_assert"(%{{.*}}, %{{.*}}) <{message = "rows of 16 bytes", relation = "divisible"}>
  cute.static_assert<"divisible", "rows of 16 bytes"> (%s, 8)
  // CHECK: cute.static_assert<"equal"> (%{{.*}}, %{{.*}}) : !cute.layout<"(4,8):(8,1)">, !cute.layout<"(4,8):(8,1)">
  cute.static_assert<"equal"> (%l, (4,8):(8,1))
  cute.static_assert<"equal"> (%l, (4,8))
  cute.static_assert<"equal"> (%t, (4,8))
  cute.static_assert<"congruent"> (%d, (1,2))
  cute.static_assert<"weakly_congruent"> (5, %d)
  cute.static_assert<"compatible"> (32, %l)
  cute.static_assert<"less"> ((1,2), (2,3))
  cute.static_assert<"less_equal"> ((2,2), 2)
  return
}
