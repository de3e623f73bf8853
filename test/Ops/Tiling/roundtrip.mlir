// Divides, products and tile_to_shape come back as they were written.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @logical_divide(
func.func @logical_divide(
    %a0: !cute.layout<"(8,12):(12,1)">,
    %a1: !cute.tile<"[4:1;3:1]">,
    %a2: !cute.layout<"?:?">,
    %a3: !cute.layout<"4:1">,
    %a4: !cute.layout<"(?,12):(12,1)">,
    %a5: !cute.shape<"(?,4)">) {
  // GENERIC: "cute.logical_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.logical_divide(%{{.*}}, %{{.*}}) : (!cute.layout<"(8,12):(12,1)">, !cute.tile<"[4:1;3:1]">) -> !cute.layout<"((4,2),(3,4)):((12,48),(1,3))">
  %0 = cute.logical_divide(%a0, %a1) : (!cute.layout<"(8,12):(12,1)">, !cute.tile<"[4:1;3:1]">) -> !cute.layout<"((4,2),(3,4)):((12,48),(1,3))">
  // GENERIC: "cute.logical_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.logical_divide(%{{.*}}, %{{.*}}) : (!cute.layout<"?:?">, !cute.layout<"4:1">) -> !cute.layout<"(4,?):(?,?)">
  %1 = cute.logical_divide(%a2, %a3) : (!cute.layout<"?:?">, !cute.layout<"4:1">) -> !cute.layout<"(4,?):(?,?)">
  // GENERIC: "cute.logical_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.logical_divide(%{{.*}}, %{{.*}}) : (!cute.layout<"(?,12):(12,1)">, !cute.shape<"(?,4)">) -> !cute.layout<"((?,?),(4,3)):((12,?),(1,4))">
  %2 = cute.logical_divide(%a4, %a5) : (!cute.layout<"(?,12):(12,1)">, !cute.shape<"(?,4)">) -> !cute.layout<"((?,?),(4,3)):((12,?),(1,4))">
  return
}

// CHECK-LABEL: func.func @zipped_divide(
func.func @zipped_divide(
    %a0: !cute.layout<"(?,?):(?,1)">,
    %a1: !cute.shape<"(3,4)">,
    %a2: !cute.composed_layout<"S<2,1,3> o ? o (8,8):(8,1)">,
    %a3: !cute.tile<"[4:1;2:1]">) {
  // GENERIC: "cute.zipped_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.zipped_divide(%{{.*}}, %{{.*}}) : (!cute.layout<"(?,?):(?,1)">, !cute.shape<"(3,4)">) -> !cute.layout<"((3,4),(?,?)):((?,1),(?,4))">
  %0 = cute.zipped_divide(%a0, %a1) : (!cute.layout<"(?,?):(?,1)">, !cute.shape<"(3,4)">) -> !cute.layout<"((3,4),(?,?)):((?,1),(?,4))">
  // GENERIC: "cute.zipped_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.zipped_divide(%{{.*}}, %{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o (8,8):(8,1)">, !cute.tile<"[4:1;2:1]">) -> !cute.composed_layout<"S<2,1,3> o ? o ((4,2),(2,4)):((8,1),(32,2))">
  %1 = cute.zipped_divide(%a2, %a3) : (!cute.composed_layout<"S<2,1,3> o ? o (8,8):(8,1)">, !cute.tile<"[4:1;2:1]">) -> !cute.composed_layout<"S<2,1,3> o ? o ((4,2),(2,4)):((8,1),(32,2))">
  return
}

// CHECK-LABEL: func.func @tiled_divide(
func.func @tiled_divide(
    %a0: !cute.layout<"(8,12):(12,1)">,
    %a1: !cute.tile<"[4:1;3:1]">) {
  // GENERIC: "cute.tiled_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.tiled_divide(%{{.*}}, %{{.*}}) : (!cute.layout<"(8,12):(12,1)">, !cute.tile<"[4:1;3:1]">) -> !cute.layout<"((4,3),2,4):((12,1),48,3)">
  %0 = cute.tiled_divide(%a0, %a1) : (!cute.layout<"(8,12):(12,1)">, !cute.tile<"[4:1;3:1]">) -> !cute.layout<"((4,3),2,4):((12,1),48,3)">
  return
}

