// What the open dialect's verdicts (test/data/ops) do not show of inference.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @tuple_add(
func.func @tuple_add(%a0: !cute.int_tuple<"?">, %a1: !cute.int_tuple<"4294967296">) {
  // A number beyond 32 bits widens the sum.
  // CHECK: cute.tuple_add{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %0 = cute.tuple_add(%a0, %a1)
  return
}

func.func @round_up(%a0: !cute.shape<"(13,?)">, %a1: !cute.shape<"(4,8)">) {
  // CHECK: cute.round_up({{.*}}) -> !cute.shape<"(16,?)">{{$}}
  %0 = cute.round_up(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @is_congruent(
func.func @is_congruent(%a: !cute.shape<"(4,(?,2))">, %b: !cute.coord<"(0,(_,1))">) {
  // CHECK: cute.is_congruent{{.*}} -> i1{{$}}
  %r = cute.is_congruent(%a, %b)
  return
}

// CHECK-LABEL: func.func @is_weakly_congruent(
func.func @is_weakly_congruent(%a: !cute.coord<"(0,_)">, %b: !cute.layout<"(4,(?,2)):(1,(4,?))">) {
  // CHECK: cute.is_weakly_congruent{{.*}} -> i1{{$}}
  %r = cute.is_weakly_congruent(%a, %b)
  return
}

// CHECK-LABEL: func.func @is_major(
func.func @is_major(%a: !cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) {
  // CHECK: cute.is_major{{.*}} -> i1{{$}}
  %r = cute.is_major<[1]> (%a)
  return
}
