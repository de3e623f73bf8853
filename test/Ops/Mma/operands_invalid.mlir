// What gemm and partitions reject of operands beside A, B and C.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @no_metadata(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, rmem, align<16>, "(16,2,3):(1,16,32)">) {
  // expected-error @+1 {{SM80_SPARSE_16x8x32_F32F16F16F32_TN takes 5 operands, D, A, B, C, E, not 4}}
  cute.gemm(%m, %c, %a, %b, %c)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @too_many(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, rmem, align<16>, "(16,2,3):(1,16,32)">) {
  // expected-error @+1 {{SM80_SPARSE_16x8x32_F32F16F16F32_TN takes 5 operands, D, A, B, C, E, not 6}}
  cute.gemm(%m, %c, %a, %b, %c, %e, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @type_of_metadata(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui4, rmem, align<16>, "(8,2,3):(1,8,16)">) {
  // expected-error @+1 {{operand E of SM80_SPARSE_16x8x32_F32F16F16F32_TN must be a tensor of ui2 in rmem or smem with 16 values in mode 0, not !cute.tensor<ui4,}}
  cute.gemm(%m, %c, %a, %b, %c, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @values_of_metadata(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, rmem, align<16>, "(8,2,3):(1,8,16)">) {
  // expected-error @+1 {{operand E of SM80_SPARSE_16x8x32_F32F16F16F32_TN must be a tensor of ui2 in rmem or smem with 16 values in mode 0}}
  cute.gemm(%m, %c, %a, %b, %c, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @metadata_in_gmem(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, gmem, align<16>, "(16,2,3):(1,16,32)">) {
  // expected-error @+1 {{operand E of SM80_SPARSE_16x8x32_F32F16F16F32_TN must be a tensor of ui2 in rmem or smem with 16 values in mode 0, not !cute.tensor<ui2, gmem, align<16>, "(16,2,3):(1,16,32)">; copy it to registers first}}
  cute.gemm(%m, %c, %a, %b, %c, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @rank_of_metadata(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, rmem, align<16>, "(16,2):(1,16)">) {
  // expected-error @+1 {{(V,M,K) x (V,N,K) -> (V,M,N), (M) x (N) -> (M,N), (M,K) x (N,K) -> (M,N), and those after C have as many as A}}
  cute.gemm(%m, %c, %a, %b, %c, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @m_of_metadata(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, rmem, align<16>, "(16,1,3):(1,0,16)">) {
  // expected-error @+1 {{mode 1 of operand E has extent 1, but mode 1 of operand A 2 (M)}}
  cute.gemm(%m, %c, %a, %b, %c, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.tensor<f16, rmem, align<16>, "(8,2,3):(1,8,16)">
!b = !cute.tensor<f16, rmem, align<16>, "(8,1,3):(1,0,8)">

func.func @k_of_metadata(%m: !mma, %c: !c, %a: !a, %b: !b, %e: !cute.tensor<ui2, rmem, align<16>, "(16,2,2):(1,16,32)">) {
  // expected-error @+1 {{mode 2 of operand E has extent 2, but mode 2 of operand A 3 (K)}}
  cute.gemm(%m, %c, %a, %b, %c, %e)
  return
}

// -----

!mma = !cute.tiled_mma<"SM120_16x8x32_TN_VS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,32>", "(1,1,1):(0,0,0)", "[_;_;_]">
!c = !cute.tensor<f32, rmem, align<16>, "(4,2,3):(1,4,8)">
!a = !cute.tensor<f8E4M3FN, rmem, align<16>, "(16,2):(1,16)">
!b = !cute.tensor<f8E4M3FN, rmem, align<16>, "(8,3):(1,8)">
!s = !cute.tensor<f8E8M0FNU, rmem, align<16>, "(1,2):(1,1)">

// Factors of B go along with B.
func.func @n_of_factors(%m: !mma, %c: !c, %a: !a, %b: !b, %s: !s) {
  // expected-error @+1 {{mode 1 of operand SFB has extent 2, but mode 1 of operand B 3 (N)}}
  cute.gemm(%m, %c, %a, %b, %c, %s, %s)
  return
}

// -----

func.func @call_modes(%c: !cute.tensor<f32, rmem, align<16>, "4:1">, %a: !cute.tensor<f16, rmem, align<16>, "8:1">, %e: !cute.tensor<ui2, rmem, align<16>, "(16,1):(1,0)">) {
  %m = cute.static : !cute.mma_atom<"SM80_SPARSE_16x8x32_F32F16F16F32_TN">
  // expected-error @+1 {{operand E must have one mode, the atom's values}}
  cute.mma_atom_call(%m, %c, %a, %a, %c, %e)
  return
}

// -----

func.func @ten_operands(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %c: !cute.tensor<f32, rmem, align<16>, "4:1">) {
  // expected-error @+1 {{expected 5 to 9 operands, found 10}}
  cute.mma_atom_call(%m, %c, %c, %c, %c, %c, %c, %c, %c, %c)
  return
}

// -----

func.func @unknown_operand(%m: !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">, %t: !cute.tensor<ui2, gmem, align<2>, "(16,16):(16,1)">, %i: i32) {
  // expected-error @+1 {{SM80_SPARSE_16x8x32_F32F16F16F32_TN has no operand 'D'; it has A, B, C, E}}
  %p = cute.partition_operand<"D"> (%m, %t, %i)
  return
}

// -----

func.func @dense(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">, %t: !cute.tensor<ui2, gmem, align<2>, "(16,16):(16,1)">, %i: i32) {
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN has no operand 'E'; it has A, B, C}}
  %p = cute.partition_operand<"E"> (%m, %t, %i)
  return
}

// -----

func.func @fragment(%m: !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">, %t: !cute.tensor<f16, gmem, align<2>, "(16,16):(16,1)">) {
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN has no operand 'SFA'; it has A, B, C}}
  %f = cute.make_fragment_operand<"SFA"> (%m, %t)
  return
}

// -----

func.func @permutation_of_k(%l: !cute.layout<"(1,1,1):(0,0,0)">, %s: !cute.shape<"(16,8,32)">) {
  %a = cute.static : !cute.mma_atom<"SM80_SPARSE_16x8x32_F32F16F16F32_TN">
  // expected-error @+1 {{the permutation must be _ in K, as operand A of SM80_SPARSE_16x8x32_F32F16F16F32_TN has 16 elements along K where B has 32}}
  %m = cute.make_tiled_mma(%a, %l, %s)
  return
}

// -----

func.func @segments(%m: !cute.mma_atom<"SM80_16x8x8_F32BF16BF16F32_TN">, %c: !cute.tensor<f32, rmem, align<16>, "4:1">, %a: !cute.tensor<bf16, rmem, align<16>, "4:1">, %b: !cute.tensor<bf16, rmem, align<16>, "2:1">) {
  // expected-error @+1 {{sum of elements in 'operandSegmentSizes' attribute must be equal to the number of operands}}
  "cute.gemm"(%m, %c, %a, %b, %c) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1>} : (!cute.mma_atom<"SM80_16x8x8_F32BF16BF16F32_TN">, !cute.tensor<f32, rmem, align<16>, "4:1">, !cute.tensor<bf16, rmem, align<16>, "4:1">, !cute.tensor<bf16, rmem, align<16>, "2:1">, !cute.tensor<f32, rmem, align<16>, "4:1">) -> ()
  return
}

// -----

// A number among the tensors, and two after them.
func.func @among(%m: !cute.mma_atom<"SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,32>">,
                 %c: !cute.tensor<f32, rmem, align<16>, "4:1">, %a: !cute.tensor<f4E2M1FN, rmem, align<16>, "32:1">,
                 %s: !cute.tensor<f8E4M3FN, rmem, align<16>, "4:1">, %i: i32) {
  // expected-error @+1 {{takes 7 operands, D, A, B, C, E, SFA, SFB, not 4 followed by others}}
  cute.gemm(%m, %c, %a, %a, %c, %i, %s, %s)
  return
}

// -----

func.func @two(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">, %c: !cute.tensor<f32, rmem, align<16>, "4:1">,
               %a: !cute.tensor<f16, rmem, align<16>, "8:1">, %b: !cute.tensor<f16, rmem, align<16>, "4:1">, %i: i1) {
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN takes 4 operands, D, A, B, C, not 4 followed by others}}
  cute.mma_atom_call(%m, %c, %a, %b, %c, %i, %i)
  return
}
