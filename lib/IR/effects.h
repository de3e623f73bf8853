// What an op does to memory, for passes that move ops past each other.
#ifndef CUTE_IR_EFFECTS_H
#define CUTE_IR_EFFECTS_H

#include "IR/dialect.h"

typedef enum CuteEffect {
  CUTE_EFFECT_NONE,      // can be copied: its results follow from its operands
  CUTE_EFFECT_REGISTERS, // the same, and its result is a fragment of its own
  CUTE_EFFECT_ACCESS,    // reads tensors among its operands, or writes one
  CUTE_EFFECT_COMMIT,    // closes a group of cp.async
  CUTE_EFFECT_WAIT,      // waits for groups of cp.async
  CUTE_EFFECT_BARRIER,   // of the block
  CUTE_EFFECT_LANES,     // exchanges registers between threads, no memory
  CUTE_EFFECT_UNKNOWN,
} CuteEffect;

CuteEffect cuteOperationGetEffect(CuteDialect *dialect, MlirOperation op);

// The operand that an op with CUTE_EFFECT_ACCESS writes, or -1.
intptr_t cuteOperationGetWritten(CuteDialect *dialect, MlirOperation op);

// The operand, source and destination of an op of the dialect that copies
// between two tensors; false for others.
typedef struct CuteCopyParts {
  MlirValue copy, source, destination, predicate; // null: none
} CuteCopyParts;

bool cuteOperationGetCopy(CuteDialect *dialect, MlirOperation op,
                          CuteCopyParts *parts);

// The number of groups that a wait leaves pending.
int64_t cuteOperationGetPending(CuteDialect *dialect, MlirOperation op);

bool cuteOperationIs(MlirOperation op, const char *name);
MlirStringRef cuteOperationGetName(MlirOperation op);

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
