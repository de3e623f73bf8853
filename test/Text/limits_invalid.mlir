// Types and allocations that are too large, reach before their start or do not fit
// the instruction are errors where they are written.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a block has at most 1024 threads}}
func.func private @f(!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN","((4294967296,4294967296),2,1):((1,1),2,0)","[32:1;32:1;16:1]">)

// -----
// expected-error @+1 {{a block has at most 1024 threads}}
func.func private @f(!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN","(1152921504606846976,2,1):(1,2,0)","[16:1;32:1;16:1]">)

// -----
// expected-error @+1 {{must be a multiple of the 32 that the atoms cover}}
func.func private @f(!cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN","(2,1,1):(1,0,0)","[-32:1;8:1;16:1]">)

// -----
// expected-error @+1 {{4294967296 * 4294967296 overflows 64 bits}}
func.func private @f(!cute.tensor<f32, rmem, align<16>, "(4294967296,4294967296):(0,0)">)

// -----
// expected-error @+1 {{transposes elements of 16 bits; f32 has 32}}
func.func private @f(!cute.copy_atom<"SM75_U16x8_LDSM_T", f32>)

// -----
func.func @negative(%l: !cute.layout<"4:-1">) {
  // expected-error @+1 {{needs strides that are not negative, not -1}}
  %t = cute.make_fragment<f32> (%l)
  return
}

// -----
func.func @negative(%l: !cute.layout<"4:-1">) {
  // expected-error @+1 {{needs strides that are not negative, not -1}}
  %t = cute.alloc_smem<f32, 16> (%l)
  return
}

// -----
func.func @large(%l: !cute.layout<"100000000:0">) {
  // expected-error @+1 {{a fragment of 100000000 elements is too large for registers}}
  %t = cute.make_fragment<f32> (%l)
  return
}

// -----
func.func @modes(%s: !cute.shape<"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)">) {
  // expected-error @+1 {{1025 modes are more than the 1024 that a coordinate can have}}
  %t = cute.make_identity_tensor(%s)
  return
}

// -----
func.func @empty(%a: !cute.layout<"(4,6):(1,10)">, %b: !cute.tile<"0:1">) {
  // expected-error @+1 {{the extent 0 on the right must be positive}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @overflow(%a: !cute.layout<"(4611686018427387904,4):(0,0)">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.right_inverse(%a)
  return
}

// -----
func.func @overflow(%a: !cute.layout<"(4611686018427387904,4):(0,0)">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.left_inverse(%a)
  return
}

// -----
func.func @array() {
  // expected-error @+1 {{an array's elements have an integer or float type, written out as in array<i32: 1, 2>, not 'index'}}
  return {x = array<index: 1>}
}

// -----
!alias = index
func.func @array() {
  // expected-error @+1 {{an array's elements have an integer or float type, written out as in array<i32: 1, 2>, not '!alias'}}
  return {x = array<!alias: 1>}
}

// -----
gpu.module @m {
  // expected-error @+1 {{known_block_size must be three numbers, as array<i32: 128, 1, 1>}}
  gpu.func @k() kernel attributes {known_block_size = array<index: 32, 1, 1>} {
    gpu.return
  }
}

// -----
func.func @result(%a: i32) -> i32 {
  // expected-error @+1 {{results are numbered up to 65535 at most}}
  return %a#2147483648 : i32
}

// -----
llvm.func @extract(%x: !llvm.struct<(i32)>) {
  // expected-error @+1 {{a position has at most 9 digits}}
  %0 = llvm.extractvalue %x[4294967296] : !llvm.struct<(i32)>
  llvm.return
}

// -----
llvm.func @insert(%x: !llvm.struct<(i32)>, %y: i32) {
  // expected-error @+1 {{a position has at most 9 digits}}
  %0 = llvm.insertvalue %y, %x[0, 4294967296] : !llvm.struct<(i32)>
  llvm.return
}

// -----
llvm.func @generic(%x: !llvm.struct<(i32)>) {
  // expected-error @+1 {{a position has at most 9 digits}}
  %0 = "llvm.extractvalue"(%x) <{position = array<i64: 4294967296>}> : (!llvm.struct<(i32)>) -> i32
  llvm.return
}
