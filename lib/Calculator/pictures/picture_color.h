// The colours of cells. The contrast of dark text is at least 5.9 on each.
#pragma once

#include "Calculator/pictures/picture.h"

enum { CUTE_NUM_COLORS = 32, CUTE_NUM_BANKS = 32, CUTE_BANK_BITS = 32 };

// RGB of the colours of a kind of picture: a ramp for indices; for banks and
// threads, eight hues of four shades.
const uint32_t *cutePictureColors(CutePictureKind kind);

// RGB of all else.
enum {
  CUTE_COLOR_INK = 0x0f172a,    // labels, heavy rules
  CUTE_COLOR_MARGIN = 0x475569, // coordinates, notes
  CUTE_COLOR_HAIR = 0x94a3b8,   // rules between neighbours
  CUTE_COLOR_EMPTY = 0xf1f5f9,  // cells that nothing leads to
};

uint8_t cuteRampColor(int64_t index, int64_t least, int64_t greatest);

// The bank, of 4 bytes, that the first bit of element `index` is in.
uint8_t cuteBankColor(int64_t index, int64_t bits);
