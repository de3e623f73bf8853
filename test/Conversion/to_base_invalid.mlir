// What functions cannot pass is said where it stands; nothing is left silently.
// RUN: cute-opt %s --cute-to-base --split-input-file --verify-diagnostics

func.func @carried(%s: !cute.shape<"?">, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op takes a value of the cute dialect, which cannot be lowered; pass its integers}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!cute.shape<"?">) {
    scf.yield %t : !cute.shape<"?">
  }
  return
}

// -----

func.func @branch(%s: !cute.shape<"?">) {
  // expected-error @+1 {{'cf.br' op takes a value of the cute dialect}}
  cf.br ^bb1(%s : !cute.shape<"?">)
^bb1(%t: !cute.shape<"?">):
  return
}

// -----

// A block that nobody branches to.
// expected-error @+1 {{'func.func' op has a block that takes a value of the cute dialect}}
func.func @unreached() {
  return
^bb1(%t: !cute.shape<"?">):
  return
}

// -----

func.func @given(%n: i32) {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op gives a value of the cute dialect}}
  %s = builtin.unrealized_conversion_cast %n : i32 to !cute.shape<"?">
  return
}

// -----

// expected-error @+1 {{'func.func' op a value of kind tensor cannot be passed between functions; kernels (gpu.func) take tensors}}
func.func @tensor(%t: !cute.tensor<f32, gmem, align<4>, "?:1">) {
  return
}

// -----

// expected-error @+1 {{'func.func' op a value of kind ptr cannot be passed}}
func.func private @pointer() -> !cute.ptr<f32, gmem, align<4>>

// -----

gpu.module @called {
  // expected-error @+1 {{'func.func' op a value of kind tensor cannot be passed}}
  func.func private @h(!cute.tensor<f32, gmem, align<4>, "64:1">) -> f32
}

// -----

// expected-error @+1 {{'cute.static' op is in no function that is lowered (func.func, gpu.func)}}
%0 = cute.static : !cute.shape<"4">
