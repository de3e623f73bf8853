// Arithmetic on tuples infers what is static.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @tuple_add(
func.func @tuple_add(
    %a0: !cute.int_tuple<"0">,
    %a1: !cute.int_tuple<"(6,?)">,
    %a2: !cute.int_tuple<"(2)">,
    %a3: !cute.int_tuple<"(4,5)">,
    %a4: !cute.int_tuple<"?">,
    %a5: !cute.int_tuple<"4294967296">,
    %a6: !cute.shape<"(?,0)">,
    %a7: !cute.shape<"(0,?{i64})">) {
  // Scalar 0 is the zero of every tuple.
  // CHECK: cute.tuple_add{{.*}} -> !cute.int_tuple<"(6,?)">{{$}}
  %0 = cute.tuple_add(%a0, %a1)
  // CHECK: cute.tuple_add{{.*}} -> !cute.int_tuple<"(6,5)">{{$}}
  %1 = cute.tuple_add(%a2, %a3)
  // CHECK: cute.tuple_add{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %2 = cute.tuple_add(%a4, %a5)
  // CHECK: cute.tuple_add{{.*}} -> !cute.shape<"(?,?{i64})">{{$}}
  %3 = cute.tuple_add(%a6, %a7)
  return
}

// CHECK-LABEL: func.func @tuple_sub(
func.func @tuple_sub(
    %a0: !cute.int_tuple<"(6,11)">,
    %a1: !cute.int_tuple<"0">,
    %a2: !cute.int_tuple<"(9,?)">,
    %a3: !cute.int_tuple<"(4,?)">) {
  // CHECK: cute.tuple_sub{{.*}} -> !cute.int_tuple<"(6,11)">{{$}}
  %0 = cute.tuple_sub(%a0, %a1)
  // Two dynamic values are never known to be equal.
  // CHECK: cute.tuple_sub{{.*}} -> !cute.int_tuple<"(5,?)">{{$}}
  %1 = cute.tuple_sub(%a2, %a3)
  return
}

// CHECK-LABEL: func.func @shape_div(
func.func @shape_div(
    %a0: !cute.shape<"12">,
    %a1: !cute.shape<"3">,
    %a2: !cute.shape<"3">,
    %a3: !cute.shape<"12">,
    %a4: !cute.shape<"((2,3),4)">,
    %a5: !cute.shape<"6">,
    %a6: !cute.shape<"(6,?)">,
    %a7: !cute.shape<"(2,1)">,
    %a8: !cute.shape<"0">,
    %a9: !cute.shape<"5">) {
  // CHECK: cute.shape_div{{.*}} -> !cute.shape<"4">{{$}}
  %0 = cute.shape_div(%a0, %a1)
  // CHECK: cute.shape_div{{.*}} -> !cute.shape<"1">{{$}}
  %1 = cute.shape_div(%a2, %a3)
  // 6 covers 2 and 3 and leaves 1 for the 4.
  // CHECK: cute.shape_div{{.*}} -> !cute.shape<"((1,1),4)">{{$}}
  %2 = cute.shape_div(%a4, %a5)
  // CHECK: cute.shape_div{{.*}} -> !cute.shape<"(3,?)">{{$}}
  %3 = cute.shape_div(%a6, %a7)
  // CHECK: cute.shape_div{{.*}} -> !cute.shape<"0">{{$}}
  %4 = cute.shape_div(%a8, %a9)
  return
}

// CHECK-LABEL: func.func @ceil_div(
func.func @ceil_div(
    %a0: !cute.int_tuple<"13">,
    %a1: !cute.int_tuple<"4">,
    %a2: !cute.int_tuple<"-13">,
    %a3: !cute.int_tuple<"4">,
    %a4: !cute.shape<"(13,7)">,
    %a5: !cute.shape<"(4)">,
    %a6: !cute.shape<"(13,7)">,
    %a7: !cute.shape<"26">,
    %a8: !cute.shape<"(?,7)">,
    %a9: !cute.tile<"[4:1;2:1]">,
    %a10: !cute.shape<"13">,
    %a11: !cute.tile<"4:2">) {
  // CHECK: cute.ceil_div{{.*}} -> !cute.int_tuple<"4">{{$}}
  %0 = cute.ceil_div(%a0, %a1)
  // CHECK: cute.ceil_div{{.*}} -> !cute.int_tuple<"-3">{{$}}
  %1 = cute.ceil_div(%a2, %a3)
  // CHECK: cute.ceil_div{{.*}} -> !cute.shape<"(4,7)">{{$}}
  %2 = cute.ceil_div(%a4, %a5)
  // 26 covers the 13 twice: the 7 is divided by 2.
  // CHECK: cute.ceil_div{{.*}} -> !cute.shape<"(1,4)">{{$}}
  %3 = cute.ceil_div(%a6, %a7)
  // CHECK: cute.ceil_div{{.*}} -> !cute.shape<"(?,4)">{{$}}
  %4 = cute.ceil_div(%a8, %a9)
  // What tile 0,2,4,6 leaves: 0,1 and then steps of 8.
  // CHECK: cute.ceil_div{{.*}} -> !cute.shape<"(2,2)">{{$}}
  %5 = cute.ceil_div(%a10, %a11)
  return
}

// CHECK-LABEL: func.func @elem_less(
func.func @elem_less(
    %a0: !cute.coord<"(1,(2,?))">,
    %a1: !cute.shape<"(4,(8,8))">) {
  // CHECK: cute.elem_less{{.*}} -> i1{{$}}
  %0 = cute.elem_less(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @equal(
func.func @equal(
    %a0: !cute.int_tuple<"(1,2)">,
    %a1: !cute.int_tuple<"((1),2)">) {
  // Any two profiles can be compared.
  // CHECK: cute.equal{{.*}} -> i1{{$}}
  %0 = cute.equal(%a0, %a1)
  return
}

func.func @round_up(%a0: !cute.shape<"(13,?)">, %a1: !cute.shape<"(4,8)">) {
  // CHECK: cute.round_up({{.*}}) ->
  %0 = cute.round_up(%a0, %a1)
  return
}
