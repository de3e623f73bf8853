#include "Hardware/mma_sum.h"
#include "Hardware/atom.h"

static const CuteMmaSum rows[] = {
#define CUTE_MMA_SUM(...) {__VA_ARGS__},
#include "hardware/mma_sum.def"
#undef CUTE_MMA_SUM
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
        (!rows[i].isWarpgroup || cuteMmaAtomIsWarpgroup(atom)))
      found = &rows[i];
  return found;
}

int cuteMmaSumGetStep(const CuteMmaSum *sum, const CuteMmaAtom *atom) {
  int elements = sum->stepBytes * 8 / (int)bitsOf(atom);
  int step =
      cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E) ? 2 * elements : elements;
  return step < atom->k ? step : atom->k;
}
