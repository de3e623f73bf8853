// cublasGemmStridedBatchedEx, for all types but floats of 8 bits.
#include "Run/blas_library.h"
#include "Support/arena.h"

#include <stdlib.h>

// Symbol, its name here, parameters.
#define CUBLAS_FUNCTIONS(ROW)                                                  \
  ROW(cublasCreate_v2, create, (void **handle))                                \
  ROW(cublasDestroy_v2, destroy, (void *handle))                               \
  ROW(cublasGemmStridedBatchedEx, gemm,                                        \
      (void *handle, int opA, int opB, int m, int n, int k, const void *alpha, \
       const void *a, int typeA, int lda, long long strideA, const void *b,    \
       int typeB, int ldb, long long strideB, const void *beta, void *c,       \
       int typeC, int ldc, long long strideC, int batchCount, int compute,     \
       int algorithm))

typedef struct Cublas {
  void *handle;
  CUBLAS_FUNCTIONS(CUTE_BLAS_POINTER)
} Cublas;

#define SYMBOL(symbol, name, parameters) {#symbol, offsetof(Cublas, name)},
static const CuteBlasSymbol symbols[] = {CUBLAS_FUNCTIONS(SYMBOL)};

static void *create(const CuteBlas *blas, int *status) {
  Cublas *cublas = cuteAllocate(sizeof *cublas);
  *cublas = (Cublas){0};
  if (cuteBlasFind(blas, sizeof symbols / sizeof *symbols, symbols, cublas) &&
      !(*status = cublas->create(&cublas->handle)))
    return cublas;
  free(cublas);
  return NULL;
}

static void destroy(const CuteBlas *blas) {
  Cublas *cublas = blas->state;
  cublas->destroy(cublas->handle);
  free(cublas);
}

static int operationOf(CuteBlasOperand operand) {
  return operand.transposed ? CUTE_BLAS_OP_T : CUTE_BLAS_OP_N;
}

static int start(const CuteBlas *blas) {
  enum { GEMM_DEFAULT = -1 }; // of cublasGemmAlgo_t
  const Cublas *cublas = blas->state;
  const CuteBlasCall *call = &blas->call;
  const CuteBlasOperand a = call->first, b = call->second, c = call->result;
  CuteBlasFactors factors = cuteBlasGetFactors(call->compute);
  return cublas->gemm(cublas->handle, operationOf(a), operationOf(b),
                      call->rows, call->columns, call->depth, factors.one,
                      cuteBlasPointer(blas, a), a.type, a.pitch, a.batchPitch,
                      cuteBlasPointer(blas, b), b.type, b.pitch, b.batchPitch,
                      factors.zero, cuteBlasPointer(blas, c), c.type, c.pitch,
                      c.batchPitch, call->batches, call->compute, GEMM_DEFAULT);
}

const CuteBlasLibrary cuteBlasCublas = {create, destroy, start};
