// Products by tcgen05.mma, as an intrinsic of LLVM's: it knows its targets
// where MLIR's nvvm ops do not.
#pragma once

#include "Lowering/lowering.h"

// Lowers a call of an atom of tcgen05.mma. The operands are D, A, B, C, the
// metadata of a sparse A, factors of scaled products, and, each or null, an i1
// that says whether C is added and the lanes of D that keep their sums.
bool cuteLowerTensorMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                        const CuteLowered *const *operands);
