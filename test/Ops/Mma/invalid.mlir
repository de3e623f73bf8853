// What tiled MMAs and gemm reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{no MMA atom is named 'SM80_16x8x32_F32F16F16F32_TN'}}
func.func private @unknown_atom(!cute.mma_atom<"SM80_16x8x32_F32F16F16F32_TN">)

// -----

func.func @copy_atom(%l: !cute.layout<"(1,1,1):(0,0,0)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
  // expected-error @+1 {{operand #0 (atom) must be mma_atom}}
  %m = cute.make_tiled_mma(%a, %l)
  return
}

// -----

func.func @atom_layout_rank(%l: !cute.layout<"(2,2):(1,2)">) {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  // expected-error @+1 {{the atom layout must be a static layout of rank 3 (M,N,K)}}
  %m = cute.make_tiled_mma(%a, %l)
  return
}

// -----

func.func @elements(%t: !cute.tensor<bf16, gmem, align<16>, "(128,64):(64,1)">, %i: i32) {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  %m = cute.make_tiled_mma(%a)
  // expected-error @+2 {{operand A of SM80_16x8x16_F32F16F16F32_TN has elements of f16; bf16 has the same width but encodes other numbers}}
  // expected-note @+1 {{'cutec --list-atoms' lists atoms for bf16; to reinterpret the bits, use cute.recast_tensor}}
  %p = cute.partition_a(%m, %t, %i)
  return
}

// -----

// Elements of another width are converted after they are loaded, the sums before they
// are stored, and f32 is read as tf32.
func.func @converted(%t: !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">, %c: !cute.tensor<bf16, gmem, align<16>, "(128,64):(64,1)">, %i: i32) {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F16F16F16F16_TN">
  %m = cute.make_tiled_mma(%a)
  %p = cute.partition_a(%m, %t, %i)
  %q = cute.partition_c(%m, %c, %i)
  %a32 = cute.static : !cute.mma_atom<"SM80_16x8x8_F32TF32TF32F32_TN">
  %m32 = cute.make_tiled_mma(%a32)
  %p32 = cute.partition_a(%m32, %t, %i)
  return
}

// -----

func.func @dynamic_atom_layout(%l: !cute.layout<"(2,?,1):(1,2,0)">) {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  // expected-error @+1 {{the atom layout must be a static layout of rank 3 (M,N,K)}}
  %m = cute.make_tiled_mma(%a, %l)
  return
}

// -----

func.func @permutation_rank(%l: !cute.layout<"(2,2,1):(1,2,0)">, %s: !cute.shape<"(32,32)">) {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  // expected-error @+1 {{the permutation must be a static tile of rank 3 (M,N,K)}}
  %m = cute.make_tiled_mma(%a, %l, %s)
  return
}

// -----

