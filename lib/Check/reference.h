// References in float64: C[m,n] = A[m,k] * B[n,k] and the like.
#pragma once

#include "Check/sample.h"

typedef struct CuteReference {
  size_t argument;   // which argument the left side is
  CuteArray values;  // f64, row-major, with its extents
  CuteSample sample; // which of them are computed
  double operations; // multiplications and additions that it takes
} CuteReference;

// Evaluates TENSOR[indices] = EXPRESSION over the arguments, which are called
// A, B, C, ... in order. Indices that the left side does not have are summed
// over, or reduced where the expression says so: max[k](A[m,k]). Reductions may
// be nested; each is computed once for the indices that it shares with what is
// around it. docs/references.md has the grammar. Multithreaded.
// No more is computed than a sample of at least `count` elements of the left
// side, which `seed` chooses, and of reductions what they need.
CuteStatus cuteReferenceSample(const char *text, size_t numArguments,
                               const CuteArray *arguments, int64_t count,
                               uint64_t seed, CuteReference *reference);

// Fails where cuteReferenceSample would for the text, or for the extents.
CuteStatus cuteReferenceCheck(const char *text, size_t numArguments,
                              const CuteArray *arguments);

void cuteReferenceDestroy(CuteReference *reference);
