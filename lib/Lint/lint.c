#include "Lint/lint.h"

#include "Lint/async.h"
#include "Support/hash.h"
#include "Transforms/transforms.h"

// Notes that a text was said of an op; whether it had not been before.
static bool isNews(CuteLint *lint, MlirOperation op, CuteString text) {
  uint64_t hash = cuteHashMix(cuteHashPointer(op.ptr),
                              cuteHashBytes(text.data, text.length));
  const void *key = (const void *)(uintptr_t)(hash | 1);
  bool isKnown = cutePointerMapGet(&lint->told, key);
  cutePointerMapSet(&lint->told, key, lint);
  return !isKnown;
}

void cuteLintEmit(CuteLint *lint, MlirOperation op, CuteSeverity severity,
                  const char *note, const char *format, ...) {
  CuteString message = {0};
  CUTE_APPEND_ARGUMENTS(&message, format);
  if (isNews(lint, op, message))
    cuteEmitAtOp(op, severity, cuteStringGet(&message), note);
  cuteStringDestroy(&message);
}

//===-- A kernel ----------------------------------------------------------===//

static bool check(CuteLint *lint) {
  bool ok = cuteLintShared(lint);
  cuteLintRegisters(lint);
  cuteLintRegisterPlaces(lint);
  for (size_t i = 0; i < lint->kernel.accesses[0].count; ++i) {
    cuteLintConflicts(lint, i);
    cuteLintVectors(lint, i);
    cuteLintWrites(lint, i);
    cuteLintElements(lint, i);
    cuteLintResidue(lint, i);
  }
  cuteLintThreads(lint);
  cuteLintRaces(lint);
  cuteLintBarriers(lint);
  cuteLintUnwritten(lint);
  cuteLintReadOnly(lint);
  if (cuteAsyncIsUsed(lint->kernel.dialect, lint->kernel.function))
    cuteAsyncWarnOfProxies(lint->kernel.dialect, lint->kernel.function);
  return cuteAsyncCheck(lint->kernel.dialect, lint->kernel.function,
                        lint->arch) &&
         ok;
}

// Lints a kernel whose tiles are expanded.
static bool run(CuteLint lint, CuteDialect *dialect, MlirOperation function) {
  cuteInterpreterRun(&lint.kernel, dialect, function);
  bool ok = check(&lint);
  cuteInterpreterDestroy(&lint.kernel);
  cutePointerMapDestroy(&lint.advised);
  cutePointerMapDestroy(&lint.told);
  return ok;
}

bool cuteLintKernel(CuteDialect *dialect, MlirOperation function,
                    const CuteArch *arch, CuteLintListener *listen,
                    void *listenData) {
  CuteLint lint = {.arch = arch, .listen = listen, .listenData = listenData};
  if (!cuteExpandTilesIsNeeded(dialect, function))
    return run(lint, dialect, function);
  MlirOperation copy = mlirOperationClone(function);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(function), function,
                                      copy);
  bool ok = cuteRunExpandTiles(&(CutePass){.dialect = dialect, .root = copy}) &&
            run(lint, dialect, copy);
  mlirOperationDestroy(copy);
  return ok;
}

//===-- The pass ----------------------------------------------------------===//

bool cuteRunLint(const CutePass *pass) {
  const char *name = cutePassGetOption(pass, "arch", CUTE_DEFAULT_ARCH);
  const CuteArch *arch = cuteArchFind(name);
  bool ok = true;
  if (!arch)
    return CUTE_ERROR_AT(pass->root, "cute-lint: unknown architecture '%s'; %s",
                         name, cuteArchCheck(name));
  CUTE_FOR_NESTED(op, pass->root)
    if (cuteMlirIs(op, "gpu.func"))
      ok &= cuteLintKernel(pass->dialect, op, arch, NULL, NULL);
  return ok;
}
