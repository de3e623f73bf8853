// Divides, products and tile_to_shape infer their results.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @logical_divide(
func.func @logical_divide(
    %a0: !cute.layout<"30:7">,
    %a1: !cute.layout<"5:3">,
    %a2: !cute.layout<"24:1">,
    %a3: !cute.layout<"5:1">,
    %a4: !cute.layout<"24:1">,
    %a5: !cute.layout<"24:1">,
    %a6: !cute.layout<"(10,12):(12,1)">,
    %a7: !cute.shape<"5">,
    %a8: !cute.layout<"(10,12):(12,1)">,
    %a9: !cute.shape<"(5)">,
    %a10: !cute.layout<"(10,12):(12,1)">,
    %a11: !cute.tile<"[5:2;_]">,
    %a12: !cute.layout<"?:1">,
    %a13: !cute.layout<"4:2">) {
  // The tile 0,3,..,12; the rest 0,1,2 and then 15.
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"(5,(3,2)):(21,(7,105))">{{$}}
  %0 = cute.logical_divide(%a0, %a1)
  // Tiles reach past the end.
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"(5,5):(1,5)">{{$}}
  %1 = cute.logical_divide(%a2, %a3)
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"(24,1):(1,24)">{{$}}
  %2 = cute.logical_divide(%a4, %a5)
  // A scalar tiles the whole, a tuple by mode.
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"(5,(2,12)):(12,(60,1))">{{$}}
  %3 = cute.logical_divide(%a6, %a7)
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"((5,2),12):((12,60),1)">{{$}}
  %4 = cute.logical_divide(%a8, %a9)
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"((5,2),12):((24,12),1)">{{$}}
  %5 = cute.logical_divide(%a10, %a11)
  // CHECK: cute.logical_divide{{.*}} -> !cute.layout<"(4,(2,?)):(2,(1,8))">{{$}}
  %6 = cute.logical_divide(%a12, %a13)
  return
}

// CHECK-LABEL: func.func @zipped_divide(
func.func @zipped_divide(
    %a0: !cute.layout<"(10,12,7):(12,1,120)">,
    %a1: !cute.shape<"(5,4)">,
    %a2: !cute.layout<"15:1">,
    %a3: !cute.shape<"(5)">) {
  // (10,12) by (5,4) leaves (2,3); 7 is not tiled.
  // CHECK: cute.zipped_divide{{.*}} -> !cute.layout<"((5,4),(2,3,7)):((12,1),(60,4,120))">{{$}}
  %0 = cute.zipped_divide(%a0, %a1)
  // CHECK: cute.zipped_divide{{.*}} -> !cute.layout<"((5),(3)):((1),(5))">{{$}}
  %1 = cute.zipped_divide(%a2, %a3)
  return
}

// CHECK-LABEL: func.func @tiled_divide(
func.func @tiled_divide(
    %a0: !cute.layout<"(10,12,7):(12,1,120)">,
    %a1: !cute.shape<"(5,4)">,
    %a2: !cute.layout<"(10,?):(?,1)">,
    %a3: !cute.tile<"[5:1;?:1]">) {
  // CHECK: cute.tiled_divide{{.*}} -> !cute.layout<"((5,4),2,3,7):((12,1),60,4,120)">{{$}}
  %0 = cute.tiled_divide(%a0, %a1)
  // CHECK: cute.tiled_divide{{.*}} -> !cute.layout<"((5,?),2,?):((?,1),?,?)">{{$}}
  %1 = cute.tiled_divide(%a2, %a3)
  return
}

