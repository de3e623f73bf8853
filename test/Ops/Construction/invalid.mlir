// What the constructors reject, and that the message says why.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @make_shape(%a: i32) {
  // expected-error @+1 {{'cute.make_shape' op the result type has 2 dynamic leaves, but there are 1 operands}}
  %r = cute.make_shape(%a) : (i32) -> !cute.shape<"(?,?)">
  return
}

// -----
func.func @make_shape(%a: i32, %b: i32) {
  // expected-error @+1 {{has 1 dynamic leaves, but there are 2 operands}}
  %r = cute.make_shape(%a, %b) : (i32, i32) -> !cute.shape<"(?,8)">
  return
}

// -----
func.func @make_shape(%a: i64) {
  // expected-error @+1 {{operand #0 of type i64 cannot fill the dynamic leaf ?; it takes an i32}}
  %r = cute.make_shape(%a) : (i64) -> !cute.shape<"(?,8)">
  return
}

// -----
func.func @make_shape(%a: i32, %b: i32) {
  // expected-error @+1 {{operand #1 of type i32 cannot fill the dynamic leaf ?{i64}; it takes an i64}}
  %r = cute.make_shape(%a, %b) : (i32, i32) -> !cute.shape<"(?,?{i64})">
  return
}

// -----
func.func @make_shape(%a: index) {
  // expected-error @+1 {{type index cannot fill the dynamic leaf ?{i64}}}
  %r = cute.make_shape(%a) : (index) -> !cute.shape<"?{i64}">
  return
}

// -----
func.func @make_shape(%a: i16) {
  // expected-error @+1 {{type i16 cannot fill the dynamic leaf ?{i16}}}
  %r = cute.make_shape(%a) : (i16) -> !cute.shape<"?{i16}">
  return
}

// -----
func.func @make_shape(%a: !cute.int_tuple<"(?)">) {
  // expected-error @+1 {{int_tuple<"(?)"> cannot fill the dynamic leaf ?}}
  %r = cute.make_shape(%a) : (!cute.int_tuple<"(?)">) -> !cute.shape<"(?,8)">
  return
}

// -----
func.func @make_shape(%a: !cute.int_tuple<"4294967296">) {
  // expected-error @+1 {{int_tuple<"4294967296"> cannot fill the dynamic leaf ?}}
  %r = cute.make_shape(%a) : (!cute.int_tuple<"4294967296">) -> !cute.shape<"?">
  return
}

// -----
func.func @make_shape(%a: !cute.int_tuple<"128">) {
  // expected-error @+1 {{int_tuple<"128"> cannot fill the dynamic leaf ?{i8}}}
  %r = cute.make_shape(%a) : (!cute.int_tuple<"128">) -> !cute.shape<"?{i8}">
  return
}

// -----
func.func @make_shape(%a: !cute.int_tuple<"-32769">) {
  // expected-error @+1 {{int_tuple<"-32769"> cannot fill the dynamic leaf ?{i16}}}
  %r = cute.make_shape(%a) : (!cute.int_tuple<"-32769">) -> !cute.shape<"?{i16}">
  return
}

// -----
func.func @make_shape(%a: i32) {
  // expected-error @+1 {{cute.shape}}
  %r = cute.make_shape(%a) : (i32) -> !cute.coord<"?">
  return
}

// -----
func.func @make_int_tuple(%a: f32) {
  // expected-error @+1 {{f32}}
  %r = cute.make_int_tuple(%a) : (f32) -> !cute.int_tuple<"?">
  return
}

// -----
func.func @make_int_tuple(%a: i32) {
  // expected-error @+1 {{'cute.make_int_tuple' cannot infer its result type; write it after '->'}}
  %r = cute.make_int_tuple(%a)
  return
}

// -----
func.func @make_coord(%a: i32) {
  // expected-error @+1 {{the result type has 0 dynamic leaves, but there are 1 operands}}
  %r = cute.make_coord(%a) : (i32) -> !cute.coord<"(_,_)">
  return
}

// -----
func.func @make_stride(%a: i32) {
  // expected-error @+1 {{stride: leaves must be all integers or all scaled bases and zeros in (?,1@0)}}
  %r = cute.make_stride(%a) : (i32) -> !cute.stride<"(?,1@0)">
  return
}

