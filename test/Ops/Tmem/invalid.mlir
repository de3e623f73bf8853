// Tensor memory that cannot be allocated, moved or accessed so.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @columns(%slot: !cute.ptr<i32, smem, align<4>>) {
  // expected-error @+1 {{attribute 'columns' is 32, 64, 128, 256 or 512, not 96}}
  cute.tmem_alloc<96, 1> (%slot)
  return
}

// -----

func.func @too_many(%p: !cute.ptr<f32, tmem, align<16>>) {
  // expected-error @+1 {{or 512, not 1024}}
  cute.tmem_dealloc<1024, 1> (%p)
  return
}

// -----

func.func @ctas(%slot: !cute.ptr<i32, smem, align<4>>) {
  // expected-error @+1 {{attribute 'ctas' is 1 or 2, not 3}}
  cute.tmem_alloc<128, 3> (%slot)
  return
}

// -----

func.func @no_ctas() {
  // expected-error @+1 {{attribute 'ctas' is 1 or 2, not 0}}
  cute.tmem_relinquish<0>
  return
}

// -----

func.func @slot(%slot: !cute.ptr<f32, smem, align<4>>) {
  // expected-error @+1 {{the address is written to an i32 in smem, not to !cute.ptr<f32, smem, align<4>>}}
  cute.tmem_alloc<128, 1> (%slot)
  return
}

// -----

func.func @freed(%p: !cute.ptr<f32, smem, align<16>>) {
  // expected-error @+1 {{the pointer must be in tmem, not in smem}}
  cute.tmem_dealloc<128, 1> (%p)
  return
}

// -----

func.func @shifted(%p: !cute.ptr<f32, gmem, align<16>>) {
  // expected-error @+1 {{the pointer must be in tmem, not in gmem}}
  cute.tmem_shift<1> (%p)
  return
}

// -----

func.func @barrier(%p: !cute.ptr<i32, smem, align<4>>) {
  // expected-error @+1 {{a barrier is an i64 in smem, aligned to 8 bytes}}
  cute.tcgen05_commit<1> (%p)
  return
}

// -----

func.func @wait() {
  // expected-error @+1 {{attribute 'kind' is "ld" or "st", not "all"}}
  cute.tmem_wait<"all"> ()
  return
}

// -----

func.func @stored(%r: !cute.tensor<f32, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{only loads fill registers: a wait of kind "st" has no operands}}
  cute.tmem_wait<"st"> (%r)
  return
}

// -----

func.func @loaded(%r: !cute.tensor<f32, smem, align<16>, "8:1">) {
  // expected-error @+1 {{the tensor must be in rmem, in at most 192 whole registers of 32 bits}}
  cute.tmem_wait<"ld"> (%r)
  return
}

// -----

func.func @fence() {
  // expected-error @+1 {{attribute 'kind' is "before" or "after", not "both"}}
  cute.tcgen05_fence<"both">
  return
}

// -----

func.func @not_tmem(%t: !cute.tensor<f32, smem, align<16>, "(128,64):(64,1)">) {
  %a = cute.static : !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b8x", f32>
  // expected-error @+1 {{the tensor must be in tmem, not in smem}}
  %c = cute.make_tmem_copy(%a, %t)
  return
}

// -----

func.func @not_for_tmem(%t: !cute.tensor<f32, tmem, align<16>, "(128,64):(65536,1)">) {
  %a = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f32>
  // expected-error @+1 {{SM75_U32x4_LDSM_N does not move tensor memory by warps; valid are SM100_TMEM_LOAD and SM100_TMEM_STORE}}
  %c = cute.make_tmem_copy(%a, %t)
  return
}

// -----

func.func @plain_load(%t: !cute.tensor<f32, tmem, align<16>, "(128,64):(65536,1)">) {
  // expected-error @+1 {{is in tensor memory, which only gemm and copy access}}
  %x = cute.load(%t, (0,0))
  return
}

// -----

func.func @plain_copy(%t: !cute.tensor<f32, tmem, align<16>, "(8):(1)">, %r: !cute.tensor<f32, rmem, align<16>, "(8):(1)">) {
  // expected-error @+1 {{is in tensor memory, which only gemm and copy access}}
  cute.autovec_copy(%t, %r)
  return
}

// -----

func.func @place(%t: !cute.tensor<f32, tmem, align<16>, "(256):(1)">, %r: !cute.tensor<f32, rmem, align<16>, "(8):(1)">) {
  %a = cute.static : !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b8x", f32>
  // expected-error @+1 {{needs mode 0 to match the instruction, (8,32):(1,65536) in elements; partition it by make_tmem_copy}}
  cute.copy_atom_call(%a, %t, %r)
  return
}

// -----

func.func @pitch(%c: !cute.tensor<f32, rmem, align<16>, "((128,128),1,1):((1,128),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "((128,16),1,1):((64,1),0,0)">) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
  // expected-error @+1 {{operand D of SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K> must be a tensor in tmem of f32 whose mode 0 is (128,128):(65536,1), as fragments have it, not}}
  cute.gemm(%mma, %c, %a, %a, %c)
  return
}

// -----