// CHECK-LABEL: func.func @flat_divide(
func.func @flat_divide(
    %a0: !cute.layout<"(10,12,7):(12,1,120)">,
    %a1: !cute.shape<"(5,4)">) {
  // CHECK: cute.flat_divide{{.*}} -> !cute.layout<"(5,4,2,3,7):(12,1,60,4,120)">{{$}}
  %0 = cute.flat_divide(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @logical_product(
func.func @logical_product(
    %a0: !cute.layout<"4:2">,
    %a1: !cute.layout<"6:1">) {
  // Repetitions fill the gaps of the layout first.
  // CHECK: cute.logical_product{{.*}} -> !cute.layout<"(4,(2,3)):(2,(1,8))">{{$}}
  %0 = cute.logical_product(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @zipped_product(
func.func @zipped_product(
    %a0: !cute.layout<"4:2">,
    %a1: !cute.layout<"6:1">) {
  // CHECK: cute.zipped_product{{.*}} -> !cute.layout<"(4,(2,3)):(2,(1,8))">{{$}}
  %0 = cute.zipped_product(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @tiled_product(
func.func @tiled_product(
    %a0: !cute.layout<"4:2">,
    %a1: !cute.layout<"6:1">) {
  // CHECK: cute.tiled_product{{.*}} -> !cute.layout<"(4,2,3):(2,1,8)">{{$}}
  %0 = cute.tiled_product(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @flat_product(
func.func @flat_product(
    %a0: !cute.layout<"(2,2):(4,1)">,
    %a1: !cute.layout<"6:1">) {
  // CHECK: cute.flat_product{{.*}} -> !cute.layout<"(2,2,2,3):(4,1,2,8)">{{$}}
  %0 = cute.flat_product(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @blocked_product(
func.func @blocked_product(
    %a0: !cute.layout<"(2,2):(4,1)">,
    %a1: !cute.layout<"6:1">,
    %a2: !cute.layout<"4:1">,
    %a3: !cute.layout<"6:1">) {
  // CHECK: cute.blocked_product{{.*}} -> !cute.layout<"((2,(2,3)),(2,1)):((4,(2,8)),(1,0))">{{$}}
  %0 = cute.blocked_product(%a0, %a1)
  // CHECK: cute.blocked_product{{.*}} -> !cute.layout<"((4,6)):((1,4))">{{$}}
  %1 = cute.blocked_product(%a2, %a3)
  return
}

// CHECK-LABEL: func.func @raked_product(
func.func @raked_product(
    %a0: !cute.layout<"4:1">,
    %a1: !cute.layout<"6:1">,
    %a2: !cute.layout<"(2,2):(4,1)">,
    %a3: !cute.layout<"6:1">) {
  // CHECK: cute.raked_product{{.*}} -> !cute.layout<"((6,4)):((4,1))">{{$}}
  %0 = cute.raked_product(%a0, %a1)
  // CHECK: cute.raked_product{{.*}} -> !cute.layout<"((2,3,2),2):((2,8,4),1)">{{$}}
  %1 = cute.raked_product(%a2, %a3)
  return
}

// CHECK-LABEL: func.func @tile_to_shape(
func.func @tile_to_shape(
    %a0: !cute.layout<"(4,8):(8,1)">,
    %a1: !cute.shape<"(8,16)">,
    %a2: !cute.int_tuple<"(1,0)">,
    %a3: !cute.layout<"(4,8):(8,1)">,
    %a4: !cute.shape<"(9,16)">,
    %a5: !cute.layout<"(4,8):(8,1)">,
    %a6: !cute.shape<"(?,16)">,
    %a7: !cute.layout<"4:1">,
    %a8: !cute.shape<"(8,2)">,
    %a9: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">,
    %a10: !cute.shape<"(16,8)">) {
  // Blocks of 32 elements, the second mode first.
  // CHECK: cute.tile_to_shape{{.*}} -> !cute.layout<"((4,2),(8,2)):((8,64),(1,32))">{{$}}
  %0 = cute.tile_to_shape(%a0, %a1, %a2)
  // CHECK: cute.tile_to_shape{{.*}} -> !cute.layout<"((4,3),(8,2)):((8,32),(1,96))">{{$}}
  %1 = cute.tile_to_shape(%a3, %a4)
  // CHECK: cute.tile_to_shape{{.*}} -> !cute.layout<"((4,?),(8,2)):((8,32),(1,?))">{{$}}
  %2 = cute.tile_to_shape(%a5, %a6)
  // CHECK: cute.tile_to_shape{{.*}} -> !cute.layout<"((4,2),(1,2)):((1,4),(0,8))">{{$}}
  %3 = cute.tile_to_shape(%a7, %a8)
  // CHECK: cute.tile_to_shape{{.*}} -> !cute.composed_layout<"S<2,1,3> o 0 o ((8,2),(8,1)):((8,64),(1,0))">{{$}}
  %4 = cute.tile_to_shape(%a9, %a10)
  return
}
