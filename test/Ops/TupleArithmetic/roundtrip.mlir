// Arithmetic on tuples comes back as it was written.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @tuple_add(
func.func @tuple_add(
    %a0: !cute.int_tuple<"(2,?)">,
    %a1: !cute.int_tuple<"(4,5)">,
    %a2: !cute.shape<"(2,(?{i64},1))">,
    %a3: !cute.shape<"(1,(1,?))">) {
  // GENERIC: "cute.tuple_add"(%{{.*}}, %{{.*}})
  // CHECK: cute.tuple_add(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"(2,?)">, !cute.int_tuple<"(4,5)">) -> !cute.int_tuple<"(6,?)">
  %0 = cute.tuple_add(%a0, %a1) : (!cute.int_tuple<"(2,?)">, !cute.int_tuple<"(4,5)">) -> !cute.int_tuple<"(6,?)">
  // GENERIC: "cute.tuple_add"(%{{.*}}, %{{.*}})
  // CHECK: cute.tuple_add(%{{.*}}, %{{.*}}) : (!cute.shape<"(2,(?{i64},1))">, !cute.shape<"(1,(1,?))">) -> !cute.shape<"(3,(?{i64},?))">
  %1 = cute.tuple_add(%a2, %a3) : (!cute.shape<"(2,(?{i64},1))">, !cute.shape<"(1,(1,?))">) -> !cute.shape<"(3,(?{i64},?))">
  return
}

// CHECK-LABEL: func.func @tuple_sub(
func.func @tuple_sub(
    %a0: !cute.int_tuple<"(2,?)">,
    %a1: !cute.int_tuple<"(4,0)">) {
  // GENERIC: "cute.tuple_sub"(%{{.*}}, %{{.*}})
  // CHECK: cute.tuple_sub(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"(2,?)">, !cute.int_tuple<"(4,0)">) -> !cute.int_tuple<"(-2,?)">
  %0 = cute.tuple_sub(%a0, %a1) : (!cute.int_tuple<"(2,?)">, !cute.int_tuple<"(4,0)">) -> !cute.int_tuple<"(-2,?)">
  return
}

// CHECK-LABEL: func.func @shape_div(
func.func @shape_div(
    %a0: !cute.shape<"(6,?)">,
    %a1: !cute.shape<"12">) {
  // GENERIC: "cute.shape_div"(%{{.*}}, %{{.*}})
  // CHECK: cute.shape_div(%{{.*}}, %{{.*}}) : (!cute.shape<"(6,?)">, !cute.shape<"12">) -> !cute.shape<"(1,?)">
  %0 = cute.shape_div(%a0, %a1) : (!cute.shape<"(6,?)">, !cute.shape<"12">) -> !cute.shape<"(1,?)">
  return
}

// CHECK-LABEL: func.func @ceil_div(
func.func @ceil_div(
    %a0: !cute.int_tuple<"13">,
    %a1: !cute.int_tuple<"4">,
    %a2: !cute.shape<"(?,7)">,
    %a3: !cute.tile<"[4:1;2:1]">,
    %a4: !cute.shape<"?{i64}">,
    %a5: !cute.int_tuple<"6">) {
  // GENERIC: "cute.ceil_div"(%{{.*}}, %{{.*}})
  // CHECK: cute.ceil_div(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"13">, !cute.int_tuple<"4">) -> !cute.int_tuple<"4">
  %0 = cute.ceil_div(%a0, %a1) : (!cute.int_tuple<"13">, !cute.int_tuple<"4">) -> !cute.int_tuple<"4">
  // GENERIC: "cute.ceil_div"(%{{.*}}, %{{.*}})
  // CHECK: cute.ceil_div(%{{.*}}, %{{.*}}) : (!cute.shape<"(?,7)">, !cute.tile<"[4:1;2:1]">) -> !cute.shape<"(?,4)">
  %1 = cute.ceil_div(%a2, %a3) : (!cute.shape<"(?,7)">, !cute.tile<"[4:1;2:1]">) -> !cute.shape<"(?,4)">
  // GENERIC: "cute.ceil_div"(%{{.*}}, %{{.*}})
  // CHECK: cute.ceil_div(%{{.*}}, %{{.*}}) : (!cute.shape<"?{i64}">, !cute.int_tuple<"6">) -> !cute.shape<"?{i64}">
  %2 = cute.ceil_div(%a4, %a5) : (!cute.shape<"?{i64}">, !cute.int_tuple<"6">) -> !cute.shape<"?{i64}">
  return
}

// CHECK-LABEL: func.func @elem_less(
func.func @elem_less(
    %a0: !cute.coord<"(1,?)">,
    %a1: !cute.shape<"(4,8)">,
    %a2: !cute.int_tuple<"2">,
    %a3: !cute.int_tuple<"?{i64}">) {
  // GENERIC: "cute.elem_less"(%{{.*}}, %{{.*}})
  // CHECK: cute.elem_less(%{{.*}}, %{{.*}}) : (!cute.coord<"(1,?)">, !cute.shape<"(4,8)">) -> i1
  %0 = cute.elem_less(%a0, %a1) : (!cute.coord<"(1,?)">, !cute.shape<"(4,8)">) -> i1
  // GENERIC: "cute.elem_less"(%{{.*}}, %{{.*}})
  // CHECK: cute.elem_less(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"2">, !cute.int_tuple<"?{i64}">) -> i1
  %1 = cute.elem_less(%a2, %a3) : (!cute.int_tuple<"2">, !cute.int_tuple<"?{i64}">) -> i1
  return
}

