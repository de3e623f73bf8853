// What ptxas says of products whose registers nobody fenced is a warning, at the
// innermost loop around them or, without one, at the product.
// REQUIRES: ptxas
// RUN: cutec %s --arch=sm_90a --emit=cubin -o %t.cubin 2>&1 | FileCheck %s

// CHECK: wgmma_serialized.mlir:[[@LINE+37]]:5: warning: ptxas: (C7519) {{.*}} in function 'small'
// CHECK-NEXT: cute.gemm(

gpu.module @m {
  gpu.func @small(%A: !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">, %B: !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(64,64):(64,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %tid = gpu.thread_id x
    %thread = arith.index_cast %tid : index to i32
    %atom_layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %shape = cute.static : !cute.shape<"(64,64)">
    %layout = cute.tile_to_shape(%atom_layout, %shape)
    %sA = cute.alloc_smem<f16, 1024> (%layout)
    %sB = cute.alloc_smem<f16, 1024> (%layout)

    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(16,8):(8,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %copy = cute.make_tiled_copy(%vector, %threads, %values)
    %gA_t = cute.partition_s(%copy, %A, %thread)
    %gB_t = cute.partition_s(%copy, %B, %thread)
    %sA_t = cute.partition_d(%copy, %sA, %thread)
    %sB_t = cute.partition_d(%copy, %sB, %thread)
    cute.copy(%copy, %gA_t, %sA_t)
    cute.copy(%copy, %gB_t, %sB_t)
    cute.fence_proxy<"async.shared">
    gpu.barrier

    %mma_atom = cute.static : !cute.mma_atom<"SM90_64x64x16_F32F16F16_SS<K,K>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%mma_atom, %one)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %dA = cute.make_fragment_a(%mma, %tA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)
    %first = arith.constant false
    cute.gemm(%mma, %rC, %dA, %dB, %rC, %first)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%rC)
    cute.autovec_copy(%rC, %tC)
    gpu.return
  }
}
