// What tiled copies and their atoms reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{no copy atom is named 'SM99_COPY'}}
func.func private @unknown_atom(!cute.copy_atom<"SM99_COPY", f16>)

// -----

// expected-error @+1 {{no copy atom is named 'UniversalCopy'}}
func.func private @ambiguous_atom(!cute.copy_atom<"UniversalCopy", f16>)

// -----

// expected-error @+1 {{UniversalCopy<uint32_t> moves 32 bits, which is not a whole number of f64 elements}}
func.func private @part_of_element(!cute.copy_atom<"UniversalCopy<uint32_t>", f64>)

// -----

func.func @uneven_values(%t: !cute.layout<"32:1">, %v: !cute.layout<"6:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // expected-error @+1 {{the 6 values of the TV layout must be a multiple of the atom's 4}}
  %c = cute.make_tiled_copy(%a, %t, %v)
  return
}

// -----

func.func @uneven_threads(%t: !cute.layout<"48:1">, %v: !cute.layout<"2:1">) {
  %a = cute.static : !cute.copy_atom<"SM75_U32x1_LDSM_N", f16>
  // expected-error @+1 {{the 48 threads of the TV layout must be a multiple of the atom's 32}}
  %c = cute.make_tiled_copy(%a, %t, %v)
  return
}

// -----

func.func @dynamic_threads(%t: !cute.layout<"?:1">, %v: !cute.layout<"2:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
  // expected-error @+1 {{the left layout must be static, not ?:1}}
  %c = cute.make_tiled_copy(%a, %t, %v)
  return
}

// -----

// cp.async goes from global to shared memory only.
func.func @async_from_smem(%s: !cute.tensor<f16, smem, align<16>, "8:1">, %d: !cute.tensor<f16, smem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{source of SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> must be in gmem}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @async_to_rmem(%s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{destination of SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> must be in smem}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @async_alignment(%s: !cute.tensor<f16, gmem, align<8>, "8:1">, %d: !cute.tensor<f16, smem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{source of SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> needs 8 f16 elements side by side, aligned to 16 bytes, not !cute.tensor<f16, gmem, align<8>, "8:1">: mode 0 of its layout is 8:1, but it is aligned to 8 bytes; align<16> and ?{div=8} in dynamic strides promise that, in the type of the whole tensor or by cute.assume; otherwise take an atom of fewer bits}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @async_destination_alignment(%s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, smem, align<8>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{destination of SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> needs 8 f16 elements side by side, aligned to 16 bytes}}
  cute.copy(%a, %s, %d)
  return
}

// -----

// Rows of 12 elements, 24 bytes, do not all begin at multiples of 16 bytes.
func.func @async_pitch(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,12)">, %d: !cute.tensor<f16, smem, align<16>, "(8,4):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{mode 0 of its layout is 8:1, but the strides of the other modes are not all multiples of 8}}
  cute.copy(%a, %s, %d)
  return
}

// -----

// Nothing is known of a dynamic pitch without a divisor.
func.func @dynamic_pitch(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">, %d: !cute.tensor<f16, smem, align<16>, "(8,4):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{mode 0 of its layout is 8:1, but the strides of the other modes are not all multiples of 8}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @strided_vector(%s: !cute.tensor<f32, gmem, align<16>, "4:2">, %d: !cute.tensor<f32, rmem, align<16>, "4:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
  // expected-error @+1 {{source of UniversalCopy<uint128_t> needs 4 f32 elements side by side, aligned to 16 bytes, not !cute.tensor<f32, gmem, align<16>, "4:2">: mode 0 of its layout is 4:2, contiguous for 1}}
  cute.copy(%a, %s, %d)
  return
}

// -----

// The swizzle permutes single elements, so pairs are not side by side.
func.func @swizzled_vector(%s: !cute.tensor<f16, smem, align<16>, "S<2,0,3> o 0 o (2,16):(1,2)">, %d: !cute.tensor<f16, rmem, align<16>, "(2,16):(1,2)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
  // expected-error @+1 {{mode 0 of its layout is 2:1, but the swizzle keeps 1 together}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @ldmatrix_from_gmem(%s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, rmem, align<16>, "2:1">) {
  %a = cute.static : !cute.copy_atom<"SM75_U32x1_LDSM_N", f16>
  // expected-error @+1 {{source of SM75_U32x1_LDSM_N must be in smem}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @ldmatrix_to_smem(%s: !cute.tensor<f16, smem, align<16>, "8:1">, %d: !cute.tensor<f16, smem, align<16>, "2:1">) {
  %a = cute.static : !cute.copy_atom<"SM75_U32x1_LDSM_N", f16>
  // expected-error @+1 {{destination of SM75_U32x1_LDSM_N must be in rmem}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

// ldmatrix reads rows of 16 bytes at multiples of 16 bytes.
func.func @ldmatrix_alignment(%s: !cute.tensor<f16, smem, align<4>, "8:1">, %d: !cute.tensor<f16, rmem, align<16>, "2:1">) {
  %a = cute.static : !cute.copy_atom<"SM75_U32x1_LDSM_N", f16>
  // expected-error @+1 {{source of SM75_U32x1_LDSM_N needs 8 f16 elements side by side, aligned to 16 bytes}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @element_size(%s: !cute.tensor<f32, gmem, align<16>, "4:1">, %d: !cute.tensor<f16, rmem, align<16>, "4:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
  // expected-error @+1 {{destination of UniversalCopy<uint32_t> must have elements of 32 bits}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @copy_a_for_atom(%a: !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, %m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{operand #1 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %c = cute.make_tiled_copy_a(%a, %m)
  return
}

// -----

func.func @copy_operand_of_dense(%a: !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>, %m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">) {
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN has no operand 'E'; it has A, B, C}}
  %c = cute.make_tiled_copy_operand<"E"> (%a, %m)
  return
}

