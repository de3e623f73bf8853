// Expressions that are none: what is wrong, where, and what to write.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%i: i32, %n: i32) {
  // expected-error @+1 {{'/' of i32 depends on the sign; write '/s' for signed integers, '/u' for unsigned ones}}
  %z = %i / %n
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'mod' of i32 depends on the sign; write 'mods' for signed integers, 'modu' for unsigned ones}}
  %z = %i mod 4
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'>>' of i32 depends on the sign; write '>>s' for signed integers, '>>u' for unsigned ones}}
  %z = %i >> 1
  return
}

// -----

func.func @f(%i: i32, %n: i32) {
  // expected-error @+1 {{'<' of i32 depends on the sign; write '<s' for signed integers, '<u' for unsigned ones}}
  %z = %i < %n
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'max' of i32 depends on the sign; write 'maxs' for signed integers, 'maxu' for unsigned ones}}
  %z = max(%i, 0)
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'/u' takes integers, not f32}}
  %z = %x /u %y
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{'&' takes integers, not f32}}
  %z = %x & %y
  return
}

// -----

func.func @f(%i: i32, %x: f32) {
  // expected-error @+1 {{'+' of f32 and i32; convert one, as by i32(...)}}
  %z = %x + %i
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'1.5' cannot be of type i32}}
  %z = %i + 1.5
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{the number has no type; write it after the number, as in 1 : i32}}
  %z = 5
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{the operands of '+' are numbers without a type; give one its type, as in i32(1) or f32(1.0)}}
  %z = 1 + 2
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'%z' would be another name of '%i'; use that}}
  %z = %i
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'true' cannot be of type f32}}
  %z = %x + true
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m) {
  // expected-error @+1 {{expressions take index, i1, i8 to i64, floats and vectors of them, not !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">}}
  %z = %A + 1
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'%foo' is not defined above}}
  %z = %foo + 1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'%i-1' is not known here; names may have a '-' in them: write a space before an operator}}
  %z = %i-1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{an expression has one value}}
  %z, %w = %i + 1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{an expression has one value}}
  %z:2 = %i + 1
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'f32' of i32 depends on the sign; write 'f32s' for signed integers, 'f32u' for unsigned ones}}
  %z = f32(%i)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'i64' of i32 depends on the sign; write 'i64s' for signed integers, 'i64u' for unsigned ones}}
  %z = i64(%i)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'f32(...)' of f32 converts nothing}}
  %z = f32(%x)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{no op converts to bf16 from f16; convert to another type between, such as i32 or f32}}
  %z = bf16(f16(%x))
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+2 {{expected ')' after the expression}}
  %z = %i + (3
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+2 {{expected a value such as %x, a number, or a function such as max(%x, 0), f32(%h) or math.exp2(%x)}}
  %z = %i +
  return
}

// -----

func.func @f(%i: i32, %n: i32) {
  // expected-error @+1 {{'arith.cmpi' is not a function; write an operator, a conversion such as f32(%x), or the op by itself}}
  %z = arith.cmpi(%i, %n)
  return
}

// -----

func.func @f(%i: i32, %n: i32) {
  // expected-error @+1 {{unknown operation 'arith.foo'}}
  %z = arith.foo(%i, %n)
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{math.exp2 takes 1 operand, not 2}}
  %z = math.exp2(%x, %y)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+2 {{custom op 'math.exp2' expected ::mlir::arith::FastMathFlags to be one of: none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast}}
  // expected-error @+1 {{custom op 'math.exp2' failed to parse Arith_FastMathAttr parameter 'value' which is to be a `::mlir::arith::FastMathFlags`}}
  %z = math.exp2<foo>(%x)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'math.exp2' op operand #0 must be floating-point-like, but got 'i32'}}
  %z = math.exp2(%i)
  return
}

// -----

func.func @f(%i: i32, %x: f32, %y: f32) {
  // expected-error @+1 {{the condition is of type i32, not i1}}
  %z = arith.select(%i, %x, %y)
  return
}

// -----

func.func @f(%i: i32, %v: vector<4xf32>) {
  // expected-error @+1 {{'+' of i32 and vector<4xf32>; convert one, as by f32(...)}}
  %z = %v + %i
  return
}

// -----

func.func @f(%v: vector<4xf32>, %h: vector<4xf16>) {
  // expected-error @+1 {{'+' of vector<4xf16> and vector<4xf32>; convert one, as by f32(...)}}
  %z = %v + %h
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'1e' is not a number; write one as 12, 0x1F, 1.5 or 1.5e-3}}
  %z = %x + 1e5
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'4x' is not a number; write one as 12, 0x1F, 1.5 or 1.5e-3}}
  %z = %x + 4x
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{integer constant out of range for attribute}}
  %z = %i + 99999999999
  return
}

// -----

func.func @f(%i: i32, %n: i32) {
  // expected-error @+1 {{'and' takes i1, not i32; write '&' for the bits of integers}}
  %z = %i and %n
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{this is of type f32, not f16}}
  %z = %x : f16
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m) {
  // expected-error @+1 {{a number cannot be of type !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">}}
  %z = 1 : !m
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error @+1 {{the shape of '%v' is not known here; write it, as in cute.slice_vector<"(8,4)", "(_,0)">}}
  %z = %v[0] + 1.0
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{redefinition of SSA value '%x'}}
  %x = %x + 1
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{min takes 2 operands, not 1}}
  %z = min(%x)
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{a function takes at most 3 operands}}
  %z = arith.select(%x, %y, %x, %y)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'foo' is not an operation: operation names begin with their dialect, as in gpu.barrier}}
  %z = foo(%x)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{expected a value such as %x, a number, or a function such as max(%x, 0), f32(%h) or math.exp2(%x)}}
  %z = %x ++ 1
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{this is of type f32, not f64}}
  %z = %x + 1 : f64
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m) {
  // expected-error @+1 {{the number has no type; write it as in i32(1) or f32(1.0)}}
  cute.store(0.0, cute.slice(%A, (_,0)), 0)
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m, %i: i32) {
  // expected-error @+1 {{expected ',': an expression in a tuple begins with no parenthesis; name it before}}
  %z = cute.slice(%A, ((%i + 1) * 2, _))
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m, %x: f32) {
  // expected-error @+1 {{an expression in a literal is of type i32, i64 or index}}
  %z = cute.slice(%A, (%x + 1, _))
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'true' cannot be of type i32}}
  %z = %i + true
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{no op converts to index from f32; convert to another type between, such as i32 or f32}}
  %z = index(%x)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'<' of i32 depends on the sign; write '<s' for signed integers, '<u' for unsigned ones}}
  %z = %i < 3 < 4
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'1.0' cannot be of type i32}}
  %z = 1.0 : i32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'true' cannot be of type f32}}
  %z = not %x
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{arith.select takes 3 operands, not 2}}
  %z = arith.select(%x, %x)
  return
}

// -----

func.func @f(%x: f32, %y: f32) {
  // expected-error @+1 {{a function takes at most 3 operands}}
  %z = math.fma(%x, %y, %x, %y)
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{expressions nest more than 256 deep}}
  %z = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((%x))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
  return
}

// -----

!m = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
func.func @f(%A: !m, %i: i32, %x: f32) {
  // expected-error @+1 {{an expression in a literal is of type i32, i64 or index}}
  cute.store(%x * 2, %A, (0,%i <u 3))
  return
}
