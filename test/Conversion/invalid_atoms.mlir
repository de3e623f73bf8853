// Atoms that have rows, but no instruction selected for them yet, are refused.
// RUN: cute-opt %s --cute-lower --split-input-file --verify-diagnostics

gpu.module @tf32 {
  gpu.func @kernel(%A: !cute.tensor<tf32, gmem, align<16>, "(16,8):(8,1)">, %B: !cute.tensor<tf32, gmem, align<16>, "(8,8):(8,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,8):(8,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM80_16x8x8_F32TF32TF32F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    %pB = cute.partition_b(%m, %B, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rB = cute.make_fragment_b(%m, %pB)
    %rC = cute.make_fragment_c(%m, %pC)
    // expected-error @+1 {{SM80_16x8x8_F32TF32TF32F32_TN can be calculated with but not compiled yet}}
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    gpu.return
  }
}

// -----

gpu.module @quad_pairs {
  gpu.func @kernel(%A: !cute.tensor<f16, gmem, align<16>, "(8,4):(4,1)">, %C: !cute.tensor<f32, gmem, align<16>, "(8,8):(8,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM70_8x8x4_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rC = cute.make_fragment_c(%m, %pC)
    // expected-error @+1 {{SM70_8x8x4_F32F16F16F32_TN can be calculated with but not compiled yet}}
    cute.gemm(%m, %rC, %rA, %rA, %rC)
    gpu.return
  }
}

// -----

gpu.module @fma {
  gpu.func @kernel(%A: !cute.tensor<f32, gmem, align<16>, "(16,1):(1,16)">, %C: !cute.tensor<f32, gmem, align<16>, "(16,16):(16,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"UniversalFMA<float,float,float,float>", "(16,16,1):(1,16,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    %pC = cute.partition_c(%m, %C, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %rC = cute.make_fragment_c(%m, %pC)
    // expected-error @+1 {{UniversalFMA<float,float,float,float> can be calculated with but not compiled yet}}
    cute.gemm(%m, %rC, %rA, %rA, %rC)
    gpu.return
  }
}

// -----

// Operands in shared memory have no fragments.
gpu.module @wgmma {
  gpu.func @kernel(%A: !cute.tensor<f16, smem, align<16>, "(64,16):(16,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM90_64x64x16_F16F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    // expected-error @+1 {{SM90_64x64x16_F16F16F16_SS<K,K> can be calculated with but not compiled yet}}
    %rA = cute.make_fragment_a(%m, %pA)
    gpu.return
  }
}

// -----

gpu.module @wgmma_gemm {
  gpu.func @kernel(%A: !cute.tensor<f16, smem, align<16>, "((64,16),1,1):((16,1),0,0)">) kernel {
    %m = cute.static : !cute.tiled_mma<"SM90_64x64x16_F16F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">
    // expected-error @+1 {{SM90_64x64x16_F16F16F16_SS<K,K> can be calculated with but not compiled yet}}
    cute.gemm(%m, %A, %A, %A, %A)
    gpu.return
  }
}

// -----

// Tensors have no unsigned elements.
gpu.module @unsigned {
  gpu.func @kernel(%A: !cute.tensor<i8, gmem, align<16>, "(16,32):(32,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM80_16x8x32_S32U8U8S32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    // expected-error @+1 {{SM80_16x8x32_S32U8U8S32_TN can be calculated with but not compiled yet}}
    %rA = cute.make_fragment_a(%m, %pA)
    gpu.return
  }
}

// -----

// expected-error @+1 {{'ui8' is not an element type}}
func.func private @unsigned_tensor(!cute.tensor<ui8, gmem, align<16>, "4:1">)
