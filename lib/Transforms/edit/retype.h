// Gives values of a function other types: what depends on them follows.
#pragma once

#include "Transforms/edit/rebuild.h"

typedef struct CuteRetype {
  CuteRebuild values;    // `dialect` is set by the user
  const char *problem;   // says on failure which op does not follow, and why
  MlirOperation culprit; // that op
} CuteRetype;

CuteRetype cuteRetypeBegin(CuteDialect *dialect);

// Has `value`, which dominates all uses of `old`, take its place.
void cuteRetypeSet(CuteRetype *retype, MlirValue old, MlirValue value);

// Makes an allocation of shared memory again, with this layout and alignment in
// bytes, to take the old one's place. False with `problem`.
bool cuteRetypeAlloc(CuteRetype *retype, MlirOperation alloc, CuteLayout layout,
                     int64_t align);

// Rebuilds every op of the function that uses an old value, directly or not,
// with the types that follow, and removes the old ops. Arithmetic on whole
// vectors follows, too. False with `problem`, and the function half done, where
// an op does not take the new types: work on a clone.
bool cuteRetypeRun(CuteRetype *retype, MlirOperation function);
