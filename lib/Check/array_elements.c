// Elements to and from double.
#include "Check/array.h"
#include "Hardware/element.h"

#include <math.h>

//===-- Small floats ------------------------------------------------------===//

// A binary format of at most 16 bits. The code after the largest finite one is
// infinity, or NaN; numbers beyond it become that, or where there is neither
// the largest.
typedef struct Format {
  int exponentBits, mantissaBits;
  CuteBeyond beyond;
} Format;

// False for wider ones.
static bool hasFormat(CuteElementType type, Format *format) {
  const CuteElementInfo *e = cuteElementGetInfo(type);
  *format = (Format){e->exponentBits, e->mantissaBits, e->beyond};
  return e->isFloat && e->bits <= 16;
}

static double fromBits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double decode(Format f, uint32_t bits) {
  uint32_t mantissa = bits & ((1u << f.mantissaBits) - 1);
  uint32_t exponent = bits >> f.mantissaBits & ((1u << f.exponentBits) - 1);
  uint64_t sign = (uint64_t)(bits >> (f.mantissaBits + f.exponentBits) & 1)
                  << 63;
  uint32_t top = (1u << f.exponentBits) - 1;
  int bias = (1 << (f.exponentBits - 1)) - 1;
  if (exponent == top && f.beyond == CUTE_BEYOND_INFINITY)
    return mantissa ? NAN : sign ? -INFINITY : INFINITY;
  if (f.beyond == CUTE_BEYOND_NAN && exponent == top &&
      mantissa == (1u << f.mantissaBits) - 1)
    return NAN;
  if (exponent)
    return fromBits(sign | (uint64_t)((int)exponent - bias + 1023) << 52 |
                    (uint64_t)mantissa << (52 - f.mantissaBits));
  double value = ldexp((double)mantissa, 1 - bias - f.mantissaBits);
  return sign ? -value : value;
}

// The largest finite code, without its sign.
static uint32_t largestCode(Format f) {
  uint32_t last = (1u << (f.exponentBits + f.mantissaBits)) - 1;
  return f.beyond == CUTE_BEYOND_INFINITY
             ? (((1u << f.exponentBits) - 1) << f.mantissaBits) - 1
             : last - (f.beyond == CUTE_BEYOND_NAN);
}

// value / 2^shift, rounded to nearest even.
static uint64_t shiftRounded(uint64_t value, int shift) {
  if (shift > 54)
    return 0;
  uint64_t result = value >> shift, one = UINT64_C(1) << shift;
  uint64_t rest = value & (one - 1);
  return result + (rest > one / 2 || (rest == one / 2 && (result & 1)));
}

