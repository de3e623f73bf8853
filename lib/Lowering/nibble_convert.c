// Conversion of integers of 4 bits, eight of a word at a time: their bits
// become a float's in a binade where a step is 1 or 16, and a sum subtracts the
// binade's start. Exact.
#include "Lowering/integer_convert.h"

// For a pair of halves of a word, each with a nibble: the mask that leaves the
// nibble where it is, the float that it is or-ed into, and the factor and
// addend that make the number of it; 0 for a factor of 1.
typedef struct Nibbles {
  uint32_t mask, binade, factor, addend, signedAddend;
} Nibbles;

// 1024 + u and 1024 + 16u of f16; 128 + u of bf16.
static const Nibbles halfLow = {0x000f000f, 0x64006400, 0, 0xe400e400,
                                0xe408e408};
static const Nibbles halfHigh = {0x00f000f0, 0x64006400, 0x2c002c00, 0xd400d400,
                                 0xd480d480};
static const Nibbles brainLow = {0x000f000f, 0x43004300, 0x3f803f80, 0xc300c300,
                                 0xc308c308};

bool cuteElementHasNibbles(CuteElementType from, CuteElementType to) {
  return (from == CUTE_ELEMENT_I4 || from == CUTE_ELEMENT_UI4) &&
         (to == CUTE_ELEMENT_F16 || to == CUTE_ELEMENT_BF16);
}

static MlirValue word(const CuteBuilder *b, uint32_t bits) {
  return cuteBuildInt(b, 32, (int32_t)bits);
}

// Signed nibbles are counted from -8 on by turning their sign over.
static MlirValue convertPair(const CuteBuilder *b, MlirValue shifted,
                             const Nibbles *n, bool isSigned, MlirType pair) {
  uint32_t signs = isSigned ? n->mask / 15 * 8 : 0;
  MlirValue bits = andi(b, shifted, word(b, n->mask));
  bits = xori(b, bits, word(b, n->binade ^ signs));
  MlirValue value = bitcast(b, bits, pair);
  MlirValue addend =
      bitcast(b, word(b, isSigned ? n->signedAddend : n->addend), pair);
  if (!n->factor)
    return cuteBuildBinary(b, "arith.addf", value, addend);
  MlirValue operands[] = {value, bitcast(b, word(b, n->factor), pair), addend};
  return cuteBuildResult(b, "math.fma", 3, operands, pair);
}

void cuteNibblesConvert(const CuteBuilder *b, MlirValue eight,
                        CuteElementType from, CuteElementType to,
                        MlirValue pairs[4]) {
  int64_t two = 2;
  MlirType pair = mlirVectorTypeGet(1, &two, cuteElementMlirType(b, to));
  bool isSigned = from == CUTE_ELEMENT_I4, isHalf = to == CUTE_ELEMENT_F16;
  for (int k = 0; k < 4; ++k) {
    int shift = isHalf ? k / 2 * 8 : k * 4;
    MlirValue shifted =
        shift ? shrui(b, eight, word(b, (uint32_t)shift)) : eight;
    const Nibbles *n = !isHalf ? &brainLow : k % 2 ? &halfHigh : &halfLow;
    pairs[k] = convertPair(b, shifted, n, isSigned, pair);
  }
}