// -----
func.func @make_stride() {
  // expected-error @+1 {{has 1 dynamic leaves, but there are 0 operands}}
  %r = cute.make_stride() : () -> !cute.stride<"(1@0,?@1)">
  return
}

// -----
func.func @make_tile(%a: i32) {
  // expected-error @+1 {{has 0 dynamic leaves, but there are 1 operands}}
  %r = cute.make_tile(%a) : (i32) -> !cute.tile<"[4:1;_]">
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,8)">, %b: !cute.stride<"1">) {
  // expected-error @+1 {{'cute.make_layout' op layout: shape (4,8) is not congruent to stride 1}}
  %r = cute.make_layout(%a, %b)
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,8)">, %b: !cute.stride<"(1,(4))">) {
  // expected-error @+1 {{shape (4,8) is not congruent to stride (1,(4))}}
  %r = cute.make_layout(%a, %b)
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,0)">, %b: !cute.stride<"(1,4)">) {
  // expected-error @+1 {{an extent must be a positive integer, not 0}}
  %r = cute.make_layout(%a, %b)
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,-2)">, %b: !cute.stride<"(1,4)">) {
  // expected-error @+1 {{an extent must be a positive integer, not -2}}
  %r = cute.make_layout(%a, %b)
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,x)">, %b: !cute.stride<"(1,4)">) {
  // expected-error @+1 {{an extent must be a positive integer, not x}}
  %r = cute.make_layout(%a, %b)
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,8)">, %b: !cute.int_tuple<"(1,4)">) {
  // expected-error @+1 {{operand #1 (stride) must be stride, not !cute.int_tuple<"(1,4)">}}
  %r = cute.make_layout(%a, %b)
  return
}

// -----
func.func @make_layout() {
  // expected-error @+1 {{expected 1 to 2 operands, found 0}}
  %r = cute.make_layout()
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,8)">,
                %b: !cute.stride<"(1,4)">,
                %c: !cute.stride<"(1,4)">) {
  // expected-error @+1 {{expected 1 to 2 operands, found 3}}
  %r = cute.make_layout(%a, %b, %c)
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,8)">, %b: !cute.stride<"(1,4)">) {
  // expected-error @+1 {{inferred result type !cute.layout<"(4,8):(1,4)"> differs from the written !cute.layout<"(4,8):(8,1)">}}
  %r = cute.make_layout(%a, %b) : (!cute.shape<"(4,8)">, !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(8,1)">
  return
}

// -----
func.func @make_layout(%a: !cute.shape<"(4,?)">, %b: !cute.stride<"(1,4)">) {
  // expected-error @+1 {{differs from the written !cute.layout<"(4,?{i64}):(1,4)">}}
  %r = cute.make_layout(%a, %b) : (!cute.shape<"(4,?)">, !cute.stride<"(1,4)">) -> !cute.layout<"(4,?{i64}):(1,4)">
  return
}

// -----
func.func @make_composed_layout(%a: !cute.swizzle<"S<0,4,3>">,
                %b: !cute.int_tuple<"0">,
                %c: !cute.layout<"8:1">) {
  // expected-error @+1 {{'cute.make_composed_layout' op composed layout: a swizzle of 0 bits with offset 0 composes nothing}}
  %r = cute.make_composed_layout(%a, %b, %c)
  return
}

// -----
func.func @make_composed_layout(%a: !cute.swizzle<"S<2,4,3>">,
                %b: !cute.int_tuple<"(0)">,
                %c: !cute.layout<"8:1">) {
  // expected-error @+1 {{a swizzle needs a scalar offset and integer strides, not (0) and 1}}
  %r = cute.make_composed_layout(%a, %b, %c)
  return
}

// -----
func.func @make_composed_layout(%a: !cute.swizzle<"S<2,4,3>">,
                %b: !cute.int_tuple<"0">,
                %c: !cute.layout<"(2,3):(1@0,1@1)">) {
  // expected-error @+1 {{a swizzle needs a scalar offset and integer strides, not 0 and (1@0,1@1)}}
  %r = cute.make_composed_layout(%a, %b, %c)
  return
}

// -----
func.func @make_composed_layout(%a: !cute.layout<"(4,5):(1,4)">,
                %b: !cute.int_tuple<"3">,
                %c: !cute.layout<"(2,3):(1@0,1@1)">) {
  // expected-error @+1 {{offset 3 does not fit the coordinates that B gives, such as (0,0)}}
  %r = cute.make_composed_layout(%a, %b, %c)
  return
}

