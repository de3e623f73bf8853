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

// CHECK-LABEL: func.func @cosize_of_tensor(
func.func @cosize_of_tensor(%a: !cute.tensor<f16, gmem, align<2>, "(4,?):(?,1)">) {
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"?">{{$}}
  %r = cute.cosize(%a)
  return
}

// An extent with stride 0 has no index, but widens the cosize, and makes it
// dynamic, in a mode with others.
// CHECK-LABEL: func.func @cosize(
func.func @cosize(%a0: !cute.layout<"((?{i64},?),32):((0,4),?)">, %a1: !cute.layout<"((2,?{i64}),6):((1,0),2)">,
                  %a2: !cute.layout<"(?,?):(0,0)">, %a3: !cute.layout<"(?{i64},?):(0,4)">) {
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %0 = cute.cosize(%a0)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"?{i64}">{{$}}
  %1 = cute.cosize(%a1)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"1">{{$}}
  %2 = cute.cosize(%a2)
  // CHECK: cute.cosize{{.*}} -> !cute.int_tuple<"?">{{$}}
  %3 = cute.cosize(%a3)
  return
}

// CHECK-LABEL: func.func @empty(
func.func @empty(%c: !cute.coord<"()">, %l: !cute.layout<"():()">, %s: !cute.shape<"()">, %z: !cute.coord<"0">) {
  // CHECK: cute.layout_eval{{.*}} -> !cute.int_tuple<"()">{{$}}
  %0 = cute.layout_eval(%c, %l)
  // CHECK: cute.crd2idx{{.*}} -> !cute.int_tuple<"()">{{$}}
  %1 = cute.crd2idx(%c, %s)
  // CHECK: cute.zipped_divide{{.*}} -> !cute.layout<"():()">{{$}}
  %2 = cute.zipped_divide(%l, %s)
  return
}
