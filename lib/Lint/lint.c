#include "Lint/lint.h"

#include "Support/hash.h"
#include "cute/Target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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
  MlirStringRef name = cuteMlirGetName(op);
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *message = cuteAllocate((size_t)length + 1);
  vsnprintf(message, (size_t)length + 1, format, again);
  va_end(again);
  CuteString text = {0};
  cuteStringAppendFormat(&text, "'%.*s' op %s", (int)name.length, name.data,
                         message);
  if (isNews(lint, op, text))
    cuteEmit(mlirOperationGetLocation(op), severity,
             toMlirString(cuteStringGetRef(&text)), note);
  cuteStringDestroy(&text);
  free(message);
}

//===-- A kernel ----------------------------------------------------------===//

static bool check(CuteLint *lint) {
  bool ok = cuteLintShared(lint);
  cuteLintRegisters(lint);
  for (size_t i = 0; i < lint->kernel.accesses[0].count; ++i) {
    cuteLintConflicts(lint, i);
    cuteLintVectors(lint, i);
    cuteLintWrites(lint, i);
    cuteLintResidue(lint, i);
  }
  cuteLintThreads(lint);
  return ok;
}

static bool lintKernel(CuteDialect *dialect, MlirOperation function,
                       const CuteArch *arch) {
  CuteLint lint = {.arch = arch};
  cuteInterpreterRun(&lint.kernel, dialect, function);
  bool ok = check(&lint);
  cuteInterpreterDestroy(&lint.kernel);
  cutePointerMapDestroy(&lint.advised);
  cutePointerMapDestroy(&lint.told);
  return ok;
}

//===-- The pass ----------------------------------------------------------===//

typedef struct Walk {
  CuteDialect *dialect;
  const CuteArch *arch;
  bool failed;
} Walk;

static MlirWalkResult visitFunction(MlirOperation op, void *userData) {
  Walk *walk = userData;
  if (!cuteMlirIs(op, "gpu.func"))
    return MlirWalkResultAdvance;
  walk->failed |= !lintKernel(walk->dialect, op, walk->arch);
  return MlirWalkResultSkip;
}

bool cuteRunLint(CuteDialect *dialect, MlirOperation root,
                 const CutePassOptions *options) {
  const char *name = cutePassOptionGet(options, "arch", CUTE_DEFAULT_ARCH);
  Walk walk = {dialect, cuteArchFind(name), false};
  if (!walk.arch) {
    CuteString text = {0};
    cuteStringAppendFormat(&text, "cute-lint: unknown architecture '%s'; %s",
                           name, cuteArchCheck(name));
    cuteEmit(mlirOperationGetLocation(root), CUTE_SEVERITY_ERROR,
             toMlirString(cuteStringGetRef(&text)), NULL);
    cuteStringDestroy(&text);
    return false;
  }
  mlirOperationWalk(root, visitFunction, &walk, MlirWalkPreOrder);
  return !walk.failed;
}