// CHECK-LABEL: func.func @equal(
func.func @equal(
    %a0: !cute.shape<"(4,?)">,
    %a1: !cute.shape<"(4,8)">,
    %a2: !cute.layout<"(4,?):(1,4)">,
    %a3: !cute.layout<"(4,?):(?,4)">,
    %a4: !cute.stride<"(1@0,?@1)">,
    %a5: !cute.stride<"(1@0,1@1)">,
    %a6: !cute.coord<"(_,?)">,
    %a7: !cute.coord<"(_,1)">) {
  // GENERIC: "cute.equal"(%{{.*}}, %{{.*}})
  // CHECK: cute.equal(%{{.*}}, %{{.*}}) : (!cute.shape<"(4,?)">, !cute.shape<"(4,8)">) -> i1
  %0 = cute.equal(%a0, %a1) : (!cute.shape<"(4,?)">, !cute.shape<"(4,8)">) -> i1
  // GENERIC: "cute.equal"(%{{.*}}, %{{.*}})
  // CHECK: cute.equal(%{{.*}}, %{{.*}}) : (!cute.layout<"(4,?):(1,4)">, !cute.layout<"(4,?):(?,4)">) -> i1
  %1 = cute.equal(%a2, %a3) : (!cute.layout<"(4,?):(1,4)">, !cute.layout<"(4,?):(?,4)">) -> i1
  // GENERIC: "cute.equal"(%{{.*}}, %{{.*}})
  // CHECK: cute.equal(%{{.*}}, %{{.*}}) : (!cute.stride<"(1@0,?@1)">, !cute.stride<"(1@0,1@1)">) -> i1
  %2 = cute.equal(%a4, %a5) : (!cute.stride<"(1@0,?@1)">, !cute.stride<"(1@0,1@1)">) -> i1
  // GENERIC: "cute.equal"(%{{.*}}, %{{.*}})
  // CHECK: cute.equal(%{{.*}}, %{{.*}}) : (!cute.coord<"(_,?)">, !cute.coord<"(_,1)">) -> i1
  %3 = cute.equal(%a6, %a7) : (!cute.coord<"(_,?)">, !cute.coord<"(_,1)">) -> i1
  return
}

// CHECK-LABEL: func.func @round_up(
func.func @round_up(
    %a0: !cute.shape<"(13,?,7)">,
    %a1: !cute.shape<"(4,8)">,
    %a2: !cute.int_tuple<"?{i64}">,
    %a3: !cute.int_tuple<"16">) {
  // GENERIC: "cute.round_up"(%{{.*}}, %{{.*}})
  // CHECK: cute.round_up(%{{.*}}, %{{.*}}) : (!cute.shape<"(13,?,7)">, !cute.shape<"(4,8)">) -> !cute.shape<"(16,?,7)">
  %0 = cute.round_up(%a0, %a1) : (!cute.shape<"(13,?,7)">, !cute.shape<"(4,8)">) -> !cute.shape<"(16,?,7)">
  // CHECK: cute.round_up(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"?{i64}">, !cute.int_tuple<"16">) -> !cute.int_tuple<"?{i64}">
  %1 = cute.round_up(%a2, %a3) : (!cute.int_tuple<"?{i64}">, !cute.int_tuple<"16">) -> !cute.int_tuple<"?{i64}">
  return
}

// CHECK-LABEL: func.func @is_congruent(
func.func @is_congruent(%a: !cute.shape<"(4,(?,2))">, %b: !cute.coord<"(0,(_,1))">) {
  // GENERIC: "cute.is_congruent"(
  // CHECK: cute.is_congruent(%{{.*}}, %{{.*}}) : (!cute.shape<"(4,(?,2))">, !cute.coord<"(0,(_,1))">) -> i1
  %r = cute.is_congruent(%a, %b) : (!cute.shape<"(4,(?,2))">, !cute.coord<"(0,(_,1))">) -> i1
  return
}

// CHECK-LABEL: func.func @is_weakly_congruent(
func.func @is_weakly_congruent(%a: !cute.coord<"(0,_)">, %b: !cute.layout<"(4,(?,2)):(1,(4,?))">) {
  // GENERIC: "cute.is_weakly_congruent"(
  // CHECK: cute.is_weakly_congruent(%{{.*}}, %{{.*}}) : (!cute.coord<"(0,_)">, !cute.layout<"(4,(?,2)):(1,(4,?))">) -> i1
  %r = cute.is_weakly_congruent(%a, %b) : (!cute.coord<"(0,_)">, !cute.layout<"(4,(?,2)):(1,(4,?))">) -> i1
  return
}

// CHECK-LABEL: func.func @is_major(
func.func @is_major(%a: !cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) {
  // GENERIC: "cute.is_major"(
  // CHECK: cute.is_major<[1]> (%{{.*}}) : (!cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) -> i1
  %r = cute.is_major<[1]> (%a) : (!cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) -> i1
  return
}
