#include "Compile/kept_code.h"

#include "Compile/program_folder.h"
#include "IR/mlir.h"
#include "cute/Assembly.h"

static void addText(CuteString *key, const char *text) {
  cuteStringAppendFormat(key, "%zu:%s", strlen(text ? text : ""),
                         text ? text : "");
}

// All that a result depends on. Locations are in what is printed, of assertions
// and of line numbers.
static void describe(CuteString *key, MlirModule module,
                     const CuteCompileOptions *options) {
  cuteStringAppend(key, "cuteModuleCompile ");
  cuteCacheDescribeLibrary(cuteStringAppendPiece, key);
  cuteStringAppendFormat(key, "%d %u %d %d\n", (int)options->emit,
                         options->optLevel, options->lineInfo,
                         options->marksUnwritten);
  addText(key, options->arch);
  addText(key, options->ptxas);
  addText(key, options->skip);
  if (options->emit == CUTE_EMIT_CUBIN)
    cuteProgramDescribe(key, "ptxas");
  cuteOperationPrint(mlirModuleGetOperation(module),
                     (CutePrintOptions){.generic = true, .debugInfo = true},
                     cuteAppendMlirString, key);
}

// Counts diagnostics and leaves them to others.
static MlirLogicalResult count(CUTE_UNUSED MlirDiagnostic diagnostic,
                               void *userData) {
  ++((CuteKeptCode *)userData)->numDiagnostics;
  return mlirLogicalResultFailure();
}

bool cuteKeptCodeFind(CuteKeptCode *kept, MlirModule module,
                      const CuteCompileOptions *options, CuteString *output) {
  *kept = (CuteKeptCode){0};
  if (!options->cache || options->observer)
    return false;
  describe(&kept->key, module, options);
  if (cuteCacheFind(options->cache, cuteStringGetRef(&kept->key),
                    cuteStringAppendPiece, output))
    return true;
  kept->cache = options->cache;
  kept->context = mlirModuleGetContext(module);
  kept->handler =
      mlirContextAttachDiagnosticHandler(kept->context, count, kept, NULL);
  return false;
}

void cuteKeptCodeEnd(CuteKeptCode *kept, const CuteString *output) {
  if (kept->cache) {
    mlirContextDetachDiagnosticHandler(kept->context, kept->handler);
    if (output && !kept->numDiagnostics)
      cuteCacheKeep(kept->cache, cuteStringGetRef(&kept->key),
                    cuteStringGetRef(output));
  }
  cuteStringDestroy(&kept->key);
}
