// States and pipelines through calls, choices and loops: scf passes the stage and
// the parity singly, functions and selections as one struct.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not="= cute."
// RUN: cutec %s --arch=sm_80 -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_80 --emit=cubin -o %t.cubin %}

// CHECK-LABEL: func.func @step(
// CHECK-SAME: !llvm.ptr<3>, %{{.*}}: !llvm.struct<(i32, i32)>) -> !llvm.struct<(i32, i32)>
// CHECK-LABEL: gpu.func @passed(
// CHECK: arith.select %{{.*}} : !llvm.struct<(i32, i32)>
// CHECK: scf.if %{{.*}} -> (i32, i32)
// CHECK: func.call @step(
// CHECK: scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: scf.while {{.*}} : (i32, i32, i32) -> (i32, i32, i32)
// CHECK: scf.condition({{.*}}) %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32
// CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
// PTX-LABEL: .entry passed(
// PTX-COUNT-3: mbarrier.test_wait.parity.shared.b64

!state = !cute.pipeline_state<"consumer", stages<3>>
!pipe = !cute.pipeline<"async", stages<3>, producers<32>, consumers<4>, "warp", bytes<0>, "">
gpu.module @control_flow {
  func.func @step(%p: !pipe, %s: !state) -> !state {
    cute.consumer_wait(%p, %s)
    %n = cute.pipeline_advance(%s)
    return %n : !state
  }
  gpu.func @passed(%n: i32, %b: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %p = cute.make_pipeline_async<"async", 3, 32, 4, "warp">
    cute.init_pipeline(%p)
    gpu.barrier
    %s = cute.make_pipeline_state<"consumer"> (%p)
    %a = cute.pipeline_advance(%s)
    %sel = arith.select %b, %a, %s : !state
    %if = scf.if %b -> (!state) {
      %x = func.call @step(%p, %sel) : (!pipe, !state) -> !state
      scf.yield %x : !state
    } else {
      scf.yield %s : !state
    }
    %w:2 = scf.while (%i = %c0, %st = %if) : (i32, !state) -> (i32, !state) {
      %c = arith.cmpi slt, %i, %n : i32
      scf.condition(%c) %i, %st : i32, !state
    } do {
    ^bb0(%i: i32, %st: !state):
      cute.consumer_wait(%p, %st)
      cute.consumer_release(%p, %st)
      %n1 = cute.pipeline_advance(%st)
      %j = arith.addi %i, %c1 : i32
      scf.yield %j, %n1 : i32, !state
    }
    cute.consumer_wait(%p, %w#1)
    gpu.return
  }
}
