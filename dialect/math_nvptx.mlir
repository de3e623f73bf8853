// As math.mlir, with instructions of the device: those that are as exact as the
// function without flags has to be, @NAME.TYPE, and those for `fastmath<afn>`,
// @NAME.TYPE.fast. The errors are those of the PTX ISA.

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

// What rounding x log2(e) adds: |x| 2^-24.
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
