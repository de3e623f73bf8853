// RUN: cute-opt %s --split-input-file --verify-diagnostics --cute-to-host

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @kernel() kernel { gpu.return }
  }
  func.func @f(%token: !gpu.async.token, %i: index) {
    // expected-error @+1 {{waits for a token or gives one; give a stream, as in gpu.launch_func <%stream : !llvm.ptr> @module::@kernel}}
    %t = gpu.launch_func async [%token] @m::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @kernel() kernel { gpu.return }
  }
  func.func @f(%stream: i32, %i: index) {
    // expected-error @+1 {{takes an i64 or !llvm.ptr as its stream}}
    gpu.launch_func <%stream : i32> @m::@kernel blocks in (%i, %i, %i) threads in (%i, %i, %i)
    return
  }
}

// -----

// The symbol is taken.
func.func private @cuteHostFail(i32)
func.func @f(%ok: i1) {
  // expected-error @+1 {{the module's symbol 'cuteHostFail' is not the C function of that name, !llvm.func<void (ptr, ...)>}}
  cf.assert %ok, "no"
  return
}

// -----

func.func @two_modes(%x: vector<2x2xf32>) -> vector<2x2xf8E5M2> {
  // expected-error @+1 {{'arith.truncf' op needs a scalar or a vector of one mode}}
  %y = arith.truncf %x : vector<2x2xf32> to vector<2x2xf8E5M2>
  return %y : vector<2x2xf8E5M2>
}
