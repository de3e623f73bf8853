// The make_ ops come back as they were written, static and dynamic.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @make_int_tuple(
func.func @make_int_tuple(
    %a0: i32,
    %a1: i64,
    %a2: i32) {
  // GENERIC: "cute.make_int_tuple"(%{{.*}})
  // CHECK: cute.make_int_tuple(%{{.*}}) : (i32) -> !cute.int_tuple<"(?,2)">
  %0 = cute.make_int_tuple(%a0) : (i32) -> !cute.int_tuple<"(?,2)">
  // GENERIC: "cute.make_int_tuple"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_int_tuple(%{{.*}}, %{{.*}}) : (i64, i32) -> !cute.int_tuple<"(?{i64},(?,-1))">
  %1 = cute.make_int_tuple(%a1, %a2) : (i64, i32) -> !cute.int_tuple<"(?{i64},(?,-1))">
  // GENERIC: "cute.make_int_tuple"()
  // CHECK: cute.make_int_tuple() : () -> !cute.int_tuple<"(3,4)">
  %2 = cute.make_int_tuple() : () -> !cute.int_tuple<"(3,4)">
  return
}

// CHECK-LABEL: func.func @make_shape(
func.func @make_shape(
    %a0: i32,
    %a1: i64,
    %a2: !cute.int_tuple<"?">,
    %a3: !cute.int_tuple<"7">,
    %a4: i32,
    %a5: !cute.int_tuple<"-3">,
    %a6: !cute.int_tuple<"32767">) {
  // GENERIC: "cute.make_shape"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_shape(%{{.*}}, %{{.*}}) : (i32, i64) -> !cute.shape<"(?,(4,?{i64}))">
  %0 = cute.make_shape(%a0, %a1) : (i32, i64) -> !cute.shape<"(?,(4,?{i64}))">
  // GENERIC: "cute.make_shape"(%{{.*}})
  // CHECK: cute.make_shape(%{{.*}}) : (!cute.int_tuple<"?">) -> !cute.shape<"(?,8)">
  %1 = cute.make_shape(%a2) : (!cute.int_tuple<"?">) -> !cute.shape<"(?,8)">
  // GENERIC: "cute.make_shape"(%{{.*}})
  // CHECK: cute.make_shape(%{{.*}}) : (!cute.int_tuple<"7">) -> !cute.shape<"(?,8)">
  %2 = cute.make_shape(%a3) : (!cute.int_tuple<"7">) -> !cute.shape<"(?,8)">
  // GENERIC: "cute.make_shape"(%{{.*}})
  // CHECK: cute.make_shape(%{{.*}}) : (i32) -> !cute.shape<"(?{div=8},8)">
  %3 = cute.make_shape(%a4) : (i32) -> !cute.shape<"(?{div=8},8)">
  // A static operand fills any leaf that is wide enough for it.
  // GENERIC: "cute.make_shape"(%{{.*}})
  // CHECK: cute.make_shape(%{{.*}}) : (!cute.int_tuple<"-3">) -> !cute.shape<"(?{i8},(2,15))">
  %4 = cute.make_shape(%a5) : (!cute.int_tuple<"-3">) -> !cute.shape<"(?{i8},(2,15))">
  // GENERIC: "cute.make_shape"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_shape(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"-3">, !cute.int_tuple<"32767">) -> !cute.shape<"(?{i8},?{i16})">
  %5 = cute.make_shape(%a5, %a6) : (!cute.int_tuple<"-3">, !cute.int_tuple<"32767">) -> !cute.shape<"(?{i8},?{i16})">
  return
}

// CHECK-LABEL: func.func @make_stride(
func.func @make_stride(
    %a0: i32,
    %a1: i32) {
  // GENERIC: "cute.make_stride"(%{{.*}})
  // CHECK: cute.make_stride(%{{.*}}) : (i32) -> !cute.stride<"(?,1)">
  %0 = cute.make_stride(%a0) : (i32) -> !cute.stride<"(?,1)">
  // GENERIC: "cute.make_stride"(%{{.*}})
  // CHECK: cute.make_stride(%{{.*}}) : (i32) -> !cute.stride<"(?@1,2@0)">
  %1 = cute.make_stride(%a1) : (i32) -> !cute.stride<"(?@1,2@0)">
  return
}

// CHECK-LABEL: func.func @make_coord(
func.func @make_coord(
    %a0: i32) {
  // GENERIC: "cute.make_coord"(%{{.*}})
  // CHECK: cute.make_coord(%{{.*}}) : (i32) -> !cute.coord<"(?,_)">
  %0 = cute.make_coord(%a0) : (i32) -> !cute.coord<"(?,_)">
  // GENERIC: "cute.make_coord"()
  // CHECK: cute.make_coord() : () -> !cute.coord<"(_,3)">
  %1 = cute.make_coord() : () -> !cute.coord<"(_,3)">
  return
}

