// The functions of the math dialect for which the device has no instruction
// for them: `cute-expand-math` puts the body of @NAME.TYPE in the place of
// math.NAME on TYPE, element by element. There is arithmetic here only, so that
// the functions run on any machine; test/Conversion/math_accuracy.test
// compares them with wider ones. NaN gives NaN unless it says otherwise.

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
