// Conversions of floats of 8 bits for architectures without instructions for them:
// `cute-expand-math` takes these in the place of those of dialect/math_nvptx.mlir
// below sm_89. They give the same numbers; test/Ops/Memory/small_float.test compares both
// with exact arithmetic.

// Normal numbers are rounded as integers, subnormal ones by a sum with a number
// whose last digit is theirs.
func.func @truncf.f32.f8E4M3FN(%x: f32) -> f8E4M3FN {
  %one = arith.constant 1 : i32
  %cut = arith.constant 20 : i32
  %all = arith.constant 127 : i32
  %thirty_one = arith.constant 31 : i32
  %width = arith.constant 7 : i32
  %below_sign = arith.constant 2147483647 : i32
  %infinity = arith.constant 2139095040 : i32
  %largest = arith.constant 1138753536 : i32
  %least_normal = arith.constant 1015021568 : i32
  %below_half = arith.constant 524287 : i32
  %bias = arith.constant -960 : i32
  %magic = arith.constant 16384.0 : f32
  %magic_bits = arith.constant -1182793728 : i32
  %bits = arith.bitcast %x : f32 to i32
  %magnitude = arith.andi %bits, %below_sign : i32
  %finite = arith.minui %magnitude, %largest : i32
  %shifted = arith.shrui %finite, %cut : i32
  %last = arith.andi %shifted, %one : i32
  %near = arith.addi %finite, %below_half : i32
  %even = arith.addi %near, %last : i32
  %short = arith.shrui %even, %cut : i32
  %normal = arith.addi %short, %bias : i32
  %number = arith.bitcast %finite : i32 to f32
  %sum = arith.addf %number, %magic : f32
  %sum_bits = arith.bitcast %sum : f32 to i32
  %subnormal = arith.addi %sum_bits, %magic_bits : i32
  %is_subnormal = arith.cmpi ult, %finite, %least_normal : i32
  %code = arith.select %is_subnormal, %subnormal, %normal : i32
  %sign = arith.shrui %bits, %thirty_one : i32
  %high = arith.shli %sign, %width : i32
  %signed = arith.ori %code, %high : i32
  %is_nan = arith.cmpi ugt, %magnitude, %infinity : i32
  %both = arith.select %is_nan, %all, %signed : i32
  %low = arith.trunci %both : i32 to i8
  %y = arith.bitcast %low : i8 to f8E4M3FN
  func.return %y : f8E4M3FN
}

// Exponent and mantissa where an f16 has them are the number but for the bias.
func.func @extf.f8E4M3FN.f16(%x: f8E4M3FN) -> f16 {
  %seven = arith.constant 7 : i16
  %eight = arith.constant 8 : i16
  %below_sign = arith.constant 127 : i16
  %sign_bit = arith.constant 128 : i16
  %nan = arith.constant 32767 : i16
  %scale = arith.constant 256.0 : f16
  %bits = arith.bitcast %x : f8E4M3FN to i8
  %wide = arith.extui %bits : i8 to i16
  %magnitude = arith.andi %wide, %below_sign : i16
  %sign = arith.andi %wide, %sign_bit : i16
  %high_sign = arith.shli %sign, %eight : i16
  %placed = arith.shli %magnitude, %seven : i16
  %small = arith.bitcast %placed : i16 to f16
  %number = arith.mulf %small, %scale : f16
  %number_bits = arith.bitcast %number : f16 to i16
  %signed = arith.ori %number_bits, %high_sign : i16
  %is_nan = arith.cmpi eq, %magnitude, %below_sign : i16
  %both = arith.select %is_nan, %nan, %signed : i16
  %y = arith.bitcast %both : i16 to f16
  func.return %y : f16
}

func.func @truncf.f32.f8E5M2(%x: f32) -> f8E5M2 {
  %one = arith.constant 1 : i32
  %cut = arith.constant 21 : i32
  %all = arith.constant 127 : i32
  %thirty_one = arith.constant 31 : i32
  %width = arith.constant 7 : i32
  %below_sign = arith.constant 2147483647 : i32
  %infinity = arith.constant 2139095040 : i32
  %largest = arith.constant 1197473792 : i32
  %least_normal = arith.constant 947912704 : i32
  %below_half = arith.constant 1048575 : i32
  %bias = arith.constant -448 : i32
  %magic = arith.constant 128.0 : f32
  %magic_bits = arith.constant -1124073472 : i32
  %bits = arith.bitcast %x : f32 to i32
  %magnitude = arith.andi %bits, %below_sign : i32
  %finite = arith.minui %magnitude, %largest : i32
  %shifted = arith.shrui %finite, %cut : i32
  %last = arith.andi %shifted, %one : i32
  %near = arith.addi %finite, %below_half : i32
  %even = arith.addi %near, %last : i32
  %short = arith.shrui %even, %cut : i32
  %normal = arith.addi %short, %bias : i32
  %number = arith.bitcast %finite : i32 to f32
  %sum = arith.addf %number, %magic : f32
  %sum_bits = arith.bitcast %sum : f32 to i32
  %subnormal = arith.addi %sum_bits, %magic_bits : i32
  %is_subnormal = arith.cmpi ult, %finite, %least_normal : i32
  %code = arith.select %is_subnormal, %subnormal, %normal : i32
  %sign = arith.shrui %bits, %thirty_one : i32
  %high = arith.shli %sign, %width : i32
  %signed = arith.ori %code, %high : i32
  %is_nan = arith.cmpi ugt, %magnitude, %infinity : i32
  %both = arith.select %is_nan, %all, %signed : i32
  %low = arith.trunci %both : i32 to i8
  %y = arith.bitcast %low : i8 to f8E5M2
  func.return %y : f8E5M2
}

func.func @extf.f8E5M2.f16(%x: f8E5M2) -> f16 {
  %eight = arith.constant 8 : i16
  %bits = arith.bitcast %x : f8E5M2 to i8
  %wide = arith.extui %bits : i8 to i16
  %high = arith.shli %wide, %eight : i16
  %y = arith.bitcast %high : i16 to f16
  func.return %y : f16
}
