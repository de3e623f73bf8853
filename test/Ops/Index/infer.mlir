// What the open dialect's verdicts (test/data/ops) do not show of inference.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @size(
func.func @size(%a0: !cute.shape<"(4294967296,?)">, %a1: !cute.shape<"(0,?)">) {
  // A factor beyond 32 bits widens the product.
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %0 = cute.size(%a0)
  // CHECK: cute.size{{.*}} -> !cute.int_tuple<"0">{{$}}
  %1 = cute.size(%a1)
  return
}

// CHECK-LABEL: func.func @tuple_product(
func.func @tuple_product(%a0: !cute.shape<"()">) {
  // CHECK: cute.tuple_product{{.*}} -> !cute.shape<"1">{{$}}
  %0 = cute.tuple_product(%a0)
  return
}

func.func @tuple_product_like(%a0: !cute.shape<"((2,?),(3,4))">, %a1: !cute.coord<"(0,(0,0))">) {
  // CHECK: cute.tuple_product_like({{.*}}) -> !cute.shape<"(?,(3,4))">
  %0 = cute.tuple_product_like(%a0, %a1)
  return
}

// CHECK-LABEL: func.func @bytes_of_layout(
func.func @bytes_of_layout(%a: !cute.layout<"(4,?):(1,8)">) {
  // CHECK: cute.size_in_bytes{{.*}} -> !cute.int_tuple<"?">{{$}}
  %r = cute.size_in_bytes<f4E2M1FN> (%a)
  return
}

// CHECK-LABEL: func.func @bytes_of_struct(
func.func @bytes_of_struct(%a: !cute.struct<"a: f16 x 3; b: i64">) {
  // CHECK: cute.size_in_bytes{{.*}} -> !cute.int_tuple<"16">{{$}}
  %r = cute.size_in_bytes(%a)
  return
}

// CHECK-LABEL: func.func @cosize_of_tensor(
func.func @cosize_of_tensor(%a: !cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) {
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"?">{{$}}
  %r = cute.cosize(%a)
  return
}
