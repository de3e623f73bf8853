// Rejected predicates.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @predicate_of_dynamic_shape(%t: !cute.coord_tensor<"0", "?:1@0">, %s: !cute.shape<"(?)">) {
  // expected-error @+1 {{the coordinates must have a static shape}}
  %p = cute.make_predicate(%t, %s)
  return
}

// -----

func.func @bound_of_other_rank(%t: !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">, %s: !cute.shape<"(?,?,?)">) {
  // expected-error @+1 {{the bound (?,?,?) is not congruent to the coordinates}}
  %p = cute.make_predicate(%t, %s)
  return
}

// -----

func.func @predicate_of_data(%t: !cute.tensor<i32, rmem, align<16>, "(4,2):(1,4)">, %s: !cute.shape<"(?,?)">) {
  // expected-error @+1 {{must be coord_tensor}}
  %p = cute.make_predicate(%t, %s)
  return
}

// -----

func.func @lower_bound_of_other_rank(%t: !cute.coord_tensor<"(0,0)", "(4,2):(1@0,1@1)">) {
  // expected-error @+1 {{the lower bound (0,0,0) is not congruent to the coordinates}}
  %p = cute.make_predicate(%t, (4,4), (0,0,0))
  return
}

// -----

func.func @kind(%p: !cute.tensor<i1, rmem, align<16>, "4:1">) {
  // expected-error @+1 {{attribute 'kind' is "and", "or" or "xor", not "nand"}}
  %q = cute.combine_predicates<"nand"> (%p, %p)
  return
}

// -----

func.func @no_predicate(%p: !cute.tensor<i1, rmem, align<16>, "4:1">, %t: !cute.tensor<i8, rmem, align<16>, "4:1">) {
  // expected-error @+1 {{operand #1 is not a predicate, a tensor of i1 in rmem}}
  %q = cute.combine_predicates<"and"> (%p, %t)
  return
}

// -----

func.func @shapes(%p: !cute.tensor<i1, rmem, align<16>, "4:1">, %q: !cute.tensor<i1, rmem, align<16>, "(2,2):(1,2)">) {
  // expected-error @+1 {{the predicates have the shapes 4 and (2,2)}}
  %r = cute.combine_predicates<"and"> (%p, %q)
  return
}

// -----

func.func @tiler(%copy: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %m: i32) {
  // expected-error @+1 {{'cute.predicated_tile_s' op}}
  %p, %q = cute.predicated_tile_s(%copy, %A, (64,64,64), (%m,0,0), %m)
  return
}

// -----

func.func @dynamic_rest(%copy: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %m: i32) {
  // expected-error @+1 {{'cute.predicated_tile_d' op the coordinates must have a static shape}}
  %p, %q = cute.predicated_tile_d(%copy, %A, (64,64), (%m,_), %m)
  return
}

// -----

func.func @counts_bound(%copy: !cute.tiled_copy<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %t: !cute.coord_tensor<"(?,?)", "(8,4):(1@1,16@0)">, %n: !cute.shape<"?">) {
  // expected-error @+1 {{the bound ? is not congruent to the coordinates, such as (0,7)}}
  %q = cute.make_counts(%copy, %t, %n)
  return
}

// -----

func.func @counts_lower(%copy: !cute.tiled_copy<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %t: !cute.coord_tensor<"(?,?)", "(8,4):(1@1,16@0)">, %n: !cute.shape<"(?,?)">) {
  // expected-error @+1 {{the lower bound 0 is not congruent to the coordinates, such as (0,7)}}
  %q = cute.make_counts(%copy, %t, %n, 0)
  return
}

// -----

func.func @origin(%copy: !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %i: i32) {
  // expected-error @+1 {{the coordinate of an offset has no _: (_,0)}}
  %p, %q = cute.predicated_tile_d(%copy, %A, (64,64), (0,0), %i, (_,0))
  return
}

// -----

func.func @counts_apart(%copy: !cute.tiled_copy<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %t: !cute.coord_tensor<"(?,?)", "(8,4):(2@1,16@0)">, %n: !cute.shape<"(?,?)">) {
  // expected-error @+1 {{an access must cover several contiguous elements; from its first to its last the coordinate grows by (0,14)}}
  %q = cute.make_counts(%copy, %t, %n)
  return
}

// -----

func.func @counts_dynamic(%copy: !cute.tiled_copy<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">, %t: !cute.coord_tensor<"(?,?)", "(8,?):(1@1,16@0)">, %n: !cute.shape<"(?,?)">) {
  // expected-error @+1 {{the coordinates must have a static shape: choose one tile along each mode; not (8,?)}}
  %q = cute.make_counts(%copy, %t, %n)
  return
}

// -----

// Only what fills with zeros takes counts.
func.func @counts_without_zeros(%g: !cute.tensor<f16, gmem, align<16>, "8:1">, %s: !cute.tensor<f16, smem, align<16>, "8:1">, %n: !cute.tensor<i8, rmem, align<16>, "1:0">) {
  %atom = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
  // expected-error @+1 {{the predicate must be a tensor of i1 in rmem}}
  cute.copy_atom_call(%atom, %g, %s, %n)
  return
}

// -----

func.func @counts_of_parts_of_bytes(%g: !cute.tensor<i4, gmem, align<16>, "32:1">, %s: !cute.tensor<i4, smem, align<16>, "32:1">, %n: !cute.tensor<i8, rmem, align<16>, "1:0">) {
  %atom = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", i4>
  // expected-error @+1 {{counts need elements of whole bytes}}
  cute.copy_atom_call(%atom, %g, %s, %n)
  return
}
