// Stages that products read, and sums that they make, are given on by commits.
// RUN: cute-opt %s --cute-lower=arch=sm_100a | FileCheck %s
// RUN: cutec %s --arch=sm_100a -o - | FileCheck %s --check-prefix=PTX
// RUN: not cutec %s --arch=sm_90a -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: error: a pipeline of tcgen05 needs one of sm_100a, {{.*}} but the code is for sm_90a

!atom = !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">

gpu.module @pipelines {
  // CHECK-LABEL: gpu.func @products(
  // CHECK: %[[SUMS:.*]] = llvm.getelementptr %{{.*}}[32]
  // CHECK-COUNT-8: nvvm.mbarrier.init
  // CHECK: %[[EMPTY:.*]] = llvm.getelementptr %{{.*}}[{{2|%.*}}]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.shared.cg1"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.shared.cg1"
  // CHECK-NOT: mbarrier.arrive
  // PTX: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
  // PTX: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
  gpu.func @products(%tensor: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">
    %atom, %coords = cute.make_tma_atom<"SM90_TMA_LOAD"> (%tensor, %layout, (128,64))
    %loads = cute.make_pipeline_tma<2, 1, "tcgen05"> (%atom)
    %sums = cute.make_pipeline_async<"tcgen05", 2, 1, 4, "warp">
    cute.init_pipeline(%loads)
    cute.init_pipeline(%sums)
    gpu.barrier
    %elected = cute.elect_one
    scf.if %elected {
      %drain = cute.make_pipeline_state<"consumer"> (%loads)
      %fill = cute.make_pipeline_state<"producer"> (%sums)
      cute.producer_acquire(%sums, %fill)
      cute.consumer_wait(%loads, %drain)
      cute.consumer_release(%loads, %drain)
      cute.producer_commit(%sums, %fill)
    }
    gpu.return
  }

  // Of a pair of blocks: the first one waits for the bytes of both, commits arrive in both, and warps
  // of both arrive in the first one.
  // CHECK-LABEL: gpu.func @pair(
  // CHECK: %[[BYTES:.*]] = arith.constant 32768 : i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %[[BYTES]]
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.mc.shared.cg2"
  // CHECK: llvm.call_intrinsic "llvm.nvvm.tcgen05.commit.mc.shared.cg2"
  // CHECK: nvvm.mapa
  // CHECK: nvvm.mbarrier.arrive
  // PTX-LABEL: .entry pair(
  // PTX: mbarrier.arrive.expect_tx.shared.b64
  // PTX-COUNT-2: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64
  // PTX: mapa.shared::cluster
  // PTX: mbarrier.arrive.shared::cluster.b64
  gpu.func @pair(%tensor: !cute.tensor<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">
    %atom, %coords = cute.make_tma_atom<"SM100_TMA_2SM_LOAD"> (%tensor, %layout, (128,64))
    %memory = cute.alloc_smem<f16, 1024> (%layout)
    %loads = cute.make_pipeline_tma<2, 1, "tcgen05"> (%atom, 3)
    %sums = cute.make_pipeline_async<"tcgen05", 2, 1, 4, "warp", 2>
    cute.init_pipeline(%loads)
    cute.init_pipeline(%sums)
    cute.cluster_arrive
    cute.cluster_wait
    %load = cute.make_pipeline_state<"producer"> (%loads)
    %take = cute.make_pipeline_state<"consumer"> (%sums)
    %elected = cute.elect_one
    scf.if %elected {
      %drain = cute.make_pipeline_state<"consumer"> (%loads)
      %fill = cute.make_pipeline_state<"producer"> (%sums)
      cute.producer_acquire(%loads, %load)
      %full = cute.producer_barrier(%loads, %load)
      %with = cute.with_barrier(%atom, %full)
      %tile = cute.local_tile(%coords, (128,64), (0,0))
      %from = cute.group_modes<0, 2> (%tile)
      %into = cute.group_modes<0, 2> (%memory)
      %s, %g = cute.tma_partition(%atom, %into, %from)
      cute.copy(%with, %g, %s)
      cute.producer_commit(%loads, %load)
      cute.producer_acquire(%sums, %fill)
      cute.consumer_wait(%loads, %drain)
      cute.consumer_release(%loads, %drain)
      cute.producer_commit(%sums, %fill)
    }
    cute.consumer_release(%sums, %take)
    cute.cluster_arrive
    cute.cluster_wait
    gpu.return
  }
}
