// Kernels from .mlir files, for the simulator.
#include "SimulatedDevice/driver/breakpoint.h"
#include "SimulatedDevice/driver/driver_status.h"
#include "cute/Target.h"

typedef struct Compilation {
  const char *arch;
  CuteString manifest, code;
} Compilation;

static bool compile(MlirModule module, const CuteSource *source, FILE *said,
                    void *data) {
  Compilation *c = data;
  unsigned line = cuteSimDriverGetBreak();
  CuteCompileOptions options = {.size = sizeof options,
                                .arch = c->arch,
                                .emit = CUTE_EMIT_LLVM,
                                .optLevel = 2,
                                .lineInfo = true,
                                .marksUnwritten =
                                    cuteSimDriverHasChecks() && !line};
  return (!line || cuteBreakpointInsert(module, source, line, said)) &&
         mlirLogicalResultIsSuccess(
             cuteModulePrintManifest(module, &options, "kernel.ll",
                                     cuteAppendMlirString, &c->manifest)) &&
         mlirLogicalResultIsSuccess(cuteModuleCompile(
             module, &options, cuteAppendMlirString, &c->code, NULL));
}

static char *takeText(CuteString *text) {
  cuteStringAppend(text, "");
  char *data = text->data;
  *text = (CuteString){0};
  return data;
}

int cuteSimDriver_compile(const char *path, const char *arch,
                          const char *passes, char **manifest, char **code) {
  Compilation c = {.arch = arch};
  CuteStatus status = cuteDriverCompileFile(cuteDriverCreateContext(), path,
                                            arch, passes, compile, &c);
  if (!status)
    *manifest = takeText(&c.manifest), *code = takeText(&c.code);
  cuteStringDestroy(&c.manifest);
  cuteStringDestroy(&c.code);
  return cuteSimDriverFinish(status);
}
