// cutec: compiles kernels to PTX, cubin or what lies before, with a manifest.
#include "Driver/driver.h"

#include "Compile/compile.h"
#include "Compile/pass_registry.h"
#include "Compile/report.h"
#include "Hardware/arch.h"
#include "Support/clock.h"
#include "Support/standard_files.h"
#include "cute/Assembly.h"
#include "cute/Passes.h"
#include "cute/Target.h"

#include <errno.h>

typedef struct Options {
  const char *input, *output, *manifest, *passes;
  const char *report; // "", "text" or "json"; null: none
  CuteCompileOptions compile;
  bool noManifest, time, strict, lint;
} Options;

static void handleDiagnostic(const CuteDiagnostic *diagnostic, size_t numNotes,
                             const CuteDiagnostic *notes, void *userData) {
  CuteSource *source = userData;
  cuteDriverPrintDiagnostic(stderr, diagnostic, source);
  for (size_t i = 0; i < numNotes; ++i)
    cuteDriverPrintDiagnostic(stderr, &notes[i], source);
}

//===-- Arguments ---------------------------------------------------------===//

static const struct {
  const char *name, *extension;
  CuteEmit emit;
} emits[] = {{"ptx", ".ptx", CUTE_EMIT_PTX},
             {"cubin", ".cubin", CUTE_EMIT_CUBIN},
             {"llvm", ".ll", CUTE_EMIT_LLVM},
             {"nvvm", ".nvvm.mlir", CUTE_EMIT_NVVM},
             {"mlir", ".out.mlir", CUTE_EMIT_MLIR}};

static void printHelp(void) {
  puts(
      "OVERVIEW: compiles kernels in the cute dialect for NVIDIA GPUs\n"
      "\n"
      "USAGE: cutec [options] kernel.mlir\n"
      "\n"
      "OPTIONS:\n"
      "  -o FILE           output (default: the input with another extension;\n"
      "                    - is standard output); replaced when complete, and\n"
      "                    never the input\n"
      "  --arch=sm_XX      architecture (default: " CUTE_DEFAULT_ARCH ")\n"
      "  --emit=KIND       ptx (default), cubin (needs ptxas), llvm, nvvm, "
      "mlir\n"
      "  -O0 ... -O3       optimization by LLVM (default: -O2; -O3: all of "
      "LLVM's\n"
      "                    passes, which takes longer)\n"
      "  --passes=PIPELINE passes to run before lowering, such as "
      "cute-optimize\n"
      "                    (docs/passes.md)\n"
      "  --ptxas=OPTIONS   more options for ptxas, separated by spaces (with "
      "-O2\n"
      "                    it takes half the time: docs/performance.md)\n"
      "  --manifest=FILE   JSON with kernels, parameters, shared memory and\n"
      "                    block size (default: the output with .json; none\n"
      "                    where that is standard output, a pipe or a device)\n"
      "  --no-manifest     write none\n"
      "  --strict          ops whose result breaks a law of the algebra are\n"
      "                    errors, not warnings\n"
      "  --lint            warn of slow accesses to memory and other likely\n"
      "                    mistakes (docs/lint.md)\n"
      "  --time            print the time of each stage to standard error\n"
      "  --report          print registers, spills, shared memory, occupancy "
      "and\n"
      "                    the instructions of the main loop, as far as ptxas "
      "and\n"
      "                    nvdisasm are found; --report=json as JSON\n"
      "  --list-atoms      print the MMA and copy atoms: name, lowest\n"
      "                    architecture, whether they compile, instruction;\n"
      "                    --list-atoms=json one JSON object a line, also "
      "with\n"
      "                    shapes, element types and layouts\n"
      "  --list-hardware=json\n"
      "                    print architectures, element types, kinds of\n"
      "                    atoms and atoms with all that is known of them\n"
      "                    (docs/atoms.md)\n"
      "  --help, --version");
}

static bool takeEmit(Options *options, const char *value) {
  for (size_t i = 0; i < sizeof emits / sizeof *emits; ++i)
    if (!strcmp(emits[i].name, value)) {
      options->compile.emit = emits[i].emit;
      return true;
    }
  fprintf(stderr,
          "error: unknown kind of output '--emit=%s'; known: ptx, "
          "cubin, llvm, nvvm, mlir\n",
          value);
  return false;
}

