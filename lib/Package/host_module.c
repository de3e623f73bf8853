// Modules with functions on the host, compiled in memory.
#include "Compile/options.h"
#include "Jit/jit.h"
#include "Package/package.h"

struct CuteHostModule {
  CuteJit *jit;
  const CuteExportedModule *table; // in its code
};

//===-- Creation ----------------------------------------------------------===//

// The caller's symbols, then the C library's that it does not replace.
static CuteJitSymbol *joinSymbols(const CuteHostOptions *options,
                                  size_t *count) {
  size_t numOfC, n = 0;
  const CuteJitSymbol *ofC = cuteCSymbolsGet(&numOfC);
  CuteJitSymbol *all =
      cuteAllocate((options->numSymbols + numOfC) * sizeof *all);
  for (size_t i = 0; i < options->numSymbols; ++i)
    all[n++] =
        (CuteJitSymbol){options->symbols[i].name, options->symbols[i].address};
  for (size_t i = 0; i < numOfC; ++i) {
    size_t k = 0;
    while (k < options->numSymbols && strcmp(all[k].name, ofC[i].name))
      ++k;
    if (k == options->numSymbols)
      all[n++] = ofC[i];
  }
  *count = n;
  return all;
}

static CuteStatus link(CuteHostModule *module, const void *object, size_t size,
                       const char *prefix, const CuteHostOptions *options) {
  size_t count;
  void *table = NULL;
  CUTE_SCOPED(String) name = {0};
  CuteJitSymbol *symbols = joinSymbols(options, &count);
  CuteStatus status = cuteJitCreateFromObject(
      object, size,
      (CuteJitOptions){.numSymbols = count,
                       .symbols = symbols,
                       .seesProcess = options->seesProcess},
      &module->jit);
  cuteStringAppendFormat(&name, "%s" CUTE_EXPORT_SUFFIX, prefix);
  if (!status)
    status = cuteJitLookUp(module->jit, cuteStringGet(&name), &table);
  module->table = table;
  free(symbols);
  return status;
}

CuteStatus cuteHostModuleCreateFromObject(const void *object, size_t size,
                                          const char *prefix,
                                          const CuteHostOptions *given,
                                          CuteHostModule **module) {
  CuteHostOptions options;
  CuteCompileOptions kernels;
  *module = NULL;
  CUTE_TRY(cuteHostOptionsRead(&options, &kernels, given));
  *module = cuteAllocate(sizeof **module);
  **module = (CuteHostModule){0};
  CuteStatus status = link(*module, object, size, prefix, &options);
  if (!status && (*module)->table->version != CUTE_EXPORT_VERSION)
    status = cuteStatusCreate("the object has version %u; this library loads "
                              "version %d",
                              (*module)->table->version, CUTE_EXPORT_VERSION);
  if (!status)
    return NULL;
  cuteHostModuleDestroy(*module);
  *module = NULL;
  return status;
}

CuteHostModule *cuteHostModuleCreate(MlirModule module,
                                     const CuteHostOptions *given) {
  static const char prefix[] = "cute";
  CuteHostOptions options;
  CuteCompileOptions kernels;
  if (mlirModuleIsNull(module) ||
      !cuteOptionsReport(cuteHostOptionsRead(&options, &kernels, given),
                         module))
    return NULL;
  CUTE_SCOPED(String) object = {0};
  CUTE_SCOPED(HostSignatures) signatures;
  CuteHostModule *result = NULL;
  if (cuteHostHalvesEmit(module, options, prefix, false, &signatures, &object))
    cuteEmitStatus(mlirOperationGetLocation(mlirModuleGetOperation(module)),
                   cuteStatusAnnotate(cuteHostModuleCreateFromObject(
                                          object.data, object.length, prefix,
                                          &options, &result),
                                      "host functions"));
  return result;
}

void cuteHostModuleDestroy(CuteHostModule *module) {
  if (!module)
    return;
  cuteJitDestroy(module->jit);
  free(module);
}

//===-- Contents ----------------------------------------------------------===//

void *cuteHostModuleFind(const CuteHostModule *module, const char *name) {
  const CuteExportedModule *table = module->table;
  void *address = NULL;
  for (uint32_t i = 0; !address && i < table->numFunctions; ++i)
    if (!strcmp(table->signatures[i].name, name))
      memcpy(&address, &table->functions[i], sizeof address);
  return address;
}

const CuteExportedModule *
cuteHostModuleGetExported(const CuteHostModule *module) {
  return module->table;
}

const char *cuteHostModuleGetManifest(const CuteHostModule *module) {
  return module->table->manifest;
}

const void *cuteHostModuleGetCode(const CuteHostModule *module, size_t *size) {
  if (size)
    *size = module->table->codeSize;
  return module->table->code;
}

const char *cuteHostModuleGetFunctions(const CuteHostModule *module) {
  return module->table->description;
}

size_t cuteHostModuleGetNumFunctions(const CuteHostModule *module) {
  return module->table->numFunctions;
}

CuteHostSignature cuteHostModuleGetSignature(const CuteHostModule *module,
                                             size_t i) {
  return module->table->signatures[i];
}
