// The layout algebra infers its results, also where leaves are dynamic.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @composition(
func.func @composition(
    %a0: !cute.layout<"(9,5):(5,2)">,
    %a1: !cute.layout<"(6,2):(3,1)">,
    %a2: !cute.layout<"(8,4):(4,1)">,
    %a3: !cute.shape<"4">,
    %a4: !cute.layout<"(8,4):(4,1)">,
    %a5: !cute.shape<"(4,2)">,
    %a6: !cute.layout<"(8,4):(4,1)">,
    %a7: !cute.shape<"(4)">,
    %a8: !cute.layout<"(8,4):(4,1)">,
    %a9: !cute.tile<"[4:2;_]">,
    %a10: !cute.layout<"(8,4):(4,1)">,
    %a11: !cute.layout<"(2,3):(1@1,1@0)">,
    %a12: !cute.layout<"(8,4):(4,1)">,
    %a13: !cute.layout<"?:2">,
    %a14: !cute.layout<"(8,?):(1,8)">,
    %a15: !cute.layout<"16:1">,
    %a16: !cute.layout<"32:3">,
    %a17: !cute.layout<"?:?{i64}">) {
  // CHECK: cute.composition{{.*}} -> !cute.layout<"((3,2),2):((15,2),5)">{{$}}
  %0 = cute.composition(%a0, %a1)
  // A scalar shape is s:1, a tuple works by mode.
  // CHECK: cute.composition{{.*}} -> !cute.layout<"4:4">{{$}}
  %1 = cute.composition(%a2, %a3)
  // CHECK: cute.composition{{.*}} -> !cute.layout<"(4,2):(4,1)">{{$}}
  %2 = cute.composition(%a4, %a5)
  // Modes beyond the tiler are dropped; `_` keeps one.
  // CHECK: cute.composition{{.*}} -> !cute.layout<"(4):(4)">{{$}}
  %3 = cute.composition(%a6, %a7)
  // CHECK: cute.composition{{.*}} -> !cute.layout<"(4,4):(8,1)">{{$}}
  %4 = cute.composition(%a8, %a9)
  // Scaled bases pick modes.
  // CHECK: cute.composition{{.*}} -> !cute.layout<"(2,3):(1,4)">{{$}}
  %5 = cute.composition(%a10, %a11)
  // How much of the first mode an unknown extent takes is unknown.
  // CHECK: cute.composition{{.*}} -> !cute.layout<"(?,?):(8,1)">{{$}}
  %6 = cute.composition(%a12, %a13)
  // The extent of the last mode never matters.
  // CHECK: cute.composition{{.*}} -> !cute.layout<"16:1">{{$}}
  %7 = cute.composition(%a14, %a15)
  // CHECK: cute.composition{{.*}} -> !cute.layout<"?:?{i64}">{{$}}
  %8 = cute.composition(%a16, %a17)
  return
}

// CHECK-LABEL: func.func @coalesce(
func.func @coalesce(
    %a0: !cute.layout<"(3,(1,5)):(1,(8,3))">,
    %a1: !cute.layout<"(1,1):(7,3)">,
    %a2: !cute.layout<"(2,3,?,4,5):(1,2,6,3,12)">,
    %a3: !cute.layout<"(3,?):(1,3)">,
    %a4: !cute.layout<"(2,(3,4)):(1,(2,6))">,
    %a5: !cute.coord<"(1,1)">,
    %a6: !cute.layout<"4:1">,
    %a7: !cute.coord<"(1)">) {
  // CHECK: cute.coalesce{{.*}} -> !cute.layout<"15:1">{{$}}
  %0 = cute.coalesce(%a0)
  // CHECK: cute.coalesce{{.*}} -> !cute.layout<"1:3">{{$}}
  %1 = cute.coalesce(%a1)
  // CHECK: cute.coalesce{{.*}} -> !cute.layout<"(6,?,20):(1,6,3)">{{$}}
  %2 = cute.coalesce(%a2)
  // A dynamic extent never merges.
  // CHECK: cute.coalesce{{.*}} -> !cute.layout<"(3,?):(1,3)">{{$}}
  %3 = cute.coalesce(%a3)
  // A profile keeps modes apart.
  // CHECK: cute.coalesce{{.*}} -> !cute.layout<"(2,12):(1,2)">{{$}}
  %4 = cute.coalesce(%a4, %a5)
  // CHECK: cute.coalesce{{.*}} -> !cute.layout<"(4):(1)">{{$}}
  %5 = cute.coalesce(%a6, %a7)
  return
}

