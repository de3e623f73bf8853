// Sums of f16 stay in whole registers through a loop in which products are not
// waited for, also where their elements are used alone later: nothing may take
// what the tensor cores still compute apart, as LLVM does with integers.
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=LOWER
// RUN: %if ptxas %{ cutec %s --arch=sm_90a --emit=cubin -o %t.cubin 2>&1 | count 0 %}

// CHECK-LABEL: .entry halves(
// CHECK: $[[LOOP:L__BB0_[0-9]]]:
// CHECK: .pragma "nounroll";
// CHECK-NOT: {{shl|prmt}}
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {[[SUMS:[^}]*]]}, %{{rd[0-9]+}}, %{{rd[0-9]+}}, 1, 1, 1, 0, 0;
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {[[SUMS]]},
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK-NOT: {{shr|mov.b32|cvt.u16}}
// CHECK: bra $[[LOOP]];
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK-COUNT-8: st.global.b16

// LOWER-LABEL: gpu.func @halves(
// LOWER: scf.for
// LOWER: llvm.load %{{.*}} -> vector<2xf16>
// LOWER-NOT: llvm.load %{{.*}} -> i32
// LOWER: wgmma.mma_async
// LOWER: wgmma.wait_group.sync.aligned 0
gpu.module @products {
  gpu.func @halves(%C: !cute.tensor<f16, gmem, align<16>, "(64,16):(1,64)">, %n: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %shapeA = cute.static : !cute.shape<"(64,64,4)">
    %shapeB = cute.static : !cute.shape<"(16,64,4)">
    %layoutA = cute.tile_to_shape(%tile, %shapeA)
    %layoutB = cute.tile_to_shape(%tile, %shapeB)
    %sA = cute.alloc_smem<f16, 1024> (%layoutA)
    %sB = cute.alloc_smem<f16, 1024> (%layoutB)
    %atom = cute.static : !cute.mma_atom<"SM90_64x16x16_F16F16F16_SS<K,K>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %dA = cute.make_fragment_a(%mma, %tA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %false = arith.constant false
    %first = cute.static : !cute.coord<"(_,_,_,0)">
    %dA_0 = cute.slice(%dA, %first)
    %dB_0 = cute.slice(%dB, %first)
    cute.warpgroup_fence()
    cute.gemm(%mma, %rC, %dA_0, %dB_0, %rC, %false)
    cute.warpgroup_commit
    scf.for %k = %c1 to %n step %c1 : i32 {
      %stage = arith.andi %k, %c3 : i32
      %at = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
      %dA_k = cute.slice(%dA, %at)
      %dB_k = cute.slice(%dB, %at)
      cute.warpgroup_fence()
      cute.gemm(%mma, %rC, %dA_k, %dB_k, %rC)
      cute.warpgroup_commit
      cute.warpgroup_wait<1> ()
      %more = arith.cmpi eq, %k, %c3 : i32
      scf.if %more {
        cute.fence_proxy<"async.shared">
      }
    }
    cute.warpgroup_wait<0> ()
    %i0 = cute.static : !cute.coord<"0">
    %e0 = cute.load(%rC, %i0)
    cute.store(%e0, %tC, %i0)
    %i1 = cute.static : !cute.coord<"1">
    %e1 = cute.load(%rC, %i1)
    cute.store(%e1, %tC, %i1)
    %i2 = cute.static : !cute.coord<"2">
    %e2 = cute.load(%rC, %i2)
    cute.store(%e2, %tC, %i2)
    %i3 = cute.static : !cute.coord<"3">
    %e3 = cute.load(%rC, %i3)
    cute.store(%e3, %tC, %i3)
    %i4 = cute.static : !cute.coord<"4">
    %e4 = cute.load(%rC, %i4)
    cute.store(%e4, %tC, %i4)
    %i5 = cute.static : !cute.coord<"5">
    %e5 = cute.load(%rC, %i5)
    cute.store(%e5, %tC, %i5)
    %i6 = cute.static : !cute.coord<"6">
    %e6 = cute.load(%rC, %i6)
    cute.store(%e6, %tC, %i6)
    %i7 = cute.static : !cute.coord<"7">
    %e7 = cute.load(%rC, %i7)
    cute.store(%e7, %tC, %i7)
    gpu.return
  }
}
