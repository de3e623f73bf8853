// The functions of the math dialect that the device has no instruction for:
// `cute-expand-math` replaces math.NAME on TYPE by the body of @NAME.TYPE, element by
// element. The functions use only arithmetic, so they run on any machine;
// test/Conversion/math_accuracy.test compares them with wider ones. NaN gives NaN
// unless a comment says otherwise.

// x * 2^n for n from -252 to 254, in two steps, so that neither overflows alone.
func.func @scale.f32(%x: f32, %n: i32) -> f32 {
  %c1 = arith.constant 1 : i32
  %a = arith.shrsi %n, %c1 : i32
  %b = arith.subi %n, %a : i32
  %c2 = arith.constant 127 : i32
  %u1 = arith.addi %a, %c2 : i32
  %c3 = arith.constant 23 : i32
  %abits = arith.shli %u1, %c3 : i32
  %u2 = arith.addi %b, %c2 : i32
  %bbits = arith.shli %u2, %c3 : i32
  %u3 = arith.bitcast %abits : i32 to f32
  %half = arith.mulf %x, %u3 : f32
  %u4 = arith.bitcast %bbits : i32 to f32
  %r = arith.mulf %half, %u4 : f32
  func.return %r : f32
}

// n and r with x = n * ln(2) + r, |r| <= ln(2)/2.
func.func @exp.parts.f32(%x: f32) -> (i32, f32) {
  %c1 = arith.constant 0x3FB8AA3B : f32 // 1.44269504
  %c2 = arith.constant 0x4B400000 : f32 // 12582912.0
  %t = math.fma %x, %c1, %c2 : f32
  %n = arith.subf %t, %c2 : f32
  %c3 = arith.constant 0xBF317218 : f32 // -0.693147182
  %r0 = math.fma %n, %c3, %x : f32
  %c4 = arith.constant 0x3102E308 : f32 // 1.9046543e-9
  %r = math.fma %n, %c4, %r0 : f32
  %u1 = arith.bitcast %t : f32 to i32
  %c5 = arith.constant 1262485504 : i32
  %k = arith.subi %u1, %c5 : i32
  func.return %k, %r : i32, f32
}

// e^x: Taylor's polynomial of degree 7.
func.func @exp.f32(%x: f32) -> f32 {
  %c1 = arith.constant -105.0 : f32
  %u1 = arith.cmpf olt, %x, %c1 : f32
  %low = arith.select %u1, %c1, %x : f32
  %c2 = arith.constant 89.5 : f32
  %u2 = arith.cmpf ogt, %low, %c2 : f32
  %xc = arith.select %u2, %c2, %low : f32
  %k, %r = func.call @exp.parts.f32(%xc) : (f32) -> (i32, f32)
  %c3 = arith.constant 0x39500D01 : f32 // 0.000198412698
  %c4 = arith.constant 0x3AB60B61 : f32 // 0.00138888889
  %u3 = math.fma %c3, %r, %c4 : f32
  %c5 = arith.constant 0x3C088889 : f32 // 0.00833333333
  %u4 = math.fma %u3, %r, %c5 : f32
  %c6 = arith.constant 0x3D2AAAAB : f32 // 0.0416666667
  %u5 = math.fma %u4, %r, %c6 : f32
  %c7 = arith.constant 0x3E2AAAAB : f32 // 0.166666667
  %u6 = math.fma %u5, %r, %c7 : f32
  %c8 = arith.constant 0.5 : f32
  %u7 = math.fma %u6, %r, %c8 : f32
  %c9 = arith.constant 1.0 : f32
  %u8 = math.fma %u7, %r, %c9 : f32
  %p = math.fma %u8, %r, %c9 : f32
  %y = func.call @scale.f32(%p, %k) : (f32, i32) -> f32
  func.return %y : f32
}

// e^x - 1, also near 0.
func.func @expm1.f32(%x: f32) -> f32 {
  %c1 = arith.constant -105.0 : f32
  %u1 = arith.cmpf olt, %x, %c1 : f32
  %low = arith.select %u1, %c1, %x : f32
  %c2 = arith.constant 89.5 : f32
  %u2 = arith.cmpf ogt, %low, %c2 : f32
  %xc = arith.select %u2, %c2, %low : f32
  %k, %r = func.call @exp.parts.f32(%xc) : (f32) -> (i32, f32)
  %c3 = arith.constant 0x37D00D01 : f32 // 2.48015873e-5
  %c4 = arith.constant 0x39500D01 : f32 // 0.000198412698
  %u3 = math.fma %c3, %r, %c4 : f32
  %c5 = arith.constant 0x3AB60B61 : f32 // 0.00138888889
  %u4 = math.fma %u3, %r, %c5 : f32
  %c6 = arith.constant 0x3C088889 : f32 // 0.00833333333
  %u5 = math.fma %u4, %r, %c6 : f32
  %c7 = arith.constant 0x3D2AAAAB : f32 // 0.0416666667
  %u6 = math.fma %u5, %r, %c7 : f32
  %c8 = arith.constant 0x3E2AAAAB : f32 // 0.166666667
  %u7 = math.fma %u6, %r, %c8 : f32
  %c9 = arith.constant 0.5 : f32
  %q = math.fma %u7, %r, %c9 : f32
  %rr = arith.mulf %r, %r : f32
  %p = math.fma %rr, %q, %r : f32
  %c10 = arith.constant 1.0 : f32
  %one = func.call @scale.f32(%c10, %k) : (f32, i32) -> f32
  %u8 = arith.addf %p, %c10 : f32
  %big = func.call @scale.f32(%u8, %k) : (f32, i32) -> f32
  %u9 = arith.subf %one, %c10 : f32
  %small = math.fma %p, %one, %u9 : f32
  %c11 = arith.constant 100 : i32
  %u10 = arith.cmpi sgt, %k, %c11 : i32
  %y = arith.select %u10, %big, %small : f32
  func.return %y : f32
}

// e and log(m) with x = 2^e * m, sqrt(1/2) <= m < sqrt(2), for x > 0:
// log(1 + f) = 2 atanh(s), s = f / (2 + f).
func.func @log.parts.f32(%x: f32) -> (f32, f32, f32) {
  %c1 = arith.constant 0x00800000 : f32 // 1.17549435e-38
  %isSmall = arith.cmpf olt, %x, %c1 : f32
  %c2 = arith.constant 0x4B000000 : f32 // 8388608.0
  %u1 = arith.mulf %x, %c2 : f32
  %scaled = arith.select %isSmall, %u1, %x : f32
  %b = arith.bitcast %scaled : f32 to i32
  %c3 = arith.constant 1060439283 : i32
  %u2 = arith.subi %b, %c3 : i32
  %c4 = arith.constant 23 : i32
  %e = arith.shrsi %u2, %c4 : i32
  %u3 = arith.shli %e, %c4 : i32
  %mbits = arith.subi %b, %u3 : i32
  %u4 = arith.bitcast %mbits : i32 to f32
  %c5 = arith.constant 1.0 : f32
  %f = arith.subf %u4, %c5 : f32
  %c6 = arith.constant 2.0 : f32
  %u5 = arith.addf %f, %c6 : f32
  %s = arith.divf %f, %u5 : f32
  %z = arith.mulf %s, %s : f32
  %c7 = arith.constant 0x3E3A2E8C : f32 // 0.181818182
  %c8 = arith.constant 0x3E638E39 : f32 // 0.222222222
  %u6 = math.fma %c7, %z, %c8 : f32
  %c9 = arith.constant 0x3E924925 : f32 // 0.285714286
  %u7 = math.fma %u6, %z, %c9 : f32
  %c10 = arith.constant 0x3ECCCCCD : f32 // 0.4
  %u8 = math.fma %u7, %z, %c10 : f32
  %c11 = arith.constant 0x3F2AAAAB : f32 // 0.666666667
  %p = math.fma %u8, %z, %c11 : f32
  %q = arith.mulf %p, %z : f32
  %u9 = arith.subf %f, %q : f32
  %inner = arith.mulf %s, %u9 : f32
  %ef = arith.sitofp %e : i32 to f32
  %c12 = arith.constant -23.0 : f32
  %c13 = arith.constant 0.0 : f32
  %adjust = arith.select %isSmall, %c12, %c13 : f32
  %whole = arith.addf %ef, %adjust : f32
  func.return %whole, %f, %inner : f32, f32, f32
}

// The natural logarithm: -inf of 0, NaN of less.
func.func @log.f32(%x: f32) -> f32 {
  %e, %f, %inner = func.call @log.parts.f32(%x) : (f32) -> (f32, f32, f32)
  %c1 = arith.constant 0xB5BFBE8E : f32 // -1.42860682e-6
  %tail = math.fma %e, %c1, %inner : f32
  %d = arith.subf %tail, %f : f32
  %c2 = arith.constant 0x3F317200 : f32 // 0.693145752
  %u1 = arith.negf %d : f32
  %v = math.fma %e, %c2, %u1 : f32
  %c3 = arith.constant 0.0 : f32
  %isPositive = arith.cmpf ogt, %x, %c3 : f32
  %c4 = arith.constant 0x7F800000 : f32 // inf
  %isFinite = arith.cmpf olt, %x, %c4 : f32
  %isPlain = arith.andi %isPositive, %isFinite : i1
  %isInf = arith.cmpf oeq, %x, %c4 : f32
  %isZero = arith.cmpf oeq, %x, %c3 : f32
  %c5 = arith.constant 0x7FC00000 : f32 // nan
  %other = arith.select %isInf, %x, %c5 : f32
  %c6 = arith.constant 0xFF800000 : f32 // -inf
  %otherwise = arith.select %isZero, %c6, %other : f32
  %y = arith.select %isPlain, %v, %otherwise : f32
  func.return %y : f32
}

// The logarithm to base 2.
func.func @log2.f32(%x: f32) -> f32 {
  %e, %f, %inner = func.call @log.parts.f32(%x) : (f32) -> (f32, f32, f32)
  %l = arith.subf %f, %inner : f32
  %c1 = arith.constant 0x3FB8AA3B : f32 // 1.44269504
  %v = math.fma %l, %c1, %e : f32
  %c2 = arith.constant 0.0 : f32
  %isPositive = arith.cmpf ogt, %x, %c2 : f32
  %c3 = arith.constant 0x7F800000 : f32 // inf
  %isFinite = arith.cmpf olt, %x, %c3 : f32
  %isPlain = arith.andi %isPositive, %isFinite : i1
  %isInf = arith.cmpf oeq, %x, %c3 : f32
  %isZero = arith.cmpf oeq, %x, %c2 : f32
  %c4 = arith.constant 0x7FC00000 : f32 // nan
  %other = arith.select %isInf, %x, %c4 : f32
  %c5 = arith.constant 0xFF800000 : f32 // -inf
  %otherwise = arith.select %isZero, %c5, %other : f32
  %y = arith.select %isPlain, %v, %otherwise : f32
  func.return %y : f32
}

// The logarithm to base 10.
func.func @log10.f32(%x: f32) -> f32 {
  %e, %f, %inner = func.call @log.parts.f32(%x) : (f32) -> (f32, f32, f32)
  %l = arith.subf %f, %inner : f32
  %c1 = arith.constant 0x369A84FC : f32 // 4.60503898e-6
  %c2 = arith.constant 0x3EDE5BD9 : f32 // 0.434294482
  %u1 = arith.mulf %l, %c2 : f32
  %small = math.fma %e, %c1, %u1 : f32
  %c3 = arith.constant 0x3E9A2000 : f32 // 0.301025391
  %v = math.fma %e, %c3, %small : f32
  %c4 = arith.constant 0.0 : f32
  %isPositive = arith.cmpf ogt, %x, %c4 : f32
  %c5 = arith.constant 0x7F800000 : f32 // inf
  %isFinite = arith.cmpf olt, %x, %c5 : f32
  %isPlain = arith.andi %isPositive, %isFinite : i1
  %isInf = arith.cmpf oeq, %x, %c5 : f32
  %isZero = arith.cmpf oeq, %x, %c4 : f32
  %c6 = arith.constant 0x7FC00000 : f32 // nan
  %other = arith.select %isInf, %x, %c6 : f32
  %c7 = arith.constant 0xFF800000 : f32 // -inf
  %otherwise = arith.select %isZero, %c7, %other : f32
  %y = arith.select %isPlain, %v, %otherwise : f32
  func.return %y : f32
}

// log(1 + x), also near 0: what rounding 1 + x lost comes back as lost / (1 + x).
func.func @log1p.f32(%x: f32) -> f32 {
  %c1 = arith.constant 1.0 : f32
  %u = arith.addf %x, %c1 : f32
  %kept = arith.subf %u, %c1 : f32
  %u1 = arith.subf %x, %kept : f32
  %lost = arith.divf %u1, %u : f32
  %l = func.call @log.f32(%u) : (f32) -> f32
  %sum = arith.addf %l, %lost : f32
  %c2 = arith.constant 0x7F800000 : f32 // inf
  %isInf = arith.cmpf oeq, %x, %c2 : f32
  %c3 = arith.constant -1.0 : f32
  %isMinusOne = arith.cmpf oeq, %x, %c3 : f32
  %isSmall = arith.cmpf oeq, %u, %c1 : f32
  %a = arith.select %isInf, %x, %sum : f32
  %c4 = arith.constant 0xFF800000 : f32 // -inf
  %b = arith.select %isMinusOne, %c4, %a : f32
  %y = arith.select %isSmall, %x, %b : f32
  func.return %y : f32
}

// The quarter turn q and the rest r with x = q * pi/2 + r, |r| <= pi/4, in f64:
// exact enough for |x| < 2^50.
func.func @turn.f32(%x: f32) -> (f32, i32) {
  %xd = arith.extf %x : f32 to f64
  %c1 = arith.constant 0x3FE45F306DC9C883 : f64 // 0.63661977236758134
  %c2 = arith.constant 0x4338000000000000 : f64 // 6755399441055744.0
  %t = math.fma %xd, %c1, %c2 : f64
  %n = arith.subf %t, %c2 : f64
  %c3 = arith.constant 0xBFF921FB54442D18 : f64 // -1.5707963267948966
  %r0 = math.fma %n, %c3, %xd : f64
  %c4 = arith.constant 0xBC91A62633145C07 : f64 // -6.123233995736766e-17
  %rd = math.fma %n, %c4, %r0 : f64
  %r = arith.truncf %rd : f64 to f32
  %u1 = arith.bitcast %t : f64 to i64
  %q = arith.trunci %u1 : i64 to i32
  func.return %r, %q : f32, i32
}

// sin(r) and cos(r) for |r| <= pi/4.
func.func @quarter.f32(%r: f32) -> (f32, f32) {
  %z = arith.mulf %r, %r : f32
  %c1 = arith.constant 0x3638EF1D : f32 // 2.75573192e-6
  %c2 = arith.constant 0xB9500D01 : f32 // -0.000198412698
  %u1 = math.fma %c1, %z, %c2 : f32
  %c3 = arith.constant 0x3C088889 : f32 // 0.00833333333
  %u2 = math.fma %u1, %z, %c3 : f32
  %c4 = arith.constant 0xBE2AAAAB : f32 // -0.166666667
  %sp = math.fma %u2, %z, %c4 : f32
  %rz = arith.mulf %r, %z : f32
  %s = math.fma %rz, %sp, %r : f32
  %c5 = arith.constant 0xB493F27E : f32 // -2.75573192e-7
  %c6 = arith.constant 0x37D00D01 : f32 // 2.48015873e-5
  %u3 = math.fma %c5, %z, %c6 : f32
  %c7 = arith.constant 0xBAB60B61 : f32 // -0.00138888889
  %u4 = math.fma %u3, %z, %c7 : f32
  %c8 = arith.constant 0x3D2AAAAB : f32 // 0.0416666667
  %cp = math.fma %u4, %z, %c8 : f32
  %zz = arith.mulf %z, %z : f32
  %c9 = arith.constant -0.5 : f32
  %c10 = arith.constant 1.0 : f32
  %w = math.fma %z, %c9, %c10 : f32
  %c = math.fma %zz, %cp, %w : f32
  func.return %s, %c : f32, f32
}

