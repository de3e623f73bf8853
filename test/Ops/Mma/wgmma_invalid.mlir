// What a warpgroup's products do not read, and how they are not called.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @in_gmem(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, gmem, align<16>, "((64,16),1,1):((64,1),0,0)">) {
  // expected-error @+1 {{SM90_64x16x16_F32F16F16_SS<K,K> reads A in shared memory; the part must be a tensor of f16 in smem, not !cute.tensor<f16, gmem, align<16>, "((64,16),1,1):((64,1),0,0)">}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @of_bf16(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<bf16, smem, align<1024>, "((16,16),1,1):((64,1),0,0)">) {
  // expected-error @+1 {{must be a tensor of f16 in smem}}
  %f = cute.make_fragment_b(%m, %p)
  return
}

// -----

func.func @padded(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "((64,16),1,1):((72,1),0,0)">) {
  // expected-error @+1 {{SM90_64x16x16_F32F16F16_SS<K,K> reads A in smem in a layout that repeats Layout_K_SW128_Atom, or of a sibling with a narrower swizzle or none (tile_to_shape of it); the part ((64,16),1,1):((72,1),0,0) is in none of them}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @other_major(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((16,(8,2)),1,1):((1,(64,512)),0,0)">) {
  // expected-error @+1 {{is in none of them}}
  %f = cute.make_fragment_b(%m, %p)
  return
}

// -----

func.func @swizzle_of_bytes(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "S<3,4,3> o 0 o ((64,16),1,1):((64,1),0,0)">) {
  // expected-error @+1 {{is in none of them}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @alignment(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<512>, "S<3,3,3> o 0 o ((64,16),1,1):((64,1),0,0)">) {
  // expected-error @+1 {{the pattern of Layout_K_SW128_Atom begins at multiples of 1024 bytes, so that the tensor must be aligned to them and begin with the first of its rows}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @within_pattern(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 64 o ((64,16),1,1):((64,1),0,0)">) {
  // expected-error @+1 {{begin with the first of its rows}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @unknown_place(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o ?{div=64} o ((64,16),1,1):((64,1),0,0)">) {
  // expected-error @+1 {{begin with the first of its rows}}
  %f = cute.make_fragment_a(%m, %p)
  return
}

// -----

func.func @not_described(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">, %b: !cute.tensor<f16, smem, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">) {
  // expected-error @+1 {{operand B of SM90_64x16x16_F32F16F16_SS<K,K> must be a tensor of descriptors (make_fragment_a, _b) in whole units of 16 bytes of f16 with 256 values in mode 0, not}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

func.func @half_a_unit(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 4 o ((64,16),1,4):((64,1),0,16)">, %b: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">) {
  // expected-error @+1 {{in whole units of 16 bytes}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

func.func @described(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_RS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">, %b: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">) {
  // expected-error @+1 {{operand A of SM90_64x16x16_F32F16F16_RS<K,K> must be a tensor in rmem of f16 with 8 values in mode 0}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

func.func @condition_width(%m: !cute.tiled_mma<"SM90_64x16x16_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %a: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((64,16),1,4):((64,1),0,16)">, %b: !cute.tensor<f16, desc, align<1024>, "S<3,3,3> o 0 o ((16,16),1,4):((64,1),0,16)">, %x: i32) {
  // expected-error @+1 {{the operand that says whether to add C must be an i1, before the lanes that are left out}}
  cute.gemm(%m, %d, %a, %b, %d, %x)
  return
}

// -----

func.func @condition_of_warp(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">, %d: !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, %a: !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">, %b: !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, %x: i1) {
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN always adds C; only atoms of wgmma and tcgen05.mma take an i1 that says whether to add it}}
  cute.gemm(%m, %d, %a, %b, %d, %x)
  return
}

// -----

func.func @read_by_threads(%a: !cute.tensor<f16, desc, align<1024>, "8:1">, %r: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{operand #0 (source) is a tensor of matrix descriptors, which only cute.gemm reads; pass the shared-memory tensor that they describe}}
  cute.autovec_copy(%a, %r)
  return
}

// -----

func.func @narrow_descriptor(%a: i32) {
  // expected-error @+1 {{i32 is not an address in desc; valid are i64}}
  %p = cute.make_ptr(%a) : (i32) -> !cute.ptr<f16, desc, align<16>>
  return
}

// -----

func.func @descriptor_of_pointer(%a: !llvm.ptr) {
  // expected-error @+1 {{is not an address in desc; valid are i64}}
  %p = cute.make_ptr(%a) : (!llvm.ptr) -> !cute.ptr<f16, desc, align<16>>
  return
}

// -----

// An instruction reads 64 bytes of a row of B, and rows of 32 are too short.
func.func @sparse_rows(%m: !cute.tiled_mma<"SM90_SPARSE_64x16x32_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %p: !cute.tensor<f16, smem, align<1024>, "S<1,3,3> o 0 o ((16,(16,2)),1,1):((16,(1,256)),0,0)">) {
  // expected-error @+1 {{is in none of them}}
  %f = cute.make_fragment_b(%m, %p)
  return
}

// -----

func.func @sparse_without_e(%m: !cute.tiled_mma<"SM90_SPARSE_64x8x32_F32F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">, %a: !cute.tensor<f16, desc, align<1024>, "((64,16),1,1):((16,1),0,0)">, %b: !cute.tensor<f16, desc, align<1024>, "((8,32),1,1):((32,1),0,0)">, %c: !cute.tensor<f32, rmem, align<16>, "((2,2,1),1,1):((1,2,0),0,0)">) {
  // expected-error @+1 {{SM90_SPARSE_64x8x32_F32F16F16_SS<K,K> takes 5 operands, D, A, B, C, E, not 4}}
  cute.gemm(%m, %c, %a, %b, %c)
  return
}

// -----

// Operands of 8 bits, and of 32, are K-major alone; A from registers, too.
// expected-error @+1 {{no MMA atom is named 'SM90_64x64x32_F32E4M3E4M3_SS<K,MN>'; did you mean 'SM90_64x64x32_F32E4M3E4M3_SS}}
func.func @f(%a: !cute.mma_atom<"SM90_64x64x32_F32E4M3E4M3_SS<K,MN>">) {
  return
}

// -----

// expected-error @+1 {{no MMA atom is named 'SM90_64x64x8_F32TF32TF32_SS<MN,K>'; did you mean 'SM90_64x64x8_F32TF32TF32_SS}}
func.func @f(%a: !cute.mma_atom<"SM90_64x64x8_F32TF32TF32_SS<MN,K>">) {
  return
}

// -----

// expected-error @+1 {{no MMA atom is named 'SM90_64x64x16_F32F16F16_RS<MN,K>'; did you mean 'SM90_64x64x16_F32F16F16_SS<MN,K>'}}
func.func @f(%a: !cute.mma_atom<"SM90_64x64x16_F32F16F16_RS<MN,K>">) {
  return
}