static uint32_t encode(Format f, double value) {
  int codeBits = f.exponentBits + f.mantissaBits;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = (uint32_t)(bits >> 63) << codeBits;
  if (isnan(value))
    return (1u << codeBits) - 1;
  int biased = (int)(bits >> 52 & 0x7ff);
  uint64_t mantissa =
      (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(biased != 0) << 52;
  int least = 2 - (1 << (f.exponentBits - 1)); // exponent of the least normal
  int exponent = biased ? biased - 1023 : -1022;
  int above = exponent > least ? exponent - least : 0;
  uint64_t code =
      ((uint64_t)above << f.mantissaBits) +
      shiftRounded(mantissa, least + above - exponent + 52 - f.mantissaBits);
  uint32_t largest = largestCode(f);
  uint32_t next = f.beyond == CUTE_BEYOND_NOTHING ? largest : largest + 1;
  return sign | (code > largest ? next : (uint32_t)code);
}

//===-- Access ------------------------------------------------------------===//

static bool isUnsigned(CuteElementType type) {
  return cuteElementGetInfo(type)->isUnsigned;
}

// The 64 bits or fewer of an element, in the lowest bits; little-endian, as the
// GPU is.
static uint64_t loadBits(unsigned bits, const unsigned char *data,
                         int64_t offset) {
  const unsigned char *at = data + offset * bits / 8;
  uint64_t value = 0;
  memcpy(&value, at, bits < 8 ? 1 : bits / 8);
  if (bits < 8)
    value = value >> (offset * bits % 8) & ((1u << bits) - 1);
  return value;
}

static void storeBits(unsigned bits, unsigned char *data, int64_t offset,
                      uint64_t value) {
  unsigned char *at = data + offset * bits / 8;
  if (bits >= 8) {
    memcpy(at, &value, bits / 8);
    return;
  }
  int shift = (int)(offset * bits % 8), mask = (1 << bits) - 1;
  *at =
      (unsigned char)((*at & ~(mask << shift)) | ((int)value & mask) << shift);
}

// The 19 bits of a tf32 in an f32, rounded to nearest even.
static float roundToTf32(float value) {
  uint32_t bits;
  if (!isfinite(value))
    return value;
  memcpy(&bits, &value, sizeof bits);
  bits = (bits + 0xfff + (bits >> 13 & 1)) & ~UINT32_C(0x1fff);
  memcpy(&value, &bits, sizeof bits);
  return value;
}

// 2^(code - 127); the last code is NaN.
static double decodeScale(uint32_t code) {
  return code == 255 ? NAN : ldexp(1, (int)code - 127);
}

// The nearest power of two, which is at least 2^-127; NaN without one.
static uint32_t encodeScale(double value) {
  if (isnan(value) || value < 0)
    return 255;
  double exponent = value > 0 ? rint(log2(value)) : -127;
  return exponent < -127  ? 0
         : exponent > 127 ? 254
                          : (uint32_t)(exponent + 127);
}

static double floatOfBits(CuteElementType type, uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  Format format;
  float single;
  if (type == CUTE_ELEMENT_F8E8M0)
    return decodeScale(low);
  if (hasFormat(type, &format))
    return decode(format, low);
  if (type == CUTE_ELEMENT_F64)
    return fromBits(bits);
  memcpy(&single, &low, sizeof single);
  return single;
}

static uint64_t bitsOfFloat(CuteElementType type, double value) {
  uint64_t bits = 0;
  float single = (float)value;
  Format format;
  if (type == CUTE_ELEMENT_F8E8M0)
    return encodeScale(value);
  if (hasFormat(type, &format))
    return encode(format, value);
  if (type == CUTE_ELEMENT_TF32)
    single = roundToTf32(single);
  if (type == CUTE_ELEMENT_F64)
    memcpy(&bits, &value, sizeof value);
  else
    memcpy(&bits, &single, sizeof single);
  return bits;
}

static double integerOfBits(CuteElementType type, uint64_t value) {
  unsigned unused = 64 - cuteElementTypeGetBits(type);
  return isUnsigned(type) ? (double)value
                          : (double)((int64_t)(value << unused) >> unused);
}

double cuteArrayLoad(const CuteArray *array, int64_t offset) {
  uint64_t bits =
      loadBits(cuteElementTypeGetBits(array->type), array->data, offset);
  return cuteElementTypeIsFloat(array->type) ? floatOfBits(array->type, bits)
                                             : integerOfBits(array->type, bits);
}

// Integers outside of the 64 bits that there are become the nearest.
static uint64_t bitsOfInteger(CuteElementType type, double value) {
  if (isnan(value))
    return 0;
  if (isUnsigned(type) && value >= 0x1p63)
    return value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
  return (uint64_t)(value >= 0x1p63    ? INT64_MAX
                    : value <= -0x1p63 ? INT64_MIN
                                       : (int64_t)value);
}

void cuteArrayStore(CuteArray *array, int64_t offset, double value) {
  storeBits(cuteElementTypeGetBits(array->type), array->data, offset,
            cuteElementTypeIsFloat(array->type)
                ? bitsOfFloat(array->type, value)
                : bitsOfInteger(array->type, value));
}