// Sine.
func.func @sin.f32(%x: f32) -> f32 {
  %r, %q0 = func.call @turn.f32(%x) : (f32) -> (f32, i32)
  %s, %c = func.call @quarter.f32(%r) : (f32) -> (f32, f32)
  %c1 = arith.constant 1 : i32
  %u1 = arith.andi %q0, %c1 : i32
  %isOdd = arith.cmpi eq, %u1, %c1 : i32
  %c2 = arith.constant 2 : i32
  %u2 = arith.andi %q0, %c2 : i32
  %isNegative = arith.cmpi eq, %u2, %c2 : i32
  %v = arith.select %isOdd, %c, %s : f32
  %u3 = arith.negf %v : f32
  %y = arith.select %isNegative, %u3, %v : f32
  func.return %y : f32
}

// Cosine.
func.func @cos.f32(%x: f32) -> f32 {
  %r, %q0 = func.call @turn.f32(%x) : (f32) -> (f32, i32)
  %s, %c = func.call @quarter.f32(%r) : (f32) -> (f32, f32)
  %c1 = arith.constant 1 : i32
  %q = arith.addi %q0, %c1 : i32
  %u1 = arith.andi %q, %c1 : i32
  %isOdd = arith.cmpi eq, %u1, %c1 : i32
  %c2 = arith.constant 2 : i32
  %u2 = arith.andi %q, %c2 : i32
  %isNegative = arith.cmpi eq, %u2, %c2 : i32
  %v = arith.select %isOdd, %c, %s : f32
  %u3 = arith.negf %v : f32
  %y = arith.select %isNegative, %u3, %v : f32
  func.return %y : f32
}

// Both.
func.func @sincos.f32(%x: f32) -> (f32, f32) {
  %s = func.call @sin.f32(%x) : (f32) -> f32
  %c = func.call @cos.f32(%x) : (f32) -> f32
  func.return %s, %c : f32, f32
}

// Tangent.
func.func @tan.f32(%x: f32) -> f32 {
  %r, %q = func.call @turn.f32(%x) : (f32) -> (f32, i32)
  %s, %c = func.call @quarter.f32(%r) : (f32) -> (f32, f32)
  %c1 = arith.constant 1 : i32
  %u1 = arith.andi %q, %c1 : i32
  %isOdd = arith.cmpi eq, %u1, %c1 : i32
  %u2 = arith.negf %c : f32
  %top = arith.select %isOdd, %u2, %s : f32
  %bottom = arith.select %isOdd, %s, %c : f32
  %y = arith.divf %top, %bottom : f32
  func.return %y : f32
}

// (e^2a - 1) / (e^2a + 1), a = |x|, which is 1 from 10 on.
func.func @tanh.f32(%x: f32) -> f32 {
  %a0 = math.absf %x : f32
  %c1 = arith.constant 10.0 : f32
  %u1 = arith.cmpf ogt, %a0, %c1 : f32
  %a = arith.select %u1, %c1, %a0 : f32
  %u2 = arith.addf %a, %a : f32
  %e = func.call @expm1.f32(%u2) : (f32) -> f32
  %c2 = arith.constant 2.0 : f32
  %u3 = arith.addf %e, %c2 : f32
  %v = arith.divf %e, %u3 : f32
  %y = math.copysign %v, %x : f32
  func.return %y : f32
}

// (e^a - e^-a) / 2, a = |x|, for large a as the square of e^(a/2).
func.func @sinh.f32(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %e = func.call @expm1.f32(%a) : (f32) -> f32
  %c1 = arith.constant 1.0 : f32
  %u1 = arith.addf %e, %c1 : f32
  %u2 = arith.divf %e, %u1 : f32
  %u3 = arith.addf %e, %u2 : f32
  %c2 = arith.constant 0.5 : f32
  %near = arith.mulf %u3, %c2 : f32
  %u4 = arith.mulf %a, %c2 : f32
  %h = func.call @exp.f32(%u4) : (f32) -> f32
  %u5 = arith.mulf %h, %c2 : f32
  %far = arith.mulf %u5, %h : f32
  %c3 = arith.constant 10.0 : f32
  %u6 = arith.cmpf ogt, %a, %c3 : f32
  %v = arith.select %u6, %far, %near : f32
  %y = math.copysign %v, %x : f32
  func.return %y : f32
}

// (e^a + e^-a) / 2, a = |x|.
func.func @cosh.f32(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %e = func.call @exp.f32(%a) : (f32) -> f32
  %c1 = arith.constant 0.5 : f32
  %u1 = arith.mulf %e, %c1 : f32
  %u2 = arith.divf %c1, %e : f32
  %near = arith.addf %u1, %u2 : f32
  %u3 = arith.mulf %a, %c1 : f32
  %h = func.call @exp.f32(%u3) : (f32) -> f32
  %u4 = arith.mulf %h, %c1 : f32
  %far = arith.mulf %u4, %h : f32
  %c2 = arith.constant 10.0 : f32
  %u5 = arith.cmpf ogt, %a, %c2 : f32
  %y = arith.select %u5, %far, %near : f32
  func.return %y : f32
}

// The angle in [0, pi/2] whose tangent is a / b, for a, b >= 0: by pi/4 or pi/2
// less where that is large, then the series.
func.func @atan.ratio.f32(%a: f32, %b: f32) -> f32 {
  %c1 = arith.constant 0x401A827A : f32 // 2.41421356
  %t1 = arith.mulf %b, %c1 : f32
  %c2 = arith.constant 0x3ED413CD : f32 // 0.414213562
  %t2 = arith.mulf %b, %c2 : f32
  %isBig = arith.cmpf ogt, %a, %t1 : f32
  %isMiddle = arith.cmpf ogt, %a, %t2 : f32
  %u1 = arith.subf %a, %b : f32
  %a1 = arith.select %isMiddle, %u1, %a : f32
  %u2 = arith.addf %a, %b : f32
  %b1 = arith.select %isMiddle, %u2, %b : f32
  %c3 = arith.constant 0x3F490FDB : f32 // 0.785398163
  %c4 = arith.constant 0.0 : f32
  %o1 = arith.select %isMiddle, %c3, %c4 : f32
  %u3 = arith.negf %b : f32
  %top = arith.select %isBig, %u3, %a1 : f32
  %bottom = arith.select %isBig, %a, %b1 : f32
  %c5 = arith.constant 0x3FC90FDB : f32 // 1.57079633
  %base = arith.select %isBig, %c5, %o1 : f32
  %z = arith.divf %top, %bottom : f32
  %w = arith.mulf %z, %z : f32
  %c6 = arith.constant 0x3D70F0F1 : f32 // 0.0588235294
  %c7 = arith.constant 0xBD888889 : f32 // -0.0666666667
  %u4 = math.fma %c6, %w, %c7 : f32
  %c8 = arith.constant 0x3D9D89D9 : f32 // 0.0769230769
  %u5 = math.fma %u4, %w, %c8 : f32
  %c9 = arith.constant 0xBDBA2E8C : f32 // -0.0909090909
  %u6 = math.fma %u5, %w, %c9 : f32
  %c10 = arith.constant 0x3DE38E39 : f32 // 0.111111111
  %u7 = math.fma %u6, %w, %c10 : f32
  %c11 = arith.constant 0xBE124925 : f32 // -0.142857143
  %u8 = math.fma %u7, %w, %c11 : f32
  %c12 = arith.constant 0x3E4CCCCD : f32 // 0.2
  %u9 = math.fma %u8, %w, %c12 : f32
  %c13 = arith.constant 0xBEAAAAAB : f32 // -0.333333333
  %p = math.fma %u9, %w, %c13 : f32
  %zw = arith.mulf %z, %w : f32
  %small = math.fma %zw, %p, %z : f32
  %y = arith.addf %base, %small : f32
  func.return %y : f32
}

// Arc tangent.
func.func @atan.f32(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %c1 = arith.constant 0x7F800000 : f32 // inf
  %isInf = arith.cmpf oeq, %a, %c1 : f32
  %c2 = arith.constant 1.0 : f32
  %v0 = func.call @atan.ratio.f32(%a, %c2) : (f32, f32) -> f32
  %c3 = arith.constant 0x3FC90FDB : f32 // 1.57079633
  %v = arith.select %isInf, %c3, %v0 : f32
  %y = math.copysign %v, %x : f32
  func.return %y : f32
}

// The angle of the point (x, y).
func.func @atan2.f32(%y: f32, %x: f32) -> f32 {
  %a0 = math.absf %y : f32
  %b0 = math.absf %x : f32
  %c1 = arith.constant 0x7F800000 : f32 // inf
  %u1 = arith.cmpf oeq, %a0, %c1 : f32
  %u2 = arith.cmpf oeq, %b0, %c1 : f32
  %bothInf = arith.andi %u1, %u2 : i1
  %c2 = arith.constant 0.0 : f32
  %u3 = arith.cmpf oeq, %a0, %c2 : f32
  %u4 = arith.cmpf oeq, %b0, %c2 : f32
  %bothZero = arith.andi %u3, %u4 : i1
  %c3 = arith.constant 1.0 : f32
  %a1 = arith.select %bothInf, %c3, %a0 : f32
  %b1 = arith.select %bothInf, %c3, %b0 : f32
  %b2 = arith.select %bothZero, %c3, %b1 : f32
  %isAInf = arith.cmpf oeq, %a1, %c1 : f32
  %isBInf = arith.cmpf oeq, %b2, %c1 : f32
  %a2 = arith.select %isBInf, %c2, %a1 : f32
  %c4 = arith.constant 0x7E000000 : f32 // 4.25352959e+37
  %u5 = arith.cmpf ogt, %a2, %c4 : f32
  %u6 = arith.cmpf ogt, %b2, %c4 : f32
  %isHuge = arith.ori %u5, %u6 : i1
  %c5 = arith.constant 0.25 : f32
  %k = arith.select %isHuge, %c5, %c3 : f32
  %u7 = arith.mulf %a2, %k : f32
  %u8 = arith.mulf %b2, %k : f32
  %v0 = func.call @atan.ratio.f32(%u7, %u8) : (f32, f32) -> f32
  %c6 = arith.constant 0x3FC90FDB : f32 // 1.57079633
  %v1 = arith.select %isAInf, %c6, %v0 : f32
  %u9 = math.copysign %c3, %x : f32
  %isLeft = arith.cmpf olt, %u9, %c2 : f32
  %c7 = arith.constant 0x40490FDB : f32 // 3.14159265
  %u10 = arith.subf %c7, %v1 : f32
  %v2 = arith.select %isLeft, %u10, %v1 : f32
  %u11 = arith.cmpf une, %x, %x : f32
  %u12 = arith.cmpf une, %y, %y : f32
  %isNan = arith.ori %u11, %u12 : i1
  %c8 = arith.constant 0x7FC00000 : f32 // nan
  %v3 = arith.select %isNan, %c8, %v2 : f32
  %r = math.copysign %v3, %y : f32
  func.return %r : f32
}

// Arc sine: the angle of (sqrt(1 - x^2), x); NaN outside of [-1, 1].
func.func @asin.f32(%x: f32) -> f32 {
  %c1 = arith.constant 1.0 : f32
  %u1 = arith.subf %c1, %x : f32
  %u2 = arith.addf %x, %c1 : f32
  %u3 = arith.mulf %u1, %u2 : f32
  %b = math.sqrt %u3 : f32
  %y = func.call @atan2.f32(%x, %b) : (f32, f32) -> f32
  func.return %y : f32
}

// Arc cosine: twice the angle of (sqrt(1 + x), sqrt(1 - x)).
func.func @acos.f32(%x: f32) -> f32 {
  %c1 = arith.constant 1.0 : f32
  %u1 = arith.subf %c1, %x : f32
  %a = math.sqrt %u1 : f32
  %u2 = arith.addf %x, %c1 : f32
  %b = math.sqrt %u2 : f32
  %h = func.call @atan2.f32(%a, %b) : (f32, f32) -> f32
  %y = arith.addf %h, %h : f32
  func.return %y : f32
}

// Tests.
func.func @isnan.f32(%x: f32) -> i1 {
  %y = arith.cmpf une, %x, %x : f32
  func.return %y : i1
}

func.func @isinf.f32(%x: f32) -> i1 {
  %a = math.absf %x : f32
  %c1 = arith.constant 0x7F800000 : f32 // inf
  %y = arith.cmpf oeq, %a, %c1 : f32
  func.return %y : i1
}

func.func @isfinite.f32(%x: f32) -> i1 {
  %a = math.absf %x : f32
  %c1 = arith.constant 0x7F800000 : f32 // inf
  %y = arith.cmpf olt, %a, %c1 : f32
  func.return %y : i1
}

func.func @isnormal.f32(%x: f32) -> i1 {
  %a = math.absf %x : f32
  %c1 = arith.constant 0x7F800000 : f32 // inf
  %f = arith.cmpf olt, %a, %c1 : f32
  %c2 = arith.constant 0x00800000 : f32 // 1.17549435e-38
  %n = arith.cmpf oge, %a, %c2 : f32
  %y = arith.andi %f, %n : i1
  func.return %y : i1
}

// x - y trunc(x / y), of arith: exact while the quotient is below 2^24.
func.func @remf.f32(%x: f32, %y: f32) -> f32 {
  %u1 = arith.divf %x, %y : f32
  %q = math.trunc %u1 : f32
  %u2 = arith.negf %q : f32
  %r = math.fma %u2, %y, %x : f32
  %c1 = arith.constant 1.0 : f32
  %s = math.copysign %c1, %x : f32
  %a = arith.mulf %r, %s : f32
  %b = math.absf %y : f32
  %c2 = arith.constant 0.0 : f32
  %isLow = arith.cmpf olt, %a, %c2 : f32
  %isHigh = arith.cmpf oge, %a, %b : f32
  %u3 = arith.addf %a, %b : f32
  %up = arith.select %isLow, %u3, %a : f32
  %u4 = arith.subf %a, %b : f32
  %v = arith.select %isHigh, %u4, %up : f32
  %c3 = arith.constant 0x7F800000 : f32 // inf
  %isWhole = arith.cmpf oeq, %b, %c3 : f32
  %u5 = math.absf %x : f32
  %isFinite = arith.cmpf olt, %u5, %c3 : f32
  %keeps = arith.andi %isWhole, %isFinite : i1
  %z = math.copysign %v, %x : f32
  %m = arith.select %keeps, %x, %z : f32
  func.return %m : f32
}

// x * 2^n for n from -2044 to 2046, in two steps, so that neither overflows alone.
func.func @scale.f64(%x: f64, %n: i64) -> f64 {
  %c1 = arith.constant 1 : i64
  %a = arith.shrsi %n, %c1 : i64
  %b = arith.subi %n, %a : i64
  %c2 = arith.constant 1023 : i64
  %u1 = arith.addi %a, %c2 : i64
  %c3 = arith.constant 52 : i64
  %abits = arith.shli %u1, %c3 : i64
  %u2 = arith.addi %b, %c2 : i64
  %bbits = arith.shli %u2, %c3 : i64
  %u3 = arith.bitcast %abits : i64 to f64
  %half = arith.mulf %x, %u3 : f64
  %u4 = arith.bitcast %bbits : i64 to f64
  %r = arith.mulf %half, %u4 : f64
  func.return %r : f64
}

// n and r with x = n * ln(2) + r, |r| <= ln(2)/2.
func.func @exp.parts.f64(%x: f64) -> (i64, f64) {
  %c1 = arith.constant 0x3FF71547652B82FE : f64 // 1.4426950408889634
  %c2 = arith.constant 0x4338000000000000 : f64 // 6755399441055744.0
  %t = math.fma %x, %c1, %c2 : f64
  %n = arith.subf %t, %c2 : f64
  %c3 = arith.constant 0xBFE62E42FEFA39EF : f64 // -0.69314718055994529
  %r0 = math.fma %n, %c3, %x : f64
  %c4 = arith.constant 0xBC7ABC9E3B39803F : f64 // -2.3190468138462996e-17
  %r = math.fma %n, %c4, %r0 : f64
  %u1 = arith.bitcast %t : f64 to i64
  %c5 = arith.constant 4843621399236968448 : i64
  %k = arith.subi %u1, %c5 : i64
  func.return %k, %r : i64, f64
}

