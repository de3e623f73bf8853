// Ops that are no operands: what is wrong, and where.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m) {
  // expected-error @+1 {{'cute.get_scalars' gives 2 values; name them before the expression}}
  %n = 1 + cute.get_scalars(cute.get_shape(%A))
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'cute.warp_sync' gives no value}}
  %n = 1 + cute.warp_sync
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{unknown operation 'cute.sizee'; did you mean 'cute.size'?}}
  %n = %i + cute.sizee(%i)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'cute.get_shape' op operand #0 (x) must be tile or layout or composed_layout or tensor or coord_tensor, not f32}}
  %n = cute.size(cute.get_shape(%x))
  return
}

// -----

// An error in one statement leaves the next as they are.
!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m, %i: i32) {
  // expected-error @+1 {{'>>' of i32 depends on the sign}}
  %n = cute.thread_idx >> 5
  // expected-error @+1 {{expressions take index, i1, i8 to i64, floats and vectors of them, not !cute.shape<"(?,?)">}}
  %k = cute.get_shape(%A) + 5
  // expected-error @+1 {{'cute.load' op coordinate (?,0,0) does not match the rank of shape (?,?)}}
  %x = %A[%i,0,0] + 1.0
  // expected-error @+1 {{an expression in a literal is of type i32, i64 or index}}
  %y = %A[%A[0,0],0] + 1.0
  // expected-error @+1 {{'+' of f32 and i32}}
  %A[%i] = %A[%i] + %i
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'cute.store' op operand #1 (tensor) must be tensor, not i32}}
  %i[0] = i32(1)
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m) {
  // expected-error @+1 {{'1.5' cannot be of type i32}}
  %z = cute.thread_idx + 1.5
  // expected-error @+1 {{'cute.static' cannot infer its result type; write it after ':'}}
  cute.print_tensor(cute.static)
  return
}