// -----

func.func @copy_b_for_atom(%a: !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, %m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{operand #1 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %c = cute.make_tiled_copy_b(%a, %m)
  return
}

// -----

func.func @copy_c_for_atom(%a: !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>, %m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{operand #1 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %c = cute.make_tiled_copy_c(%a, %m)
  return
}

// -----

func.func @commit_operand(%i: i32) {
  // expected-error @+1 {{expected 0 operands}}
  "cute.cp_async_commit"(%i) : (i32) -> ()
  return
}

// -----

func.func @wait_all_operand(%i: i32) {
  // expected-error @+1 {{expected 0 operands}}
  "cute.cp_async_wait_all"(%i) : (i32) -> ()
  return
}

// -----

func.func @threads_and_tile(%t: !cute.layout<"32:1">, %v: !cute.tile<"[64:1]">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // expected-error @+1 {{operand #2 (values) must be layout, not !cute.tile<"[64:1]">}}
  %c = cute.make_tiled_copy_tv(%a, %t, %v)
  return
}

// -----

func.func @outside_tile(%l: !cute.layout<"(32,4):(4,1)">, %t: !cute.shape<"(16,4)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // expected-error @+1 {{the TV layout with stride (4,1) leads out of the tile (16,4)}}
  %c = cute.make_tiled_copy(%a, %l, %t)
  return
}

// -----

func.func @if_predicate(%p: !cute.tensor<i1, rmem, align<16>, "8:1">, %s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,4):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{the predicate must be a tensor of i1 in rmem with one element for each of the 4 accesses}}
  cute.copy_if(%a, %p, %s, %d)
  return
}

// -----

