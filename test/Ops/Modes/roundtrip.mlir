// Ops on modes come back as they were written, for every kind of value.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @flatten(
func.func @flatten(
    %a0: !cute.layout<"((2,3),4):((1,2),6)">,
    %a1: !cute.shape<"(2,(3,(4,?)))">,
    %a2: !cute.coord<"(_,(1,_))">,
    %a3: !cute.tile<"[2:1;[_;3:1]]">,
    %a4: !cute.composed_layout<"S<2,1,3> o ? o ((2,?),4):((1,2),?)">,
    %a5: !cute.tensor<f32, gmem, align<16>, "((2,?),4):((1,2),?)">) {
  // GENERIC: "cute.flatten"(%{{.*}})
  // CHECK: cute.flatten(%{{.*}}) : (!cute.layout<"((2,3),4):((1,2),6)">) -> !cute.layout<"(2,3,4):(1,2,6)">
  %0 = cute.flatten(%a0) : (!cute.layout<"((2,3),4):((1,2),6)">) -> !cute.layout<"(2,3,4):(1,2,6)">
  // GENERIC: "cute.flatten"(%{{.*}})
  // CHECK: cute.flatten(%{{.*}}) : (!cute.shape<"(2,(3,(4,?)))">) -> !cute.shape<"(2,3,4,?)">
  %1 = cute.flatten(%a1) : (!cute.shape<"(2,(3,(4,?)))">) -> !cute.shape<"(2,3,4,?)">
  // GENERIC: "cute.flatten"(%{{.*}})
  // CHECK: cute.flatten(%{{.*}}) : (!cute.coord<"(_,(1,_))">) -> !cute.coord<"(_,1,_)">
  %2 = cute.flatten(%a2) : (!cute.coord<"(_,(1,_))">) -> !cute.coord<"(_,1,_)">
  // GENERIC: "cute.flatten"(%{{.*}})
  // CHECK: cute.flatten(%{{.*}}) : (!cute.tile<"[2:1;[_;3:1]]">) -> !cute.tile<"[2:1;_;3:1]">
  %3 = cute.flatten(%a3) : (!cute.tile<"[2:1;[_;3:1]]">) -> !cute.tile<"[2:1;_;3:1]">
  // GENERIC: "cute.flatten"(%{{.*}})
  // CHECK: cute.flatten(%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o ? o ((2,?),4):((1,2),?)">) -> !cute.composed_layout<"S<2,1,3> o ? o (2,?,4):(1,2,?)">
  %4 = cute.flatten(%a4) : (!cute.composed_layout<"S<2,1,3> o ? o ((2,?),4):((1,2),?)">) -> !cute.composed_layout<"S<2,1,3> o ? o (2,?,4):(1,2,?)">
  // GENERIC: "cute.flatten"(%{{.*}})
  // CHECK: cute.flatten(%{{.*}}) : (!cute.tensor<f32, gmem, align<16>, "((2,?),4):((1,2),?)">) -> !cute.tensor<f32, gmem, align<16>, "(2,?,4):(1,2,?)">
  %5 = cute.flatten(%a5) : (!cute.tensor<f32, gmem, align<16>, "((2,?),4):((1,2),?)">) -> !cute.tensor<f32, gmem, align<16>, "(2,?,4):(1,2,?)">
  return
}

