// Step 5: one tensor-core instruction.
//
//   cutec examples/tutorial/05_mma_atom.mlir --arch=sm_80 -o 05_mma_atom.ptx
//
// C = A * transpose(B) for one 16x8 tile and K = 16: what a warp computes with one
// mma.sync. The instruction wants each element in a certain register of a certain
// thread; the atom has that as layouts, and partitions with them.

!A = !cute.tensor<f16, gmem, align<16>, "(16,16):(16,1)">
!B = !cute.tensor<f16, gmem, align<16>, "(8,16):(16,1)">
!C = !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">

gpu.module @tutorial {
  gpu.func @mma_atom(%A: !A, %B: !B, %C: !C) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx

    // A tiled MMA of one warp.
    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %mma = cute.make_tiled_mma(%atom)

    // What of each matrix this thread has to bring, as ((values), tiles, tiles).
    %tA = cute.partition_a(%mma, %A, %thread)
    %tB = cute.partition_b(%mma, %B, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    %rB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)

    // Two neighbours in K are one 32-bit register of A and B; two neighbours in N
    // are two registers of C, stored together.
    %pair = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %two = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    cute.copy(%pair, %tA, %rA)
    cute.copy(%pair, %tB, %rB)
    cute.clear(%rC)
    cute.gemm(%mma, %rC, %rA, %rB, %rC)
    cute.copy(%two, %rC, %tC)
    gpu.return
  }
}
