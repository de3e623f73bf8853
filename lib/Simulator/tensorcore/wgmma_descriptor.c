#include "Simulator/tensorcore/wgmma_descriptor.h"

enum { SHARED_MASK = (1 << 18) - 1 };

CuteSimDescriptor cuteSimDescriptorDecode(uint64_t bits) {
  unsigned mode = (unsigned)(bits >> 62);
  return (CuteSimDescriptor){.start = (uint32_t)(bits & 0x3fff) << 4,
                             .leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
                             .stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
                             .swizzleBits = mode ? 4 - mode : 0,
                             .base = (unsigned)(bits >> 49 & 7)};
}

// PTX ISA, "Shared memory descriptor": a version in bits 46 to 48, the swizzle
// in 61 to 63.
const char *cuteSimDescriptorDecodeTensor(uint64_t bits, bool isOf96,
                                          CuteSimDescriptor *d) {
  static const int swizzles[] = {[0] = 0, [1] = 2,  [2] = 3, [3] = -1,
                                 [4] = 2, [5] = -1, [6] = 1, [7] = -1};
  int swizzle = swizzles[bits >> 61];
  *d = cuteSimDescriptorDecode(bits & ~(UINT64_C(7) << 61));
  d->swizzleBits = swizzle > 0 ? (unsigned)swizzle : 0;
  d->isWide = bits >> 61 == 1;
  d->isLeadingAddress = bits >> 52 & 1;
  if ((bits >> 46 & 7) != 1)
    return "a matrix descriptor without the version 1 of tcgen05 in bits 46 to "
           "48";
  if (d->isLeadingAddress && !(isOf96 && bits >> 61 == 2))
    return "a matrix descriptor whose leading distance is an address (bit 52), "
           "which only products of K = 96 take, with the swizzle of 128 bytes";
  return swizzle < 0 ? "a matrix descriptor with an unknown swizzle" : NULL;
}

// Without a swizzle, patterns are 8 rows of a unit: along K `leading` apart and
// along M or N `stride`; with one, rows of 2, 4 or 8 units; wide, 4 rows of 8.
// A row that begins late in its pattern goes on at an address, if one is given.
static uint32_t plainAddress(const CuteSimDescriptor *d, CuteMajor major,
                             uint32_t row, uint32_t unit) {
  uint32_t units = 1u << (d->swizzleBits + d->isWide);
  uint32_t rows = d->isWide ? 4 : 8, line = units * CUTE_SIM_UNIT;
  uint32_t inside = row % rows * line + unit % units * CUTE_SIM_UNIT;
  bool isSwapped = major == CUTE_MAJOR_MN && !d->swizzleBits;
  uint32_t down = isSwapped ? d->leading : d->stride;
  uint32_t along = isSwapped ? d->stride : d->leading;
  uint32_t first = d->start;
  if (d->isLeadingAddress && first % line + unit * CUTE_SIM_UNIT >= line)
    first = d->leading + first % line - line;
  return first + inside + row / rows * down + unit / units * along;
}

// The number of the row in a pattern of 8 is XORed to that of the unit, by the
// address: bits 7 to 9 to bits 4 to 6, as many as the swizzle has; wide, 7 and
// 8 to 5 and 6.
uint32_t cuteSimDescriptorGetOffset(const CuteSimDescriptor *d, CuteMajor major,
                                    uint32_t row, uint32_t unit) {
  uint32_t at = plainAddress(d, major, row, unit);
  uint32_t phase = (at >> 7) - d->base;
  at ^= (phase & ((1u << d->swizzleBits) - 1)) << (4 + d->isWide);
  return at & SHARED_MASK;
}

//===-- Operands ----------------------------------------------------------===//

static uint32_t perUnit(const CuteSimDescribed *x) {
  return x->perUnit ? x->perUnit : CUTE_SIM_UNIT * 8 / x->element->bits;
}

static void decodeUnit(const CuteSimDescribed *x, const unsigned char *bytes,
                       uint32_t row, uint32_t first, double *tile) {
  uint32_t each = x->element->bits;
  for (uint32_t i = 0; i < perUnit(x); ++i) {
    uint32_t at = i * each / 8;
    uint64_t bits = 0;
    memcpy(&bits, bytes + at,
           each < 8 && at + 1 < CUTE_SIM_UNIT ? 2 : (each + 7) / 8);
    bits >>= i * each % 8;
    uint32_t mn = x->major == CUTE_MAJOR_K ? row : first + i;
    uint32_t k = x->major == CUTE_MAJOR_K ? first + i : row;
    tile[(int)mn * x->step + (int)k * x->next] =
        cuteSimElementDecode(x->element, bits);
  }
}

void cuteSimDescribedFetch(const CuteSimDescribed *x, CuteSimReadUnit *read,
                           void *data, double *tile) {
  bool isK = x->major == CUTE_MAJOR_K;
  uint32_t run = perUnit(x);
  uint32_t rows = isK ? x->mn : x->k, units = (isK ? x->k : x->mn) / run;
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t unit = 0; unit < units; ++unit) {
      unsigned char bytes[CUTE_SIM_UNIT];
      read(data,
           cuteSimDescriptorGetOffset(&x->descriptor, x->major, row, unit),
           bytes);
      if (tile)
        decodeUnit(x, bytes, row, unit * run, tile);
    }
}