// CHECK-LABEL: func.func @make_tile(
func.func @make_tile(
    %a0: i32,
    %a1: i32) {
  // GENERIC: "cute.make_tile"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_tile(%{{.*}}, %{{.*}}) : (i32, i32) -> !cute.tile<"[?:1;_;(2,3):(?,1)]">
  %0 = cute.make_tile(%a0, %a1) : (i32, i32) -> !cute.tile<"[?:1;_;(2,3):(?,1)]">
  return
}

// CHECK-LABEL: func.func @make_layout(
func.func @make_layout(
    %a0: !cute.shape<"(8,?)">,
    %a1: !cute.stride<"(1,8)">,
    %a2: !cute.shape<"()">,
    %a3: !cute.stride<"()">,
    %a4: !cute.shape<"(5,3)">,
    %a5: !cute.stride<"(1@1,1@0)">) {
  // GENERIC: "cute.make_layout"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_layout(%{{.*}}, %{{.*}}) : (!cute.shape<"(8,?)">, !cute.stride<"(1,8)">) -> !cute.layout<"(8,?):(1,8)">
  %0 = cute.make_layout(%a0, %a1) : (!cute.shape<"(8,?)">, !cute.stride<"(1,8)">) -> !cute.layout<"(8,?):(1,8)">
  // GENERIC: "cute.make_layout"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_layout(%{{.*}}, %{{.*}}) : (!cute.shape<"()">, !cute.stride<"()">) -> !cute.layout<"():()">
  %1 = cute.make_layout(%a2, %a3) : (!cute.shape<"()">, !cute.stride<"()">) -> !cute.layout<"():()">
  // GENERIC: "cute.make_layout"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_layout(%{{.*}}, %{{.*}}) : (!cute.shape<"(5,3)">, !cute.stride<"(1@1,1@0)">) -> !cute.layout<"(5,3):(1@1,1@0)">
  %2 = cute.make_layout(%a4, %a5) : (!cute.shape<"(5,3)">, !cute.stride<"(1@1,1@0)">) -> !cute.layout<"(5,3):(1@1,1@0)">
  return
}

// CHECK-LABEL: func.func @make_layout_like(
func.func @make_layout_like(
    %a0: !cute.layout<"(4,6):(12,2)">,
    %a1: !cute.layout<"(?,?,3):(?,?,?)">) {
  // GENERIC: "cute.make_layout_like"(%{{.*}})
  // CHECK: cute.make_layout_like(%{{.*}}) : !cute.layout<"(4,6):(12,2)"> -> !cute.layout<"(4,6):(6,1)">
  %0 = cute.make_layout_like(%a0) : !cute.layout<"(4,6):(12,2)"> -> !cute.layout<"(4,6):(6,1)">
  // GENERIC: "cute.make_layout_like"(%{{.*}})
  // CHECK: cute.make_layout_like(%{{.*}}) : !cute.layout<"(?,?,3):(?,?,?)"> -> !cute.layout<"(?,?,3):(1,?,?)">
  %1 = cute.make_layout_like(%a1) : !cute.layout<"(?,?,3):(?,?,?)"> -> !cute.layout<"(?,?,3):(1,?,?)">
  return
}

