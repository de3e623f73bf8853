// Clusters of two blocks write rows of A: their own, and then the rows of clusters that have not
// begun, as the launch control hands them out.
!a = !cute.tensor<i32, gmem, align<16>, "(24,32):(32,1)">

gpu.module @launch_control {
  gpu.func @steal(%A: !a) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>,
      known_cluster_size = array<i32: 2, 1, 1>, cute.grid = ["24"]} {
    %thread = cute.thread_idx
    %block = cute.block_idx
    %rank = cute.block_rank_in_cluster
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)
    %at_full64 = cute.ptr_to_int(%full)
    %at_full = arith.trunci %at_full64 : i64 to i32
    %words = cute.alloc_smem<i32, 16> (4:1)
    %response = cute.get_iter(%words)
    %at_response64 = cute.ptr_to_int(%response)
    %at_response = arith.trunci %at_response64 : i64 to i32
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    %is_leader = arith.cmpi eq, %rank, %c0 : i32
    %asks = arith.andi %is_leader, %is_first : i1
    scf.if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
    }
    cute.cluster_arrive
    cute.cluster_wait
    scf.while (%row = %block, %phase = %c0) : (i32, i32) -> (i32, i32) {
      scf.if %is_first {
        cute.mbarrier_arrive_expect_tx(%full, 16)
      }
      cute.cluster_arrive // all expect it, and have read the last
      cute.cluster_wait
      scf.if %asks {
        llvm.inline_asm has_side_effects "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [$0], [$1];", "r,r" %at_response, %at_full : (i32, i32) -> ()
      }
      %value = cute.load(%A, (%row, %thread))
      %more = arith.addi %value, %row : i32
      cute.store(%more, %A, (%row, %thread))
      cute.mbarrier_wait(%full, %phase)
      %got = llvm.inline_asm has_side_effects "{ .reg .pred p; .reg .b128 r; ld.shared.b128 r, [$2]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r; selp.s32 $1, 1, 0, p; mov.s32 $0, 0; @p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {$0, _, _, _}, r; fence.proxy.async.shared::cta; }", "=&r,=&r,r" %at_response : (i32) -> !llvm.struct<(i32, i32)>
      %first = llvm.extractvalue %got[0] : !llvm.struct<(i32, i32)>
      %is_left = llvm.extractvalue %got[1] : !llvm.struct<(i32, i32)>
      %next = arith.addi %first, %rank : i32
      %flipped = arith.xori %phase, %c1 : i32
      %goes_on = arith.cmpi ne, %is_left, %c0 : i32
      scf.condition(%goes_on) %next, %flipped : i32, i32
    } do {
    ^bb0(%row: i32, %phase: i32):
      scf.yield %row, %phase : i32, i32
    }
    cute.cluster_arrive // the end
    cute.cluster_wait
    gpu.return
  }
}
