#include "Hardware/mma_sum.h"
#include "Hardware/atom.h"

static const CuteMmaSum rows[] = {
#define CUTE_MMA_SUM(...) {__VA_ARGS__},
#include "hardware/mma_sum.def"
};

static unsigned bitsOf(const CuteMmaAtom *atom) {
  return atom->spreads && atom->a == CUTE_ELEMENT_F4E2M1
             ? 8
             : cuteElementTypeGetBits(atom->a);
}

const CuteMmaSum *cuteMmaSumFind(const CuteMmaAtom *atom, int arch) {
  const CuteMmaSum *found = &rows[0];
  int least = arch < atom->arch ? atom->arch : arch;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].arch <= least &&
        (!rows[i].bits || rows[i].bits == bitsOf(atom)) &&
        (!rows[i].isHalf || atom->d == CUTE_ELEMENT_F16) &&
        (!rows[i].isWarpgroup || cuteMmaAtomIsWarpgroup(atom)) &&
        (!rows[i].isQuadpair ||
         atom->kind == &cuteMmaAtomKinds[CUTE_MMA_QUADPAIR]))
      found = &rows[i];
  return found;
}

static bool isSparse(const CuteMmaAtom *atom) {
  return cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E);
}

int cuteMmaSumGetStep(const CuteMmaSum *sum, const CuteMmaAtom *atom) {
  int elements = sum->stepBytes * 8 / (int)bitsOf(atom);
  int step = sum->chain ? sum->chain : isSparse(atom) ? 2 * elements : elements;
  return step < atom->k ? step : atom->k;
}

// A sparse A stores two of four elements, which are a pair.
int cuteMmaSumGetPlace(const CuteMmaSum *sum, const CuteMmaAtom *atom, int i) {
  int run = isSparse(atom) ? 4 : 2, half = atom->k / 2;
  return sum->alternates ? i % half / run * 2 * run + i % run + i / half * run
                         : i;
}
