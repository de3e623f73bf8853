// What has no integers to compute with is said where it stands.
// RUN: cute-opt %s --cute-expand-ops --split-input-file --verify-diagnostics

func.func @narrow(%s: !cute.shape<"(?{i16},2)">) -> !cute.shape<"?{i16}"> {
  // expected-error @+1 {{'cute.get_scalars' op no i32 or i64 can hold the leaf ?{i16}}}
  %0 = cute.get<[0]> (%s) : !cute.shape<"(?{i16},2)"> -> !cute.shape<"?{i16}">
  return %0 : !cute.shape<"?{i16}">
}

// -----

func.func @counts(%a: !cute.shape<"(?,2)">, %b: !cute.shape<"?">) -> i1 {
  // expected-error @+1 {{'cute.equal' op cannot compare 2 integers with 1}}
  %0 = cute.equal(%a, %b) : (!cute.shape<"(?,2)">, !cute.shape<"?">) -> i1
  return %0 : i1
}

// -----

func.func @underscore(%a: !cute.coord<"(?,_)">, %b: !cute.coord<"(4,2)">) -> i1 {
  // expected-error @+1 {{'cute.elem_less' op elem_less: _ has no value to compare in (?,_) and (4,2)}}
  %0 = cute.elem_less(%a, %b) : (!cute.coord<"(?,_)">, !cute.coord<"(4,2)">) -> i1
  return %0 : i1
}
