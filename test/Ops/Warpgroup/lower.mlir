// Fences, waits that hold sums, registers of roles, and named barriers.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not="= cute." --implicit-check-not="{{^ *}}cute."
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90a --emit=cubin -o %t.cubin %}
// RUN: not cutec %s --arch=sm_90 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// RUN: cutec %S/Inputs/registers.mlir --arch=sm_100a -o - | FileCheck %s --check-prefix=LATER
// RUN: cutec %S/Inputs/registers.mlir --arch=sm_120f -o - | FileCheck %s --check-prefix=LATER
// RUN: not cutec %S/Inputs/registers.mlir --arch=sm_100 -o - 2>&1 | FileCheck %s --check-prefix=PLAIN

// LATER: setmaxnreg.dec.sync.aligned.u32 40;
// LATER: setmaxnreg.inc.sync.aligned.u32 64;
// PLAIN: cute.set_registers needs sm_90a or a later one with a suffix, but the code is for sm_100
// PLAIN: nvvm.setmaxregister needs sm_90a or a later one with a suffix, but the code is for sm_100

// OLD: cute.set_registers needs sm_90a or a later one with a suffix, but the code is for sm_90
// OLD: cute.warpgroup_fence needs sm_90a
// OLD: cute.warpgroup_commit needs sm_90a
// OLD: cute.warpgroup_wait needs sm_90a
// OLD-NOT: named_barrier

gpu.module @warpgroups {
  // CHECK-LABEL: gpu.func @roles(
  // CHECK: nvvm.setmaxregister decrease 40
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK: llvm.inline_asm has_side_effects "bar.arrive $0, $1;", "r,r,~{memory}"
  // CHECK: nvvm.setmaxregister increase 232
  // CHECK: llvm.inline_asm has_side_effects "bar.sync $0, $1;", "r,r,~{memory}"
  // CHECK: llvm.inline_asm has_side_effects {cute.tied} "wgmma.fence.sync.aligned;", "=f,=f,0,1,~{memory}"
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "~{memory}"
  // CHECK: llvm.inline_asm has_side_effects {cute.tied} "wgmma.wait_group.sync.aligned 0;", "=f,=f,=r,0,1,2,~{memory}"
  // CHECK: llvm.inline_asm has_side_effects "{\0A\09.reg .pred never;{{.*}}@!never bra held;\0A\09st.shared.b32 [blocks+0], $0;\0A\09held:\0A\09}", "r,~{memory}"
  // PTX-LABEL: .entry roles(
  // PTX: setmaxnreg.dec.sync.aligned.u32 40;
  // PTX: fence.proxy.async.shared::cta;
  // PTX: bar.arrive %{{r[0-9]+}}, %{{r[0-9]+}};
  // PTX: setmaxnreg.inc.sync.aligned.u32 232;
  // PTX: bar.sync %{{r[0-9]+}}, %{{r[0-9]+}};
  // PTX: wgmma.fence.sync.aligned;
  // PTX: wgmma.commit_group.sync.aligned;
  // PTX: wgmma.wait_group.sync.aligned 1;
  // PTX: wgmma.wait_group.sync.aligned 0;
  // PTX: setp.eq.u32 never, blocks, 0;
  // PTX-NEXT: @!never bra held;
  // PTX-NEXT: st.shared.b32 [blocks+0], %r{{[0-9]+}};
  // PTX-NEXT: held:
  gpu.func @roles(%out: !cute.tensor<f32, gmem, align<4>, "2:1">) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %c128 = arith.constant 128 : i32
    %id = cute.static : !cute.int_tuple<"1">
    %all = cute.static : !cute.int_tuple<"256">
    %isFirst = arith.cmpi ult, %i, %c128 : i32
    scf.if %isFirst {
      cute.set_registers<"decrease", 40>
      cute.fence_proxy<"async.shared">
      cute.named_barrier_arrive(%id, %all)
    } else {
      cute.set_registers<"increase", 232>
      cute.named_barrier_sync(%id, %all)
      %two = cute.static : !cute.layout<"2:1">
      %c = cute.make_fragment<f32> (%two)
      %h = cute.make_fragment<f16> (%two)
      cute.clear(%c)
      cute.clear(%h)
      cute.warpgroup_fence(%c)
      cute.warpgroup_commit
      cute.warpgroup_wait<1> ()
      cute.warpgroup_wait<0> (%c, %h)
      cute.hold_registers(%h)
      cute.autovec_copy(%c, %out)
    }
    gpu.return
  }
}
