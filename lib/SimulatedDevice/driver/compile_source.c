// Kernels from .mlir files, for the simulator.
#include "SimulatedDevice/driver/breakpoint.h"
#include "SimulatedDevice/driver/driver_status.h"
#include "Support/arena.h"
#include "Tools/driver.h"
#include "cute/Assembly.h"
#include "cute/Passes.h"
#include "cute/Target.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Compilation {
  CuteSource source;
  CuteString manifest, code, passesError;
  FILE *said; // diagnostics
} Compilation;

static void note(const CuteDiagnostic *diagnostic, size_t numNotes,
                 const CuteDiagnostic *notes, void *userData) {
  Compilation *c = userData;
  cuteDriverPrintDiagnostic(c->said, diagnostic, &c->source);
  for (size_t i = 0; i < numNotes; ++i)
    cuteDriverPrintDiagnostic(c->said, &notes[i], &c->source);
}

static bool runPasses(Compilation *c, MlirModule module, const char *arch,
                      const char *passes) {
  MlirOperation op = mlirModuleGetOperation(module);
  return !passes || (mlirLogicalResultIsSuccess(cutePipelineRunFor(
                         op, cuteMlirString(passes), arch, cuteAppendMlirString,
                         &c->passesError)) &&
                     mlirLogicalResultIsSuccess(cuteOperationVerify(op)));
}

static bool compile(Compilation *c, MlirContext context, const char *arch,
                    const char *passes) {
  CuteCompileOptions options = {.size = sizeof options,
                                .arch = arch,
                                .emit = CUTE_EMIT_LLVM,
                                .optLevel = 2,
                                .lineInfo = true,
                                .marksUnwritten = cuteSimDriverHasChecks() &&
                                                  !cuteSimDriverGetBreak()};
  MlirModule module = cuteModuleParse(context, toMlirString(c->source.text),
                                      cuteMlirString(c->source.name));
  if (mlirModuleIsNull(module))
    return false;
  unsigned line = cuteSimDriverGetBreak();
  bool ok =
      runPasses(c, module, arch, passes) &&
      (!line || cuteBreakpointInsert(module, &c->source, line, c->said)) &&
      mlirLogicalResultIsSuccess(cuteModulePrintManifest(
          module, &options, "kernel.ll", cuteAppendMlirString, &c->manifest)) &&
      mlirLogicalResultIsSuccess(cuteModuleCompile(
          module, &options, cuteAppendMlirString, &c->code, NULL));
  mlirModuleDestroy(module);
  return ok;
}

static bool compileFile(Compilation *c, const char *path, const char *arch,
                        const char *passes) {
  if (!cuteSourceRead(&c->source, path, c->said))
    return false;
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return false;
  cuteDiagnosticHandlerAttach(context, note, c);
  bool ok = compile(c, context, arch, passes);
  cuteMlirContextDestroy(context);
  return ok;
}

static char *takeText(CuteString *text) {
  cuteStringAppend(text, "");
  char *data = text->data;
  *text = (CuteString){0};
  return data;
}

int cuteSimDriver_compile(const char *path, const char *arch,
                          const char *passes, char **manifest, char **code) {
  CUTE_FREED char *said = NULL;
  size_t length = 0;
  Compilation c = {.said = open_memstream(&said, &length)};
  CuteStatus status = NULL;
  bool ok = c.said && compileFile(&c, path, arch, passes);
  if (c.said)
    fclose(c.said);
  while (length && said[length - 1] == '\n')
    said[--length] = 0;
  if (!ok)
    status = cuteStatusCreate("%s cannot be compiled%s%s%s", path,
                              length ? ":\n" : "", length ? said : "",
                              cuteStringGet(&c.passesError));
  else
    *manifest = takeText(&c.manifest), *code = takeText(&c.code);
  cuteStringDestroy(&c.manifest);
  cuteStringDestroy(&c.code);
  cuteStringDestroy(&c.passesError);
  cuteSourceDestroy(&c.source);
  return cuteSimDriverFinish(status);
}
