// Stores by TMA of tiles of a tensor that may end before a parameter does, as a
// group of its rows.
#pragma once

#include "Transforms/tma/tma_tile.h"

// Gives the parameter whose memory and strides a tensor of two modes has, with
// extents of its own; the tensor itself if it is not such a part.
MlirValue cuteTmaBoundGetParameter(CuteDialect *dialect, MlirValue tensor);

// Checks that the tile is one of such a tensor as a whole. False with the
// kernel's problem.
bool cuteTmaBoundMatch(CuteKernel *kernel, const CuteTmaTile *tile);

// Gives whether TMA, which knows the parameter's extents, stores the elements
// of a tile that lie within the tensor: in each mode these are the same, or the
// tile ends before both.
MlirValue cuteTmaBoundEmit(CuteRebuild *r, const CuteTmaTile *tile);

// Enters a branch for tiles that TMA must not store.
CuteBuilder cuteTmaBoundEnterRest(CuteRebuild *r, MlirValue isWhole);

// A piece of a tile in shared memory, one of `counts` in each mode.
typedef struct CuteTmaPiece {
  MlirValue buffer, thread;
  int64_t threads; // that store it
  CuteIntTuple shape;
  int64_t counts[2], at[2];
} CuteTmaPiece;

// Has threads store a piece as the ops in `rest`, a copy from shared memory and
// one to the tensor, store the tile: with the same accesses, neighbours in a
// row.
void cuteTmaBoundEmitPiece(CuteRebuild *r, MlirOperation rest,
                           const CuteTmaPiece *piece);
