// What cuBLAS is asked to compute for a kernel's arguments, apart from the
// library.
#ifndef CUTE_RUNTIME_BLAS_CALL_H
#define CUTE_RUNTIME_BLAS_CALL_H

#include "Runtime/array.h"

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
  int compute; // cublasComputeType_t
} CuteBlasCall;

// The call for C = A * transpose(B), for each index of the third mode if there
// is one, with one of the first two modes contiguous in each. False, with a
// message, if the arrays are not such a product or cuBLAS has no such types.
bool cuteBlasCallCreate(const CuteArray *a, const CuteArray *b,
                        const CuteArray *c, CuteBlasCall *call);

#endif
