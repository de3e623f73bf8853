// What functions cannot pass is said where it stands; nothing is left silently.
// RUN: cute-opt %s --cute-to-base --allow-unregistered-dialect --split-input-file --verify-diagnostics

// An op that may do anything with its operands.
func.func @unknown(%s: !cute.shape<"?">) {
  // expected-error @+1 {{'test.use' op takes a value of the cute dialect, which cannot be lowered; pass its integers}}
  "test.use"(%s) : (!cute.shape<"?">) -> ()
  return
}

// -----

// A region that may be entered with anything.
func.func @region() {
  // expected-error @+1 {{'test.region' op has a block that takes a value of the cute dialect}}
  "test.region"() ({
  ^bb0(%s: !cute.shape<"?">):
    "test.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

// Memory cannot be passed on.
func.func @pointer(%p: !llvm.ptr, %b: i1) {
  cf.br ^bb1
// expected-error @-2 {{'func.func' op a value of kind ptr cannot be passed on}}
^bb1:
  return
^bb2(%t: !cute.ptr<f32, gmem, align<4>>):
  return
}

// -----

func.func @given(%n: i32) {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op gives a value of the cute dialect}}
  %s = builtin.unrealized_conversion_cast %n : i32 to !cute.shape<"?">
  return
}

// -----

// expected-error @+1 {{'func.func' op a value of kind tensor cannot be passed on; kernels (gpu.func) take tensors}}
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
