// References in float64: C[m,n] = A[m,k] * B[n,k] and the like.
#ifndef CUTE_RUNTIME_REFERENCE_H
#define CUTE_RUNTIME_REFERENCE_H

#include "Runtime/array.h"

typedef struct CuteReference {
  size_t argument;   // which argument the left side is
  CuteArray values;  // f64, row-major, with its extents
  double operations; // multiplications and additions that it takes
} CuteReference;

// Evaluates TENSOR[indices] = EXPRESSION over the arguments, which are called
// A, B, C, ... in order. Indices that the left side does not have are summed
// over. Indices on the right may be sums of indices and numbers, with factors.
// A row of accesses outside of an argument is an error. Functions: exp, log,
// sqrt, abs, tanh, max, min. Multithreaded.
bool cuteReferenceEvaluate(const char *text, size_t numArguments,
                           const CuteArray *arguments,
                           CuteReference *reference);

#endif