// e^x: Taylor's polynomial of degree 13.
func.func @exp.f64(%x: f64) -> f64 {
  %c1 = arith.constant -746.0 : f64
  %u1 = arith.cmpf olt, %x, %c1 : f64
  %low = arith.select %u1, %c1, %x : f64
  %c2 = arith.constant 710.0 : f64
  %u2 = arith.cmpf ogt, %low, %c2 : f64
  %xc = arith.select %u2, %c2, %low : f64
  %k, %r = func.call @exp.parts.f64(%xc) : (f64) -> (i64, f64)
  %c3 = arith.constant 0x3DE6124613A86D09 : f64 // 1.6059043836821615e-10
  %c4 = arith.constant 0x3E21EED8EFF8D898 : f64 // 2.0876756987868099e-9
  %u3 = math.fma %c3, %r, %c4 : f64
  %c5 = arith.constant 0x3E5AE64567F544E4 : f64 // 2.5052108385441719e-8
  %u4 = math.fma %u3, %r, %c5 : f64
  %c6 = arith.constant 0x3E927E4FB7789F5C : f64 // 2.7557319223985891e-7
  %u5 = math.fma %u4, %r, %c6 : f64
  %c7 = arith.constant 0x3EC71DE3A556C734 : f64 // 2.7557319223985891e-6
  %u6 = math.fma %u5, %r, %c7 : f64
  %c8 = arith.constant 0x3EFA01A01A01A01A : f64 // 2.4801587301587302e-5
  %u7 = math.fma %u6, %r, %c8 : f64
  %c9 = arith.constant 0x3F2A01A01A01A01A : f64 // 0.00019841269841269841
  %u8 = math.fma %u7, %r, %c9 : f64
  %c10 = arith.constant 0x3F56C16C16C16C17 : f64 // 0.0013888888888888889
  %u9 = math.fma %u8, %r, %c10 : f64
  %c11 = arith.constant 0x3F81111111111111 : f64 // 0.0083333333333333333
  %u10 = math.fma %u9, %r, %c11 : f64
  %c12 = arith.constant 0x3FA5555555555555 : f64 // 0.041666666666666667
  %u11 = math.fma %u10, %r, %c12 : f64
  %c13 = arith.constant 0x3FC5555555555555 : f64 // 0.16666666666666667
  %u12 = math.fma %u11, %r, %c13 : f64
  %c14 = arith.constant 0.5 : f64
  %u13 = math.fma %u12, %r, %c14 : f64
  %c15 = arith.constant 1.0 : f64
  %u14 = math.fma %u13, %r, %c15 : f64
  %p = math.fma %u14, %r, %c15 : f64
  %y = func.call @scale.f64(%p, %k) : (f64, i64) -> f64
  func.return %y : f64
}

// e^x - 1, also near 0.
func.func @expm1.f64(%x: f64) -> f64 {
  %c1 = arith.constant -746.0 : f64
  %u1 = arith.cmpf olt, %x, %c1 : f64
  %low = arith.select %u1, %c1, %x : f64
  %c2 = arith.constant 710.0 : f64
  %u2 = arith.cmpf ogt, %low, %c2 : f64
  %xc = arith.select %u2, %c2, %low : f64
  %k, %r = func.call @exp.parts.f64(%xc) : (f64) -> (i64, f64)
  %c3 = arith.constant 0x3DA93974A8C07C9D : f64 // 1.1470745597729725e-11
  %c4 = arith.constant 0x3DE6124613A86D09 : f64 // 1.6059043836821615e-10
  %u3 = math.fma %c3, %r, %c4 : f64
  %c5 = arith.constant 0x3E21EED8EFF8D898 : f64 // 2.0876756987868099e-9
  %u4 = math.fma %u3, %r, %c5 : f64
  %c6 = arith.constant 0x3E5AE64567F544E4 : f64 // 2.5052108385441719e-8
  %u5 = math.fma %u4, %r, %c6 : f64
  %c7 = arith.constant 0x3E927E4FB7789F5C : f64 // 2.7557319223985891e-7
  %u6 = math.fma %u5, %r, %c7 : f64
  %c8 = arith.constant 0x3EC71DE3A556C734 : f64 // 2.7557319223985891e-6
  %u7 = math.fma %u6, %r, %c8 : f64
  %c9 = arith.constant 0x3EFA01A01A01A01A : f64 // 2.4801587301587302e-5
  %u8 = math.fma %u7, %r, %c9 : f64
  %c10 = arith.constant 0x3F2A01A01A01A01A : f64 // 0.00019841269841269841
  %u9 = math.fma %u8, %r, %c10 : f64
  %c11 = arith.constant 0x3F56C16C16C16C17 : f64 // 0.0013888888888888889
  %u10 = math.fma %u9, %r, %c11 : f64
  %c12 = arith.constant 0x3F81111111111111 : f64 // 0.0083333333333333333
  %u11 = math.fma %u10, %r, %c12 : f64
  %c13 = arith.constant 0x3FA5555555555555 : f64 // 0.041666666666666667
  %u12 = math.fma %u11, %r, %c13 : f64
  %c14 = arith.constant 0x3FC5555555555555 : f64 // 0.16666666666666667
  %u13 = math.fma %u12, %r, %c14 : f64
  %c15 = arith.constant 0.5 : f64
  %q = math.fma %u13, %r, %c15 : f64
  %rr = arith.mulf %r, %r : f64
  %p = math.fma %rr, %q, %r : f64
  %c16 = arith.constant 1.0 : f64
  %one = func.call @scale.f64(%c16, %k) : (f64, i64) -> f64
  %u14 = arith.addf %p, %c16 : f64
  %big = func.call @scale.f64(%u14, %k) : (f64, i64) -> f64
  %u15 = arith.subf %one, %c16 : f64
  %small = math.fma %p, %one, %u15 : f64
  %c17 = arith.constant 1000 : i64
  %u16 = arith.cmpi sgt, %k, %c17 : i64
  %y = arith.select %u16, %big, %small : f64
  func.return %y : f64
}

// 2^x.
func.func @exp2.f64(%x: f64) -> f64 {
  %c1 = arith.constant -1076.0 : f64
  %u1 = arith.cmpf olt, %x, %c1 : f64
  %low = arith.select %u1, %c1, %x : f64
  %c2 = arith.constant 1025.0 : f64
  %u2 = arith.cmpf ogt, %low, %c2 : f64
  %xc = arith.select %u2, %c2, %low : f64
  %c3 = arith.constant 0x4338000000000000 : f64 // 6755399441055744.0
  %t = arith.addf %xc, %c3 : f64
  %n = arith.subf %t, %c3 : f64
  %f = arith.subf %xc, %n : f64
  %c4 = arith.constant 0x3FE62E42FEFA39EF : f64 // 0.69314718055994531
  %r = arith.mulf %f, %c4 : f64
  %u3 = arith.bitcast %t : f64 to i64
  %c5 = arith.constant 4843621399236968448 : i64
  %k = arith.subi %u3, %c5 : i64
  %c6 = arith.constant 0x3DE6124613A86D09 : f64 // 1.6059043836821615e-10
  %c7 = arith.constant 0x3E21EED8EFF8D898 : f64 // 2.0876756987868099e-9
  %u4 = math.fma %c6, %r, %c7 : f64
  %c8 = arith.constant 0x3E5AE64567F544E4 : f64 // 2.5052108385441719e-8
  %u5 = math.fma %u4, %r, %c8 : f64
  %c9 = arith.constant 0x3E927E4FB7789F5C : f64 // 2.7557319223985891e-7
  %u6 = math.fma %u5, %r, %c9 : f64
  %c10 = arith.constant 0x3EC71DE3A556C734 : f64 // 2.7557319223985891e-6
  %u7 = math.fma %u6, %r, %c10 : f64
  %c11 = arith.constant 0x3EFA01A01A01A01A : f64 // 2.4801587301587302e-5
  %u8 = math.fma %u7, %r, %c11 : f64
  %c12 = arith.constant 0x3F2A01A01A01A01A : f64 // 0.00019841269841269841
  %u9 = math.fma %u8, %r, %c12 : f64
  %c13 = arith.constant 0x3F56C16C16C16C17 : f64 // 0.0013888888888888889
  %u10 = math.fma %u9, %r, %c13 : f64
  %c14 = arith.constant 0x3F81111111111111 : f64 // 0.0083333333333333333
  %u11 = math.fma %u10, %r, %c14 : f64
  %c15 = arith.constant 0x3FA5555555555555 : f64 // 0.041666666666666667
  %u12 = math.fma %u11, %r, %c15 : f64
  %c16 = arith.constant 0x3FC5555555555555 : f64 // 0.16666666666666667
  %u13 = math.fma %u12, %r, %c16 : f64
  %c17 = arith.constant 0.5 : f64
  %u14 = math.fma %u13, %r, %c17 : f64
  %c18 = arith.constant 1.0 : f64
  %u15 = math.fma %u14, %r, %c18 : f64
  %p = math.fma %u15, %r, %c18 : f64
  %y = func.call @scale.f64(%p, %k) : (f64, i64) -> f64
  func.return %y : f64
}

// e and log(m) with x = 2^e * m, sqrt(1/2) <= m < sqrt(2), for x > 0:
// log(1 + f) = 2 atanh(s), s = f / (2 + f).
func.func @log.parts.f64(%x: f64) -> (f64, f64, f64) {
  %c1 = arith.constant 0x0010000000000000 : f64 // 2.2250738585072014e-308
  %isSmall = arith.cmpf olt, %x, %c1 : f64
  %c2 = arith.constant 0x4350000000000000 : f64 // 18014398509481984.0
  %u1 = arith.mulf %x, %c2 : f64
  %scaled = arith.select %isSmall, %u1, %x : f64
  %b = arith.bitcast %scaled : f64 to i64
  %c3 = arith.constant 4604544271217802189 : i64
  %u2 = arith.subi %b, %c3 : i64
  %c4 = arith.constant 52 : i64
  %e = arith.shrsi %u2, %c4 : i64
  %u3 = arith.shli %e, %c4 : i64
  %mbits = arith.subi %b, %u3 : i64
  %u4 = arith.bitcast %mbits : i64 to f64
  %c5 = arith.constant 1.0 : f64
  %f = arith.subf %u4, %c5 : f64
  %c6 = arith.constant 2.0 : f64
  %u5 = arith.addf %f, %c6 : f64
  %s = arith.divf %f, %u5 : f64
  %z = arith.mulf %s, %s : f64
  %c7 = arith.constant 0x3FB47AE147AE147B : f64 // 0.08
  %c8 = arith.constant 0x3FB642C8590B2164 : f64 // 0.086956521739130435
  %u6 = math.fma %c7, %z, %c8 : f64
  %c9 = arith.constant 0x3FB8618618618618 : f64 // 0.095238095238095238
  %u7 = math.fma %u6, %z, %c9 : f64
  %c10 = arith.constant 0x3FBAF286BCA1AF28 : f64 // 0.10526315789473684
  %u8 = math.fma %u7, %z, %c10 : f64
  %c11 = arith.constant 0x3FBE1E1E1E1E1E1E : f64 // 0.11764705882352941
  %u9 = math.fma %u8, %z, %c11 : f64
  %c12 = arith.constant 0x3FC1111111111111 : f64 // 0.13333333333333333
  %u10 = math.fma %u9, %z, %c12 : f64
  %c13 = arith.constant 0x3FC3B13B13B13B14 : f64 // 0.15384615384615385
  %u11 = math.fma %u10, %z, %c13 : f64
  %c14 = arith.constant 0x3FC745D1745D1746 : f64 // 0.18181818181818182
  %u12 = math.fma %u11, %z, %c14 : f64
  %c15 = arith.constant 0x3FCC71C71C71C71C : f64 // 0.22222222222222222
  %u13 = math.fma %u12, %z, %c15 : f64
  %c16 = arith.constant 0x3FD2492492492492 : f64 // 0.28571428571428571
  %u14 = math.fma %u13, %z, %c16 : f64
  %c17 = arith.constant 0x3FD999999999999A : f64 // 0.4
  %u15 = math.fma %u14, %z, %c17 : f64
  %c18 = arith.constant 0x3FE5555555555555 : f64 // 0.66666666666666667
  %p = math.fma %u15, %z, %c18 : f64
  %q = arith.mulf %p, %z : f64
  %u16 = arith.subf %f, %q : f64
  %inner = arith.mulf %s, %u16 : f64
  %ef = arith.sitofp %e : i64 to f64
  %c19 = arith.constant -54.0 : f64
  %c20 = arith.constant 0.0 : f64
  %adjust = arith.select %isSmall, %c19, %c20 : f64
  %whole = arith.addf %ef, %adjust : f64
  func.return %whole, %f, %inner : f64, f64, f64
}

// The natural logarithm: -inf of 0, NaN of less.
func.func @log.f64(%x: f64) -> f64 {
  %e, %f, %inner = func.call @log.parts.f64(%x) : (f64) -> (f64, f64, f64)
  %c1 = arith.constant 0xBDEA39EF35793C76 : f64 // -1.9082149292705878e-10
  %tail = math.fma %e, %c1, %inner : f64
  %d = arith.subf %tail, %f : f64
  %c2 = arith.constant 0x3FE62E42FEE00000 : f64 // 0.69314718036912382
  %u1 = arith.negf %d : f64
  %v = math.fma %e, %c2, %u1 : f64
  %c3 = arith.constant 0.0 : f64
  %isPositive = arith.cmpf ogt, %x, %c3 : f64
  %c4 = arith.constant 0x7FF0000000000000 : f64 // inf
  %isFinite = arith.cmpf olt, %x, %c4 : f64
  %isPlain = arith.andi %isPositive, %isFinite : i1
  %isInf = arith.cmpf oeq, %x, %c4 : f64
  %isZero = arith.cmpf oeq, %x, %c3 : f64
  %c5 = arith.constant 0x7FF8000000000000 : f64 // nan
  %other = arith.select %isInf, %x, %c5 : f64
  %c6 = arith.constant 0xFFF0000000000000 : f64 // -inf
  %otherwise = arith.select %isZero, %c6, %other : f64
  %y = arith.select %isPlain, %v, %otherwise : f64
  func.return %y : f64
}

// The logarithm to base 2.
func.func @log2.f64(%x: f64) -> f64 {
  %e, %f, %inner = func.call @log.parts.f64(%x) : (f64) -> (f64, f64, f64)
  %l = arith.subf %f, %inner : f64
  %c1 = arith.constant 0x3FF71547652B82FE : f64 // 1.4426950408889634
  %v = math.fma %l, %c1, %e : f64
  %c2 = arith.constant 0.0 : f64
  %isPositive = arith.cmpf ogt, %x, %c2 : f64
  %c3 = arith.constant 0x7FF0000000000000 : f64 // inf
  %isFinite = arith.cmpf olt, %x, %c3 : f64
  %isPlain = arith.andi %isPositive, %isFinite : i1
  %isInf = arith.cmpf oeq, %x, %c3 : f64
  %isZero = arith.cmpf oeq, %x, %c2 : f64
  %c4 = arith.constant 0x7FF8000000000000 : f64 // nan
  %other = arith.select %isInf, %x, %c4 : f64
  %c5 = arith.constant 0xFFF0000000000000 : f64 // -inf
  %otherwise = arith.select %isZero, %c5, %other : f64
  %y = arith.select %isPlain, %v, %otherwise : f64
  func.return %y : f64
}

// The logarithm to base 10.
func.func @log10.f64(%x: f64) -> f64 {
  %e, %f, %inner = func.call @log.parts.f64(%x) : (f64) -> (f64, f64, f64)
  %l = arith.subf %f, %inner : f64
  %c1 = arith.constant 0x3DDF79FEF311F12B : f64 // 1.1451100898021839e-10
  %c2 = arith.constant 0x3FDBCB7B1526E50E : f64 // 0.43429448190325183
  %u1 = arith.mulf %l, %c2 : f64
  %small = math.fma %e, %c1, %u1 : f64
  %c3 = arith.constant 0x3FD3441350800000 : f64 // 0.30102999554947019
  %v = math.fma %e, %c3, %small : f64
  %c4 = arith.constant 0.0 : f64
  %isPositive = arith.cmpf ogt, %x, %c4 : f64
  %c5 = arith.constant 0x7FF0000000000000 : f64 // inf
  %isFinite = arith.cmpf olt, %x, %c5 : f64
  %isPlain = arith.andi %isPositive, %isFinite : i1
  %isInf = arith.cmpf oeq, %x, %c5 : f64
  %isZero = arith.cmpf oeq, %x, %c4 : f64
  %c6 = arith.constant 0x7FF8000000000000 : f64 // nan
  %other = arith.select %isInf, %x, %c6 : f64
  %c7 = arith.constant 0xFFF0000000000000 : f64 // -inf
  %otherwise = arith.select %isZero, %c7, %other : f64
  %y = arith.select %isPlain, %v, %otherwise : f64
  func.return %y : f64
}

