// cuBLAS as a baseline, found at run time.
#include "Runtime/blas_library.h"
#include "Support/arena.h"

#include <dlfcn.h>
#include <stdlib.h>

// The one that the user chose; else the newest that the loader knows, or the
// one of a usual place. With it comes cublasLt.
static void *openLibrary(void) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                      "libcublas.so",
                                      "/usr/local/cuda/lib64/libcublas.so"};
  const char *chosen = getenv("CUTE_CUBLAS");
  void *handle = NULL;
  if (chosen)
    return dlopen(chosen, RTLD_NOW);
  for (size_t i = 0; !handle && i < sizeof names / sizeof *names; ++i)
    handle = dlopen(names[i], RTLD_NOW);
  return handle;
}

bool cuteBlasFind(const CuteBlas *blas, size_t n, const CuteBlasSymbol *symbols,
                  void *functions) {
  for (size_t i = 0; i < n; ++i) {
    void *found = dlsym(blas->handle, symbols[i].name);
    memcpy((char *)functions + symbols[i].offset, &found, sizeof found);
    if (!found)
      return false;
  }
  return true;
}

void *cuteBlasPointer(const CuteBlas *blas, CuteBlasOperand operand) {
  return (void *)(uintptr_t)blas->launch->arguments[operand.argument].address;
}

CuteBlasFactors cuteBlasGetFactors(int compute) {
  static const float floats[] = {1, 0};
  static const double doubles[] = {1, 0};
  static const int32_t integers[] = {1, 0};
  switch (compute) {
  case CUTE_BLAS_COMPUTE_64F:
    return (CuteBlasFactors){&doubles[0], &doubles[1]};
  case CUTE_BLAS_COMPUTE_32I:
    return (CuteBlasFactors){&integers[0], &integers[1]};
  default:
    return (CuteBlasFactors){&floats[0], &floats[1]};
  }
}

// Whether there are three matrices, and behind them at most memory to work in.
static bool hasMatrices(const CuteLaunch *launch) {
  for (size_t i = 3; i < launch->numArguments; ++i)
    if (!cuteArgumentIsFrom(&launch->arguments[i], "poison") &&
        !cuteArgumentIsFrom(&launch->arguments[i], "zeros"))
      return false;
  return launch->numArguments >= 3;
}

CuteBlas *cuteBlasCreate(const CuteLaunch *launch, const char **problem) {
  static const CuteArray none;
  bool has = hasMatrices(launch);
  const CuteArgument *a = launch->arguments;
  CuteBlasCall call;
  *problem =
      cuteBlasCallCreate(has ? &a[0].array : &none, has ? &a[1].array : &none,
                         has ? &a[2].array : &none, &call);
  if (*problem)
    return NULL;
  const CuteBlasLibrary *library =
      call.isFloat8 ? &cuteBlasCublasLt : &cuteBlasCublas;
  CuteBlas *blas = cuteAllocate(sizeof *blas);
  *blas = (CuteBlas){.library = library,
                     .handle = openLibrary(),
                     .launch = launch,
                     .call = call};
  blas->state = blas->handle ? library->create(blas, &blas->status) : NULL;
  if (blas->state || blas->status)
    return blas;
  *problem = "there is no usable library; CUTE_CUBLAS may be its path";
  cuteBlasDestroy(blas);
  return NULL;
}

void cuteBlasDestroy(CuteBlas *blas) {
  if (!blas)
    return;
  if (blas->state)
    blas->library->destroy(blas);
  if (blas->handle)
    dlclose(blas->handle);
  free(blas);
}

bool cuteBlasStart(void *data) {
  CuteBlas *blas = data;
  if (!blas->status)
    blas->status = blas->library->start(blas);
  return !blas->status;
}

int cuteBlasGetStatus(const CuteBlas *blas) { return blas->status; }
