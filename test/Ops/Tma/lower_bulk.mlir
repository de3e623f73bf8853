// Copies of runs of bytes without a tensor map: into shared memory, out of it, to
// another block, and reductions.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s --arch=sm_90 -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90 --emit=cubin -o %t.cubin %}
// RUN: not cutec %s --arch=sm_89 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: SM90_BULK_COPY_G2S needs sm_90 or later, but the code is for sm_89

!rows = !cute.tensor<f16, gmem, align<16>, "(?,256):(?{i64 div=8},1)">
!sums = !cute.tensor<f32, gmem, align<16>, "1024:1">

gpu.module @bulk {
  // Four rows of a matrix are four runs, neighbours are one.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK-COUNT-4: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} l2_cache_hint = %{{.*}} : !llvm.ptr<7>, <1>
  // CHECK-NOT: bulk.shared.cluster
  // CHECK-COUNT-4: nvvm.cp.async.bulk.global.shared.cta %{{.*}}, %{{.*}}, %{{.*}} l2_cache_hint = %{{.*}} : <1>, <3>
  // CHECK: nvvm.cp.async.bulk.commit.group
  // PTX-LABEL: .entry rows(
  // PTX-COUNT-4: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%{{.*}}], [%{{.*}}], %{{r[0-9]+}}, [rows_smem], %
  // PTX-COUNT-4: cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%{{.*}}], [{{.*}}], %{{.*}}, %
  gpu.func @rows(%A: !rows, %B: !rows) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = cute.static : !cute.layout<"1:1">
    %bar = cute.alloc_smem<i64, 8> (%one)
    %b = cute.get_iter(%bar)
    %tile = cute.static : !cute.shape<"(4,256)">
    %compact = cute.static : !cute.layout<"(4,256):(256,1)">
    %s = cute.alloc_smem<f16, 16> (%compact)
    %at = cute.static : !cute.coord<"(0,0)">
    %gA = cute.local_tile(%A, %tile, %at)
    %gB = cute.local_tile(%B, %tile, %at)
    %load = cute.static : !cute.copy_atom<"SM90_BULK_COPY_G2S", f16>
    %with = cute.with_barrier<"evict_first">(%load, %b)
    cute.copy(%with, %gA, %s)
    %plain = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
    %store = cute.with_cache<"evict_last">(%plain)
    cute.copy(%store, %s, %gB)
    cute.cp_async_bulk_commit
    cute.cp_async_bulk_wait<0>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @blocks(
  // CHECK: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} multicast_mask = %{{.*}} : !llvm.ptr<7>, <1>
  // CHECK: llvm.inline_asm has_side_effects "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "l,l,r,l,~{memory}"
  // CHECK: "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32 [$0], [$1], $2, [$3];"
  // CHECK: "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [$0], [$1], $2;", "l,l,r,~{memory}"
  // CHECK: "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.f32 [$0], [$1], $2, $3;", "l,l,r,l,~{memory}"
  // CHECK: "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [$0], [$1], $2;"
  // PTX-LABEL: .entry blocks(
  // PTX: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%{{.*}}], [%{{.*}}], %{{.*}}, [{{.*}}], %
  // PTX: cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%{{.*}}], [%{{.*}}], %{{.*}}, [%{{.*}}];
  // PTX: cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32
  gpu.func @blocks(%A: !sums, %rank: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %one = cute.static : !cute.layout<"1:1">
    %bar = cute.alloc_smem<i64, 8> (%one)
    %b = cute.get_iter(%bar)
    %all = cute.static : !cute.layout<"1024:1">
    %s = cute.alloc_smem<f32, 16> (%all)
    %n = cute.alloc_smem<i32, 16> (%all)
    %h = cute.alloc_smem<bf16, 16> (%all)
    %mask = arith.constant 3 : i16
    %multicast = cute.static : !cute.copy_atom<"SM90_BULK_COPY_G2S_MULTICAST", f32>
    %load = cute.with_barrier(%multicast, %b, %mask)
    cute.copy(%load, %A, %s)
    %to = cute.mapa(%s, %rank)
    %to_n = cute.mapa(%n, %rank)
    %to_b = cute.mapa(%b, %rank)
    %send = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2S", f32>
    %sends = cute.with_barrier(%send, %to_b)
    cute.copy(%sends, %s, %to)
    %max = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_MAX_S2S", i32>
    %maxes = cute.with_barrier(%max, %to_b)
    cute.copy(%maxes, %n, %to_n)
    %add = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2G", f32>
    cute.copy_atom_call(%add, %s, %A)
    %adds = cute.with_cache<"evict_first">(%add)
    cute.copy(%adds, %s, %A)
    %A_start = cute.get_iter(%A)
    %A_half = cute.recast_ptr(%A_start) : !cute.ptr<f32, gmem, align<16>> -> !cute.ptr<bf16, gmem, align<16>>
    %A_b = cute.make_tensor(%A_half, %all)
    %add_b = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2G", bf16>
    cute.copy(%add_b, %h, %A_b)
    gpu.return
  }
}
