// Atoms that have rows, but no instruction selected for them yet, are refused.
// RUN: cute-opt %s --cute-lower --split-input-file --verify-diagnostics

// Complex products are several instructions.
gpu.module @complex {
  gpu.func @kernel(%A: !cute.tensor<f64, gmem, align<16>, "(8,4):(4,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM80_8x8x4_C64C64C64C64_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    // expected-error @+1 {{cutec cannot compile SM80_8x8x4_C64C64C64C64_TN yet; cute-layout knows it}}
    %rA = cute.make_fragment_a(%m, %pA)
    gpu.return
  }
}

// -----

// dp2a takes bytes for B, and the row has elements of 16 bits.
gpu.module @dp2a {
  gpu.func @kernel(%r: !cute.tensor<i16, rmem, align<16>, "(2,1):(1,0)">, %s: !cute.tensor<i32, rmem, align<16>, "(1,1):(0,0)">) {
    %m = cute.static : !cute.mma_atom<"SM61_DP2A">
    // expected-error @+1 {{cutec cannot compile SM61_DP2A yet; cute-layout knows it}}
    cute.gemm(%m, %s, %r, %r, %s)
    gpu.return
  }
}

// -----

// Operands that a warpgroup's product reads in shared memory lie in one of the
// layouts that it can read.
gpu.module @wgmma {
  gpu.func @kernel(%A: !cute.tensor<f16, smem, align<16>, "(64,16):(16,1)">, %i: i32) {
    %m = cute.static : !cute.tiled_mma<"SM90_64x64x16_F16F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">
    %pA = cute.partition_a(%m, %A, %i)
    // expected-error @+1 {{SM90_64x64x16_F16F16F16_SS<K,K> reads A in smem in a layout that repeats Layout_K_SW128_Atom}}
    %rA = cute.make_fragment_a(%m, %pA)
    gpu.return
  }
}

// -----

gpu.module @wgmma_gemm {
  gpu.func @kernel(%A: !cute.tensor<f16, smem, align<16>, "((64,16),1,1):((16,1),0,0)">) {
    %m = cute.static : !cute.tiled_mma<"SM90_64x64x16_F16F16F16_SS<K,K>", "(1,1,1):(0,0,0)", "[_;_;_]">
    // expected-error @+1 {{operand D of SM90_64x64x16_F16F16F16_SS<K,K> must be a tensor in rmem of f16 with 32 values in mode 0}}
    cute.gemm(%m, %A, %A, %A, %A)
    gpu.return
  }
}

// -----

// expected-error @+1 {{'complex' is not an element type}}
func.func private @complex_tensor(!cute.tensor<complex<f64>, gmem, align<16>, "4:1">)

// -----

gpu.module @half_bytes {
  gpu.func @kernel(%A: !cute.tensor<i4, gmem, align<16>, "(1,4):(0,1)">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint4_t>", i4>
    // expected-error @+1 {{a 4-bit i4 cannot be stored alone in gmem, where another thread may write to the same byte; copy whole bytes from a fragment}}
    cute.copy(%a, %A, %A)
    gpu.return
  }
}
