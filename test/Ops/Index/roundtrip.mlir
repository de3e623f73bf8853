// Sizes, coordinates and indices come back as they were written.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @size(
func.func @size(
    %a0: !cute.layout<"(4,?):(1,4)">,
    %a1: !cute.shape<"(5,(2,7))">,
    %a2: !cute.composed_layout<"S<2,1,3> o 0 o (8,(?{i64},4)):(8,(1,2))">,
    %a3: !cute.int_tuple<"()">,
    %a4: !cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">) {
  // GENERIC: "cute.size"(%{{.*}})
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"(4,?):(1,4)">) -> !cute.int_tuple<"?">
  %0 = cute.size(%a0) : (!cute.layout<"(4,?):(1,4)">) -> !cute.int_tuple<"?">
  // GENERIC: "cute.size"(%{{.*}}) <{mode = array<i32: 1>}>
  // CHECK: cute.size<[1]> (%{{.*}}) : (!cute.shape<"(5,(2,7))">) -> !cute.int_tuple<"14">
  %1 = cute.size<[1]>(%a1) : (!cute.shape<"(5,(2,7))">) -> !cute.int_tuple<"14">
  // GENERIC: "cute.size"(%{{.*}}) <{mode = array<i32: 1, 0>}>
  // CHECK: cute.size<[1, 0]> (%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o 0 o (8,(?{i64},4)):(8,(1,2))">) -> !cute.int_tuple<"?{i64}">
  %2 = cute.size<[1, 0]>(%a2) : (!cute.composed_layout<"S<2,1,3> o 0 o (8,(?{i64},4)):(8,(1,2))">) -> !cute.int_tuple<"?{i64}">
  // GENERIC: "cute.size"(%{{.*}})
  // CHECK: cute.size (%{{.*}}) : (!cute.int_tuple<"()">) -> !cute.int_tuple<"1">
  %3 = cute.size(%a3) : (!cute.int_tuple<"()">) -> !cute.int_tuple<"1">
  // GENERIC: "cute.size"(%{{.*}}) <{mode = array<i32>}>
  // CHECK: cute.size<[]> (%{{.*}}) : (!cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">) -> !cute.int_tuple<"?">
  %4 = cute.size<[]>(%a4) : (!cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">) -> !cute.int_tuple<"?">
  return
}

// CHECK-LABEL: func.func @cosize(
func.func @cosize(
    %a0: !cute.layout<"(4,6):(1,8)">,
    %a1: !cute.layout<"(4,6):(1,?)">) {
  // GENERIC: "cute.cosize"(%{{.*}})
  // CHECK: cute.cosize (%{{.*}}) : (!cute.layout<"(4,6):(1,8)">) -> !cute.int_tuple<"44">
  %0 = cute.cosize(%a0) : (!cute.layout<"(4,6):(1,8)">) -> !cute.int_tuple<"44">
  // GENERIC: "cute.cosize"(%{{.*}}) <{mode = array<i32: 1>}>
  // CHECK: cute.cosize<[1]> (%{{.*}}) : (!cute.layout<"(4,6):(1,?)">) -> !cute.int_tuple<"?">
  %1 = cute.cosize<[1]>(%a1) : (!cute.layout<"(4,6):(1,?)">) -> !cute.int_tuple<"?">
  return
}

// CHECK-LABEL: func.func @tuple_product(
func.func @tuple_product(
    %a0: !cute.shape<"(2,(?,4))">) {
  // GENERIC: "cute.tuple_product"(%{{.*}})
  // CHECK: cute.tuple_product(%{{.*}}) : (!cute.shape<"(2,(?,4))">) -> !cute.shape<"?">
  %0 = cute.tuple_product(%a0) : (!cute.shape<"(2,(?,4))">) -> !cute.shape<"?">
  return
}

// CHECK-LABEL: func.func @tuple_product_each(
func.func @tuple_product_each(
    %a0: !cute.int_tuple<"(5,(2,?))">) {
  // GENERIC: "cute.tuple_product_each"(%{{.*}})
  // CHECK: cute.tuple_product_each(%{{.*}}) : (!cute.int_tuple<"(5,(2,?))">) -> !cute.int_tuple<"(5,?)">
  %0 = cute.tuple_product_each(%a0) : (!cute.int_tuple<"(5,(2,?))">) -> !cute.int_tuple<"(5,?)">
  return
}

// CHECK-LABEL: func.func @layout_eval(
func.func @layout_eval(
    %a0: !cute.coord<"(1,?)">,
    %a1: !cute.layout<"(4,6):(6,1)">,
    %a2: !cute.coord<"?">,
    %a3: !cute.layout<"(4,6):(1@1,1@0)">,
    %a4: !cute.coord<"(3,1)">,
    %a5: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) {
  // GENERIC: "cute.layout_eval"(%{{.*}}, %{{.*}})
  // CHECK: cute.layout_eval(%{{.*}}, %{{.*}}) : (!cute.coord<"(1,?)">, !cute.layout<"(4,6):(6,1)">) -> !cute.int_tuple<"?">
  %0 = cute.layout_eval(%a0, %a1) : (!cute.coord<"(1,?)">, !cute.layout<"(4,6):(6,1)">) -> !cute.int_tuple<"?">
  // GENERIC: "cute.layout_eval"(%{{.*}}, %{{.*}})
  // CHECK: cute.layout_eval(%{{.*}}, %{{.*}}) : (!cute.coord<"?">, !cute.layout<"(4,6):(1@1,1@0)">) -> !cute.int_tuple<"(?,?)">
  %1 = cute.layout_eval(%a2, %a3) : (!cute.coord<"?">, !cute.layout<"(4,6):(1@1,1@0)">) -> !cute.int_tuple<"(?,?)">
  // GENERIC: "cute.layout_eval"(%{{.*}}, %{{.*}})
  // CHECK: cute.layout_eval(%{{.*}}, %{{.*}}) : (!cute.coord<"(3,1)">, !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) -> !cute.int_tuple<"27">
  %2 = cute.layout_eval(%a4, %a5) : (!cute.coord<"(3,1)">, !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) -> !cute.int_tuple<"27">
  return
}

