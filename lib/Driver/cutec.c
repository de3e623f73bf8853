// cutec: compiles kernels to PTX, cubin or what lies before, with a manifest.
#include "Driver/cutec_options.h"
#include "Driver/driver.h"

#include "Compile/compile.h"
#include "Compile/report.h"
#include "Hardware/arch.h"
#include "Support/clock.h"
#include "Support/standard_files.h"
#include "cute/Assembly.h"
#include "cute/Jit.h"
#include "cute/Passes.h"
#include "cute/Target.h"

#include <errno.h>
#include <stdlib.h>

static void handleDiagnostic(const CuteDiagnostic *diagnostic, size_t numNotes,
                             const CuteDiagnostic *notes, void *userData) {
  CuteSource *source = userData;
  cuteDriverPrintDiagnostic(stderr, diagnostic, source);
  for (size_t i = 0; i < numNotes; ++i)
    cuteDriverPrintDiagnostic(stderr, &notes[i], source);
}

//===-- Compilation -------------------------------------------------------===//

static const char *baseName(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// The path with its extension replaced.
static void appendWithExtension(CuteString *path, const char *from,
                                const char *extension) {
  const char *dot = strrchr(baseName(from), '.');
  cuteStringAppendBytes(path, from,
                        dot && dot != baseName(from) ? (size_t)(dot - from)
                                                     : strlen(from));
  cuteStringAppend(path, extension);
}

typedef struct Outputs {
  CuteString code, manifest; // paths; empty: no manifest
} Outputs;

static void destroyOutputs(Outputs *outputs) {
  cuteStringDestroy(&outputs->code);
  cuteStringDestroy(&outputs->manifest);
}

static void chooseCode(const CuteCutecOptions *options, CuteString *path) {
  if (options->output || !strcmp(options->input, "-")) {
    cuteStringAppend(path, options->output ? options->output : "-");
    return;
  }
  appendWithExtension(path, options->input,
                      options->exportPrefix
                          ? ".o"
                          : cuteCutecGetExtension(options->compile.emit));
}

// Beside code that is written to no file there is no manifest unasked.
static void chooseManifest(const CuteCutecOptions *options, const char *code,
                           CuteString *path) {
  if (options->noManifest)
    return;
  if (options->manifest)
    cuteStringAppend(path, options->manifest);
  else if (!cuteOutputFileIsStream(code))
    appendWithExtension(path, code, options->exportPrefix ? ".h" : ".json");
}

// False with a message where one would replace the other, or the input.
static bool chooseOutputs(const CuteCutecOptions *options, Outputs *outputs) {
  chooseCode(options, &outputs->code);
  const char *code = cuteStringGet(&outputs->code);
  chooseManifest(options, code, &outputs->manifest);
  const char *manifest = cuteStringGet(&outputs->manifest);
  bool isSame = *manifest && cuteOutputFileIsSame(code, manifest);
  if (isSame)
    fprintf(stderr,
            "error: the code and its manifest would both be '%s'; name another "
            "with --manifest=FILE, or none with --no-manifest\n",
            code);
  return !isSame &&
         cuteDriverMayReplace(code, options->input,
                              "name another file with -o FILE") &&
         (!*manifest ||
          cuteDriverMayReplace(manifest, options->input,
                               "name another file with --manifest=FILE, or "
                               "none with --no-manifest"));
}

// Writes both files, or neither: what is no file may have got something.
static bool writeOutputs(const Outputs *outputs, const CuteString *code,
                         const CuteString *manifest) {
  const CuteString *paths[] = {&outputs->code, &outputs->manifest};
  const CuteString *texts[] = {code, manifest};
  CuteOutputFile files[2] = {0};
  int numFiles = outputs->manifest.length ? 2 : 1, failed = -1;
  for (int i = 0; i < numFiles && failed < 0; ++i) {
    files[i].path = cuteStringGet(paths[i]);
    cuteOutputFileAppend(&files[i], cuteStringGetRef(texts[i]));
    failed = cuteOutputFilePrepare(&files[i]) ? -1 : i;
  }
  for (int i = 0; i < numFiles && failed < 0; ++i)
    failed = cuteOutputFileCommit(&files[i]) ? -1 : i;
  for (int i = 0; i < numFiles; ++i)
    cuteOutputFileDiscard(&files[i]);
  return failed < 0 ||
         cuteDriverCannotWrite(files[failed].path, files[failed].error);
}

static void printTimes(double parse, const CuteCompileTimes *times) {
  fprintf(stderr,
          "parse %.1f ms, lower %.1f ms, translate %.1f ms, optimize %.1f ms, "
          "codegen %.1f ms, ptxas %.1f ms\n",
          parse, times->lower, times->translate, times->optimize,
          times->codegen, times->assemble);
}

static void printPassesError(MlirStringRef message, void *userData) {
  (void)userData;
  fprintf(stderr, "error: --passes: %.*s\n", (int)message.length, message.data);
}

static bool runPasses(const CuteCutecOptions *options, MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (!options->passes)
    return true;
  return mlirLogicalResultIsSuccess(cutePipelineRun(
             op, cuteMlirString(options->passes), printPassesError, NULL)) &&
         mlirLogicalResultIsSuccess(cuteOperationVerify(op));
}

static bool lint(const CuteCutecOptions *options, MlirModule module) {
  CuteString pipeline = {0}, problem = {0};
  cuteStringAppendFormat(&pipeline, "cute-expand-tiles,cute-lint{arch=%s}",
                         options->compile.arch);
  bool ok = mlirLogicalResultIsSuccess(
      cutePipelineRun(mlirModuleGetOperation(module), cuteMlirText(&pipeline),
                      cuteAppendMlirString, &problem));
  cuteStringDestroy(&pipeline);
  cuteStringDestroy(&problem);
  return ok;
}

// Prints the report on what was compiled.
static bool printReport(const CuteCutecOptions *options, MlirModule module,
                        const CuteString *code, const CuteString *manifest) {
  CuteString report = {0};
  bool ok =
      cuteReport(mlirOperationGetLocation(mlirModuleGetOperation(module)),
                 cuteArchFind(options->compile.arch), options->compile.ptxas,
                 code, manifest, !strcmp(options->report, "json"), &report);
  fputs(cuteStringGet(&report), stdout);
  cuteStringDestroy(&report);
  return ok;
}

typedef struct Texts {
  CuteString code, manifest; // or an object and its header
} Texts;

static void appendObject(MlirStringRef piece, void *userData) {
  cuteAppendMlirString(piece, &((Texts *)userData)->code);
}

static void appendHeader(MlirStringRef piece, void *userData) {
  cuteAppendMlirString(piece, &((Texts *)userData)->manifest);
}

static bool generate(const CuteCutecOptions *options, MlirModule module,
                     const Outputs *outputs, Texts *texts,
                     CuteCompileTimes *times) {
  if (options->exportPrefix)
    return mlirLogicalResultIsSuccess(cuteModuleExport(
        module,
        (CuteHostOptions){.kernels = options->compile,
                          .optLevel = options->compile.optLevel},
        options->exportPrefix, appendObject, appendHeader, texts));
  return mlirLogicalResultIsSuccess(cuteModulePrintManifest(
             module, options->compile, baseName(cuteStringGet(&outputs->code)),
             cuteAppendMlirString, &texts->manifest)) &&
         mlirLogicalResultIsSuccess(cuteModuleCompile(module, options->compile,
                                                      cuteAppendMlirString,
                                                      &texts->code, times));
}

static bool compile(const CuteCutecOptions *options, MlirContext context,
                    const CuteSource *source, const Outputs *outputs) {
  double start = cuteNow();
  const CuteDriverParameters *parameters = &options->parameters;
  MlirModule module = cuteModuleParseWith(context, cuteMlirText(&source->text),
                                          cuteMlirString(source->name),
                                          parameters->count, parameters->list);
  if (mlirModuleIsNull(module))
    return false;
  double parse = cuteNow() - start;
  Texts texts = {0};
  CuteCompileTimes times = {0};
  bool ok = mlirLogicalResultIsSuccess(cuteOperationCheckLaws(
                mlirModuleGetOperation(module),
                options->strict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN)) &&
            runPasses(options, module) &&
            (!options->lint || lint(options, module)) &&
            generate(options, module, outputs, &texts, &times);
  ok = ok && writeOutputs(outputs, &texts.code, &texts.manifest) &&
       (!options->report ||
        printReport(options, module, &texts.code, &texts.manifest));
  mlirModuleDestroy(module);
  if (ok && options->time)
    printTimes(parse, &times);
  cuteStringDestroy(&texts.manifest);
  cuteStringDestroy(&texts.code);
  return ok;
}

static int run(const CuteCutecOptions *options, const Outputs *outputs) {
  CuteSource source = {0};
  if (!cuteSourceRead(&source, options->input))
    return 1;
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return 1;
  cuteDiagnosticHandlerAttach(context, handleDiagnostic, &source);
  bool ok = compile(options, context, &source, outputs);
  cuteMlirContextDestroy(context);
  cuteSourceDestroy(&source);
  return ok ? 0 : 1;
}

// The exit code.
static int runOn(int argc, char **argv) {
  CuteCutecOptions options;
  int asked = cuteCutecTakeOptions(&options, argc, argv);
  if (asked >= 0) {
    free(options.parameters.list);
    return asked;
  }
  Outputs outputs = {0};
  bool ok = chooseOutputs(&options, &outputs);
  bool isPrinted =
      ok && cuteOutputFileIsSame(cuteStringGet(&outputs.code), "-");
  if (options.report && (options.compile.emit != CUTE_EMIT_PTX || isPrinted)) {
    fprintf(stderr,
            "error: --report goes with --emit=ptx, and not with -o -\n");
    ok = false;
  }
  bool isCode = options.compile.emit == CUTE_EMIT_PTX ||
                options.compile.emit == CUTE_EMIT_CUBIN;
  if (options.exportPrefix && (!isCode || options.report)) {
    fprintf(stderr, "error: --export goes with --emit=ptx or cubin, and not "
                    "with --report\n");
    ok = false;
  }
  int code = ok ? run(&options, &outputs) : 1;
  destroyOutputs(&outputs);
  free(options.parameters.list);
  return code;
}

int cutecMain(int argc, char **argv) {
  cuteStandardFilesOpen();
  cuteAssembleCleanUpOnSignals();
  return cuteStandardFilesFinish(runOn(argc, argv));
}
