// The rows of dialect/hardware/mma_sum.def.
#ifndef CUTE_HARDWARE_MMA_SUM_H
#define CUTE_HARDWARE_MMA_SUM_H

#include "cute/Atom.h"

// Describes how an instruction adds products of floats, see mma_sum.def.
typedef struct CuteMmaSum {
  int arch;         // the least
  unsigned bits;    // of A's elements in registers; 0: any
  bool isWarpgroup; // of wgmma alone
  int stepBytes;    // of A, without the zeros of a sparse one
  int fraction;
  int resultFraction; // 0: as the type of D has
  int group;          // products whose sum is exact; 0: one
} CuteMmaSum;

// Gives the row for an atom on an architecture, 90 for sm_90; an atom of a
// later one is taken to run on the first that has it.
const CuteMmaSum *cuteMmaSumFind(const CuteMmaAtom *atom, int arch);

// Counts the elements along K that are added in a step.
int cuteMmaSumGetStep(const CuteMmaSum *sum, const CuteMmaAtom *atom);

#endif
