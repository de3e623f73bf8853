// Reductions over lanes that have no lowering.
// RUN: cute-opt %s --cute-expand-reduce --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @of_vector(%x: vector<2xf32>) kernel {
    // expected-error @+1 {{'gpu.subgroup_reduce' op is lowered for integers and floats of up to 32 or of 64 bits (not vectors), with an operation of theirs, within the 32 lanes of a warp}}
    %0 = gpu.subgroup_reduce add %x : (vector<2xf32>) -> vector<2xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @beyond(%x: f32) kernel {
    // expected-error @+1 {{within the 32 lanes of a warp}}
    %0 = gpu.subgroup_reduce add %x cluster(size = 16, stride = 4) : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @not_uniform(%x: f32) kernel {
    // expected-error @+1 {{'gpu.all_reduce' op is lowered only where all threads of the block reach it, as `uniform` promises: gpu.all_reduce add %x uniform {} : (f32) -> (f32)}}
    %0 = gpu.all_reduce add %x {} : (f32) -> (f32)
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @half(%x: f16) kernel {
    // expected-error @+1 {{'gpu.all_reduce' op takes numbers of 32 or 64 bits; widen these (arith.extf)}}
    %0 = gpu.all_reduce maximumf %x uniform {} : (f16) -> f16
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @shuffle(%x: bf16, %i: i32) kernel {
    // expected-error @+1 {{'gpu.shuffle' op exchanges 32 or 64 bits; cute.shuffle_sync takes narrower numbers, too}}
    %0, %valid = gpu.shuffle xor %x, %i, %i : bf16
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @warp(%out: !llvm.ptr) kernel {
    // expected-error @+1 {{'gpu.subgroup_id' op is not compiled; cute.warp_idx is the number of the warp, of 32 threads, in its block}}
    %0 = gpu.subgroup_id : index
    gpu.return
  }
}
