// What ops on vectors reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @load_dynamic(%t: !cute.tensor<f32, gmem, align<4>, "(4,?):(1,4)">) {
  // expected-error @+1 {{a tensor that is a vector must have a static shape, not (4,?)}}
  %v = cute.load_vector(%t)
  return
}

// -----

func.func @load_large(%t: !cute.tensor<f32, gmem, align<4>, "(128,64):(1,128)">) {
  // expected-error @+1 {{a vector has at most 4096 elements, not 8192}}
  %v = cute.load_vector(%t)
  return
}

// -----

func.func @load_bits(%t: !cute.tensor<ui1, gmem, align<4>, "32:1">) {
  // expected-error @+1 {{elements of type ui1 cannot be in a vector}}
  %v = cute.load_vector(%t)
  return
}

// -----

func.func @load_int2(%t: !cute.tensor<ui2, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{elements of type i2 cannot be in a vector}}
  %v = cute.load_vector(%t)
  return
}

// -----

func.func @pad_of_8_bits(%t: !cute.tensor<ui8, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{elements of type i8 cannot be padded with '256'}}
  %v = cute.load_vector<"256">(%t)
  return
}

// -----

func.func @pad_beyond_all_integers(%t: !cute.tensor<i64, gmem, align<8>, "4:1">) {
  // expected-error @+1 {{elements of type i64 cannot be padded with '1e30'}}
  %v = cute.load_vector<"1e30">(%t)
  return
}

// -----

func.func @load_written(%t: !cute.tensor<f32, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{inferred result type vector<4xf32> differs from the written vector<8xf32>}}
  %v = cute.load_vector(%t) : (!cute.tensor<f32, gmem, align<4>, "4:1">) -> vector<8xf32>
  return
}

// -----

func.func @load_pointer(%t: !cute.ptr<f32, gmem, align<4>>) {
  // expected-error @+1 {{operand #0 (tensor) must be tensor, not !cute.ptr}}
  %v = cute.load_vector(%t) : (!cute.ptr<f32, gmem, align<4>>) -> vector<8xf32>
  return
}

// -----

func.func @predicate_type(%t: !cute.tensor<f32, gmem, align<4>, "4:1">, %p: !cute.tensor<i8, rmem, align<4>, "4:1">) {
  // expected-error @+1 {{the predicate must be a tensor of i1 in rmem, not !cute.tensor<i8, rmem}}
  %v = cute.load_vector(%t, %p)
  return
}

// -----

func.func @predicate_space(%t: !cute.tensor<f32, gmem, align<4>, "4:1">, %p: !cute.tensor<i1, smem, align<4>, "4:1">) {
  // expected-error @+1 {{the predicate must be a tensor of i1 in rmem, not !cute.tensor<i1, smem}}
  %v = cute.load_vector(%t, %p)
  return
}

// -----

func.func @predicate_size(%t: !cute.tensor<f32, gmem, align<4>, "(4,2):(1,4)">, %p: !cute.tensor<i1, rmem, align<4>, "3:1">) {
  // expected-error @+1 {{the predicate has 3 elements, which do not divide the tensor's 8}}
  %v = cute.load_vector(%t, %p)
  return
}

// -----

func.func @stored_size(%v: vector<6xf32>, %t: !cute.tensor<f32, gmem, align<4>, "(4,2):(1,4)">) {
  // expected-error @+1 {{a vector of 6 x f32 cannot go into a tensor of 8 x f32}}
  cute.store_vector(%v, %t) : vector<6xf32>, !cute.tensor<f32, gmem, align<4>, "(4,2):(1,4)">
  return
}

// -----

func.func @stored_type(%v: vector<8xf16>, %t: !cute.tensor<f32, gmem, align<4>, "(4,2):(1,4)">) {
  // expected-error @+1 {{a vector of 8 x f16 cannot go into a tensor of 8 x f32}}
  cute.store_vector(%v, %t)
  return
}

// -----

func.func @stored_predicate(%v: vector<8xf32>, %t: !cute.tensor<f32, gmem, align<4>, "(4,2):(1,4)">, %p: !cute.tensor<i1, rmem, align<4>, "3:1">) {
  // expected-error @+1 {{the predicate has 3 elements, which do not divide the tensor's 8}}
  cute.store_vector(%v, %t, %p)
  return
}

// -----

