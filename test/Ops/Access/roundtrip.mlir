// Pretty and generic forms of the ops that take values apart.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @layouts
func.func @layouts(%l: !cute.layout<"(4,?):(?{i64},4)">, %t: !cute.tile<"[4:2;_;(2,?):(1,2)]">,
    %v: !cute.tensor<f16, gmem, align<2>, "(4,?):(1,4)">, %c: !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)">) {
  // CHECK: cute.get_shape(%{{.*}}) : !cute.layout<"(4,?):(?{i64},4)"> -> !cute.shape<"(4,?)">
  // GENERIC: "cute.get_shape"(%{{.*}}) : (!cute.layout<"(4,?):(?{i64},4)">) -> !cute.shape<"(4,?)">
  %a = cute.get_shape(%l)
  // CHECK: cute.get_stride(%{{.*}}) : <"(4,?):(?{i64},4)"> -> !cute.stride<"(?{i64},4)">
  // GENERIC: "cute.get_stride"(%{{.*}}) : (!cute.layout<"(4,?):(?{i64},4)">) -> !cute.stride<"(?{i64},4)">
  %b = cute.get_stride(%l)
  // CHECK: cute.get_shape(%{{.*}}) : !cute.tensor<f16, gmem, align<2>, "(4,?):(1,4)"> -> !cute.shape<"(4,?)">
  %e = cute.get_shape(%v)
  // CHECK: cute.get_shape(%{{.*}}) : !cute.coord_tensor<"(0,?)", "(4,2):(1@0,1@1)"> -> !cute.shape<"(4,2)">
  %f = cute.get_shape(%c)
  // CHECK: cute.get_layouts_from_tile(%{{.*}}) : <"[4:2;_;(2,?):(1,2)]">
  // GENERIC: "cute.get_layouts_from_tile"(%{{.*}}) : (!cute.tile<"[4:2;_;(2,?):(1,2)]">) -> (!cute.layout<"4:2">, !cute.layout<"(2,?):(1,2)">)
  %g:2 = cute.get_layouts_from_tile(%t) : <"[4:2;_;(2,?):(1,2)]">
  return
}

// CHECK-LABEL: func.func @composed
func.func @composed(%x: !cute.composed_layout<"S<2,1,3> o ? o (8,?):(1,8)">, %y: !cute.composed_layout<"(4,5):(5,1) o (0,2) o (2,3):(1@0,1@1)">) {
  // CHECK: cute.composed_get_inner(%{{.*}}) : <"S<2,1,3> o ? o (8,?):(1,8)"> -> !cute.swizzle<"S<2,1,3>">
  // GENERIC: "cute.composed_get_inner"(%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o (8,?):(1,8)">) -> !cute.swizzle<"S<2,1,3>">
  %a = cute.composed_get_inner(%x)
  // CHECK: cute.composed_get_offset(%{{.*}}) : <"S<2,1,3> o ? o (8,?):(1,8)"> -> !cute.int_tuple<"?">
  // GENERIC: "cute.composed_get_offset"(%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o (8,?):(1,8)">) -> !cute.int_tuple<"?">
  %b = cute.composed_get_offset(%x)
  // CHECK: cute.composed_get_outer(%{{.*}}) : <"S<2,1,3> o ? o (8,?):(1,8)"> -> <"(8,?):(1,8)">
  // GENERIC: "cute.composed_get_outer"(%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o (8,?):(1,8)">) -> !cute.layout<"(8,?):(1,8)">
  %c = cute.composed_get_outer(%x)
  // CHECK: cute.composed_get_inner(%{{.*}}) : {{.*}} -> !cute.layout<"(4,5):(5,1)">
  %d = cute.composed_get_inner(%y)
  // CHECK: cute.composed_get_offset(%{{.*}}) : {{.*}} -> !cute.int_tuple<"(0,2)">
  %e = cute.composed_get_offset(%y)
  return
}

