// Messages say where types differ, and how to mend what is wrong where that is
// evident.
// RUN: cute-opt %s --split-input-file --verify-diagnostics
// RUN: not cute-opt %s --split-input-file 2>&1 | FileCheck %s
// CHECK: note: without '-> ...' the result type is inferred

func.func @leaf(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+2 {{differs from the written !cute.shape<"(4,?{i64},2)">: mode [1] is ?, not ?{i64}}}
  // expected-note @+1 {{without '-> ...' the result type is inferred}}
  %0 = cute.flatten(%s) : (!cute.shape<"(4,(?,2))">) -> !cute.shape<"(4,?{i64},2)">
  return
}

// -----

func.func @nested(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{mode [1, 1] of the stride is 1@1@1, not 1@2@1}}
  %0 = cute.make_identity_layout(%s) : !cute.shape<"(4,(?,2))"> -> !cute.layout<"(4,(?,2)):(1@0,(1@0@1,1@2@1))">
  return
}

// -----

func.func @profile(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{mode [1] of the shape is (?,2), not (?,2,1)}}
  %0 = cute.make_identity_layout(%s) : !cute.shape<"(4,(?,2))"> -> !cute.layout<"(4,(?,2,1)):(1@0,(1@0@1,1@1@1,1@2@1))">
  return
}

// -----

func.func @whole(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{the shape is (4,(?,2)), not (4,?,2)}}
  %0 = cute.make_identity_layout(%s) : !cute.shape<"(4,(?,2))"> -> !cute.layout<"(4,?,2):(1@0,1@1,1@2)">
  return
}

// -----

func.func @tile(%t: !cute.tile<"[4;[_;2:3]]">) {
  // expected-error @+1 {{mode [2] of the stride is 3, not 4}}
  %0 = cute.flatten(%t) : (!cute.tile<"[4;[_;2:3]]">) -> !cute.tile<"[4;_;2:4]">
  return
}

// -----

func.func @composed(%x: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) {
  // expected-error @+1 {{the offset is 0, not 1}}
  %0 = cute.flatten(%x) : (!cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) -> !cute.composed_layout<"S<2,1,3> o 1 o (8,8):(8,1)">
  return
}

// -----

// Other kinds and unlike tilers have no mode in common.
func.func @kinds(%s: !cute.shape<"(4,5)">) {
  // expected-error @+1 {{differs from the written !cute.int_tuple<"(4,5)">}}
  %0 = cute.flatten(%s) : (!cute.shape<"(4,5)">) -> !cute.int_tuple<"(4,5)">
  return
}

// -----

func.func @tiles(%t: !cute.tile<"[4;[_;2:3]]">) {
  // expected-error @+1 {{inferred result type !cute.tile<"[4:1;_;2:3]"> differs from the written !cute.tile<"[4:1;2:3]">}}
  %0 = cute.flatten(%t) : (!cute.tile<"[4;[_;2:3]]">) -> !cute.tile<"[4;2:3]">
  return
}

// -----

// Which result.
func.func @results(%s: !cute.shape<"(4,5)">) {
  // expected-error @+1 {{'cute.get_leaves' op result #1: inferred result type !cute.shape<"5"> differs from the written !cute.shape<"6">}}
  %0:2 = "cute.get_leaves"(%s) : (!cute.shape<"(4,5)">) -> (!cute.shape<"4">, !cute.shape<"6">)
  return
}

// -----

func.func @count() {
  // expected-error @+1 {{'cute.static' op has 1 result, not 2}}
  %0:2 = "cute.static"() : () -> (!cute.shape<"4">, !cute.shape<"4">)
  return
}

// -----

func.func @none() {
  // expected-error @+1 {{'cute.make_shape' op has 1 result, not 0}}
  cute.make_shape() : () -> ()
  return
}

// -----

// Ops that make the kind that is wanted.
func.func @to_shape(%i: !cute.int_tuple<"4">) {
  // expected-error @+2 {{operand #0 (shape) must be shape, not !cute.int_tuple<"4">}}
  // expected-note @+1 {{cute.to_shape makes !cute.shape of it}}
  %0 = cute.make_identity_layout(%i)
  return
}

// -----

func.func @outer(%x: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) {
  // expected-error @+2 {{operand #0 (layout) must be layout}}
  // expected-note @+1 {{cute.composed_get_outer makes !cute.layout of it}}
  %0 = cute.right_inverse(%x)
  return
}

// -----

func.func @integer(%n: i32) {
  // expected-error @+2 {{must be int_tuple or shape or layout}}
  // expected-note @+1 {{cute.make_int_tuple makes !cute.int_tuple of it}}
  %0 = "cute.size"(%n) : (i32) -> !cute.int_tuple<"4">
  return
}

// -----

// Not of a float, though.
func.func @float(%n: f32) {
  // expected-error @+1 {{must be int_tuple or shape or layout or composed_layout or tensor or coord_tensor, not f32}}
  %0 = "cute.size"(%n) : (f32) -> !cute.int_tuple<"4">
  return
}

// -----

func.func @attribute(%s: !cute.shape<"(4,5)">) {
  // expected-error @+2 {{'cute.select' op requires attribute 'mode'}}
  // expected-note @+1 {{it is an array such as array<i32: 1, 0>}}
  %0 = cute.select (%s) : !cute.shape<"(4,5)"> -> !cute.shape<"(4,5)">
  return
}
