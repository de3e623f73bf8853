// Gives each tile of a persistent kernel a block, to be made persistent again
// once its loads have roles.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Removes the loop over a block's tiles, and has cute.grid count the tiles.
// False without such a loop, or with the kernel's problem.
bool cuteTileLoopTake(CuteKernel *kernel);
