#include "Compile/options.h"

#include "IR/emit.h"

static bool isZero(const unsigned char *bytes, size_t n) {
  while (n && !bytes[n - 1])
    --n;
  return !n;
}

CuteStatus cuteOptionsRead(void *all, size_t size, const void *given) {
  size_t n = 0;
  if (given)
    memcpy(&n, given, sizeof n);
  if (n < 2 * sizeof n)
    return cuteStatusCreate("the options' size is %zu; set it to the sizeof of "
                            "their struct, %zu here",
                            n, size);
  if (n > size && !isZero((const unsigned char *)given + size, n - size))
    return cuteStatusCreate(
        "the options have %zu bytes; this version of the library knows %zu of "
        "them, and some of the others are set",
        n, size);
  memset(all, 0, size);
  memcpy(all, given, n < size ? n : size);
  memcpy(all, &size, sizeof size);
  return NULL;
}

static CuteStatus readCompileOptions(CuteCompileOptions *all,
                                     const CuteCompileOptions *given) {
  CUTE_TRY(cuteOptionsRead(all, sizeof *all, given));
  if ((unsigned)all->emit > CUTE_EMIT_CUBIN)
    return cuteStatusCreate("emit is %d, which is not a stage; take one of "
                            "CuteEmit, 0 to %d",
                            (int)all->emit, CUTE_EMIT_CUBIN);
  if (all->optLevel > 3)
    return cuteStatusCreate("optLevel is %u; levels are 0 to 3", all->optLevel);
  return NULL;
}

bool cuteOptionsReport(CuteStatus status, MlirModule module) {
  return cuteEmitStatus(
      mlirOperationGetLocation(mlirModuleGetOperation(module)), status);
}

bool cuteCompileOptionsRead(CuteCompileOptions *all,
                            const CuteCompileOptions *given,
                            MlirModule module) {
  return cuteOptionsReport(readCompileOptions(all, given), module);
}

CuteStatus cuteHostOptionsRead(CuteHostOptions *all,
                               CuteCompileOptions *kernels,
                               const CuteHostOptions *given) {
  CUTE_TRY(cuteOptionsRead(all, sizeof *all, given));
  *kernels = (CuteCompileOptions){.size = sizeof *kernels};
  if (all->kernels)
    CUTE_TRY(readCompileOptions(kernels, all->kernels));
  all->kernels = kernels;
  return NULL;
}
