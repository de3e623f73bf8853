// The fragments of A that mma.sync m16n8k16 takes of a 64x64 tile of f16, for two
// warps: ldmatrix of a swizzled tile. B(value,m,k,thread) is what ldmatrix (m,k) gave
// to the thread.
!A = !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">
!B = !cute.tensor<f16, gmem, align<16>, "(8,2,4,64):(1,512,1024,8)">

gpu.module @addresses {
  gpu.func @ldmatrix(%A: !A, %B: !B) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, cute.grid = ["1"]} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %s_layout = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (64,64):(64,1)">
    %sA = cute.alloc_smem<f16, 128> (%s_layout)
    %vector = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %threads = cute.static : !cute.layout<"(8,8):(8,1)">
    %values = cute.static : !cute.layout<"(1,8):(0,1)">
    %g2s = cute.make_tiled_copy(%vector, %threads, %values)
    %A_read = cute.partition_s(%g2s, %A, %thread)
    %sA_write = cute.partition_d(%g2s, %sA, %thread)
    cute.copy(%g2s, %A_read, %sA_write)
    gpu.barrier

    %atom = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
    %warps = cute.static : !cute.layout<"(2,1,1):(1,0,0)">
    %mma = cute.make_tiled_mma(%atom, %warps)
    %ldsm = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %s2r = cute.make_tiled_copy_a(%ldsm, %mma)
    %sA_read = cute.partition_s(%s2r, %sA, %thread)
    %r = cute.make_fragment_like(%sA_read)
    cute.copy(%s2r, %sA_read, %r)
    %mine = cute.make_coord(%thread) : (i32) -> !cute.coord<"(_,_,_,?)">
    %B_write = cute.slice(%B, %mine)
    cute.autovec_copy(%r, %B_write)
    gpu.return
  }
}
