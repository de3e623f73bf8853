// The shared memory of another block of the cluster: loads, stores, copies and
// arrivals.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.mapa
// RUN: cutec %s --arch=sm_90 -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90 --emit=cubin -o %t.cubin %}
// RUN: not cutec %s --arch=sm_89 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: cute.mapa needs sm_90 or later, but the code is for sm_89

// CHECK-LABEL: gpu.func @swap(
// CHECK: nvvm.mapa %{{.*}}, %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4x
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4x{{.*}}>, !llvm.ptr<7>
// CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<7>
// PTX-LABEL: .entry swap(
// PTX: mapa.shared::cluster
// PTX: ld.shared::cluster.v4.b32
// PTX: st.shared::cluster.v4.b32
// PTX: mbarrier.arrive.shared::cluster.b64 _,
// PTX: mbarrier.expect_tx.relaxed.cta.shared::cluster.b64
// PTX: mbarrier.arrive.expect_tx.shared::cluster.b64 _,
// PTX: ld.shared::cluster.b32
// PTX: st.shared::cluster.b32
gpu.module @dsmem {
  gpu.func @swap(%out: !cute.tensor<f32, gmem, align<16>, "(128,4):(4,1)">) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(128,4):(4,1)">
    %one = cute.static : !cute.layout<"1:1">
    %s = cute.alloc_smem<f32, 16> (%l)
    %bar = cute.alloc_smem<i64, 8> (%one)
    %b = cute.get_iter(%bar)
    %rank = cute.block_rank_in_cluster
    %c1 = arith.constant 1 : i32
    %bytes = arith.constant 16 : i32
    %other = arith.xori %rank, %c1 : i32
    %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
    %mine = cute.slice(%s, %row)
    %remote = cute.mapa(%s, %other)
    %there = cute.slice(%remote, %row)
    %r = cute.make_fragment_like(%mine)
    cute.autovec_copy(%there, %r)
    %o = cute.slice(%out, %row)
    cute.autovec_copy(%r, %o)
    cute.autovec_copy(%r, %there)
    %rb = cute.mapa(%b, %other)
    cute.mbarrier_arrive(%rb)
    cute.mbarrier_expect_tx(%rb, %bytes)
    cute.mbarrier_arrive_expect_tx(%rb, %bytes)
    %cc = cute.make_coord(%other, %c1) : (i32, i32) -> !cute.coord<"(?,?)">
    %v = cute.load(%remote, %cc)
    %w = arith.addf %v, %v : f32
    cute.store(%w, %remote, %cc)
    gpu.return
  }
}
