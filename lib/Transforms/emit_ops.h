// Short forms of building ops of the dialect whose types are inferred.
#pragma once

#include "Transforms/rebuild.h"

static inline MlirValue cuteEmit1(CuteRebuild *r, CuteOpId id, MlirValue a) {
  return cuteRebuildCreateValue(r, id, 1, &a);
}

static inline MlirValue cuteEmit2(CuteRebuild *r, CuteOpId id, MlirValue a,
                                  MlirValue b) {
  MlirValue operands[] = {a, b};
  return cuteRebuildCreateValue(r, id, 2, operands);
}

static inline MlirValue cuteEmit3(CuteRebuild *r, CuteOpId id, MlirValue a,
                                  MlirValue b, MlirValue c) {
  MlirValue operands[] = {a, b, c};
  return cuteRebuildCreateValue(r, id, 3, operands);
}

// An op without results.
static inline void cuteEmitDo(CuteRebuild *r, CuteOpId id, size_t n,
                              const MlirValue *operands) {
  cuteRebuildCreate(r, id, n, operands, 0, NULL);
}

// The last mode of a tensor of rank n at a dynamic index.
MlirValue cuteEmitSliceLast(CuteRebuild *r, MlirValue tensor, MlirValue index);

// The first two modes of a tensor as one.
MlirValue cuteEmitGroupTile(CuteRebuild *r, MlirValue tensor);

// A static shape, or a static integer.
MlirValue cuteEmitShape(CuteRebuild *r, CuteIntTuple shape);
MlirValue cuteEmitInt(CuteRebuild *r, int64_t value);

// The i32 of the warp's first thread; the compiler sees that all threads have
// the same one.
MlirValue cuteEmitUniform(const CuteBuilder *b, MlirValue value);

// A state at the beginning of a pipeline: role is "producer" or "consumer".
MlirValue cuteEmitState(CuteRebuild *r, const char *role, MlirValue pipeline);

// The op with an attribute that is a string.
MlirOperation cuteEmitNamed(CuteRebuild *r, CuteOpId id, const char *name,
                            const char *text, size_t n,
                            const MlirValue *operands);
