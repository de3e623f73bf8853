// Follows how tensors are divided among threads and into tiles.
#pragma once

#include "Lanes/follow.h"

// The tensor that a partition divides, and among which threads; null for other
// ops and where the thread is not known.
const CuteThreadPart *cutePartGet(CuteFollow *follow, const CuteOp *op,
                                  MlirOperation source);

// The first mode in which the op, which cuts a tile out of a tensor in gmem,
// may reach past its end; null if there is none.
const CuteResidue *cutePartGetResidue(CuteFollow *follow, const CuteOp *op,
                                      MlirOperation source);
