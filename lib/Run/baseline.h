// Baselines that kernels are compared with: cuBLAS, and a copy.
#ifndef CUTE_RUN_BASELINE_H
#define CUTE_RUN_BASELINE_H

#include "Run/operand.h"

// cuBLAS, found at run time, for C = A * transpose(B), the first operands, with
// any of two modes contiguous in each and a third for batches; types as
// blas_call.c says. After them there may be memory to work in.
typedef struct CuteBlas CuteBlas;

enum { // cublasStatus_t
  CUTE_BLAS_ALLOC_FAILED = 3,
  CUTE_BLAS_NOT_SUPPORTED = 15,
};

// Fails if the operands are no such product, or if there is no library. One
// that refuses the product comes with its status.
CuteStatus cuteBlasCreate(const CuteDevice *device, size_t n,
                          const CuteOperand *operands, CuteBlas **blas);
void cuteBlasDestroy(CuteBlas *blas);

// Returns the library's last status; 0 if all is well.
int cuteBlasGetStatus(const CuteBlas *blas);

// Starts it once on the default stream.
CuteStatus cuteBlasStart(void *blas);

// A copy on the device, as a measure of what its memory can do: of the largest
// tensor, into memory of its own.
typedef struct CuteCopyBaseline {
  const CuteDevice *device;
  CuteDevicePointer from, to;
  size_t bytes;
} CuteCopyBaseline;

// Fails if there is no tensor, or no memory.
CuteStatus cuteCopyBaselineCreate(CuteCopyBaseline *copy,
                                  const CuteDevice *device, size_t n,
                                  const CuteOperand *operands);
void cuteCopyBaselineDestroy(CuteCopyBaseline *copy);
CuteStatus cuteCopyBaselineStart(void *copy);

#endif
