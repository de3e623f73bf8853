// Queries cost nothing: what is left of them are their numbers.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

gpu.module @tiled {
  // 128 threads, an atom of 32 lanes and 16x8x16, a tile of 32x32x16, 16x64 for
  // the copy; of operands of 64x32 a thread has as many elements of A and B as
  // four threads share, and 64 * 32 / 128 of C.
  // CHECK-LABEL: gpu.func @sizes(
  // CHECK: gpu.return
  // PTX-LABEL: .entry sizes(
  // PTX: st.global.v4.b32 [%[[P:rd[0-9]+]]], {128, 32, 2048, 16};
  // PTX: st.global.v4.b32 [%[[P]]+16], {1024, 32, 32, 16};
  gpu.func @sizes(%out: !cute.tensor<i32, gmem, align<16>, "(8):(1)">) kernel {
    %m = cute.static : !mma
    %c = cute.static : !copy
    %shape = cute.static : !cute.shape<"(64,32)">
    %l0 = cute.thr_layout_vmnk(%m)
    %s0 = cute.size (%l0)
    %l1 = cute.thr_id(%m)
    %s1 = cute.size (%l1)
    %l2 = cute.shape_mnk(%m)
    %s2 = cute.size (%l2)
    %l3 = cute.tile_size<[2]> (%m)
    %s3 = cute.size (%l3)
    %t = cute.get_tiler(%c)
    %l4 = cute.get_shape(%t)
    %s4 = cute.size (%l4)
    %l5 = cute.partition_shape_a(%m, %shape)
    %s5 = cute.size (%l5)
    %l6 = cute.partition_shape_b(%m, %shape)
    %s6 = cute.size (%l6)
    %l7 = cute.partition_shape_c(%m, %shape)
    %s7 = cute.size (%l7)
    %c0 = cute.static : !cute.coord<"0">
    %c1 = cute.static : !cute.coord<"1">
    %c2 = cute.static : !cute.coord<"2">
    %c3 = cute.static : !cute.coord<"3">
    %c4 = cute.static : !cute.coord<"4">
    %c5 = cute.static : !cute.coord<"5">
    %c6 = cute.static : !cute.coord<"6">
    %c7 = cute.static : !cute.coord<"7">
    %v0 = cute.get_scalars (%s0) : !cute.int_tuple<"128">
    %v1 = cute.get_scalars (%s1) : !cute.int_tuple<"32">
    %v2 = cute.get_scalars (%s2) : !cute.int_tuple<"2048">
    %v3 = cute.get_scalars (%s3) : !cute.int_tuple<"16">
    %v4 = cute.get_scalars (%s4) : !cute.int_tuple<"1024">
    %v5 = cute.get_scalars (%s5) : !cute.int_tuple<"32">
    %v6 = cute.get_scalars (%s6) : !cute.int_tuple<"32">
    %v7 = cute.get_scalars (%s7) : !cute.int_tuple<"16">
    cute.store(%v0, %out, %c0)
    cute.store(%v1, %out, %c1)
    cute.store(%v2, %out, %c2)
    cute.store(%v3, %out, %c3)
    cute.store(%v4, %out, %c4)
    cute.store(%v5, %out, %c5)
    cute.store(%v6, %out, %c6)
    cute.store(%v7, %out, %c7)
    gpu.return
  }

  // The A operand at value 1 of a thread: lane%4 * 64 + lane/4 + ... + 32.
  // CHECK-LABEL: gpu.func @at_thread(
  // CHECK: gpu.return
  // PTX-LABEL: .entry at_thread(
  // PTX: add.s32 %[[R:r[0-9]+]], %{{.*}}, 32;
  // PTX: st.global.b32 [%{{.*}}], %[[R]];
  gpu.func @at_thread(%out: !cute.tensor<i32, gmem, align<16>, "(8):(1)">, %i: i32) kernel {
    %m = cute.static : !mma
    %l = cute.get_tv_layout<"A"> (%m)
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,1)">
    %x = cute.layout_eval(%at, %l)
    %v = cute.get_scalars (%x) : !cute.int_tuple<"?">
    %c0 = cute.static : !cute.coord<"0">
    cute.store(%v, %out, %c0)
    gpu.return
  }

  // Copies made of others copy: 8 f16 by two accesses of 64 bits, two f32 of each
  // of the four parts of C, and 4 f16 of each two columns of a matrix.
  // CHECK-LABEL: gpu.func @copies(
  // CHECK-COUNT-2: llvm.load {{.*}}alignment = 8 {{.*}} -> vector<4xf16>
  // CHECK-COUNT-2: llvm.store {{.*}}alignment = 8 {{.*}} : vector<4xf16>, !llvm.ptr<3>
  // CHECK-COUNT-4: llvm.load {{.*}}alignment = 8 {{.*}} -> vector<2xf32>
  // CHECK-COUNT-4: llvm.load {{.*}}alignment = 8 {{.*}} -> vector<4xf16>
  // CHECK: gpu.return
  // PTX-LABEL: .entry copies(
  // PTX-COUNT-8: st.global.{{(v2.b32|b64|v4.b16)}}
  // PTX-NOT: st.global
  // PTX: ret;
  gpu.func @copies(%g: !cute.tensor<f16, gmem, align<16>, "(16,64):(64,1)">, %x: !cute.tensor<f32, gmem, align<16>, "(32,32):(32,1)">, %y: !cute.tensor<f16, gmem, align<16>, "(16,8):(1,16)">, %x2: !cute.tensor<f32, gmem, align<16>, "(32,32):(32,1)">, %y2: !cute.tensor<f16, gmem, align<16>, "(16,8):(1,16)">, %i: i32) kernel {
    %m = cute.static : !mma
    %c = cute.static : !copy
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
    %f = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    %cs = cute.make_tiled_copy_s(%a, %c)
    %cd = cute.make_tiled_copy_d(%a, %c)
    %l = cute.static : !cute.layout<"(16,64):(64,1)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %from = cute.partition_s(%cs, %g, %i)
    %r = cute.make_fragment_like (%from)
    %to = cute.partition_d(%cd, %s, %i)
    cute.copy(%cs, %from, %r)
    cute.copy(%cd, %r, %to)
    gpu.barrier
    %cc = cute.make_tiled_copy_c_atom(%f, %m)
    %fromC = cute.partition_s(%cc, %x, %i)
    %toC = cute.make_fragment_like (%fromC)
    cute.copy(%cc, %fromC, %toC)
    %outC = cute.partition_d(%cc, %x2, %i)
    cute.copy(%cc, %toC, %outC)
    %threads = cute.static : !cute.layout<"(8,4):(4,1)">
    %data = cute.static : !cute.layout<"(16,8):(1,16)">
    %co = cute.make_cotiled_copy(%a, %threads, %data)
    %fromY = cute.partition_s(%co, %y, %i)
    %toY = cute.make_fragment_like (%fromY)
    cute.copy(%co, %fromY, %toY)
    %outY = cute.partition_d(%co, %y2, %i)
    cute.copy(%co, %toY, %outY)
    gpu.return
  }
}
