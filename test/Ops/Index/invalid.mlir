// What sizes, coordinates and indices reject, and that the message says why.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @size(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{'cute.size' op get: mode 2 is not in [0, 2)}}
  %r = cute.size<[2]>(%a)
  return
}

// -----
func.func @size(%a: !cute.layout<"(5,6)">) {
  // expected-error @+1 {{mode -1 is not in [0, 2)}}
  %r = cute.size<[-1]>(%a)
  return
}

// -----
func.func @size(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{the path continues after the leaf 5}}
  %r = cute.size<[0, 0, 0]>(%a)
  return
}

// -----
func.func @size(%a: !cute.coord<"(5,6)">) {
  // expected-error @+1 {{operand #0 (x) must be int_tuple or shape or layout or composed_layout or tensor or coord_tensor, not !cute.coord<"(5,6)">}}
  %r = cute.size(%a)
  return
}

// -----
func.func @size(%a: !cute.shape<"(4294967296,4294967296)">) {
  // expected-error @+1 {{4294967296 * 4294967296 overflows 64 bits}}
  %r = cute.size(%a)
  return
}

// -----
func.func @size(%a: !cute.shape<"(5,x)">) {
  // expected-error @+1 {{not an integer: x}}
  %r = cute.size(%a)
  return
}

// -----
func.func @size(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{expected '[' before the mode numbers}}
  %r = cute.size<>(%a)
  return
}

// -----
func.func @size(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{expected a 32-bit integer}}
  %r = cute.size<x>(%a)
  return
}

// -----
func.func @size(%a: !cute.shape<"(4,?)">) {
  // expected-error @+1 {{inferred result type !cute.int_tuple<"?"> differs from the written !cute.int_tuple<"?{i64}">}}
  %r = cute.size(%a) : (!cute.shape<"(4,?)">) -> !cute.int_tuple<"?{i64}">
  return
}

// -----
func.func @cosize(%a: !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">) {
  // expected-error @+1 {{'cute.cosize' op cosize: not defined for a layout composed with a layout}}
  %r = cute.cosize(%a)
  return
}

// -----
func.func @cosize(%a: !cute.layout<"(5,6)">) {
  // expected-error @+1 {{mode 2 is not in [0, 2)}}
  %r = cute.cosize<[2]>(%a)
  return
}

// -----
func.func @cosize(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{must be layout or composed_layout or tensor, not !cute.shape<"(5,6)">}}
  %r = cute.cosize(%a)
  return
}

// -----
func.func @cosize(%a: !cute.layout<"4294967296:4294967296">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.cosize(%a)
  return
}

// -----
func.func @tuple_product(%a: !cute.coord<"(5,6)">) {
  // expected-error @+1 {{'cute.tuple_product' op operand #0 (x) must be int_tuple or shape, not !cute.coord<"(5,6)">}}
  %r = cute.tuple_product(%a)
  return
}

// -----
func.func @tuple_product(%a: !cute.int_tuple<"(2,x)">) {
  // expected-error @+1 {{not an integer: x}}
  %r = cute.tuple_product(%a)
  return
}

// -----
func.func @tuple_product(%a: !cute.shape<"(2,3)">) {
  // expected-error @+1 {{inferred result type !cute.shape<"6"> differs from the written !cute.int_tuple<"6">}}
  %r = cute.tuple_product(%a) : (!cute.shape<"(2,3)">) -> !cute.int_tuple<"6">
  return
}

// -----
func.func @tuple_product_each(%a: !cute.stride<"(5,6)">) {
  // expected-error @+1 {{'cute.tuple_product_each' op operand #0 (x) must be int_tuple or shape, not !cute.stride<"(5,6)">}}
  %r = cute.tuple_product_each(%a)
  return
}

// -----
func.func @tuple_product_each(%a: !cute.shape<"((4294967296,4294967296),2)">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.tuple_product_each(%a)
  return
}

// -----
func.func @layout_eval(%a: !cute.coord<"((1),2)">, %b: !cute.layout<"(2,3)">) {
  // expected-error @+1 {{'cute.layout_eval' op coordinate (1) over a single mode of extent 2}}
  %r = cute.layout_eval(%a, %b)
  return
}

// -----
func.func @layout_eval(%a: !cute.coord<"(1,2,3)">, %b: !cute.layout<"(2,3)">) {
  // expected-error @+1 {{coordinate (1,2,3) does not match the rank of shape (2,3)}}
  %r = cute.layout_eval(%a, %b)
  return
}

// -----
func.func @layout_eval(%a: !cute.int_tuple<"(1,2)">, %b: !cute.layout<"(2,3)">) {
  // expected-error @+1 {{operand #0 (coord) must be coord, not !cute.int_tuple<"(1,2)">}}
  %r = cute.layout_eval(%a, %b)
  return
}

// -----
func.func @layout_eval(%a: !cute.layout<"(2,3)">, %b: !cute.coord<"(1,2)">) {
  // expected-error @+1 {{operand #0 (coord) must be coord, not !cute.layout}}
  %r = cute.layout_eval(%a, %b)
  return
}

// -----
func.func @layout_eval(%a: !cute.coord<"4611686018427387904">, %b: !cute.layout<"8:4">) {
  // expected-error @+1 {{4611686018427387904 * 4 overflows 64 bits}}
  %r = cute.layout_eval(%a, %b)
  return
}

