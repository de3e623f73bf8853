// What functions cannot pass is reported at its place; nothing is left silently.
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

func.func @given(%n: i32) {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op gives a value of the cute dialect}}
  %s = builtin.unrealized_conversion_cast %n : i32 to !cute.shape<"?">
  return
}
