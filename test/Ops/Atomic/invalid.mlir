// What atomic operations reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @kind(%p: !cute.ptr<i32, gmem, align<4>>, %v: i32) {
  // expected-error @+1 {{'cute.atomic_rmw' op attribute 'kind' is "add", "min", "max", "and", "or", "xor" or "exch", not "sub"}}
  %0 = cute.atomic_rmw<"sub"> (%v, %p)
  return
}

// -----

func.func @order(%p: !cute.ptr<i32, gmem, align<4>>, %v: i32) {
  // expected-error @+1 {{'cute.atomic_cas' op attribute 'sem' is "relaxed", "acquire", "release" or "acq_rel", not "seq_cst"}}
  %0 = cute.atomic_cas<"seq_cst">(%v, %v, %p)
  return
}

// -----

func.func @scope(%p: !cute.ptr<i32, gmem, align<4>>, %v: i32) {
  // expected-error @+1 {{attribute 'scope' is "cta", "cluster", "gpu" or "sys", not "block"}}
  %0 = cute.atomic_rmw<"add", "relaxed", "block"> (%v, %p)
  return
}

// -----

func.func @no_kind(%p: !cute.ptr<i32, gmem, align<4>>, %v: i32) {
  // expected-error @+1 {{requires attribute 'kind'}}
  %0 = cute.atomic_rmw(%v, %p)
  return
}

// -----

func.func @registers(%t: !cute.tensor<i32, rmem, align<16>, "4:1">, %c: !cute.coord<"1">, %v: i32) {
  // expected-error @+1 {{no other threads see !cute.tensor<i32, rmem, align<16>, "4:1">; atomic operations are on gmem, smem and dsmem}}
  %0 = cute.atomic_rmw<"add"> (%v, %t, %c)
  return
}

// -----

func.func @pointer_coord(%p: !cute.ptr<i32, gmem, align<4>>, %c: !cute.coord<"1">, %v: i32) {
  // expected-error @+1 {{a pointer takes no coordinate: it points to the element (cute.add_offset)}}
  %0 = cute.atomic_rmw<"add"> (%v, %p, %c)
  return
}

// -----

func.func @swizzled_pointer(%p: !cute.ptr<i32, smem, align<1024>, S<3,4,3>>, %v: i32) {
  // expected-error @+1 {{the swizzle of the pointer moves the element elsewhere; make a tensor of it}}
  %0 = cute.atomic_rmw<"add"> (%v, %p)
  return
}

// -----

func.func @no_coord(%t: !cute.tensor<i32, gmem, align<4>, "4:1">, %v: i32) {
  // expected-error @+1 {{a tensor takes the coordinate of one element}}
  %0 = cute.atomic_rmw<"add"> (%v, %t)
  return
}

// -----

func.func @underscore(%t: !cute.tensor<i32, gmem, align<4>, "(4,2)">, %c: !cute.coord<"(_,1)">, %v: i32) {
  // expected-error @+1 {{the coordinate of an element has no _: (_,1)}}
  %0 = cute.atomic_rmw<"add"> (%v, %t, %c)
  return
}

// -----

func.func @value(%p: !cute.ptr<i32, gmem, align<4>>, %v: i64) {
  // expected-error @+1 {{a value of type i64 does not go with the elements of the memory}}
  %0 = cute.atomic_rmw<"add"> (%v, %p)
  return
}

// -----

func.func @values(%p: !cute.ptr<i32, gmem, align<4>>, %v: i32, %w: i64) {
  // expected-error @+1 {{the new value must have the type of the one to compare with, unlike i64}}
  %0 = cute.atomic_cas(%v, %w, %p)
  return
}

// -----

func.func @float_min(%p: !cute.ptr<f32, gmem, align<4>>, %v: f32) {
  // expected-error @+1 {{no atomic min of f32 exists; valid are integers of 32 and 64 bits}}
  %0 = cute.atomic_rmw<"min"> (%v, %p)
  return
}

// -----

func.func @small(%p: !cute.ptr<i16, gmem, align<4>>, %v: i16) {
  // expected-error @+1 {{no atomic add of i16 exists; valid are integers of 32 and 64 bits, f16, bf16, f32, f64, and vectors of two f16 or bf16}}
  %0 = cute.atomic_rmw<"add"> (%v, %p)
  return
}

// -----

func.func @exchanged_pair(%p: !cute.ptr<f16, gmem, align<4>>, %v: vector<2xf16>) {
  // expected-error @+1 {{no atomic exch of two f16 exists; valid are integers of 32 and 64 bits, f32 and f64}}
  %0 = cute.atomic_rmw<"exch"> (%v, %p)
  return
}

// -----

func.func @swapped_bytes(%p: !cute.ptr<i8, gmem, align<4>>, %v: i8) {
  // expected-error @+1 {{no atomic cas of i8 exists; valid are integers of 32 and 64 bits, all types of 16 bits, f32 and f64}}
  %0 = cute.atomic_cas(%v, %v, %p)
  return
}

// -----

func.func @odd_pair(%t: !cute.tensor<f16, gmem, align<4>, "8:1">, %c: !cute.coord<"?">, %v: vector<2xf16>) {
  // expected-error @+1 {{two elements at once need an address aligned to 4 bytes, which the type does not promise for this one in !cute.tensor<f16, gmem, align<4>, "8:1">; align<4> and ?{div=2} in the coordinate and in dynamic strides promise it}}
  %0 = cute.atomic_rmw<"add"> (%v, %t, %c)
  return
}