// -----
func.func @layout_eval(%a: !cute.coord<"(1,x)">, %b: !cute.layout<"(2,3)">) {
  // expected-error @+1 {{not an integer: x}}
  %r = cute.layout_eval(%a, %b)
  return
}

// -----
func.func @crd2idx(%a: !cute.coord<"(1)">, %b: !cute.shape<"3">) {
  // expected-error @+1 {{'cute.crd2idx' op crd2idx: coordinate (1) is not weakly congruent to shape 3}}
  %r = cute.crd2idx(%a, %b)
  return
}

// -----
func.func @crd2idx(%a: !cute.coord<"(1,2,3)">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{coordinate (1,2,3) is not weakly congruent to shape (3,4)}}
  %r = cute.crd2idx(%a, %b)
  return
}

// -----
func.func @crd2idx(%a: !cute.coord<"5">, %b: !cute.shape<"(0,4)">) {
  // expected-error @+1 {{division by zero}}
  %r = cute.crd2idx(%a, %b)
  return
}

// -----
func.func @crd2idx(%a: !cute.coord<"1">) {
  // expected-error @+1 {{expected 2 operands, found 1}}
  %r = cute.crd2idx(%a)
  return
}

// -----
func.func @idx2crd(%a: !cute.int_tuple<"(7)">, %b: !cute.shape<"7">) {
  // expected-error @+1 {{'cute.idx2crd' op idx2crd: index (7) does not match the rank of shape 7}}
  %r = cute.idx2crd(%a, %b)
  return
}

// -----
func.func @idx2crd(%a: !cute.int_tuple<"(7)">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{index (7) does not match the rank of shape (3,4)}}
  %r = cute.idx2crd(%a, %b)
  return
}

// -----
func.func @idx2crd(%a: !cute.int_tuple<"7">, %b: !cute.shape<"(0,4)">) {
  // expected-error @+1 {{division by zero}}
  %r = cute.idx2crd(%a, %b)
  return
}

// -----
func.func @idx2crd(%a: !cute.coord<"7">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{operand #0 (index) must be int_tuple or an integer or float, not !cute.coord<"7">}}
  %r = cute.idx2crd(%a, %b)
  return
}

// -----
func.func @increment_coord(%a: !cute.coord<"1">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{'cute.increment_coord' op increment_coord: coordinate 1 is not congruent to shape (3,4)}}
  %r = cute.increment_coord(%a, %b)
  return
}

// -----
func.func @increment_coord(%a: !cute.coord<"(1,2,3)">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{coordinate (1,2,3) is not congruent to shape (3,4)}}
  %r = cute.increment_coord(%a, %b)
  return
}

// -----
func.func @increment_coord(%a: !cute.coord<"(1,_)">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{coordinate (1,_)}}
  %r = cute.increment_coord(%a, %b)
  return
}

// -----
func.func @increment_coord(%a: !cute.coord<"9223372036854775807">, %b: !cute.shape<"4">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.increment_coord(%a, %b)
  return
}

// -----
func.func @increment_coord(%a: !cute.coord<"(1,2)">, %b: !cute.shape<"(3,4)">) {
  // expected-error @+1 {{inferred result type !cute.coord<"(2,2)"> differs from the written !cute.coord<"(1,3)">}}
  %r = cute.increment_coord(%a, %b) : (!cute.coord<"(1,2)">, !cute.shape<"(3,4)">) -> !cute.coord<"(1,3)">
  return
}

// -----

func.func @mode_is_no_array(%s: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{'cute.size' op attribute 'mode' must be an array such as array<i32: 1, 0>}}
  %r = "cute.size"(%s) {mode = 1 : i32} : (!cute.shape<"(5,6)">) -> !cute.int_tuple<"6">
  return
}

// -----

func.func @tuple_product_like(%a: !cute.shape<"(2,3)">, %p: !cute.coord<"(0,0,0)">) {
  // expected-error @+1 {{(0,0,0)}}
  %r = cute.tuple_product_like(%a, %p)
  return
}

// -----

func.func @tuple_product_like(%a: !cute.shape<"(4611686018427387904,4)">, %p: !cute.coord<"0">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.tuple_product_like(%a, %p)
  return
}

// -----

func.func @idx2crd_float(%i: i16) {
  %s = cute.static : !cute.shape<"(3,4)">
  // expected-error @+1 {{'cute.idx2crd' op operand #0 must be an i32, i64, index or scalar int_tuple, not i16}}
  %0 = cute.idx2crd(%i, %s)
  return
}

// -----

func.func @bytes_of_layout(%a: !cute.layout<"(5,6)">) {
  // expected-error @+1 {{'cute.size_in_bytes' op the elements of a layout have no type of their own; name one, as in <f16>}}
  %r = cute.size_in_bytes(%a)
  return
}

// -----

func.func @bytes_of_tensor(%a: !cute.tensor<f16, gmem, align<2>, "4:1">) {
  // expected-error @+1 {{a tensor has an element type of its own}}
  %r = cute.size_in_bytes<f32> (%a)
  return
}

// -----

func.func @bytes_of_index(%a: !cute.layout<"(5,6)">) {
  // expected-error @+1 {{'index' is not an element type}}
  %r = cute.size_in_bytes<index> (%a)
  return
}