// log(1 + x), also near 0: what rounding 1 + x lost comes back as lost / (1 + x).
func.func @log1p.f64(%x: f64) -> f64 {
  %c1 = arith.constant 1.0 : f64
  %u = arith.addf %x, %c1 : f64
  %kept = arith.subf %u, %c1 : f64
  %u1 = arith.subf %x, %kept : f64
  %lost = arith.divf %u1, %u : f64
  %l = func.call @log.f64(%u) : (f64) -> f64
  %sum = arith.addf %l, %lost : f64
  %c2 = arith.constant 0x7FF0000000000000 : f64 // inf
  %isInf = arith.cmpf oeq, %x, %c2 : f64
  %c3 = arith.constant -1.0 : f64
  %isMinusOne = arith.cmpf oeq, %x, %c3 : f64
  %isSmall = arith.cmpf oeq, %u, %c1 : f64
  %a = arith.select %isInf, %x, %sum : f64
  %c4 = arith.constant 0xFFF0000000000000 : f64 // -inf
  %b = arith.select %isMinusOne, %c4, %a : f64
  %y = arith.select %isSmall, %x, %b : f64
  func.return %y : f64
}

// The quarter turn q and the rest r with x = q * pi/2 + r, |r| <= pi/4, for
// |x| < 2^20.
func.func @turn.f64(%x: f64) -> (f64, i32) {
  %c1 = arith.constant 0x3FE45F306DC9C883 : f64 // 0.63661977236758134
  %c2 = arith.constant 0x4338000000000000 : f64 // 6755399441055744.0
  %t = math.fma %x, %c1, %c2 : f64
  %n = arith.subf %t, %c2 : f64
  %c3 = arith.constant 0xBFF921FB54442D18 : f64 // -1.5707963267948966
  %r0 = math.fma %n, %c3, %x : f64
  %c4 = arith.constant 0xBC91A62633145C07 : f64 // -6.123233995736766e-17
  %r1 = math.fma %n, %c4, %r0 : f64
  %c5 = arith.constant 0x391F1976B7ED8FBC : f64 // 1.4973849048591698e-33
  %r = math.fma %n, %c5, %r1 : f64
  %u1 = arith.bitcast %t : f64 to i64
  %q = arith.trunci %u1 : i64 to i32
  func.return %r, %q : f64, i32
}

// sin(r) and cos(r) for |r| <= pi/4.
func.func @quarter.f64(%r: f64) -> (f64, f64) {
  %z = arith.mulf %r, %r : f64
  %c1 = arith.constant 0x3CE952C77030AD4A : f64 // 2.8114572543455208e-15
  %c2 = arith.constant 0xBD6AE7F3E733B81F : f64 // -7.6471637318198165e-13
  %u1 = math.fma %c1, %z, %c2 : f64
  %c3 = arith.constant 0x3DE6124613A86D09 : f64 // 1.6059043836821615e-10
  %u2 = math.fma %u1, %z, %c3 : f64
  %c4 = arith.constant 0xBE5AE64567F544E4 : f64 // -2.5052108385441719e-8
  %u3 = math.fma %u2, %z, %c4 : f64
  %c5 = arith.constant 0x3EC71DE3A556C734 : f64 // 2.7557319223985891e-6
  %u4 = math.fma %u3, %z, %c5 : f64
  %c6 = arith.constant 0xBF2A01A01A01A01A : f64 // -0.00019841269841269841
  %u5 = math.fma %u4, %z, %c6 : f64
  %c7 = arith.constant 0x3F81111111111111 : f64 // 0.0083333333333333333
  %u6 = math.fma %u5, %z, %c7 : f64
  %c8 = arith.constant 0xBFC5555555555555 : f64 // -0.16666666666666667
  %sp = math.fma %u6, %z, %c8 : f64
  %rz = arith.mulf %r, %z : f64
  %s = math.fma %rz, %sp, %r : f64
  %c9 = arith.constant 0xBCA6827863B97D97 : f64 // -1.5619206968586226e-16
  %c10 = arith.constant 0x3D2AE7F3E733B81F : f64 // 4.7794773323873853e-14
  %u7 = math.fma %c9, %z, %c10 : f64
  %c11 = arith.constant 0xBDA93974A8C07C9D : f64 // -1.1470745597729725e-11
  %u8 = math.fma %u7, %z, %c11 : f64
  %c12 = arith.constant 0x3E21EED8EFF8D898 : f64 // 2.0876756987868099e-9
  %u9 = math.fma %u8, %z, %c12 : f64
  %c13 = arith.constant 0xBE927E4FB7789F5C : f64 // -2.7557319223985891e-7
  %u10 = math.fma %u9, %z, %c13 : f64
  %c14 = arith.constant 0x3EFA01A01A01A01A : f64 // 2.4801587301587302e-5
  %u11 = math.fma %u10, %z, %c14 : f64
  %c15 = arith.constant 0xBF56C16C16C16C17 : f64 // -0.0013888888888888889
  %u12 = math.fma %u11, %z, %c15 : f64
  %c16 = arith.constant 0x3FA5555555555555 : f64 // 0.041666666666666667
  %cp = math.fma %u12, %z, %c16 : f64
  %zz = arith.mulf %z, %z : f64
  %c17 = arith.constant -0.5 : f64
  %c18 = arith.constant 1.0 : f64
  %w = math.fma %z, %c17, %c18 : f64
  %c = math.fma %zz, %cp, %w : f64
  func.return %s, %c : f64, f64
}

// Sine.
func.func @sin.f64(%x: f64) -> f64 {
  %r, %q0 = func.call @turn.f64(%x) : (f64) -> (f64, i32)
  %s, %c = func.call @quarter.f64(%r) : (f64) -> (f64, f64)
  %c1 = arith.constant 1 : i32
  %u1 = arith.andi %q0, %c1 : i32
  %isOdd = arith.cmpi eq, %u1, %c1 : i32
  %c2 = arith.constant 2 : i32
  %u2 = arith.andi %q0, %c2 : i32
  %isNegative = arith.cmpi eq, %u2, %c2 : i32
  %v = arith.select %isOdd, %c, %s : f64
  %u3 = arith.negf %v : f64
  %y = arith.select %isNegative, %u3, %v : f64
  func.return %y : f64
}

// Cosine.
func.func @cos.f64(%x: f64) -> f64 {
  %r, %q0 = func.call @turn.f64(%x) : (f64) -> (f64, i32)
  %s, %c = func.call @quarter.f64(%r) : (f64) -> (f64, f64)
  %c1 = arith.constant 1 : i32
  %q = arith.addi %q0, %c1 : i32
  %u1 = arith.andi %q, %c1 : i32
  %isOdd = arith.cmpi eq, %u1, %c1 : i32
  %c2 = arith.constant 2 : i32
  %u2 = arith.andi %q, %c2 : i32
  %isNegative = arith.cmpi eq, %u2, %c2 : i32
  %v = arith.select %isOdd, %c, %s : f64
  %u3 = arith.negf %v : f64
  %y = arith.select %isNegative, %u3, %v : f64
  func.return %y : f64
}

// Both.
func.func @sincos.f64(%x: f64) -> (f64, f64) {
  %s = func.call @sin.f64(%x) : (f64) -> f64
  %c = func.call @cos.f64(%x) : (f64) -> f64
  func.return %s, %c : f64, f64
}

// Tangent.
func.func @tan.f64(%x: f64) -> f64 {
  %r, %q = func.call @turn.f64(%x) : (f64) -> (f64, i32)
  %s, %c = func.call @quarter.f64(%r) : (f64) -> (f64, f64)
  %c1 = arith.constant 1 : i32
  %u1 = arith.andi %q, %c1 : i32
  %isOdd = arith.cmpi eq, %u1, %c1 : i32
  %u2 = arith.negf %c : f64
  %top = arith.select %isOdd, %u2, %s : f64
  %bottom = arith.select %isOdd, %s, %c : f64
  %y = arith.divf %top, %bottom : f64
  func.return %y : f64
}

// (e^2a - 1) / (e^2a + 1), a = |x|, which is 1 from 20 on.
func.func @tanh.f64(%x: f64) -> f64 {
  %a0 = math.absf %x : f64
  %c1 = arith.constant 20.0 : f64
  %u1 = arith.cmpf ogt, %a0, %c1 : f64
  %a = arith.select %u1, %c1, %a0 : f64
  %u2 = arith.addf %a, %a : f64
  %e = func.call @expm1.f64(%u2) : (f64) -> f64
  %c2 = arith.constant 2.0 : f64
  %u3 = arith.addf %e, %c2 : f64
  %v = arith.divf %e, %u3 : f64
  %y = math.copysign %v, %x : f64
  func.return %y : f64
}

// (e^a - e^-a) / 2, a = |x|, for large a as the square of e^(a/2).
func.func @sinh.f64(%x: f64) -> f64 {
  %a = math.absf %x : f64
  %e = func.call @expm1.f64(%a) : (f64) -> f64
  %c1 = arith.constant 1.0 : f64
  %u1 = arith.addf %e, %c1 : f64
  %u2 = arith.divf %e, %u1 : f64
  %u3 = arith.addf %e, %u2 : f64
  %c2 = arith.constant 0.5 : f64
  %near = arith.mulf %u3, %c2 : f64
  %u4 = arith.mulf %a, %c2 : f64
  %h = func.call @exp.f64(%u4) : (f64) -> f64
  %u5 = arith.mulf %h, %c2 : f64
  %far = arith.mulf %u5, %h : f64
  %c3 = arith.constant 20.0 : f64
  %u6 = arith.cmpf ogt, %a, %c3 : f64
  %v = arith.select %u6, %far, %near : f64
  %y = math.copysign %v, %x : f64
  func.return %y : f64
}

// (e^a + e^-a) / 2, a = |x|.
func.func @cosh.f64(%x: f64) -> f64 {
  %a = math.absf %x : f64
  %e = func.call @exp.f64(%a) : (f64) -> f64
  %c1 = arith.constant 0.5 : f64
  %u1 = arith.mulf %e, %c1 : f64
  %u2 = arith.divf %c1, %e : f64
  %near = arith.addf %u1, %u2 : f64
  %u3 = arith.mulf %a, %c1 : f64
  %h = func.call @exp.f64(%u3) : (f64) -> f64
  %u4 = arith.mulf %h, %c1 : f64
  %far = arith.mulf %u4, %h : f64
  %c2 = arith.constant 20.0 : f64
  %u5 = arith.cmpf ogt, %a, %c2 : f64
  %y = arith.select %u5, %far, %near : f64
  func.return %y : f64
}

// The angle in [0, pi/2] whose tangent is a / b, for a, b >= 0: by pi/4 or pi/2
// less where that is large, then the series.
func.func @atan.ratio.f64(%a: f64, %b: f64) -> f64 {
  %c1 = arith.constant 0x4003504F333F9DE6 : f64 // 2.4142135623730949
  %t1 = arith.mulf %b, %c1 : f64
  %c2 = arith.constant 0x3FDA827999FCEF31 : f64 // 0.41421356237309498
  %t2 = arith.mulf %b, %c2 : f64
  %isBig = arith.cmpf ogt, %a, %t1 : f64
  %isMiddle = arith.cmpf ogt, %a, %t2 : f64
  %u1 = arith.subf %a, %b : f64
  %a1 = arith.select %isMiddle, %u1, %a : f64
  %u2 = arith.addf %a, %b : f64
  %b1 = arith.select %isMiddle, %u2, %b : f64
  %c3 = arith.constant 0x3FE921FB54442D18 : f64 // 0.78539816339744831
  %c4 = arith.constant 0.0 : f64
  %o1 = arith.select %isMiddle, %c3, %c4 : f64
  %u3 = arith.negf %b : f64
  %top = arith.select %isBig, %u3, %a1 : f64
  %bottom = arith.select %isBig, %a, %b1 : f64
  %c5 = arith.constant 0x3FF921FB54442D18 : f64 // 1.5707963267948966
  %base = arith.select %isBig, %c5, %o1 : f64
  %z = arith.divf %top, %bottom : f64
  %w = arith.mulf %z, %z : f64
  %c6 = arith.constant 0x3F98F9C18F9C18FA : f64 // 0.024390243902439024
  %c7 = arith.constant 0xBF9A41A41A41A41A : f64 // -0.025641025641025641
  %u4 = math.fma %c6, %w, %c7 : f64
  %c8 = arith.constant 0x3F9BACF914C1BAD0 : f64 // 0.027027027027027027
  %u5 = math.fma %u4, %w, %c8 : f64
  %c9 = arith.constant 0xBF9D41D41D41D41D : f64 // -0.028571428571428571
  %u6 = math.fma %u5, %w, %c9 : f64
  %c10 = arith.constant 0x3F9F07C1F07C1F08 : f64 // 0.030303030303030303
  %u7 = math.fma %u6, %w, %c10 : f64
  %c11 = arith.constant 0xBFA0842108421084 : f64 // -0.032258064516129032
  %u8 = math.fma %u7, %w, %c11 : f64
  %c12 = arith.constant 0x3FA1A7B9611A7B96 : f64 // 0.034482758620689655
  %u9 = math.fma %u8, %w, %c12 : f64
  %c13 = arith.constant 0xBFA2F684BDA12F68 : f64 // -0.037037037037037037
  %u10 = math.fma %u9, %w, %c13 : f64
  %c14 = arith.constant 0x3FA47AE147AE147B : f64 // 0.04
  %u11 = math.fma %u10, %w, %c14 : f64
  %c15 = arith.constant 0xBFA642C8590B2164 : f64 // -0.043478260869565217
  %u12 = math.fma %u11, %w, %c15 : f64
  %c16 = arith.constant 0x3FA8618618618618 : f64 // 0.047619047619047619
  %u13 = math.fma %u12, %w, %c16 : f64
  %c17 = arith.constant 0xBFAAF286BCA1AF28 : f64 // -0.052631578947368421
  %u14 = math.fma %u13, %w, %c17 : f64
  %c18 = arith.constant 0x3FAE1E1E1E1E1E1E : f64 // 0.058823529411764706
  %u15 = math.fma %u14, %w, %c18 : f64
  %c19 = arith.constant 0xBFB1111111111111 : f64 // -0.066666666666666667
  %u16 = math.fma %u15, %w, %c19 : f64
  %c20 = arith.constant 0x3FB3B13B13B13B14 : f64 // 0.076923076923076923
  %u17 = math.fma %u16, %w, %c20 : f64
  %c21 = arith.constant 0xBFB745D1745D1746 : f64 // -0.090909090909090909
  %u18 = math.fma %u17, %w, %c21 : f64
  %c22 = arith.constant 0x3FBC71C71C71C71C : f64 // 0.11111111111111111
  %u19 = math.fma %u18, %w, %c22 : f64
  %c23 = arith.constant 0xBFC2492492492492 : f64 // -0.14285714285714286
  %u20 = math.fma %u19, %w, %c23 : f64
  %c24 = arith.constant 0x3FC999999999999A : f64 // 0.2
  %u21 = math.fma %u20, %w, %c24 : f64
  %c25 = arith.constant 0xBFD5555555555555 : f64 // -0.33333333333333333
  %p = math.fma %u21, %w, %c25 : f64
  %zw = arith.mulf %z, %w : f64
  %small = math.fma %zw, %p, %z : f64
  %y = arith.addf %base, %small : f64
  func.return %y : f64
}

