// Pretty and generic forms of printing.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @print(
func.func @print(
    %a0: !cute.int_tuple<"(2,?)">,
    %a1: !cute.coord<"(_,?{i64})">,
    %a2: !cute.shape<"(4,8)">,
    %a3: !cute.stride<"(?@0,1@1)">,
    %a4: !cute.tile<"[?:1;_]">,
    %a5: !cute.layout<"(?,8):(8,1)">,
    %a6: !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,1)">,
    %a7: !cute.swizzle<"S<2,1,3>">) {
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.int_tuple<"(2,?)">
  cute.print(%a0) : !cute.int_tuple<"(2,?)">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.coord<"(_,?{i64})">
  cute.print(%a1) : !cute.coord<"(_,?{i64})">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.shape<"(4,8)">
  cute.print(%a2) : !cute.shape<"(4,8)">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.stride<"(?@0,1@1)">
  cute.print(%a3) : !cute.stride<"(?@0,1@1)">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.tile<"[?:1;_]">
  cute.print(%a4) : !cute.tile<"[?:1;_]">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.layout<"(?,8):(8,1)">
  cute.print(%a5) : !cute.layout<"(?,8):(8,1)">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,1)">
  cute.print(%a6) : !cute.composed_layout<"S<2,1,3> o ? o (8,?):(?,1)">
  // GENERIC: "cute.print"(%{{.*}})
  // CHECK: cute.print(%{{.*}}) : !cute.swizzle<"S<2,1,3>">
  cute.print(%a7) : !cute.swizzle<"S<2,1,3>">
  return
}

// CHECK-LABEL: func.func @memory(
func.func @memory(%p: !cute.ptr<f16, smem, align<16>, S<2,4,3>>, %t: !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">, %c: !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)">) {
  // CHECK: cute.print(%{{.*}}) : !cute.ptr<f16, smem, align<16>, S<2,4,3>>{{$}}
  cute.print(%p) : !cute.ptr<f16, smem, align<16>, S<2,4,3>>
  // CHECK: cute.print(%{{.*}}) : !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">{{$}}
  cute.print(%t) : !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">
  // CHECK: cute.print(%{{.*}}) : !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)">{{$}}
  cute.print(%c) : !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)">
  // CHECK: cute.print_tensor(%{{.*}}) : !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">{{$}}
  // GENERIC: "cute.print_tensor"(%{{.*}}) : (!cute.tensor<f32, "gmem", 4 : i64, "(4,?):(?,1)">) -> ()
  cute.print_tensor(%t) : !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">
  // CHECK: cute.print_tensor(%{{.*}}) : !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)"> {note}
  cute.print_tensor(%c) : !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)"> {note}
  // CHECK: cute.print_tensor<{verbose}>(%{{.*}}) : !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">{{$}}
  // GENERIC: "cute.print_tensor"(%{{.*}}) <{verbose}> : (!cute.tensor<f32, "gmem", 4 : i64, "(4,?):(?,1)">) -> ()
  cute.print_tensor<{verbose}> (%t)
  return
}

// CHECK-LABEL: func.func @numbers(
func.func @numbers(%b: i1, %i: i64, %h: bf16, %d: f64) {
  // CHECK: cute.print_value(%{{.*}}) : i1
  cute.print_value(%b) : i1
  // CHECK: cute.print_value(%{{.*}}) : i64
  cute.print_value(%i) : i64
  // CHECK: cute.print_value(%{{.*}}) : bf16
  // GENERIC: "cute.print_value"(%{{.*}}) : (bf16) -> ()
  cute.print_value(%h) : bf16
  // CHECK: cute.print_value(%{{.*}}) : f64
  cute.print_value(%d) : f64
  return
}

// CHECK-LABEL: func.func @texts(
func.func @texts(%b: i1, %i: index, %v: vector<2xbf16>, %a: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // CHECK: cute.printf<"{} {{[{][{]}}x{{[}][}]}} {:.3f} {}\0A"> (%{{.*}}, %{{.*}}, %{{.*}}) : index, vector<2xbf16>, !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">{{$}}
  // GENERIC: "cute.printf"(%{{.*}}, %{{.*}}, %{{.*}}) <{format = "{} {{[{][{]}}x{{[}][}]}} {:.3f} {}\0A"}> : (index, vector<2xbf16>, !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) -> ()
  cute.printf<"{} {{x}} {:.3f} {}\n"> (%i, %v, %a)
  // CHECK: cute.assert<"{}">(%{{.*}}, %{{.*}}) : i1, index{{$}}
  // GENERIC: "cute.assert"(%{{.*}}, %{{.*}}) <{format = "{}"}> : (i1, index) -> ()
  cute.assert<"{}"> (%b, %i)
  // CHECK: cute.assert(%{{.*}}) : i1{{$}}
  cute.assert(%b)
  // CHECK: cute.print_value(%{{.*}}) : vector<2xbf16>
  cute.print_value(%v)
  return
}
