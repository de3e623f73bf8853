// cuBLAS as a baseline, found at run time.
#include "Runtime/launch.h"
#include "Support/arena.h"

#include <dlfcn.h>
#include <stdlib.h>

// Names and values of cublas_v2.h and library_types.h.
enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUDA_R_16F = 2,
  CUDA_R_16BF = 14,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_GEMM_DEFAULT = -1,
};

typedef int GemmEx(void *handle, int opA, int opB, int m, int n, int k,
                   const void *alpha, const void *a, int typeA, int lda,
                   const void *b, int typeB, int ldb, const void *beta, void *c,
                   int typeC, int ldc, int compute, int algorithm);

struct CuteBlas {
  void *library, *handle;
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  GemmEx *gemm;
  const CuteLaunch *launch;
  int type;
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

static bool isGemm(const CuteLaunch *launch) {
  const CuteArgument *a = launch->arguments;
  bool ok = launch->numArguments == 3;
  for (size_t i = 0; ok && i < 3; ++i)
    ok = a[i].array.data && a[i].array.rank == 2 &&
         a[i].array.strides[1] == 1 && a[i].array.type == a[0].array.type;
  return ok &&
         (a[0].array.type == CUTE_ELEMENT_F16 ||
          a[0].array.type == CUTE_ELEMENT_BF16) &&
         a[0].array.extents[1] == a[1].array.extents[1] &&
         a[2].array.extents[0] == a[0].array.extents[0] &&
         a[2].array.extents[1] == a[1].array.extents[0];
}

CuteBlas *cuteBlasCreate(const CuteLaunch *launch) {
  if (!isGemm(launch)) {
    fprintf(stderr, "error: the cublas baseline is for row-major f16 or bf16 "
                    "matrices A(MxK), B(NxK), C(MxN)\n");
    return NULL;
  }
  CuteBlas *blas = cuteAllocate(sizeof *blas);
  *blas = (CuteBlas){.library = openLibrary(), .launch = launch};
  blas->type = launch->arguments[0].array.type == CUTE_ELEMENT_F16
                   ? CUDA_R_16F
                   : CUDA_R_16BF;
  if (blas->library && find(blas->library, "cublasCreate_v2", &blas->create) &&
      find(blas->library, "cublasDestroy_v2", &blas->destroy) &&
      find(blas->library, "cublasGemmEx", &blas->gemm) &&
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

static void *pointerOf(const CuteArgument *argument) {
  return (void *)(uintptr_t)argument->address;
}

// cuBLAS is column-major: transpose(C) = B * transpose(A) with B transposed.
bool cuteBlasStart(void *data) {
  const CuteBlas *blas = data;
  const CuteArgument *a = &blas->launch->arguments[0], *b = a + 1, *c = a + 2;
  float one = 1, zero = 0;
  int error = blas->gemm(
      blas->handle, CUBLAS_OP_T, CUBLAS_OP_N, (int)c->array.extents[1],
      (int)c->array.extents[0], (int)a->array.extents[1], &one, pointerOf(b),
      blas->type, (int)b->array.strides[0], pointerOf(a), blas->type,
      (int)a->array.strides[0], &zero, pointerOf(c), blas->type,
      (int)c->array.strides[0], CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  if (error)
    fprintf(stderr, "error: cublasGemmEx: status %d\n", error);
  return !error;
}