// Arc tangent.
func.func @atan.f64(%x: f64) -> f64 {
  %a = math.absf %x : f64
  %c1 = arith.constant 0x7FF0000000000000 : f64 // inf
  %isInf = arith.cmpf oeq, %a, %c1 : f64
  %c2 = arith.constant 1.0 : f64
  %v0 = func.call @atan.ratio.f64(%a, %c2) : (f64, f64) -> f64
  %c3 = arith.constant 0x3FF921FB54442D18 : f64 // 1.5707963267948966
  %v = arith.select %isInf, %c3, %v0 : f64
  %y = math.copysign %v, %x : f64
  func.return %y : f64
}

// The angle of the point (x, y).
func.func @atan2.f64(%y: f64, %x: f64) -> f64 {
  %a0 = math.absf %y : f64
  %b0 = math.absf %x : f64
  %c1 = arith.constant 0x7FF0000000000000 : f64 // inf
  %u1 = arith.cmpf oeq, %a0, %c1 : f64
  %u2 = arith.cmpf oeq, %b0, %c1 : f64
  %bothInf = arith.andi %u1, %u2 : i1
  %c2 = arith.constant 0.0 : f64
  %u3 = arith.cmpf oeq, %a0, %c2 : f64
  %u4 = arith.cmpf oeq, %b0, %c2 : f64
  %bothZero = arith.andi %u3, %u4 : i1
  %c3 = arith.constant 1.0 : f64
  %a1 = arith.select %bothInf, %c3, %a0 : f64
  %b1 = arith.select %bothInf, %c3, %b0 : f64
  %b2 = arith.select %bothZero, %c3, %b1 : f64
  %isAInf = arith.cmpf oeq, %a1, %c1 : f64
  %isBInf = arith.cmpf oeq, %b2, %c1 : f64
  %a2 = arith.select %isBInf, %c2, %a1 : f64
  %c4 = arith.constant 0x7FC0000000000000 : f64 // 2.2471164185778949e+307
  %u5 = arith.cmpf ogt, %a2, %c4 : f64
  %u6 = arith.cmpf ogt, %b2, %c4 : f64
  %isHuge = arith.ori %u5, %u6 : i1
  %c5 = arith.constant 0.25 : f64
  %k = arith.select %isHuge, %c5, %c3 : f64
  %u7 = arith.mulf %a2, %k : f64
  %u8 = arith.mulf %b2, %k : f64
  %v0 = func.call @atan.ratio.f64(%u7, %u8) : (f64, f64) -> f64
  %c6 = arith.constant 0x3FF921FB54442D18 : f64 // 1.5707963267948966
  %v1 = arith.select %isAInf, %c6, %v0 : f64
  %u9 = math.copysign %c3, %x : f64
  %isLeft = arith.cmpf olt, %u9, %c2 : f64
  %c7 = arith.constant 0x400921FB54442D18 : f64 // 3.1415926535897932
  %u10 = arith.subf %c7, %v1 : f64
  %v2 = arith.select %isLeft, %u10, %v1 : f64
  %u11 = arith.cmpf une, %x, %x : f64
  %u12 = arith.cmpf une, %y, %y : f64
  %isNan = arith.ori %u11, %u12 : i1
  %c8 = arith.constant 0x7FF8000000000000 : f64 // nan
  %v3 = arith.select %isNan, %c8, %v2 : f64
  %r = math.copysign %v3, %y : f64
  func.return %r : f64
}

// Arc sine: the angle of (sqrt(1 - x^2), x); NaN outside of [-1, 1].
func.func @asin.f64(%x: f64) -> f64 {
  %c1 = arith.constant 1.0 : f64
  %u1 = arith.subf %c1, %x : f64
  %u2 = arith.addf %x, %c1 : f64
  %u3 = arith.mulf %u1, %u2 : f64
  %b = math.sqrt %u3 : f64
  %y = func.call @atan2.f64(%x, %b) : (f64, f64) -> f64
  func.return %y : f64
}

// Arc cosine: twice the angle of (sqrt(1 + x), sqrt(1 - x)).
func.func @acos.f64(%x: f64) -> f64 {
  %c1 = arith.constant 1.0 : f64
  %u1 = arith.subf %c1, %x : f64
  %a = math.sqrt %u1 : f64
  %u2 = arith.addf %x, %c1 : f64
  %b = math.sqrt %u2 : f64
  %h = func.call @atan2.f64(%a, %b) : (f64, f64) -> f64
  %y = arith.addf %h, %h : f64
  func.return %y : f64
}

// Tests.
func.func @isnan.f64(%x: f64) -> i1 {
  %y = arith.cmpf une, %x, %x : f64
  func.return %y : i1
}

func.func @isinf.f64(%x: f64) -> i1 {
  %a = math.absf %x : f64
  %c1 = arith.constant 0x7FF0000000000000 : f64 // inf
  %y = arith.cmpf oeq, %a, %c1 : f64
  func.return %y : i1
}

func.func @isfinite.f64(%x: f64) -> i1 {
  %a = math.absf %x : f64
  %c1 = arith.constant 0x7FF0000000000000 : f64 // inf
  %y = arith.cmpf olt, %a, %c1 : f64
  func.return %y : i1
}

func.func @isnormal.f64(%x: f64) -> i1 {
  %a = math.absf %x : f64
  %c1 = arith.constant 0x7FF0000000000000 : f64 // inf
  %f = arith.cmpf olt, %a, %c1 : f64
  %c2 = arith.constant 0x0010000000000000 : f64 // 2.2250738585072014e-308
  %n = arith.cmpf oge, %a, %c2 : f64
  %y = arith.andi %f, %n : i1
  func.return %y : i1
}

// x - y trunc(x / y), of arith: exact while the quotient is below 2^53.
func.func @remf.f64(%x: f64, %y: f64) -> f64 {
  %u1 = arith.divf %x, %y : f64
  %q = math.trunc %u1 : f64
  %u2 = arith.negf %q : f64
  %r = math.fma %u2, %y, %x : f64
  %c1 = arith.constant 1.0 : f64
  %s = math.copysign %c1, %x : f64
  %a = arith.mulf %r, %s : f64
  %b = math.absf %y : f64
  %c2 = arith.constant 0.0 : f64
  %isLow = arith.cmpf olt, %a, %c2 : f64
  %isHigh = arith.cmpf oge, %a, %b : f64
  %u3 = arith.addf %a, %b : f64
  %up = arith.select %isLow, %u3, %a : f64
  %u4 = arith.subf %a, %b : f64
  %v = arith.select %isHigh, %u4, %up : f64
  %c3 = arith.constant 0x7FF0000000000000 : f64 // inf
  %isWhole = arith.cmpf oeq, %b, %c3 : f64
  %u5 = math.absf %x : f64
  %isFinite = arith.cmpf olt, %u5, %c3 : f64
  %keeps = arith.andi %isWhole, %isFinite : i1
  %z = math.copysign %v, %x : f64
  %m = arith.select %keeps, %x, %z : f64
  func.return %m : f64
}

// 1 / sqrt(x).
func.func @rsqrt.f64(%x: f64) -> f64 {
  %s = math.sqrt %x : f64
  %c1 = arith.constant 1.0 : f64
  %y = arith.divf %c1, %s : f64
  func.return %y : f64
}

// x^y = 2^(y log2|x|), computed in f64; of a negative x for integers y only.
func.func @powf.f32(%x: f32, %y: f32) -> f32 {
  %xd = arith.extf %x : f32 to f64
  %yd = arith.extf %y : f32 to f64
  %ax = math.absf %xd : f64
  %l = func.call @log2.f64(%ax) : (f64) -> f64
  %ly = arith.mulf %l, %yd : f64
  %m = func.call @exp2.f64(%ly) : (f64) -> f64
  %m1 = arith.truncf %m : f64 to f32
  %c1 = arith.constant 1.0 : f64
  %u1 = arith.cmpf oeq, %ax, %c1 : f64
  %c2 = arith.constant 0.0 : f32
  %u2 = arith.cmpf oeq, %y, %c2 : f32
  %isOne = arith.ori %u1, %u2 : i1
  %c3 = arith.constant 1.0 : f32
  %magnitude = arith.select %isOne, %c3, %m1 : f32
  %whole = math.trunc %yd : f64
  %isWhole = arith.cmpf oeq, %whole, %yd : f64
  %c4 = arith.constant 0.5 : f64
  %h = arith.mulf %yd, %c4 : f64
  %hw = math.trunc %h : f64
  %u3 = arith.cmpf une, %hw, %h : f64
  %isOdd = arith.andi %isWhole, %u3 : i1
  %u4 = math.copysign %c3, %x : f32
  %isMinus = arith.cmpf olt, %u4, %c2 : f32
  %negated = arith.andi %isMinus, %isOdd : i1
  %u5 = arith.negf %magnitude : f32
  %signed = arith.select %negated, %u5, %magnitude : f32
  %c5 = arith.constant 0xFF800000 : f32 // -inf
  %isFinite = arith.cmpf ogt, %x, %c5 : f32
  %u6 = arith.cmpf olt, %x, %c2 : f32
  %isBelow = arith.andi %u6, %isFinite : i1
  %u7 = math.absf %y : f32
  %c6 = arith.constant 0x7F800000 : f32 // inf
  %isFinite2 = arith.cmpf olt, %u7, %c6 : f32
  %u8 = arith.cmpf une, %whole, %yd : f64
  %isFraction = arith.andi %u8, %isFinite2 : i1
  %isBad = arith.andi %isBelow, %isFraction : i1
  %c7 = arith.constant 0x7FC00000 : f32 // nan
  %r0 = arith.select %isBad, %c7, %signed : f32
  %isXOne = arith.cmpf oeq, %x, %c3 : f32
  %u9 = arith.cmpf une, %x, %x : f32
  %u10 = arith.cmpf une, %y, %y : f32
  %anyNan = arith.ori %u9, %u10 : i1
  %r1 = arith.select %anyNan, %c7, %r0 : f32
  %u11 = arith.cmpf oeq, %y, %c2 : f32
  %isSure = arith.ori %isXOne, %u11 : i1
  %r = arith.select %isSure, %c3, %r1 : f32
  func.return %r : f32
}

// The cube root, 2^(log2|x| / 3) in f64.
func.func @cbrt.f32(%x: f32) -> f32 {
  %u1 = math.absf %x : f32
  %xd = arith.extf %u1 : f32 to f64
  %l = func.call @log2.f64(%xd) : (f64) -> f64
  %c1 = arith.constant 0x3FD5555555555555 : f64 // 0.33333333333333331
  %u2 = arith.mulf %l, %c1 : f64
  %m = func.call @exp2.f64(%u2) : (f64) -> f64
  %v = arith.truncf %m : f64 to f32
  %y = math.copysign %v, %x : f32
  func.return %y : f32
}

// 1 - erf(x): e^(-a^2) (P(q) / (1 + 2 a)) for a = |x|, q = (a - 2) / (a + 2), with P of
// degree 10 to (1 + 2 a) erfcx(a).
func.func @erfc.f32(%x: f32) -> f32 {
  %u1 = math.absf %x : f32
  %c1 = arith.constant 0x41280000 : f32 // 10.5
  %u2 = arith.cmpf ogt, %u1, %c1 : f32
  %a = arith.select %u2, %c1, %u1 : f32
  %c2 = arith.constant 2.0 : f32
  %u3 = arith.subf %a, %c2 : f32
  %u4 = arith.addf %a, %c2 : f32
  %q = arith.divf %u3, %u4 : f32
  %c3 = arith.constant 0x392DECBD : f32 // 0.000165867579
  %c4 = arith.constant 0xB93F5792 : f32 // -0.000182478015
  %u5 = math.fma %c3, %q, %c4 : f32
  %c5 = arith.constant 0xBAB898A5 : f32 // -0.00140835775
  %u6 = math.fma %u5, %q, %c5 : f32
  %c6 = arith.constant 0x3A8860BE : f32 // 0.0010404808
  %u7 = math.fma %u6, %q, %c6 : f32
  %c7 = arith.constant 0x3C0E8B5B : f32 // 0.00870021721
  %u8 = math.fma %u7, %q, %c7 : f32
  %c8 = arith.constant 0xBC0219BD : f32 // -0.00794070691
  %u9 = math.fma %u8, %q, %c8 : f32
  %c9 = arith.constant 0xBD5E117E : f32 // -0.0542159009
  %u10 = math.fma %u9, %q, %c9 : f32
  %c10 = arith.constant 0x3E27F8DD : f32 // 0.164035273
  %u11 = math.fma %u10, %q, %c10 : f32
  %c11 = arith.constant 0xBE2A03ED : f32 // -0.166030604
  %u12 = math.fma %u11, %q, %c11 : f32
  %c12 = arith.constant 0xBDBDFA8C : f32 // -0.0927630388
  %u13 = math.fma %u12, %q, %c12 : f32
  %c13 = arith.constant 0x3FA37407 : f32 // 1.27697838
  %u14 = math.fma %u13, %q, %c13 : f32
  %c14 = arith.constant 1.0 : f32
  %u15 = math.fma %a, %c2, %c14 : f32
  %scaled = arith.divf %u14, %u15 : f32
  %square = arith.mulf %a, %a : f32
  %u16 = arith.negf %square : f32
  %lost = math.fma %a, %a, %u16 : f32
  %u17 = func.call @exp.f32(%u16) : (f32) -> f32
  %u18 = arith.negf %lost : f32
  %u19 = math.fma %u17, %u18, %u17 : f32
  %right = arith.mulf %scaled, %u19 : f32
  %c15 = arith.constant 0.0 : f32
  %u20 = arith.cmpf olt, %x, %c15 : f32
  %u21 = arith.subf %c2, %right : f32
  %y = arith.select %u20, %u21, %right : f32
  func.return %y : f32
}

