// What functions cannot pass is said where it stands; nothing is left silently.
// RUN: cute-opt %s --cute-to-base --split-input-file --verify-diagnostics

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

// expected-error @+1 {{'cute.static' op is in no function that is lowered (func.func, gpu.func)}}
%0 = cute.static : !cute.shape<"4">
