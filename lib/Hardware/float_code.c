#include "Hardware/float_code.h"
#include "Hardware/element.h"

#include <math.h>

enum { DOUBLE_MANTISSA = 52, DOUBLE_BIAS = 1023, SCALE_BIAS = 127 };

// A binary format.
typedef struct Format {
  int exponentBits, mantissaBits;
  CuteBeyond beyond;
} Format;

static Format formatOf(CuteElementType type) {
  const CuteElementInfo *e = cuteElementGetInfo(type);
  return (Format){e->exponentBits, e->mantissaBits, e->beyond};
}

static uint64_t onesOf(int n) { return (UINT64_C(1) << n) - 1; }

//===-- Decoding ----------------------------------------------------------===//

static double decode(Format f, uint64_t bits) {
  uint64_t mantissa = bits & onesOf(f.mantissaBits),
           top = onesOf(f.exponentBits);
  uint64_t exponent = bits >> f.mantissaBits & top;
  uint64_t sign = (bits >> (f.mantissaBits + f.exponentBits) & 1) << 63;
  int bias = (1 << (f.exponentBits - 1)) - 1;
  if (exponent == top && f.beyond == CUTE_BEYOND_INFINITY)
    return mantissa ? NAN : sign ? -INFINITY : INFINITY;
  if (f.beyond == CUTE_BEYOND_NAN && exponent == top &&
      mantissa == onesOf(f.mantissaBits))
    return NAN;
  if (exponent)
    return cuteFloatDecodeDouble(
        sign |
        (uint64_t)((int)exponent - bias + DOUBLE_BIAS) << DOUBLE_MANTISSA |
        mantissa << (DOUBLE_MANTISSA - f.mantissaBits));
  double value = ldexp((double)mantissa, 1 - bias - f.mantissaBits);
  return sign ? -value : value;
}

// 2^(code - 127); the last code is NaN.
static double decodeScale(uint64_t code) {
  return code == 255 ? NAN : ldexp(1, (int)code - SCALE_BIAS);
}

// The low bits of an f32 that a tf32 lacks.
static int unusedBits(CuteElementType type) {
  return type == CUTE_ELEMENT_TF32 ? 13 : 0;
}

double cuteFloatDecode(CuteElementType type, uint64_t code) {
  if (type == CUTE_ELEMENT_F32)
    return cuteFloatDecodeSingle((uint32_t)code);
  if (type == CUTE_ELEMENT_F64)
    return cuteFloatDecodeDouble(code);
  if (type == CUTE_ELEMENT_F8E8M0)
    return decodeScale(code & 255);
  return decode(formatOf(type), code >> unusedBits(type));
}

//===-- Encoding ----------------------------------------------------------===//

static uint64_t largestCode(Format f) {
  uint64_t last = onesOf(f.exponentBits + f.mantissaBits);
  return f.beyond == CUTE_BEYOND_INFINITY
             ? (onesOf(f.exponentBits) << f.mantissaBits) - 1
             : last - (f.beyond == CUTE_BEYOND_NAN);
}

// Tells whether a direction leads away from zero.
static bool isOutward(CuteRounding rounding, bool isNegative) {
  return rounding == (isNegative ? CUTE_ROUND_DOWN : CUTE_ROUND_UP);
}

static bool isNearest(CuteRounding rounding) {
  return rounding == CUTE_ROUND_NEAREST_EVEN ||
         rounding == CUTE_ROUND_NEAREST_AWAY;
}

// value / 2^shift of a value below 2^53.
static uint64_t shiftRounded(uint64_t value, int shift, CuteRounding rounding,
                             bool isNegative) {
  if (shift > 54)
    return value && isOutward(rounding, isNegative);
  uint64_t result = value >> shift, one = UINT64_C(1) << shift;
  uint64_t rest = value & (one - 1);
  if (!isNearest(rounding))
    return result + (rest && isOutward(rounding, isNegative));
  bool isHalf = rest && 2 * rest == one;
  return result +
         (2 * rest > one ||
          (isHalf && (rounding == CUTE_ROUND_NEAREST_AWAY || (result & 1))));
}

// The code without a sign of a number that is not NaN; it may be beyond the
// largest.
static uint64_t magnitude(Format f, double value, CuteRounding rounding) {
  uint64_t bits = cuteFloatEncodeDouble(value);
  int biased = (int)(bits >> DOUBLE_MANTISSA & onesOf(11));
  uint64_t mantissa = (bits & onesOf(DOUBLE_MANTISSA)) | (uint64_t)(biased != 0)
                                                             << DOUBLE_MANTISSA;
  int least = 2 - (1 << (f.exponentBits - 1));
  int exponent = biased ? biased - DOUBLE_BIAS : 1 - DOUBLE_BIAS;
  int above = exponent > least ? exponent - least : 0;
  int shift = least + above - exponent + DOUBLE_MANTISSA - f.mantissaBits;
  return ((uint64_t)above << f.mantissaBits) +
         shiftRounded(mantissa, shift, rounding, bits >> 63);
}

static uint64_t encode(Format f, double value, CuteRounding rounding,
                       bool saturates) {
  int codeBits = f.exponentBits + f.mantissaBits;
  if (isnan(value))
    return onesOf(codeBits);
  bool isNegative = cuteFloatEncodeDouble(value) >> 63;
  uint64_t sign = (uint64_t)isNegative << codeBits;
  uint64_t largest = largestCode(f), code = magnitude(f, value, rounding);
  if (code <= largest)
    return sign | code;
  bool stays = saturates || f.beyond == CUTE_BEYOND_NOTHING ||
               (isfinite(value) && !isNearest(rounding) &&
                !isOutward(rounding, isNegative));
  return sign | (largest + !stays);
}

// Takes as the nearest of two powers of two that by their exponents.
static uint64_t encodeScale(double value, CuteRounding rounding,
                            bool saturates) {
  int exponent;
  if (isnan(value) || value < 0)
    return 255;
  if (isinf(value))
    return saturates ? 254 : 255;
  double fraction = frexp(value, &exponent);
  bool isAbove = rounding == CUTE_ROUND_UP
                     ? fraction > 0.5
                     : isNearest(rounding) && fraction * fraction > 0.5;
  int code = value > 0 ? exponent - 1 + isAbove + SCALE_BIAS : 0;
  return code < 0 ? 0 : code <= 254 ? (uint64_t)code : saturates ? 254 : 255;
}

uint64_t cuteFloatEncode(CuteElementType type, double value,
                         CuteRounding rounding, bool saturates) {
  if (type == CUTE_ELEMENT_F64)
    return cuteFloatEncodeDouble(value);
  if (type == CUTE_ELEMENT_F32 && rounding == CUTE_ROUND_NEAREST_EVEN &&
      !saturates && !isnan(value))
    return cuteFloatEncodeSingle((float)value);
  if (type == CUTE_ELEMENT_F8E8M0)
    return encodeScale(value, rounding, saturates);
  return encode(formatOf(type), value, rounding, saturates) << unusedBits(type);
}
