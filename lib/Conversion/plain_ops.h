// Ops of integers that the llvm dialect has as they are.
#pragma once

#include "IR/mlir.h"

// Replaces ops of arith, math and ub below the root that compute integers, and
// have one op of the llvm dialect as their counterpart, by that: what MLIR's
// conversion makes of them in several times as long. Left to it are ops with
// flags or attributes, ops that it folds, and ops on vectors
// or values of type index.
void cuteConvertPlainOps(MlirOperation root);
