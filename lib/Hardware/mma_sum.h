// The rows of dialect/hardware/mma_sum.def.
#pragma once

#include "cute/Atom.h"

// Describes how an instruction adds products of floats, see mma_sum.def.
typedef struct CuteMmaSum {
  // The instructions: a least architecture, bits of A's elements in registers,
  // 0 for any, and one kind or type of D alone.
  int arch;
  unsigned bits;
  bool isWarpgroup, isQuadpair, isHalf;
  int stepBytes; // of A, without the zeros of a sparse one
  int fraction;
  int resultFraction; // 0: as the type of D has
  int group;          // products whose sum is exact; 0: one
  bool alternates;    // steps take every other pair of stored elements
  bool addsLast;      // C is added to the sum, and rounded to the nearest
  int chain; // products that multiply-adds in f32 sum up, which C is added to
             // as by `addsLast`; 0: none
} CuteMmaSum;

// Gives the row for an atom on an architecture, 90 for sm_90; an atom of a
// later one is taken to run on the first that has it.
const CuteMmaSum *cuteMmaSumFind(const CuteMmaAtom *atom, int arch);

// Counts the elements along K that are added in a step, and gives the k that
// has a place in the order in which steps take them.
int cuteMmaSumGetStep(const CuteMmaSum *sum, const CuteMmaAtom *atom);
int cuteMmaSumGetPlace(const CuteMmaSum *sum, const CuteMmaAtom *atom, int i);
