// cuBLAS as a baseline, found at run time.
#include "Run/blas_library.h"
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
  const CuteArgument *argument = &blas->operands[operand.argument].argument;
  return (void *)(uintptr_t)argument->address;
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

// True of three matrices, and after them at most memory to work in.
static bool hasMatrices(size_t n, const CuteOperand *operands) {
  for (size_t i = 3; i < n; ++i)
    if (!cuteOperandIsFrom(&operands[i], "poison") &&
        !cuteOperandIsFrom(&operands[i], "zeros"))
      return false;
  return n >= 3;
}

static CuteStatus chooseCall(size_t n, const CuteOperand *operands,
                             CuteBlasCall *call) {
  static const CuteArray none;
  bool has = hasMatrices(n, operands);
  const char *problem = cuteBlasCallCreate(
      has ? &operands[0].array : &none, has ? &operands[1].array : &none,
      has ? &operands[2].array : &none, call);
  return problem ? cuteStatusCreate("%s", problem) : NULL;
}

CuteStatus cuteBlasCreate(const CuteDevice *device, size_t n,
                          const CuteOperand *operands, CuteBlas **result) {
  CuteBlasCall call;
  *result = NULL;
  CUTE_TRY(chooseCall(n, operands, &call));
  CUTE_TRY(cuteDeviceEnter(device));
  CuteBlas *blas = cuteAllocate(sizeof *blas);
  *blas =
      (CuteBlas){.library = call.isFloat8 ? &cuteBlasCublasLt : &cuteBlasCublas,
                 .handle = openLibrary(),
                 .device = device,
                 .operands = operands,
                 .call = call};
  blas->state =
      blas->handle ? blas->library->create(blas, &blas->status) : NULL;
  if (blas->state || blas->status) {
    *result = blas;
    return NULL;
  }
  cuteBlasDestroy(blas);
  return cuteStatusCreate(
      "there is no usable library; CUTE_CUBLAS may be its path");
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

CuteStatus cuteBlasStart(void *data) {
  CuteBlas *blas = data;
  CUTE_TRY(cuteDeviceEnter(blas->device));
  if (!blas->status)
    blas->status = blas->library->start(blas);
  if (!blas->status)
    return NULL;
  return cuteStatusCreate(
      "status %d%s", blas->status,
      blas->status == CUTE_BLAS_NOT_SUPPORTED ? ", not supported" : "");
}

int cuteBlasGetStatus(const CuteBlas *blas) { return blas->status; }
