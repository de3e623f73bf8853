// Shared memory of a kernel: where each allocation lies, and the sum.
#pragma once

#include "Hardware/arch.h"
#include "IR/dialect.h"

// Shared memory of a kernel, as its allocations lie.
typedef struct CuteSharedPlan {
  int64_t bytes; // in all
  int64_t align;
  bool isDynamic; // more than a kernel can have statically
} CuteSharedPlan;

// Largest amount of shared memory that a kernel can declare statically.
enum { CUTE_STATIC_SHARED_BYTES = CUTE_STATIC_SHARED_KIB * 1024 };

// An attribute of a kernel: the branches of a scf.if, where a block takes only
// one, share the bytes that they allocate.
#define CUTE_SHARES_BRANCHES "cute.share_branches"

// The bytes that an allocation takes; false where they cannot be computed.
bool cuteSharedBytesOf(CuteContext c, CuteType type, int64_t *bytes);

// Tells whether a block of the architecture, or of any if that is null, has so
// many bytes. If not, appends what is needed and what there is, and a note on
// how to mend it.
bool cuteSharedFits(int64_t bytes, const CuteArch *arch, CuteString *problem);

// Adds up the allocations of a function, in order; with a map, notes where each
// begins (MlirOperation -> byte offset + 1). False with a diagnostic.
bool cuteSharedPlanMake(CuteDialect *dialect, MlirOperation function,
                        CutePointerMap *offsets, CuteSharedPlan *plan);