// 2 atoms of 8 cover 16 along N.
func.func @permutation_extent(%l: !cute.layout<"(2,2,1):(1,2,0)">, %s: !cute.shape<"(32,24,16)">) {
  %a = cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  // expected-error @+1 {{the tile extent 24 of mode N must be a multiple of the 16 that the atoms cover (2 x 8)}}
  %m = cute.make_tiled_mma(%a, %l, %s)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

func.func @partition_rank(%m: !mma, %t: !cute.tensor<f16, smem, align<16>, "64:1">, %i: i32) {
  // expected-error @+1 {{needs two modes or more, not shape 64}}
  %p = cute.partition_a(%m, %t, %i)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @operands_exchanged(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{operand A of SM80_16x8x16_F32F16F16F32_TN must be a tensor of f16 in rmem or smem with 8 values in mode 0}}
  cute.gemm(%m, %d, %b, %a, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!bf16x8 = !cute.tensor<bf16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @element_of_a(%m: !mma, %d: !f32x4, %a: !bf16x8, %b: !f16x4) {
  // expected-error @+1 {{operand A of SM80_16x8x16_F32F16F16F32_TN must be a tensor of f16}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f16acc = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @element_of_d(%m: !mma, %d: !f16acc, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{operand D of SM80_16x8x16_F32F16F16F32_TN must be a tensor of f32}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!global = !cute.tensor<f16, gmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @space_of_b(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !global) {
  // expected-error @+1 {{operand B of SM80_16x8x16_F32F16F16F32_TN must be a tensor of f16 in rmem or smem with 4 values in mode 0, not !cute.tensor<f16, gmem, align<16>, "((2,2),1,1):((1,2),0,0)">; copy it to registers first}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),3,1):((1,2,4),8,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),2,1):((1,2),4,0)">

func.func @extent_m(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{mode 1 of operand A has extent 3, but mode 1 of operand C 2 (M); A is ((2,2,2),3,1):((1,2,4),8,0) and C ((2,2),2,2):((1,2),4,8)}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,1):((1,2,4),8,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),4,1):((1,2),4,0)">

func.func @extent_n(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{mode 1 of operand B has extent 4, but mode 2 of operand C 2 (N); B is ((2,2),4,1):((1,2),4,0) and C ((2,2),2,2):((1,2),4,8)}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">

func.func @extent_k(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{mode 2 of operand A has extent 4, but mode 2 of operand B 2 (K); A is ((2,2,2),2,4):((1,2,4),8,16) and B ((2,2),2,2):((1,2),4,8)}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1,2):((1,2,4),0,0,8)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @four_modes(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{A, B, C and D have 4, 3, 3 and 3 modes; possible are (V) x (V) -> (V), (V,M) x (V,N) -> (V,M,N), (V,M,K) x (V,N,K) -> (V,M,N), (M) x (N) -> (M,N), (M,K) x (N,K) -> (M,N)}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @call_with_modes(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{operand D must have one mode, the atom's values}}
  cute.mma_atom_call(%m, %d, %a, %b, %d)
  return
}

// -----

func.func @partition_b_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %t: !cute.tensor<f16, gmem, align<2>, "(64,32):(32,1)">, %i: i32) {
  // expected-error @+1 {{operand #0 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %p = cute.partition_b(%m, %t, %i)
  return
}

// -----

func.func @partition_c_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %t: !cute.tensor<f16, gmem, align<2>, "(64,32):(32,1)">, %i: i32) {
  // expected-error @+1 {{operand #0 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %p = cute.partition_c(%m, %t, %i)
  return
}

// -----

func.func @fragment_a_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %t: !cute.tensor<f16, gmem, align<2>, "(64,32):(32,1)">) {
  // expected-error @+1 {{operand #0 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %f = cute.make_fragment_a(%m, %t)
  return
}

// -----

func.func @fragment_b_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %t: !cute.tensor<f16, gmem, align<2>, "(64,32):(32,1)">) {
  // expected-error @+1 {{operand #0 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %f = cute.make_fragment_b(%m, %t)
  return
}

// -----

func.func @fragment_c_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %t: !cute.tensor<f16, gmem, align<2>, "(64,32):(32,1)">) {
  // expected-error @+1 {{operand #0 (tiled_mma) must be tiled_mma, not !cute.mma_atom<}}
  %f = cute.make_fragment_c(%m, %t)
  return
}

// -----

// Sums cannot go to shared memory.
!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, smem, align<16>, "((2,2),1,1):((1,2),0,0)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">

func.func @space_of_d(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{operand D of SM80_16x8x16_F32F16F16F32_TN must be a tensor of f32 in rmem with 4 values in mode 0}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!f32x4 = !cute.tensor<f32, rmem, align<16>, "(4,2):(1,4)">
!f16x8 = !cute.tensor<f16, rmem, align<16>, "(8,2):(1,8)">
!f16x4 = !cute.tensor<f16, rmem, align<16>, "(4,2):(1,4)">

// Ranks without values, but the atom has some.
func.func @no_values(%m: !mma, %d: !f32x4, %a: !f16x8, %b: !f16x4) {
  // expected-error @+1 {{(M,K) x (N,K) -> (M,N) is for atoms with one value per operand; SM80_16x8x16_F32F16F16F32_TN has more, in mode 0 (V)}}
  cute.gemm(%m, %d, %a, %b, %d)
  return
}

// -----

!mma = !cute.tiled_mma<"UniversalFMA<float,float,float,float>", "(16,16,1):(1,16,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2):(1,4)">
!a = !cute.tensor<f32, rmem, align<16>, "(4,3):(1,4)">
!b = !cute.tensor<f32, rmem, align<16>, "(2,4):(1,2)">

func.func @extent_k_without_values(%m: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @+1 {{mode 1 of operand A has extent 3, but mode 1 of operand B 4 (K); A is (4,3):(1,4) and B (2,4):(1,2)}}
  cute.gemm(%m, %c, %a, %b, %c)
  return
}

// -----

!mma = !cute.tiled_mma<"UniversalFMA<float,float,float,float>", "(16,16,1):(1,16,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2):(1,4)">
!a = !cute.tensor<f32, smem, align<16>, "(?,3):(1,4)">
!b = !cute.tensor<f32, rmem, align<16>, "(2,3):(1,2)">

func.func @dynamic_extent(%m: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @+1 {{mode 0 of operand A has extent ?, but mode 0 of operand C 4 (M)}}
  cute.gemm(%m, %c, %a, %b, %c)
  return
}

// -----

// An unsigned operand takes signless integers, but not of another width.
!mma = !cute.mma_atom<"SM80_8x8x16_S32U8U8S32_TN">
!c = !cute.tensor<i32, rmem, align<16>, "2:1">
!a = !cute.tensor<ui8, rmem, align<16>, "4:1">
!b = !cute.tensor<i16, rmem, align<16>, "4:1">

func.func @signs(%m: !mma, %c: !c, %a: !a, %b: !b) {
  // expected-error @+1 {{operand B of SM80_8x8x16_S32U8U8S32_TN must be a tensor of ui8 in rmem or smem with 4 values in mode 0, not !cute.tensor<i16,}}
  cute.gemm(%m, %c, %a, %b, %c)
  return
}
