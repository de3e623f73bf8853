// Stores of wide tiles by TMA in pieces, through two small buffers.
#pragma once

#include "Transforms/kernel_edit.h"

// The columns of a piece of a tile in shared memory, a row of 128 bytes; 0
// where the tile has no four such pieces or more, in pairs, or its columns are
// not side by side.
int64_t cuteStorePieceColumns(CuteContext c, CuteType tile);

// Counts the bytes that pieces take, in two buffers.
int64_t cuteStorePieceBytes(CuteContext c, CuteType tile);

// Tells whether cuteStoreSplit will split the tile that a copy of sums writes.
bool cuteStoreMaySplit(CuteKernel *kernel, MlirOperation write, CuteType tile);

// Splits stores by TMA of wide tiles that one copy of sums by wgmma writes.
// False with the kernel's problem.
bool cuteStoreSplit(CuteKernel *kernel);