func.func @scalar(%v: f32) {
  // expected-error @+1 {{operand #0 must be a vector of rank 1, such as vector<8xf32>, not f32}}
  %r = cute.slice_vector<"1", "0"> (%v)
  return
}

// -----

func.func @rank_2(%v: vector<2x4xf32>) {
  // expected-error @+1 {{operand #0 must be a vector of rank 1, such as vector<8xf32>, not vector<2x4xf32>}}
  %r = cute.slice_vector<"(2,4)", "(0,_)"> (%v)
  return
}

// -----

func.func @scalable(%v: vector<[4]xf32>) {
  // expected-error @+1 {{operand #0 must be a vector of rank 1, such as vector<8xf32>, not vector<[4]xf32>}}
  %r = cute.slice_vector<"4", "_"> (%v)
  return
}

// -----

func.func @of_index(%v: vector<4xindex>) {
  // expected-error @+1 {{operand #0 must be a vector of rank 1, such as vector<8xf32>, not vector<4xindex>}}
  %r = cute.slice_vector<"4", "_"> (%v)
  return
}

// -----

func.func @of_tensor(%v: !cute.tensor<f32, rmem, align<16>, "4:1">) {
  // expected-error @+1 {{operand #0 must be a vector of rank 1, such as vector<8xf32>, not !cute.tensor}}
  %r = cute.slice_vector<"4", "_"> (%v)
  return
}

// -----

func.func @slice_size(%v: vector<8xf32>) {
  // expected-error @+1 {{a vector of 8 elements cannot have the 12 of the shape (4,3)}}
  %r = cute.slice_vector<"(4,3)", "(_,0)"> (%v)
  return
}

// -----

func.func @slice_dynamic(%v: vector<8xf32>) {
  // expected-error @+1 {{the shape of a vector is static, not (4,?)}}
  %r = cute.slice_vector<"(4,?)", "(_,0)"> (%v)
  return
}

// -----

func.func @slice_text(%v: vector<8xf32>) {
  // expected-error @+1 {{expected}}
  %r = cute.slice_vector<"(4,", "(_,0)"> (%v)
  return
}

// -----

func.func @slice_coord_dynamic(%v: vector<8xf32>) {
  // expected-error @+1 {{a coordinate of a vector is static, not (_,?)}}
  %r = cute.slice_vector<"(4,2)", "(_,?)"> (%v)
  return
}

// -----

func.func @slice_coord(%v: vector<8xf32>) {
  // expected-error @+1 {{(_,0,0) does not match the shape (4,2)}}
  %r = cute.slice_vector<"(4,2)", "(_,0,0)"> (%v)
  return
}

// -----

func.func @slice_outside(%v: vector<8xf32>) {
  // expected-error @+1 {{the coordinate (_,2) is outside of the shape (4,2)}}
  %r = cute.slice_vector<"(4,2)", "(_,2)"> (%v)
  return
}

// -----

func.func @broadcast_extent(%v: vector<8xf32>) {
  // expected-error @+1 {{2 cannot repeat to 4}}
  %r = cute.broadcast_vector<"(4,2)", "(4,4)"> (%v)
  return
}

// -----

func.func @broadcast_rank(%v: vector<8xf32>) {
  // expected-error @+1 {{(4,2) cannot repeat to (8)}}
  %r = cute.broadcast_vector<"(4,2)", "(8)"> (%v)
  return
}

// -----

func.func @broadcast_size(%v: vector<6xf32>) {
  // expected-error @+1 {{a vector of 6 elements cannot have the 4 of the shape (4)}}
  %r = cute.broadcast_vector<"(4)", "(4,2)"> (%v)
  return
}

// -----

func.func @broadcast_large(%v: vector<4xf32>) {
  // expected-error @+1 {{a vector has at most 4096 elements, not 8192}}
  %r = cute.broadcast_vector<"(4)", "(4,2048)"> (%v)
  return
}

// -----

func.func @gather_outside(%v: vector<8xf32>) {
  // expected-error @+1 {{element 3 of the layout 4:3 is 9, outside of a vector of 8 elements}}
  %r = cute.gather_vector<"4:3"> (%v)
  return
}

// -----

func.func @gather_below(%v: vector<8xf32>) {
  // expected-error @+1 {{element 1 of the layout 4:-1 is -1, outside of a vector of 8 elements}}
  %r = cute.gather_vector<"4:-1"> (%v)
  return
}

// -----

