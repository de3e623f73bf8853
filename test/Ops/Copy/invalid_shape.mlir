// What copies, partitions and predicates reject for their shapes.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @numbers_of_accesses(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,3):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{the source has 4 accesses, the destination 3}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @dynamic_shape(%s: !cute.tensor<f16, gmem, align<16>, "(?,3):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,3):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{source of UniversalCopy<uint128_t> must have a static mode 0}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @uneven_mode(%s: !cute.tensor<f16, gmem, align<16>, "(12,2):(1,16)">, %d: !cute.tensor<f16, rmem, align<16>, "(12,2):(1,12)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{needs 8 values per thread in mode 0}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @dynamic_access(%s: !cute.tensor<f16, gmem, align<16>, "(8,?):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,1):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{source of UniversalCopy<uint128_t> must have a static shape}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @two_accesses(%s: !cute.tensor<f16, gmem, align<16>, "(8,2):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,2):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{must be the values of one access}}
  cute.copy_atom_call(%a, %s, %d)
  return
}

// -----

func.func @predicate_size(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,4):(1,8)">, %p: !cute.tensor<i1, rmem, align<16>, "(8,4):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{one element for each of the 4 accesses, of shape (ATOM_REST, REST...), (REST...) or flat, not !cute.tensor<i1, rmem, align<16>, "(8,4):(1,8)"> for a source of shape (8,4)}}
  cute.copy(%a, %s, %d, %p)
  return
}

// -----

// As many elements, but other modes: (1,2,3) and (2,3) would do.
func.func @predicate_modes(%s: !cute.tensor<f16, gmem, align<16>, "((8,1),2,3):((1,0),8,16)">, %d: !cute.tensor<f16, rmem, align<16>, "((8,1),2,3):((1,0),8,16)">, %p: !cute.tensor<i1, rmem, align<16>, "(3,2):(1,3)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{for a source of shape ((8,1),2,3)}}
  cute.copy(%a, %s, %d, %p)
  return
}

// -----

func.func @predicate_element(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,4):(1,8)">, %p: !cute.tensor<i8, rmem, align<16>, "4:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{the predicate must be a tensor of i1 in rmem}}
  cute.copy(%a, %s, %d, %p)
  return
}

// -----

func.func @predicate_space(%s: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(8,4):(1,8)">, %p: !cute.tensor<i1, smem, align<16>, "4:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{the predicate must be a tensor of i1 in rmem}}
  cute.copy(%a, %s, %d, %p)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

func.func @tensor_rank(%c: !copy, %s: !cute.tensor<f16, gmem, align<16>, "1024:1">, %i: i32) {
  // expected-error @+1 {{the tiler has more modes than shape 1024}}
  %p = cute.partition_s(%c, %s, %i)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

func.func @retile_rank(%c: !copy, %f: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{retile: needs a static fragment (V, Rest...)}}
  %r = cute.retile(%c, %f)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

func.func @thread_kind(%c: !copy, %s: !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">, %i: !cute.coord<"3">) {
  // expected-error @+1 {{operand #2 (thread) must be int_tuple or an integer}}
  %p = cute.partition_d(%c, %s, %i)
  return
}

// -----

func.func @negative_wait() {
  // expected-error @+1 {{attribute 'n' is 0 or more, not -1}}
  cute.cp_async_wait<-1>
  return
}

// -----

func.func @no_mode(%s: !cute.tensor<f16, gmem, align<16>, "():()">, %d: !cute.tensor<f16, rmem, align<16>, "():()">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  // expected-error @+1 {{source of UniversalCopy<uint16_t> must have a mode, not !cute.tensor<f16, gmem, align<16>, "():()">}}
  cute.copy(%a, %s, %d)
  return
}

// -----

func.func @unrolled(%s: !cute.tensor<f16, gmem, align<16>, "(8,65536):(1,8)">, %d: !cute.tensor<f16, gmem, align<16>, "(8,65536):(1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{copies of static extents are unrolled, and 65536 accesses are too many; the limit is 16384}}
  cute.copy(%a, %s, %d)
  return
}
