// scf.if as branches between blocks.
#pragma once

#include "IR/builder.h"

// Makes branches of each scf.if in blocks of the function, not in loops. From
// the last to the first of a block, each op moves once; MLIR's pass moves all
// that follows each of them.
void cuteBranchInsteadOfIf(MlirOperation function);
