// Loops whose counters choose places in fragments are unrolled: the k-blocks of
// a product, and the columns of accumulators that a barrier has kept from
// memory until then.
// REQUIRES: full
// RUN: cutec %s --arch=sm_80 --no-manifest -o - | FileCheck %s
// RUN: sed 's/} \/\/ unrolled/} {cute.unroll = "none"}/' %s > %t.mlir
// RUN: cutec %t.mlir --arch=sm_80 -o %t.ptx --report | FileCheck %s --check-prefix=NONE
// RUN: cutec %t.mlir --arch=sm_80 -o %t.ptx --report=json | FileCheck %s --check-prefix=JSON

// CHECK: .entry k(
// CHECK-NOT: .local
// CHECK-COUNT-128: mma.sync
// CHECK-NOT: .local
// CHECK: ret;
// NONE: local memory {{ *}}{{[1-9][0-9]*}} loads, {{[1-9][0-9]*}} stores
// JSON: "local_loads": {{[1-9]}}
// JSON: "local_stores": {{[1-9]}}

gpu.module @m {
  gpu.func @k(%A: !cute.tensor<f16, gmem, align<16>, "(128,64):(64,1)">, %B: !cute.tensor<f32, gmem, align<16>, "(128,128):(128,1)">, %n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %w = cute.static : !cute.layout<"(2,2,1):(1,2,0)">
    %perm = cute.static : !cute.shape<"(32,32,16)">
    %mma = cute.make_tiled_mma(%atom, %w, %perm)
    %s_l = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (128,64):(64,1)">
    %s = cute.alloc_smem<f16, 128> (%s_l)
    %p = cute.partition_a(%mma, %s, %thread)
    %q = cute.partition_b(%mma, %s, %thread)
    %rA = cute.make_fragment_a(%mma, %p)
    %rB = cute.make_fragment_b(%mma, %q)
    %g_l = cute.static : !cute.layout<"(128,128):(128,1)">
    %bp = cute.get_iter(%B)
    %C = cute.make_tensor(%bp, %g_l)
    %tC = cute.partition_c(%mma, %C, %thread)
    %rC = cute.make_fragment_c(%mma, %tC)
    cute.clear(%rC)
    %ld = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %tca = cute.make_tiled_copy_a(%ld, %mma)
    %tcb = cute.make_tiled_copy_b(%ld, %mma)
    %sa = cute.partition_s(%tca, %s, %thread)
    %sb = cute.partition_s(%tcb, %s, %thread)
    %wa = cute.retile(%tca, %rA)
    %wb = cute.retile(%tcb, %rB)
    cute.autovec_copy(%A, %s)
    gpu.barrier
    scf.for %k = %c0 to %c4 step %c1 : i32 {
      %at = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
      %sak = cute.slice(%sa, %at)
      %sbk = cute.slice(%sb, %at)
      %wak = cute.slice(%wa, %at)
      %wbk = cute.slice(%wb, %at)
      cute.copy(%tca, %sak, %wak)
      cute.copy(%tcb, %sbk, %wbk)
      %rak = cute.slice(%rA, %at)
      %rbk = cute.slice(%rB, %at)
      cute.gemm(%mma, %rC, %rak, %rbk, %rC)
    } // unrolled
    gpu.barrier
    %c8 = arith.constant 8 : i32
    scf.for %j = %c0 to %c8 step %c1 : i32 {
      %at = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,_,?)">
      %rj = cute.slice(%rC, %at)
      %cj = cute.slice(%tC, %at)
      %v = cute.load_vector(%rj) : (!cute.tensor<f32, rmem, align<16>, "((2,2),4):((1,2),4)">) -> vector<16xf32>
      %e = math.exp2 %v fastmath<afn> : vector<16xf32>
      cute.store_vector(%e, %cj)
    } // unrolled
    gpu.return
  }
}