func.func @stmatrix_from_smem(%s: !cute.tensor<f16, smem, align<16>, "2:1">, %d: !cute.tensor<f16, smem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM90_U32x1_STSM_N", f16>
  // expected-error @+1 {{source of SM90_U32x1_STSM_N must be in rmem}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @stmatrix_to_gmem(%s: !cute.tensor<f16, rmem, align<16>, "2:1">, %d: !cute.tensor<f16, gmem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM90_U32x1_STSM_N", f16>
  // expected-error @+1 {{destination of SM90_U32x1_STSM_N must be in smem}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

// A row of 8 values lies side by side in shared memory.
func.func @stmatrix_row(%s: !cute.tensor<f16, rmem, align<16>, "2:1">, %d: !cute.tensor<f16, smem, align<16>, "(2,4):(1,16)">) {
  %a = cute.static : !cute.copy_atom<"SM90_U32x1_STSM_N", f16>
  // expected-error @+1 {{destination of SM90_U32x1_STSM_N needs 8 values per thread in mode 0 or in its first parts}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @stmatrix_strided(%s: !cute.tensor<f16, rmem, align<16>, "2:1">, %d: !cute.tensor<f16, smem, align<16>, "((2,4)):((1,16))">) {
  %a = cute.static : !cute.copy_atom<"SM90_U32x1_STSM_N", f16>
  // expected-error @+1 {{needs 8 f16 elements side by side, aligned to 16 bytes, not !cute.tensor<f16, smem, align<16>, "((2,4)):((1,16))">: mode 0 of its layout is (2,4):(1,16), contiguous for 2}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @shuffle_in_memory(%s: !cute.tensor<f32, gmem, align<16>, "2:1">, %d: !cute.tensor<f32, rmem, align<16>, "2:1">) {
  %a = cute.static : !cute.copy_atom<"SM50_Shuffle_U32_2x2Trans_XOR1", f32>
  // expected-error @+1 {{source of SM50_Shuffle_U32_2x2Trans_XOR1 must be in rmem}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @reduce_to_smem(%s: !cute.tensor<f32, rmem, align<16>, "1:1">, %d: !cute.tensor<f32, smem, align<16>, "1:1">) {
  %a = cute.static : !cute.copy_atom<"SM60_RED_ADD_F32", f32>
  // expected-error @+1 {{destination of SM60_RED_ADD_F32 must be in gmem}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

// Of the width, but it would add words of integers as if they were floats.
func.func @reduce_other_element(%f: !cute.tensor<i32, rmem, align<4>, "1:1">, %g: !cute.tensor<i32, gmem, align<4>, "1:1">) {
  %a = cute.static : !cute.copy_atom<"SM60_RED_ADD_F32", f32>
  // expected-error @+1 {{source of SM60_RED_ADD_F32 must have elements of f32, which it adds, not !cute.tensor<i32,}}
  cute.copy(%a, %f, %g)
  return
}

// -----

// expected-error @+1 {{SM60_RED_ADD_F32 adds elements of type f32, not f16}}
func.func private @reduce_element(!cute.copy_atom<"SM60_RED_ADD_F32", f16>)

// -----

// expected-error @+1 {{SM50_Shuffle_U32_2x2Trans_XOR4 moves registers of 32 bits; f64 has 64 bits}}
func.func private @wide_shuffle(!cute.copy_atom<"SM50_Shuffle_U32_2x2Trans_XOR4", f64>)

// -----

// expected-error @+1 {{SM75_U32x1_MOVM_T transposes elements of 16 bits; f32 has 32}}
func.func private @transposed_words(!cute.copy_atom<"SM75_U32x1_MOVM_T", f32>)

// -----

func.func @cached_load_of_shared(%s: !cute.tensor<f16, smem, align<16>, "8:1">, %r: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM50_LOAD_NC<uint128_t>", f16>
  // expected-error @+1 {{'cute.copy_atom_call' op source of SM50_LOAD_NC<uint128_t> must be in gmem}}
  cute.copy_atom_call(%a, %s, %r)
  return
}

// -----

func.func @cached_load_to_shared(%g: !cute.tensor<f16, gmem, align<16>, "8:1">, %s: !cute.tensor<f16, smem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM50_LOAD_NC<uint128_t>", f16>
  // expected-error @+1 {{'cute.copy_atom_call' op destination of SM50_LOAD_NC<uint128_t> must be in rmem}}
  cute.copy_atom_call(%a, %g, %s)
  return
}

// -----

func.func @cached_store_to_shared(%r: !cute.tensor<f16, rmem, align<16>, "8:1">, %s: !cute.tensor<f16, smem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM50_STORE_CACHE_STREAMING<uint128_t>", f16>
  // expected-error @+1 {{'cute.copy_atom_call' op destination of SM50_STORE_CACHE_STREAMING<uint128_t> must be in gmem}}
  cute.copy_atom_call(%a, %r, %s)
  return
}

// -----

func.func @cached_store_of_global(%g: !cute.tensor<f16, gmem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM50_STORE_CACHE_STREAMING<uint128_t>", f16>
  // expected-error @+1 {{'cute.copy_atom_call' op source of SM50_STORE_CACHE_STREAMING<uint128_t> must be in rmem}}
  cute.copy_atom_call(%a, %g, %g)
  return
}

// -----

func.func @cached_load_alignment(%g: !cute.tensor<f16, gmem, align<8>, "8:1">, %r: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM50_LOAD_NC<uint128_t>", f16>
  // expected-error @+1 {{SM50_LOAD_NC<uint128_t>}}
  cute.copy_atom_call(%a, %g, %r)
  return
}

// -----

!g = !cute.tensor<f16, gmem, align<16>, "256:1">
!s = !cute.tensor<f16, smem, align<16>, "256:1">
func.func @f(%g: !g, %s: !s, %p: !cute.tensor<i1, rmem, align<1>, "1:1">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{SM90_BULK_COPY_S2G: a copy has no predicate; put an scf.if around it}}
  cute.copy(%c, %s, %g, %p)
  return
}

// -----

func.func @f(%g: !cute.tensor<f16, gmem, align<16>, "256:1">, %s: !cute.tensor<f16, smem, align<16>, "256:1">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{source of SM90_BULK_COPY_S2G must be in smem, not !cute.tensor<f16, gmem}}
  cute.copy(%c, %g, %s)
  return
}