// CHECK-LABEL: func.func @group_modes(
func.func @group_modes(
    %a0: !cute.layout<"(2,3,?):(1,2,6)">,
    %a1: !cute.composed_layout<"S<2,1,3> o 0 o (4,8):(8,1)">) {
  // GENERIC: "cute.group_modes"(%{{.*}}) <{begin = 0 : i32, end = 2 : i32}>
  // CHECK: cute.group_modes<0, 2> (%{{.*}}) : (!cute.layout<"(2,3,?):(1,2,6)">) -> !cute.layout<"((2,3),?):((1,2),6)">
  %0 = cute.group_modes<0, 2>(%a0) : (!cute.layout<"(2,3,?):(1,2,6)">) -> !cute.layout<"((2,3),?):((1,2),6)">
  // GENERIC: "cute.group_modes"(%{{.*}}) <{begin = 1 : i32, end = 2 : i32}>
  // CHECK: cute.group_modes<1, 2> (%{{.*}}) : (!cute.composed_layout<"S<2,1,3> o 0 o (4,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o 0 o (4,(8)):(8,(1))">
  %1 = cute.group_modes<1, 2>(%a1) : (!cute.composed_layout<"S<2,1,3> o 0 o (4,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o 0 o (4,(8)):(8,(1))">
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(
    %a0: !cute.layout<"(?,3,4):(12,?,1)">,
    %a1: !cute.coord<"(_,?,_)">,
    %a2: !cute.shape<"(2,(3,4))">,
    %a3: !cute.coord<"(1,_)">,
    %a4: !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">,
    %a5: !cute.coord<"(_,?)">,
    %a6: !cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">,
    %a7: !cute.coord<"(_,?)">) {
  // GENERIC: "cute.slice"(%{{.*}}, %{{.*}})
  // CHECK: cute.slice(%{{.*}}, %{{.*}}) : !cute.layout<"(?,3,4):(12,?,1)">, !cute.coord<"(_,?,_)">
  %0 = cute.slice(%a0, %a1) : !cute.layout<"(?,3,4):(12,?,1)">, !cute.coord<"(_,?,_)">
  // GENERIC: "cute.slice"(%{{.*}}, %{{.*}})
  // CHECK: cute.slice(%{{.*}}, %{{.*}}) : !cute.shape<"(2,(3,4))">, !cute.coord<"(1,_)">
  %1 = cute.slice(%a2, %a3) : !cute.shape<"(2,(3,4))">, !cute.coord<"(1,_)">
  // GENERIC: "cute.slice"(%{{.*}}, %{{.*}})
  // CHECK: cute.slice(%{{.*}}, %{{.*}}) : !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">, !cute.coord<"(_,?)">
  %2 = cute.slice(%a4, %a5) : !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">, !cute.coord<"(_,?)">
  // GENERIC: "cute.slice"(%{{.*}}, %{{.*}})
  // CHECK: cute.slice(%{{.*}}, %{{.*}}) : !cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">, !cute.coord<"(_,?)">
  %3 = cute.slice(%a6, %a7) : !cute.tensor<f32, gmem, align<16>, "(8,?):(?,1)">, !cute.coord<"(_,?)">
  return
}

// CHECK-LABEL: func.func @dice(
func.func @dice(
    %a0: !cute.layout<"(?,3,4):(12,?,1)">,
    %a1: !cute.coord<"(0,0,_)">,
    %a2: !cute.int_tuple<"(6,?)">,
    %a3: !cute.coord<"(_,2)">) {
  // GENERIC: "cute.dice"(%{{.*}}, %{{.*}})
  // CHECK: cute.dice(%{{.*}}, %{{.*}}) : !cute.layout<"(?,3,4):(12,?,1)">, !cute.coord<"(0,0,_)">
  %0 = cute.dice(%a0, %a1) : !cute.layout<"(?,3,4):(12,?,1)">, !cute.coord<"(0,0,_)">
  // GENERIC: "cute.dice"(%{{.*}}, %{{.*}})
  // CHECK: cute.dice(%{{.*}}, %{{.*}}) : !cute.int_tuple<"(6,?)">, !cute.coord<"(_,2)">
  %1 = cute.dice(%a2, %a3) : !cute.int_tuple<"(6,?)">, !cute.coord<"(_,2)">
  return
}

// CHECK-LABEL: func.func @append_to_rank(
func.func @append_to_rank(
    %a0: !cute.shape<"(5,7)">,
    %a1: !cute.shape<"?">,
    %a2: !cute.coord<"(_,2)">,
    %a3: !cute.coord<"_">,
    %a4: !cute.stride<"(1@0)">,
    %a5: !cute.stride<"1@1">) {
  // GENERIC: "cute.append_to_rank"(%{{.*}}, %{{.*}}) <{rank = 4 : i32}>
  // CHECK: cute.append_to_rank<4> (%{{.*}}, %{{.*}}) : !cute.shape<"(5,7)">, !cute.shape<"?">
  %0 = cute.append_to_rank<4>(%a0, %a1) : !cute.shape<"(5,7)">, !cute.shape<"?">
  // GENERIC: "cute.append_to_rank"(%{{.*}}, %{{.*}}) <{rank = 3 : i32}>
  // CHECK: cute.append_to_rank<3> (%{{.*}}, %{{.*}}) : !cute.coord<"(_,2)">, !cute.coord<"_">
  %1 = cute.append_to_rank<3>(%a2, %a3) : !cute.coord<"(_,2)">, !cute.coord<"_">
  // GENERIC: "cute.append_to_rank"(%{{.*}}, %{{.*}}) <{rank = 2 : i32}>
  // CHECK: cute.append_to_rank<2> (%{{.*}}, %{{.*}}) : !cute.stride<"(1@0)">, !cute.stride<"1@1">
  %2 = cute.append_to_rank<2>(%a4, %a5) : !cute.stride<"(1@0)">, !cute.stride<"1@1">
  return
}

// CHECK-LABEL: func.func @prepend_to_rank(
func.func @prepend_to_rank(
    %a0: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">,
    %a1: !cute.layout<"1:0">,
    %a2: !cute.int_tuple<"7">,
    %a3: !cute.int_tuple<"(1,?)">) {
  // GENERIC: "cute.prepend_to_rank"(%{{.*}}, %{{.*}}) <{rank = 3 : i32}>
  // CHECK: cute.prepend_to_rank<3> (%{{.*}}, %{{.*}}) : !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">, !cute.layout<"1:0">
  %0 = cute.prepend_to_rank<3>(%a0, %a1) : !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">, !cute.layout<"1:0">
  // GENERIC: "cute.prepend_to_rank"(%{{.*}}, %{{.*}}) <{rank = 2 : i32}>
  // CHECK: cute.prepend_to_rank<2> (%{{.*}}, %{{.*}}) : !cute.int_tuple<"7">, !cute.int_tuple<"(1,?)">
  %1 = cute.prepend_to_rank<2>(%a2, %a3) : !cute.int_tuple<"7">, !cute.int_tuple<"(1,?)">
  return
}

// Attributes may stand in the dictionary, with others.
// CHECK-LABEL: func.func @dictionary
func.func @dictionary(%l: !cute.layout<"(2,3,4):(1,2,6)">) {
  // CHECK: cute.group_modes<1, 3> (%{{.*}}) {note = 1 : i32} : (!cute.layout<"(2,3,4):(1,2,6)">) -> !cute.layout<"(2,(3,4)):(1,(2,6))">
  %0 = cute.group_modes(%l) {begin = 1 : i32, note = 1 : i32, end = 3 : i32} : (!cute.layout<"(2,3,4):(1,2,6)">) -> !cute.layout<"(2,(3,4)):(1,(2,6))">
  return
}

// A tensor gets modes of extent 1.
// CHECK-LABEL: func.func @ranks_of_tensors
func.func @ranks_of_tensors(%t: !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">, %c: !cute.coord_tensor<"(0,?)", "(4,5):(1@0,1@1)">) {
  %one = cute.static : !cute.layout<"1:0">
  // CHECK: cute.append_to_rank<4> (%{{.*}}, %{{.*}}) : !cute.tensor<f32, gmem, align<4>, "(4,?):(?,1)">, !cute.layout<"1:0">
  %0 = cute.append_to_rank<4> (%t, %one)
  // CHECK: cute.get_shape(%{{.*}}) : !cute.tensor<f32, gmem, align<4>, "(4,?,1,1):(?,1,0,0)"> ->
  %s = cute.get_shape(%0)
  // CHECK: cute.prepend_to_rank<3> (%{{.*}}, %{{.*}}) : !cute.coord_tensor<"(0,?)", "(4,5):(1@0,1@1)">, !cute.layout<"1:0">
  %1 = cute.prepend_to_rank<3> (%c, %one)
  // CHECK: cute.get_shape(%{{.*}}) : !cute.coord_tensor<"(0,?)", "(1,4,5):(0,1@0,1@1)"> ->
  %u = cute.get_shape(%1)
  return
}

// CHECK-LABEL: func.func @group(
func.func @group(%a: !cute.shape<"(4,?,2)">) {
  // GENERIC: "cute.group"(
  // CHECK: cute.group<1> (%{{.*}}) : (!cute.shape<"(4,?,2)">) -> !cute.shape<"(4,(?,2))">
  %r = cute.group<1> (%a) : (!cute.shape<"(4,?,2)">) -> !cute.shape<"(4,(?,2))">
  return
}

// CHECK-LABEL: func.func @append(
func.func @append(%a: !cute.coord<"(1,?)">, %e: !cute.coord<"0">) {
  // GENERIC: "cute.append"(
  // CHECK: cute.append<4> (%{{.*}}, %{{.*}}) : (!cute.coord<"(1,?)">, !cute.coord<"0">) -> !cute.coord<"(1,?,0,0)">
  %r = cute.append<4> (%a, %e) : (!cute.coord<"(1,?)">, !cute.coord<"0">) -> !cute.coord<"(1,?,0,0)">
  return
}

// CHECK-LABEL: func.func @prepend(
func.func @prepend(%a: !cute.tile<"[4:1;?:1]">, %e: !cute.layout<"2:1">) {
  // GENERIC: "cute.prepend"(
  // CHECK: cute.prepend (%{{.*}}, %{{.*}}) : (!cute.tile<"[4:1;?:1]">, !cute.layout<"2:1">) -> !cute.tile<"[2:1;4:1;?:1]">
  %r = cute.prepend (%a, %e) : (!cute.tile<"[4:1;?:1]">, !cute.layout<"2:1">) -> !cute.tile<"[2:1;4:1;?:1]">
  return
}

// CHECK-LABEL: func.func @front(
func.func @front(%a: !cute.tensor<f16, gmem, align<2>, "((2,?),8):((1,2),?)">) {
  // GENERIC: "cute.front"(
  // CHECK: cute.front(%{{.*}}) : (!cute.tensor<f16, gmem, align<2>, "((2,?),8):((1,2),?)">) -> !cute.tensor<f16, gmem, align<2>, "2:1">
  %r = cute.front(%a) : (!cute.tensor<f16, gmem, align<2>, "((2,?),8):((1,2),?)">) -> !cute.tensor<f16, gmem, align<2>, "2:1">
  return
}

// CHECK-LABEL: func.func @find(
func.func @find(%x: !cute.int_tuple<"8">, %a: !cute.shape<"((4,8),2)">) {
  // GENERIC: "cute.find"(
  // CHECK: cute.find(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"8">, !cute.shape<"((4,8),2)">) -> !cute.int_tuple<"(0,1)">
  %r = cute.find(%x, %a) : (!cute.int_tuple<"8">, !cute.shape<"((4,8),2)">) -> !cute.int_tuple<"(0,1)">
  return
}

// CHECK-LABEL: func.func @repeat_like(
func.func @repeat_like(%x: !cute.int_tuple<"?">, %a: !cute.layout<"(4,(?,2)):(1,(4,?))">) {
  // GENERIC: "cute.repeat_like"(
  // CHECK: cute.repeat_like(%{{.*}}, %{{.*}}) : (!cute.int_tuple<"?">, !cute.layout<"(4,(?,2)):(1,(4,?))">) -> !cute.int_tuple<"(?,(?,?))">
  %r = cute.repeat_like(%x, %a) : (!cute.int_tuple<"?">, !cute.layout<"(4,(?,2)):(1,(4,?))">) -> !cute.int_tuple<"(?,(?,?))">
  return
}

// CHECK-LABEL: func.func @slice_and_offset(
func.func @slice_and_offset(%a: !cute.layout<"(?,8):(8,?)">, %c: !cute.coord<"(?,_)">) {
  // GENERIC: "cute.slice_and_offset"(
  // CHECK: cute.slice_and_offset(%{{.*}}, %{{.*}}) : (!cute.layout<"(?,8):(8,?)">, !cute.coord<"(?,_)">) -> (!cute.layout<"(8):(?)">, !cute.int_tuple<"?{div=8}">)
  %r:2 = cute.slice_and_offset(%a, %c) : (!cute.layout<"(?,8):(8,?)">, !cute.coord<"(?,_)">) -> (!cute.layout<"(8):(?)">, !cute.int_tuple<"?{div=8}">)
  return
}

// CHECK-LABEL: func.func @replace(
func.func @replace(%a: !cute.shape<"(4,8)">, %n: i32) {
  // GENERIC: "cute.replace"(
  // CHECK: cute.replace<1> (%{{.*}}, %{{.*}}) : (!cute.shape<"(4,8)">, i32) -> !cute.shape<"(4,?)">
  %r = cute.replace<1> (%a, %n) : (!cute.shape<"(4,8)">, i32) -> !cute.shape<"(4,?)">
  return
}

// CHECK-LABEL: func.func @unflatten(
func.func @unflatten(%a: !cute.tensor<f16, gmem, align<16>, "(4,8,2):(8,1,32)">, %p: !cute.coord<"(_,(_,_))">) {
  // GENERIC: "cute.unflatten"(
  // CHECK: cute.unflatten(%{{.*}}, %{{.*}}) : (!cute.tensor<f16, gmem, align<16>, "(4,8,2):(8,1,32)">, !cute.coord<"(_,(_,_))">) -> !cute.tensor<f16, gmem, align<16>, "(4,(8,2)):(8,(1,32))">
  %r = cute.unflatten(%a, %p) : (!cute.tensor<f16, gmem, align<16>, "(4,8,2):(8,1,32)">, !cute.coord<"(_,(_,_))">) -> !cute.tensor<f16, gmem, align<16>, "(4,(8,2)):(8,(1,32))">
  return
}

// CHECK-LABEL: func.func @zip(
func.func @zip(%a: !cute.layout<"(4,?):(1,4)">, %b: !cute.layout<"(2,3):(32,64)">) {
  // GENERIC: "cute.zip"(
  // CHECK: cute.zip(%{{.*}}, %{{.*}}) : (!cute.layout<"(4,?):(1,4)">, !cute.layout<"(2,3):(32,64)">) -> !cute.layout<"((4,2),(?,3)):((1,32),(4,64))">
  %r = cute.zip(%a, %b) : (!cute.layout<"(4,?):(1,4)">, !cute.layout<"(2,3):(32,64)">) -> !cute.layout<"((4,2),(?,3)):((1,32),(4,64))">
  return
}
