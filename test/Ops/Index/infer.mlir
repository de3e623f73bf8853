// Sizes, coordinates and indices are inferred; static ones are in the type.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @size(
func.func @size(
    %a0: !cute.shape<"(5,(2,7))">,
    %a1: !cute.shape<"(0,?)">,
    %a2: !cute.shape<"(?,?{i64})">,
    %a3: !cute.shape<"(4294967296,?)">,
    %a4: !cute.layout<"(?,(3,?)):(1,(2,6))">) {
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"70">{{$}}
  %0 = cute.size(%a0)
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"0">{{$}}
  %1 = cute.size(%a1)
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %2 = cute.size(%a2)
  // A factor beyond 32 bits widens the product.
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %3 = cute.size(%a3)
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"3">{{$}}
  %4 = cute.size<[1, 0]>(%a4)
  return
}

// CHECK-LABEL: func.func @cosize(
func.func @cosize(
    %a0: !cute.layout<"(4,6):(-1,6)">,
    %a1: !cute.layout<"4:0">,
    %a2: !cute.layout<"(?,?):(0,0)">,
    %a3: !cute.layout<"(4,6):(2@0,3@1)">,
    %a4: !cute.composed_layout<"S<2,1,3> o 5 o (8,8):(8,1)">,
    %a5: !cute.layout<"(4,6):(1,8)">) {
  // 1 + 3 * 1 + 5 * 6: strides count with their absolute value.
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"34">{{$}}
  %0 = cute.cosize(%a0)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"1">{{$}}
  %1 = cute.cosize(%a1)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"1">{{$}}
  %2 = cute.cosize(%a2)
  // (1 + 3 * 2) * (1 + 5 * 3).
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"112">{{$}}
  %3 = cute.cosize(%a3)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"64">{{$}}
  %4 = cute.cosize(%a4)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"41">{{$}}
  %5 = cute.cosize<[1]>(%a5)
  return
}

// CHECK-LABEL: func.func @tuple_product(
func.func @tuple_product(
    %a0: !cute.shape<"(2,(?,4))">,
    %a1: !cute.int_tuple<"(?,0)">,
    %a2: !cute.shape<"()">) {
  // CHECK: cute.tuple_product{{.*}} -> !cute.shape<"?">{{$}}
  %0 = cute.tuple_product(%a0)
  // CHECK: cute.tuple_product{{.*}} -> !cute.int_tuple<"0">{{$}}
  %1 = cute.tuple_product(%a1)
  // CHECK: cute.tuple_product{{.*}} -> !cute.shape<"1">{{$}}
  %2 = cute.tuple_product(%a2)
  return
}

// CHECK-LABEL: func.func @tuple_product_each(
func.func @tuple_product_each(
    %a0: !cute.shape<"(5,(2,7))">,
    %a1: !cute.int_tuple<"5">,
    %a2: !cute.shape<"((),2)">) {
  // CHECK: cute.tuple_product_each{{.*}} -> !cute.shape<"(5,14)">{{$}}
  %0 = cute.tuple_product_each(%a0)
  // CHECK: cute.tuple_product_each{{.*}} -> !cute.int_tuple<"(5)">{{$}}
  %1 = cute.tuple_product_each(%a1)
  // CHECK: cute.tuple_product_each{{.*}} -> !cute.shape<"(1,2)">{{$}}
  %2 = cute.tuple_product_each(%a2)
  return
}

// CHECK-LABEL: func.func @layout_eval(
func.func @layout_eval(
    %a0: !cute.coord<"7">,
    %a1: !cute.layout<"(4,6):(6,1)">,
    %a2: !cute.coord<"99">,
    %a3: !cute.layout<"(4,6):(6,1)">,
    %a4: !cute.coord<"(1,5)">,
    %a5: !cute.layout<"(2,(3,4)):(1,(2,6))">,
    %a6: !cute.coord<"(?,0)">,
    %a7: !cute.layout<"(4,6):(0,1)">,
    %a8: !cute.coord<"(_,1)">,
    %a9: !cute.layout<"(4,6):(6,?)">,
    %a10: !cute.coord<"(?,2)">,
    %a11: !cute.layout<"(4,6):(2@1,3@0)">,
    %a12: !cute.coord<"(3,1)">,
    %a13: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">,
    %a14: !cute.coord<"(1,2)">,
    %a15: !cute.composed_layout<"(8,8):(8,1) o 3 o (4,4):(1,8)">) {
  // 7 is (3,1): 3 * 6 + 1.
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"19">{{$}}
  %0 = cute.layout_eval(%a0, %a1)
  // (3,24): the last mode does not wrap.
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"42">{{$}}
  %1 = cute.layout_eval(%a2, %a3)
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"11">{{$}}
  %2 = cute.layout_eval(%a4, %a5)
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"0">{{$}}
  %3 = cute.layout_eval(%a6, %a7)
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"?">{{$}}
  %4 = cute.layout_eval(%a8, %a9)
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"(6,?)">{{$}}
  %5 = cute.layout_eval(%a10, %a11)
  // 25 ^ (16 >> 3).
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"27">{{$}}
  %6 = cute.layout_eval(%a12, %a13)
  // 3 + 1 + 16 = 20 is (4,2): 4 * 8 + 2.
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"34">{{$}}
  %7 = cute.layout_eval(%a14, %a15)
  return
}

