// Short forms of building ops of the dialect whose types are inferred.
#pragma once

#include "Transforms/edit/rebuild.h"

static inline MlirValue cuteEmit0(CuteRebuild *r, CuteOpId id) {
  return cuteRebuildCreateValue(r, id, 0, NULL);
}

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

// A value of a static type: a layout, shape or integer.
MlirValue cuteEmitStatic(CuteRebuild *r, CuteType type);
MlirValue cuteEmitLayout(CuteRebuild *r, CuteLayout layout);
MlirValue cuteEmitShape(CuteRebuild *r, CuteIntTuple shape);
MlirValue cuteEmitInt(CuteRebuild *r, int64_t value);

// An arith op on an integer of 32 bits and a constant.
MlirValue cuteEmitWith(CuteRebuild *r, const char *name, MlirValue value,
                       int64_t constant);
// A comparison of the thread's number with a constant.
MlirValue cuteEmitThreadTest(CuteRebuild *r, int64_t predicate,
                             int64_t constant);

// Goes into an scf.if from now on; gives the builder outside.
CuteBuilder cuteEmitEnterIf(CuteRebuild *r, MlirValue condition);

// Shared memory of elements of the attribute's type.
MlirValue cuteEmitAlloc(CuteRebuild *r, CuteLayout layout,
                        MlirAttribute element, int64_t align);

// A tensor over the bytes of another one in shared memory, with a layout given
// as a value.
MlirValue cuteEmitOver(CuteRebuild *r, MlirValue tensor,
                       CuteElementType element, MlirValue layout);

// The i32 of the warp's first thread; the compiler sees that all threads have
// the same one.
MlirValue cuteEmitUniform(const CuteBuilder *b, MlirValue value);

// A pipeline of stores by TMA, with room for so many.
MlirValue cuteEmitStorePipeline(CuteRebuild *r, int64_t stages);

// A state at the beginning of a pipeline: role is "producer" or "consumer".
MlirValue cuteEmitState(CuteRebuild *r, const char *role, MlirValue pipeline);

// Copies between a tile in shared memory and its coordinates by a TMA atom: a
// load that completes at a barrier, of data that the L2 cache lets go first if
// they are a stream, and a store where the condition holds, which may be null.
void cuteEmitTmaLoad(CuteRebuild *r, MlirValue atom, MlirValue barrier,
                     MlirValue memory, MlirValue coords, bool isStream);
void cuteEmitTmaStore(CuteRebuild *r, MlirValue condition, MlirValue atom,
                      MlirValue memory, MlirValue coords);

// The op with an attribute that is a string.
MlirOperation cuteEmitNamed(CuteRebuild *r, CuteOpId id, const char *name,
                            const char *text, size_t n,
                            const MlirValue *operands);
