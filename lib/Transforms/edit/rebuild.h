// Copies ops for other operands, with the types that follow from these.
#pragma once

#include "IR/builder.h"

typedef struct CuteRebuild {
  CuteDialect *dialect;
  CuteBuilder builder;         // where copies go
  const CutePointerMap *moves; // the ops that are copied when a value is asked
                               // for: MlirOperation -> not null; or null: none
  CutePointerMap values;       // a value -> its substitute
  MlirOperation latest;        // the latest copy of an op
  bool failed;                 // with a message in the context
  MlirOperation culprit;       // that could not be copied; null: a new op
} CuteRebuild;

// Begins in front of an op.
static inline CuteRebuild cuteRebuildBefore(CuteDialect *dialect,
                                            MlirOperation op) {
  return (CuteRebuild){.dialect = dialect, .builder = cuteBuilderBefore(op)};
}

// Maps the original to `value` from now on.
void cuteRebuildSet(CuteRebuild *rebuild, MlirValue original, MlirValue value);

// The substitute of the original: as set, a result of a copy of its op,
// made when first asked for, or itself.
MlirValue cuteRebuildGet(CuteRebuild *rebuild, MlirValue original);

// Copies an op with its operands mapped. If it has regions, values from outside
// must be mapped to values of the same types.
void cuteRebuildOp(CuteRebuild *rebuild, MlirOperation op);

// Creates an op in front of one of the dialect with the attributes of that, on
// other operands. Null, with rebuild->failed, if it cannot.
MlirOperation cuteRebuildLike(CuteRebuild *rebuild, MlirOperation op,
                              size_t numOperands, const MlirValue *operands);

// Has one with one operand more take the op's place. Types of what depends on
// it do not follow.
MlirOperation cuteRebuildExtend(CuteRebuild *rebuild, MlirOperation op,
                                MlirValue last);

// Creates an op of the dialect; null, with rebuild->failed, if it cannot.
MlirOperation cuteRebuildCreate(CuteRebuild *rebuild, CuteOpId id,
                                size_t numOperands, const MlirValue *operands,
                                size_t numAttributes,
                                const CuteNamedAttribute *attributes);

// Its first result; the first operand if it fails, so that types still fit.
MlirValue cuteRebuildCreateValue(CuteRebuild *rebuild, CuteOpId id,
                                 size_t numOperands, const MlirValue *operands);

// The part of a tensor at a static coordinate.
MlirValue cuteRebuildSlice(CuteRebuild *rebuild, MlirValue tensor,
                           CuteIntTuple coord);
