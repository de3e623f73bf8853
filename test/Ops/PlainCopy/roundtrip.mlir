// Copies without an atom, and prefetches.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @copies
func.func @copies(%s: !cute.tensor<f16, gmem, align<16>, "(4,8):(?{div=8},1)">, %d: !cute.tensor<f16, rmem, align<16>, "(4,8):(1,4)">, %p: !cute.tensor<i1, rmem, align<16>, "(4,8):(1,0)">) {
  // CHECK: cute.basic_copy(%{{.*}}, %{{.*}}) : !cute.tensor<f16, gmem, align<16>, "(4,8):(?{div=8},1)">, !cute.tensor<f16, rmem, align<16>, "(4,8):(1,4)">
  // GENERIC: "cute.basic_copy"(%{{.*}}, %{{.*}}) : (!cute.tensor<f16, "gmem", 16 : i64, "(4,8):(?{div=8},1)">, !cute.tensor<f16, "rmem", 16 : i64, "(4,8):(1,4)">) -> ()
  cute.basic_copy(%s, %d)
  // CHECK: cute.basic_copy_if(%{{.*}}, %{{.*}}, %{{.*}}) : !cute.tensor<i1, rmem, align<16>, "(4,8):(1,0)">, !cute.tensor<f16, gmem, align<16>, "(4,8):(?{div=8},1)">, !cute.tensor<f16, rmem, align<16>, "(4,8):(1,4)">
  // GENERIC: "cute.basic_copy_if"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tensor<i1, "rmem", 16 : i64, "(4,8):(1,0)">, !cute.tensor<f16, "gmem", 16 : i64, "(4,8):(?{div=8},1)">, !cute.tensor<f16, "rmem", 16 : i64, "(4,8):(1,4)">) -> ()
  cute.basic_copy_if(%p, %s, %d)
  // CHECK: cute.autovec_copy(%{{.*}}, %{{.*}}) : !cute.tensor<f16, gmem, align<16>, "(4,8):(?{div=8},1)">, !cute.tensor<f16, rmem, align<16>, "(4,8):(1,4)">
  // GENERIC: "cute.autovec_copy"(%{{.*}}, %{{.*}}) : (!cute.tensor<f16, "gmem", 16 : i64, "(4,8):(?{div=8},1)">, !cute.tensor<f16, "rmem", 16 : i64, "(4,8):(1,4)">) -> ()
  cute.autovec_copy(%s, %d)
  // CHECK: cute.prefetch<"L1"> (%{{.*}}) : !cute.tensor<f16, gmem, align<16>, "(4,8):(?{div=8},1)">
  // GENERIC: "cute.prefetch"(%{{.*}}) <{level = "L1"}> : (!cute.tensor<f16, "gmem", 16 : i64, "(4,8):(?{div=8},1)">) -> ()
  cute.prefetch<"L1"> (%s)
  // CHECK: cute.prefetch<"L2"> (%{{.*}}) : !cute.tensor<f16, gmem, align<16>, "(4,8):(?{div=8},1)">
  // GENERIC: "cute.prefetch"(%{{.*}}) <{level = "L2"}> : (!cute.tensor<f16, "gmem", 16 : i64, "(4,8):(?{div=8},1)">) -> ()
  cute.prefetch<"L2"> (%s)
  return
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%s: !cute.tensor<f32, gmem, align<4>, "?:?">, %d: !cute.tensor<f32, gmem, align<4>, "(?,2):(1,?)">) {
  // CHECK: cute.basic_copy(%{{.*}}, %{{.*}}) : !cute.tensor<f32, gmem, align<4>, "?:?">, !cute.tensor<f32, gmem, align<4>, "(?,2):(1,?)">
  // GENERIC: "cute.basic_copy"(%{{.*}}, %{{.*}}) : (!cute.tensor<f32, "gmem", 4 : i64, "?:?">, !cute.tensor<f32, "gmem", 4 : i64, "(?,2):(1,?)">) -> ()
  cute.basic_copy(%s, %d)
  return
}