// CHECK-LABEL: func.func @make_ordered_layout(
func.func @make_ordered_layout(
    %a0: !cute.shape<"(4,6)">,
    %a1: !cute.int_tuple<"(1,0)">,
    %a2: !cute.shape<"(2,?,4)">,
    %a3: !cute.int_tuple<"(1,0,2)">) {
  // GENERIC: "cute.make_ordered_layout"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_ordered_layout(%{{.*}}, %{{.*}}) : (!cute.shape<"(4,6)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,6):(6,1)">
  %0 = cute.make_ordered_layout(%a0, %a1) : (!cute.shape<"(4,6)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"(4,6):(6,1)">
  // GENERIC: "cute.make_ordered_layout"(%{{.*}}, %{{.*}})
  // CHECK: cute.make_ordered_layout(%{{.*}}, %{{.*}}) : (!cute.shape<"(2,?,4)">, !cute.int_tuple<"(1,0,2)">) -> !cute.layout<"(2,?,4):(?,1,?)">
  %1 = cute.make_ordered_layout(%a2, %a3) : (!cute.shape<"(2,?,4)">, !cute.int_tuple<"(1,0,2)">) -> !cute.layout<"(2,?,4):(?,1,?)">
  return
}

// CHECK-LABEL: func.func @make_identity_layout(
func.func @make_identity_layout(
    %a0: !cute.shape<"((2,?),4)">) {
  // GENERIC: "cute.make_identity_layout"(%{{.*}})
  // CHECK: cute.make_identity_layout(%{{.*}}) : !cute.shape<"((2,?),4)"> -> !cute.layout<"((2,?),4):((1@0@0,1@1@0),1@1)">
  %0 = cute.make_identity_layout(%a0) : !cute.shape<"((2,?),4)"> -> !cute.layout<"((2,?),4):((1@0@0,1@1@0),1@1)">
  return
}

// The offset, the outer layout and the result print without their kind, and may
// be written either way.
// CHECK-LABEL: func.func @make_composed_layout(
func.func @make_composed_layout(
    %s: !cute.swizzle<"S<2,1,3>">, %o: !cute.int_tuple<"?">,
    %b: !cute.layout<"(8,8):(8,1)">, %a: !cute.layout<"(8,?):(1,8)">,
    %p: !cute.int_tuple<"(0,?)">, %c: !cute.layout<"(2,3):(1@0,1@1)">) {
  // GENERIC: "cute.make_composed_layout"({{.*}}) : (!cute.swizzle<"S<2,1,3>">, !cute.int_tuple<"?">, !cute.layout<"(8,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o ? o (8,8):(8,1)">
  // CHECK: cute.make_composed_layout(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.swizzle<"S<2,1,3>">, <"?">, <"(8,8):(8,1)">) -> <"S<2,1,3> o ? o (8,8):(8,1)">
  %0 = cute.make_composed_layout(%s, %o, %b) : (!cute.swizzle<"S<2,1,3>">, <"?">, <"(8,8):(8,1)">) -> <"S<2,1,3> o ? o (8,8):(8,1)">
  // CHECK: cute.make_composed_layout(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.layout<"(8,?):(1,8)">, <"(0,?)">, <"(2,3):(1@0,1@1)">) -> <"(8,?):(1,8) o (0,?) o (2,3):(1@0,1@1)">
  %1 = cute.make_composed_layout(%a, %p, %c) : (!cute.layout<"(8,?):(1,8)">, !cute.int_tuple<"(0,?)">, !cute.layout<"(2,3):(1@0,1@1)">) -> !cute.composed_layout<"(8,?):(1,8) o (0,?) o (2,3):(1@0,1@1)">
  return
}

// CHECK-LABEL: func.func @make_layout_of_shape(
func.func @make_layout_of_shape(%a: !cute.shape<"(4,(?,2))">) {
  // GENERIC: "cute.make_layout"(
  // CHECK: cute.make_layout(%{{.*}}) : (!cute.shape<"(4,(?,2))">) -> !cute.layout<"(4,(?,2)):(1,(4,?))">
  %r = cute.make_layout(%a) : (!cute.shape<"(4,(?,2))">) -> !cute.layout<"(4,(?,2)):(1,(4,?))">
  return
}

// CHECK-LABEL: func.func @concatenate(
func.func @concatenate(%a: !cute.layout<"4:1">, %b: !cute.layout<"(2,?):(4,?)">) {
  // GENERIC: "cute.concatenate"(
  // CHECK: cute.concatenate(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.layout<"4:1">, !cute.layout<"(2,?):(4,?)">, !cute.layout<"4:1">) -> !cute.layout<"(4,(2,?),4):(1,(4,?),1)">
  %r = cute.concatenate(%a, %b, %a) : (!cute.layout<"4:1">, !cute.layout<"(2,?):(4,?)">, !cute.layout<"4:1">) -> !cute.layout<"(4,(2,?),4):(1,(4,?),1)">
  return
}

// CHECK-LABEL: func.func @make_layout_tv(
func.func @make_layout_tv(%a: !cute.layout<"(16,8):(8,1)">, %b: !cute.layout<"(1,8):(0,1)">) {
  // GENERIC: "cute.make_layout_tv"(
  // CHECK: cute.make_layout_tv(%{{.*}}, %{{.*}}) : (!cute.layout<"(16,8):(8,1)">, !cute.layout<"(1,8):(0,1)">) -> (!cute.shape<"(16,64)">, !cute.layout<"((8,16),8):((128,1),16)">)
  %r:2 = cute.make_layout_tv(%a, %b) : (!cute.layout<"(16,8):(8,1)">, !cute.layout<"(1,8):(0,1)">) -> (!cute.shape<"(16,64)">, !cute.layout<"((8,16),8):((128,1),16)">)
  return
}
