// What the ops on pointers reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @narrow_address(%a: i32) {
  // expected-error @+1 {{'cute.make_ptr' op i32 is not an address in gmem; valid are i64, !llvm.ptr and !llvm.ptr<1>}}
  %p = cute.make_ptr(%a) : (i32) -> !cute.ptr<f16, gmem, align<16>>
  return
}

// -----

func.func @other_space(%a: !llvm.ptr<1>) {
  // expected-error @+1 {{!llvm.ptr<1> is not an address in smem; valid are i64, i32, !llvm.ptr and !llvm.ptr<3>}}
  %p = cute.make_ptr(%a) : (!llvm.ptr<1>) -> !cute.ptr<f16, smem, align<16>>
  return
}

// -----

func.func @registers(%a: f64) {
  // expected-error @+1 {{f64 is not an address in rmem; valid are i64, !llvm.ptr}}
  %p = cute.make_ptr(%a) : (f64) -> !cute.ptr<f16, rmem, align<16>>
  return
}

// -----

func.func @address_tuple(%a: !cute.int_tuple<"(?{i64},1)">) {
  // expected-error @+1 {{!cute.int_tuple<"(?{i64},1)"> is not an address in gmem}}
  %p = cute.make_ptr(%a) : (!cute.int_tuple<"(?{i64},1)">) -> !cute.ptr<f16, gmem, align<16>>
  return
}

// -----

func.func @address_of_tensor(%t: !cute.tensor<f32, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{operand #0 (pointer) must be ptr, not !cute.tensor<f32, gmem, align<4>, "4:1">}}
  %p = cute.ptr_to_int(%t)
  return
}

// -----

func.func @offset_tuple(%p: !cute.ptr<f16, gmem, align<16>>, %o: !cute.int_tuple<"(1,?)">) {
  // expected-error @+1 {{operand #1 must be an i32, i64, index or scalar int_tuple, not !cute.int_tuple<"(1,?)">}}
  %q = cute.add_offset(%p, %o)
  return
}

// -----

func.func @offset_result(%p: !cute.ptr<f16, gmem, align<16>>, %o: i32) {
  // expected-error @+1 {{inferred result type !cute.ptr<f16, gmem, align<2>> differs from the written}}
  %q = cute.add_offset(%p, %o) : (!cute.ptr<f16, gmem, align<16>>, i32) -> !cute.ptr<f16, gmem, align<16>>
  return
}

// -----

func.func @recast_space(%p: !cute.ptr<f16, gmem, align<16>>) {
  // expected-error @+1 {{the result must be a pointer to gmem with align<16>, as the operand is}}
  %q = cute.recast_ptr(%p) : (!cute.ptr<f16, gmem, align<16>>) -> !cute.ptr<f16, smem, align<16>>
  return
}

// -----

func.func @recast_align(%p: !cute.ptr<f16, gmem, align<2>>) {
  // expected-error @+1 {{the result must be a pointer to gmem with align<2>, as the operand is; element type and swizzle may differ (cute.assume changes the alignment)}}
  %q = cute.recast_ptr(%p) : (!cute.ptr<f16, gmem, align<2>>) -> !cute.ptr<f32, gmem, align<4>>
  return
}

// -----

func.func @no_pointer(%address: i64) {
  // expected-error@+1 {{expected base type}}
  %p = "cute.make_ptr"(%address) : (i64) -> none
  return
}

// -----

func.func @address_of_bits(%t: !cute.tensor<i4, gmem, align<4>, "8:1">, %c: !cute.coord<"1">) {
  // expected-error @+1 {{'cute.to_llvm_ptr' op elements of i4 share bytes and have no address}}
  %p = cute.to_llvm_ptr(%t, %c)
  return
}

// -----

func.func @address_of_nothing(%t: !cute.tensor<f32, gmem, align<4>, "8:1">) {
  // expected-error @+1 {{'cute.to_llvm_ptr' op a tensor takes the coordinate of one element}}
  %p = cute.to_llvm_ptr(%t)
  return
}

// -----

func.func @address_of_descriptor(%t: !cute.tensor<f16, desc, align<16>, "8:8">, %c: !cute.coord<"1">) {
  // expected-error @+1 {{'cute.to_llvm_ptr' op descriptors are not addresses; use the smem tensor that they describe}}
  %p = cute.to_llvm_ptr(%t, %c)
  return
}

// -----

func.func @address_in_a_map(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %c: !cute.coord<"1">) {
  // expected-error @+1 {{'cute.to_llvm_ptr' op a tensor map has no coordinates; leave them out}}
  %p = cute.to_llvm_ptr(%t, %c) : (!cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, !cute.coord<"1">) -> !llvm.ptr
  return
}