func.func @gather_dynamic(%v: vector<8xf32>) {
  // expected-error @+1 {{the layout of a vector is static and plain, not 4:?}}
  %r = cute.gather_vector<"4:?"> (%v)
  return
}

// -----

func.func @gather_basis(%v: vector<8xf32>) {
  // expected-error @+1 {{the layout of a vector is static and plain, not 4:1@0}}
  %r = cute.gather_vector<"4:1@0"> (%v)
  return
}

// -----

func.func @reduce_kind(%v: vector<8xf32>, %z: f32) {
  // expected-error @+1 {{no reduction of f32 is called 'xor'; there are add, mul, min, max, minnum, maxnum}}
  %r = cute.reduce_vector<"xor", "8", "0"> (%v, %z)
  return
}

// -----

func.func @reduce_kind_of_integers(%v: vector<8xi32>, %z: i32) {
  // expected-error @+1 {{no reduction of i32 is called 'sum'; there are add, mul, min, max, minu, maxu, and, or, xor}}
  %r = cute.reduce_vector<"sum", "8", "0"> (%v, %z)
  return
}

// -----

func.func @reduce_init(%v: vector<8xf16>, %z: f32) {
  // expected-error @+1 {{the initial value must be of type f16, not f32}}
  %r = cute.reduce_vector<"add", "8", "0"> (%v, %z)
  return
}

// -----

func.func @reduce_profile(%v: vector<8xf32>, %z: f32) {
  // expected-error @+1 {{(_,(1,2)) does not match the shape (4,2)}}
  %r = cute.reduce_vector<"add", "(4,2)", "(_,(1,2))"> (%v, %z)
  return
}

// -----

func.func @reduce_size(%v: vector<8xf32>, %z: f32) {
  // expected-error @+1 {{a vector of 8 elements cannot have the 16 of the shape (4,4)}}
  %r = cute.reduce_vector<"add", "(4,4)", "(_,1)"> (%v, %z)
  return
}

// -----

func.func @pad_text(%t: !cute.tensor<f32, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{elements of type f32 cannot be padded with 'much'}}
  %v = cute.load_vector<"much">(%t)
  return
}

// -----

func.func @pad_empty(%t: !cute.tensor<f32, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{elements of type f32 cannot be padded with ''}}
  %v = cute.load_vector<"">(%t)
  return
}

// -----

func.func @pad_of_integers(%t: !cute.tensor<i32, gmem, align<4>, "4:1">) {
  // expected-error @+1 {{elements of type i32 cannot be padded with '-inf'}}
  %v = cute.load_vector<"-inf">(%t)
  return
}

// -----

func.func @gather_overflow(%v: vector<8xf32>) {
  // expected-error @+1 {{overflow}}
  %r = cute.gather_vector<"(4611686018427387904,4):(0,0)"> (%v)
  return
}

// -----

func.func @broadcast_overflow(%v: vector<8xf32>) {
  // expected-error @+1 {{overflow}}
  %r = cute.broadcast_vector<"(8)", "(8,4611686018427387904)"> (%v)
  return
}

// -----

func.func @gather_large(%v: vector<8xf32>) {
  // expected-error @+1 {{a vector has at most 4096 elements, not 4611686018427387904}}
  %r = cute.gather_vector<"4611686018427387904:0"> (%v)
  return
}

// -----

func.func @reduce_f8(%v: vector<4xf8E5M2>, %z: f8E5M2) {
  // expected-error @+1 {{there is no arithmetic on f8E5M2; widen it by arith.extf first}}
  %r = cute.reduce_vector<"add", "4", "1">(%v, %z) : (vector<4xf8E5M2>, f8E5M2) -> f8E5M2
  return
}

// -----

func.func @f(%x: !cute.tensor<tf32, rmem, align<4>, "8:1">) {
  // expected-error @+1 {{elements of type tf32 cannot be in a vector; recast_tensor to f32 has the same bits}}
  %v = cute.load_vector(%x)
  return
}

// -----

func.func @f(%x: index) {
  // expected-error @+1 {{operand #0 must be a vector of rank 1, such as vector<8xf32>, not index}}
  %v = cute.broadcast_vector<"1", "8"> (%x) : (index) -> vector<8xindex>
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{a vector of 1 elements cannot have the 2 of the shape 2}}
  %v = cute.broadcast_vector<"2", "(2,4)"> (%x) : (f32) -> vector<8xf32>
  return
}
