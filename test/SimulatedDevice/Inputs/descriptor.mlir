// A product by wgmma in inline PTX, with descriptors that are put together by hand:
// C(64,8) = A(64,64) * B(8,64), which TMA loads with a swizzle of 128 bytes.
!A = !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">
!B = !cute.tensor<f16, gmem, align<16>, "(8,64):(64,1)">
!C = !cute.tensor<f32, gmem, align<4>, "(64,8):(8,1)">
gpu.module @m {
  gpu.func @descriptor(%A: !A, %B: !B, %C: !C) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, cute.grid = ["1"]} {
    %thread = cute.thread_idx
    %c0 = arith.constant 0 : i32
    %rows = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %layout_A = cute.tile_to_shape(%rows, (64,64))
    %layout_B = cute.tile_to_shape(%rows, (8,64))
    %sA = cute.alloc_smem<f16, 1024> (%layout_A)
    %sB = cute.alloc_smem<f16, 1024> (%layout_B)
    %load_A, %mA = cute.make_tma_atom<"SM90_TMA_LOAD"> (%A, %layout_A, (64,64))
    %load_B, %mB = cute.make_tma_atom<"SM90_TMA_LOAD"> (%B, %layout_B, (8,64))
    %gA = cute.local_tile(%mA, (64,64), (0,0))
    %gB = cute.local_tile(%mB, (8,64), (0,0))
    %sA_tile = cute.group_modes<0, 2> (%sA)
    %sB_tile = cute.group_modes<0, 2> (%sB)
    %gA_tile = cute.group_modes<0, 2> (%gA)
    %gB_tile = cute.group_modes<0, 2> (%gB)
    %sA_load, %gA_load = cute.tma_partition(%load_A, %sA_tile, %gA_tile)
    %sB_load, %gB_load = cute.tma_partition(%load_B, %sB_tile, %gB_tile)
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %full = cute.get_iter(%barriers)
    %to_A = cute.with_barrier(%load_A, %full)
    %to_B = cute.with_barrier(%load_B, %full)
    %is_first = arith.cmpi eq, %thread, %c0 : i32
    scf.if %is_first {
      cute.mbarrier_init(%full, 1)
      cute.fence_mbarrier_init
      cute.mbarrier_arrive_expect_tx(%full, 9216)
      cute.copy(%to_A, %gA_load, %sA_load)
      cute.copy(%to_B, %gB_load, %sB_load)
    }
    gpu.barrier
    cute.mbarrier_wait(%full, %c0)

    // Bits 0 to 13 are the address, 16 to 29 the leading offset and 32 to 45 the stride,
    // in units of 16 bytes; from 62 on the swizzle: 1 is the swizzle of 128 bytes.
    %leading_offset = arith.constant 16 : i64
    %stride_offset = arith.constant 1024 : i64
    %swizzle = arith.constant 1 : i64
    %base = arith.constant 0 : i64
    %start = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %c12 = arith.constant 12 : i64
    %c28 = arith.constant 28 : i64
    %c49 = arith.constant 49 : i64
    %c62 = arith.constant 62 : i64
    %leading = arith.shli %leading_offset, %c12 : i64
    %stride = arith.shli %stride_offset, %c28 : i64
    %mode = arith.shli %swizzle, %c62 : i64
    %first_row = arith.shli %base, %c49 : i64
    %m0 = arith.ori %leading, %stride : i64
    %m1 = arith.ori %m0, %mode : i64
    %fields = arith.ori %m1, %first_row : i64
    %pA = cute.to_llvm_ptr(%sA, (0,0)) : (!cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8,8),(64,1)):((64,512),(1,0))">, !cute.coord<"(0,0)">) -> !llvm.ptr<3>
    %pB = cute.to_llvm_ptr(%sB, (0,0)) : (!cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((8,1),(64,1)):((64,0),(1,0))">, !cute.coord<"(0,0)">) -> !llvm.ptr<3>
    %aA = llvm.ptrtoint %pA : !llvm.ptr<3> to i64
    %aB = llvm.ptrtoint %pB : !llvm.ptr<3> to i64
    %window = arith.constant 262143 : i64
    %fA = arith.addi %aA, %start : i64
    %wA = arith.andi %fA, %window : i64
    %wB = arith.andi %aB, %window : i64
    %uA = arith.shrui %wA, %c4 : i64
    %uB = arith.shrui %wB, %c4 : i64
    %dA = arith.ori %uA, %fields : i64
    %dB = arith.ori %uB, %fields : i64
    %sums = llvm.inline_asm has_side_effects
        "wgmma.fence.sync.aligned;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, 0, 1, 1, 0, 0;\0A{\0A.reg .b64 %a, %b;\0Aadd.s64 %a, $4, 2;\0Aadd.s64 %b, $5, 2;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, %a, %b, 1, 1, 1, 0, 0;\0Aadd.s64 %a, $4, 4;\0Aadd.s64 %b, $5, 4;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, %a, %b, 1, 1, 1, 0, 0;\0Aadd.s64 %a, $4, 6;\0Aadd.s64 %b, $5, 6;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, %a, %b, 1, 1, 1, 0, 0;\0A}\0Awgmma.commit_group.sync.aligned;\0Awgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,l,l,~{memory}"
        %dA, %dB : (i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>

    // A thread has two neighbours of a row, and of the row 8 further down.
    %c2 = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %four = arith.constant 4 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %warp = arith.divui %thread, %c32 : i32
    %lane = arith.remui %thread, %c32 : i32
    %row_warp = arith.muli %warp, %c16 : i32
    %row_lane = arith.divui %lane, %four : i32
    %row = arith.addi %row_warp, %row_lane : i32
    %row_8 = arith.addi %row, %c8 : i32
    %pair = arith.remui %lane, %four : i32
    %column = arith.muli %pair, %c2 : i32
    %column_1 = arith.addi %column, %one : i32
    %d0 = llvm.extractvalue %sums[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %sums[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %sums[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %sums[3] : !llvm.struct<(f32, f32, f32, f32)>
    %x0 = arith.addf %d0, %zero : f32
    cute.store(%x0, %C, (%row,%column))
    %x1 = arith.addf %d1, %zero : f32
    cute.store(%x1, %C, (%row,%column_1))
    %x2 = arith.addf %d2, %zero : f32
    cute.store(%x2, %C, (%row_8,%column))
    %x3 = arith.addf %d3, %zero : f32
    cute.store(%x3, %C, (%row_8,%column_1))
    gpu.return
  }
}
