// References in float64: C[m,n] = A[m,k] * B[n,k] and the like.
#ifndef CUTE_RUNTIME_REFERENCE_H
#define CUTE_RUNTIME_REFERENCE_H

#include "Runtime/array.h"
#include "Runtime/expression.h"

enum { CUTE_MAX_TENSORS = 26 }; // A to Z

typedef struct CuteReference {
  size_t argument;   // which argument the left side is
  CuteArray values;  // f64, row-major, with its extents
  double operations; // multiplications and additions that it takes
} CuteReference;

// Evaluates TENSOR[indices] = EXPRESSION over the arguments, which are called
// A, B, C, ... in order. Indices that the left side does not have are summed
// over, or where `sum(...)` says so: D[m,n] = C[m,n] + sum(A[m,k] * B[n,k]).
// Indices on the right may be sums of indices and numbers, with factors.
// A row of accesses outside of an argument is an error. Functions: exp, log,
// sqrt, abs, tanh, max, min, and wrap32 to 32 bits. Multithreaded.
bool cuteReferenceEvaluate(const char *text, size_t numArguments,
                           const CuteArray *arguments,
                           CuteReference *reference);

// The same of TENSOR[indices] = EXPRESSION without sum(...).
bool cuteReferenceEvaluateParsed(const CuteExpression *expression,
                                 size_t numArguments,
                                 const CuteArray *arguments,
                                 CuteReference *reference);

#endif