// CHECK-LABEL: func.func @flat_divide(
func.func @flat_divide(
    %a0: !cute.layout<"(?,?):(?,1)">,
    %a1: !cute.shape<"(?,4)">,
    %a2: !cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">,
    %a3: !cute.shape<"(4,2)">) {
  // GENERIC: "cute.flat_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.flat_divide(%{{.*}}, %{{.*}}) : (!cute.layout<"(?,?):(?,1)">, !cute.shape<"(?,4)">) -> !cute.layout<"(?,4,?,?):(?,1,?,4)">
  %0 = cute.flat_divide(%a0, %a1) : (!cute.layout<"(?,?):(?,1)">, !cute.shape<"(?,4)">) -> !cute.layout<"(?,4,?,?):(?,1,?,4)">
  // GENERIC: "cute.flat_divide"(%{{.*}}, %{{.*}})
  // CHECK: cute.flat_divide(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">, !cute.shape<"(4,2)">) -> !cute.tensor<f32, gmem, align<16>, "(4,2,2,?):(?,1,?,2)">
  %1 = cute.flat_divide(%a2, %a3) : (!cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">, !cute.shape<"(4,2)">) -> !cute.tensor<f32, gmem, align<16>, "(4,2,2,?):(?,1,?,2)">
  return
}

// CHECK-LABEL: func.func @logical_product(
func.func @logical_product(
    %a0: !cute.layout<"(2,4):(4,1)">,
    %a1: !cute.layout<"3:1">,
    %a2: !cute.layout<"(5,3):(3,1)">,
    %a3: !cute.layout<"(?,?):(1,?)">) {
  // GENERIC: "cute.logical_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.logical_product(%{{.*}}, %{{.*}}) : (!cute.layout<"(2,4):(4,1)">, !cute.layout<"3:1">) -> !cute.layout<"((2,4),3):((4,1),8)">
  %0 = cute.logical_product(%a0, %a1) : (!cute.layout<"(2,4):(4,1)">, !cute.layout<"3:1">) -> !cute.layout<"((2,4),3):((4,1),8)">
  // GENERIC: "cute.logical_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.logical_product(%{{.*}}, %{{.*}}) : (!cute.layout<"(5,3):(3,1)">, !cute.layout<"(?,?):(1,?)">) -> !cute.layout<"((5,3),(?,?)):((3,1),(15,?))">
  %1 = cute.logical_product(%a2, %a3) : (!cute.layout<"(5,3):(3,1)">, !cute.layout<"(?,?):(1,?)">) -> !cute.layout<"((5,3),(?,?)):((3,1),(15,?))">
  return
}

// CHECK-LABEL: func.func @zipped_product(
func.func @zipped_product(
    %a0: !cute.layout<"(2,4):(4,1)">,
    %a1: !cute.layout<"3:1">) {
  // GENERIC: "cute.zipped_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.zipped_product(%{{.*}}, %{{.*}}) : (!cute.layout<"(2,4):(4,1)">, !cute.layout<"3:1">) -> !cute.layout<"((2,4),3):((4,1),8)">
  %0 = cute.zipped_product(%a0, %a1) : (!cute.layout<"(2,4):(4,1)">, !cute.layout<"3:1">) -> !cute.layout<"((2,4),3):((4,1),8)">
  return
}

// CHECK-LABEL: func.func @tiled_product(
func.func @tiled_product(
    %a0: !cute.layout<"4:2">,
    %a1: !cute.layout<"6:1">) {
  // GENERIC: "cute.tiled_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.tiled_product(%{{.*}}, %{{.*}}) : (!cute.layout<"4:2">, !cute.layout<"6:1">) -> !cute.layout<"(4,2,3):(2,1,8)">
  %0 = cute.tiled_product(%a0, %a1) : (!cute.layout<"4:2">, !cute.layout<"6:1">) -> !cute.layout<"(4,2,3):(2,1,8)">
  return
}

// CHECK-LABEL: func.func @flat_product(
func.func @flat_product(
    %a0: !cute.layout<"(2,4):(4,1)">,
    %a1: !cute.layout<"(3,2):(1,3)">) {
  // GENERIC: "cute.flat_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.flat_product(%{{.*}}, %{{.*}}) : (!cute.layout<"(2,4):(4,1)">, !cute.layout<"(3,2):(1,3)">) -> !cute.layout<"(2,4,3,2):(4,1,8,24)">
  %0 = cute.flat_product(%a0, %a1) : (!cute.layout<"(2,4):(4,1)">, !cute.layout<"(3,2):(1,3)">) -> !cute.layout<"(2,4,3,2):(4,1,8,24)">
  return
}

// CHECK-LABEL: func.func @blocked_product(
func.func @blocked_product(
    %a0: !cute.composed_layout<"S<2,1,3> o ? o (4,4):(4,1)">,
    %a1: !cute.layout<"(2,?):(1,2)">) {
  // GENERIC: "cute.blocked_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.blocked_product(%{{.*}}, %{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o (4,4):(4,1)">, !cute.layout<"(2,?):(1,2)">) -> !cute.composed_layout<"S<2,1,3> o ? o ((4,2),(4,?)):((4,16),(1,32))">
  %0 = cute.blocked_product(%a0, %a1) : (!cute.composed_layout<"S<2,1,3> o ? o (4,4):(4,1)">, !cute.layout<"(2,?):(1,2)">) -> !cute.composed_layout<"S<2,1,3> o ? o ((4,2),(4,?)):((4,16),(1,32))">
  return
}

// CHECK-LABEL: func.func @raked_product(
func.func @raked_product(
    %a0: !cute.layout<"(5,3):(3,1)">,
    %a1: !cute.layout<"(2,7):(1,2)">) {
  // GENERIC: "cute.raked_product"(%{{.*}}, %{{.*}})
  // CHECK: cute.raked_product(%{{.*}}, %{{.*}}) : (!cute.layout<"(5,3):(3,1)">, !cute.layout<"(2,7):(1,2)">) -> !cute.layout<"((2,5),(7,3)):((15,3),(30,1))">
  %0 = cute.raked_product(%a0, %a1) : (!cute.layout<"(5,3):(3,1)">, !cute.layout<"(2,7):(1,2)">) -> !cute.layout<"((2,5),(7,3)):((15,3),(30,1))">
  return
}

// CHECK-LABEL: func.func @tile_to_shape(
func.func @tile_to_shape(
    %a0: !cute.layout<"(4,8):(8,1)">,
    %a1: !cute.shape<"(8,16)">,
    %a2: !cute.layout<"(4,8):(8,1)">,
    %a3: !cute.shape<"(?,?)">,
    %a4: !cute.int_tuple<"(1,0)">) {
  // GENERIC: "cute.tile_to_shape"(%{{.*}}, %{{.*}})
  // CHECK: cute.tile_to_shape(%{{.*}}, %{{.*}}) : (!cute.layout<"(4,8):(8,1)">, !cute.shape<"(8,16)">) -> !cute.layout<"((4,2),(8,2)):((8,32),(1,64))">
  %0 = cute.tile_to_shape(%a0, %a1) : (!cute.layout<"(4,8):(8,1)">, !cute.shape<"(8,16)">) -> !cute.layout<"((4,2),(8,2)):((8,32),(1,64))">
  // GENERIC: "cute.tile_to_shape"(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: cute.tile_to_shape(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.layout<"(4,8):(8,1)">, !cute.shape<"(?,?)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"((4,?),(8,?)):((8,?),(1,32))">
  %1 = cute.tile_to_shape(%a2, %a3, %a4) : (!cute.layout<"(4,8):(8,1)">, !cute.shape<"(?,?)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"((4,?),(8,?)):((8,?),(1,32))">
  return
}
