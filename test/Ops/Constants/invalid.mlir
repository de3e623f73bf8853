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