// CHECK-LABEL: func.func @leaves
func.func @leaves(%s: !cute.shape<"(4,(?,2),?{i64})">, %d: !cute.stride<"(1@0,?@1)">, %t: !cute.tile<"[4:1;_]">) {
  // CHECK: %{{.*}}:4 = cute.get_leaves(%{{.*}}) : !cute.shape<"(4,(?,2),?{i64})">
  // GENERIC: "cute.get_leaves"(%{{.*}}) : ({{.*}}) -> (!cute.shape<"4">, !cute.shape<"?">, !cute.shape<"2">, !cute.shape<"?{i64}">)
  %a:4 = cute.get_leaves(%s) : !cute.shape<"(4,(?,2),?{i64})">
  // CHECK: cute.get_leaves(%{{.*}}) : !cute.tile<"[4:1;_]">
  // GENERIC: "cute.get_leaves"(%{{.*}}) : ({{.*}}) -> (!cute.layout<"4:1">, !cute.tile<"_">)
  %b:2 = cute.get_leaves(%t) : !cute.tile<"[4:1;_]">
  // CHECK: %{{.*}}:2 = cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.shape<"(4,(?,2),?{i64})">
  // GENERIC: "cute.get_scalars"(%{{.*}}) <{only_dynamic}> : ({{.*}}) -> (i32, i64)
  %c:2 = cute.get_scalars<{only_dynamic}> (%s) : !cute.shape<"(4,(?,2),?{i64})">
  // CHECK: %{{.*}}:4 = cute.get_scalars (%{{.*}}) : !cute.shape<"(4,(?,2),?{i64})">
  // GENERIC: "cute.get_scalars"(%{{.*}}) : ({{.*}}) -> (i32, i32, i32, i64)
  %e:4 = cute.get_scalars (%s) : !cute.shape<"(4,(?,2),?{i64})">
  return
}

// get unwraps what it reaches, select always makes a tuple.
// CHECK-LABEL: func.func @modes
func.func @modes(%s: !cute.shape<"(4,(?,2))">, %l: !cute.layout<"(4,(?,2)):(1,(4,8))">, %v: !cute.tensor<f16, gmem, align<2>, "(4,?):(1,4)">) {
  // CHECK: cute.get<[1, 0]> (%{{.*}}) : !cute.shape<"(4,(?,2))"> -> !cute.shape<"?">
  // GENERIC: "cute.get"(%{{.*}}) <{mode = array<i32: 1, 0>}>
  %a = cute.get<[1, 0]> (%s)
  // CHECK: cute.get<[1]> (%{{.*}}) : !cute.layout<"(4,(?,2)):(1,(4,8))"> -> !cute.layout<"(?,2):(4,8)">
  %b = cute.get<[1]> (%l)
  // CHECK: cute.get (%{{.*}}) : !cute.shape<"(4,(?,2))"> -> !cute.shape<"(4,(?,2))">
  %c = cute.get (%s)
  // CHECK: cute.select<[1, 0]> (%{{.*}}) : !cute.layout<"(4,(?,2)):(1,(4,8))"> -> !cute.layout<"((?,2),4):((4,8),1)">
  // GENERIC: "cute.select"(%{{.*}}) <{mode = array<i32: 1, 0>}> : (!cute.layout<"(4,(?,2)):(1,(4,8))">) -> !cute.layout<"((?,2),4):((4,8),1)">
  %d = cute.select<[1, 0]> (%l)
  // CHECK: cute.select<[1]> (%{{.*}}) : !cute.shape<"(4,(?,2))"> -> !cute.shape<"((?,2))">
  %e = cute.select<[1]> (%s)
  return
}

// CHECK-LABEL: func.func @relabel
func.func @relabel(%s: !cute.shape<"(4,(?,2))">) {
  // CHECK: cute.to_int_tuple(%{{.*}}) : !cute.shape<"(4,(?,2))"> -> !cute.int_tuple<"(4,(?,2))">
  // GENERIC: "cute.to_int_tuple"(%{{.*}}) : (!cute.shape<"(4,(?,2))">) -> !cute.int_tuple<"(4,(?,2))">
  %a = cute.to_int_tuple(%s)
  // CHECK: cute.to_shape(%{{.*}}) : !cute.int_tuple<"(4,(?,2))"> -> !cute.shape<"(4,(?,2))">
  // GENERIC: "cute.to_shape"(%{{.*}}) : (!cute.int_tuple<"(4,(?,2))">) -> !cute.shape<"(4,(?,2))">
  %b = cute.to_shape(%a)
  // CHECK: cute.to_stride(%{{.*}}) : !cute.int_tuple<"(4,(?,2))"> -> !cute.stride<"(4,(?,2))">
  // GENERIC: "cute.to_stride"(%{{.*}}) : (!cute.int_tuple<"(4,(?,2))">) -> !cute.stride<"(4,(?,2))">
  %c = cute.to_stride(%a)
  // CHECK: cute.to_coord(%{{.*}}) : !cute.int_tuple<"(4,(?,2))"> -> !cute.coord<"(4,(?,2))">
  // GENERIC: "cute.to_coord"(%{{.*}}) : (!cute.int_tuple<"(4,(?,2))">) -> !cute.coord<"(4,(?,2))">
  %d = cute.to_coord(%a)
  return
}
