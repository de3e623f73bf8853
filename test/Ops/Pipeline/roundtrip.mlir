// Pipelines, their states, and what producers and consumers do with them.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s

!tma = !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">
!shared = !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>

// CHECK-LABEL: func.func @pipelines
func.func @pipelines(%tma: !tma, %shared: !shared, %mask: i32, %group: i32, %n: i32) {
  %both = cute.static : !cute.int_tuple<"3">
  // CHECK: %[[P:.*]] = cute.make_pipeline_tma<4, 2, "warpgroup"> (%{{.*}}) : !cute.tma_atom<
  // GENERIC: "cute.make_pipeline_tma"({{.*}}) <{agent = "warpgroup", consumers = 2 : i32, stages = 4 : i32}> : {{.*}} -> !cute.pipeline<"tma", 4 : i64, 1 : i64, 2 : i64, "warpgroup", 16384 : i64, "">
  %p = cute.make_pipeline_tma<4, 2, "warpgroup"> (%tma)
  // CHECK: cute.make_pipeline_tma<2, 3, "warp"> (%{{.*}}, %{{.*}}, %{{.*}}) :
  // GENERIC: -> !cute.pipeline<"tma", 2 : i64, 1 : i64, 3 : i64, "warp", 32768 : i64, "3">
  %q = cute.make_pipeline_tma<2, 3, "warp"> (%tma, %shared, %both)
  // GENERIC: -> !cute.pipeline<"tma", 2 : i64, 1 : i64, 3 : i64, "warp", 16384 : i64, "?">
  %r = cute.make_pipeline_tma<2, 3, "warp"> (%shared, %mask)
  // CHECK: %[[A:.*]] = cute.make_pipeline_async<"async", 2, 32, 4, "warp">
  // GENERIC: "cute.make_pipeline_async"() <{agent = "warp", consumers = 4 : i32, kind = "async", producers = 32 : i32, stages = 2 : i32}>
  %a = cute.make_pipeline_async<"async", 2, 32, 4, "warp">
  // CHECK: cute.make_pipeline_async<"tcgen05", 2, 1, 4, "warp">
  %m = cute.make_pipeline_async<"tcgen05", 2, 1, 4, "warp">
  // CHECK: cute.make_pipeline_async<"cp_async", 3, 128, 128, "thread">
  %c = cute.make_pipeline_async<"cp_async", 3, 128, 128, "thread">
  // CHECK: %[[S:.*]] = cute.make_pipeline_tma_store<2>
  // GENERIC: "cute.make_pipeline_tma_store"() <{stages = 2 : i32}> : () -> !cute.pipeline<"tma_store", 2 : i64, 0 : i64, 0 : i64, "thread", 0 : i64, "">
  %s = cute.make_pipeline_tma_store<2>
  // CHECK: %[[O:.*]] = cute.make_pipeline_order<2, 3, 128>
  // GENERIC: "cute.make_pipeline_order"() <{groups = 3 : i32, stages = 2 : i32, threads = 128 : i32}>
  %o = cute.make_pipeline_order<2, 3, 128>
  // CHECK: cute.init_pipeline(%[[P]]) : !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">
  // GENERIC: "cute.init_pipeline"(
  cute.init_pipeline(%p)
  // CHECK: %[[FILL:.*]] = cute.make_pipeline_state<"producer"> (%[[P]]) : !cute.pipeline<
  // GENERIC: "cute.make_pipeline_state"(%{{.*}}) <{role = "producer"}> : {{.*}} -> !cute.pipeline_state<"producer", 4 : i64>
  %fill = cute.make_pipeline_state<"producer"> (%p)
  %drain = cute.make_pipeline_state<"consumer"> (%p)
  // CHECK: cute.make_pipeline_state<"order"> (%[[O]], %{{.*}}) : !cute.pipeline<{{.*}}>, i32
  %turn = cute.make_pipeline_state<"order"> (%o, %group)
  // CHECK: %[[NEXT:.*]] = cute.pipeline_advance(%[[FILL]]) : !cute.pipeline_state<"producer", stages<4>>
  // GENERIC: "cute.pipeline_advance"(
  %next = cute.pipeline_advance(%fill)
  // CHECK: cute.pipeline_advance(%[[NEXT]], %{{.*}}) : !cute.pipeline_state<"producer", stages<4>>, i32
  %later = cute.pipeline_advance(%next, %n)
  // CHECK: cute.pipeline_stage(%{{.*}}) : !cute.pipeline_state<"producer", stages<4>>
  // GENERIC: "cute.pipeline_stage"(%{{.*}}) : {{.*}} -> i32
  %stage = cute.pipeline_stage(%later)
  // CHECK: cute.producer_acquire(%[[P]], %[[FILL]]) :
  // GENERIC: "cute.producer_acquire"(
  cute.producer_acquire(%p, %fill)
  // CHECK: cute.producer_acquire(%[[P]], %[[FILL]], %{{.*}}, %{{.*}}) : !cute.pipeline<{{.*}}>, !cute.pipeline_state<{{.*}}>, !cute.tma_atom<{{.*}}>, !cute.tma_atom<
  cute.producer_acquire(%p, %fill, %tma, %tma)
  // CHECK: cute.producer_barrier(%[[P]], %[[FILL]]) :
  // GENERIC: "cute.producer_barrier"(%{{.*}}, %{{.*}}) : {{.*}} -> !cute.ptr<i64, "smem", 8 : i64, "">
  %full = cute.producer_barrier(%p, %fill)
  // CHECK: cute.with_barrier(%{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}, !cute.int_tuple<"3">) -> !cute.tma_atom<
  %with = cute.with_barrier(%shared, %full, %both)
  // CHECK: cute.producer_commit(%[[P]], %[[FILL]]) :
  // GENERIC: "cute.producer_commit"(
  cute.producer_commit(%p, %fill)
  // CHECK: cute.producer_tail(%[[P]], %{{.*}}) :
  // GENERIC: "cute.producer_tail"(
  cute.producer_tail(%p, %later)
  // CHECK: cute.consumer_wait(%[[P]], %{{.*}}) :
  // GENERIC: "cute.consumer_wait"(
  cute.consumer_wait(%p, %drain)
  // CHECK: cute.consumer_release(%[[P]], %{{.*}}) :
  // GENERIC: "cute.consumer_release"(
  cute.consumer_release(%p, %drain)
  // CHECK: cute.fence_loads
  // GENERIC: "cute.fence_loads"() : () -> ()
  cute.fence_loads
  // CHECK: cute.fence_loads<{lanes}>
  cute.fence_loads<{lanes}>
  // CHECK: cute.order_wait(%[[O]], %{{.*}}, %{{.*}}) : {{.*}}, !cute.pipeline_state<"order", stages<2>>, i32
  // GENERIC: "cute.order_wait"(
  cute.order_wait(%o, %turn, %group)
  // CHECK: cute.order_arrive(%[[O]], %{{.*}}, %{{.*}}) :
  // GENERIC: "cute.order_arrive"(
  cute.order_arrive(%o, %turn, %group)
  return
}
