#include "Calculator/pictures/picture_color.h"

// Eight hues, each in four shades: the 16 bytes of four banks, or the quad of
// four threads, have one hue.
static const uint32_t groups[CUTE_NUM_COLORS] = {
    0xffc5d3, 0xfaa5bc, 0xf487a7, 0xd97693, 0xffcaa6, 0xf5b07f, 0xef9551,
    0xd48345, 0xeed681, 0xd8c171, 0xcbac34, 0xb3972a, 0xa1ecb2, 0x8fd59f,
    0x65c680, 0x57af70, 0x76eee8, 0x66d7d2, 0x01c7c2, 0x17b0ab, 0xa5e1fd,
    0x74cff7, 0x2ebef2, 0x24a8d7, 0xd5d1fd, 0xbfb7fe, 0xac9eff, 0x988be2,
    0xfdbefd, 0xe5aae6, 0xdb8edc, 0xc27dc3,
};

// From yellow over green and blue to violet, darker all the way.
static const uint32_t ramp[CUTE_NUM_COLORS] = {
    0xfcf5cb, 0xf6f4c6, 0xf0f4c2, 0xe9f3be, 0xe2f3bb, 0xdaf2b9, 0xd1f2b8,
    0xc7f2b8, 0xbdf2b9, 0xb2f1ba, 0xa6f0bf, 0x9beec5, 0x91eccb, 0x87ead1,
    0x7fe7d7, 0x78e3dc, 0x73e0e1, 0x70dce6, 0x6fd7ea, 0x70d3ee, 0x72cdf2,
    0x77c8f5, 0x7cc2f6, 0x83bbf7, 0x8ab5f6, 0x91aff4, 0x96a9f3, 0x9ba2f1,
    0xa19cee, 0xa696ea, 0xac8fe5, 0xb188df,
};

const uint32_t *cutePictureColors(CutePictureKind kind) {
  return kind == CUTE_PICTURE_INDEX ? ramp : groups;
}

uint8_t cuteRampColor(int64_t index, int64_t least, int64_t greatest) {
  uint64_t range = (uint64_t)greatest - (uint64_t)least;
  uint64_t above = (uint64_t)index - (uint64_t)least;
  // Scaled down where the product would not fit.
  while (range > UINT64_MAX / CUTE_NUM_COLORS) {
    range /= 2;
    above /= 2;
  }
  if (!range)
    return 0;
  return (uint8_t)(above * (CUTE_NUM_COLORS - 1) / range);
}

uint8_t cuteBankColor(int64_t index, int64_t bits) {
  // Only what counts modulo all banks: unsigned arithmetic wraps at a multiple.
  uint64_t bit = (uint64_t)index * (uint64_t)bits;
  return (uint8_t)(bit / CUTE_BANK_BITS % CUTE_NUM_BANKS);
}