// 1 - erf(x): e^(-a^2) (P(q) / (1 + 2 a)) for a = |x|, q = (a - 4) / (a + 4), with P of
// degree 24 to (1 + 2 a) erfcx(a).
func.func @erfc.f64(%x: f64) -> f64 {
  %u1 = math.absf %x : f64
  %c1 = arith.constant 28.0 : f64
  %u2 = arith.cmpf ogt, %u1, %c1 : f64
  %a = arith.select %u2, %c1, %u1 : f64
  %c2 = arith.constant 4.0 : f64
  %u3 = arith.subf %a, %c2 : f64
  %u4 = arith.addf %a, %c2 : f64
  %q = arith.divf %u3, %u4 : f64
  %c3 = arith.constant 0xBDF2FEB115E10FF8 : f64 // -2.7641202337345779e-10
  %c4 = arith.constant 0x3E0FF247156A53A2 : f64 // 9.2976252637096592e-10
  %u5 = math.fma %c3, %q, %c4 : f64
  %c5 = arith.constant 0x3E2BC41DEF3D5CC5 : f64 // 3.2323973445082033e-09
  %u6 = math.fma %u5, %q, %c5 : f64
  %c6 = arith.constant 0xBE4A7F4A11380E73 : f64 // -1.2338731403798444e-08
  %u7 = math.fma %u6, %q, %c6 : f64
  %c7 = arith.constant 0xBE564110B1736FB3 : f64 // -2.0725802488181963e-08
  %u8 = math.fma %u7, %q, %c7 : f64
  %c8 = arith.constant 0x3E7C8A212189B424 : f64 // 1.0631817593818149e-07
  %u9 = math.fma %u8, %q, %c8 : f64
  %c9 = arith.constant 0x3E74DCD6B6D85452 : f64 // 7.7719432410869122e-08
  %u10 = math.fma %u9, %q, %c9 : f64
  %c10 = arith.constant 0xBEAB8CE493292DA5 : f64 // -8.2106479332973366e-07
  %u11 = math.fma %u10, %q, %c10 : f64
  %c11 = arith.constant 0x3E9393F4D359A7FD : f64 // 2.9173425573089733e-07
  %u12 = math.fma %u11, %q, %c11 : f64
  %c12 = arith.constant 0x3ED7EF644C7815AA : f64 // 5.7065782992407402e-06
  %u13 = math.fma %u12, %q, %c12 : f64
  %c13 = arith.constant 0xBEE7884D2487D5EF : f64 // -1.1221135665965907e-05
  %u14 = math.fma %u13, %q, %c13 : f64
  %c14 = arith.constant 0xBEF99537515467BE : f64 // -2.4397731143023292e-05
  %u15 = math.fma %u14, %q, %c14 : f64
  %c15 = arith.constant 0x3F23BE0432BFA860 : f64 // 0.00015062142608651945
  %u16 = math.fma %u15, %q, %c15 : f64
  %c16 = arith.constant 0xBF2A1DF5E81F57B4 : f64 // -0.00019925715247265179
  %u17 = math.fma %u16, %q, %c16 : f64
  %c17 = arith.constant 0xBF48D4A9A6465372 : f64 // -0.00075777324359425761
  %u18 = math.fma %u17, %q, %c17 : f64
  %c18 = arith.constant 0x3F749C672E199469 : f64 // 0.0050319700691022562
  %u19 = math.fma %u18, %q, %c18 : f64
  %c19 = arith.constant 0xBF909623884747DB : f64 // -0.01619773406293477
  %u20 = math.fma %u19, %q, %c19 : f64
  %c20 = arith.constant 0x3FA3079EDF5181DF : f64 // 0.037167515526338006
  %u21 = math.fma %u20, %q, %c20 : f64
  %c21 = arith.constant 0xBFB0FB06DFE4C6C0 : f64 // -0.066330365811860581
  %u22 = math.fma %u21, %q, %c21 : f64
  %c22 = arith.constant 0x3FB7FEE004E1EEFE : f64 // 0.093732834999112641
  %u23 = math.fma %u22, %q, %c22 : f64
  %c23 = arith.constant 0xBFB9DDB23C3E8F13 : f64 // -0.10103906603631811
  %u24 = math.fma %u23, %q, %c23 : f64
  %c24 = arith.constant 0x3FB16ECEFCFA4D10 : f64 // 0.068097054254668388
  %u25 = math.fma %u24, %q, %c24 : f64
  %c25 = arith.constant 0x3F8F7F5DF66FD797 : f64 // 0.015379652102619974
  %u26 = math.fma %u25, %q, %c25 : f64
  %c26 = arith.constant 0xBFC1DF1AD154A286 : f64 // -0.13962111684056228
  %u27 = math.fma %u26, %q, %c26 : f64
  %c27 = arith.constant 0x3FF3BA5916E9FD7F : f64 // 1.2329951186255526
  %u28 = math.fma %u27, %q, %c27 : f64
  %c28 = arith.constant 2.0 : f64
  %c29 = arith.constant 1.0 : f64
  %u29 = math.fma %a, %c28, %c29 : f64
  %scaled = arith.divf %u28, %u29 : f64
  %square = arith.mulf %a, %a : f64
  %u30 = arith.negf %square : f64
  %lost = math.fma %a, %a, %u30 : f64
  %u31 = func.call @exp.f64(%u30) : (f64) -> f64
  %u32 = arith.negf %lost : f64
  %u33 = math.fma %u31, %u32, %u31 : f64
  %right = arith.mulf %scaled, %u33 : f64
  %c30 = arith.constant 0.0 : f64
  %u34 = arith.cmpf olt, %x, %c30 : f64
  %u35 = arith.subf %c28, %right : f64
  %y = arith.select %u34, %u35, %right : f64
  func.return %y : f64
}

// x + x P(x^2) below 1, with P of degree 14 to erf(x) / x - 1; 1 - erfc(|x|) with the sign of x
// from there on.
func.func @erf.f64(%x: f64) -> f64 {
  %a = math.absf %x : f64
  %t = arith.mulf %x, %x : f64
  %c1 = arith.constant 0x3D53C01FD3A74542 : f64 // 2.8067128195611264e-13
  %c2 = arith.constant 0xBD9B40E7ABF9F000 : f64 // -6.1967364287876997e-12
  %u1 = math.fma %c1, %t, %c2 : f64
  %c3 = arith.constant 0x3DD9A0FCB5E22C5B : f64 // 9.3237235181530271e-11
  %u2 = math.fma %u1, %t, %c3 : f64
  %c4 = arith.constant 0xBE1517CE02F1265F : f64 // -1.2277734486795524e-09
  %u3 = math.fma %u2, %t, %c4 : f64
  %c5 = arith.constant 0x3E4FCBB312B48443 : f64 // 1.4806027146128752e-08
  %u4 = math.fma %u3, %t, %c5 : f64
  %c6 = arith.constant 0xBE85F73C3BF14B91 : f64 // -1.6365768648832071e-07
  %u5 = math.fma %u4, %t, %c6 : f64
  %c7 = arith.constant 0x3EBB9E6C38E5CF3D : f64 // 1.6462110782018636e-06
  %u6 = math.fma %u5, %t, %c7 : f64
  %c8 = arith.constant 0xBEEF4D25BF9AF03A : f64 // -1.4925650236967501e-05
  %u7 = math.fma %u6, %t, %c8 : f64
  %c9 = arith.constant 0x3F1F9A326F7AC5B1 : f64 // 0.00012055332978879483
  %u8 = math.fma %u7, %t, %c9 : f64
  %c10 = arith.constant 0xBF4C02DB40035F1E : f64 // -0.0008548327023403001
  %u9 = math.fma %u8, %t, %c10 : f64
  %c11 = arith.constant 0x3F7565BCD0E6A2EE : f64 // 0.0052239776254416736
  %u10 = math.fma %u9, %t, %c11 : f64
  %c12 = arith.constant 0xBF9B82CE31288B47 : f64 // -0.026866170645131218
  %u11 = math.fma %u10, %t, %c12 : f64
  %c13 = arith.constant 0x3FBCE2F21A042BE2 : f64 // 0.11283791670955126
  %u12 = math.fma %u11, %t, %c13 : f64
  %c14 = arith.constant 0xBFD812746B0379E7 : f64 // -0.37612638903183754
  %u13 = math.fma %u12, %t, %c14 : f64
  %c15 = arith.constant 0x3FC06EBA8214DB69 : f64 // 0.12837916709551259
  %u14 = math.fma %u13, %t, %c15 : f64
  %near = math.fma %u14, %x, %x : f64
  %u15 = func.call @erfc.f64(%a) : (f64) -> f64
  %c16 = arith.constant 1.0 : f64
  %u16 = arith.subf %c16, %u15 : f64
  %far = math.copysign %u16, %x : f64
  %u17 = arith.cmpf olt, %a, %c16 : f64
  %y = arith.select %u17, %near, %far : f64
  func.return %y : f64
}

// log(x) as a sum of two numbers, for finite x > 0: 2 atanh((m - 1) / (m + 1)) with the part
// of x that the largest power of two within it leaves.
func.func @log.pair.f64(%x: f64) -> (f64, f64) {
  %c1 = arith.constant 0x0010000000000000 : f64 // 2.2250738585072014e-308
  %isSmall = arith.cmpf olt, %x, %c1 : f64
  %c2 = arith.constant 0x4350000000000000 : f64 // 18014398509481984
  %u1 = arith.mulf %x, %c2 : f64
  %scaled = arith.select %isSmall, %u1, %x : f64
  %bits = arith.bitcast %scaled : f64 to i64
  %c3 = arith.constant 4604544271217802189 : i64
  %u2 = arith.subi %bits, %c3 : i64
  %c4 = arith.constant 52 : i64
  %k0 = arith.shrsi %u2, %c4 : i64
  %u3 = arith.shli %k0, %c4 : i64
  %u4 = arith.subi %bits, %u3 : i64
  %m = arith.bitcast %u4 : i64 to f64
  %c5 = arith.constant 54 : i64
  %u5 = arith.subi %k0, %c5 : i64
  %u6 = arith.select %isSmall, %u5, %k0 : i64
  %k = arith.sitofp %u6 : i64 to f64
  %c6 = arith.constant 1.0 : f64
  %u7 = arith.subf %m, %c6 : f64
  %u8 = arith.addf %m, %c6 : f64
  %u9 = arith.subf %u8, %c6 : f64
  %u10 = arith.subf %m, %u9 : f64
  %f = arith.divf %u7, %u8 : f64
  %u11 = arith.negf %f : f64
  %u12 = math.fma %u11, %u8, %u7 : f64
  %u13 = math.fma %u11, %u10, %u12 : f64
  %f.low = arith.divf %u13, %u8 : f64
  %s = arith.mulf %f, %f : f64
  %u14 = arith.negf %s : f64
  %u15 = math.fma %f, %f, %u14 : f64
  %u16 = arith.addf %f, %f : f64
  %s.low = math.fma %u16, %f.low, %u15 : f64
  %c7 = arith.constant 0x3FA47AE147AE147B : f64 // 0.040000000000000001
  %c8 = arith.constant 0x3FA642C8590B2164 : f64 // 0.043478260869565216
  %u17 = math.fma %c7, %s, %c8 : f64
  %c9 = arith.constant 0x3FA8618618618618 : f64 // 0.047619047619047616
  %u18 = math.fma %u17, %s, %c9 : f64
  %c10 = arith.constant 0x3FAAF286BCA1AF28 : f64 // 0.052631578947368418
  %u19 = math.fma %u18, %s, %c10 : f64
  %c11 = arith.constant 0x3FAE1E1E1E1E1E1E : f64 // 0.058823529411764705
  %u20 = math.fma %u19, %s, %c11 : f64
  %c12 = arith.constant 0x3FB1111111111111 : f64 // 0.066666666666666666
  %u21 = math.fma %u20, %s, %c12 : f64
  %c13 = arith.constant 0x3FB3B13B13B13B14 : f64 // 0.076923076923076927
  %u22 = math.fma %u21, %s, %c13 : f64
  %c14 = arith.constant 0x3FB745D1745D1746 : f64 // 0.090909090909090912
  %u23 = math.fma %u22, %s, %c14 : f64
  %c15 = arith.constant 0x3FBC71C71C71C71C : f64 // 0.1111111111111111
  %u24 = math.fma %u23, %s, %c15 : f64
  %c16 = arith.constant 0x3FC2492492492492 : f64 // 0.14285714285714285
  %u25 = math.fma %u24, %s, %c16 : f64
  %c17 = arith.constant 0x3FC999999999999A : f64 // 0.20000000000000001
  %u26 = math.fma %u25, %s, %c17 : f64
  %u27 = arith.mulf %s, %u26 : f64
  %c18 = arith.constant 0x3FD5555555555555 : f64 // 0.33333333333333331
  %c19 = arith.constant 0x3C75555555555555 : f64 // 1.8503717077085941e-17
  %t = arith.addf %c18, %u27 : f64
  %u28 = arith.subf %c18, %t : f64
  %u29 = arith.addf %u28, %u27 : f64
  %t.low = arith.addf %u29, %c19 : f64
  %w = arith.mulf %s, %t : f64
  %u30 = arith.negf %w : f64
  %u31 = math.fma %s, %t, %u30 : f64
  %u32 = math.fma %s, %t.low, %u31 : f64
  %w.low = math.fma %s.low, %t, %u32 : f64
  %p = arith.mulf %f, %w : f64
  %u33 = arith.negf %p : f64
  %u34 = math.fma %f, %w, %u33 : f64
  %u35 = math.fma %f, %w.low, %u34 : f64
  %p.low = math.fma %f.low, %w, %u35 : f64
  %u36 = arith.addf %f, %p : f64
  %u37 = arith.subf %f, %u36 : f64
  %u38 = arith.addf %u37, %p : f64
  %u39 = arith.addf %f.low, %p.low : f64
  %u40 = arith.addf %u38, %u39 : f64
  %g = arith.addf %u36, %u36 : f64
  %g.low = arith.addf %u40, %u40 : f64
  %c20 = arith.constant 0x3FE62E42FEE00000 : f64 // 0.69314718036912382
  %e = arith.mulf %k, %c20 : f64
  %u41 = arith.addf %e, %g : f64
  %u42 = arith.subf %u41, %e : f64
  %u43 = arith.subf %u41, %u42 : f64
  %u44 = arith.subf %e, %u43 : f64
  %u45 = arith.subf %g, %u42 : f64
  %u46 = arith.addf %u44, %u45 : f64
  %u47 = arith.addf %u46, %g.low : f64
  %c21 = arith.constant 0x3DEA39EF35793C76 : f64 // 1.9082149292705877e-10
  %u48 = math.fma %k, %c21, %u47 : f64
  %high = arith.addf %u41, %u48 : f64
  %u49 = arith.subf %u41, %high : f64
  %low = arith.addf %u49, %u48 : f64
  func.return %high, %low : f64, f64
}

// e^(y log |x|), with the logarithm in two parts, and the sign and the special cases of C.
func.func @powf.f64(%x: f64, %y: f64) -> f64 {
  %ax = math.absf %x : f64
  %c1 = arith.constant 0x4400000000000000 : f64 // 3.6893488147419103e+19
  %c2 = arith.constant 0xC400000000000000 : f64 // -3.6893488147419103e+19
  %u1 = arith.cmpf ogt, %y, %c1 : f64
  %u2 = arith.select %u1, %c1, %y : f64
  %u3 = arith.cmpf olt, %u2, %c2 : f64
  %yc = arith.select %u3, %c2, %u2 : f64
  %high, %low = func.call @log.pair.f64(%ax) : (f64) -> (f64, f64)
  %z = arith.mulf %yc, %high : f64
  %u4 = arith.negf %z : f64
  %u5 = math.fma %yc, %high, %u4 : f64
  %z.low = math.fma %yc, %low, %u5 : f64
  %e = func.call @exp.f64(%z) : (f64) -> f64
  %u6 = math.fma %e, %z.low, %e : f64
  %c3 = arith.constant 0x7FF0000000000000 : f64 // inf
  %u7 = arith.cmpf oeq, %e, %c3 : f64
  %u8 = arith.select %u7, %e, %u6 : f64
  %c4 = arith.constant 0.0 : f64
  %c5 = arith.constant 1.0 : f64
  %isZero = arith.cmpf oeq, %ax, %c4 : f64
  %isInf = arith.cmpf oeq, %ax, %c3 : f64
  %isDown = arith.cmpf olt, %y, %c4 : f64
  %u9 = arith.select %isDown, %c3, %c4 : f64
  %u10 = arith.select %isDown, %c4, %c3 : f64
  %u11 = arith.select %isZero, %u9, %u8 : f64
  %u12 = arith.select %isInf, %u10, %u11 : f64
  %u13 = arith.cmpf oeq, %ax, %c5 : f64
  %isFlat = arith.cmpf oeq, %y, %c4 : f64
  %u14 = arith.ori %u13, %isFlat : i1
  %magnitude = arith.select %u14, %c5, %u12 : f64
  %whole = math.trunc %y : f64
  %isWhole = arith.cmpf oeq, %whole, %y : f64
  %c6 = arith.constant 0.5 : f64
  %u15 = arith.mulf %y, %c6 : f64
  %u16 = math.trunc %u15 : f64
  %u17 = arith.cmpf une, %u16, %u15 : f64
  %isOdd = arith.andi %isWhole, %u17 : i1
  %u18 = math.copysign %c5, %x : f64
  %u19 = arith.cmpf olt, %u18, %c4 : f64
  %u20 = arith.andi %u19, %isOdd : i1
  %u21 = arith.negf %magnitude : f64
  %signed = arith.select %u20, %u21, %magnitude : f64
  %c7 = arith.constant 0xFFF0000000000000 : f64 // -inf
  %u22 = arith.cmpf ogt, %x, %c7 : f64
  %u23 = arith.cmpf olt, %x, %c4 : f64
  %u24 = arith.andi %u22, %u23 : i1
  %u25 = math.absf %y : f64
  %u26 = arith.cmpf olt, %u25, %c3 : f64
  %u27 = arith.cmpf une, %whole, %y : f64
  %u28 = arith.andi %u27, %u26 : i1
  %isBad = arith.andi %u24, %u28 : i1
  %c8 = arith.constant 0x7FF8000000000000 : f64 // nan
  %u29 = arith.select %isBad, %c8, %signed : f64
  %u30 = arith.cmpf une, %x, %x : f64
  %u31 = arith.cmpf une, %y, %y : f64
  %u32 = arith.ori %u30, %u31 : i1
  %u33 = arith.select %u32, %c8, %u29 : f64
  %u34 = arith.cmpf oeq, %x, %c5 : f64
  %u35 = arith.ori %u34, %isFlat : i1
  %r = arith.select %u35, %c5, %u33 : f64
  func.return %r : f64
}

