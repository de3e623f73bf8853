// Functions without an expansion are errors that say what to do.
// RUN: cute-opt %s --cute-expand-math --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @wide(%x: f64) kernel {
    // expected-error @+1 {{'math.cbrt' op on f64 has no instruction on the device and no expansion, and libdevice is not used; compute in f32 (arith.truncf)}}
    %0 = math.cbrt %x : f64
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_function(%x: vector<4xf16>) kernel {
    %n = arith.constant dense<3> : vector<4xi32>
    // expected-error @+1 {{'math.fpowi' op on vector<4xf32> has no instruction on the device}}
    %0 = math.fpowi %x, %n : vector<4xf16>, vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @rank_2(%x: vector<2x2xf32>) kernel {
    // expected-error @+1 {{'math.exp' op on vector<2x2xf32> has no instruction on the device}}
    %0 = math.exp %x : vector<2x2xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @of_integers(%x: i16) kernel {
    // expected-error @+1 {{'math.ipowi' op on i16 has no instruction on the device}}
    %0 = math.ipowi %x, %x : i16
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @rounding(%x: vector<2x2xf32>) kernel {
    // expected-error @+1 {{'arith.truncf' op rounds upward from f32 to f16 or bf16 and from f64 to f16, bf16 or f32, scalars or vectors of rank 1; not to vector<2x2xf16>}}
    %0 = arith.truncf %x upward : vector<2x2xf32> to vector<2x2xf16>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @rank_2_of_bytes(%x: vector<2x2xf32>) kernel {
    // expected-error @+1 {{'arith.truncf' op on vector<2x2xf8E5M2> has no instruction on the device and no expansion}}
    %0 = arith.truncf %x : vector<2x2xf32> to vector<2x2xf8E5M2>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @rounded_byte(%x: f32) kernel {
    // expected-error @+1 {{'arith.truncf' op rounds upward from f32 to f16 or bf16 and from f64 to f16, bf16 or f32, scalars or vectors of rank 1; not to f8E4M3FN}}
    %0 = arith.truncf %x upward : f32 to f8E4M3FN
    gpu.return
  }
}
