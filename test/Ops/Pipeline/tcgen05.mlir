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
}
