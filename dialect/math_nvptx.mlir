// As math.mlir, with instructions of the device: @NAME.TYPE is as exact as the function
// without flags must be, and @NAME.TYPE.fast is for `fastmath<afn>`. The errors are
// from the PTX ISA.

// rsqrt.approx: 2^-22.9 relative.
func.func @rsqrt.f32(%x: f32) -> f32 {
  %y = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%x) : (f32) -> f32
  func.return %y : f32
}

// ex2.approx.ftz: 2^-22 relative; 0 where the result is below 2^-126. Without ftz
// the device scales before and after.
func.func @exp2.f32.fast(%x: f32) -> f32 {
  %y = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
  func.return %y : f32
}

// 2^n 2^f with n = x log2(e) rounded, of -126 to 127, which is in the low bits of
// a sum with 1.5 2^23 + 127, and the rest f, by two parts of log2(e). Beyond
// these n the rest is large, and ex2.approx makes 0 or infinity of it.
func.func @exp.f32(%x: f32) -> f32 {
  %log2e = arith.constant 0x3FB8AA3B : f32 // 1.44269504
  %u = arith.mulf %x, %log2e : f32
  %low = arith.constant -126.0 : f32
  %u1 = arith.maxnumf %u, %low : f32
  %high = arith.constant 127.0 : f32
  %u2 = arith.minnumf %u1, %high : f32
  %c1 = arith.constant 12583039.0 : f32
  %t = arith.addf %u2, %c1 : f32
  %n = arith.subf %t, %c1 : f32
  %minus = arith.negf %n : f32
  %f0 = math.fma %x, %log2e, %minus : f32
  %c2 = arith.constant 0x32A57060 : f32 // 1.92596304e-8
  %f = math.fma %x, %c2, %f0 : f32
  %y = func.call @exp2.f32.fast(%f) : (f32) -> f32
  %bits = arith.bitcast %t : f32 to i32
  %c3 = arith.constant 23 : i32
  %exponent = arith.shli %bits, %c3 : i32
  %scale = arith.bitcast %exponent : i32 to f32
  %r = arith.mulf %y, %scale : f32
  func.return %r : f32
}

// Rounding x log2(e) adds |x| 2^-24.
func.func @exp.f32.fast(%x: f32) -> f32 {
  %log2e = arith.constant 0x3FB8AA3B : f32 // 1.44269504
  %t = arith.mulf %x, %log2e : f32
  %y = func.call @exp2.f32.fast(%t) : (f32) -> f32
  func.return %y : f32
}

// lg2.approx: 2^-22.6 absolute for x in (0.5, 2), otherwise 2^-22 relative.
func.func @log2.f32.fast(%x: f32) -> f32 {
  %y = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%x) : (f32) -> f32
  func.return %y : f32
}

func.func @log.f32.fast(%x: f32) -> f32 {
  %ln2 = arith.constant 0x3F317218 : f32 // 0.693147182
  %l = func.call @log2.f32.fast(%x) : (f32) -> f32
  %y = arith.mulf %l, %ln2 : f32
  func.return %y : f32
}

func.func @log10.f32.fast(%x: f32) -> f32 {
  %log10_2 = arith.constant 0x3E9A209B : f32 // 0.301030010
  %l = func.call @log2.f32.fast(%x) : (f32) -> f32
  %y = arith.mulf %l, %log10_2 : f32
  func.return %y : f32
}

// sin.approx and cos.approx: 2^-20.5 absolute for |x| <= pi.
func.func @sin.f32.fast(%x: f32) -> f32 {
  %y = llvm.call_intrinsic "llvm.nvvm.sin.approx.f"(%x) : (f32) -> f32
  func.return %y : f32
}

func.func @cos.f32.fast(%x: f32) -> f32 {
  %y = llvm.call_intrinsic "llvm.nvvm.cos.approx.f"(%x) : (f32) -> f32
  func.return %y : f32
}

