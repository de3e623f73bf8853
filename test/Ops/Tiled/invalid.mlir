// What tiled things are not asked for.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

// A thread of the other copy has 8 values of 16 bits.
func.func @copy_s_values(%t: !copy) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", i8>
  // expected-error @+1 {{the 8 values of the TV layout must be a multiple of the atom's 16}}
  %c = cute.make_tiled_copy_s(%a, %t)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

func.func @copy_d_values(%t: !copy) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", i8>
  // expected-error @+1 {{the 8 values of the TV layout must be a multiple of the atom's 16}}
  %c = cute.make_tiled_copy_d(%a, %t)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

func.func @c_atom_values(%m: !mma) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  // expected-error @+1 {{make_tiled_copy_c_atom: UniversalCopy<uint128_t> moves 8 values of a thread, which has 4 of operand C}}
  %c = cute.make_tiled_copy_c_atom(%a, %m)
  return
}

// -----

func.func @cotiled_outside(%t: !cute.layout<"(8,4):(4,1)">, %d: !cute.layout<"(4,4):(1,4)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // expected-error @+1 {{make_cotiled_copy: the TV layout leads to index 16, outside the data with shape (4,4)}}
  %c = cute.make_cotiled_copy(%a, %t, %d)
  return
}

// -----

// Columns are 20 apart, so indices 16 to 19 are of no element, and the threads'
// do not follow the columns.
func.func @cotiled_gap(%t: !cute.layout<"(8,4):(4,1)">, %d: !cute.layout<"(16,2):(1,20)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // expected-error @+1 {{composition: extent 8 is not a multiple of the 5 coordinates that a mode of extent 20 on the left takes}}
  %c = cute.make_cotiled_copy(%a, %t, %d)
  return
}

// -----

func.func @cotiled_dynamic(%t: !cute.layout<"(8,4):(4,1)">, %d: !cute.layout<"(16,?):(1,16)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
  // expected-error @+1 {{make_cotiled_copy: needs a static (thread,value) layout of rank 2 and a static layout of data}}
  %c = cute.make_cotiled_copy(%a, %t, %d)
  return
}

// -----

func.func @mma_operand(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{SM80_16x8x16_F32F16F16F32_TN has no operand 'S'; it has A, B, C}}
  %l = cute.get_tv_layout<"S"> (%m)
  return
}

// -----

func.func @copy_operand(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f16>) {
  // expected-error @+1 {{a copy has no layout 'A'; it has "S" of the source, "D" of the destination and "TV"}}
  %l = cute.get_tv_layout<"A"> (%a)
  return
}

// -----

func.func @thr_id_of_layout(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (x) must be}}
  %i = cute.thr_id(%l)
  return
}

// -----

func.func @threads_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{operand #0 (x) must be tiled_mma}}
  %l = cute.thr_layout_vmnk(%m)
  return
}

// -----

func.func @shape_of_copy(%a: !cute.copy_atom<"UniversalCopy<uint64_t>", f16>) {
  // expected-error @+1 {{operand #0 (x) must be}}
  %s = cute.shape_mnk(%a)
  return
}

// -----

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">

func.func @tile_mode(%t: !copy) {
  // expected-error @+1 {{needs one mode in the brackets, of the tile (16,64)}}
  %s = cute.tile_size<[2]> (%t)
  return
}

// -----

func.func @tiler_of_atom(%m: !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">) {
  // expected-error @+1 {{operand #0 (x) must be}}
  %t = cute.get_tiler(%m)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

func.func @one_mode_a(%m: !mma, %s: !cute.shape<"64">) {
  // expected-error @+1 {{needs two modes or more, not shape 64}}
  %p = cute.partition_shape_a(%m, %s)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

func.func @one_mode_b(%m: !mma, %s: !cute.shape<"64">) {
  // expected-error @+1 {{needs two modes or more, not shape 64}}
  %p = cute.partition_shape_b(%m, %s)
  return
}

// -----

!mma = !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">

func.func @one_mode_c(%m: !mma, %s: !cute.shape<"64">) {
  // expected-error @+1 {{needs two modes or more, not shape 64}}
  %p = cute.partition_shape_c(%m, %s)
  return
}
