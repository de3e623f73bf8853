#include "Simulator/ptx/operation_table.h"

#include <math.h>

// Subnormal numbers are zeros to operations with .ftz.
static float flush(float x) {
  return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float exp2Flushed(float x) { return flush(exp2f(flush(x))); }
static float log2Flushed(float x) { return log2f(flush(x)); }
static float rsqrt(float x) { return (float)(1 / sqrt((double)x)); }
static float rsqrtFlushed(float x) { return rsqrt(flush(x)); }
static float reciprocal(float x) { return 1 / x; }
static float reciprocalFlushed(float x) { return flush(1 / flush(x)); }
static double reciprocalOfDouble(double x) { return 1 / x; }
static double rsqrtOfDouble(double x) { return 1 / sqrt(x); }
static float divide(float x, float y) { return x / y; }
static float divideFlushed(float x, float y) {
  return flush(flush(x) / flush(y));
}
static float sqrtFlushed(float x) { return flush(sqrtf(flush(x))); }
static float squareRoot(float x) { return sqrtf(x); }
static float binaryExponential(float x) { return exp2f(x); }
static float binaryLogarithm(float x) { return log2f(x); }
static float sine(float x) { return sinf(x); }
static float cosine(float x) { return cosf(x); }
static float tangent(float x) { return tanhf(x); }
static float absolute(float x) { return fabsf(x); }

#define ROW(intrinsic, function)                                               \
  { intrinsic, "cuteSim_" #function, (void *)(uintptr_t)function }

const CuteSimScalar cuteSimScalars[] = {
    ROW("ex2.approx.f", binaryExponential),
    ROW("ex2.approx.f32", binaryExponential),
    ROW("ex2.approx.ftz.f", exp2Flushed),
    ROW("ex2.approx.ftz.f32", exp2Flushed),
    ROW("lg2.approx.f", binaryLogarithm),
    ROW("lg2.approx.f32", binaryLogarithm),
    ROW("lg2.approx.ftz.f", log2Flushed),
    ROW("lg2.approx.ftz.f32", log2Flushed),
    ROW("rsqrt.approx.f", rsqrt),
    ROW("rsqrt.approx.ftz.f", rsqrtFlushed),
    ROW("rsqrt.approx.d", rsqrtOfDouble),
    ROW("rcp.approx.f", reciprocal),
    ROW("rcp.approx.ftz.f", reciprocalFlushed),
    ROW("rcp.approx.ftz.d", reciprocalOfDouble),
    ROW("rcp.rn.f", reciprocal),
    ROW("rcp.rn.ftz.f", reciprocalFlushed),
    ROW("rcp.rn.d", reciprocalOfDouble),
    ROW("div.approx.f", divide),
    ROW("div.approx.ftz.f", divideFlushed),
    ROW("div.full", divide),
    ROW("div.full.ftz", divideFlushed),
    ROW("sqrt.approx.f", squareRoot),
    ROW("sqrt.approx.ftz.f", sqrtFlushed),
    ROW("sqrt.rn.f", squareRoot),
    ROW("sqrt.rn.ftz.f", sqrtFlushed),
    ROW("sin.approx.f", sine),
    ROW("sin.approx.ftz.f", sine),
    ROW("cos.approx.f", cosine),
    ROW("cos.approx.ftz.f", cosine),
    ROW("tanh.approx.f32", tangent),
    ROW("fabs", absolute),
    {0},
};
