// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%i: i32) {
  // expected-error @+1 {{'f32' of i32 depends on the sign}}
  vector.print f32(%i) : f32
  // expected-error @+1 {{'%nope' is not defined above}}
  vector.print %nope + 1 : f32
  // expected-error @+1 {{'1.5' cannot be of type i32}}
  %q = gpu.subgroup_reduce add %i + 1.5 : (i32) -> i32
  return
}

// -----

func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{unknown operation 'cute.siz'; did you mean 'cute.size'?}}
  return cute.siz(%x) : f32
}

// -----

// A number is one only where a row says so.
func.func @f(%x: f32) {
  // expected-error @+1 {{expected operation name in quotes}}
  vector.print 1.0 : f32
  return
}
