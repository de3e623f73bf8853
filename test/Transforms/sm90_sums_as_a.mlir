// A product takes another one's sums as its A, since m16n8k8 divides both among threads in
// the same way. wgmma does not, and would multiply other elements.
// RUN: cute-opt %s --cute-sm90=arch=sm_90a -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: mma.sync and cp.async on sm_90a: 'cute.gemm' multiplies sums of another product as they are divided among threads, which wgmma does otherwise; where threads compute A, give each warp 16 rows

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">
!mma_atom = !cute.mma_atom<"SM80_16x8x8_F32F16F16F32_TN">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
gpu.module @sums {
  gpu.func @sums(%K: !matrix, %V: !matrix, %O: !cute.tensor<f32, gmem, align<8>, "(128,64):(64,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx
    %sK = cute.alloc_smem<f16, 128> ((128,64):(64,1))
    %sV = cute.alloc_smem<f16, 128> ((128,64):(64,1))
    %sVt = cute.select<[1, 0]> (%sV)
    %mma = cute.make_tiled_mma(!mma_atom, (4,1,1):(1,0,0), (64,8,8))
    %tK = cute.partition_a(%mma, %sK, %thread)
    %tKb = cute.partition_b(%mma, %sK, %thread)
    %tV = cute.partition_b(%mma, %sVt, %thread)
    %rK = cute.make_fragment_a(%mma, %tK)
    %rKb = cute.make_fragment_b(%mma, %tKb)
    %rV = cute.make_fragment_b(%mma, %tV)
    %rS = cute.make_fragment<f32> (cute.partition_shape_c(%mma, (128,128)))
    %rO = cute.make_fragment<f32> (cute.partition_shape_c(%mma, (128,64)))
    %rP = cute.make_fragment_like<f16> (%rS)
    %g2s = cute.make_tiled_copy(!async, (16,8):(8,1), (1,8):(0,1))
    %sK_write = cute.partition_d(%g2s, %sK, %thread)
    %sV_write = cute.partition_d(%g2s, %sV, %thread)
    %M, %ld = cute.get_scalars<{only_dynamic}> (cute.get_layout(%K))
    cute.clear(%rO)
    %n = %M ceildivu 128
    for %i in 0..%n {
      %gK, %pK = cute.predicated_tile_s(%g2s, %K, (128,64), (%i,0), %thread)
      %gV, %pV = cute.predicated_tile_s(%g2s, %V, (128,64), (%i,0), %thread)
      cute.copy(%g2s, %gK, %sK_write, %pK)
      cute.copy(%g2s, %gV, %sV_write, %pV)
      cute.cp_async_commit
      cute.cp_async_wait<0>
      gpu.barrier
      cute.autovec_copy(%tK, %rK)
      cute.autovec_copy(%tKb, %rKb)
      cute.autovec_copy(%tV, %rV)
      cute.clear(%rS)
      cute.gemm(%mma, %rS, %rK, %rKb, %rS)
      cute.convert(%rS, %rP)
      cute.gemm(%mma, %rO, %rP, %rV, %rO)
      gpu.barrier
    }
    cute.autovec_copy(%rO, cute.partition_c(%mma, %O, %thread))
    gpu.return
  }
}
