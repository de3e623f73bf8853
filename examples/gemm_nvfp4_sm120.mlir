// C = A B^T on Blackwell GPUs without tensor memory (GeForce RTX 50, RTX PRO, DGX Spark) of 4-bit
// floats (e2m1) with a scale factor (e4m3 without a sign) for 16 of them along K: nvfp4.
// cp.async brings tiles of 128 x 256 to two stages, ldmatrix takes them to registers, and
// mma.sync multiplies them with the factors, a word of four for 64 elements of a row.
//
//   cutec examples/gemm_nvfp4_sm120.mlir --arch=sm_120a -o gemm_nvfp4_sm120.ptx
//
// M and N are multiples of 128, K of 256. Factors lie as for gemm_nvfp4_sm100.mlir.
!matrix = !cute.tensor<f4E2M1FN, gmem, align<16>, "(?{div=128},?{div=256}):(?{i64 div=256},1)">
!result = !cute.tensor<f32, gmem, align<16>, "(?{div=128},?{div=128}):(?{i64 div=4},1)">
!factors = !cute.tensor<f8E4M3FN, gmem, align<16>, "((32,4,4),?{div=4},?):((16,4,1),512,?{i64 div=2048})">

gpu.module @blackwell_warps {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !result, %SFA: !factors, %SFB: !factors) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %layout = cute.tile_to_shape(S<3,5,3> o 0 o (8,256):(256,1), (128,256,2))
    %sA = cute.alloc_smem<f4E2M1FN, 128> (%layout)
    %sB = cute.alloc_smem<f4E2M1FN, 128> (%layout)
    %sSFA = cute.alloc_smem<f8E4M3FN, 128> ((16,128,2):(1,16,2048))
    %sSFB = cute.alloc_smem<f8E4M3FN, 128> ((16,128,2):(1,16,2048))
    %gA = cute.local_tile(%A, (128,256), (%bm,_))
    %gB = cute.local_tile(%B, (128,256), (%bn,_))
    %gC = cute.local_tile(%C, (128,128), (%bm,%bn))

    //===-- Loads: two 4-bit floats are a byte ------------------------------===//

    %load = cute.make_tiled_copy(!cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", i8>, (32,8):(8,1), (1,16):(16,1))
    %bytes_gA = cute.recast_tensor<i8> (%gA)
    %bytes_gB = cute.recast_tensor<i8> (%gB)
    %bytes_sA = cute.recast_tensor<i8> (%sA)
    %bytes_sB = cute.recast_tensor<i8> (%sB)
    %from_A = cute.partition_s(%load, %bytes_gA, %thread)
    %from_B = cute.partition_s(%load, %bytes_gB, %thread)
    %to_A = cute.partition_d(%load, %bytes_sA, %thread)
    %to_B = cute.partition_d(%load, %bytes_sB, %thread)
    %run = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f8E4M3FN>
    %piece = %thread & 127

    //===-- Products: 4 x 2 warps, each of 32 x 64 --------------------------===//

    %atom = cute.static : !cute.mma_atom<"SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>">
    %mma = cute.make_tiled_mma(%atom, (4,2,1):(1,4,0), (64,32,_))
    %tC = cute.partition_c(%mma, %gC, %thread)
    %rC = cute.make_fragment_c(%mma, %tC)
    %rA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA[_,_,0], %thread))
    %rB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB[_,_,0], %thread))
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f4E2M1FN>
    %take_A = cute.make_tiled_copy_a(%ldsm, %mma)
    %take_B = cute.make_tiled_copy_b(%ldsm, %mma)
    %near_A = cute.partition_s(%take_A, %sA, %thread)
    %near_B = cute.partition_s(%take_B, %sB, %thread)
    %rA_write = cute.retile(%take_A, %rA)
    %rB_write = cute.retile(%take_B, %rB)

    // (row, factor, stage); a copy takes the four factors of an instruction.
    %rows_SFA = cute.make_tensor(cute.get_iter(%sSFA), ((32,4),(4,4),2):((16,4),(1,512),2048))
    %rows_SFB = cute.make_tensor(cute.get_iter(%sSFB), ((32,4),(4,4),2):((16,4),(1,512),2048))
    %near_SFA = cute.partition_operand<"SFA"> (%mma, %rows_SFA, %thread)
    %near_SFB = cute.partition_operand<"SFB"> (%mma, %rows_SFB, %thread)
    %rSFA = cute.make_fragment_operand<"SFA"> (%mma, %near_SFA[_,_,_,0])
    %rSFB = cute.make_fragment_operand<"SFB"> (%mma, %near_SFB[_,_,_,0])
    %word = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f8E4M3FN>

    cute.clear(%rC)
    %tiles = cute.size<[2]>(%gA)
    for %k in 0..(%tiles + 1) {
      if %k <u %tiles {
        %stage = %k & 1
        cute.copy(%load, %from_A[_,_,_,%k], %to_A[_,_,_,%stage])
        cute.copy(%load, %from_B[_,_,_,%k], %to_B[_,_,_,%stage])
        if %thread <u 128 {
          %at = cute.get_iter(cute.domain_offset((0,%k * 4,%bm), %SFA))
          %from = cute.make_tensor(%at, (16,128):(1,16))
          cute.copy_atom_call(%run, %from[_,%piece], %sSFA[_,%piece,%stage])
        } else {
          %at = cute.get_iter(cute.domain_offset((0,%k * 4,%bn), %SFB))
          %from = cute.make_tensor(%at, (16,128):(1,16))
          cute.copy_atom_call(%run, %from[_,%piece], %sSFB[_,%piece,%stage])
        }
      }
      cute.cp_async_commit
      if %k != 0 {
        %stage = %k - 1 & 1
        cute.cp_async_wait<1>
        gpu.barrier
        cute.copy(%take_A, %near_A[_,_,_,%stage], %rA_write)
        cute.copy(%take_B, %near_B[_,_,_,%stage], %rB_write)
        cute.copy(%word, %near_SFA[_,_,_,%stage], %rSFA)
        cute.copy(%word, %near_SFB[_,_,_,%stage], %rSFB)
        cute.gemm(%mma, %rC, %rA, %rB, %rC, %rSFA, %rSFB)
        gpu.barrier // the next loads overwrite this stage
      }
    } {cute.unroll = "none"}
    cute.autovec_copy(%rC, %tC)
    gpu.return
  }
}
