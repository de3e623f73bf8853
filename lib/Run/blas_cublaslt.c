// cublasLtMatmul, for floats of 8 bits: without scales, and with sums as
// precise as the library makes them by default.
#include "Run/blas_library.h"
#include "Support/arena.h"

#include <stdlib.h>

// Names and values of cublasLt.h and library_types.h.
enum {
  CUDA_R_32F = 0,
  MATMUL_DESC_TRANSA = 3,
  MATMUL_DESC_TRANSB = 4,
  MATRIX_LAYOUT_BATCH_COUNT = 5,
  MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
};

enum { WORKSPACE = 32 << 20 };

typedef struct Heuristic { // cublasLtMatmulHeuristicResult_t
  uint64_t algorithm[8];
  size_t workspace;
  int status;
  float waves;
  int reserved[4];
} Heuristic;

// Symbol, its name here, parameters.
#define CUBLASLT_FUNCTIONS(ROW)                                                \
  ROW(cublasLtCreate, create, (void **handle))                                 \
  ROW(cublasLtDestroy, destroy, (void *handle))                                \
  ROW(cublasLtMatmulDescCreate, createOperation,                               \
      (void **operation, int compute, int scale))                              \
  ROW(cublasLtMatmulDescSetAttribute, setOperation,                            \
      (void *object, int attribute, const void *value, size_t bytes))          \
  ROW(cublasLtMatmulDescDestroy, destroyOperation, (void *operation))          \
  ROW(cublasLtMatrixLayoutCreate, createLayout,                                \
      (void **layout, int type, uint64_t rows, uint64_t columns,               \
       int64_t pitch))                                                         \
  ROW(cublasLtMatrixLayoutSetAttribute, setLayout,                             \
      (void *object, int attribute, const void *value, size_t bytes))          \
  ROW(cublasLtMatrixLayoutDestroy, destroyLayout, (void *layout))              \
  ROW(cublasLtMatmulPreferenceCreate, createPreference, (void **preference))   \
  ROW(cublasLtMatmulPreferenceSetAttribute, setPreference,                     \
      (void *object, int attribute, const void *value, size_t bytes))          \
  ROW(cublasLtMatmulPreferenceDestroy, destroyPreference, (void *preference))  \
  ROW(cublasLtMatmulAlgoGetHeuristic, choose,                                  \
      (void *handle, void *operation, void *a, void *b, void *c, void *d,      \
       void *preference, int wanted, Heuristic *results, int *found))          \
  ROW(cublasLtMatmul, multiply,                                                \
      (void *handle, void *operation, const void *alpha, const void *a,        \
       void *layoutA, const void *b, void *layoutB, const void *beta,          \
       const void *c, void *layoutC, void *d, void *layoutD,                   \
       const void *algorithm, void *workspace, size_t bytes, void *stream))

typedef struct CublasLt {
  void *handle, *operation, *preference, *layouts[3];
  CuteDevicePointer workspace;
  Heuristic chosen;
  CUBLASLT_FUNCTIONS(CUTE_BLAS_POINTER)
} CublasLt;

#define SYMBOL(symbol, name, parameters) {#symbol, offsetof(CublasLt, name)},
static const CuteBlasSymbol symbols[] = {CUBLASLT_FUNCTIONS(SYMBOL)};

// Describes an operand as it lies in memory; the product takes rows x columns
// of it.
static int makeLayout(CublasLt *lt, const CuteBlasCall *call,
                      CuteBlasOperand operand, int rows, int columns,
                      void **layout) {
  bool turned = operand.transposed;
  int32_t batches = call->batches;
  int status = lt->createLayout(
      layout, operand.type, (uint64_t)(turned ? columns : rows),
      (uint64_t)(turned ? rows : columns), operand.pitch);
  if (!status && batches > 1)
    status = lt->setLayout(*layout, MATRIX_LAYOUT_BATCH_COUNT, &batches,
                           sizeof batches);
  if (!status && batches > 1)
    status = lt->setLayout(*layout, MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                           &operand.batchPitch, sizeof operand.batchPitch);
  return status;
}

