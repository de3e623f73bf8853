// Counts the rounds that a loop makes at least.
#ifndef CUTE_TRANSFORMS_ROUNDS_H
#define CUTE_TRANSFORMS_ROUNDS_H

#include "Transforms/edit/kernel_edit.h"

// Tells whether a loop between these bounds makes a round in every launch: from
// 0 to a constant, or to a number of tiles of an extent of a tensor that TMA
// moves, which is at least 1.
bool cuteRoundsAreSome(CuteKernel *kernel, MlirValue lower, MlirValue upper);

#endif
