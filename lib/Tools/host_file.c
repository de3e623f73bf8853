// Functions on the host from a file, for programs that know nothing of MLIR.
#include "Compile/options.h"
#include "Support/status.h"
#include "Tools/driver.h"
#include "cute/Jit.h"
#include "cute/Passes.h"

#include <stdlib.h>

typedef struct HostFile {
  CuteSource source;
  CuteString passesError;
  FILE *said; // diagnostics
} HostFile;

static void note(const CuteDiagnostic *diagnostic, size_t numNotes,
                 const CuteDiagnostic *notes, void *userData) {
  HostFile *file = userData;
  cuteDriverPrintDiagnostic(file->said, diagnostic, &file->source);
  for (size_t i = 0; i < numNotes; ++i)
    cuteDriverPrintDiagnostic(file->said, &notes[i], &file->source);
}

static bool runPasses(HostFile *file, MlirModule module,
                      CuteHostFileOptions options) {
  const char *passes = options.passes;
  MlirOperation op = mlirModuleGetOperation(module);
  return !passes || (mlirLogicalResultIsSuccess(cutePipelineRunFor(
                         op, cuteMlirString(passes), options.arch,
                         cuteAppendMlirString, &file->passesError)) &&
                     mlirLogicalResultIsSuccess(cuteOperationVerify(op)));
}

// The simulator takes LLVM IR with places in the source.
static CuteHostModule *create(MlirModule module, CuteHostFileOptions options) {
  const CuteCompileOptions kernels = {
      .size = sizeof kernels,
      .arch = options.arch,
      .emit = options.isSimulated ? CUTE_EMIT_LLVM : CUTE_EMIT_PTX,
      .optLevel = 2,
      .lineInfo = options.isSimulated};
  const CuteHostOptions host = {.size = sizeof host,
                                .kernels = &kernels,
                                .optLevel = 2,
                                .numSymbols = options.numSymbols,
                                .symbols = options.symbols};
  return cuteHostModuleCreate(module, &host);
}

static CuteHostModule *compile(HostFile *file, CuteHostFileOptions options) {
  MlirContext context = cuteMlirContextCreate();
  if (mlirContextIsNull(context))
    return NULL;
  cuteDiagnosticHandlerAttach(context, note, file);
  MlirModule module = cuteModuleParse(context, toMlirString(file->source.text),
                                      cuteMlirString(file->source.name));
  CuteHostModule *result =
      !mlirModuleIsNull(module) && runPasses(file, module, options)
          ? create(module, options)
          : NULL;
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  cuteMlirContextDestroy(context);
  return result;
}

CuteStatus cuteHostModuleCreateFromFile(const char *path,
                                        const CuteHostFileOptions *given,
                                        CuteHostModule **module) {
  CuteHostFileOptions options;
  *module = NULL;
  CUTE_TRY(cuteOptionsRead(&options, sizeof options, given));
  CUTE_FREED char *said = NULL;
  size_t length = 0;
  HostFile file = {.said = open_memstream(&said, &length)};
  bool isRead = file.said && cuteSourceRead(&file.source, path, file.said);
  *module = isRead ? compile(&file, options) : NULL;
  if (file.said)
    fclose(file.said);
  while (length && said[length - 1] == '\n')
    said[--length] = '\0';
  CuteStatus status =
      *module ? NULL
              : cuteStatusCreate("%s cannot be compiled%s%s%s", path,
                                 length ? ":\n" : "", length ? said : "",
                                 cuteStringGet(&file.passesError));
  cuteStringDestroy(&file.passesError);
  cuteSourceDestroy(&file.source);
  return status;
}
