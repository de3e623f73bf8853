// Pipelines become mbarriers, states two registers.
// RUN: cute-opt %s --cute-lower=arch=sm_90a | FileCheck %s --implicit-check-not="= cute." --implicit-check-not="!cute."
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90a --emit=cubin -o %t.cubin %}
// RUN: not cutec %s --arch=sm_80 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.make_pipeline_tma needs sm_90 or later, but the code is for sm_80

!matrix = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
!filling = !cute.pipeline_state<"producer", stages<3>>
!draining = !cute.pipeline_state<"consumer", stages<3>>

gpu.module @pipelines {
  // CHECK-LABEL: gpu.func @shared(
  // CHECK: %[[SMEM:.*]] = llvm.mlir.addressof @shared_smem
  // CHECK: %[[FULL:.*]] = llvm.getelementptr %[[SMEM]][49152]
  // CHECK: nvvm.mbarrier.init %[[FULL]], %[[ONE:.*]] : !llvm.ptr<3>, i32
  // CHECK: %[[FULL_1:.*]] = llvm.getelementptr %[[FULL]][1]
  // CHECK: nvvm.mbarrier.init %[[FULL_1]], %[[ONE]]
  // CHECK: %[[BLOCKS:.*]] = arith.constant 2 : i32
  // CHECK: %[[COUNT:.*]] = arith.muli %{{.*}}, %[[BLOCKS]] : i32
  // CHECK: %[[EMPTY:.*]] = llvm.getelementptr %[[FULL]][3]
  // CHECK: nvvm.mbarrier.init %[[EMPTY]], %[[COUNT]]
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: scf.for %{{.*}} iter_args(%[[STAGE:.*]] = %c0{{.*}}, %[[PARITY:.*]] = %c1{{.*}}) -> (i32, i32)
  // CHECK: llvm.inline_asm {{.*}}mbarrier.try_wait.parity{{.*}} %{{.*}}, %[[PARITY]] :
  // CHECK: %[[OF_STAGE:.*]] = llvm.getelementptr %[[FULL]][%[[STAGE]]]
  // CHECK: %[[BYTES:.*]] = arith.constant 16384 : i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[OF_STAGE]], %[[BYTES]]
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
  // CHECK: %[[NEXT:.*]] = arith.addi %[[STAGE]]
  // CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c3
  // CHECK: %[[OTHER:.*]] = arith.xori %[[PARITY]]
  // CHECK: arith.select %[[WRAPS]], %{{.*}}, %[[NEXT]] : i32
  // CHECK: arith.select %[[WRAPS]], %[[OTHER]], %[[PARITY]] : i32
  // CHECK: scf.yield %{{.*}}, %{{.*}} : i32, i32
  // CHECK-COUNT-3: mbarrier.try_wait.parity
  // CHECK: } else {
  // CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %c0{{.*}}, %{{.*}} = %c0{{.*}}) -> (i32, i32)
  // CHECK: mbarrier.try_wait.parity
  // CHECK: %[[IN_WARPGROUP:.*]] = arith.andi %{{.*}}, %c127
  // CHECK: %[[SIGNALS:.*]] = arith.cmpi slt, %[[IN_WARPGROUP]], %c2
  // CHECK: scf.if %[[SIGNALS]]
  // CHECK: %[[REMOTE:.*]] = nvvm.mapa %{{.*}}, %[[IN_WARPGROUP]] : !llvm.ptr<3> -> !llvm.ptr<7>
  // CHECK: nvvm.mbarrier.arrive %[[REMOTE]] : !llvm.ptr<7>
  // PTX-LABEL: .entry shared(
  // PTX-COUNT-6: mbarrier.init.shared.b64
  // PTX: fence.mbarrier_init.release.cluster;
  // PTX: mbarrier.arrive.expect_tx.shared.b64
  // PTX: mbarrier.arrive.shared::cluster.b64 _,
  gpu.func @shared(%A: !matrix, %n: i32) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %both = cute.static : !cute.int_tuple<"3">
    %two = cute.static : !cute.int_tuple<"2">
    %tile = cute.static : !cute.shape<"(128,32)">
    %layout = cute.static : !cute.layout<"(128,32):(32,1)">
    %stages = cute.static : !cute.layout<"(128,32,3):(32,1,4096)">
    %smem = cute.alloc_smem<f32, 128> (%stages)
    %load, %coords = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %layout, %tile, %two)
    %pipe = cute.make_pipeline_tma<3, 1, "warpgroup"> (%load, %both)
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
      cute.init_pipeline(%pipe)
    }
    cute.cluster_arrive<{relaxed}>
    cute.cluster_wait
    %rank = cute.block_rank_in_cluster
    %is_producer = arith.cmpi ult, %thread, %c128 : i32
    scf.if %is_producer {
      scf.if %is_first {
        %row = cute.make_coord(%rank) : (i32) -> !cute.coord<"(?,_)">
        %gA = cute.local_tile(%coords, %tile, %row)
        %gA_tile = cute.group_modes<0, 2> (%gA)
        %sA_tile = cute.group_modes<0, 2> (%smem)
        %s, %g = cute.tma_partition(%load, %sA_tile, %gA_tile, %rank)
        %start = cute.make_pipeline_state<"producer"> (%pipe)
        %end = scf.for %k = %c0 to %n step %c1 iter_args(%state = %start) -> (!filling) : i32 {
          %stage = cute.pipeline_stage(%state)
          %from = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
          %to = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
          %g_k = cute.slice(%g, %from)
          %s_k = cute.slice(%s, %to)
          cute.producer_acquire(%pipe, %state)
          %full = cute.producer_barrier(%pipe, %state)
          %with = cute.with_barrier(%load, %full, %both)
          cute.copy(%with, %g_k, %s_k)
          cute.producer_commit(%pipe, %state)
          %next = cute.pipeline_advance(%state)
          scf.yield %next : !filling
        }
        cute.producer_tail(%pipe, %end)
      }
    } else {
      %start = cute.make_pipeline_state<"consumer"> (%pipe)
      %end = scf.for %k = %c0 to %n step %c1 iter_args(%state = %start) -> (!draining) : i32 {
        cute.consumer_wait(%pipe, %state)
        cute.consumer_release(%pipe, %state)
        %next = cute.pipeline_advance(%state)
        scf.yield %next : !draining
      }
    }
    gpu.return
  }

  // Warps write and threads read; the mask of a block is not known. What threads read of a stage
  // that TMA fills, they have read before they release it.
  // CHECK-LABEL: gpu.func @others(
  // CHECK: %[[BITS:.*]] = math.ctpop %{{.*}} : i32
  // CHECK: arith.muli %{{.*}}, %[[BITS]] : i32
  // CHECK: mbarrier.try_wait.parity
  // CHECK-NEXT: %[[WRITTEN:.*]] = llvm.getelementptr
  // CHECK-NEXT: nvvm.mbarrier.arrive %[[WRITTEN]] : !llvm.ptr<3> -> i64
  // CHECK: mbarrier.try_wait.parity
  // CHECK-NEXT: %[[COPIED:.*]] = llvm.getelementptr
  // CHECK-NEXT: nvvm.cp.async.mbarrier.arrive %[[COPIED]] {noinc = true}
  // CHECK-NOT: fence.proxy
  // CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
  // CHECK-NOT: fence.proxy
  // CHECK: nvvm.bar.warp.sync
  // CHECK: %[[LANE:.*]] = arith.andi %{{.*}}, %c31
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
  // CHECK: scf.if %[[FIRST]]
  // CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK: nvvm.bar.warp.sync
  // CHECK: %[[BIT:.*]] = arith.shrui %{{.*}}, %{{.*}} : i32
  // CHECK: arith.trunci %[[BIT]] : i32 to i1
  // CHECK: %[[SUM:.*]] = arith.addi
  // CHECK: %[[ROUNDS:.*]] = arith.divui %[[SUM]], %c4
  // CHECK: %[[ODD:.*]] = arith.andi %[[ROUNDS]]
  // CHECK: arith.remui %[[SUM]]
  // CHECK: arith.xori %{{.*}}, %[[ODD]]
  // PTX-LABEL: .entry others(
  // PTX: cp.async.mbarrier.arrive.noinc.shared.b64
  // PTX: bar.warp.sync
  gpu.func @others(%A: !matrix, %mask: i32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 4, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %two = cute.static : !cute.int_tuple<"2">
    %tile = cute.static : !cute.shape<"(128,32)">
    %layout = cute.static : !cute.layout<"(128,32):(32,1)">
    %load, %coords = cute.make_tma_atom<"SM90_TMA_LOAD_MULTICAST"> (%A, %layout, %tile, %two)
    %pipe = cute.make_pipeline_tma<4, 4, "warp"> (%load, %mask)
    %writes = cute.make_pipeline_async<"async", 2, 128, 128, "thread">
    %copies = cute.make_pipeline_async<"cp_async", 2, 128, 4, "warp">
    cute.init_pipeline(%pipe)
    cute.init_pipeline(%writes)
    cute.init_pipeline(%copies)
    gpu.barrier
    %w = cute.make_pipeline_state<"producer"> (%writes)
    %r = cute.make_pipeline_state<"consumer"> (%writes)
    cute.producer_acquire(%writes, %w)
    cute.producer_commit(%writes, %w)
    %c = cute.make_pipeline_state<"producer"> (%copies)
    %cr = cute.make_pipeline_state<"consumer"> (%copies)
    cute.producer_acquire(%copies, %c)
    cute.producer_commit(%copies, %c)
    cute.consumer_wait(%writes, %r)
    cute.consumer_release(%writes, %r)
    cute.consumer_wait(%copies, %cr)
    cute.consumer_release(%copies, %cr)
    %s = cute.make_pipeline_state<"consumer"> (%pipe)
    cute.consumer_release(%pipe, %s)
    %far = cute.pipeline_advance(%s, %n)
    cute.consumer_wait(%pipe, %far)
    gpu.return
  }

  // A fence completes loads; none is needed after a wait for products, unless memory was touched since.
  // CHECK-LABEL: gpu.func @loads(
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK: wgmma.wait_group
  // CHECK-NOT: fence.proxy
  // CHECK: wgmma.wait_group
  // CHECK-NOT: fence.proxy
  // CHECK: llvm.load
  // CHECK: nvvm.fence.proxy
  // CHECK: %[[LANES:.*]] = llvm.inline_asm {{.*}} "activemask.b32 $0;"
  // CHECK: nvvm.bar.warp.sync %[[LANES]]
  // CHECK-NOT: fence.proxy
  // CHECK: gpu.return
  // PTX-LABEL: .entry loads(
  // PTX-COUNT-2: fence.proxy.async.shared::cta;
  gpu.func @loads(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %layout = cute.static : !cute.layout<"128:1">
    %s = cute.alloc_smem<f32, 128> (%layout)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cute.fence_loads
    cute.warpgroup_wait<0> ()
    cute.fence_loads<{lanes}>
    cute.warpgroup_wait<0> ()
    scf.for %i = %c0 to %n step %c1 : i32 {
      cute.fence_loads
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = cute.load(%s, 0)
      cute.store(%x, %s, 1)
    }
    cute.fence_loads<{lanes}>
    gpu.return
  }

  // Turns: group 0 does not wait in the first round. Bulk groups have no barrier.
  // CHECK-LABEL: gpu.func @turns(
  // CHECK-COUNT-4: nvvm.mbarrier.init
  // CHECK-NOT: nvvm.mbarrier.init
  // CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[GROUP:.*]], %c0
  // CHECK: %[[BEGIN:.*]] = arith.extui %[[IS_FIRST]] : i1 to i32
  // CHECK: scf.for %{{.*}} iter_args(%[[STAGE:.*]] = %{{.*}}, %[[PARITY:.*]] = %[[BEGIN]])
  // CHECK: %[[AT:.*]] = arith.muli %[[STAGE]], %c2
  // CHECK: %[[MINE:.*]] = arith.addi %[[AT]], %[[GROUP]]
  // CHECK: llvm.getelementptr %{{.*}}[%[[MINE]]]
  // CHECK: mbarrier.try_wait.parity{{.*}}, %[[PARITY]] :
  // CHECK: %[[LATER:.*]] = arith.addi %[[GROUP]]
  // CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[LATER]], %c2
  // CHECK: arith.select %[[LAST]], %{{.*}}, %[[LATER]] : i32
  // CHECK: nvvm.mbarrier.arrive
  // CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
  // CHECK: nvvm.cp.async.bulk.commit.group
  // CHECK: nvvm.cp.async.bulk.wait_group 0{{$}}
  // PTX-LABEL: .entry turns(
  // PTX: cp.async.bulk.wait_group.read 1;
  // PTX: cp.async.bulk.wait_group 0;
  gpu.func @turns(%n: i32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %group = arith.shrui %thread, %c7 : i32
    %order = cute.make_pipeline_order<2, 2, 128>
    cute.init_pipeline(%order)
    gpu.barrier
    %start = cute.make_pipeline_state<"order"> (%order, %group)
    %end = scf.for %k = %c0 to %n step %c1 iter_args(%state = %start) -> (!cute.pipeline_state<"order", stages<2>>) : i32 {
      cute.order_wait(%order, %state, %group)
      cute.order_arrive(%order, %state, %group)
      %next = cute.pipeline_advance(%state)
      scf.yield %next : !cute.pipeline_state<"order", stages<2>>
    }
    %stores = cute.make_pipeline_tma_store<2>
    %s = cute.make_pipeline_state<"producer"> (%stores)
    cute.producer_acquire(%stores, %s)
    cute.producer_commit(%stores, %s)
    cute.producer_tail(%stores, %s)
    gpu.return
  }
}