// CHECK-LABEL: func.func @crd2idx(
func.func @crd2idx(
    %a0: !cute.coord<"(1,(2,_))">,
    %a1: !cute.shape<"(3,(4,5))">) {
  // GENERIC: "cute.crd2idx"(%{{.*}}, %{{.*}})
  // CHECK: cute.crd2idx(%{{.*}}, %{{.*}}) : (!cute.coord<"(1,(2,_))">, !cute.shape<"(3,(4,5))">) -> !cute.int_tuple<"7">
  %0 = cute.crd2idx(%a0, %a1) : (!cute.coord<"(1,(2,_))">, !cute.shape<"(3,(4,5))">) -> !cute.int_tuple<"7">
  return
}

// CHECK-LABEL: func.func @idx2crd(
func.func @idx2crd(
    %a0: !cute.int_tuple<"?{i64}">,
    %a1: !cute.shape<"(3,4)">) {
  // GENERIC: "cute.idx2crd"(%{{.*}}, %{{.*}})
  // CHECK: cute.idx2crd(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"?{i64}">, !cute.shape<"(3,4)">) -> !cute.coord<"(?{i64},?{i64})">
  %0 = cute.idx2crd(%a0, %a1) : (!cute.int_tuple<"?{i64}">, !cute.shape<"(3,4)">) -> !cute.coord<"(?{i64},?{i64})">
  return
}

// CHECK-LABEL: func.func @increment_coord(
func.func @increment_coord(
    %a0: !cute.coord<"(1,?)">,
    %a1: !cute.shape<"(3,4)">) {
  // GENERIC: "cute.increment_coord"(%{{.*}}, %{{.*}})
  // CHECK: cute.increment_coord(%{{.*}}, %{{.*}}) : (!cute.coord<"(1,?)">, !cute.shape<"(3,4)">) -> !cute.coord<"(2,?)">
  %0 = cute.increment_coord(%a0, %a1) : (!cute.coord<"(1,?)">, !cute.shape<"(3,4)">) -> !cute.coord<"(2,?)">
  return
}

// CHECK-LABEL: func.func @tuple_product_like(
func.func @tuple_product_like(
    %a0: !cute.shape<"((2,?),(3,4))">,
    %a1: !cute.coord<"(0,(0,0))">,
    %a2: !cute.int_tuple<"(2,3,4)">,
    %a3: !cute.coord<"0">) {
  // GENERIC: "cute.tuple_product_like"(%{{.*}}, %{{.*}})
  // CHECK: cute.tuple_product_like(%{{.*}}, %{{.*}}) : (!cute.shape<"((2,?),(3,4))">, !cute.coord<"(0,(0,0))">) -> !cute.shape<"(?,(3,4))">
  %0 = cute.tuple_product_like(%a0, %a1) : (!cute.shape<"((2,?),(3,4))">, !cute.coord<"(0,(0,0))">) -> !cute.shape<"(?,(3,4))">
  // CHECK: cute.tuple_product_like(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"(2,3,4)">, !cute.coord<"0">) -> !cute.int_tuple<"24">
  %1 = cute.tuple_product_like(%a2, %a3) : (!cute.int_tuple<"(2,3,4)">, !cute.coord<"0">) -> !cute.int_tuple<"24">
  return
}

// CHECK-LABEL: func.func @idx2crd_of_integers
func.func @idx2crd_of_integers(%i: i32, %j: index) {
  %s = cute.static : !cute.shape<"(3,4)">
  // CHECK: cute.idx2crd(%{{.*}}, %{{.*}}) : (i32, !cute.shape<"(3,4)">) -> !cute.coord<"(?,?)">
  %0 = cute.idx2crd(%i, %s)
  // CHECK: cute.idx2crd(%{{.*}}, %{{.*}}) : (index, !cute.shape<"(3,4)">) -> !cute.coord<"(?,?)">
  %1 = cute.idx2crd(%j, %s)
  return
}

// CHECK-LABEL: func.func @bytes_of_layout(
func.func @bytes_of_layout(%a: !cute.layout<"(4,?):(1,8)">) {
  // GENERIC: "cute.size_in_bytes"(
  // CHECK: cute.size_in_bytes<f4E2M1FN> (%{{.*}}) : (!cute.layout<"(4,?):(1,8)">) -> !cute.int_tuple<"?">
  %r = cute.size_in_bytes<f4E2M1FN> (%a) : (!cute.layout<"(4,?):(1,8)">) -> !cute.int_tuple<"?">
  return
}

// CHECK-LABEL: func.func @cosize_of_tensor(
func.func @cosize_of_tensor(%a: !cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) {
  // GENERIC: "cute.cosize"(
  // CHECK: cute.cosize (%{{.*}}) : (!cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) -> !cute.int_tuple<"?">
  %r = cute.cosize (%a) : (!cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) -> !cute.int_tuple<"?">
  return
}
