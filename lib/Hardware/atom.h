// The rows of dialect/hardware/{mma_kind,copy_kind}.def, in whose order tables
// by kind are.
#pragma once

#include "cute/Atom.h"

enum {
#define CUTE_MMA_KIND(kind, ...) CUTE_MMA_##kind,
#include "hardware/mma_kind.def"
  CUTE_NUM_MMA_KINDS
};

enum {
#define CUTE_COPY_KIND(kind, ...) CUTE_COPY_##kind,
#include "hardware/copy_kind.def"
  CUTE_NUM_COPY_KINDS
};

extern const CuteMmaKind cuteMmaAtomKinds[CUTE_NUM_MMA_KINDS];
extern const CuteCopyKind cuteCopyAtomKinds[CUTE_NUM_COPY_KINDS];

bool cuteMmaAtomIsWarpgroup(const CuteMmaAtom *atom);

// Tells whether the atom reads A or B in shared memory by a descriptor.
bool cuteMmaAtomIsDescribed(const CuteMmaAtom *atom, CuteMmaOperand operand);
