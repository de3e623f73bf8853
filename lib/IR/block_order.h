// The order in which the blocks of a region can be rewritten.
#pragma once

#include <mlir-c/IR.h>

#include <stddef.h>

// Lists the blocks of a region, malloc'ed, each after all that dominate it:
// what the first block reaches in reverse postorder, then the others.
MlirBlock *cuteBlockOrderGet(MlirRegion region, size_t *count);
