// C = A B^T on Blackwell of 4-bit floats (e2m1) with a scale factor (e4m3 without a sign) for
// 16 of them along K: nvfp4. tcgen05.cp brings the factors to tensor memory, where
// tcgen05.mma takes them. One tile of 128 x 128 a block and one stage of 256 along K, which
// the threads load by cp.async.
//
//   cutec examples/gemm_nvfp4_sm100.mlir --arch=sm_100a -o gemm_nvfp4_sm100.ptx
//
// M and N are multiples of 128, K of 256. Factors lie as cuBLAS and CUTLASS have them: 512
// bytes for 128 rows and 64 elements of K, row r at 16 (r mod 32) + 4 (r / 32), and its four
// factors side by side; tiles along K come first.
!matrix = !cute.tensor<f4E2M1FN, gmem, align<16>, "(?{div=128},?{div=256}):(?{i64 div=256},1)">
!result = !cute.tensor<f32, gmem, align<16>, "(?{div=128},?{div=128}):(?{i64 div=4},1)">
!factors = !cute.tensor<f8E4M3FN, gmem, align<16>, "((32,4,4),?{div=4},?):((16,4,1),512,?{i64 div=2048})">

gpu.module @blackwell {
  gpu.func @gemm(%A: !matrix, %B: !matrix, %C: !result, %SFA: !factors, %SFB: !factors) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  cute.grid = ["ceil_div(arg2.shape[0], 128)",
                               "ceil_div(arg2.shape[1], 128)"]} {
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %layout = cute.tile_to_shape(S<3,5,3> o 0 o (8,256):(256,1), (128,256))
    %sA = cute.alloc_smem<f4E2M1FN, 1024> (%layout)
    %sB = cute.alloc_smem<f4E2M1FN, 1024> (%layout)
    %sSFA = cute.alloc_smem<f8E4M3FN, 128> ((16,128):(1,16))
    %sSFB = cute.alloc_smem<f8E4M3FN, 128> ((16,128):(1,16))
    %gA = cute.local_tile(%A, (128,256), (%bm,_))
    %gB = cute.local_tile(%B, (128,256), (%bn,_))
    %gC = cute.local_tile(%C, (128,128), (%bm,%bn))

    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %done = cute.get_iter(%barriers)
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    %is_first = %thread == 0
    %is_warp0 = %thread <u 32
    if %is_first {
      cute.mbarrier_init(%done, 1)
      cute.fence_mbarrier_init
    }
    if %is_warp0 {
      cute.tmem_alloc<256, 1> (%slot)
      cute.tmem_relinquish<1>
    }
    gpu.barrier
    %address = cute.load(%slots, 0)
    %tmem = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %bytes = cute.make_ptr(%address) : (i32) -> !cute.ptr<f8E4M3FN, tmem, align<16>>
    %place_SFA = cute.add_offset(%bytes, 512) // behind 128 columns of sums
    %place_SFB = cute.add_offset(%bytes, 576)

    // Two 4-bit floats are a byte for the copies.
    %load = cute.make_tiled_copy(!cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", i8>, (16,8):(8,1), (1,16):(16,1))
    %bytes_gA = cute.recast_tensor<i8> (%gA)
    %bytes_gB = cute.recast_tensor<i8> (%gB)
    %bytes_sA = cute.recast_tensor<i8> (%sA)
    %bytes_sB = cute.recast_tensor<i8> (%sB)
    %from_A = cute.partition_s(%load, %bytes_gA, %thread)
    %from_B = cute.partition_s(%load, %bytes_gB, %thread)
    %to_A = cute.partition_d(%load, %bytes_sA, %thread)
    %to_B = cute.partition_d(%load, %bytes_sB, %thread)
    %run = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f8E4M3FN>

    // Four times 512 bytes of factors, each to the four quarters of the lanes.
    %cp = cute.static : !cute.copy_atom<"SM100_UTCCP_4x32dp128bit_1cta", f8E4M3FN>
    %start_SFA = cute.get_iter(%sSFA)
    %start_SFB = cute.get_iter(%sSFB)
    %rows_SFA = cute.make_tensor(%start_SFA, ((32,16,4),4):((16,1,0),512))
    %rows_SFB = cute.make_tensor(%start_SFB, ((32,16,4),4):((16,1,0),512))
    %lanes_SFA = cute.make_tensor(%place_SFA, ((32,16,4),4):((262144,1,8388608),16))
    %lanes_SFB = cute.make_tensor(%place_SFB, ((32,16,4),4):((262144,1,8388608),16))

    %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_MXF4_SS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,128,16,K,K>">)
    %tC = cute.partition_c(%mma, %gC, 0)
    %dA = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sA, 0))
    %dB = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sB, 0))
    %fC = cute.make_fragment_c(%mma, %tC)
    %tile_SFA = cute.make_tensor(%start_SFA, ((32,4),(4,4)):((16,4),(1,512)))
    %tile_SFB = cute.make_tensor(%start_SFB, ((32,4),(4,4)):((16,4),(1,512)))
    %tSFA = cute.partition_operand<"SFA"> (%mma, %tile_SFA, 0)
    %tSFB = cute.partition_operand<"SFB"> (%mma, %tile_SFB, 0)
    %fSFA = cute.make_fragment_operand<"SFA"> (%mma, %tSFA)
    %fSFB = cute.make_fragment_operand<"SFB"> (%mma, %tSFB)
    %acc = cute.make_tensor(%tmem, cute.get_layout(%fC))
    %uSFA = cute.make_tensor(%place_SFA, cute.get_layout(%fSFA))
    %uSFB = cute.make_tensor(%place_SFB, cute.get_layout(%fSFB))

    for %k in 0..cute.size<[2]>(%gA) {
      cute.copy(%load, %from_A[_,_,_,%k], %to_A)
      cute.copy(%load, %from_B[_,_,_,%k], %to_B)
      %block = %k * 4
      %at_SFA = cute.get_iter(cute.domain_offset((0,%block,%bm), %SFA))
      %at_SFB = cute.get_iter(cute.domain_offset((0,%block,%bn), %SFB))
      %run_SFA = cute.make_tensor(%at_SFA, (16,128):(1,16))
      %run_SFB = cute.make_tensor(%at_SFB, (16,128):(1,16))
      cute.copy_atom_call(%run, %run_SFA[_,%thread], %sSFA[_,%thread])
      cute.copy_atom_call(%run, %run_SFB[_,%thread], %sSFB[_,%thread])
      cute.cp_async_wait_all
      cute.fence_proxy<"async.shared">
      gpu.barrier
      %phase = %k & 1
      if %is_first {
        %adds = %k != 0
        cute.copy(%cp, %rows_SFA, %lanes_SFA)
        cute.copy(%cp, %rows_SFB, %lanes_SFB)
        cute.gemm(%mma, %acc, %dA, %dB, %acc, %uSFA, %uSFB, %adds)
        cute.tcgen05_commit<1> (%done)
      }
      cute.mbarrier_wait(%done, %phase)
      gpu.barrier // none waits for this phase when the next one ends
    }
    cute.tcgen05_fence<"after">

    %copy = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f32>, %acc[_,0,0])
    %tAcc = cute.partition_s(%copy, %acc[_,0,0], %thread)
    %gOut = cute.partition_d(%copy, %tC[_,0,0], %thread)
    %r = cute.make_fragment_like(%gOut)
    cute.copy(%copy, %tAcc, %r)
    cute.tmem_wait<"ld"> (%r)
    cute.autovec_copy(%r, %gOut)
    cute.tcgen05_fence<"before">
    gpu.barrier
    if %is_warp0 {
      cute.tmem_dealloc<256, 1> (%tmem)
    }
    gpu.return
  }
}
