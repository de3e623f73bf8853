// What the ops on structs reject. The types are in test/IR/types_invalid.mlir.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @missing(%s: !s) {
  // expected-error @+1 {{'cute.struct_member' op the struct has no member 'b'; it is "a: f16 x 512; c: {re: f32}"}}
  %p = cute.struct_member<"b"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @missing_inside(%s: !s) {
  // expected-error @+1 {{the struct has no member 'c.im'}}
  %p = cute.struct_member<"c.im"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @no_struct(%s: !s) {
  // expected-error @+1 {{struct: member a has no members}}
  %p = cute.struct_member<"a.x"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @whole_struct(%s: !s, %l: !cute.layout<"1:1">) {
  // expected-error @+1 {{member c is a struct; give the layout to one of its members, as in "c.x"}}
  %p = cute.struct_member<"c"> (%s, %l)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32} x 4">
func.func @array_of_structs(%s: !s) {
  // expected-error @+1 {{member c is an array of 4 structs; name one, as in "c[0]", or give its number as the operand}}
  %p = cute.struct_member<"c"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32} x 4">
func.func @member_of_array(%s: !s) {
  // expected-error @+1 {{struct: member c is an array of 4 structs; name one, as in "c[0].x"}}
  %p = cute.struct_member<"c.re"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32} x 4">
func.func @beyond_array(%s: !s) {
  // expected-error @+1 {{struct: member c has elements [0] to [3], not [4]}}
  %p = cute.struct_member<"c[4].re"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32} x 4">
func.func @number(%s: !s) {
  // expected-error @+1 {{struct: member a has elements [0] to [511], not [x]}}
  %p = cute.struct_member<"a[x]"> (%s)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32} x 4">
func.func @static_number(%s: !s, %i: !cute.int_tuple<"512">) {
  // expected-error @+1 {{the member has 512 elements, numbered from 0; 512 is out of range}}
  %p = cute.struct_member<"a"> (%s, %i)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @too_large(%s: !s, %l: !cute.layout<"(8,64):(65,1)">) {
  // expected-error @+1 {{the layout takes 519 elements, but member a has 512}}
  %p = cute.struct_member<"a"> (%s, %l)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @dynamic(%s: !s, %l: !cute.layout<"(8,?):(64,1)">) {
  // expected-error @+1 {{the layout of a member must be static, not (8,?):(64,1)}}
  %p = cute.struct_member<"a"> (%s, %l)
  return
}

// -----

!s = !cute.struct<"a: f16 x 512; c: {re: f32}">
func.func @negative(%s: !s, %l: !cute.layout<"(8,64):(64,-1)">) {
  // expected-error @+1 {{strides that are not negative}}
  %p = cute.struct_member<"a"> (%s, %l)
  return
}

// -----

func.func @not_a_struct(%t: !cute.ptr<f32, smem, align<16>>) {
  // expected-error @+1 {{operand #0 (struct) must be struct, not !cute.ptr<f32, smem, align<16>>}}
  %p = cute.struct_member<"a"> (%t)
  return
}

// -----

func.func @not_a_struct_type() {
  // expected-error @+1 {{expected base type 'cute.struct' but got 'cute.ptr'}}
  %s = cute.alloc_struct : !cute.ptr<f32, smem, align<16>>
  return
}

// -----

func.func @alignment(%s: !cute.struct<"a: f16 x 4">) {
  // expected-error @+1 {{it must be an array aligned to one of them}}
  %a = cute.struct_member<"a", f32> (%s)
  return
}

// -----

func.func @elements(%s: !cute.struct<"a: f16 x 3; b: i64 x 2; c: {re: f32}">, %i: i32) {
  // expected-error @+1 {{member a cannot be viewed as elements of f32: it must be an array aligned to one of them, whose size is a multiple of theirs, and without an index}}
  %a = cute.struct_member<"a", f32> (%s)
  return
}

// -----

func.func @elements(%s: !cute.struct<"a: f16 x 3; b: i64 x 2; c: {re: f32}">, %i: i32) {
  // expected-error @+1 {{member c cannot be viewed as elements of f16}}
  %c = cute.struct_member<"c", f16> (%s)
  return
}

// -----

func.func @elements(%s: !cute.struct<"a: f16 x 3; b: i64 x 2; c: {re: f32}">, %i: i32) {
  // expected-error @+1 {{member b cannot be viewed as elements of f32}}
  %b = cute.struct_member<"b", f32> (%s, %i)
  return
}

// -----

func.func @elements(%s: !cute.struct<"a: f16 x 3; b: i64 x 2; c: {re: f32}">, %i: i32) {
  // expected-error @+1 {{the layout takes 5 elements, but member b has 4}}
  %d = cute.struct_member<"b", f32> (%s, 5:1)
  return
}
