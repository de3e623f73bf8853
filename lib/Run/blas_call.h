// Translates a kernel's arguments to a call of cuBLAS, apart from the library.
#ifndef CUTE_RUN_BLAS_CALL_H
#define CUTE_RUN_BLAS_CALL_H

#include "Check/array.h"

// A matrix as cuBLAS reads it: column-major.
typedef struct CuteBlasOperand {
  size_t argument;
  bool transposed; // the product takes its transpose
  int pitch;
  int64_t batchPitch;
  int type; // cudaDataType
} CuteBlasOperand;

// result (rows x columns) = op(first) (rows x depth) * op(second) (depth x
// columns).
typedef struct CuteBlasCall {
  CuteBlasOperand first, second, result;
  int rows, columns, depth, batches;
  int compute;
  bool isFloat8; // which cublasLt alone takes
} CuteBlasCall;

enum { // cublasComputeType_t
  CUTE_BLAS_COMPUTE_32F = 68,
  CUTE_BLAS_COMPUTE_64F = 70,
  CUTE_BLAS_COMPUTE_32I = 72,
  CUTE_BLAS_COMPUTE_32F_FAST_TF32 = 77,
};

// The call for C = A * transpose(B), for each index of the third mode if there
// is one, with one of the first two modes contiguous in each. What is wrong if
// the arrays are not such a product or cuBLAS has no such types, or null.
const char *cuteBlasCallCreate(const CuteArray *a, const CuteArray *b,
                               const CuteArray *c, CuteBlasCall *call);

#endif