// x^y by squares, modulo 2^32; of a negative y the quotient 1 / x^-y, toward zero, and 0 of 0.
func.func @ipowi.i32(%x: i32, %y: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 0 : i32
  %u1 = arith.trunci %y : i32 to i1
  %u2 = arith.select %u1, %x, %c1 : i32
  %u3 = arith.muli %x, %x : i32
  %u4 = arith.shrui %y, %c1 : i32
  %u5 = arith.trunci %u4 : i32 to i1
  %u6 = arith.muli %u2, %u3 : i32
  %u7 = arith.select %u5, %u6, %u2 : i32
  %u8 = arith.muli %u3, %u3 : i32
  %c3 = arith.constant 2 : i32
  %u9 = arith.shrui %y, %c3 : i32
  %u10 = arith.trunci %u9 : i32 to i1
  %u11 = arith.muli %u7, %u8 : i32
  %u12 = arith.select %u10, %u11, %u7 : i32
  %u13 = arith.muli %u8, %u8 : i32
  %c4 = arith.constant 3 : i32
  %u14 = arith.shrui %y, %c4 : i32
  %u15 = arith.trunci %u14 : i32 to i1
  %u16 = arith.muli %u12, %u13 : i32
  %u17 = arith.select %u15, %u16, %u12 : i32
  %u18 = arith.muli %u13, %u13 : i32
  %c5 = arith.constant 4 : i32
  %u19 = arith.shrui %y, %c5 : i32
  %u20 = arith.trunci %u19 : i32 to i1
  %u21 = arith.muli %u17, %u18 : i32
  %u22 = arith.select %u20, %u21, %u17 : i32
  %u23 = arith.muli %u18, %u18 : i32
  %c6 = arith.constant 5 : i32
  %u24 = arith.shrui %y, %c6 : i32
  %u25 = arith.trunci %u24 : i32 to i1
  %u26 = arith.muli %u22, %u23 : i32
  %u27 = arith.select %u25, %u26, %u22 : i32
  %u28 = arith.muli %u23, %u23 : i32
  %c7 = arith.constant 6 : i32
  %u29 = arith.shrui %y, %c7 : i32
  %u30 = arith.trunci %u29 : i32 to i1
  %u31 = arith.muli %u27, %u28 : i32
  %u32 = arith.select %u30, %u31, %u27 : i32
  %u33 = arith.muli %u28, %u28 : i32
  %c8 = arith.constant 7 : i32
  %u34 = arith.shrui %y, %c8 : i32
  %u35 = arith.trunci %u34 : i32 to i1
  %u36 = arith.muli %u32, %u33 : i32
  %u37 = arith.select %u35, %u36, %u32 : i32
  %u38 = arith.muli %u33, %u33 : i32
  %c9 = arith.constant 8 : i32
  %u39 = arith.shrui %y, %c9 : i32
  %u40 = arith.trunci %u39 : i32 to i1
  %u41 = arith.muli %u37, %u38 : i32
  %u42 = arith.select %u40, %u41, %u37 : i32
  %u43 = arith.muli %u38, %u38 : i32
  %c10 = arith.constant 9 : i32
  %u44 = arith.shrui %y, %c10 : i32
  %u45 = arith.trunci %u44 : i32 to i1
  %u46 = arith.muli %u42, %u43 : i32
  %u47 = arith.select %u45, %u46, %u42 : i32
  %u48 = arith.muli %u43, %u43 : i32
  %c11 = arith.constant 10 : i32
  %u49 = arith.shrui %y, %c11 : i32
  %u50 = arith.trunci %u49 : i32 to i1
  %u51 = arith.muli %u47, %u48 : i32
  %u52 = arith.select %u50, %u51, %u47 : i32
  %u53 = arith.muli %u48, %u48 : i32
  %c12 = arith.constant 11 : i32
  %u54 = arith.shrui %y, %c12 : i32
  %u55 = arith.trunci %u54 : i32 to i1
  %u56 = arith.muli %u52, %u53 : i32
  %u57 = arith.select %u55, %u56, %u52 : i32
  %u58 = arith.muli %u53, %u53 : i32
  %c13 = arith.constant 12 : i32
  %u59 = arith.shrui %y, %c13 : i32
  %u60 = arith.trunci %u59 : i32 to i1
  %u61 = arith.muli %u57, %u58 : i32
  %u62 = arith.select %u60, %u61, %u57 : i32
  %u63 = arith.muli %u58, %u58 : i32
  %c14 = arith.constant 13 : i32
  %u64 = arith.shrui %y, %c14 : i32
  %u65 = arith.trunci %u64 : i32 to i1
  %u66 = arith.muli %u62, %u63 : i32
  %u67 = arith.select %u65, %u66, %u62 : i32
  %u68 = arith.muli %u63, %u63 : i32
  %c15 = arith.constant 14 : i32
  %u69 = arith.shrui %y, %c15 : i32
  %u70 = arith.trunci %u69 : i32 to i1
  %u71 = arith.muli %u67, %u68 : i32
  %u72 = arith.select %u70, %u71, %u67 : i32
  %u73 = arith.muli %u68, %u68 : i32
  %c16 = arith.constant 15 : i32
  %u74 = arith.shrui %y, %c16 : i32
  %u75 = arith.trunci %u74 : i32 to i1
  %u76 = arith.muli %u72, %u73 : i32
  %u77 = arith.select %u75, %u76, %u72 : i32
  %u78 = arith.muli %u73, %u73 : i32
  %c17 = arith.constant 16 : i32
  %u79 = arith.shrui %y, %c17 : i32
  %u80 = arith.trunci %u79 : i32 to i1
  %u81 = arith.muli %u77, %u78 : i32
  %u82 = arith.select %u80, %u81, %u77 : i32
  %u83 = arith.muli %u78, %u78 : i32
  %c18 = arith.constant 17 : i32
  %u84 = arith.shrui %y, %c18 : i32
  %u85 = arith.trunci %u84 : i32 to i1
  %u86 = arith.muli %u82, %u83 : i32
  %u87 = arith.select %u85, %u86, %u82 : i32
  %u88 = arith.muli %u83, %u83 : i32
  %c19 = arith.constant 18 : i32
  %u89 = arith.shrui %y, %c19 : i32
  %u90 = arith.trunci %u89 : i32 to i1
  %u91 = arith.muli %u87, %u88 : i32
  %u92 = arith.select %u90, %u91, %u87 : i32
  %u93 = arith.muli %u88, %u88 : i32
  %c20 = arith.constant 19 : i32
  %u94 = arith.shrui %y, %c20 : i32
  %u95 = arith.trunci %u94 : i32 to i1
  %u96 = arith.muli %u92, %u93 : i32
  %u97 = arith.select %u95, %u96, %u92 : i32
  %u98 = arith.muli %u93, %u93 : i32
  %c21 = arith.constant 20 : i32
  %u99 = arith.shrui %y, %c21 : i32
  %u100 = arith.trunci %u99 : i32 to i1
  %u101 = arith.muli %u97, %u98 : i32
  %u102 = arith.select %u100, %u101, %u97 : i32
  %u103 = arith.muli %u98, %u98 : i32
  %c22 = arith.constant 21 : i32
  %u104 = arith.shrui %y, %c22 : i32
  %u105 = arith.trunci %u104 : i32 to i1
  %u106 = arith.muli %u102, %u103 : i32
  %u107 = arith.select %u105, %u106, %u102 : i32
  %u108 = arith.muli %u103, %u103 : i32
  %c23 = arith.constant 22 : i32
  %u109 = arith.shrui %y, %c23 : i32
  %u110 = arith.trunci %u109 : i32 to i1
  %u111 = arith.muli %u107, %u108 : i32
  %u112 = arith.select %u110, %u111, %u107 : i32
  %u113 = arith.muli %u108, %u108 : i32
  %c24 = arith.constant 23 : i32
  %u114 = arith.shrui %y, %c24 : i32
  %u115 = arith.trunci %u114 : i32 to i1
  %u116 = arith.muli %u112, %u113 : i32
  %u117 = arith.select %u115, %u116, %u112 : i32
  %u118 = arith.muli %u113, %u113 : i32
  %c25 = arith.constant 24 : i32
  %u119 = arith.shrui %y, %c25 : i32
  %u120 = arith.trunci %u119 : i32 to i1
  %u121 = arith.muli %u117, %u118 : i32
  %u122 = arith.select %u120, %u121, %u117 : i32
  %u123 = arith.muli %u118, %u118 : i32
  %c26 = arith.constant 25 : i32
  %u124 = arith.shrui %y, %c26 : i32
  %u125 = arith.trunci %u124 : i32 to i1
  %u126 = arith.muli %u122, %u123 : i32
  %u127 = arith.select %u125, %u126, %u122 : i32
  %u128 = arith.muli %u123, %u123 : i32
  %c27 = arith.constant 26 : i32
  %u129 = arith.shrui %y, %c27 : i32
  %u130 = arith.trunci %u129 : i32 to i1
  %u131 = arith.muli %u127, %u128 : i32
  %u132 = arith.select %u130, %u131, %u127 : i32
  %u133 = arith.muli %u128, %u128 : i32
  %c28 = arith.constant 27 : i32
  %u134 = arith.shrui %y, %c28 : i32
  %u135 = arith.trunci %u134 : i32 to i1
  %u136 = arith.muli %u132, %u133 : i32
  %u137 = arith.select %u135, %u136, %u132 : i32
  %u138 = arith.muli %u133, %u133 : i32
  %c29 = arith.constant 28 : i32
  %u139 = arith.shrui %y, %c29 : i32
  %u140 = arith.trunci %u139 : i32 to i1
  %u141 = arith.muli %u137, %u138 : i32
  %u142 = arith.select %u140, %u141, %u137 : i32
  %u143 = arith.muli %u138, %u138 : i32
  %c30 = arith.constant 29 : i32
  %u144 = arith.shrui %y, %c30 : i32
  %u145 = arith.trunci %u144 : i32 to i1
  %u146 = arith.muli %u142, %u143 : i32
  %u147 = arith.select %u145, %u146, %u142 : i32
  %u148 = arith.muli %u143, %u143 : i32
  %c31 = arith.constant 30 : i32
  %u149 = arith.shrui %y, %c31 : i32
  %u150 = arith.trunci %u149 : i32 to i1
  %u151 = arith.muli %u147, %u148 : i32
  %u152 = arith.select %u150, %u151, %u147 : i32
  %isOdd = arith.trunci %y : i32 to i1
  %c32 = arith.constant -1 : i32
  %u153 = arith.cmpi eq, %x, %c1 : i32
  %u154 = arith.cmpi eq, %x, %c32 : i32
  %u155 = arith.select %isOdd, %c32, %c1 : i32
  %u156 = arith.select %u154, %u155, %c2 : i32
  %inverse = arith.select %u153, %c1, %u156 : i32
  %u157 = arith.cmpi slt, %y, %c2 : i32
  %r = arith.select %u157, %inverse, %u152 : i32
  func.return %r : i32
}

