// Pretty and generic forms of element access and elementwise ops.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @access
// CHECK-SAME: (%[[T:.*]]: !cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, %[[I:.*]]: i32)
func.func @access(%t: !cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, %i: i32) {
  // CHECK: %[[C:.*]] = cute.make_coord(%[[I]])
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(1,?)">
  // CHECK: %[[V:.*]] = cute.load(%[[T]], %[[C]]) : (!cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, !cute.coord<"(1,?)">) -> f32
  // GENERIC: "cute.load"(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, "gmem", 4 : i64, "(8,?):(1,8)">, !cute.coord<"(1,?)">) -> f32
  %v = cute.load(%t, %c)
  // CHECK: cute.store(%[[V]], %[[T]], %[[C]]) : f32, !cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, !cute.coord<"(1,?)">
  // GENERIC: "cute.store"({{.*}}) : (f32, {{.*}}) -> ()
  cute.store(%v, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "(8,?):(1,8)">, !cute.coord<"(1,?)">
  return
}

// An integer coordinate counts over all modes.
// CHECK-LABEL: func.func @scalar_coord
func.func @scalar_coord(%t: !cute.tensor<i8, smem, align<1>, "((2,2),4):((1,8),2)">) {
  %c = cute.static : !cute.coord<"7">
  // CHECK: cute.load({{.*}}) : ({{.*}}, !cute.coord<"7">) -> i8
  %v = cute.load(%t, %c)
  return
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: f32) {
  %l = cute.static : !cute.layout<"8:1">
  // CHECK: %[[F:.*]] = cute.make_fragment<f32>
  // CHECK: %[[G:.*]] = cute.make_fragment<f16>
  %f = cute.make_fragment<f32> (%l)
  %g = cute.make_fragment<f16> (%l)
  // CHECK: cute.fill(%[[F]], %{{.*}}) : !cute.tensor<f32, rmem, align<16>, "8:1">, f32
  // GENERIC: "cute.fill"(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, "rmem", 16 : i64, "8:1">, f32) -> ()
  cute.fill(%f, %x) : !cute.tensor<f32, rmem, align<16>, "8:1">, f32
  // CHECK: cute.clear(%[[F]]) : !cute.tensor<f32, rmem, align<16>, "8:1">
  // GENERIC: "cute.clear"(%{{.*}}) : (!cute.tensor<f32, "rmem", 16 : i64, "8:1">) -> ()
  cute.clear(%f)
  // CHECK: cute.convert(%[[F]], %[[G]]) : !cute.tensor<f32, rmem, align<16>, "8:1">, !cute.tensor<f16, rmem, align<16>, "8:1">
  // GENERIC: "cute.convert"(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, "rmem", 16 : i64, "8:1">, !cute.tensor<f16, "rmem", 16 : i64, "8:1">) -> ()
  cute.convert(%f, %g)
  return
}

// CHECK-LABEL: func.func @axpby
func.func @axpby(%a: f32, %b: f32, %x: !cute.tensor<f16, rmem, align<16>, "(2,4):(1,2)">, %y: !cute.tensor<f32, gmem, align<16>, "(8):(1)">) {
  // CHECK: cute.axpby(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : f32, !cute.tensor<f16, rmem, align<16>, "(2,4):(1,2)">, f32, !cute.tensor<f32, gmem, align<16>, "(8):(1)">
  // GENERIC: "cute.axpby"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (f32, !cute.tensor<f16, "rmem", 16 : i64, "(2,4):(1,2)">, f32, !cute.tensor<f32, "gmem", 16 : i64, "(8):(1)">) -> ()
  cute.axpby(%a, %x, %b, %y)
  return
}
