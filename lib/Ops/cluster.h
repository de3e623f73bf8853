// Shared by the ops of barriers and of clusters.
#pragma once

#include "Lowering/lowering.h"

// Checks that operand i can be the rank of a block in its cluster. False
// with a message.
bool cuteClusterCheckRank(CuteOp *op, size_t i);

// The place in the shared memory of the block with this rank that a pointer has
// in that of the own.
MlirValue cuteClusterMapToRank(CuteLowering *lowering, MlirValue pointer,
                               CuteIntTuple rank);
