// RUN: cute-opt %s --cute-to-llvm --split-input-file --verify-diagnostics

gpu.module @code_in_a_module {
  gpu.func @k() kernel {
    gpu.return
  }
  %c = arith.constant true
  // expected-error @+1 {{'scf.if' op stands in the body of a gpu.module, in which there are functions and declarations only}}
  scf.if %c {
  }
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
