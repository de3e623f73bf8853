// Elements to and from double.
#include "Check/array.h"
#include "Hardware/element.h"
#include "Hardware/float_code.h"

#include <math.h>

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

static double integerOfBits(CuteElementType type, uint64_t value) {
  unsigned unused = 64 - cuteElementTypeGetBits(type);
  return isUnsigned(type) ? (double)value
                          : (double)((int64_t)(value << unused) >> unused);
}

double cuteArrayLoad(const CuteArray *array, int64_t offset) {
  uint64_t bits =
      loadBits(cuteElementTypeGetBits(array->type), array->data, offset);
  return cuteElementTypeIsFloat(array->type)
             ? cuteFloatDecode(array->type, bits)
             : integerOfBits(array->type, bits);
}

// Integers beyond 64 bits become the nearest.
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
                ? cuteFloatEncode(array->type, value, CUTE_ROUND_NEAREST_EVEN,
                                  array->type == CUTE_ELEMENT_F8E8M0)
                : bitsOfInteger(array->type, value));
}
