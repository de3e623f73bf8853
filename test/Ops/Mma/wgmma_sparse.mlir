// Products with a sparse A: metadata comes from registers, A from shared memory or
// registers. ptxas adds no fence of its own (C7519).
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s
// RUN: %if ptxas %{ cutec %s --arch=sm_90a --emit=cubin -o %t.cubin 2>&1 | count 0 %}

gpu.module @sparse {
  // CHECK-LABEL: .entry SM90_SPARSE_64x8x32_F32F16F16_SS_K_K_SW128(
  // CHECK: wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}, %{{rd[0-9]+}}, %{{rd[0-9]+}}, %{{r[0-9]+}}, 0, 1, 1, 1, 0, 0;
  gpu.func @SM90_SPARSE_64x8x32_F32F16F16_SS_K_K_SW128(
      %A: !cute.tensor<f16, gmem, align<16>, "(64,128):(128,1)">,
      %B: !cute.tensor<f16, gmem, align<16>, "(8,256):(256,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(64,8):(8,1)">, %D: !cute.tensor<f32, gmem, align<16>, "(64,8):(8,1)">, %E: !cute.tensor<ui2, gmem, align<16>, "(64,128):(128,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %atom = cute.static : !cute.mma_atom<"SM90_SPARSE_64x8x32_F32F16F16_SS<K,K>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %pC = cute.partition_c(%mma, %C, %i)
    %pD = cute.partition_c(%mma, %D, %i)
    %r = cute.make_fragment_c(%mma, %pC)
    cute.autovec_copy(%pC, %r)
    %tileA = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %shapeA = cute.static : !cute.shape<"(64,128)">
    %layoutA = cute.tile_to_shape(%tileA, %shapeA)
    %sA = cute.alloc_smem<f16, 1024> (%layoutA)
    %moveA = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threadsA = cute.static : !cute.layout<"(8,16):(16,1)">
    %valuesA = cute.static : !cute.layout<"(1,8):(0,1)">
    %copyA = cute.make_tiled_copy(%moveA, %threadsA, %valuesA)
    %fromA = cute.partition_s(%copyA, %A, %i)
    %toA = cute.partition_d(%copyA, %sA, %i)
    cute.copy(%copyA, %fromA, %toA)
    %pA = cute.partition_a(%mma, %sA, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    %tileB = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %shapeB = cute.static : !cute.shape<"(8,256)">
    %layoutB = cute.tile_to_shape(%tileB, %shapeB)
    %sB = cute.alloc_smem<f16, 1024> (%layoutB)
    %moveB = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threadsB = cute.static : !cute.layout<"(4,32):(32,1)">
    %valuesB = cute.static : !cute.layout<"(1,8):(0,1)">
    %copyB = cute.make_tiled_copy(%moveB, %threadsB, %valuesB)
    %fromB = cute.partition_s(%copyB, %B, %i)
    %toB = cute.partition_d(%copyB, %sB, %i)
    cute.copy(%copyB, %fromB, %toB)
    %pB = cute.partition_b(%mma, %sB, %i)
    %dB = cute.make_fragment_b(%mma, %pB)
    %pE = cute.partition_operand<"E"> (%mma, %E, %i)
    %dE = cute.make_fragment_operand<"E"> (%mma, %pE)
    %moveE = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>
    %copyE = cute.make_tiled_copy_operand<"E"> (%moveE, %mma)
    %gE = cute.partition_s(%copyE, %E, %i)
    %tE = cute.retile(%copyE, %dE)
    cute.copy(%copyE, %gE, %tE)
    cute.fence_proxy<"async.shared">
    gpu.barrier
    cute.warpgroup_fence(%r, %dE)
    cute.gemm(%mma, %r, %dA, %dB, %r, %dE)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%r)
    cute.autovec_copy(%r, %pD)
    gpu.return
  }

  // CHECK-LABEL: .entry SM90_SPARSE_64x16x16_F32TF32TF32_RS_TN_SW128(
  // CHECK: wgmma.mma_async.sp.sync.aligned.m64n16k16.f32.tf32.tf32 {{{.*}}}, {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}, %{{rd[0-9]+}}, %{{r[0-9]+}}, 0, 1, 1, 1;
  gpu.func @SM90_SPARSE_64x16x16_F32TF32TF32_RS_TN_SW128(
      %A: !cute.tensor<tf32, gmem, align<16>, "(64,64):(64,1)">,
      %B: !cute.tensor<tf32, gmem, align<16>, "(16,128):(128,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(64,16):(16,1)">, %D: !cute.tensor<f32, gmem, align<16>, "(64,16):(16,1)">, %E: !cute.tensor<ui4, gmem, align<16>, "(64,64):(64,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %atom = cute.static : !cute.mma_atom<"SM90_SPARSE_64x16x16_F32TF32TF32_RS_TN">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %pC = cute.partition_c(%mma, %C, %i)
    %pD = cute.partition_c(%mma, %D, %i)
    %r = cute.make_fragment_c(%mma, %pC)
    cute.autovec_copy(%pC, %r)
    %pA = cute.partition_a(%mma, %A, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    cute.autovec_copy(%pA, %dA)
    %tileB = cute.static : !cute.composed_layout<"S<3,2,3> o 0 o (8,32):(32,1)">
    %shapeB = cute.static : !cute.shape<"(16,128)">
    %layoutB = cute.tile_to_shape(%tileB, %shapeB)
    %sB = cute.alloc_smem<tf32, 1024> (%layoutB)
    %moveB = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", tf32>
    %threadsB = cute.static : !cute.layout<"(4,32):(32,1)">
    %valuesB = cute.static : !cute.layout<"(1,4):(0,1)">
    %copyB = cute.make_tiled_copy(%moveB, %threadsB, %valuesB)
    %fromB = cute.partition_s(%copyB, %B, %i)
    %toB = cute.partition_d(%copyB, %sB, %i)
    cute.copy(%copyB, %fromB, %toB)
    %pB = cute.partition_b(%mma, %sB, %i)
    %dB = cute.make_fragment_b(%mma, %pB)
    %pE = cute.partition_operand<"E"> (%mma, %E, %i)
    %dE = cute.make_fragment_operand<"E"> (%mma, %pE)
    %moveE = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", ui4>
    %copyE = cute.make_tiled_copy_operand<"E"> (%moveE, %mma)
    %gE = cute.partition_s(%copyE, %E, %i)
    %tE = cute.retile(%copyE, %dE)
    cute.copy(%copyE, %gE, %tE)
    cute.fence_proxy<"async.shared">
    gpu.barrier
    cute.warpgroup_fence(%r, %dA, %dE)
    cute.gemm(%mma, %r, %dA, %dB, %r, %dE)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%r)
    cute.autovec_copy(%r, %pD)
    gpu.return
  }

  // CHECK-LABEL: .entry SM90_SPARSE_64x8x64_S32U8S8_SS_TN_SATURATE_INTER(
  // CHECK: wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.u8.s8.satfinite {{{.*}}}, %{{rd[0-9]+}}, %{{rd[0-9]+}}, %{{r[0-9]+}}, 0, 1;
  gpu.func @SM90_SPARSE_64x8x64_S32U8S8_SS_TN_SATURATE_INTER(
      %A: !cute.tensor<ui8, gmem, align<16>, "(64,32):(32,1)">,
      %B: !cute.tensor<i8, gmem, align<16>, "(8,64):(64,1)">, %C: !cute.tensor<i32, gmem, align<16>, "(64,8):(8,1)">, %D: !cute.tensor<i32, gmem, align<16>, "(64,8):(8,1)">, %E: !cute.tensor<ui2, gmem, align<16>, "(64,32):(32,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %atom = cute.static : !cute.mma_atom<"SM90_SPARSE_64x8x64_S32U8S8_SS_TN_SATURATE">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %pC = cute.partition_c(%mma, %C, %i)
    %pD = cute.partition_c(%mma, %D, %i)
    %r = cute.make_fragment_c(%mma, %pC)
    cute.autovec_copy(%pC, %r)
    %tileA = cute.static : !cute.layout<"(8,16):(16,1)">
    %shapeA = cute.static : !cute.shape<"(64,32)">
    %layoutA = cute.tile_to_shape(%tileA, %shapeA)
    %sA = cute.alloc_smem<ui8, 1024> (%layoutA)
    %moveA = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", ui8>
    %threadsA = cute.static : !cute.layout<"(64,2):(2,1)">
    %valuesA = cute.static : !cute.layout<"(1,16):(0,1)">
    %copyA = cute.make_tiled_copy(%moveA, %threadsA, %valuesA)
    %fromA = cute.partition_s(%copyA, %A, %i)
    %toA = cute.partition_d(%copyA, %sA, %i)
    cute.copy(%copyA, %fromA, %toA)
    %pA = cute.partition_a(%mma, %sA, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    %tileB = cute.static : !cute.layout<"(8,16):(16,1)">
    %shapeB = cute.static : !cute.shape<"(8,64)">
    %layoutB = cute.tile_to_shape(%tileB, %shapeB)
    %sB = cute.alloc_smem<i8, 1024> (%layoutB)
    %moveB = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", i8>
    %threadsB = cute.static : !cute.layout<"(8,16):(16,1)">
    %valuesB = cute.static : !cute.layout<"(1,4):(0,1)">
    %copyB = cute.make_tiled_copy(%moveB, %threadsB, %valuesB)
    %fromB = cute.partition_s(%copyB, %B, %i)
    %toB = cute.partition_d(%copyB, %sB, %i)
    cute.copy(%copyB, %fromB, %toB)
    %pB = cute.partition_b(%mma, %sB, %i)
    %dB = cute.make_fragment_b(%mma, %pB)
    %pE = cute.partition_operand<"E"> (%mma, %E, %i)
    %dE = cute.make_fragment_operand<"E"> (%mma, %pE)
    %moveE = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", ui2>
    %copyE = cute.make_tiled_copy_operand<"E"> (%moveE, %mma)
    %gE = cute.partition_s(%copyE, %E, %i)
    %tE = cute.retile(%copyE, %dE)
    cute.copy(%copyE, %gE, %tE)
    cute.fence_proxy<"async.shared">
    gpu.barrier
    cute.warpgroup_fence(%r, %dE)
    cute.gemm(%mma, %r, %dA, %dB, %r, %dE)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%r)
    cute.autovec_copy(%r, %pD)
    gpu.return
  }

  // CHECK-LABEL: .entry SM90_SPARSE_64x8x64_F16E4M3E5M2_RS_TN_SW128(
  // CHECK: wgmma.mma_async.sp.sync.aligned.m64n8k64.f16.e4m3.e5m2 {%{{r[0-9]+}}, %{{r[0-9]+}}}, {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}, %{{rd[0-9]+}}, %{{r[0-9]+}}, 0, 1, 1, 1;
  gpu.func @SM90_SPARSE_64x8x64_F16E4M3E5M2_RS_TN_SW128(
      %A: !cute.tensor<f8E4M3FN, gmem, align<16>, "(64,256):(256,1)">,
      %B: !cute.tensor<f8E5M2, gmem, align<16>, "(8,512):(512,1)">, %C: !cute.tensor<f16, gmem, align<16>, "(64,8):(8,1)">, %D: !cute.tensor<f16, gmem, align<16>, "(64,8):(8,1)">, %E: !cute.tensor<ui2, gmem, align<16>, "(64,256):(256,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %atom = cute.static : !cute.mma_atom<"SM90_SPARSE_64x8x64_F16E4M3E5M2_RS_TN">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %pC = cute.partition_c(%mma, %C, %i)
    %pD = cute.partition_c(%mma, %D, %i)
    %r = cute.make_fragment_c(%mma, %pC)
    cute.autovec_copy(%pC, %r)
    %pA = cute.partition_a(%mma, %A, %i)
    %dA = cute.make_fragment_a(%mma, %pA)
    cute.autovec_copy(%pA, %dA)
    %tileB = cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,128):(128,1)">
    %shapeB = cute.static : !cute.shape<"(8,512)">
    %layoutB = cute.tile_to_shape(%tileB, %shapeB)
    %sB = cute.alloc_smem<f8E5M2, 1024> (%layoutB)
    %moveB = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f8E5M2>
    %threadsB = cute.static : !cute.layout<"(4,32):(32,1)">
    %valuesB = cute.static : !cute.layout<"(1,16):(0,1)">
    %copyB = cute.make_tiled_copy(%moveB, %threadsB, %valuesB)
    %fromB = cute.partition_s(%copyB, %B, %i)
    %toB = cute.partition_d(%copyB, %sB, %i)
    cute.copy(%copyB, %fromB, %toB)
    %pB = cute.partition_b(%mma, %sB, %i)
    %dB = cute.make_fragment_b(%mma, %pB)
    %pE = cute.partition_operand<"E"> (%mma, %E, %i)
    %dE = cute.make_fragment_operand<"E"> (%mma, %pE)
    %moveE = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", ui2>
    %copyE = cute.make_tiled_copy_operand<"E"> (%moveE, %mma)
    %gE = cute.partition_s(%copyE, %E, %i)
    %tE = cute.retile(%copyE, %dE)
    cute.copy(%copyE, %gE, %tE)
    cute.fence_proxy<"async.shared">
    gpu.barrier
    cute.warpgroup_fence(%r, %dA, %dE)
    cute.gemm(%mma, %r, %dA, %dB, %r, %dE)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%r)
    cute.autovec_copy(%r, %pD)
    gpu.return
  }
}
