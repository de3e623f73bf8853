// Sums of warpgroups, piece by piece: columns side by side of a tile, and
// perhaps rows.
#pragma once

#include "Transforms/edit/emit_ops.h"

typedef struct CuteSumPieces {
  int64_t rows, columns; // of one
  int64_t down, across;  // pieces
  MlirValue copy;        // tiled, of one
  MlirValue fragments;   // with a last mode of pieces
} CuteSumPieces;

// Emits the copy by an atom of the sums of a piece, by an MMA with its columns,
// and a fragment of all sums by pieces. False if no such MMA exists.
bool cuteSumPiecesEmit(CuteRebuild *r, CuteSumPieces *pieces, MlirValue atom,
                       MlirValue mma, MlirValue fragment);

// The shape of a piece, and its layout in shared memory as TMA moves it, with a
// last mode of `buffers` if these are not 0. Rows have 32, 64 or 128 bytes.
CuteIntTuple cuteSumPiecesShape(CuteContext c, int64_t rows, int64_t columns);
CuteLayout cuteSumPiecesLayout(CuteContext c, int64_t rows, int64_t columns,
                               int64_t buffers, int64_t bits);

// The coordinate of all modes of a tensor but the last one, which is at i.
CuteIntTuple cuteSumPiecesAt(CuteContext c, size_t rank, int64_t i);
