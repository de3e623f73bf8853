// What element access and elementwise ops reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @coord_with_underscore(%t: !cute.tensor<f32, gmem, align<4>, "(8,4):(1,8)">, %c: !cute.coord<"(1,_)">) {
  // expected-error @+1 {{the coordinate of an element has no _}}
  %v = cute.load(%t, %c)
  return
}

// -----

func.func @coord_of_higher_rank(%t: !cute.tensor<f32, gmem, align<4>, "(8,4):(1,8)">, %c: !cute.coord<"(1,2,3)">) {
  // expected-error @+1 {{coordinate (1,2,3) does not match the rank of shape (8,4)}}
  %v = cute.load(%t, %c)
  return
}

// -----

func.func @coord_of_lower_rank(%t: !cute.tensor<f32, gmem, align<4>, "(8,4):(1,8)">, %c: !cute.coord<"(1)">) {
  // expected-error @+1 {{coordinate (1) does not match the rank of shape (8,4)}}
  %v = cute.load(%t, %c)
  return
}

// -----

func.func @loaded_type(%t: !cute.tensor<f32, gmem, align<4>, "8:1">, %c: !cute.coord<"1">) {
  // expected-error @+1 {{inferred result type f32 differs from the written f16}}
  %v = cute.load(%t, %c) : (!cute.tensor<f32, gmem, align<4>, "8:1">, !cute.coord<"1">) -> f16
  return
}

// -----

func.func @load_of_pointer(%t: !cute.ptr<f32, gmem, align<4>>, %c: !cute.coord<"1">) {
  // expected-error @+1 {{operand #0 (tensor) must be tensor, not !cute.ptr<}}
  %v = cute.load(%t, %c) : (!cute.ptr<f32, gmem, align<4>>, !cute.coord<"1">) -> f32
  return
}

// -----

func.func @stored_type(%x: f16, %t: !cute.tensor<f32, gmem, align<4>, "8:1">, %c: !cute.coord<"1">) {
  // expected-error @+1 {{a value of type f16 cannot go into a tensor of f32}}
  cute.store(%x, %t, %c) : f16, !cute.tensor<f32, gmem, align<4>, "8:1">, !cute.coord<"1">
  return
}

// -----

func.func @store_with_underscore(%x: f32, %t: !cute.tensor<f32, gmem, align<4>, "8:1">, %c: !cute.coord<"_">) {
  // expected-error @+1 {{the coordinate of an element has no _}}
  cute.store(%x, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "8:1">, !cute.coord<"_">
  return
}

// -----

func.func @filled_type(%x: i32, %t: !cute.tensor<f32, rmem, align<4>, "8:1">) {
  // expected-error @+1 {{a value of type i32 cannot go into a tensor of f32}}
  cute.fill(%t, %x) : !cute.tensor<f32, rmem, align<4>, "8:1">, i32
  return
}

// -----

func.func @convert_from_memory(%t: !cute.tensor<f32, smem, align<4>, "8:1">, %f: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{the source must be a tensor in rmem}}
  cute.convert(%t, %f) : !cute.tensor<f32, smem, align<4>, "8:1">, !cute.tensor<f16, rmem, align<16>, "8:1">
  return
}

// -----

func.func @convert_to_memory(%t: !cute.tensor<f32, smem, align<4>, "8:1">, %f: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{the destination must be a tensor in rmem}}
  cute.convert(%f, %t) : !cute.tensor<f16, rmem, align<16>, "8:1">, !cute.tensor<f32, smem, align<4>, "8:1">
  return
}

// -----

func.func @convert_sizes(%t: !cute.tensor<f32, rmem, align<16>, "(4,2):(1,4)">, %f: !cute.tensor<f16, rmem, align<16>, "6:1">) {
  // expected-error @+1 {{the source has 8 elements, the destination 6}}
  cute.convert(%t, %f) : !cute.tensor<f32, rmem, align<16>, "(4,2):(1,4)">, !cute.tensor<f16, rmem, align<16>, "6:1">
  return
}

// -----

func.func @axpby_scalars(%a: f32, %b: f64, %x: !cute.tensor<f32, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{'cute.axpby' op alpha and beta must have one type, not f32 and f64}}
  cute.axpby(%a, %x, %b, %x)
  return
}

// -----

func.func @axpby_scalar_type(%a: !cute.int_tuple<"?">, %b: f32, %x: !cute.tensor<f32, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{operand #0 (alpha) must be an integer or float, not !cute.int_tuple<"?">}}
  cute.axpby(%a, %x, %b, %x)
  return
}

// -----

func.func @axpby_elements(%a: f32, %x: !cute.tensor<i32, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{elements of x, i32, do not go with alpha and beta, f32}}
  cute.axpby(%a, %x, %a, %x)
  return
}

// -----

func.func @axpby_integers(%a: i32, %x: !cute.tensor<i32, rmem, align<16>, "8:1">, %y: !cute.tensor<i64, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{elements of y, i64, do not go with alpha and beta, i32}}
  cute.axpby(%a, %x, %a, %y)
  return
}

// -----

func.func @axpby_sizes(%a: f32, %x: !cute.tensor<f32, rmem, align<16>, "(2,4):(1,2)">, %y: !cute.tensor<f32, gmem, align<4>, "(3,3):(3,1)">) {
  // expected-error @+1 {{x has another size than y: (2,4) and (3,3)}}
  cute.axpby(%a, %x, %a, %y)
  return
}

// -----

func.func @axpby_dynamic(%a: f32, %x: !cute.tensor<f32, rmem, align<16>, "(2,4):(1,2)">, %y: !cute.tensor<f32, gmem, align<4>, "(2,?):(?,1)">) {
  // expected-error @+1 {{y must have a static shape of at most 16384 elements, not (2,?)}}
  cute.axpby(%a, %x, %a, %y)
  return
}

// -----

func.func @axpby_large(%a: f32, %x: !cute.tensor<f32, gmem, align<16>, "(256,128):(1,256)">) {
  // expected-error @+1 {{x must have a static shape of at most 16384 elements, not (256,128)}}
  cute.axpby(%a, %x, %a, %x)
  return
}

// -----

func.func @load_of_coordinates(%t: !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">, %c: !cute.coord<"(1,1)">) {
  // expected-error @+2 {{'cute.load' op operand #0 (tensor) must be tensor, not !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">}}
  // expected-note @+1 {{a coordinate tensor has no memory; its element at a coordinate is cute.get_iter of its cute.slice there}}
  %v = cute.load(%t, %c)
  return
}

// -----

func.func @out_of_bounds(%t: !cute.tensor<f32, gmem, align<4>, "(128,(8,8)):(64,(8,1))">, %i: i32) {
  %inside = cute.static : !cute.coord<"(127,63)">
  %v = cute.load(%t, %inside)
  %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,(7,8))">
  // expected-error @+1 {{coordinate (?,(7,8)) is out of bounds of the shape (128,(8,8))}}
  %w = cute.load(%t, %row)
  return
}

// -----

func.func @store_out_of_bounds(%t: !cute.tensor<f32, gmem, align<4>, "(128,64):(64,1)">, %v: f32) {
  %c = cute.static : !cute.coord<"8192">
  // expected-error @+1 {{coordinate 8192 is out of bounds of the shape (128,64)}}
  cute.store(%v, %t, %c)
  return
}
