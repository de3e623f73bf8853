// Stores by TMA of tiles of a tensor that may end before a parameter does, as a
// group of its rows.
#pragma once

#include "Transforms/tma_tile.h"

// Gives the parameter whose memory and strides a tensor of two modes has, with
// extents of its own; the tensor itself where it is no such part of another.
MlirValue cuteTmaBoundGetParameter(CuteDialect *dialect, MlirValue tensor);

// Tells whether threads can store a tile from their registers instead of from
// the shared memory that `write` fills, which is read later. False with the
// kernel's problem.
bool cuteTmaBoundMatch(CuteKernel *kernel, const CuteTmaTile *tile,
                       MlirOperation write, MlirOperation read);

// Has threads store the tile that `write` put into shared memory if TMA would
// store other elements of it, and gives whether it would not.
MlirValue cuteTmaBoundEmit(CuteRebuild *r, const CuteTmaTile *tile,
                           MlirOperation write);
