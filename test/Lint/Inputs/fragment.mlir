gpu.module @products {
  gpu.func @kernel(%A: !cute.tensor<f16, gmem, align<16>, "(64,16):(16,1)">, %C: !cute.tensor<f16, gmem, align<16>, "(64,16):(16,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layoutB = cute.static : !cute.composed_layout<"S<1,3,3> o 0 o (16,(8,2)):(1,(16,128))">
    %sB = cute.alloc_smem<f16, 256> (%layoutB)
    %atom = cute.static : !cute.mma_atom<"SM90_64x16x16_F16F16F16_RS<K,MN>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %tA = cute.partition_a(%mma, %A, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    cute.autovec_copy(%tA, %rA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)
    cute.clear(%rC)
    cute.warpgroup_fence(%rC, %rA)
    cute.gemm(%mma, %rC, %rA, %dB, %rC)
    cute.clear(%rA)
    cute.warpgroup_commit
    cute.clear(%rC)
    cute.warpgroup_wait<0> (%rC)
    cute.clear(%rA)
    cute.autovec_copy(%rC, %tC)
    gpu.return
  }
}