// CHECK-LABEL: func.func @complement(
func.func @complement(
    %a0: !cute.layout<"(3,2):(4,24)">,
    %a1: !cute.layout<"(3,2):(1,9)">,
    %a2: !cute.shape<"36">,
    %a3: !cute.layout<"5:0">,
    %a4: !cute.shape<"40">,
    %a5: !cute.layout<"5:?">,
    %a6: !cute.shape<"40">,
    %a7: !cute.layout<"4:2">,
    %a8: !cute.shape<"(24,?)">) {
  // Gaps of 4 below 4 and of 2 below 24; the end is at 48.
  // CHECK: cute.complement{{.*}} -> !cute.layout<"(4,2,1):(1,12,48)">{{$}}
  %0 = cute.complement(%a0)
  // CHECK: cute.complement{{.*}} -> !cute.layout<"(3,2):(3,18)">{{$}}
  %1 = cute.complement(%a1, %a2)
  // CHECK: cute.complement{{.*}} -> !cute.layout<"40:1">{{$}}
  %2 = cute.complement(%a3, %a4)
  // CHECK: cute.complement{{.*}} -> !cute.layout<"(?,?):(1,?)">{{$}}
  %3 = cute.complement(%a5, %a6)
  // CHECK: cute.complement{{.*}} -> !cute.layout<"(2,3,?):(1,8,24)">{{$}}
  %4 = cute.complement(%a7, %a8)
  return
}

// CHECK-LABEL: func.func @right_inverse(
func.func @right_inverse(
    %a0: !cute.layout<"(2,4,3):(1,8,2)">,
    %a1: !cute.layout<"6:2">,
    %a2: !cute.layout<"(4,6):(1@1,1@0)">) {
  // 2:1 then 3:2 continue one another; nothing begins at 6.
  // CHECK: cute.right_inverse{{.*}} -> !cute.layout<"(2,3):(1,8)">{{$}}
  %0 = cute.right_inverse(%a0)
  // CHECK: cute.right_inverse{{.*}} -> !cute.layout<"1:0">{{$}}
  %1 = cute.right_inverse(%a1)
  // CHECK: cute.right_inverse{{.*}} -> !cute.layout<"(6,4):(4,1)">{{$}}
  %2 = cute.right_inverse(%a2)
  return
}

// CHECK-LABEL: func.func @left_inverse(
func.func @left_inverse(
    %a0: !cute.layout<"(4,6):(6,1)">,
    %a1: !cute.layout<"6:2">,
    %a2: !cute.layout<"4:0">) {
  // CHECK: cute.left_inverse{{.*}} -> !cute.layout<"(6,4):(4,1)">{{$}}
  %0 = cute.left_inverse(%a0)
  // Odd indices are not in the image.
  // CHECK: cute.left_inverse{{.*}} -> !cute.layout<"(2,6):(0,1)">{{$}}
  %1 = cute.left_inverse(%a1)
  // CHECK: cute.left_inverse{{.*}} -> !cute.layout<"1:0">{{$}}
  %2 = cute.left_inverse(%a2)
  return
}

// CHECK-LABEL: func.func @recast_layout(
func.func @recast_layout(
    %a0: !cute.layout<"(12,5):(1,12)">,
    %a1: !cute.layout<"(12,5):(1,12)">,
    %a2: !cute.layout<"(?,5):(1,?)">,
    %a3: !cute.layout<"(6,4):(1,6)">,
    %a4: !cute.composed_layout<"S<2,3,3> o 4 o (8,8):(8,1)">) {
  // 4 elements of 8 bits become one of 32.
  // CHECK: cute.recast_layout{{.*}} -> !cute.layout<"(3,5):(1,3)">{{$}}
  %0 = cute.recast_layout<32, 8>(%a0)
  // CHECK: cute.recast_layout{{.*}} -> !cute.layout<"(48,5):(1,48)">{{$}}
  %1 = cute.recast_layout<8, 32>(%a1)
  // CHECK: cute.recast_layout{{.*}} -> !cute.layout<"(?,5):(1,?)">{{$}}
  %2 = cute.recast_layout<8, 8>(%a2)
  // 3:2 is up by 3, then down by 2.
  // CHECK: cute.recast_layout{{.*}} -> !cute.layout<"(4,4):(1,4)">{{$}}
  %3 = cute.recast_layout<12, 8>(%a3)
  // CHECK: cute.recast_layout{{.*}} -> !cute.composed_layout<"S<2,2,3> o 2 o (8,4):(4,1)">{{$}}
  %4 = cute.recast_layout<16, 8>(%a4)
  return
}

func.func @filter(%a0: !cute.layout<"(4,(2,?)):(0,(1,?))">) {
  // CHECK: cute.filter_zeros({{.*}}) -> !cute.layout<"(1,(2,?)):(0,(1,?))">
  %0 = cute.filter_zeros(%a0)
  // CHECK: cute.filter({{.*}}) -> !cute.layout<"(2,?):(1,?)">
  %1 = cute.filter(%a0)
  return
}
