// Pretty and generic forms of ops on vectors, and what they infer.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @access
// CHECK-SAME: (%[[T:.*]]: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">, %[[P:.*]]: !cute.tensor<i1, rmem, align<16>, "4:1">)
func.func @access(%t: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">, %p: !cute.tensor<i1, rmem, align<16>, "4:1">) {
  // CHECK: %[[V:.*]] = cute.load_vector(%[[T]]) : (!cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">) -> vector<32xf16>
  // GENERIC: "cute.load_vector"(%{{.*}}) : (!cute.tensor<f16, "gmem", 16 : i64, "(8,4):(1,?)">) -> vector<32xf16>
  %v = cute.load_vector(%t)
  // CHECK: cute.load_vector(%[[T]], %[[P]]) : (!cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">, !cute.tensor<i1, rmem, align<16>, "4:1">) -> vector<32xf16>
  %w = cute.load_vector(%t, %p)
  // CHECK: cute.load_vector<"-inf">(%[[T]], %[[P]]) :
  // GENERIC: "cute.load_vector"(%{{.*}}, %{{.*}}) {{[{<].*}}pad = "-inf"
  %x = cute.load_vector<"-inf">(%t, %p)
  // CHECK: cute.store_vector(%[[V]], %[[T]]) : vector<32xf16>, !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">
  // GENERIC: "cute.store_vector"(%{{.*}}, %{{.*}}) : (vector<32xf16>, !cute.tensor<f16, "gmem", 16 : i64, "(8,4):(1,?)">) -> ()
  cute.store_vector(%v, %t)
  // CHECK: cute.store_vector(%{{.*}}, %[[T]], %[[P]]) : vector<32xf16>,
  %s = arith.addf %v, %w : vector<32xf16>
  cute.store_vector(%s, %t, %p)
  return
}

// Elements of other types; a fragment of one element is a vector of one.
// CHECK-LABEL: func.func @elements
func.func @elements(%i: !cute.tensor<i32, smem, align<4>, "3:2">, %b: !cute.tensor<i1, rmem, align<16>, "(2,2):(1,2)">, %d: !cute.tensor<f64, rmem, align<16>, "1:0">) {
  // CHECK: cute.load_vector({{.*}}) -> vector<3xi32>
  %0 = cute.load_vector(%i)
  // CHECK: cute.load_vector({{.*}}) -> vector<4xi1>
  %1 = cute.load_vector(%b)
  // CHECK: cute.load_vector({{.*}}) -> vector<1xf64>
  %2 = cute.load_vector(%d)
  return
}

// CHECK-LABEL: func.func @modes
// CHECK-SAME: (%[[V:.*]]: vector<24xf32>, %[[Z:.*]]: f32)
func.func @modes(%v: vector<24xf32>, %z: f32) -> vector<4xf32> {
  // CHECK: cute.slice_vector<"(4,(2,3))", "(_,(1,_))"> (%[[V]]) : (vector<24xf32>) -> vector<12xf32>
  // GENERIC: "cute.slice_vector"(%{{.*}}) {{[{<].*}}coord = "(_,(1,_))", shape = "(4,(2,3))"{{.*}} : (vector<24xf32>) -> vector<12xf32>
  %0 = cute.slice_vector<"(4,(2,3))", "(_,(1,_))"> (%v)
  // CHECK: cute.slice_vector<"24", "5"> (%[[V]]) : (vector<24xf32>) -> f32
  %1 = cute.slice_vector<"24", "5"> (%v)
  // CHECK: %[[R:.*]] = cute.reduce_vector<"add", "(4,(2,3))", "(_,1)"> (%[[V]], %[[Z]]) : (vector<24xf32>, f32) -> vector<4xf32>
  // GENERIC: "cute.reduce_vector"(%{{.*}}, %{{.*}}) {{[{<].*}}kind = "add", profile = "(_,1)", shape = "(4,(2,3))"{{.*}} : (vector<24xf32>, f32) -> vector<4xf32>
  %2 = cute.reduce_vector<"add", "(4,(2,3))", "(_,1)"> (%v, %z)
  // CHECK: cute.reduce_vector<"max", "(4,6)", "0"> (%[[V]], %[[Z]]) : (vector<24xf32>, f32) -> f32
  %3 = cute.reduce_vector<"max", "(4,6)", "0"> (%v, %z)
  // CHECK: cute.reduce_vector<"mul", "(4,(2,3))", "(_,(_,1))"> (%[[V]], %[[Z]]) : (vector<24xf32>, f32) -> vector<8xf32>
  %4 = cute.reduce_vector<"mul", "(4,(2,3))", "(_,(_,1))"> (%v, %z)
  // CHECK: %[[B:.*]] = cute.broadcast_vector<"(4,1)", "(4,(2,3))"> (%[[R]]) : (vector<4xf32>) -> vector<24xf32>
  // GENERIC: "cute.broadcast_vector"(%{{.*}}) {{[{<].*}}from = "(4,1)", to = "(4,(2,3))"{{.*}} : (vector<4xf32>) -> vector<24xf32>
  %5 = cute.broadcast_vector<"(4,1)", "(4,(2,3))"> (%2)
  // CHECK: cute.broadcast_vector<"(4)", "(4,2)"> (%[[R]]) : (vector<4xf32>) -> vector<8xf32>
  %6 = cute.broadcast_vector<"(4)", "(4,2)"> (%2)
  // CHECK: cute.gather_vector<"6:4"> (%[[B]]) : (vector<24xf32>) -> vector<6xf32>
  // GENERIC: "cute.gather_vector"(%{{.*}}) {{[{<].*}}layout = "6:4"{{.*}} : (vector<24xf32>) -> vector<6xf32>
  // The types that the ops infer go on into ops of other dialects.
  %7 = cute.gather_vector<"6:4"> (%5)
  %8 = arith.mulf %6, %4 : vector<8xf32>
  return %2 : vector<4xf32>
}
