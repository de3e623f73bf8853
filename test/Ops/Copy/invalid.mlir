// What tiled copies and their atoms reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{no copy atom is named 'SM99_COPY'}}
func.func private @unknown_atom(!cute.copy_atom<"SM99_COPY", f16>)

// -----

// expected-error @+1 {{no copy atom is named 'UniversalCopy'}}
func.func private @ambiguous_atom(!cute.copy_atom<"UniversalCopy", f16>)

// -----

// expected-error @+1 {{UniversalCopy<uint32_t> moves 32 bits, which is no whole number of f64 elements}}
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
  // expected-error @+1 {{source of SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> needs 8 elements side by side, aligned to 16 bytes}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @async_destination_alignment(%s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, smem, align<8>, "8:1">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{destination of SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> needs 8 elements side by side, aligned to 16 bytes}}
  cute.copy(%a, %s, %d)
  return
}

// -----

// Rows of 12 elements, 24 bytes, do not all begin at multiples of 16 bytes.
func.func @async_pitch(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,12)">, %d: !cute.tensor<f16, smem, align<16>, "(8,4):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{needs 8 elements side by side, aligned to 16 bytes}}
  cute.copy(%a, %s, %d)
  return
}

// -----

// Nothing is known of a dynamic pitch without a divisor.
func.func @dynamic_pitch(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?)">, %d: !cute.tensor<f16, smem, align<16>, "(8,4):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL", f16>
  // expected-error @+1 {{needs 8 elements side by side, aligned to 16 bytes}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @strided_vector(%s: !cute.tensor<f32, gmem, align<16>, "4:2">, %d: !cute.tensor<f32, rmem, align<16>, "4:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
  // expected-error @+1 {{source of UniversalCopy<uint128_t> needs 4 elements side by side}}
  cute.copy(%a, %s, %d)
  return
}

// -----

// The swizzle permutes single elements, so pairs are not side by side.
func.func @swizzled_vector(%s: !cute.tensor<f16, smem, align<16>, "S<2,0,3> o 0 o (2,16):(1,2)">, %d: !cute.tensor<f16, rmem, align<16>, "(2,16):(1,2)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
  // expected-error @+1 {{needs 2 elements side by side}}
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
  // expected-error @+1 {{source of SM75_U32x1_LDSM_N needs 8 elements side by side, aligned to 16 bytes}}
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
