// Ops on modes infer their results.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @flatten(
func.func @flatten(
    %a0: !cute.shape<"((5))">,
    %a1: !cute.shape<"5">,
    %a2: !cute.shape<"((),2)">,
    %a3: !cute.layout<"((?,3),(4,(2,2))):((1,?),(0,(7,-1)))">) {
  // A tuple stays a tuple, a leaf a leaf.
  // CHECK: cute.flatten{{.*}} -> !cute.shape<"(5)">{{$}}
  %0 = cute.flatten(%a0)
  // CHECK: cute.flatten{{.*}} -> !cute.shape<"5">{{$}}
  %1 = cute.flatten(%a1)
  // CHECK: cute.flatten{{.*}} -> !cute.shape<"(2)">{{$}}
  %2 = cute.flatten(%a2)
  // CHECK: cute.flatten{{.*}} -> !cute.layout<"(?,3,4,2,2):(1,?,0,7,-1)">{{$}}
  %3 = cute.flatten(%a3)
  return
}

// CHECK-LABEL: func.func @group_modes(
func.func @group_modes(
    %a0: !cute.layout<"(5,6,7)">,
    %a1: !cute.layout<"5:2">,
    %a2: !cute.layout<"(2,?,4):(?,1,8)">) {
  // Also a single mode gets a level.
  // CHECK: cute.group_modes{{.*}} -> !cute.layout<"(5,(6),7):(1,(5),30)">{{$}}
  %0 = cute.group_modes<1, 2>(%a0)
  // CHECK: cute.group_modes{{.*}} -> !cute.layout<"(5):(2)">{{$}}
  %1 = cute.group_modes<0, 1>(%a1)
  // CHECK: cute.group_modes{{.*}} -> !cute.layout<"((2,?,4)):((?,1,8))">{{$}}
  %2 = cute.group_modes<0, 3>(%a2)
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(
    %a0: !cute.shape<"(6,5,9)">,
    %a1: !cute.coord<"(_,2,_)">,
    %a2: !cute.shape<"(6,5)">,
    %a3: !cute.coord<"(_,2)">,
    %a4: !cute.shape<"(2,3)">,
    %a5: !cute.coord<"(0,1)">,
    %a6: !cute.shape<"5">,
    %a7: !cute.coord<"_">,
    %a8: !cute.shape<"(2,(3,4))">,
    %a9: !cute.coord<"(1,_)">,
    %a10: !cute.shape<"(2,(3,4))">,
    %a11: !cute.coord<"(_,(1,_))">,
    %a12: !cute.layout<"(2,3):(1@0,1@1)">,
    %a13: !cute.coord<"(_,?)">,
    %a14: !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">,
    %a15: !cute.coord<"(_,2)">,
    %a16: !cute.composed_layout<"S<2,1,3> o 0 o (16,4):(4,1)">,
    %a17: !cute.coord<"(_,3)">) {
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(6,9)">
  %0 = cute.slice(%a0, %a1)
  cute.print(%0)
  // One survivor is still a tuple.
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(6)">
  %1 = cute.slice(%a2, %a3)
  cute.print(%1)
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"()">
  %2 = cute.slice(%a4, %a5)
  cute.print(%2)
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"5">
  %3 = cute.slice(%a6, %a7)
  cute.print(%3)
  // A whole mode stays one element, parts of a mode are spliced in.
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"((3,4))">
  %4 = cute.slice(%a8, %a9)
  cute.print(%4)
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(2,4)">
  %5 = cute.slice(%a10, %a11)
  cute.print(%5)
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.layout<"(2):(1@0)">
  %6 = cute.slice(%a12, %a13)
  cute.print(%6)
  // The offset moves by 2 * 8.
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.composed_layout<"(8,8):(8,1) o 16 o (4):(1)">
  %7 = cute.slice(%a14, %a15)
  cute.print(%7)
  // Of 3 = 0b11 the swizzle only concerns bit 1.
  // CHECK: %[[R:.*]] = cute.slice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.composed_layout<"S<2,1,3> o 2 o (16):(4)">
  %8 = cute.slice(%a16, %a17)
  cute.print(%8)
  return
}

// CHECK-LABEL: func.func @dice(
func.func @dice(
    %a0: !cute.shape<"(6,5,9)">,
    %a1: !cute.coord<"(_,2,2)">,
    %a2: !cute.shape<"5">,
    %a3: !cute.coord<"_">,
    %a4: !cute.shape<"5">,
    %a5: !cute.coord<"3">,
    %a6: !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">,
    %a7: !cute.coord<"(_,2)">) {
  // CHECK: %[[R:.*]] = cute.dice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(5,9)">
  %0 = cute.dice(%a0, %a1)
  cute.print(%0)
  // CHECK: %[[R:.*]] = cute.dice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"()">
  %1 = cute.dice(%a2, %a3)
  cute.print(%1)
  // CHECK: %[[R:.*]] = cute.dice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"5">
  %2 = cute.dice(%a4, %a5)
  cute.print(%2)
  // Keeps the offset.
  // CHECK: %[[R:.*]] = cute.dice
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.composed_layout<"(8,8):(8,1) o 0 o (4):(8)">
  %3 = cute.dice(%a6, %a7)
  cute.print(%3)
  return
}

// CHECK-LABEL: func.func @append_to_rank(
func.func @append_to_rank(
    %a0: !cute.shape<"(5,7)">,
    %a1: !cute.shape<"1">,
    %a2: !cute.shape<"7">,
    %a3: !cute.shape<"(1,2)">,
    %a4: !cute.shape<"(5,7)">,
    %a5: !cute.shape<"1">,
    %a6: !cute.layout<"6:5">,
    %a7: !cute.layout<"?:0">) {
  // CHECK: %[[R:.*]] = cute.append_to_rank
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(5,7,1,1)">
  %0 = cute.append_to_rank<4>(%a0, %a1)
  cute.print(%0)
  // CHECK: %[[R:.*]] = cute.append_to_rank
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(7,(1,2))">
  %1 = cute.append_to_rank<2>(%a2, %a3)
  cute.print(%1)
  // Unchanged from that rank on.
  // CHECK: %[[R:.*]] = cute.append_to_rank
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(5,7)">
  %2 = cute.append_to_rank<1>(%a4, %a5)
  cute.print(%2)
  // CHECK: %[[R:.*]] = cute.append_to_rank
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.layout<"(6,?,?):(5,0,0)">
  %3 = cute.append_to_rank<3>(%a6, %a7)
  cute.print(%3)
  return
}

// CHECK-LABEL: func.func @prepend_to_rank(
func.func @prepend_to_rank(
    %a0: !cute.shape<"(5,7)">,
    %a1: !cute.shape<"1">,
    %a2: !cute.shape<"7">,
    %a3: !cute.shape<"(1,2)">) {
  // CHECK: %[[R:.*]] = cute.prepend_to_rank
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"(1,1,5,7)">
  %0 = cute.prepend_to_rank<4>(%a0, %a1)
  cute.print(%0)
  // CHECK: %[[R:.*]] = cute.prepend_to_rank
  // CHECK-NEXT: cute.print(%[[R]]) : !cute.shape<"((1,2),7)">
  %1 = cute.prepend_to_rank<2>(%a2, %a3)
  cute.print(%1)
  return
}