// -----
func.func @make_composed_layout(%a: !cute.layout<"20:1">,
                %b: !cute.int_tuple<"(1,2)">,
                %c: !cute.layout<"(2,3):(1@0,1@1)">) {
  // expected-error @+1 {{(1,2) is not a coordinate of the shape of A, 20}}
  %r = cute.make_composed_layout(%a, %b, %c)
  return
}

// -----
func.func @make_composed_layout(%a: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">,
                %b: !cute.int_tuple<"0">,
                %c: !cute.layout<"8:1">) {
  // expected-error @+1 {{operand #0 (inner) must be layout or swizzle, not !cute.composed_layout}}
  %r = cute.make_composed_layout(%a, %b, %c)
  return
}

// -----
func.func @make_layout_like(%a: !cute.layout<"(2,3):(1@0,1@1)">) {
  // expected-error @+1 {{'cute.make_layout_like' op make_layout_like: needs integer strides}}
  %r = cute.make_layout_like(%a)
  return
}

// -----
func.func @make_layout_like(%a: !cute.composed_layout<"(8,8):(8,1) o 0 o (4,4):(1,8)">) {
  // expected-error @+1 {{composed at most with a swizzle}}
  %r = cute.make_layout_like(%a)
  return
}

// -----
func.func @make_layout_like(%a: !cute.shape<"(2,3)">) {
  // expected-error @+1 {{operand #0 (layout) must be layout or composed_layout, not !cute.shape<"(2,3)">}}
  %r = cute.make_layout_like(%a)
  return
}

// -----
func.func @make_ordered_layout(%a: !cute.shape<"(2,3)">, %b: !cute.int_tuple<"(0,?)">) {
  // expected-error @+1 {{order (0,?) must be static and weakly congruent to shape (2,3)}}
  %r = cute.make_ordered_layout(%a, %b)
  return
}

// -----
func.func @make_ordered_layout(%a: !cute.shape<"(2,3)">, %b: !cute.int_tuple<"(0,1,2)">) {
  // expected-error @+1 {{order (0,1,2) must be static and weakly congruent to shape (2,3)}}
  %r = cute.make_ordered_layout(%a, %b)
  return
}

// -----
func.func @make_ordered_layout(%a: !cute.shape<"2">, %b: !cute.int_tuple<"(0)">) {
  // expected-error @+1 {{order (0) must be static and weakly congruent to shape 2}}
  %r = cute.make_ordered_layout(%a, %b)
  return
}

// -----
func.func @make_ordered_layout(%a: !cute.shape<"(0,3)">, %b: !cute.int_tuple<"(0,1)">) {
  // expected-error @+1 {{an extent must be a positive integer, not 0}}
  %r = cute.make_ordered_layout(%a, %b)
  return
}

// -----
func.func @make_ordered_layout(%a: !cute.shape<"(4294967296,4294967296,2)">,
                %b: !cute.int_tuple<"(0,1,2)">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.make_ordered_layout(%a, %b)
  return
}

// -----
func.func @make_identity_layout(%a: !cute.shape<"(0,3)">) {
  // expected-error @+1 {{'cute.make_identity_layout' op layout: an extent must be a positive integer, not 0}}
  %r = cute.make_identity_layout(%a)
  return
}

// -----
func.func @make_identity_layout(%a: !cute.layout<"(2,3)">) {
  // expected-error @+1 {{operand #0 (shape) must be shape, not !cute.layout<"(2,3):(1,2)">}}
  %r = cute.make_identity_layout(%a)
  return
}

// -----

func.func @concatenate() {
  // expected-error @+1 {{'cute.concatenate' op needs at least one layout}}
  %r = cute.concatenate()
  return
}

// -----

func.func @concatenate_kinds(%a: !cute.layout<"4:1@0">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{'cute.concatenate' op }}
  %r = cute.concatenate(%a, %b)
  return
}

// -----

func.func @make_layout_tv(%a: !cute.layout<"(4,8):(16,1)">, %b: !cute.layout<"(2,2):(1,2)">) {
  // expected-error @+1 {{'cute.make_layout_tv' op the layout of threads is not compact: its size is 32, its cosize 56}}
  %r:2 = cute.make_layout_tv(%a, %b)
  return
}
