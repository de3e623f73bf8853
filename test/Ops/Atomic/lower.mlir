// Atomic operations are one instruction each: atom, or red where nobody reads.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s --arch=sm_90 -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90 --emit=cubin -o %t.cubin %}

gpu.module @atomics {
  // CHECK-LABEL: gpu.func @integers(
  // CHECK: llvm.inline_asm has_side_effects "red.relaxed.gpu.global.add.u32 [$0], $1;", "l,r,~{memory}"
  // PTX-LABEL: .entry integers(
  // PTX: red.relaxed.gpu.global.add.u32 [%{{.*}}], %r
  // PTX: atom.acq_rel.sys.global.min.s32 %r
  // PTX: red.release.cta.global.max.u32 [%{{.*}}], %r
  // PTX: atom.acquire.gpu.global.and.b32 %r
  // PTX: red.relaxed.gpu.global.min.s64 [%{{.*}}], %rd
  // PTX: atom.relaxed.gpu.global.add.u64 %rd
  // PTX: atom.relaxed.gpu.global.exch.b32 %r
  // PTX: atom.acquire.gpu.global.cas.b32 %r
  gpu.func @integers(%t: !cute.tensor<i32, gmem, align<4>, "(?,4):(4,1)">, %u: !cute.tensor<ui32, gmem, align<4>, "(?)">, %l: !cute.tensor<i64, gmem, align<8>, "(?)">, %p: !cute.ptr<i32, gmem, align<4>>, %v: i32, %w: i64, %i: i32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,1)">
    %d = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.atomic_rmw<"add"> (%v, %t, %c)
    %1 = cute.atomic_rmw<"min", "acq_rel", "sys"> (%v, %t, %c)
    %2 = cute.atomic_rmw<"max", "release", "cta"> (%1, %u, %d)
    %3 = cute.atomic_rmw<"and", "acquire"> (%v, %t, %c)
    %4 = cute.atomic_rmw<"min"> (%w, %l, %d)
    %5 = cute.atomic_rmw<"add"> (%w, %l, %d)
    %6 = cute.atomic_rmw<"exch"> (%v, %p)
    %7 = cute.atomic_cas<"acquire", "gpu">(%3, %v, %p)
    %e = cute.static : !cute.coord<"0">
    cute.store(%5, %l, %e) : i64, !cute.tensor<i64, gmem, align<8>, "(?)">, !cute.coord<"0">
    gpu.return
  }

  // CHECK-LABEL: gpu.func @floats(
  // CHECK: llvm.bitcast %{{.*}} : vector<2xf16> to i32
  // CHECK: llvm.inline_asm has_side_effects "atom.relaxed.gpu.global.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r,~{memory}"
  // PTX-LABEL: .entry floats(
  // PTX: red.relaxed.gpu.global.add.f32 [%{{.*}}], %r
  // PTX: red.relaxed.gpu.global.add.f64 [%{{.*}}], %rd
  // PTX: red.relaxed.gpu.global.add.noftz.f16 [%{{.*}}], %rs
  // PTX: atom.relaxed.gpu.global.add.noftz.f16x2 %r
  // PTX: red.relaxed.gpu.global.add.noftz.bf16x2 [%{{.*}}], %r
  // PTX: atom.relaxed.gpu.global.exch.b32 %r
  // PTX: atom.relaxed.gpu.global.cas.b16 %rs
  gpu.func @floats(%t: !cute.tensor<f32, gmem, align<4>, "(?)">, %d: !cute.tensor<f64, gmem, align<8>, "(?)">, %h: !cute.tensor<f16, gmem, align<4>, "(?,8):(?{div=8},1)">, %b: !cute.tensor<bf16, gmem, align<4>, "(?,8):(?{div=8},1)">, %f: f32, %g: f64, %x: f16, %y: vector<2xf16>, %z: vector<2xbf16>, %i: i32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %e = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,6)">
    %0 = cute.atomic_rmw<"add"> (%f, %t, %c)
    %1 = cute.atomic_rmw<"add"> (%g, %d, %c)
    %2 = cute.atomic_rmw<"add"> (%x, %h, %e)
    %3 = cute.atomic_rmw<"add"> (%y, %h, %e)
    %k = arith.constant 0 : i32
    %s = vector.extract %3[0] : f16 from vector<2xf16>
    cute.atomic_rmw<"add"> (%z, %b, %e)
    %4 = cute.atomic_rmw<"exch"> (%f, %t, %c)
    %5 = cute.atomic_cas(%s, %x, %h, %e)
    cute.store(%4, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "(?)">, !cute.coord<"?">
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shared(
  // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
  // CHECK: nvvm.mapa
  // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<7> to i32
  // PTX-LABEL: .entry shared(
  // PTX: red.relaxed.cta.shared.add.u32 [%r{{.*}}], %r
  // PTX: atom.relaxed.cta.shared.xor.b32 %r
  // PTX: red.relaxed.cluster.shared::cluster.add.u32 [%r{{.*}}], %r
  // PTX: red.release.gpu.shared::cluster.or.b32 [%r{{.*}}], %r
  gpu.func @shared(%out: !cute.tensor<i32, gmem, align<4>, "(?)">, %v: i32, %i: i32) kernel attributes {known_cluster_size = array<i32: 2, 1, 1>} {
    %l = cute.static : !cute.layout<"256:1">
    %s = cute.alloc_smem<i32, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.atomic_rmw<"add"> (%v, %s, %c)
    %old = cute.atomic_rmw<"xor"> (%v, %s, %c)
    cute.store(%old, %out, %c) : i32, !cute.tensor<i32, gmem, align<4>, "(?)">, !cute.coord<"?">
    %r = cute.mapa(%s, %i)
    cute.atomic_rmw<"add"> (%v, %r, %c)
    cute.atomic_rmw<"or", "release", "gpu"> (%v, %r, %c)
    gpu.return
  }
}
