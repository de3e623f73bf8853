// What the open dialect's verdicts (test/data/ops) do not show of inference.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @flatten(
func.func @flatten(%a0: !cute.shape<"((),2)">) {
  // CHECK: cute.flatten{{.*}} -> !cute.shape<"(2)">{{$}}
  %0 = cute.flatten(%a0)
  return
}

// CHECK-LABEL: func.func @group(
func.func @group(%a: !cute.shape<"(4,?,2)">) {
  // CHECK: cute.group{{.*}} -> !cute.shape<"(4,(?,2))">{{$}}
  %r = cute.group<1> (%a)
  return
}

// CHECK-LABEL: func.func @append(
func.func @append(%a: !cute.coord<"(1,?)">, %e: !cute.coord<"0">) {
  // CHECK: cute.append{{.*}} -> !cute.coord<"(1,?,0,0)">{{$}}
  %r = cute.append<4> (%a, %e)
  return
}

// CHECK-LABEL: func.func @prepend(
func.func @prepend(%a: !cute.tile<"[4:1;?:1]">, %e: !cute.layout<"2:1">) {
  // CHECK: cute.prepend{{.*}} -> !cute.tile<"[2:1;4:1;?:1]">{{$}}
  %r = cute.prepend(%a, %e)
  return
}

// CHECK-LABEL: func.func @front(
func.func @front(%a: !cute.tensor<f16, gmem, align<2>, "((2,?),8):((1,2),?)">) {
  // CHECK: cute.front{{.*}} -> !cute.tensor<f16, gmem, align<2>, "2:1">{{$}}
  %r = cute.front(%a)
  return
}

// CHECK-LABEL: func.func @find(
func.func @find(%x: !cute.int_tuple<"8">, %a: !cute.shape<"((4,8),2)">) {
  // CHECK: cute.find{{.*}} -> !cute.int_tuple<"(0,1)">{{$}}
  %r = cute.find(%x, %a)
  return
}

// CHECK-LABEL: func.func @repeat_like(
func.func @repeat_like(%x: !cute.int_tuple<"?">, %a: !cute.layout<"(4,(?,2)):(1,(4,?))">) {
  // CHECK: cute.repeat_like{{.*}} -> !cute.int_tuple<"(?,(?,?))">{{$}}
  %r = cute.repeat_like(%x, %a)
  return
}

// CHECK-LABEL: func.func @slice_and_offset(
func.func @slice_and_offset(%a: !cute.layout<"(?,8):(8,?)">, %c: !cute.coord<"(?,_)">) {
  // CHECK: cute.slice_and_offset{{.*}} -> (!cute.layout<"(8):(?)">, !cute.int_tuple<"?{div=8}">){{$}}
  %r:2 = cute.slice_and_offset(%a, %c)
  return
}

// CHECK-LABEL: func.func @replaced(
func.func @replaced(%s: !cute.shape<"(4,8)">, %n: i32, %t: !cute.tensor<f16, gmem, align<16>, "(4,8):(8,1)">, %c: !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">) {
  // CHECK: cute.replace<1> (%{{.*}} -> !cute.shape<"(4,?)">{{$}}
  %a = cute.replace<1> (%s, %n)
  // CHECK: cute.replace<0> {{.*}} -> !cute.tensor<f16, gmem, align<16>, "((2,2),8):((1,2),1)">{{$}}
  %b = cute.replace<0> (%t, (2,2):(1,2))
  // CHECK: cute.replace<0> {{.*}} -> !cute.composed_layout<"S<3,3,3> o 0 o (4,64):(1,1)">{{$}}
  %d = cute.replace<0> (%c, 4:1)
  // CHECK: cute.unflatten{{.*}} -> !cute.composed_layout<"S<3,3,3> o 0 o ((8,64)):((64,1))">{{$}}
  %e = cute.unflatten(%c, ((1,1)))
  // CHECK: cute.unflatten{{.*}} -> !cute.shape<"(4,(?))">{{$}}
  %f = cute.unflatten(%a, (0,(0)))
  // The kind is that of the first; scalars are one mode each.
  // CHECK: cute.zip{{.*}} -> !cute.shape<"((4,?),(8,2))">{{$}}
  %g = cute.zip(%s, (%n,2))
  // CHECK: cute.zip{{.*}} -> !cute.layout<"(4,3):(1,2)">{{$}}
  %h = cute.zip(4:1, 3:2)
  return
}
