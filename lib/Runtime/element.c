// Elements to and from double.
#include "Runtime/array.h"

#include <math.h>

//===-- Small floats ------------------------------------------------------===//

// A binary format of at most 16 bits. The code after the largest finite one is
// infinity, or NaN.
typedef struct Format {
  int exponentBits, mantissaBits;
  bool hasInfinity; // otherwise the largest code is NaN (f8E4M3FN)
} Format;

static const Format half = {5, 10, true}, bfloat = {8, 7, true},
                    e4m3 = {4, 3, false}, e5m2 = {5, 2, true};

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
  if (exponent == top && f.hasInfinity)
    return mantissa ? NAN : sign ? -INFINITY : INFINITY;
  if (exponent == top && mantissa == (1u << f.mantissaBits) - 1)
    return NAN;
  if (exponent)
    return fromBits(sign | (uint64_t)((int)exponent - bias + 1023) << 52 |
                    (uint64_t)mantissa << (52 - f.mantissaBits));
  double value = ldexp((double)mantissa, 1 - bias - f.mantissaBits);
  return sign ? -value : value;
}

// The largest finite code, without its sign.
static uint32_t largestCode(Format f) {
  return f.hasInfinity ? (((1u << f.exponentBits) - 1) << f.mantissaBits) - 1
                       : (1u << (f.exponentBits + f.mantissaBits)) - 2;
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
  return sign | (code > largest ? largest + 1 : (uint32_t)code);
}

//===-- Access ------------------------------------------------------------===//

static double loadFloat(CuteElementType type, const unsigned char *at) {
  uint16_t bits;
  float single;
  double value;
  switch (type) {
  case CUTE_ELEMENT_F8E4M3:
    return decode(e4m3, *at);
  case CUTE_ELEMENT_F8E5M2:
    return decode(e5m2, *at);
  case CUTE_ELEMENT_F16:
  case CUTE_ELEMENT_BF16:
    memcpy(&bits, at, sizeof bits);
    return decode(type == CUTE_ELEMENT_F16 ? half : bfloat, bits);
  case CUTE_ELEMENT_F64:
    memcpy(&value, at, sizeof value);
    return value;
  default:
    memcpy(&single, at, sizeof single);
    return single;
  }
}

static void storeFloat(CuteElementType type, unsigned char *at, double value) {
  uint16_t bits;
  float single = (float)value;
  switch (type) {
  case CUTE_ELEMENT_F8E4M3:
    *at = (unsigned char)encode(e4m3, value);
    return;
  case CUTE_ELEMENT_F8E5M2:
    *at = (unsigned char)encode(e5m2, value);
    return;
  case CUTE_ELEMENT_F16:
  case CUTE_ELEMENT_BF16:
    bits = (uint16_t)encode(type == CUTE_ELEMENT_F16 ? half : bfloat, value);
    memcpy(at, &bits, sizeof bits);
    return;
  case CUTE_ELEMENT_F64:
    memcpy(at, &value, sizeof value);
    return;
  default:
    memcpy(at, &single, sizeof single);
  }
}

static int64_t loadInteger(unsigned bits, const unsigned char *at) {
  int64_t value = 0;
  memcpy(&value, at, bits / 8); // little-endian, as the GPU is
  return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

double cuteArrayLoad(const CuteArray *array, int64_t offset) {
  unsigned bits = cuteElementTypeGetBits(array->type);
  const unsigned char *at = array->data + offset * bits / 8;
  if (array->type == CUTE_ELEMENT_I4) {
    int nibble = *at >> (offset & 1 ? 4 : 0) & 15;
    return nibble < 8 ? nibble : nibble - 16;
  }
  return cuteElementTypeIsFloat(array->type) ? loadFloat(array->type, at)
                                             : (double)loadInteger(bits, at);
}

void cuteArrayStore(CuteArray *array, int64_t offset, double value) {
  unsigned bits = cuteElementTypeGetBits(array->type);
  unsigned char *at = array->data + offset * bits / 8;
  if (cuteElementTypeIsFloat(array->type)) {
    storeFloat(array->type, at, value);
    return;
  }
  int64_t integer = (int64_t)value;
  if (array->type == CUTE_ELEMENT_I4) {
    int shift = offset & 1 ? 4 : 0;
    *at = (unsigned char)((*at & ~(15 << shift)) | (integer & 15) << shift);
    return;
  }
  memcpy(at, &integer, bits / 8);
}
