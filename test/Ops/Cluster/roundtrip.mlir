// Blocks of a cluster, elected threads, and grids that depend on each other.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @cluster
func.func @cluster(%s: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (8,64):(64,1)">, %b: !cute.ptr<i64, smem, align<8>>, %at: i32, %condition: i1) -> (i32, i1) {
  // CHECK: cute.cluster_arrive<{relaxed}>
  // GENERIC: "cute.cluster_arrive"() <{relaxed}> : () -> ()
  cute.cluster_arrive<{relaxed}>
  // The last op before a brace.
  // CHECK: scf.if
  // CHECK-NEXT: cute.cluster_arrive{{$}}
  // CHECK-NEXT: }
  // GENERIC: "cute.cluster_arrive"() : () -> ()
  scf.if %condition {
    cute.cluster_arrive
  }
  // CHECK: cute.cluster_arrive{{$}}
  // GENERIC: "cute.cluster_arrive"() : () -> ()
  cute.cluster_arrive
  // CHECK: cute.cluster_wait
  // GENERIC: "cute.cluster_wait"() : () -> ()
  cute.cluster_wait
  // CHECK: %[[R:.*]] = cute.block_rank_in_cluster
  // GENERIC: "cute.block_rank_in_cluster"() : () -> i32
  %r = cute.block_rank_in_cluster
  // CHECK: %[[P:.*]] = cute.elect_one
  // GENERIC: "cute.elect_one"() : () -> i1
  %p = cute.elect_one
  // CHECK: cute.griddepcontrol_wait
  // GENERIC: "cute.griddepcontrol_wait"() : () -> ()
  cute.griddepcontrol_wait
  // CHECK: cute.griddepcontrol_launch_dependents
  // GENERIC: "cute.griddepcontrol_launch_dependents"() : () -> ()
  cute.griddepcontrol_launch_dependents
  // CHECK: cute.mapa(%{{.*}}, %{{.*}}) : (!cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o (8,64):(64,1)">, i32) -> !cute.tensor<f16, dsmem, align<1024>, "S<3,3,3> o 0 o (8,64):(64,1)">
  // GENERIC: "cute.mapa"(%{{.*}}, %{{.*}}) : (!cute.tensor<f16, "smem", 1024 : i64, "S<3,3,3> o 0 o (8,64):(64,1)">, i32) -> !cute.tensor<f16, "dsmem", 1024 : i64, "S<3,3,3> o 0 o (8,64):(64,1)">
  %t = cute.mapa(%s, %at)
  // CHECK: cute.mapa(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, smem, align<8>>, !cute.int_tuple<"1">) -> !cute.ptr<i64, dsmem, align<8>>
  %one = cute.static : !cute.int_tuple<"1">
  %c = cute.mapa(%b, %one)
  // CHECK: return %[[R]], %[[P]] : i32, i1
  return %r, %p : i32, i1
}
