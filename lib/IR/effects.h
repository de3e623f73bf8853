// The effects of ops on memory, for passes that move ops past each other.
#pragma once

#include "IR/dialect.h"

// Gives the effect of an op, of the dialect or of another.
CuteEffect cuteEffectGet(CuteDialect *dialect, MlirOperation op);

// The operand to whose elements an op of the dialect writes, or -1.
intptr_t cuteEffectGetWritten(CuteDialect *dialect, MlirOperation op);

// Tells whether an op of the dialect reads elements of its operand i.
bool cuteEffectReads(CuteDialect *dialect, MlirOperation op, intptr_t i);

// The operand, source and destination of an op of the dialect that copies
// between two tensors; false for others.
typedef struct CuteCopyParts {
  MlirValue copy, source, destination, predicate; // null: none
} CuteCopyParts;

bool cuteEffectGetCopy(CuteDialect *dialect, MlirOperation op,
                       CuteCopyParts *parts);

// The number of groups that a wait leaves pending.
int64_t cuteEffectGetPending(CuteDialect *dialect, MlirOperation op);
