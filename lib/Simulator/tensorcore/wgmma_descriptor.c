#include "Simulator/tensorcore/wgmma_descriptor.h"

enum { ROWS = 8, SHARED_MASK = (1 << 18) - 1 };

CuteSimDescriptor cuteSimDescriptorDecode(uint64_t bits) {
  unsigned mode = (unsigned)(bits >> 62);
  return (CuteSimDescriptor){.start = (uint32_t)(bits & 0x3fff) << 4,
                             .leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
                             .stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
                             .swizzleBits = mode ? 4 - mode : 0,
                             .base = (unsigned)(bits >> 49 & 7)};
}

// Without a swizzle, patterns are 8 rows of a unit: along K `leading` apart and
// along M or N `stride`; with one, rows of 2, 4 or 8 units.
static uint32_t plainOffset(const CuteSimDescriptor *d, CuteMajor major,
                            uint32_t row, uint32_t unit) {
  uint32_t units = 1u << d->swizzleBits;
  uint32_t inside =
      row % ROWS * units * CUTE_SIM_UNIT + unit % units * CUTE_SIM_UNIT;
  bool isSwapped = major == CUTE_MAJOR_MN && !d->swizzleBits;
  uint32_t down = isSwapped ? d->leading : d->stride;
  uint32_t along = isSwapped ? d->stride : d->leading;
  return inside + row / ROWS * down + unit / units * along;
}

// The number of the row in a pattern of 8 is XORed to that of the unit, by the
// address: bits 7 to 9 to bits 4 to 6, as many as the swizzle has.
uint32_t cuteSimDescriptorGetOffset(const CuteSimDescriptor *d, CuteMajor major,
                                    uint32_t row, uint32_t unit) {
  uint32_t at = d->start + plainOffset(d, major, row, unit);
  uint32_t phase = (at >> 7) - d->base;
  at ^= (phase & ((1u << d->swizzleBits) - 1)) << 4;
  return at & SHARED_MASK;
}
