// static takes nothing and gives a wholly static value of the dialect.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @static() {
  // expected-error @+1 {{'cute.static' op the result type must hold the whole value, but has dynamic parts}}
  %r = cute.static : !cute.layout<"(?,8):(8,1)">
  return
}

// -----
func.func @static() {
  // expected-error @+1 {{must hold the whole value}}
  %r = cute.static : !cute.coord<"(_,?{i64})">
  return
}

// -----
func.func @static() {
  // expected-error @+1 {{must hold the whole value}}
  %r = cute.static : !cute.composed_layout<"S<2,1,3> o ? o 8:1">
  return
}

// -----
func.func @static() {
  // expected-error @+1 {{must hold the whole value}}
  %r = cute.static : !cute.coord_tensor<"(0,?)", "(8,4):(1@0,1@1)">
  return
}

// -----
func.func @static() {
  // expected-error @+1 {{'i32'}}
  %r = cute.static : i32
  return
}

// -----
func.func @static() {
  // expected-error @+1 {{!cute.ptr<f32, gmem, align<16>>}}
  %r = cute.static : !cute.ptr<f32, gmem, align<16>>
  return
}

// -----

func.func @result_type_left_out() {
  // expected-error @+1 {{'cute.static' cannot infer its result type}}
  %r = cute.static
  return
}

// -----

func.func @static_operand(%i: i32) {
  // expected-error @+1 {{0 operands}}
  %r = "cute.static"(%i) : (i32) -> !cute.shape<"4">
  return
}

// -----

func.func @relation(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{'cute.static_assert' op attribute 'relation' is "equal", "congruent", "weakly_congruent", "compatible", "divisible", "less" or "less_equal", not "same"}}
  cute.static_assert<"same"> (%l, %l)
  return
}

// -----

func.func @unknown(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{assertion failed: 16 rows: !cute.shape<"(128,?{div=8})"> is not known to be divisible by !cute.int_tuple<"16">}}
  cute.static_assert<"divisible", "16 rows"> (%s, 16)
  return
}

// -----

func.func @no_multiple(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{assertion failed: !cute.int_tuple<"(8,12)"> is not divisible by !cute.int_tuple<"8">}}
  cute.static_assert<"divisible"> ((8,12), 8)
  return
}

// -----

func.func @zero(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not divisible by !cute.int_tuple<"0">}}
  cute.static_assert<"divisible"> (8, 0)
  return
}

// -----

func.func @equal(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not equal to}}
  cute.static_assert<"equal"> (%l, (4,8):(1,4))
  return
}

// -----

func.func @equal_unknown(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not known to be equal to}}
  cute.static_assert<"equal"> (%d, (4,8):(8,1))
  return
}

// -----

func.func @congruent(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not congruent to}}
  cute.static_assert<"congruent"> (%d, (1,(2,3)))
  return
}

// -----

func.func @weakly(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not weakly congruent to}}
  cute.static_assert<"weakly_congruent"> ((1,2), 5)
  return
}

// -----

func.func @compatible(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not compatible with}}
  cute.static_assert<"compatible"> (31, %l)
  return
}

// -----

func.func @compatible_unknown(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not known to be compatible with}}
  cute.static_assert<"compatible"> (32, %d)
  return
}

// -----

func.func @less(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not less than}}
  cute.static_assert<"less"> ((1,3), (2,3))
  return
}

// -----

func.func @less_equal(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not less than or equal to}}
  cute.static_assert<"less_equal"> ((1,3), 2)
  return
}

// -----

func.func @rank(%s: !cute.shape<"(128,?{div=8})">, %l: !cute.layout<"(4,8):(8,1)">, %d: !cute.layout<"(4,?):(?,1)">) {
  // expected-error @+1 {{is not less than}}
  cute.static_assert<"less"> ((1,3), (2,3,4))
  return
}
