// Plain references for tests of matrix instructions: elements as numbers, and
// where a lane holds which, from the formulas of the PTX ISA ("Warp-level
// matrix instructions"), not from the compiler's tables.
#pragma once

#include "Hardware/mma_sum.h"
#include "check.h"
#include "cute/Atom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t randomState = 88172645463325252;

static inline uint64_t nextRandom(void) {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 7;
  randomState ^= randomState << 17;
  return randomState * 0x2545f4914f6cdd1d;
}

static inline int randomBelow(int n) { return (int)(nextRandom() >> 33) % n; }

//===-- Elements ----------------------------------------------------------===//

// A float of that many bits of exponent and mantissa.
static inline double plainFloat(uint64_t code, int exponentBits,
                                int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (int)(code >> mantissaBits) & ((1 << exponentBits) - 1);
  double fraction = ldexp((double)(code & ((UINT64_C(1) << mantissaBits) - 1)),
                          -mantissaBits);
  double value = exponent ? ldexp(1 + fraction, exponent - bias)
                          : ldexp(fraction, 1 - bias);
  return code >> (exponentBits + mantissaBits) & 1 ? -value : value;
}

// A number of the type near 1, and its code.
static inline double randomElement(CuteElementType type, uint64_t *code) {
  uint64_t r = nextRandom() >> 20;
  double value = (double)(r % 2000) / 1000 - 1;
  float single = (float)value;
  switch (type) {
  case CUTE_ELEMENT_F64:
    memcpy(code, &value, sizeof value);
    return value;
  case CUTE_ELEMENT_F32:
    *code = 0;
    memcpy(code, &single, sizeof single);
    return (double)single;
  case CUTE_ELEMENT_TF32: // the lowest 13 bits do not count
    *code = 0;
    memcpy(code, &single, sizeof single);
    return plainFloat(*code >> 13, 8, 10);
  case CUTE_ELEMENT_F16:
    *code = (r & 0x83ff) | (12 + r % 5) << 10;
    return plainFloat(*code, 5, 10);
  case CUTE_ELEMENT_BF16:
    *code = (r & 0x807f) | (124 + r % 5) << 7;
    return plainFloat(*code, 8, 7);
  case CUTE_ELEMENT_F8E4M3:
    *code = (r & 0x87) | (4 + r % 6) << 3;
    return plainFloat(*code, 4, 3);
  case CUTE_ELEMENT_F8E5M2:
    *code = (r & 0x83) | (12 + r % 5) << 2;
    return plainFloat(*code, 5, 2);
  case CUTE_ELEMENT_F6E2M3:
    *code = r & 63;
    return plainFloat(*code, 2, 3);
  case CUTE_ELEMENT_F6E3M2:
    *code = r & 63;
    return plainFloat(*code, 3, 2);
  case CUTE_ELEMENT_F4E2M1:
    *code = r & 15;
    return plainFloat(*code, 2, 1);
  case CUTE_ELEMENT_I4:
    *code = r & 15;
    return (double)(int)((r & 15) ^ 8) - 8;
  case CUTE_ELEMENT_I8:
    *code = r & 255;
    return (double)(int8_t)r;
  case CUTE_ELEMENT_I32:
    *code = (uint32_t)r;
    return (double)(int32_t)(uint32_t)r;
  case CUTE_ELEMENT_UI1:
    *code = r & 1;
    return (double)*code;
  case CUTE_ELEMENT_UI4:
    *code = r & 15;
    return (double)*code;
  default:
    assert_int_equal(type, CUTE_ELEMENT_UI8);
    *code = r & 255;
    return (double)*code;
  }
}

// The number of D's bits.
static inline double plainResult(CuteElementType type, uint64_t bits) {
  float single;
  double value;
  uint32_t low = (uint32_t)bits;
  switch (type) {
  case CUTE_ELEMENT_F64:
    memcpy(&value, &bits, sizeof value);
    return value;
  case CUTE_ELEMENT_F32:
    memcpy(&single, &low, sizeof single);
    return (double)single;
  case CUTE_ELEMENT_F16:
    return plainFloat(bits & 0xffff, 5, 10);
  default:
    assert_int_equal(type, CUTE_ELEMENT_I32);
    return (double)(int32_t)low;
  }
}

// The part of the magnitudes by which a sum may differ: each product is
// truncated once, and the sum rounded.
static inline double toleranceOf(const CuteMmaAtom *atom) {
  if (atom->d == CUTE_ELEMENT_I32)
    return 0;
  if (atom->d == CUTE_ELEMENT_F64)
    return 0x1p-48;
  double rounding = atom->d == CUTE_ELEMENT_F16 ? 0x1p-10 : 0x1p-23;
  const CuteMmaSum *sum = cuteMmaSumFind(atom, 0);
  return rounding + (1 + atom->k) * ldexp(1, -sum->fraction);
}

static inline unsigned registerBits(const CuteMmaAtom *atom,
                                    CuteElementType type) {
  return type == CUTE_ELEMENT_F4E2M1 && atom->spreads
             ? 8
             : cuteElementTypeGetBits(type);
}

//===-- Registers ---------------------------------------------------------===//

static inline void putBits(uint32_t *words, unsigned at, unsigned bits,
                           uint64_t code) {
  if (bits == 64)
    memcpy(words + at / 32, &code, sizeof code);
  else
    words[at / 32] |= (uint32_t)code << at % 32;
}

static inline uint64_t takeBits(const uint32_t *words, unsigned at,
                                unsigned bits) {
  uint64_t wide;
  if (bits == 64) {
    memcpy(&wide, words + at / 32, sizeof wide);
    return wide;
  }
  return words[at / 32] >> at % 32 & (bits == 32 ? ~0u : (1u << bits) - 1);
}
