// Floating-point numbers and their codes in the formats of
// dialect/hardware/element.def.
#pragma once

#include "cute/ElementType.h"

typedef enum CuteRounding {
  CUTE_ROUND_NEAREST_EVEN,
  CUTE_ROUND_NEAREST_AWAY,
  CUTE_ROUND_TO_ZERO,
  CUTE_ROUND_DOWN,
  CUTE_ROUND_UP,
} CuteRounding;

// The numbers of codes of f32 and f64, and the codes of numbers.
static inline double cuteFloatDecodeSingle(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static inline double cuteFloatDecodeDouble(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t cuteFloatEncodeSingle(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint64_t cuteFloatEncodeDouble(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The number of a code in the lowest bits; higher bits do not count. A tf32 is
// an f32 whose lowest 13 bits do not count. The type is a float of at
// most 64 bits.
double cuteFloatDecode(CuteElementType type, uint64_t code);

// The code of a number. Beyond the largest one, a format has infinity or NaN as
// its element says, and where there is neither, or with `saturates`, the
// largest; so it has where the rounding is towards zero. NaN becomes all ones
// without a sign, in a format without NaN the largest. f8E8M0FNU has the
// nearest power of two, or with a direction the next one, and NaN for negative
// numbers.
uint64_t cuteFloatEncode(CuteElementType type, double value,
                         CuteRounding rounding, bool saturates);
