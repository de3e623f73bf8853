// Stores of wide tiles by TMA in pieces, through two small buffers.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Pieces of a tile in shared memory, with rows of 128 bytes.
typedef struct CuteStorePieces {
  int64_t rows, columns; // of one; 0: the tile is stored as a whole
  int64_t buffers;       // in turn
  int64_t bytes;         // of the buffers
} CuteStorePieces;

// Pieces in pairs, through two buffers: columns in four parts or more, or in
// two, with 64 rows each, where another warpgroup multiplies meanwhile. Through
// one buffer where rows cannot be divided. None where columns are not side by
// side.
CuteStorePieces cuteStorePiecesOf(CuteContext c, CuteType tile,
                                  bool alternates);

// Tells whether cuteStoreSplit will split the tile that a copy of sums writes.
bool cuteStoreMaySplit(CuteKernel *kernel, MlirOperation write, CuteType tile,
                       bool alternates);

// Splits stores by TMA of wide tiles that one copy of sums by wgmma writes.
// False with the kernel's problem.
bool cuteStoreSplit(CuteKernel *kernel, bool alternates);