static int makeOperation(CublasLt *lt, const CuteBlasCall *call) {
  int32_t a = call->first.transposed ? CUTE_BLAS_OP_T : CUTE_BLAS_OP_N;
  int32_t b = call->second.transposed ? CUTE_BLAS_OP_T : CUTE_BLAS_OP_N;
  int status = lt->createOperation(&lt->operation, call->compute, CUDA_R_32F);
  if (!status)
    status = lt->setOperation(lt->operation, MATMUL_DESC_TRANSA, &a, sizeof a);
  if (!status)
    status = lt->setOperation(lt->operation, MATMUL_DESC_TRANSB, &b, sizeof b);
  return status;
}

// The library's first choice for a workspace.
static int choose(CublasLt *lt) {
  uint64_t bytes = WORKSPACE;
  int found = 0, status = lt->createPreference(&lt->preference);
  if (!status)
    status = lt->setPreference(lt->preference, MATMUL_PREF_MAX_WORKSPACE_BYTES,
                               &bytes, sizeof bytes);
  if (!status)
    status = lt->choose(lt->handle, lt->operation, lt->layouts[0],
                        lt->layouts[1], lt->layouts[2], lt->layouts[2],
                        lt->preference, 1, &lt->chosen, &found);
  return status ? status : found ? 0 : CUTE_BLAS_NOT_SUPPORTED;
}

static int prepare(CublasLt *lt, const CuteBlas *blas) {
  const CuteBlasCall *call = &blas->call;
  int status = lt->create(&lt->handle);
  if (!status)
    status = makeOperation(lt, call);
  if (!status)
    status = makeLayout(lt, call, call->first, call->rows, call->depth,
                        &lt->layouts[0]);
  if (!status)
    status = makeLayout(lt, call, call->second, call->depth, call->columns,
                        &lt->layouts[1]);
  if (!status)
    status = makeLayout(lt, call, call->result, call->rows, call->columns,
                        &lt->layouts[2]);
  if (!status)
    status = choose(lt);
  if (!status && !cuteStatusConsume(cuteDeviceAllocate(blas->device, WORKSPACE,
                                                       &lt->workspace)))
    status = CUTE_BLAS_ALLOC_FAILED;
  return status;
}

static void release(CublasLt *lt, const CuteBlas *blas) {
  if (lt->workspace)
    cuteDeviceRelease(blas->device, lt->workspace);
  if (lt->preference)
    lt->destroyPreference(lt->preference);
  for (int i = 0; i < 3; ++i)
    if (lt->layouts[i])
      lt->destroyLayout(lt->layouts[i]);
  if (lt->operation)
    lt->destroyOperation(lt->operation);
  if (lt->handle)
    lt->destroy(lt->handle);
  free(lt);
}

static void *create(const CuteBlas *blas, int *status) {
  CublasLt *lt = cuteAllocate(sizeof *lt);
  *lt = (CublasLt){0};
  if (cuteBlasFind(blas, sizeof symbols / sizeof *symbols, symbols, lt) &&
      !(*status = prepare(lt, blas)))
    return lt;
  release(lt, blas);
  return NULL;
}

static void destroy(const CuteBlas *blas) { release(blas->state, blas); }

static int start(const CuteBlas *blas) {
  const CublasLt *lt = blas->state;
  const CuteBlasCall *call = &blas->call;
  CuteBlasFactors factors = cuteBlasGetFactors(call->compute);
  void *c = cuteBlasPointer(blas, call->result);
  return lt->multiply(lt->handle, lt->operation, factors.one,
                      cuteBlasPointer(blas, call->first), lt->layouts[0],
                      cuteBlasPointer(blas, call->second), lt->layouts[1],
                      factors.zero, c, lt->layouts[2], c, lt->layouts[2],
                      lt->chosen.algorithm, (void *)(uintptr_t)lt->workspace,
                      WORKSPACE, NULL);
}

const CuteBlasLibrary cuteBlasCublasLt = {create, destroy, start};
