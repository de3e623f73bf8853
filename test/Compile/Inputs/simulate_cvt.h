// cvt of pairs of floats of 8 bits (PTX ISA, "cvt"): of operands a and b, a
// goes to the upper half. Of all codes the nearest is taken, of two the even
// one.
#ifndef SIMULATE_CVT_H
#define SIMULATE_CVT_H

#include <math.h>
#include <stdint.h>

enum { E4M3, E5M2 };

// The number of a code of 8 bits; those of E5M2 have infinities.
static double decodeSmall(int format, int code) {
  int mantissaBits = format == E4M3 ? 3 : 2, bias = format == E4M3 ? 7 : 15;
  int mantissa = code & ((1 << mantissaBits) - 1);
  int exponent = (code & 0x7f) >> mantissaBits;
  double sign = code & 0x80 ? -1 : 1;
  if (format == E4M3 ? (code & 0x7f) == 0x7f : exponent == 31)
    return mantissa && format == E5M2 ? NAN
           : format == E4M3           ? NAN
                                      : sign * INFINITY;
  return sign *
         (exponent ? ldexp(1 + ldexp(mantissa, -mantissaBits), exponent - bias)
                   : ldexp(mantissa, 1 - bias - mantissaBits));
}

static int encodeSmall(int format, double x) {
  int best = 0x7f, sign = signbit(x) ? 0x80 : 0;
  double distance = INFINITY;
  for (int code = 0; code < 0x7f && !isnan(x); ++code) {
    double value = decodeSmall(format, code);
    double d = fabs(fmin(fabs(x), 1e9) - value);
    if (isfinite(value) && (d < distance || (d == distance && !(code & 1)))) {
      best = code;
      distance = d;
    }
  }
  return isnan(x) ? best : best | sign;
}

static double decodeHalf(int code) {
  int mantissa = code & 1023, exponent = code >> 10 & 31;
  double sign = code & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25)
                          : ldexp(mantissa, -24));
}

// Each number of 8 bits is one of f16.
static uint32_t halfBitsOf(double x) {
  int exponent;
  if (isnan(x))
    return 0x7fff;
  uint32_t sign = signbit(x) ? 0x8000 : 0;
  if (isinf(x) || x == 0)
    return sign | (x == 0 ? 0 : 0x7c00);
  frexp(x, &exponent); // 2^(exponent - 1) <= |x|
  if (exponent < -13)
    return sign | (uint32_t)ldexp(fabs(x), 24);
  return sign | (uint32_t)(exponent + 14) << 10 |
         ((uint32_t)ldexp(fabs(x), 11 - exponent) & 1023);
}

static uint16_t toPair(int format, double a, double b) {
  return (uint16_t)(encodeSmall(format, a) << 8 | encodeSmall(format, b));
}

static uint32_t toHalves(int format, uint16_t pair) {
  return halfBitsOf(decodeSmall(format, pair >> 8)) << 16 |
         halfBitsOf(decodeSmall(format, pair & 0xff));
}

uint16_t sim_cvt_rn_satfinite_e4m3x2_f32(float a, float b) {
  return toPair(E4M3, a, b);
}
uint16_t sim_cvt_rn_satfinite_e5m2x2_f32(float a, float b) {
  return toPair(E5M2, a, b);
}
uint16_t sim_cvt_rn_satfinite_e4m3x2_f16x2(uint32_t a) {
  return toPair(E4M3, decodeHalf((int)(a >> 16)),
                decodeHalf((int)(a & 0xffff)));
}
uint16_t sim_cvt_rn_satfinite_e5m2x2_f16x2(uint32_t a) {
  return toPair(E5M2, decodeHalf((int)(a >> 16)),
                decodeHalf((int)(a & 0xffff)));
}
uint32_t sim_cvt_rn_f16x2_e4m3x2(uint16_t a) { return toHalves(E4M3, a); }
uint32_t sim_cvt_rn_f16x2_e5m2x2(uint16_t a) { return toHalves(E5M2, a); }

#endif