// x^y by squares, modulo 2^64; of a negative y the quotient 1 / x^-y, toward zero, and 0 of 0.
func.func @ipowi.i64(%x: i64, %y: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 0 : i64
  %u1 = arith.trunci %y : i64 to i1
  %u2 = arith.select %u1, %x, %c1 : i64
  %u3 = arith.muli %x, %x : i64
  %u4 = arith.shrui %y, %c1 : i64
  %u5 = arith.trunci %u4 : i64 to i1
  %u6 = arith.muli %u2, %u3 : i64
  %u7 = arith.select %u5, %u6, %u2 : i64
  %u8 = arith.muli %u3, %u3 : i64
  %c3 = arith.constant 2 : i64
  %u9 = arith.shrui %y, %c3 : i64
  %u10 = arith.trunci %u9 : i64 to i1
  %u11 = arith.muli %u7, %u8 : i64
  %u12 = arith.select %u10, %u11, %u7 : i64
  %u13 = arith.muli %u8, %u8 : i64
  %c4 = arith.constant 3 : i64
  %u14 = arith.shrui %y, %c4 : i64
  %u15 = arith.trunci %u14 : i64 to i1
  %u16 = arith.muli %u12, %u13 : i64
  %u17 = arith.select %u15, %u16, %u12 : i64
  %u18 = arith.muli %u13, %u13 : i64
  %c5 = arith.constant 4 : i64
  %u19 = arith.shrui %y, %c5 : i64
  %u20 = arith.trunci %u19 : i64 to i1
  %u21 = arith.muli %u17, %u18 : i64
  %u22 = arith.select %u20, %u21, %u17 : i64
  %u23 = arith.muli %u18, %u18 : i64
  %c6 = arith.constant 5 : i64
  %u24 = arith.shrui %y, %c6 : i64
  %u25 = arith.trunci %u24 : i64 to i1
  %u26 = arith.muli %u22, %u23 : i64
  %u27 = arith.select %u25, %u26, %u22 : i64
  %u28 = arith.muli %u23, %u23 : i64
  %c7 = arith.constant 6 : i64
  %u29 = arith.shrui %y, %c7 : i64
  %u30 = arith.trunci %u29 : i64 to i1
  %u31 = arith.muli %u27, %u28 : i64
  %u32 = arith.select %u30, %u31, %u27 : i64
  %u33 = arith.muli %u28, %u28 : i64
  %c8 = arith.constant 7 : i64
  %u34 = arith.shrui %y, %c8 : i64
  %u35 = arith.trunci %u34 : i64 to i1
  %u36 = arith.muli %u32, %u33 : i64
  %u37 = arith.select %u35, %u36, %u32 : i64
  %u38 = arith.muli %u33, %u33 : i64
  %c9 = arith.constant 8 : i64
  %u39 = arith.shrui %y, %c9 : i64
  %u40 = arith.trunci %u39 : i64 to i1
  %u41 = arith.muli %u37, %u38 : i64
  %u42 = arith.select %u40, %u41, %u37 : i64
  %u43 = arith.muli %u38, %u38 : i64
  %c10 = arith.constant 9 : i64
  %u44 = arith.shrui %y, %c10 : i64
  %u45 = arith.trunci %u44 : i64 to i1
  %u46 = arith.muli %u42, %u43 : i64
  %u47 = arith.select %u45, %u46, %u42 : i64
  %u48 = arith.muli %u43, %u43 : i64
  %c11 = arith.constant 10 : i64
  %u49 = arith.shrui %y, %c11 : i64
  %u50 = arith.trunci %u49 : i64 to i1
  %u51 = arith.muli %u47, %u48 : i64
  %u52 = arith.select %u50, %u51, %u47 : i64
  %u53 = arith.muli %u48, %u48 : i64
  %c12 = arith.constant 11 : i64
  %u54 = arith.shrui %y, %c12 : i64
  %u55 = arith.trunci %u54 : i64 to i1
  %u56 = arith.muli %u52, %u53 : i64
  %u57 = arith.select %u55, %u56, %u52 : i64
  %u58 = arith.muli %u53, %u53 : i64
  %c13 = arith.constant 12 : i64
  %u59 = arith.shrui %y, %c13 : i64
  %u60 = arith.trunci %u59 : i64 to i1
  %u61 = arith.muli %u57, %u58 : i64
  %u62 = arith.select %u60, %u61, %u57 : i64
  %u63 = arith.muli %u58, %u58 : i64
  %c14 = arith.constant 13 : i64
  %u64 = arith.shrui %y, %c14 : i64
  %u65 = arith.trunci %u64 : i64 to i1
  %u66 = arith.muli %u62, %u63 : i64
  %u67 = arith.select %u65, %u66, %u62 : i64
  %u68 = arith.muli %u63, %u63 : i64
  %c15 = arith.constant 14 : i64
  %u69 = arith.shrui %y, %c15 : i64
  %u70 = arith.trunci %u69 : i64 to i1
  %u71 = arith.muli %u67, %u68 : i64
  %u72 = arith.select %u70, %u71, %u67 : i64
  %u73 = arith.muli %u68, %u68 : i64
  %c16 = arith.constant 15 : i64
  %u74 = arith.shrui %y, %c16 : i64
  %u75 = arith.trunci %u74 : i64 to i1
  %u76 = arith.muli %u72, %u73 : i64
  %u77 = arith.select %u75, %u76, %u72 : i64
  %u78 = arith.muli %u73, %u73 : i64
  %c17 = arith.constant 16 : i64
  %u79 = arith.shrui %y, %c17 : i64
  %u80 = arith.trunci %u79 : i64 to i1
  %u81 = arith.muli %u77, %u78 : i64
  %u82 = arith.select %u80, %u81, %u77 : i64
  %u83 = arith.muli %u78, %u78 : i64
  %c18 = arith.constant 17 : i64
  %u84 = arith.shrui %y, %c18 : i64
  %u85 = arith.trunci %u84 : i64 to i1
  %u86 = arith.muli %u82, %u83 : i64
  %u87 = arith.select %u85, %u86, %u82 : i64
  %u88 = arith.muli %u83, %u83 : i64
  %c19 = arith.constant 18 : i64
  %u89 = arith.shrui %y, %c19 : i64
  %u90 = arith.trunci %u89 : i64 to i1
  %u91 = arith.muli %u87, %u88 : i64
  %u92 = arith.select %u90, %u91, %u87 : i64
  %u93 = arith.muli %u88, %u88 : i64
  %c20 = arith.constant 19 : i64
  %u94 = arith.shrui %y, %c20 : i64
  %u95 = arith.trunci %u94 : i64 to i1
  %u96 = arith.muli %u92, %u93 : i64
  %u97 = arith.select %u95, %u96, %u92 : i64
  %u98 = arith.muli %u93, %u93 : i64
  %c21 = arith.constant 20 : i64
  %u99 = arith.shrui %y, %c21 : i64
  %u100 = arith.trunci %u99 : i64 to i1
  %u101 = arith.muli %u97, %u98 : i64
  %u102 = arith.select %u100, %u101, %u97 : i64
  %u103 = arith.muli %u98, %u98 : i64
  %c22 = arith.constant 21 : i64
  %u104 = arith.shrui %y, %c22 : i64
  %u105 = arith.trunci %u104 : i64 to i1
  %u106 = arith.muli %u102, %u103 : i64
  %u107 = arith.select %u105, %u106, %u102 : i64
  %u108 = arith.muli %u103, %u103 : i64
  %c23 = arith.constant 22 : i64
  %u109 = arith.shrui %y, %c23 : i64
  %u110 = arith.trunci %u109 : i64 to i1
  %u111 = arith.muli %u107, %u108 : i64
  %u112 = arith.select %u110, %u111, %u107 : i64
  %u113 = arith.muli %u108, %u108 : i64
  %c24 = arith.constant 23 : i64
  %u114 = arith.shrui %y, %c24 : i64
  %u115 = arith.trunci %u114 : i64 to i1
  %u116 = arith.muli %u112, %u113 : i64
  %u117 = arith.select %u115, %u116, %u112 : i64
  %u118 = arith.muli %u113, %u113 : i64
  %c25 = arith.constant 24 : i64
  %u119 = arith.shrui %y, %c25 : i64
  %u120 = arith.trunci %u119 : i64 to i1
  %u121 = arith.muli %u117, %u118 : i64
  %u122 = arith.select %u120, %u121, %u117 : i64
  %u123 = arith.muli %u118, %u118 : i64
  %c26 = arith.constant 25 : i64
  %u124 = arith.shrui %y, %c26 : i64
  %u125 = arith.trunci %u124 : i64 to i1
  %u126 = arith.muli %u122, %u123 : i64
  %u127 = arith.select %u125, %u126, %u122 : i64
  %u128 = arith.muli %u123, %u123 : i64
  %c27 = arith.constant 26 : i64
  %u129 = arith.shrui %y, %c27 : i64
  %u130 = arith.trunci %u129 : i64 to i1
  %u131 = arith.muli %u127, %u128 : i64
  %u132 = arith.select %u130, %u131, %u127 : i64
  %u133 = arith.muli %u128, %u128 : i64
  %c28 = arith.constant 27 : i64
  %u134 = arith.shrui %y, %c28 : i64
  %u135 = arith.trunci %u134 : i64 to i1
  %u136 = arith.muli %u132, %u133 : i64
  %u137 = arith.select %u135, %u136, %u132 : i64
  %u138 = arith.muli %u133, %u133 : i64
  %c29 = arith.constant 28 : i64
  %u139 = arith.shrui %y, %c29 : i64
  %u140 = arith.trunci %u139 : i64 to i1
  %u141 = arith.muli %u137, %u138 : i64
  %u142 = arith.select %u140, %u141, %u137 : i64
  %u143 = arith.muli %u138, %u138 : i64
  %c30 = arith.constant 29 : i64
  %u144 = arith.shrui %y, %c30 : i64
  %u145 = arith.trunci %u144 : i64 to i1
  %u146 = arith.muli %u142, %u143 : i64
  %u147 = arith.select %u145, %u146, %u142 : i64
  %u148 = arith.muli %u143, %u143 : i64
  %c31 = arith.constant 30 : i64
  %u149 = arith.shrui %y, %c31 : i64
  %u150 = arith.trunci %u149 : i64 to i1
  %u151 = arith.muli %u147, %u148 : i64
  %u152 = arith.select %u150, %u151, %u147 : i64
  %u153 = arith.muli %u148, %u148 : i64
  %c32 = arith.constant 31 : i64
  %u154 = arith.shrui %y, %c32 : i64
  %u155 = arith.trunci %u154 : i64 to i1
  %u156 = arith.muli %u152, %u153 : i64
  %u157 = arith.select %u155, %u156, %u152 : i64
  %u158 = arith.muli %u153, %u153 : i64
  %c33 = arith.constant 32 : i64
  %u159 = arith.shrui %y, %c33 : i64
  %u160 = arith.trunci %u159 : i64 to i1
  %u161 = arith.muli %u157, %u158 : i64
  %u162 = arith.select %u160, %u161, %u157 : i64
  %u163 = arith.muli %u158, %u158 : i64
  %c34 = arith.constant 33 : i64
  %u164 = arith.shrui %y, %c34 : i64
  %u165 = arith.trunci %u164 : i64 to i1
  %u166 = arith.muli %u162, %u163 : i64
  %u167 = arith.select %u165, %u166, %u162 : i64
  %u168 = arith.muli %u163, %u163 : i64
  %c35 = arith.constant 34 : i64
  %u169 = arith.shrui %y, %c35 : i64
  %u170 = arith.trunci %u169 : i64 to i1
  %u171 = arith.muli %u167, %u168 : i64
  %u172 = arith.select %u170, %u171, %u167 : i64
  %u173 = arith.muli %u168, %u168 : i64
  %c36 = arith.constant 35 : i64
  %u174 = arith.shrui %y, %c36 : i64
  %u175 = arith.trunci %u174 : i64 to i1
  %u176 = arith.muli %u172, %u173 : i64
  %u177 = arith.select %u175, %u176, %u172 : i64
  %u178 = arith.muli %u173, %u173 : i64
  %c37 = arith.constant 36 : i64
  %u179 = arith.shrui %y, %c37 : i64
  %u180 = arith.trunci %u179 : i64 to i1
  %u181 = arith.muli %u177, %u178 : i64
  %u182 = arith.select %u180, %u181, %u177 : i64
  %u183 = arith.muli %u178, %u178 : i64
  %c38 = arith.constant 37 : i64
  %u184 = arith.shrui %y, %c38 : i64
  %u185 = arith.trunci %u184 : i64 to i1
  %u186 = arith.muli %u182, %u183 : i64
  %u187 = arith.select %u185, %u186, %u182 : i64
  %u188 = arith.muli %u183, %u183 : i64
  %c39 = arith.constant 38 : i64
  %u189 = arith.shrui %y, %c39 : i64
  %u190 = arith.trunci %u189 : i64 to i1
  %u191 = arith.muli %u187, %u188 : i64
  %u192 = arith.select %u190, %u191, %u187 : i64
  %u193 = arith.muli %u188, %u188 : i64
  %c40 = arith.constant 39 : i64
  %u194 = arith.shrui %y, %c40 : i64
  %u195 = arith.trunci %u194 : i64 to i1
  %u196 = arith.muli %u192, %u193 : i64
  %u197 = arith.select %u195, %u196, %u192 : i64
  %u198 = arith.muli %u193, %u193 : i64
  %c41 = arith.constant 40 : i64
  %u199 = arith.shrui %y, %c41 : i64
  %u200 = arith.trunci %u199 : i64 to i1
  %u201 = arith.muli %u197, %u198 : i64
  %u202 = arith.select %u200, %u201, %u197 : i64
  %u203 = arith.muli %u198, %u198 : i64
  %c42 = arith.constant 41 : i64
  %u204 = arith.shrui %y, %c42 : i64
  %u205 = arith.trunci %u204 : i64 to i1
  %u206 = arith.muli %u202, %u203 : i64
  %u207 = arith.select %u205, %u206, %u202 : i64
  %u208 = arith.muli %u203, %u203 : i64
  %c43 = arith.constant 42 : i64
  %u209 = arith.shrui %y, %c43 : i64
  %u210 = arith.trunci %u209 : i64 to i1
  %u211 = arith.muli %u207, %u208 : i64
  %u212 = arith.select %u210, %u211, %u207 : i64
  %u213 = arith.muli %u208, %u208 : i64
  %c44 = arith.constant 43 : i64
  %u214 = arith.shrui %y, %c44 : i64
  %u215 = arith.trunci %u214 : i64 to i1
  %u216 = arith.muli %u212, %u213 : i64
  %u217 = arith.select %u215, %u216, %u212 : i64
  %u218 = arith.muli %u213, %u213 : i64
  %c45 = arith.constant 44 : i64
  %u219 = arith.shrui %y, %c45 : i64
  %u220 = arith.trunci %u219 : i64 to i1
  %u221 = arith.muli %u217, %u218 : i64
  %u222 = arith.select %u220, %u221, %u217 : i64
  %u223 = arith.muli %u218, %u218 : i64
  %c46 = arith.constant 45 : i64
  %u224 = arith.shrui %y, %c46 : i64
  %u225 = arith.trunci %u224 : i64 to i1
  %u226 = arith.muli %u222, %u223 : i64
  %u227 = arith.select %u225, %u226, %u222 : i64
  %u228 = arith.muli %u223, %u223 : i64
  %c47 = arith.constant 46 : i64
  %u229 = arith.shrui %y, %c47 : i64
  %u230 = arith.trunci %u229 : i64 to i1
  %u231 = arith.muli %u227, %u228 : i64
  %u232 = arith.select %u230, %u231, %u227 : i64
  %u233 = arith.muli %u228, %u228 : i64
  %c48 = arith.constant 47 : i64
  %u234 = arith.shrui %y, %c48 : i64
  %u235 = arith.trunci %u234 : i64 to i1
  %u236 = arith.muli %u232, %u233 : i64
  %u237 = arith.select %u235, %u236, %u232 : i64
  %u238 = arith.muli %u233, %u233 : i64
  %c49 = arith.constant 48 : i64
  %u239 = arith.shrui %y, %c49 : i64
  %u240 = arith.trunci %u239 : i64 to i1
  %u241 = arith.muli %u237, %u238 : i64
  %u242 = arith.select %u240, %u241, %u237 : i64
  %u243 = arith.muli %u238, %u238 : i64
  %c50 = arith.constant 49 : i64
  %u244 = arith.shrui %y, %c50 : i64
  %u245 = arith.trunci %u244 : i64 to i1
  %u246 = arith.muli %u242, %u243 : i64
  %u247 = arith.select %u245, %u246, %u242 : i64
  %u248 = arith.muli %u243, %u243 : i64
  %c51 = arith.constant 50 : i64
  %u249 = arith.shrui %y, %c51 : i64
  %u250 = arith.trunci %u249 : i64 to i1
  %u251 = arith.muli %u247, %u248 : i64
  %u252 = arith.select %u250, %u251, %u247 : i64
  %u253 = arith.muli %u248, %u248 : i64
  %c52 = arith.constant 51 : i64
  %u254 = arith.shrui %y, %c52 : i64
  %u255 = arith.trunci %u254 : i64 to i1
  %u256 = arith.muli %u252, %u253 : i64
  %u257 = arith.select %u255, %u256, %u252 : i64
  %u258 = arith.muli %u253, %u253 : i64
  %c53 = arith.constant 52 : i64
  %u259 = arith.shrui %y, %c53 : i64
  %u260 = arith.trunci %u259 : i64 to i1
  %u261 = arith.muli %u257, %u258 : i64
  %u262 = arith.select %u260, %u261, %u257 : i64
  %u263 = arith.muli %u258, %u258 : i64
  %c54 = arith.constant 53 : i64
  %u264 = arith.shrui %y, %c54 : i64
  %u265 = arith.trunci %u264 : i64 to i1
  %u266 = arith.muli %u262, %u263 : i64
  %u267 = arith.select %u265, %u266, %u262 : i64
  %u268 = arith.muli %u263, %u263 : i64
  %c55 = arith.constant 54 : i64
  %u269 = arith.shrui %y, %c55 : i64
  %u270 = arith.trunci %u269 : i64 to i1
  %u271 = arith.muli %u267, %u268 : i64
  %u272 = arith.select %u270, %u271, %u267 : i64
  %u273 = arith.muli %u268, %u268 : i64
  %c56 = arith.constant 55 : i64
  %u274 = arith.shrui %y, %c56 : i64
  %u275 = arith.trunci %u274 : i64 to i1
  %u276 = arith.muli %u272, %u273 : i64
  %u277 = arith.select %u275, %u276, %u272 : i64
  %u278 = arith.muli %u273, %u273 : i64
  %c57 = arith.constant 56 : i64
  %u279 = arith.shrui %y, %c57 : i64
  %u280 = arith.trunci %u279 : i64 to i1
  %u281 = arith.muli %u277, %u278 : i64
  %u282 = arith.select %u280, %u281, %u277 : i64
  %u283 = arith.muli %u278, %u278 : i64
  %c58 = arith.constant 57 : i64
  %u284 = arith.shrui %y, %c58 : i64
  %u285 = arith.trunci %u284 : i64 to i1
  %u286 = arith.muli %u282, %u283 : i64
  %u287 = arith.select %u285, %u286, %u282 : i64
  %u288 = arith.muli %u283, %u283 : i64
  %c59 = arith.constant 58 : i64
  %u289 = arith.shrui %y, %c59 : i64
  %u290 = arith.trunci %u289 : i64 to i1
  %u291 = arith.muli %u287, %u288 : i64
  %u292 = arith.select %u290, %u291, %u287 : i64
  %u293 = arith.muli %u288, %u288 : i64
  %c60 = arith.constant 59 : i64
  %u294 = arith.shrui %y, %c60 : i64
  %u295 = arith.trunci %u294 : i64 to i1
  %u296 = arith.muli %u292, %u293 : i64
  %u297 = arith.select %u295, %u296, %u292 : i64
  %u298 = arith.muli %u293, %u293 : i64
  %c61 = arith.constant 60 : i64
  %u299 = arith.shrui %y, %c61 : i64
  %u300 = arith.trunci %u299 : i64 to i1
  %u301 = arith.muli %u297, %u298 : i64
  %u302 = arith.select %u300, %u301, %u297 : i64
  %u303 = arith.muli %u298, %u298 : i64
  %c62 = arith.constant 61 : i64
  %u304 = arith.shrui %y, %c62 : i64
  %u305 = arith.trunci %u304 : i64 to i1
  %u306 = arith.muli %u302, %u303 : i64
  %u307 = arith.select %u305, %u306, %u302 : i64
  %u308 = arith.muli %u303, %u303 : i64
  %c63 = arith.constant 62 : i64
  %u309 = arith.shrui %y, %c63 : i64
  %u310 = arith.trunci %u309 : i64 to i1
  %u311 = arith.muli %u307, %u308 : i64
  %u312 = arith.select %u310, %u311, %u307 : i64
  %isOdd = arith.trunci %y : i64 to i1
  %c64 = arith.constant -1 : i64
  %u313 = arith.cmpi eq, %x, %c1 : i64
  %u314 = arith.cmpi eq, %x, %c64 : i64
  %u315 = arith.select %isOdd, %c64, %c1 : i64
  %u316 = arith.select %u314, %u315, %c2 : i64
  %inverse = arith.select %u313, %c1, %u316 : i64
  %u317 = arith.cmpi slt, %y, %c2 : i64
  %r = arith.select %u317, %inverse, %u312 : i64
  func.return %r : i64
}
