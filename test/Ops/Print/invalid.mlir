// print takes one value that has a text; print_tensor a tensor of numbers.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @print(%a: tensor<4xf32>) {
  // expected-error @+1 {{'cute.print_value' op tensor<4xf32> cannot be printed; values of the dialect can, integers of 1 to 64 bits by powers of two, index, floats, and vectors of these}}
  cute.print_value(%a)
  return
}

// -----
func.func @print(%a: !cute.layout<"4:1">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{'cute.print' op expected 1 operand, found 2}}
  cute.print(%a, %b)
  return
}

// -----
func.func @print() {
  // expected-error @+1 {{'cute.print' op expected 1 operand, found 0}}
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
  // expected-error @+1 {{'%x' is not defined above}}
  cute.print(%x)
  return
}
// -----

func.func @odd_integer(%a: i7) {
  // expected-error @+1 {{'cute.print_value' op i7 cannot be printed; values of the dialect can, integers of 1 to 64 bits}}
  cute.print_value(%a)
  return
}

// -----

func.func @shape_as_tensor(%l: !cute.shape<"4">) {
  // expected-error @+1 {{operand #0 (tensor) must be layout or composed_layout or tensor or coord_tensor, not !cute.shape<"4">}}
  cute.print_tensor(%l)
  return
}

// -----

func.func @value_of_dialect(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{'cute.print_value' op prints numbers and vectors of numbers; print and printf print values of the dialect}}
  cute.print_value(%l)
  return
}

// -----

func.func @few(%x: f32) {
  // expected-error @+1 {{'cute.printf' op the format has 2 {}, but there are 1 values}}
  cute.printf<"{} {}"> (%x)
  return
}

// -----

func.func @many(%x: f32) {
  // expected-error @+1 {{'cute.printf' op the format has 0 {}, but there are 1 values}}
  cute.printf<"%f"> (%x)
  return
}

// -----

func.func @brace(%x: f32) {
  // expected-error @+1 {{'cute.printf' op expected {} or {:.3f} in the format, and {{ or }} for a brace, not '{x}'}}
  cute.printf<"{x}"> (%x)
  return
}

// -----

func.func @closed() {
  // expected-error @+1 {{'cute.printf' op expected {} or {:.3f} in the format, and {{ or }} for a brace, not '}'}}
  cute.printf<"}"> ()
  return
}

// -----

func.func @open(%x: f32) {
  // expected-error @+1 {{'cute.printf' op expected {} or {:.3f} in the format, and {{ or }} for a brace, not '{:'}}
  cute.printf<"{:"> (%x)
  return
}

// -----

func.func @float(%x: i32) {
  // expected-error @+1 {{'cute.printf' op '{:.3f}' does not suit i32; integers take a width and d, u, x or o, as in {:08x}, floats a precision and f, e or g, as in {:.3f}, and others {}}}
  cute.printf<"{:.3f}"> (%x)
  return
}

// -----

func.func @layout(%x: !cute.layout<"4:1">) {
  // expected-error @+1 {{'cute.printf' op '{:4}' does not suit !cute.layout<"4:1">}}
  cute.printf<"{:4}"> (%x)
  return
}

// -----

func.func @string(%x: i64) {
  // expected-error @+1 {{'cute.printf' op '{:s}' does not suit i64}}
  cute.printf<"{:s}"> (%x)
  return
}

// -----

func.func @condition(%x: i32) {
  // expected-error @+1 {{'cute.assert' op operand #0 is the condition, an i1}}
  cute.assert(%x)
  return
}

// -----

func.func @no_condition() {
  // expected-error @+1 {{'cute.assert' op operand #0 is the condition, an i1}}
  cute.assert()
  return
}

// -----

func.func @assertion(%x: i1) {
  // expected-error @+1 {{'cute.assert' op the format has 1 {}, but there are 0 values}}
  cute.assert<"{}"> (%x)
  return
}

// -----

func.func @number(%x: f32) {
  // expected-error @+1 {{'cute.print' op prints values of the dialect, not f32; print_value and printf print numbers}}
  cute.print(%x)
  return
}
