// Tells whether numbers depend on which block of the grid it is.
#ifndef CUTE_TRANSFORMS_BLOCK_INDEX_H
#define CUTE_TRANSFORMS_BLOCK_INDEX_H

#include "Transforms/kernel_edit.h"

// Tells whether an op gives an index of the block.
bool cuteBlockIndexIsOp(CuteDialect *dialect, MlirOperation op);

// Checks that loops of the consumers' block have as many rounds for one tile as
// for another. False with the kernel's problem.
bool cuteBlockIndexCheckRounds(CuteKernel *kernel, MlirBlock consumer);

#endif
