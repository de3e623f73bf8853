// Which swizzle an allocation in shared memory should have.
#ifndef CUTE_TRANSFORMS_SWIZZLE_SEARCH_H
#define CUTE_TRANSFORMS_SWIZZLE_SEARCH_H

#include "Interpreter/memory_model.h"
#include "Lint/lint.h"

// What the access costs with these addresses, in bytes, by request and thread.
CuteCost cuteAccessGetCost(const CuteAccess *access, int64_t threads,
                           const int64_t *const *addresses);

typedef struct CuteSwizzleChoice {
  bool found; // a swizzle that costs less than what there is now
  CuteSwizzle swizzle;
  int64_t now, left; // conflicts: wavefronts more than the least
  size_t accesses;   // that were counted
} CuteSwizzleChoice;

// The swizzle over the layout of the memory that the access goes to which costs
// least, added up over all accesses to it with elements of that type. The
// fewest bits win among equals.
CuteSwizzleChoice cuteSwizzleChoose(const CuteLint *lint,
                                    const CuteAccess *access);

// Says which swizzle over the layout of the memory that the access goes to
// costs least, added up over all accesses to it, and how to draw it; or that
// none costs less.
void cuteSwizzleAdvise(const CuteLint *lint, const CuteAccess *access,
                       CuteString *note);

#endif
