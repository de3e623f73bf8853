// Modules with functions on the host: compiled in memory, with their kernels.
#include "Compile/compile.h"
#include "Compile/host_halves.h"
#include "Compile/host_signatures.h"
#include "Jit/c_symbols.h"
#include "Jit/jit.h"
#include "Jit/packed.h"

#include <stdlib.h>

struct CuteHostModule {
  CuteJit *jit;
  CuteHostKernels kernels;
  CuteHostSignatures signatures;
  CuteString functions; // JSON
  void **addresses;     // of the functions
};

//===-- The functions -----------------------------------------------------===//

static bool fail(MlirModule module, CuteStatus status) {
  if (status)
    cuteEmitError(mlirOperationGetLocation(mlirModuleGetOperation(module)),
                  "host functions: %s", cuteStatusGetMessage(status));
  return cuteStatusConsume(status);
}

// The caller's symbols, then those of C that it does not replace.
static CuteJitSymbol *joinSymbols(CuteHostOptions options, size_t *count) {
  size_t numOfC, n = 0;
  const CuteJitSymbol *ofC = cuteCSymbolsGet(&numOfC);
  CuteJitSymbol *all =
      cuteAllocate((options.numSymbols + numOfC) * sizeof *all);
  for (size_t i = 0; i < options.numSymbols; ++i)
    all[n++] =
        (CuteJitSymbol){options.symbols[i].name, options.symbols[i].address};
  for (size_t i = 0; i < numOfC; ++i) {
    size_t k = 0;
    while (k < options.numSymbols && strcmp(all[k].name, ofC[i].name))
      ++k;
    if (k == options.numSymbols)
      all[n++] = ofC[i];
  }
  *count = n;
  return all;
}

static CuteStatus findFunctions(CuteHostModule *result) {
  size_t n = result->signatures.count;
  result->addresses = cuteAllocate((n + 1) * sizeof *result->addresses);
  for (size_t i = 0; i < n; ++i) {
    CuteString name = {0};
    cuteStringAppendFormat(&name, "%s" CUTE_PACKED_SUFFIX,
                           result->signatures.data[i].name);
    CuteStatus status =
        cuteJitLookUp(result->jit, cuteStringGet(&name), &result->addresses[i]);
    cuteStringDestroy(&name);
    CUTE_TRY(status);
  }
  return NULL;
}

static bool compileFunctions(MlirModule module, CuteHostOptions options,
                             CuteHostModule *result) {
  CuteString object = {0};
  size_t count;
  CuteJitSymbol *symbols = joinSymbols(options, &count);
  CuteJitOptions jit = {.numSymbols = count,
                        .symbols = symbols,
                        .seesProcess = options.seesProcess};
  bool ok = cuteHostFunctionsEmit(
      module, &result->signatures,
      (CuteHostCodeOptions){.optLevel = options.optLevel}, &object);
  if (ok) {
    CuteStatus status =
        cuteJitCreateFromObject(object.data, object.length, jit, &result->jit);
    ok = fail(module, status ? status : findFunctions(result));
  }
  free(symbols);
  cuteStringDestroy(&object);
  return ok;
}

//===-- Modules -----------------------------------------------------------===//

static bool compile(MlirModule module, CuteHostOptions options,
                    CuteHostModule *result) {
  return cuteHostSignaturesCollect(&result->signatures, module) &&
         cuteManifestDescribeFunctions(module, &result->functions) &&
         cuteHostKernelsCompile(module, options.kernels, &result->kernels) &&
         compileFunctions(module, options, result);
}

CuteHostModule *cuteHostModuleCreate(MlirModule module,
                                     CuteHostOptions options) {
  if (mlirModuleIsNull(module) ||
      mlirLogicalResultIsFailure(
          cuteOperationVerify(mlirModuleGetOperation(module))))
    return NULL;
  CuteHostModule *result = cuteAllocate(sizeof *result);
  *result = (CuteHostModule){0};
  if (compile(module, options, result))
    return result;
  cuteHostModuleDestroy(result);
  return NULL;
}

void cuteHostModuleDestroy(CuteHostModule *module) {
  if (!module)
    return;
  cuteJitDestroy(module->jit);
  cuteHostKernelsDestroy(&module->kernels);
  cuteHostSignaturesDestroy(&module->signatures);
  cuteStringDestroy(&module->functions);
  free(module->addresses);
  free(module);
}

void *cuteHostModuleFind(const CuteHostModule *module, const char *name) {
  for (size_t i = 0; i < module->signatures.count; ++i)
    if (!strcmp(module->signatures.data[i].name, name))
      return module->addresses[i];
  return NULL;
}

const char *cuteHostModuleGetManifest(const CuteHostModule *module) {
  return module->kernels.manifest.data;
}

const void *cuteHostModuleGetCode(const CuteHostModule *module, size_t *size) {
  if (size)
    *size = module->kernels.code.length;
  return module->kernels.code.data;
}

const char *cuteHostModuleGetFunctions(const CuteHostModule *module) {
  return cuteStringGet(&module->functions);
}

size_t cuteHostModuleGetNumFunctions(const CuteHostModule *module) {
  return module->signatures.count;
}

CuteHostSignature cuteHostModuleGetSignature(const CuteHostModule *module,
                                             size_t i) {
  return module->signatures.data[i];
}
