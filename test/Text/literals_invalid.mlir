// Literals that are none, or none that the operand can be.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%m: i32, %x: f32) {
  // expected-error @+1 {{'%x' is not an integer; literals take integers: i32, i64, index, or a scalar int_tuple}}
  %s = cute.make_layout((4,%x), 1)
  return
}

// -----

func.func @f(%s: !cute.int_tuple<"(4,5)">) {
  // expected-error @+1 {{'%s' is not an integer}}
  cute.print((4,%s))
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+2 {{expected ',' or ')' before this}}
  cute.print((%i,4)
  %0 = cute.static : !cute.shape<"4">
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'%q' is not defined above}}
  cute.print((%q,4))
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{a literal has no '?'; write the value, such as %n, in its place}}
  %s = cute.make_layout((4,?), (1,4))
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{a literal has no '?'}}
  %s = cute.size(!cute.layout<"?:1">)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'cute.make_layout' op layout: shape (4,8) is not congruent to stride (1,4,5)}}
  %s = cute.make_layout((4,8), (1,4,5))
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{no ',' or ')' ends this literal}}
  %s = cute.make_layout((4,8, 1
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{operand 'shape' cannot be the layout '4:3'; write a value such as %x}}
  %s = cute.make_layout(4:3, 4)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{operand 'shape' cannot be of this type}}
  %s = cute.make_layout(!cute.layout<"4:1">, 4)
  return
}

// -----

func.func @f(%m: i32) {
  // expected-error @+1 {{a layout with values in it is made by make_layout}}
  %s = cute.size((4,%m):(1,4))
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expected an integer}}
  %s = cute.size((4,,4))
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,8):(8,1)">) {
  // expected-error @+1 {{'cute.slice' op}}
  %s = cute.size(%l[_,_,0])
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,8):(8,1)">) {
  // expected-error @+1 {{no ']' ends this}}
  %s = cute.size(%l[_,0)
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{operand #0 (x) must be}}
  %s = cute.size(%n[_,0])
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,8):(8,1)">) {
  // A tuple in a tile would be a layout, and CuTe divides by it mode by mode.
  // expected-error @+1 {{operand 'tiler' cannot be the coord '(_,(2,4))'}}
  %s = cute.logical_divide(%l, (_,(2,4)))
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{this literal is !cute.int_tuple<"1">, not i32: name a value before, such as '%x = 1 : i32'}}
  %a = cute.make_int_tuple(1) : (i32) -> !cute.int_tuple<"?">
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, gmem, align<4>, "(4,8):(8,1)">, %at: !cute.coord<"(?,?)">, %x: f32) {
  // expected-error @+1 {{'%at' is a whole coordinate, an operand by itself as in cute.load(%t, %at); literals take integers}}
  %t[%at] = %x
  return
}

// -----

func.func @f(%t: !cute.tensor<f32, gmem, align<4>, "(4,8):(8,1)">, %i: i32) {
  // expected-error @+1 {{'1.5' cannot be of type i32}}
  %x = cute.load(%t, (%i,1.5))
  return
}
