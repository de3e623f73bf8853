#include "Calculator/picture_color.h"

// Eight hues, each in four shades: the 16 bytes of four banks, or the quad of
// four threads, have one hue.
static const uint32_t groups[CUTE_NUM_COLORS] = {
    0xfce9e8, 0xffc3c0, 0xfc9c99, 0xea7d7b, 0xfeeadc, 0xfec8a0, 0xf2a86e,
    0xdf8a42, 0xf6efcd, 0xe3d594, 0xcebb5f, 0xb8a128, 0xdff7da, 0xb7e3ad,
    0x92cd86, 0x72b662, 0xcef9f2, 0x91e7db, 0x51d2c4, 0x11baab, 0xdff2fd,
    0xa5ddfe, 0x69c6fa, 0x33aee9, 0xededfd, 0xcfcffe, 0xb3b1fd, 0x9994f2,
    0xfde7f7, 0xf8c0eb, 0xe89ed8, 0xd57fc3,
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
  return range ? (uint8_t)(above * (CUTE_NUM_COLORS - 1) / range) : 0;
}

uint8_t cuteBankColor(int64_t index, int64_t bits) {
  // Only what counts modulo all banks: unsigned arithmetic wraps at a multiple.
  uint64_t bit = (uint64_t)index * (uint64_t)bits;
  return (uint8_t)(bit / CUTE_BANK_BITS % CUTE_NUM_BANKS);
}
