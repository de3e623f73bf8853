// Barriers become PTX's, and a wait a loop of its own. Copies of many threads
// complete a barrier for all of them and their own.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX
// RUN: not cutec %s --arch=sm_75 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.mbarrier_init needs sm_80 or later, but the code is for sm_75
// OLD: cute.cp_async_mbarrier_arrive needs sm_80 or later
// OLD: cute.mbarrier_wait needs sm_80 or later
// OLD: cute.mbarrier_arrive needs sm_80 or later

gpu.module @barriers {
  // CHECK-LABEL: gpu.func @arrived(
  // CHECK: nvvm.mbarrier.init %[[B:[0-9]+]], %{{.*}} : !llvm.ptr<3>, i32
  // CHECK: nvvm.cp.async.mbarrier.arrive %[[B]] {noinc = true}
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}mbarrier.test_wait.parity.shared.b64{{.*}}" %[[B]],
  // CHECK: nvvm.cp.async.mbarrier.arrive %[[B]]
  // CHECK-NOT: noinc = true
  // CHECK: nvvm.mbarrier.arrive %[[B]]
  // CHECK: gpu.return
  // PTX-LABEL: .entry arrived(
  // PTX: mov.b32 %[[N:r[0-9]+]], 32;
  // PTX: mbarrier.init.shared.b64 [arrived_smem], %[[N]];
  // PTX: bar.sync
  // PTX: cp.async.cg.shared.global
  // PTX: cp.async.mbarrier.arrive.noinc.shared.b64 [arrived_smem];
  // PTX: again:
  // PTX-NEXT: mbarrier.test_wait.parity.shared.b64 arrived, [%{{rd[0-9]+}}], %{{r[0-9]+}};
  // PTX-NEXT: @!arrived bra again;
  // PTX: ld.shared
  // PTX: cp.async.mbarrier.arrive.shared.b64 [arrived_smem];
  // PTX: mbarrier.arrive.shared.b64 %{{.*}}, [arrived_smem];
  gpu.func @arrived(%g: !cute.tensor<f16, gmem, align<16>, "(8,32):(1,8)">, %out: !cute.tensor<f16, gmem, align<16>, "(8,32):(1,8)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %isFirst = arith.cmpi eq, %i, %c0 : i32
    %one = cute.static : !cute.layout<"1:1">
    %memory = cute.alloc_smem<i64, 8> (%one)
    %b = cute.get_iter(%memory)
    %all = cute.static : !cute.int_tuple<"32">
    scf.if %isFirst {
      cute.mbarrier_init(%b, %all)
    }
    gpu.barrier
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %from = cute.slice(%g, %at)
    %to = cute.slice(%s, %at)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
    cute.copy(%a, %from, %to)
    cute.cp_async_mbarrier_arrive<{noinc}> (%b)
    %zero = cute.static : !cute.int_tuple<"0">
    cute.mbarrier_wait(%b, %zero)
    %c31 = arith.constant 31 : i32
    %j = arith.subi %c31, %i : i32
    %other = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,?)">
    %read = cute.slice(%s, %other)
    %written = cute.slice(%out, %other)
    cute.autovec_copy(%read, %written)
    cute.cp_async_mbarrier_arrive (%b)
    cute.mbarrier_arrive(%b)
    gpu.return
  }
}
