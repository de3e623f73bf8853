// The blocks of a region in the order of its dominator tree.
#pragma once

#include <mlir-c/IR.h>

#include <stddef.h>

// Each block comes after all that dominate it: those are, in the list up to it,
// the last ones of each smaller depth. Blocks that cannot be reached are left
// out. The arrays are malloc'ed.
typedef struct CuteDominance {
  size_t count;
  MlirBlock *blocks;
  size_t *depths; // in the tree; 0 for the first block
  // The depth of the header of the innermost loop that runs, in each trip, the
  // block: a block that dominates another which branches to the header. 0 where
  // there is none, as the first block heads no loop.
  size_t *loops;
} CuteDominance;

CuteDominance cuteDominanceCompute(MlirRegion region);
void cuteDominanceDestroy(CuteDominance *dominance);