func.func @tan.f32.fast(%x: f32) -> f32 {
  %s = func.call @sin.f32.fast(%x) : (f32) -> f32
  %c = func.call @cos.f32.fast(%x) : (f32) -> f32
  %y = arith.divf %s, %c : f32
  func.return %y : f32
}

// tanh.approx: 2^-11 relative, from sm_75 on.
func.func @tanh.f32.fast(%x: f32) -> f32 {
  %y = llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" %x : (f32) -> f32
  func.return %y : f32
}

// For x >= 0.
func.func @powf.f32.fast(%x: f32, %p: f32) -> f32 {
  %l = func.call @log2.f32.fast(%x) : (f32) -> f32
  %t = arith.mulf %p, %l : f32
  %y = func.call @exp2.f32.fast(%t) : (f32) -> f32
  func.return %y : f32
}

// The error function: a + a P(a a) below 1, and above 1 - 2^Q(a), where P was fitted to
// erf(a) / a - 1 on [0, 1] and Q to log2(erfc(a)) on [1, 4]. What is subtracted is at
// most 0.158, so that the error of ex2.approx.ftz is less than one unit of the last place.
func.func @erf.f32(%x: f32) -> f32 {
  %a0 = math.absf %x : f32
  %c1 = arith.constant 4.0 : f32
  %above = arith.cmpf ogt, %a0, %c1 : f32
  %a = arith.select %above, %c1, %a0 : f32
  %z = arith.mulf %a, %a : f32
  %c2 = arith.constant 0x38A52B48 : f32 // 7.87587487e-05
  %c3 = arith.constant 0xBA522844 : f32 // -0.00080168643
  %u1 = math.fma %c2, %z, %c3 : f32
  %c4 = arith.constant 0x3BAA0938 : f32 // 0.00518908724
  %u2 = math.fma %u1, %z, %c4 : f32
  %c5 = arith.constant 0xBCDBFD5D : f32 // -0.0268542115
  %u3 = math.fma %u2, %z, %c5 : f32
  %c6 = arith.constant 0x3DE71688 : f32 // 0.112835944
  %u4 = math.fma %u3, %z, %c6 : f32
  %c7 = arith.constant 0xBEC0939F : f32 // -0.37612626
  %u5 = math.fma %u4, %z, %c7 : f32
  %c8 = arith.constant 0x3E0375D4 : f32 // 0.128379166
  %p = math.fma %u5, %z, %c8 : f32
  %near = math.fma %a, %p, %a : f32
  %c9 = arith.constant 0x361E814F : f32 // 2.36191022e-06
  %c10 = arith.constant 0xB88B59D8 : f32 // -6.6447712e-05
  %u6 = math.fma %c9, %a, %c10 : f32
  %c11 = arith.constant 0x3A61B54E : f32 // 0.000861008535
  %u7 = math.fma %u6, %a, %c11 : f32
  %c12 = arith.constant 0xBBE1019A : f32 // -0.006866646
  %u8 = math.fma %u7, %a, %c12 : f32
  %c13 = arith.constant 0x3D1C213F : f32 // 0.0381176434
  %u9 = math.fma %u8, %a, %c13 : f32
  %c14 = arith.constant 0xBE229F9C : f32 // -0.158811986
  %u10 = math.fma %u9, %a, %c14 : f32
  %c15 = arith.constant 0xBF695A2E : f32 // -0.911532283
  %u11 = math.fma %u10, %a, %c15 : f32
  %c16 = arith.constant 0xBFD0B6EB : f32 // -1.63058221
  %u12 = math.fma %u11, %a, %c16 : f32
  %c17 = arith.constant 0x39F22603 : f32 // 0.000461861579
  %q = math.fma %u12, %a, %c17 : f32
  %e = func.call @exp2.f32.fast(%q) : (f32) -> f32
  %one = arith.constant 1.0 : f32
  %far = arith.subf %one, %e : f32
  %isNear = arith.cmpf olt, %a, %one : f32
  %v = arith.select %isNear, %near, %far : f32
  %y = math.copysign %v, %x : f32
  func.return %y : f32
}
