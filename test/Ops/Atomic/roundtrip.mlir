// Pretty and generic forms of atomic operations; order and scope may be left out.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @atomics
func.func @atomics(%t: !cute.tensor<i32, gmem, align<4>, "(?,4):(4,1)">, %p: !cute.ptr<i32, smem, align<4>>, %c: !cute.coord<"(?,1)">, %v: i32) {
  // CHECK: cute.atomic_rmw<"add"> (%{{.*}}, %{{.*}}, %{{.*}}) : (i32, !cute.tensor<i32, gmem, align<4>, "(?,4):(4,1)">, !cute.coord<"(?,1)">) -> i32
  // GENERIC: "cute.atomic_rmw"(%{{.*}}, %{{.*}}, %{{.*}}) <{kind = "add"}> : (i32, !cute.tensor<i32, "gmem", 4 : i64, "(?,4):(4,1)">, !cute.coord<"(?,1)">) -> i32
  %0 = cute.atomic_rmw<"add"> (%v, %t, %c)
  // CHECK: cute.atomic_rmw<"xor", "acq_rel"> (%{{.*}}, %{{.*}}) : (i32, !cute.ptr<i32, smem, align<4>>) -> i32
  %1 = cute.atomic_rmw<"xor", "acq_rel"> (%v, %p)
  // CHECK: cute.atomic_rmw<"exch", "release", "sys"> (
  // GENERIC: <{kind = "exch", scope = "sys", sem = "release"}>
  %2 = cute.atomic_rmw<"exch", "release", "sys"> (%v, %p)
  // GENERIC: <{kind = "or", scope = "gpu"}>
  %3 = cute.atomic_rmw (%v, %p) {kind = "or", scope = "gpu"}
  // CHECK: cute.atomic_cas(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, !cute.ptr<i32, smem, align<4>>) -> i32
  // GENERIC: "cute.atomic_cas"(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, !cute.ptr<i32, "smem", 4 : i64, "">) -> i32
  %4 = cute.atomic_cas(%v, %v, %p)
  // CHECK: cute.atomic_cas<"acquire", "gpu">(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
  %5 = cute.atomic_cas<"acquire", "gpu">(%v, %v, %t, %c)
  return
}
