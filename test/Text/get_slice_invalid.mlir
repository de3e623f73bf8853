// Slices that are none.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy) {
  // expected-error @+1 {{'0.5' cannot be of type i32}}
  %t = cute.get_slice(%c, 0.5)
  return
}

// -----

func.func @f(%x: f32, %i: i32) {
  // expected-error @+1 {{get_slice takes a tiled copy or a tiled MMA, not f32}}
  %t = cute.get_slice(%x, %i)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{get_slice takes a tiled copy or a tiled MMA, not a value of unknown type}}
  %t = cute.get_slice(%c, %i)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy, %i: i32) {
  // expected-error @+1 {{get_slice gives one name to a thread's part: %t = cute.get_slice(%copy, %thread)}}
  cute.get_slice(%c, %i)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy, %i: i32) {
  // expected-error @+1 {{get_slice gives one name}}
  %t:2 = cute.get_slice(%c, %i)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy, %i: i32) {
  %t = cute.get_slice(%c, %i)
  // expected-error @+1 {{'%t' is a slice already}}
  %u = cute.get_slice(%t, %i)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy, %i: i32) {
  // expected-error @+1 {{'%c' is the name of two values}}
  %c = cute.get_slice(%c, %i)
  return
}

// -----

// The name is no value: other dialects have no operand of it.
!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy, %i: i32) -> !copy {
  %t = cute.get_slice(%c, %i)
  // expected-error @+2 {{use of undeclared SSA value name}}
  // expected-error @+1 {{'%t' is a name that cute.get_slice gives to a copy or MMA and a thread, for ops that partition; pass these two on}}
  return %t : !copy
}

// -----

// A name that is redefined is no longer a slice.
!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
func.func @f(%c: !copy, %i: i32) {
  %t = cute.get_slice(%c, %i)
  return
}
func.func @g(%t: !copy, %g: !cute.tensor<f16, gmem, align<16>, "(64,128):(128,1)">) {
  // expected-error @+1 {{'cute.partition_s' op}}
  %s = cute.partition_s(%t, %g)
  return
}
