// Shapes of vectors that the text does not tell.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%v: vector<8xf32>) {
  // expected-error @+1 {{the shape of '%v' is not known here; write it, as in cute.slice_vector<"(8,4)", "(_,0)">}}
  %s = cute.slice_vector<"(_,1)"> (%v)
  return
}

// -----

// Ops of other dialects may take any elements.
func.func @f(%t: !cute.tensor<f32, rmem, align<16>, "(8,4):(1,8)">) {
  %v = cute.load_vector(%t)
  %w = vector.shuffle %v, %v [31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<32xf32>, vector<32xf32>
  // expected-error @+1 {{the shape of '%w' is not known here}}
  cute.print_value(%w[0,0])
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, rmem, align<16>, "(8,4):(1,8)">, %i: i32) {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{the coordinate of a vector's elements is static; slice the tensor that it is loaded from}}
  cute.print_value(%v[%i,0])
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, rmem, align<16>, "(8,4):(1,8)">) {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{(8,0) is outside of the shape (8,4)}}
  cute.print_value(%v[8,0])
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, rmem, align<16>, "(8,4):(1,8)">) {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{(0,0,0) does not match the shape (8,4)}}
  %s = cute.slice_vector<"(0,0,0)"> (%v)
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, rmem, align<16>, "(8,4):(1,8)">) {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{expected a coordinate, such as [_,0]}}
  cute.print_value(%v[])
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected a vector}}
  %s = cute.slice_vector<"(0,0,0)"> ()
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, rmem, align<16>, "(8,4):(1,8)">) {
  %v = cute.load_vector(%t)
  // expected-error @+1 {{no ']' ends this}}
  cute.print_value(%v[8,0)
  return
}

// -----

func.func @brackets(%v: vector<32xf32>) {
  // expected-error @+1 {{a slice in brackets is an operand of the dialect's ops; name it before others: %s = cute.slice_vector<"(_,0)"> (%v), or cute.slice of a tensor}}
  %s = arith.addf %v[_,0], %v : vector<8xf32>
  return
}