static bool takeArch(Options *options, const char *value) {
  const char *message = cuteArchCheck(value);
  if (message)
    fprintf(stderr, "error: unknown architecture '%s'; %s\n", value, message);
  options->compile.arch = value;
  return !message;
}

static bool takeReport(Options *options, const char *value) {
  options->report = value;
  bool ok = !*value || !strcmp(value, "text") || !strcmp(value, "json");
  if (!ok)
    fprintf(stderr,
            "error: unknown format '--report=%s'; known: text (default), "
            "json\n",
            value);
  return ok;
}

static bool takeInput(Options *options, const char *argument) {
  if (options->input) {
    fprintf(stderr, "error: more than one input file: '%s' and '%s'\n",
            options->input, argument);
    return false;
  }
  options->input = argument;
  return true;
}

// Options that print something and do nothing else: the exit code, or -1.
static int takeQuestion(const char *argument) {
  const char *value;
  if (cuteDriverOption(argument, "list-atoms", &value))
    return cuteDriverListAtoms(value);
  if (cuteDriverOption(argument, "list-hardware", &value))
    return cuteDriverListHardware(value);
  if (cuteDriverOption(argument, "help", &value) ||
      cuteDriverOption(argument, "h", &value))
    printHelp();
  else if (cuteDriverOption(argument, "version", &value))
    puts("cutec " CUTE_VERSION);
  else
    return -1;
  return 0;
}

