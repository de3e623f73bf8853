// Clusters, elected threads and dependent grids.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s --arch=sm_90 -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90 --emit=cubin -o %t.cubin %}
// RUN: not cutec %s --arch=sm_89 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.griddepcontrol_wait needs sm_90 or later, but the code is for sm_89
// OLD: cute.cluster_arrive needs sm_90 or later
// OLD: cute.cluster_arrive needs sm_90 or later
// OLD: cute.cluster_wait needs sm_90 or later
// OLD: cute.block_rank_in_cluster needs sm_90 or later
// OLD: cute.elect_one needs sm_90 or later
// OLD: cute.griddepcontrol_launch_dependents needs sm_90 or later

gpu.module @clusters {
  // CHECK-LABEL: gpu.func @ranks(
  // CHECK: nvvm.griddepcontrol wait
  // CHECK: nvvm.cluster.arrive.relaxed
  // CHECK: nvvm.cluster.arrive
  // CHECK: nvvm.cluster.wait
  // CHECK: nvvm.read.ptx.sreg.cluster.ctarank : i32
  // CHECK: nvvm.elect.sync -> i1
  // CHECK: nvvm.griddepcontrol launch_dependents
  // PTX-LABEL: .entry ranks(
  // PTX: griddepcontrol.wait;
  // PTX: barrier.cluster.arrive.relaxed;
  // PTX: barrier.cluster.arrive;
  // PTX: barrier.cluster.wait;
  // PTX: elect.sync
  // PTX: mov.u32 %{{r[0-9]+}}, %cluster_ctarank;
  // PTX: griddepcontrol.launch_dependents;
  gpu.func @ranks(%out: !cute.tensor<i32, gmem, align<4>, "16:1">) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    cute.griddepcontrol_wait
    cute.cluster_arrive<{relaxed}>
    cute.cluster_wait
    cute.cluster_arrive
    cute.cluster_wait
    %rank = cute.block_rank_in_cluster
    %first = cute.elect_one
    scf.if %first {
      %at = cute.make_coord(%rank) : (i32) -> !cute.coord<"?">
      cute.store(%rank, %out, %at)
    }
    cute.griddepcontrol_launch_dependents
    gpu.return
  }
}