// -----

func.func @f(%g: !cute.tensor<f16, gmem, align<16>, "?:1">, %s: !cute.tensor<f16, smem, align<16>, "256:1">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{SM90_BULK_COPY_S2G: a copy has static extents, unlike}}
  cute.copy(%c, %s, %g)
  return
}

// -----

func.func @f(%g: !cute.tensor<f16, gmem, align<16>, "128:1">, %s: !cute.tensor<f16, smem, align<16>, "256:1">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{SM90_BULK_COPY_S2G: both sides have one size, unlike}}
  cute.copy(%c, %s, %g)
  return
}

// -----

func.func @f(%g: !cute.tensor<f16, gmem, align<8>, "256:1">, %s: !cute.tensor<f16, smem, align<16>, "256:1">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{runs of both sides are multiples of 16 bytes and aligned to them (align<16>, ?{div=8} in strides of f16), unlike}}
  cute.copy(%c, %s, %g)
  return
}

// -----

func.func @f(%g: !cute.tensor<f16, gmem, align<16>, "(8,4):(?,1)">, %s: !cute.tensor<f16, smem, align<16>, "(8,4):(4,1)">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_COPY_S2G", f16>
  // expected-error @+1 {{runs of both sides are multiples of 16 bytes}}
  cute.copy(%c, %s, %g)
  return
}

// -----

func.func @f(%g: !cute.tensor<f64, gmem, align<16>, "256:1">, %s: !cute.tensor<f64, smem, align<16>, "256:1">) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_MIN_S2G", f64>
  // expected-error @+1 {{SM90_BULK_REDUCE_MIN_S2G takes elements of ui32, i32, ui64, i64, f16, bf16, not f64}}
  cute.copy(%c, %s, %g)
  return
}

// -----

func.func @f(%s: !cute.tensor<f32, smem, align<16>, "256:1">, %r: i32) {
  %c = cute.static : !cute.copy_atom<"SM90_BULK_REDUCE_ADD_S2S", f32>
  %t = cute.mapa(%s, %r)
  // expected-error @+1 {{SM90_BULK_REDUCE_ADD_S2S takes elements of ui32, i32, ui64, i64, not f32}}
  cute.copy(%c, %s, %t)
  return
}

// -----

func.func @keyword(%c: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %s: !cute.tensor<f16, gmem, align<16>, "((8,1),1,1):((1,0),0,0)">, %d: !cute.tensor<f16, rmem, align<16>, "((8,1),1,1):((1,0),0,0)">) {
  // expected-error @+1 {{'cute.copy' op attribute 'tma_bar_ptr' has no meaning here; it is an operand of cute.with_barrier, which gives an atom for it}}
  cute.copy(%c, %s, %d) {tma_bar_ptr = 1 : i32}
  return
}

// -----

func.func @policy(%c: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %s: !cute.tensor<f16, gmem, align<16>, "((8,1),1,1):((1,0),0,0)">, %d: !cute.tensor<f16, rmem, align<16>, "((8,1),1,1):((1,0),0,0)">) {
  // expected-error @+1 {{'cute.copy' op attribute 'cache_policy' has no meaning here; it is an operand of cute.with_cache, which gives an atom for it}}
  cute.copy(%c, %s, %d) {cache_policy = 1 : i64}
  return
}

// -----

func.func @threads_with_gaps(%t: !cute.copy_atom<"UniversalCopy<uint32_t>", f32>, %a: !cute.layout<"(4,8):(16,1)">, %b: !cute.layout<"(2,2):(1,2)">) {
  // expected-error @+1 {{'cute.make_tiled_copy_tv' op the layout of threads is not compact: its size is 32, its cosize 56}}
  %r = cute.make_tiled_copy_tv(%t, %a, %b)
  return
}
