// The index of the block in the grid: what depends on it, and another one in
// its place.
#pragma once

#include "Transforms/edit/grid_formula.h"

// Gives the dimension of an op that gives an index of the block in the grid, 0
// to 2; -1 for other ops.
int cuteBlockIndexGetDimension(CuteDialect *dialect, MlirOperation op);

// Checks that loops of the consumers' block have as many rounds for one tile as
// for another. False with the kernel's problem.
bool cuteBlockIndexCheckRounds(CuteKernel *kernel, MlirBlock consumer);

// Tells whether what loops of a block do depends on the index of a dimension, 0
// to 2.
bool cuteBlockIndexIsInLoops(CuteDialect *dialect, MlirBlock block,
                             int dimension);

typedef enum CuteBlockPlace { CUTE_IN_GRID, CUTE_IN_CLUSTER } CuteBlockPlace;
enum { CUTE_ANY_DIMENSION = -1 };

// Tells whether a value may depend on the block's index in the grid, or in its
// cluster, along a dimension, 0 to 2, or any.
bool cuteBlockIndexIsOf(CuteDialect *dialect, MlirValue value,
                        CuteBlockPlace place, int dimension);

// Emits an op of gpu that gives an index or extent along x or y, as an i32.
MlirValue cuteBlockIndexEmit(const CuteBuilder *b, const char *name, int side);

// Replaces what the ops below one read as the block's index by values, i32, of
// each dimension; null: it stays.
void cuteBlockIndexReplace(CuteDialect *dialect, MlirOperation root,
                           const MlirValue values[CUTE_MAX_GRID]);

// Checks that the kernel knows of the grid by indices of the block alone. False
// with its problem.
bool cuteBlockIndexCheckUses(CuteKernel *kernel);
