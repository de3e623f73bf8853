// The layout algebra comes back as it was written.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @composition(
func.func @composition(
    %a0: !cute.layout<"(8,4):(4,1)">,
    %a1: !cute.layout<"(2,8):(8,1)">,
    %a2: !cute.layout<"(?,?):(?,1)">,
    %a3: !cute.shape<"(?,2)">,
    %a4: !cute.layout<"(8,4):(4,1)">,
    %a5: !cute.tile<"[?:2;_]">,
    %a6: !cute.composed_layout<"S<2,1,3> o 0 o (8,4):(4,1)">,
    %a7: !cute.layout<"(2,8):(8,1)">,
    %a8: !cute.tensor<f16, smem, align<16>, "(8,4):(4,1)">,
    %a9: !cute.shape<"(2,?)">) {
  // GENERIC: "cute.composition"(%{{.*}}, %{{.*}})
  // CHECK: cute.composition(%{{.*}}, %{{.*}}) : (!cute.layout<"(8,4):(4,1)">, !cute.layout<"(2,8):(8,1)">) -> !cute.layout<"(2,8):(1,4)">
  %0 = cute.composition(%a0, %a1) : (!cute.layout<"(8,4):(4,1)">, !cute.layout<"(2,8):(8,1)">) -> !cute.layout<"(2,8):(1,4)">
  // GENERIC: "cute.composition"(%{{.*}}, %{{.*}})
  // CHECK: cute.composition(%{{.*}}, %{{.*}}) : (!cute.layout<"(?,?):(?,1)">, !cute.shape<"(?,2)">) -> !cute.layout<"(?,2):(?,1)">
  %1 = cute.composition(%a2, %a3) : (!cute.layout<"(?,?):(?,1)">, !cute.shape<"(?,2)">) -> !cute.layout<"(?,2):(?,1)">
  // GENERIC: "cute.composition"(%{{.*}}, %{{.*}})
  // CHECK: cute.composition(%{{.*}}, %{{.*}}) : (!cute.layout<"(8,4):(4,1)">, !cute.tile<"[?:2;_]">) -> !cute.layout<"(?,4):(8,1)">
  %2 = cute.composition(%a4, %a5) : (!cute.layout<"(8,4):(4,1)">, !cute.tile<"[?:2;_]">) -> !cute.layout<"(?,4):(8,1)">
  // GENERIC: "cute.composition"(%{{.*}}, %{{.*}})
  // CHECK: cute.composition(%{{.*}}, %{{.*}}) : (!cute.composed_layout<"S<2,1,3> o 0 o (8,4):(4,1)">, !cute.layout<"(2,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o 0 o (2,8):(1,4)">
  %3 = cute.composition(%a6, %a7) : (!cute.composed_layout<"S<2,1,3> o 0 o (8,4):(4,1)">, !cute.layout<"(2,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o 0 o (2,8):(1,4)">
  // GENERIC: "cute.composition"(%{{.*}}, %{{.*}})
  // CHECK: cute.composition(%{{.*}}, %{{.*}}) : (!cute.tensor<f16, smem, align<16>, "(8,4):(4,1)">, !cute.shape<"(2,?)">) -> !cute.tensor<f16, smem, align<16>, "(2,?):(4,1)">
  %4 = cute.composition(%a8, %a9) : (!cute.tensor<f16, smem, align<16>, "(8,4):(4,1)">, !cute.shape<"(2,?)">) -> !cute.tensor<f16, smem, align<16>, "(2,?):(4,1)">
  return
}

// CHECK-LABEL: func.func @coalesce(
func.func @coalesce(
    %a0: !cute.layout<"(2,(1,6)):(1,(6,2))">,
    %a1: !cute.layout<"(2,(3,?)):(1,(2,6))">,
    %a2: !cute.coord<"(_,?)">,
    %a3: !cute.composed_layout<"S<2,1,3> o ? o (2,4):(1,2)">) {
  // GENERIC: "cute.coalesce"(%{{.*}})
  // CHECK: cute.coalesce(%{{.*}}) : (!cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"12:1">
  %0 = cute.coalesce(%a0) : (!cute.layout<"(2,(1,6)):(1,(6,2))">) -> !cute.layout<"12:1">
  // GENERIC: "cute.coalesce"(%{{.*}}, %{{.*}})
  // CHECK: cute.coalesce(%{{.*}}, %{{.*}}) : (!cute.layout<"(2,(3,?)):(1,(2,6))">, !cute.coord<"(_,?)">) -> !cute.layout<"(2,(3,?)):(1,(2,6))">
  %1 = cute.coalesce(%a1, %a2) : (!cute.layout<"(2,(3,?)):(1,(2,6))">, !cute.coord<"(_,?)">) -> !cute.layout<"(2,(3,?)):(1,(2,6))">
  // GENERIC: "cute.coalesce"(%{{.*}})
  // CHECK: cute.coalesce(%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o (2,4):(1,2)">) -> !cute.composed_layout<"S<2,1,3> o ? o 8:1">
  %2 = cute.coalesce(%a3) : (!cute.composed_layout<"S<2,1,3> o ? o (2,4):(1,2)">) -> !cute.composed_layout<"S<2,1,3> o ? o 8:1">
  return
}

// CHECK-LABEL: func.func @complement(
func.func @complement(
    %a0: !cute.layout<"4:2">,
    %a1: !cute.shape<"24">,
    %a2: !cute.layout<"5:3">,
    %a3: !cute.layout<"(5,9):(1,99)">,
    %a4: !cute.layout<"6:3">,
    %a5: !cute.layout<"?:3">,
    %a6: !cute.shape<"?{i64}">) {
  // GENERIC: "cute.complement"(%{{.*}}, %{{.*}})
  // CHECK: cute.complement(%{{.*}}, %{{.*}}) : (!cute.layout<"4:2">, !cute.shape<"24">) -> !cute.layout<"(2,3):(1,8)">
  %0 = cute.complement(%a0, %a1) : (!cute.layout<"4:2">, !cute.shape<"24">) -> !cute.layout<"(2,3):(1,8)">
  // GENERIC: "cute.complement"(%{{.*}}, %{{.*}})
  // CHECK: cute.complement(%{{.*}}, %{{.*}}) : (!cute.layout<"5:3">, !cute.layout<"(5,9):(1,99)">) -> !cute.layout<"(3,3):(1,15)">
  %1 = cute.complement(%a2, %a3) : (!cute.layout<"5:3">, !cute.layout<"(5,9):(1,99)">) -> !cute.layout<"(3,3):(1,15)">
  // GENERIC: "cute.complement"(%{{.*}})
  // CHECK: cute.complement(%{{.*}}) : (!cute.layout<"6:3">) -> !cute.layout<"(3,1):(1,18)">
  %2 = cute.complement(%a4) : (!cute.layout<"6:3">) -> !cute.layout<"(3,1):(1,18)">
  // GENERIC: "cute.complement"(%{{.*}}, %{{.*}})
  // CHECK: cute.complement(%{{.*}}, %{{.*}}) : (!cute.layout<"?:3">, !cute.shape<"?{i64}">) -> !cute.layout<"(3,?{i64}):(1,?)">
  %3 = cute.complement(%a5, %a6) : (!cute.layout<"?:3">, !cute.shape<"?{i64}">) -> !cute.layout<"(3,?{i64}):(1,?)">
  return
}

// CHECK-LABEL: func.func @right_inverse(
func.func @right_inverse(
    %a0: !cute.layout<"(4,6):(6,1)">,
    %a1: !cute.layout<"(4,6):(?,1)">) {
  // GENERIC: "cute.right_inverse"(%{{.*}})
  // CHECK: cute.right_inverse(%{{.*}}) : (!cute.layout<"(4,6):(6,1)">) -> !cute.layout<"(6,4):(4,1)">
  %0 = cute.right_inverse(%a0) : (!cute.layout<"(4,6):(6,1)">) -> !cute.layout<"(6,4):(4,1)">
  // GENERIC: "cute.right_inverse"(%{{.*}})
  // CHECK: cute.right_inverse(%{{.*}}) : (!cute.layout<"(4,6):(?,1)">) -> !cute.layout<"6:4">
  %1 = cute.right_inverse(%a1) : (!cute.layout<"(4,6):(?,1)">) -> !cute.layout<"6:4">
  return
}

// CHECK-LABEL: func.func @left_inverse(
func.func @left_inverse(
    %a0: !cute.layout<"(4,6):(1,8)">) {
  // GENERIC: "cute.left_inverse"(%{{.*}})
  // CHECK: cute.left_inverse(%{{.*}}) : (!cute.layout<"(4,6):(1,8)">) -> !cute.layout<"(8,6):(1,4)">
  %0 = cute.left_inverse(%a0) : (!cute.layout<"(4,6):(1,8)">) -> !cute.layout<"(8,6):(1,4)">
  return
}

// CHECK-LABEL: func.func @recast_layout(
func.func @recast_layout(
    %a0: !cute.layout<"(16,4):(1,16)">,
    %a1: !cute.composed_layout<"S<2,3,3> o 3 o (?,8):(8,1)">) {
  // GENERIC: "cute.recast_layout"(%{{.*}}) <{new_type_bits = 32 : i32, old_type_bits = 8 : i32}>
  // CHECK: cute.recast_layout<32, 8> (%{{.*}}) : !cute.layout<"(16,4):(1,16)"> -> !cute.layout<"(4,4):(1,4)">
  %0 = cute.recast_layout<32, 8>(%a0) : !cute.layout<"(16,4):(1,16)"> -> !cute.layout<"(4,4):(1,4)">
  // GENERIC: "cute.recast_layout"(%{{.*}}) <{new_type_bits = 8 : i32, old_type_bits = 16 : i32}>
  // CHECK: cute.recast_layout<8, 16> (%{{.*}}) : !cute.composed_layout<"S<2,3,3> o 3 o (?,8):(8,1)"> -> !cute.composed_layout<"S<2,4,3> o 6 o (?,16):(16,1)">
  %1 = cute.recast_layout<8, 16>(%a1) : !cute.composed_layout<"S<2,3,3> o 3 o (?,8):(8,1)"> -> !cute.composed_layout<"S<2,4,3> o 6 o (?,16):(16,1)">
  return
}

// CHECK-LABEL: func.func @filter(
func.func @filter(
    %a0: !cute.layout<"(4,(2,?)):(0,(1,?))">,
    %a1: !cute.coord<"(0,(0,0))">,
    %a2: !cute.tensor<f32, gmem, align<4>, "(4,(2,8)):(0,(1,2))">) {
  // GENERIC: "cute.filter_zeros"(%{{.*}}) :
  // CHECK: cute.filter_zeros(%{{.*}}) : (!cute.layout<"(4,(2,?)):(0,(1,?))">) -> !cute.layout<"(1,(2,?)):(0,(1,?))">
  %0 = cute.filter_zeros(%a0) : (!cute.layout<"(4,(2,?)):(0,(1,?))">) -> !cute.layout<"(1,(2,?)):(0,(1,?))">
  // GENERIC: "cute.filter"(%{{.*}}) :
  // CHECK: cute.filter(%{{.*}}) : (!cute.layout<"(4,(2,?)):(0,(1,?))">) -> !cute.layout<"(2,?):(1,?)">
  %1 = cute.filter(%a0) : (!cute.layout<"(4,(2,?)):(0,(1,?))">) -> !cute.layout<"(2,?):(1,?)">
  // CHECK: cute.filter(%{{.*}}, %{{.*}}) : (!cute.layout<"(4,(2,?)):(0,(1,?))">, !cute.coord<"(0,(0,0))">) -> !cute.layout<"(1,(2,?)):(0,(1,?))">
  %2 = cute.filter(%a0, %a1) : (!cute.layout<"(4,(2,?)):(0,(1,?))">, !cute.coord<"(0,(0,0))">) -> !cute.layout<"(1,(2,?)):(0,(1,?))">
  // CHECK: cute.filter(%{{.*}}) : (!cute.tensor<f32, gmem, align<4>, "(4,(2,8)):(0,(1,2))">) -> !cute.tensor<f32, gmem, align<4>, "16:1">
  %3 = cute.filter(%a2) : (!cute.tensor<f32, gmem, align<4>, "(4,(2,8)):(0,(1,2))">) -> !cute.tensor<f32, gmem, align<4>, "16:1">
  // CHECK: cute.filter_zeros(%{{.*}}) : (!cute.tensor<{{.*}}>) -> !cute.tensor<f32, gmem, align<4>, "(1,(2,8)):(0,(1,2))">
  %4 = cute.filter_zeros(%a2) : (!cute.tensor<f32, gmem, align<4>, "(4,(2,8)):(0,(1,2))">) -> !cute.tensor<f32, gmem, align<4>, "(1,(2,8)):(0,(1,2))">
  return
}

// CHECK-LABEL: func.func @max_common_layout(
func.func @max_common_layout(%a: !cute.layout<"(4,8):(1,16)">, %b: !cute.layout<"(4,?):(1,4)">) {
  // GENERIC: "cute.max_common_layout"(
  // CHECK: cute.max_common_layout(%{{.*}}, %{{.*}}) : (!cute.layout<"(4,?):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"4:1">
  %r = cute.max_common_layout(%b, %a) : (!cute.layout<"(4,?):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.layout<"4:1">
  return
}

// CHECK-LABEL: func.func @max_common_vector(
func.func @max_common_vector(%a: !cute.layout<"(4,8):(1,4)">, %b: !cute.composed_layout<"S<2,3,3> o 0 o (4,8):(1,4)">) {
  // GENERIC: "cute.max_common_vector"(
  // CHECK: cute.max_common_vector(%{{.*}}, %{{.*}}) : (!cute.layout<"(4,8):(1,4)">, !cute.composed_layout<"S<2,3,3> o 0 o (4,8):(1,4)">) -> !cute.int_tuple<"8">
  %r = cute.max_common_vector(%a, %b) : (!cute.layout<"(4,8):(1,4)">, !cute.composed_layout<"S<2,3,3> o 0 o (4,8):(1,4)">) -> !cute.int_tuple<"8">
  return
}
