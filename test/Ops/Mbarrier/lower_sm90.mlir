// Barriers that count bytes, of this and of other blocks of a cluster; waiting
// threads sleep on architectures that can.
// RUN: cute-opt %s --cute-lower=arch=sm_90a | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90a --emit=cubin -o %t.cubin %}
// RUN: not cutec %s --arch=sm_80 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.fence_mbarrier_init needs sm_90 or later, but the code is for sm_80
// OLD: cute.mbarrier_expect_tx needs sm_90 or later
// OLD: cute.mbarrier_arrive_expect_tx needs sm_90 or later
// OLD: cute.mbarrier_arrive_remote needs sm_90 or later
// OLD: cute.mbarrier_try_wait needs sm_90 or later

gpu.module @barriers {
  // CHECK-LABEL: gpu.func @bytes(
  // CHECK: nvvm.fence.mbarrier.init
  // CHECK: nvvm.mbarrier.expect_tx %[[B:.*]], %{{.*}} : !llvm.ptr<3>, i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[B]], %{{.*}} : !llvm.ptr<3>, i32
  // CHECK: %[[R:.*]] = nvvm.mapa %[[B]], %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
  // CHECK: nvvm.mbarrier.arrive %[[R]] : !llvm.ptr<7>
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}mbarrier.try_wait.parity.shared.b64{{.*}}" %[[B]],
  // CHECK: nvvm.mbarrier.try_wait %[[B]],
  // CHECK: nvvm.mbarrier.inval %[[B]]
  // PTX-LABEL: .entry bytes(
  // PTX: fence.mbarrier_init.release.cluster;
  // PTX: mbarrier.expect_tx.relaxed.cta.shared.b64 [{{.*}}], %{{r[0-9]+}};
  // PTX: mbarrier.arrive.expect_tx.shared.b64 %{{.*}}, [{{.*}}], %{{r[0-9]+}};
  // PTX: mapa.shared::cluster.u64
  // PTX: mbarrier.arrive.shared::cluster.b64 _, [%{{rd[0-9]+}}], %{{r[0-9]+}};
  // PTX: mbarrier.try_wait.parity.shared.b64 arrived, [%{{r[0-9]+}}], %{{r[0-9]+}};
  // PTX-NEXT: @!arrived bra again;
  // PTX: mbarrier.try_wait.parity.shared.b64 %{{p[0-9]+}},
  // PTX: mbarrier.inval.shared.b64
  gpu.func @bytes(%n: i32, %rank: i32, %parity: i32, %out: !cute.tensor<i32, gmem, align<4>, "1:0">) kernel {
    %one = cute.static : !cute.layout<"1:1">
    %memory = cute.alloc_smem<i64, 8> (%one)
    %b = cute.get_iter(%memory)
    cute.fence_mbarrier_init
    cute.mbarrier_expect_tx(%b, %n)
    cute.mbarrier_arrive_expect_tx(%b, %n)
    cute.mbarrier_arrive_remote(%b, %rank)
    cute.mbarrier_wait(%b, %parity)
    %done = cute.mbarrier_try_wait(%b, %parity)
    cute.mbarrier_inval(%b)
    %zero = cute.static : !cute.coord<"0">
    %word = arith.extui %done : i1 to i32
    cute.store(%word, %out, %zero)
    gpu.return
  }
}
