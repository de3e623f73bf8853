; What this machine's compiler may lack: conversion to bf16, to the nearest even.

define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 16
  %odd = and i32 %shifted, 1
  %half = add i32 %bits, 32767
  %sum = add i32 %half, %odd
  %high = lshr i32 %sum, 16
  %nan = fcmp uno float %x, %x
  %r = select i1 %nan, i32 32704, i32 %high
  %short = trunc i32 %r to i16
  %value = bitcast i16 %short to bfloat
  ret bfloat %value
}

; By way of f32: an inexact result is made odd, so that it is not half way.
define bfloat @__truncdfbf2(double %x) {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %exact = fcmp ueq double %back, %x
  %a = call double @llvm.fabs.f64(double %back)
  %b = call double @llvm.fabs.f64(double %x)
  %above = fcmp ogt double %a, %b
  %one = zext i1 %above to i32
  %bits = bitcast float %near to i32
  %down = sub i32 %bits, %one
  %odd = or i32 %down, 1
  %chosen = select i1 %exact, i32 %bits, i32 %odd
  %narrow = bitcast i32 %chosen to float
  %value = call bfloat @__truncsfbf2(float %narrow)
  ret bfloat %value
}

declare double @llvm.fabs.f64(double)
