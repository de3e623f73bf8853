// Malformed types are rejected with the text at fault.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{no type is named '!cute.layot'}}
func.func private @f(!cute.layot<"4">)

// -----

// expected-error @+1 {{no type is named '!cute.'}}
func.func private @f(!cute.<"4">)

// -----

// expected-error @+1 {{expected '<'}}
func.func private @f(!cute.layout)

// -----

// expected-error @+1 {{expected '"' in the type, found '4>}}
func.func private @f(!cute.layout<4>)

// -----

// expected-error @+1 {{expected '>' in the type, found ', "x">}}
func.func private @f(!cute.layout<"4", "x">)

// -----

// expected-error @+1 {{expected an integer, '?' or '(' at the end of the text}}
func.func private @f(!cute.layout<"">)

// -----

// expected-error @+1 {{column 5, found ':(1,4)'}}
func.func private @f(!cute.layout<"(4,5:(1,4)">)

// -----

// expected-error @+1 {{expected the end of the text at column 4, found ':2'}}
func.func private @f(!cute.layout<"4:1:2">)

// -----

// expected-error @+1 {{found '+5'}}
func.func private @f(!cute.shape<"+5">)

// -----

// expected-error @+1 {{'9223372036854775808' does not fit 64 bits}}
func.func private @f(!cute.shape<"9223372036854775808">)

// -----

// expected-error @+1 {{found 'i128}'}}
func.func private @f(!cute.shape<"?{i128}">)

// -----

// expected-error @+1 {{found '_)'}}
func.func private @f(!cute.shape<"(4,_)">)

// -----

// expected-error @+1 {{extent must be a positive integer, not 0}}
func.func private @f(!cute.layout<"(4,0):(1,4)">)

// -----

// expected-error @+1 {{(4,5)}}
func.func private @f(!cute.layout<"(4,5):1">)

// -----

// expected-error @+1 {{nothing is composed}}
func.func private @f(!cute.composed_layout<"(8,8):(8,1)">)

// -----

// expected-error @+1 {{expected 'o' at the end}}
func.func private @f(!cute.composed_layout<"S<3,4,3> o 0">)

// -----

// expected-error @+1 {{expected ',' at column 6, found '>'}}
func.func private @f(!cute.swizzle<"S<1,2>">)

// -----

// expected-error @+1 {{'f17' is not an element type; known: i1, i4, i8, i16, }}
func.func private @f(!cute.ptr<f17, gmem, align<4>>)

// -----

// expected-error @+1 {{'hbm' is not a memory space}}
func.func private @f(!cute.ptr<f16, hbm, align<4>>)

// -----

// expected-error @+1 {{align<3>}}
func.func private @f(!cute.ptr<f16, gmem, align<3>>)

// -----

// Smaller than the element.
// expected-error @+1 {{align<2>}}
func.func private @f(!cute.ptr<f32, "gmem", 2 : i64>)

// -----

// expected-error @+1 {{expected 'i64'}}
func.func private @f(!cute.ptr<f16, "gmem", 4 : i32>)

// -----

// expected-error @+1 {{integer strides}}
func.func private @f(!cute.tensor<f16, gmem, align<4>, "4:1@0">)

// -----

// expected-error @+1 {{in rmem must be static}}
func.func private @f(!cute.tensor<f16, rmem, align<4>, "?:1">)

// -----

// expected-error @+1 {{no MMA atom is named 'SM80_bogus'; cutec --list-atoms has their names}}
func.func private @f(!cute.mma_atom<"SM80_bogus">)

// -----

// expected-error @+1 {{no copy atom is named 'Copy'; cutec --list-atoms has their names}}
func.func private @f(!cute.copy_atom<"Copy", f16>)

// -----

// expected-error @+1 {{no MMA atom is named 'SM80_16x8x16_F32F16F16F32'; did you mean 'SM80_16x8x16_F32F16F16F32_TN'?}}
func.func private @near(!cute.mma_atom<"SM80_16x8x16_F32F16F16F32">)

// -----

// expected-error @+1 {{no copy atom is named 'SM75_U32x5_LDSM_N'; did you mean 'SM75_U32x1_LDSM_N'?}}
func.func private @near(!cute.copy_atom<"SM75_U32x5_LDSM_N", f16>)

// -----

// expected-error @+1 {{UniversalCopy<uint16_t> moves 16 bits}}
func.func private @f(!cute.copy_atom<"UniversalCopy<uint16_t>", f32>)

// -----

// The place does not matter: nested types, attributes, arguments of blocks.
// expected-error @+1 {{extent must be a positive integer}}
func.func private @f(tuple<i32, tuple<!cute.layout<"0:1">>>)

// -----

// expected-error @+1 {{extent must be a positive integer}}
func.func private @f() attributes {a = [{b = !cute.layout<"-1:1">}]}

// -----

func.func @f() {
  cf.br ^bb1
// expected-error @+1 {{extent must be a positive integer}}
^bb1(%x: !cute.layout<"0:1">):
  return
}

// -----

// expected-error @+1 {{extent must be a positive integer}}
!t = !cute.layout<"0:1">

// -----

func.func @f() {
  // expected-error @+1 {{found ')'}}
  %0 = "test.op"() : () -> !cute.layout<"4)">
  return
}

// -----

// A number does not run into the next word.
// expected-error @+1 {{expected ' ' or '}' at column 8, found 'i64}'}}
func.func private @f(!cute.int_tuple<"?{div=8i64}">)

// -----

// expected-error @+1 {{the type's brackets are not closed}}
%0 = cute.make_coord(%x) : (tuple<i32

// -----

// expected-error @+1 {{counts bytes and would move parts of the element f32; the base must be at least 2}}
func.func private @f(!cute.ptr<f32, smem, align<1024>, S<3,1,3>>)

// -----

// expected-error @+1 {{a swizzle needs addresses in gmem or smem, not in rmem}}
func.func private @f(!cute.ptr<f32, rmem, align<16>, S<3,4,3>>)

// -----

// expected-error @+1 {{S<3,4,1>}}
func.func private @f(!cute.ptr<f32, smem, align<16>, S<3,4,1>>)

// -----

// expected-error @+1 {{expected 'S<' at column 1}}
func.func private @f(!cute.ptr<f32, smem, align<16>, T<3,4,3>>)

// -----

// expected-error @+1 {{S<3,16,5> repeats itself after 16777216 bytes only}}
func.func private @f(!cute.ptr<f32, smem, align<16>, S<3,16,5>>)

// -----

// expected-error @+1 {{align<4611686018427387904>: an alignment is a power of two in bytes, at least the size of the element f16 and at most 1048576}}
func.func private @huge_alignment(!cute.ptr<f16, gmem, align<4611686018427387904>>)

// -----

// expected-error @+1 {{'generic' is not a memory space (gmem, smem, rmem, desc, dsmem or tmem); a pointer names its memory: gmem, as for a kernel's arguments, or another of these}}
func.func private @f(!cute.ptr<f32, generic, align<4>>)