// Returns -1 to go on, or an exit code.
static int takeArgument(Options *options, int argc, char **argv, int *i) {
  const char *argument = argv[*i], *value;
  bool ok = true;
  int code = takeQuestion(argument);
  if (code >= 0)
    return code;
  if (*argument != '-' || !argument[1]) {
    ok = takeInput(options, argument);
  } else if (cuteDriverOption(argument, "o", &value)) {
    options->output = *value ? value : ++*i < argc ? argv[*i] : NULL;
    ok = options->output;
    if (!ok)
      fprintf(stderr, "error: -o needs a file\n");
  } else if (cuteDriverOption(argument, "arch", &value)) {
    ok = takeArch(options, value);
  } else if (cuteDriverOption(argument, "emit", &value)) {
    ok = takeEmit(options, value);
  } else if (cuteDriverOption(argument, "manifest", &value)) {
    options->manifest = value;
    ok = *value;
    if (!ok)
      fprintf(stderr, "error: --manifest needs a file, as in "
                      "--manifest=kernel.json\n");
  } else if (cuteDriverOption(argument, "report", &value)) {
    ok = takeReport(options, value);
  } else if (cuteDriverOption(argument, "passes", &value)) {
    options->passes = value;
    ok = *value;
    if (!ok)
      fprintf(stderr, "error: --passes needs a pipeline, as in "
                      "--passes=cute-optimize\n");
  } else if (cuteDriverOption(argument, "ptxas", &value)) {
    options->compile.ptxas = value;
    ok = *value;
    if (!ok)
      fprintf(stderr, "error: --ptxas needs options, as in --ptxas=-O2\n");
  } else if (cuteDriverOption(argument, "no-manifest", &value)) {
    options->noManifest = true;
  } else if (cuteDriverOption(argument, "strict", &value)) {
    options->strict = true;
  } else if (cuteDriverOption(argument, "lint", &value)) {
    options->lint = true;
  } else if (cuteDriverOption(argument, "time", &value)) {
    options->time = true;
  } else if (argument[1] == 'O' && argument[2] >= '0' && argument[2] <= '3' &&
             !argument[3]) {
    options->compile.optLevel = (unsigned)(argument[2] - '0');
  } else {
    fprintf(stderr, "error: unknown option '%s'; see --help\n", argument);
    ok = false;
  }
  return ok ? -1 : 1;
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

static void chooseCode(const Options *options, CuteString *path) {
  if (options->output || !strcmp(options->input, "-")) {
    cuteStringAppend(path, options->output ? options->output : "-");
    return;
  }
  for (size_t i = 0; i < sizeof emits / sizeof *emits; ++i)
    if (emits[i].emit == options->compile.emit)
      appendWithExtension(path, options->input, emits[i].extension);
}

// Beside code that is written to no file there is no manifest unasked.
static void chooseManifest(const Options *options, const char *code,
                           CuteString *path) {
  if (options->noManifest)
    return;
  if (options->manifest)
    cuteStringAppend(path, options->manifest);
  else if (!cuteOutputFileIsStream(code))
    appendWithExtension(path, code, ".json");
}

// False with a message where one would replace the other, or the input.
static bool chooseOutputs(const Options *options, Outputs *outputs) {
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

static bool runPasses(const Options *options, MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (!options->passes)
    return true;
  return mlirLogicalResultIsSuccess(cutePipelineRun(
             op, cuteMlirString(options->passes), printPassesError, NULL)) &&
         mlirLogicalResultIsSuccess(cuteOperationVerify(op));
}

static bool lint(const Options *options, MlirModule module) {
  CuteString pipeline = {0}, problem = {0};
  cuteStringAppendFormat(&pipeline, "cute-lint{arch=%s}",
                         options->compile.arch);
  bool ok = mlirLogicalResultIsSuccess(
      cutePipelineRun(mlirModuleGetOperation(module), cuteMlirText(&pipeline),
                      cuteAppendMlirString, &problem));
  cuteStringDestroy(&pipeline);
  cuteStringDestroy(&problem);
  return ok;
}

// Prints the report on what was compiled.
static bool printReport(const Options *options, MlirModule module,
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

static bool compile(const Options *options, MlirContext context,
                    const CuteSource *source, const Outputs *outputs) {
  double start = cuteNow();
  MlirModule module = cuteModuleParse(context, cuteMlirText(&source->text),
                                      cuteMlirString(source->name));
  if (mlirModuleIsNull(module))
    return false;
  double parse = cuteNow() - start;
  CuteString manifest = {0}, code = {0};
  CuteCompileTimes times;
  bool ok =
      mlirLogicalResultIsSuccess(cuteOperationCheckLaws(
          mlirModuleGetOperation(module),
          options->strict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN)) &&
      runPasses(options, module) && (!options->lint || lint(options, module)) &&
      mlirLogicalResultIsSuccess(cuteModulePrintManifest(
          module, options->compile, baseName(cuteStringGet(&outputs->code)),
          cuteAppendMlirString, &manifest)) &&
      mlirLogicalResultIsSuccess(cuteModuleCompile(
          module, options->compile, cuteAppendMlirString, &code, &times));
  ok = ok && writeOutputs(outputs, &code, &manifest) &&
       (!options->report || printReport(options, module, &code, &manifest));
  mlirModuleDestroy(module);
  if (ok && options->time)
    printTimes(parse, &times);
  cuteStringDestroy(&manifest);
  cuteStringDestroy(&code);
  return ok;
}

static int run(const Options *options, const Outputs *outputs) {
  CuteSource source = {0};
  if (!cuteSourceRead(&source, options->input))
    return 1;
  cutePassRegisterUpstream();
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return 1;
  cuteDiagnosticHandlerAttach(context, handleDiagnostic, &source);
  bool ok = compile(options, context, &source, outputs);
  cuteDriverDestroyContext(context);
  cuteSourceDestroy(&source);
  return ok ? 0 : 1;
}

// The exit code.
static int runOn(int argc, char **argv) {
  Options options = {.compile = {CUTE_DEFAULT_ARCH, CUTE_EMIT_PTX, 2}};
  for (int i = 1; i < argc; ++i) {
    int code = takeArgument(&options, argc, argv, &i);
    if (code >= 0)
      return code;
  }
  if (!options.input) {
    fprintf(stderr, "error: no input file; see --help\n");
    return 1;
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
  int code = ok ? run(&options, &outputs) : 1;
  destroyOutputs(&outputs);
  return code;
}

int cutecMain(int argc, char **argv) {
  cuteStandardFilesOpen();
  cuteAssembleCleanUpOnSignals();
  return cuteStandardFilesFinish(runOn(argc, argv));
}
