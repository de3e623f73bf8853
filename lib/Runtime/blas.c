// cuBLAS as a baseline, found at run time.
#include "Runtime/blas_call.h"
#include "Runtime/launch.h"
#include "Support/arena.h"

#include <dlfcn.h>
#include <stdlib.h>

// Names and values of cublas_api.h.
enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_GEMM_DEFAULT = -1,
};

typedef int GemmStridedBatchedEx(void *handle, int opA, int opB, int m, int n,
                                 int k, const void *alpha, const void *a,
                                 int typeA, int lda, long long strideA,
                                 const void *b, int typeB, int ldb,
                                 long long strideB, const void *beta, void *c,
                                 int typeC, int ldc, long long strideC,
                                 int batchCount, int compute, int algorithm);

struct CuteBlas {
  void *library, *handle;
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  GemmStridedBatchedEx *gemm;
  const CuteLaunch *launch;
  CuteBlasCall call;
};

static void *openLibrary(void) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                      "libcublas.so",
                                      "/usr/local/cuda/lib64/libcublas.so"};
  const char *chosen = getenv("CUTE_CUBLAS");
  void *library = chosen ? dlopen(chosen, RTLD_NOW) : NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; ++i)
    library = dlopen(names[i], RTLD_NOW);
  return library;
}

static bool find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found;
}

CuteBlas *cuteBlasCreate(const CuteLaunch *launch) {
  static const CuteArray none;
  bool has = launch->numArguments == 3;
  const CuteArgument *a = launch->arguments;
  CuteBlasCall call;
  if (!cuteBlasCallCreate(has ? &a[0].array : &none, has ? &a[1].array : &none,
                          has ? &a[2].array : &none, &call))
    return NULL;
  CuteBlas *blas = cuteAllocate(sizeof *blas);
  *blas = (CuteBlas){.library = openLibrary(), .launch = launch, .call = call};
  if (blas->library && find(blas->library, "cublasCreate_v2", &blas->create) &&
      find(blas->library, "cublasDestroy_v2", &blas->destroy) &&
      find(blas->library, "cublasGemmStridedBatchedEx", &blas->gemm) &&
      !blas->create(&blas->handle))
    return blas;
  fprintf(stderr, "error: no usable cuBLAS; set CUTE_CUBLAS to its path\n");
  cuteBlasDestroy(blas);
  return NULL;
}

void cuteBlasDestroy(CuteBlas *blas) {
  if (!blas)
    return;
  if (blas->handle)
    blas->destroy(blas->handle);
  if (blas->library)
    dlclose(blas->library);
  free(blas);
}

static void *pointerOf(const CuteBlas *blas, CuteBlasOperand operand) {
  return (void *)(uintptr_t)blas->launch->arguments[operand.argument].address;
}

static int operationOf(CuteBlasOperand operand) {
  return operand.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

// 1 and 0 of the type in which sums are computed.
typedef struct Factors {
  const void *one, *zero;
} Factors;

static Factors factorsOf(int compute) {
  static const float floats[] = {1, 0};
  static const double doubles[] = {1, 0};
  static const int32_t integers[] = {1, 0};
  return compute == CUBLAS_COMPUTE_64F   ? (Factors){&doubles[0], &doubles[1]}
         : compute == CUBLAS_COMPUTE_32I ? (Factors){&integers[0], &integers[1]}
                                         : (Factors){&floats[0], &floats[1]};
}

bool cuteBlasStart(void *data) {
  const CuteBlas *blas = data;
  const CuteBlasCall *call = &blas->call;
  const CuteBlasOperand a = call->first, b = call->second, c = call->result;
  Factors factors = factorsOf(call->compute);
  int error = blas->gemm(
      blas->handle, operationOf(a), operationOf(b), call->rows, call->columns,
      call->depth, factors.one, pointerOf(blas, a), a.type, a.pitch,
      a.batchPitch, pointerOf(blas, b), b.type, b.pitch, b.batchPitch,
      factors.zero, pointerOf(blas, c), c.type, c.pitch, c.batchPitch,
      call->batches, call->compute, CUBLAS_GEMM_DEFAULT);
  if (error)
    fprintf(stderr, "error: cublasGemmStridedBatchedEx: status %d\n", error);
  return !error;
}
