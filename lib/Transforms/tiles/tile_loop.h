// Gives each tile of a persistent kernel a block, to be made persistent again
// once its loads have roles.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Takes the loop over the tiles of a block away, and has cute.grid count the
// tiles. False where there is no such loop, or with the kernel's problem.
bool cuteTileLoopTake(CuteKernel *kernel);
