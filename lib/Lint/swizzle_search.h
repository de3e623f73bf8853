// Which swizzle an allocation in shared memory should have.
#ifndef CUTE_LINT_SWIZZLE_SEARCH_H
#define CUTE_LINT_SWIZZLE_SEARCH_H

#include "Lint/lint.h"
#include "Lint/memory_model.h"

// What the access costs with these addresses, in bytes, by request and thread.
CuteCost cuteAccessGetCost(const CuteAccess *access, int64_t threads,
                           const int64_t *const *addresses);

// Says which swizzle over the layout of the memory that the access goes to
// costs least, added up over all accesses to it, and how to draw it; or that
// none costs less. The fewest bits win among equals.
void cuteSwizzleAdvise(const CuteLint *lint, const CuteAccess *access,
                       CuteString *note);

#endif
