// scf.if as selects, or as branches between blocks.
#pragma once

#include "IR/builder.h"

// Makes selects of each scf.if that only chooses numbers, and branches of each
// other one in blocks of the function, not in those of loops. From the last to
// the first of a block, each op moves once; MLIR's pass moves all that follows
// each of them.
void cuteBranchInsteadOfIf(MlirOperation function);
