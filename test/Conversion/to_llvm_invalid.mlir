// RUN: cute-opt %s --cute-to-llvm --split-input-file --verify-diagnostics

gpu.module @code_in_a_module {
  gpu.func @k() kernel {
    gpu.return
  }
  // expected-error @+1 {{'arith.constant' op is in the body of a gpu.module, which takes functions and declarations only}}
  %c = arith.constant true
  scf.if %c {
  }
}

// -----

gpu.module @m {
  gpu.func @k() kernel { gpu.return }
  // expected-error @+1 {{'gpu.barrier' op is in the body of a gpu.module, which takes functions and declarations only}}
  gpu.barrier
}

// -----

// Declarations without a name are none of that.
gpu.module @m {
  gpu.func @k() kernel { gpu.return }
  llvm.mlir.global_ctors ctors = [], priorities = [], data = []
  llvm.linker_options ["-x"]
  memref.global "private" @x : memref<4xf32>
}

// -----

gpu.module @code_in_a_function {
  memref.global "private" @g : memref<1xi32>
  gpu.func @k() kernel {
    %c = arith.constant true
    scf.if %c {
    }
    gpu.return
  }
}

// -----

gpu.module @other_dialects {
  gpu.func @loop(%p: !llvm.ptr<1>) kernel {
    %c = arith.constant 1.0 : f32
    // expected-error @+1 {{'affine.for' op is not compiled for a GPU; ops of arith, math, scf, cf, func, gpu, nvvm and llvm are, most of vector, and the dialect's}}
    affine.for %i = 0 to 64 {
      llvm.store %c, %p : f32, !llvm.ptr<1>
    }
    gpu.return
  }
}

// -----

gpu.module @other_vectors {
  gpu.func @scan(%x: vector<8xf32>, %p: !llvm.ptr<1>) kernel {
    %zero = arith.constant dense<0.0> : vector<f32>
    // expected-error @+1 {{'vector.scan' op is not compiled for a GPU}}
    %y, %all = vector.scan <add>, %x, %zero {inclusive = true, reduction_dim = 0 : i64} : vector<8xf32>, vector<f32>
    llvm.store %y, %p : vector<8xf32>, !llvm.ptr<1>
    gpu.return
  }
}
