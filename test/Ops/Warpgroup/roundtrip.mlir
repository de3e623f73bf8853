// Order of a warpgroup's products, its registers, and named barriers.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @warpgroup
func.func @warpgroup(%c: !cute.tensor<f32, rmem, align<16>, "((2,2,2)):((1,2,4))">, %h: !cute.tensor<f16, rmem, align<16>, "8:1">, %id: i32, %n: !cute.int_tuple<"128">) {
  // CHECK: cute.warpgroup_fence(%{{.*}}) : !cute.tensor<f32, rmem, align<16>, "((2,2,2)):((1,2,4))">
  // GENERIC: "cute.warpgroup_fence"(%{{.*}}) : (!cute.tensor<f32, "rmem", 16 : i64, "((2,2,2)):((1,2,4))">) -> ()
  cute.warpgroup_fence(%c)
  // CHECK: cute.warpgroup_fence()
  // GENERIC: "cute.warpgroup_fence"() : () -> ()
  cute.warpgroup_fence()
  // CHECK: cute.warpgroup_commit
  // GENERIC: "cute.warpgroup_commit"() : () -> ()
  cute.warpgroup_commit
  // CHECK: cute.warpgroup_wait<1> ()
  // GENERIC: "cute.warpgroup_wait"() <{n = 1 : i32}> : () -> ()
  cute.warpgroup_wait<1> ()
  // CHECK: cute.warpgroup_wait<0> (%{{.*}}, %{{.*}}) : !cute.tensor<f32, rmem, align<16>, "((2,2,2)):((1,2,4))">, !cute.tensor<f16, rmem, align<16>, "8:1">
  // GENERIC: "cute.warpgroup_wait"(%{{.*}}, %{{.*}}) <{n = 0 : i32}> : (!cute.tensor<f32, "rmem", 16 : i64, "((2,2,2)):((1,2,4))">, !cute.tensor<f16, "rmem", 16 : i64, "8:1">) -> ()
  cute.warpgroup_wait<0> (%c, %h)
  // CHECK: cute.hold_registers(%{{.*}}) : !cute.tensor<f16, rmem, align<16>, "8:1">
  // GENERIC: "cute.hold_registers"(%{{.*}}) : (!cute.tensor<f16, "rmem", 16 : i64, "8:1">) -> ()
  cute.hold_registers(%h)
  // CHECK: cute.fence_proxy<"async.shared">
  // GENERIC: "cute.fence_proxy"() <{kind = "async.shared"}> : () -> ()
  cute.fence_proxy<"async.shared">
  // CHECK: cute.set_registers<"increase", 232>
  // GENERIC: "cute.set_registers"() <{action = "increase", n = 232 : i32}> : () -> ()
  cute.set_registers<"increase", 232>
  // CHECK: cute.named_barrier_sync(%{{.*}}, %{{.*}}) : i32, !cute.int_tuple<"128">
  // GENERIC: "cute.named_barrier_sync"(%{{.*}}, %{{.*}}) : (i32, !cute.int_tuple<"128">) -> ()
  cute.named_barrier_sync(%id, %n)
  // CHECK: cute.named_barrier_arrive(%{{.*}}, %{{.*}}) : i32, !cute.int_tuple<"128">
  // GENERIC: "cute.named_barrier_arrive"(%{{.*}}, %{{.*}}) : (i32, !cute.int_tuple<"128">) -> ()
  cute.named_barrier_arrive(%id, %n)
  return
}