// expected-error @+1 {{MMA atom SM100_MMA_F16BF16_SS<half_t,half_t,float,128,300,K,K>: N is a multiple of 8 up to 256, not 300}}
func.func private @family(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,300,K,K>">)

// -----

func.func @needs_wide_tiles(%m: !cute.tiled_mma<"SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,64,32,MN,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<tf32, smem, align<1024>, "S<3,2,3> o 0 o (((32,2),8),1,1):(((1,256),32),0,0)">) {
  // expected-error @+1 {{reads A in smem in a layout that repeats Layout_MN_SW128_32B_Atom (tile_to_shape of it); the part S<3,2,3> o 0 o (((32,2),8),1,1):(((1,256),32),0,0) is not}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @takes_no_wide_tiles(%m: !cute.tiled_mma<"SM100_MMA_F16BF16_SS<half_t,half_t,float,64,32,MN,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "S<2,4,2> o 0 o ((64,16),1,1):((1,64),0,0)">) {
  // expected-error @+1 {{in a layout that repeats Layout_MN_SW128_Atom, or of a sibling}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @no_atom_mode(%a: !cute.tensor<f8E4M3FN, smem, align<128>, "(32,16,4):(16,1,0)">, %b: !cute.tensor<f8E4M3FN, tmem, align<16>, "(32,16,4):(262144,1,8388608)">) {
  %cp = cute.static : !cute.copy_atom<"SM100_UTCCP_4x32dp128bit_1cta", f8E4M3FN>
  // expected-error @+1 {{needs 2048 values per thread in mode 0 or in its first parts}}
  cute.copy(%cp, %a, %b)
  return
}

// -----

func.func @reduces_by_another_shape(%c: !cute.copy_atom<"SM100_TMEM_LOAD_16dp64b2x", f32>, %s: !cute.tensor<f32, tmem, align<16>, "((4,16)):((1,65536))">, %d: !cute.tensor<f32, rmem, align<16>, "(2):(1)">) {
  // expected-error @+1 {{SM100_TMEM_LOAD_16dp64b2x does not compare what it loads; valid are SM100_TMEM_LOAD_32dp32b2x to 128x and 16dp32b2x to 128x}}
  %v = cute.tmem_load_reduce<"max"> (%c, %s, %d)
  return
}

// -----

func.func @magnitudes_of_integers(%c: !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b2x", i32>, %s: !cute.tensor<i32, tmem, align<16>, "((2,32)):((1,65536))">, %d: !cute.tensor<i32, rmem, align<16>, "(2):(1)">) {
  // expected-error @+1 {{magnitudes and NaN need elements of f32, not i32}}
  %v = cute.tmem_load_reduce<"max.abs"> (%c, %s, %d)
  return
}

// -----

func.func @compares_nothing(%c: !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b2x", f16>, %s: !cute.tensor<f16, tmem, align<16>, "((4,32)):((1,131072))">, %d: !cute.tensor<f16, rmem, align<16>, "(4):(1)">) {
  // expected-error @+1 {{values need elements of f32, i32 or ui32, not f16}}
  %v = cute.tmem_load_reduce<"min"> (%c, %s, %d)
  return
}

// -----

func.func @lanes_of_another_number(%c: !cute.tensor<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "((128,16),1,1):((64,1),0,0)">, %lanes: vector<8xi32>) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
  // expected-error @+1 {{the lanes of D that SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K> leaves out must be a vector<4xi32>, a bit for each lane of D, not a vector<8xi32>}}
  cute.gemm(%mma, %c, %a, %a, %c, %lanes)
  return
}

// -----

func.func @lanes_of_one_block(%c: !cute.tensor<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "((128,16),1,1):((64,1),0,0)">, %lanes: vector<4xi32>, %adds: i1) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,256,128,K,K>">)
  // expected-error @+1 {{leaves out must be a vector<8xi32>, a bit for each lane of both blocks, not a vector<4xi32>}}
  cute.gemm(%mma, %c, %a, %a, %c, %adds, %lanes)
  return
}

// -----

func.func @lanes_of_another_type(%c: !cute.tensor<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "((128,16),1,1):((64,1),0,0)">, %lanes: vector<4xf32>) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
  // expected-error @+1 {{must be a vector<4xi32>, a bit for each lane of D, not a vector<4xf32>}}
  cute.gemm(%mma, %c, %a, %a, %c, %lanes)
  return
}

// -----

func.func @lanes_before_the_condition(%c: !cute.tensor<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "((128,16),1,1):((64,1),0,0)">, %lanes: vector<4xi32>, %adds: i1) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,K,K>">)
  // expected-error @+1 {{the operand that says whether to add C must be an i1, before the lanes that are left out}}
  cute.gemm(%mma, %c, %a, %a, %c, %lanes, %adds)
  return
}

// -----

func.func @all_lanes_that_keep_B(%c: !cute.tensor<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "((128,16),1,1):((64,1),0,0)">, %lanes: vector<4xi32>) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM100_MMA_F16BF16_WS_SS<half_t,half_t,float,128,128,K,K>">)
  // expected-error @+1 {{SM100_MMA_F16BF16_WS_SS<half_t,half_t,float,128,128,K,K> writes all lanes of D; only atoms of tcgen05.mma without factors, but _WS, leave some out}}
  cute.gemm(%mma, %c, %a, %a, %c, %lanes)
  return
}

// -----

func.func @all_lanes_of_warps(%c: !cute.tensor<f32, rmem, align<16>, "((2,2)):((1,2))">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2)):((1,2))">, %lanes: vector<4xi32>) {
  %mma = cute.make_tiled_mma(!cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">)
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN writes all lanes of D;}}
  cute.gemm(%mma, %c, %a, %b, %c, %lanes)
  return
}
