// The effects of ops on memory, for passes that move ops past each other.
#ifndef CUTE_IR_EFFECTS_H
#define CUTE_IR_EFFECTS_H

#include "IR/dialect.h"

CuteEffect cuteOperationGetEffect(CuteDialect *dialect, MlirOperation op);

// The operand to whose elements an op of the dialect writes, or -1.
intptr_t cuteOperationGetWritten(CuteDialect *dialect, MlirOperation op);

// Whether an op of the dialect reads elements of its operand i.
bool cuteOperationReads(CuteDialect *dialect, MlirOperation op, intptr_t i);

// The operand, source and destination of an op of the dialect that copies
// between two tensors; false for others.
typedef struct CuteCopyParts {
  MlirValue copy, source, destination, predicate; // null: none
} CuteCopyParts;

bool cuteOperationGetCopy(CuteDialect *dialect, MlirOperation op,
                          CuteCopyParts *parts);

// The number of groups that a wait leaves pending.
int64_t cuteOperationGetPending(CuteDialect *dialect, MlirOperation op);

// The operand of a view that the view lies in, of a tensor or pointer in that
// space; null if there is none.
MlirValue cuteViewGetBase(CuteDialect *dialect, MlirOperation op,
                          CuteSpace space);

// A tensor or pointer in that space.
bool cuteValueIsMemory(CuteDialect *dialect, MlirValue value, CuteSpace space);

// The value at the end of the chain of views that a value is.
MlirValue cuteValueGetRoot(CuteDialect *dialect, MlirValue value,
                           CuteSpace space);

#endif
