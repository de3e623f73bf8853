// print takes one value that has a text; print_tensor a tensor of numbers.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @print(%a: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{'cute.print' op operand #0 (value) must be int_tuple or shape or stride or coord or tile or layout or composed_layout or swizzle or ptr or tensor or coord_tensor or struct, not !cute.mma_atom<}}
  cute.print(%a)
  return
}

// -----
func.func @print(%a: !cute.layout<"4:1">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{'cute.print' op expected 1 operands, found 2}}
  cute.print(%a, %b)
  return
}

// -----
func.func @print() {
  // expected-error @+1 {{'cute.print' op expected 1 operands, found 0}}
  cute.print()
  return
}

// -----

func.func @print_result(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{results}}
  "cute.print"(%l) : (!cute.layout<"4:1">) -> i32
  return
}

// -----

func.func @value_without_type(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{the type of '%x' is not known here}}
  cute.print(%x)
  return
}
// -----

func.func @odd_integer(%a: i7) {
  // expected-error @+1 {{'cute.print_value' op i7 cannot be printed; integers of up to 64 bits, f16, bf16, tf32, f32 and f64 can}}
  cute.print_value(%a)
  return
}

// -----

func.func @small_float(%t: !cute.tensor<f8E4M3FN, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{'cute.print_tensor' op f8E4M3FN cannot be printed; integers of up to 64 bits, f16, bf16, tf32, f32 and f64 can, and cute.convert makes these of others}}
  cute.print_tensor(%t)
  return
}

// -----

func.func @layout_as_tensor(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (tensor) must be tensor or coord_tensor, not !cute.layout<"4:1">}}
  cute.print_tensor(%l)
  return
}

// -----

func.func @number(%x: f32) {
  // expected-error @+1 {{or coord_tensor or struct, not f32}}
  cute.print(%x)
  return
}

// -----

func.func @value_of_dialect(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (value) must be an integer or float, not !cute.layout<"4:1">}}
  cute.print_value(%l)
  return
}
