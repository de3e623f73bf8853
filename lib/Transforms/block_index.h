// The index of the block in the grid: what depends on it, and another one in
// its place.
#pragma once

#include "Transforms/grid_formula.h"

// Tells whether an op gives an index of the block.
bool cuteBlockIndexIsOp(CuteDialect *dialect, MlirOperation op);

// Checks that loops of the consumers' block have as many rounds for one tile as
// for another. False with the kernel's problem.
bool cuteBlockIndexCheckRounds(CuteKernel *kernel, MlirBlock consumer);

// Tells whether what loops of a block do depends on the index of a dimension, 0
// to 2.
bool cuteBlockIndexIsInLoops(CuteDialect *dialect, MlirBlock block,
                             int dimension);

// Tells whether a value depends on the block's index of a dimension, 0 to 2.
bool cuteBlockIndexIsOf(CuteDialect *dialect, MlirValue value, int dimension);

// Tells whether a value may depend on the block's rank in its cluster.
bool cuteBlockIndexIsOfRank(CuteDialect *dialect, MlirValue value);

// Replaces what the ops below one read as the block's index by values, i32, of
// each dimension; null: it stays.
void cuteBlockIndexReplace(CuteDialect *dialect, MlirOperation root,
                           const MlirValue values[CUTE_MAX_GRID]);

// Checks that the kernel knows of the grid by indices of the block alone. False
// with its problem.
bool cuteBlockIndexCheckUses(CuteKernel *kernel);