// CHECK-LABEL: func.func @crd2idx(
func.func @crd2idx(
    %a0: !cute.coord<"(1,(2,1))">,
    %a1: !cute.shape<"(3,(4,5))">,
    %a2: !cute.coord<"(6,3)">,
    %a3: !cute.shape<"(1,5)">,
    %a4: !cute.coord<"(1,2)">,
    %a5: !cute.shape<"(?,4)">) {
  // 1 + 2 * 3 + 1 * 12.
  // CHECK: cute.crd2idx{{.*}} -> !cute.int_tuple<"19">{{$}}
  %0 = cute.crd2idx(%a0, %a1)
  // CHECK: cute.crd2idx{{.*}} -> !cute.int_tuple<"3">{{$}}
  %1 = cute.crd2idx(%a2, %a3)
  // CHECK: cute.crd2idx{{.*}} -> !cute.int_tuple<"?">{{$}}
  %2 = cute.crd2idx(%a4, %a5)
  return
}

// CHECK-LABEL: func.func @idx2crd(
func.func @idx2crd(
    %a0: !cute.int_tuple<"7">,
    %a1: !cute.shape<"(3,4)">,
    %a2: !cute.int_tuple<"99">,
    %a3: !cute.shape<"(3,4)">,
    %a4: !cute.int_tuple<"(1,7)">,
    %a5: !cute.shape<"(3,(4,5))">,
    %a6: !cute.int_tuple<"-1">,
    %a7: !cute.shape<"(3,4)">,
    %a8: !cute.int_tuple<"0">,
    %a9: !cute.shape<"(?,4)">) {
  // CHECK: cute.idx2crd{{.*}} -> !cute.coord<"(1,2)">{{$}}
  %0 = cute.idx2crd(%a0, %a1)
  // CHECK: cute.idx2crd{{.*}} -> !cute.coord<"(0,33)">{{$}}
  %1 = cute.idx2crd(%a2, %a3)
  // CHECK: cute.idx2crd{{.*}} -> !cute.coord<"(1,(3,1))">{{$}}
  %2 = cute.idx2crd(%a4, %a5)
  // CHECK: cute.idx2crd{{.*}} -> !cute.coord<"(-1,0)">{{$}}
  %3 = cute.idx2crd(%a6, %a7)
  // CHECK: cute.idx2crd{{.*}} -> !cute.coord<"(0,0)">{{$}}
  %4 = cute.idx2crd(%a8, %a9)
  return
}

// CHECK-LABEL: func.func @increment_coord(
func.func @increment_coord(
    %a0: !cute.coord<"(1,2)">,
    %a1: !cute.shape<"(3,4)">,
    %a2: !cute.coord<"(2,3)">,
    %a3: !cute.shape<"(3,4)">,
    %a4: !cute.coord<"((2,1),3)">,
    %a5: !cute.shape<"((3,2),4)">,
    %a6: !cute.coord<"(2,2)">,
    %a7: !cute.shape<"(?,4)">,
    %a8: !cute.coord<"(5,?)">,
    %a9: !cute.shape<"(1,4)">) {
  // CHECK: cute.increment_coord{{.*}} -> !cute.coord<"(2,2)">{{$}}
  %0 = cute.increment_coord(%a0, %a1)
  // The last leaf says that the end is reached.
  // CHECK: cute.increment_coord{{.*}} -> !cute.coord<"(0,4)">{{$}}
  %1 = cute.increment_coord(%a2, %a3)
  // CHECK: cute.increment_coord{{.*}} -> !cute.coord<"((0,0),4)">{{$}}
  %2 = cute.increment_coord(%a4, %a5)
  // CHECK: cute.increment_coord{{.*}} -> !cute.coord<"(?,?)">{{$}}
  %3 = cute.increment_coord(%a6, %a7)
  // CHECK: cute.increment_coord{{.*}} -> !cute.coord<"(0,?)">{{$}}
  %4 = cute.increment_coord(%a8, %a9)
  return
}

func.func @tuple_product_like(%a0: !cute.shape<"((2,?),(3,4))">, %a1: !cute.coord<"(0,(0,0))">) {
  // CHECK: cute.tuple_product_like({{.*}}) -> !cute.shape<"(?,(3,4))">
  %0 = cute.tuple_product_like(%a0, %a1)
  return
}
