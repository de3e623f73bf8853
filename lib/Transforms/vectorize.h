// Shared by the files of cute-vectorize.
#pragma once

#include "IR/effects.h"
#include "Transforms/rebuild.h"

enum { CUTE_MAX_VECTOR_MODES = 24 };

// The leaves of a layout that have extents other than 1.
typedef struct CuteLeaves {
  size_t count;
  int32_t index[CUTE_MAX_VECTOR_MODES];   // among all leaves
  int64_t extents[CUTE_MAX_VECTOR_MODES]; // 0: dynamic
  int64_t divisors[CUTE_MAX_VECTOR_MODES];
  CuteIntTuple strides[CUTE_MAX_VECTOR_MODES];
} CuteLeaves;

// False if there are too many.
bool cuteLeavesCollect(CuteContext c, CuteLayout layout, CuteLeaves *leaves);
bool cuteLeavesHaveSameExtents(const CuteLeaves *a, const CuteLeaves *b);
bool cuteLeavesAreStatic(const CuteLeaves *leaves);

// Tells whether leaf `next` begins where leaf i ends.
bool cuteLeavesContinue(const CuteLeaves *leaves, size_t i, size_t next);

// Divides the leaves of `a`, where they are multiples, into those of `b`; false
// if the extents differ then.
bool cuteLeavesRefine(CuteContext c, CuteLeaves *a, const CuteLeaves *b);

// The leaves that source and destination have in common, first the ones side by
// side in memory first.
typedef struct CuteVectorModes {
  CuteLeaves leaves[2]; // of source and destination
  bool isRefined;       // into leaves that the layouts have not as such
  size_t count, numTogether;
  size_t order[CUTE_MAX_VECTOR_MODES]; // which of the leaves
} CuteVectorModes;

// Divides the leaves of both into the same ones; false if that is not possible.
bool cuteVectorModesMatch(CuteContext c, CuteVectorModes *modes);

// Tells whether so many elements are some of the modes side by side and a
// divisor of the next. Those count as one where their strides continue: in
// memory they do, and in registers they may.
bool cuteVectorModesDivide(const CuteVectorModes *modes, const bool isMemory[2],
                           int64_t values);

// A tensor with such leaves as ((values, ...), ...), in the order of the modes.
MlirValue cuteVectorView(CuteRebuild *r, const CuteVectorModes *modes,
                         const CuteLeaves *leaves, MlirValue tensor,
                         int64_t values);

// Writes a predicate for wider accesses, by the builder of `r`: each has
// `values` elements where those of the old one had `before`. Null where
// accesses that become one may have different predicates.
MlirValue cuteVectorizePredicate(CuteRebuild *r, MlirValue predicate,
                                 const CuteVectorModes *modes, int64_t before,
                                 int64_t values);
