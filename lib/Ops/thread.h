// Numbers of threads, for ops of several groups.
#pragma once

#include "Lowering/lowering.h"

// The number of the thread in its block, i32: x + dim x (y + dim y z).
MlirValue cuteThreadBuildNumber(CuteLowering *lowering);

// Checks that words of 32 bits can carry operand 0: a number or a vector of 8,
// 16 or a multiple of 32 bits. False with a message.
bool cuteThreadCheckCarried(CuteOp *op);

// Says which lane a value comes from: that of a number, so many lanes before
// or after, or that whose number differs in these bits.
typedef enum CuteShuffle {
  CUTE_SHUFFLE_IDX,
  CUTE_SHUFFLE_UP,
  CUTE_SHUFFLE_DOWN,
  CUTE_SHUFFLE_BFLY,
} CuteShuffle;

// The value that another lane has; `lane` is an i32. All lanes get there.
MlirValue cuteThreadBuildShuffle(const CuteBuilder *builder, CuteShuffle kind,
                                 MlirValue value, MlirValue lane);

// The number of the thread in its warp, i32.
MlirValue cuteThreadBuildLane(const CuteBuilder *builder);
