// cutec: compiles kernels to PTX, cubin or what lies before, with a manifest.
#include "Tools/cutec_code.h"

#include "Compile/program_folder.h"
#include "Package/package.h"
#include "Support/say_error.h"
#include "Support/standard_files.h"

// A source, and whether there were errors.
typedef struct Input {
  CuteSource *source;
  bool hasErrors;
} Input;

static void handleDiagnostic(const CuteDiagnostic *diagnostic, size_t numNotes,
                             const CuteDiagnostic *notes, void *userData) {
  Input *input = userData;
  input->hasErrors |= cuteDriverIsError(diagnostic->severity);
  cuteDriverPrintAll(stderr, diagnostic, numNotes, notes, input->source);
}

// The path with its extension replaced.
static void appendWithExtension(CuteString *path, const char *from,
                                const char *extension) {
  const char *dot = strrchr(cuteFileGetName(from), '.');
  cuteStringAppendBytes(path, from,
                        dot && dot != cuteFileGetName(from)
                            ? (size_t)(dot - from)
                            : strlen(from));
  cuteStringAppend(path, extension);
}

//===-- Outputs -----------------------------------------------------------===//

enum {
  CODE,
  MANIFEST,
  HEADER,
  DEPFILE,
  TEMPS,
  NUM_OUTPUTS = TEMPS + CUTE_CUTEC_NUM_TEMPS
};

// The files of one input; an empty path: not written.
typedef struct Outputs {
  CuteString paths[NUM_OUTPUTS];
} Outputs;

static const char *pathOf(const Outputs *outputs, size_t i) {
  return cuteStringGet(&outputs->paths[i]);
}

static void destroyOutputs(Outputs *outputs) {
  for (size_t i = 0; i < NUM_OUTPUTS; ++i)
    cuteStringDestroy(&outputs->paths[i]);
}

static void chooseCode(const CuteCutecOptions *options, const char *input,
                       CuteString *path) {
  const char *output = options->output;
  bool isFolder = output && output[strlen(output) - 1] == '/';
  bool isStdin = !strcmp(input, "-");
  if (isFolder)
    cuteStringAppend(path, output);
  if (isFolder || (!output && !isStdin))
    appendWithExtension(path, isFolder ? cuteFileGetName(input) : input,
                        cuteCutecGetExtension(options));
  else
    cuteStringAppend(path, output ? output : "-");
}

// Tells whether the manifest is inside the code, which has a header beside it.
static bool hasHeader(const CuteCutecOptions *options) {
  return options->form == CUTE_CUTEC_C || options->exportPrefix;
}

// By default no manifest is written beside code on standard output, nor beside
// C, which contains it.
static void chooseManifest(const CuteCutecOptions *options, const char *code,
                           CuteString *path) {
  if (options->noManifest)
    return;
  if (options->manifest)
    cuteStringAppend(path, options->manifest);
  else if (!cuteOutputFileIsStream(code) && !hasHeader(options))
    appendWithExtension(path, code, ".json");
}

static void choosePaths(const CuteCutecOptions *options, const char *input,
                        Outputs *outputs) {
  chooseCode(options, input, &outputs->paths[CODE]);
  const char *code = pathOf(outputs, CODE);
  chooseManifest(options, code, &outputs->paths[MANIFEST]);
  if (hasHeader(options) && !cuteOutputFileIsStream(code))
    appendWithExtension(&outputs->paths[HEADER], code, ".h");
  if (options->depfile)
    cuteStringAppend(&outputs->paths[DEPFILE], options->depfile);
  else if (options->depfiles && !cuteOutputFileIsStream(code))
    appendWithExtension(&outputs->paths[DEPFILE], code, ".d");
  for (size_t i = 0; options->saveTemps && i < CUTE_CUTEC_NUM_TEMPS; ++i)
    if (!cuteOutputFileIsStream(code) &&
        strcmp(cuteCutecTempExtensions[i], cuteCutecGetExtension(options)))
      appendWithExtension(&outputs->paths[TEMPS + i], code,
                          cuteCutecTempExtensions[i]);
}

static bool failSame(const Outputs *outputs, size_t i) {
  return cuteSayError(
      i == MANIFEST
          ? "the code and its manifest would both be '%s'; name another with "
            "--manifest=FILE, or none with --no-manifest"
          : "two outputs would both be '%s'",
      pathOf(outputs, i));
}

// False with a message where one would replace another, or the input.
static bool chooseOutputs(const CuteCutecOptions *options, const char *input,
                          Outputs *outputs) {
  choosePaths(options, input, outputs);
  for (size_t i = 0; i < NUM_OUTPUTS; ++i) {
    const char *path = pathOf(outputs, i);
    if (!*path)
      continue;
    for (size_t j = 0; j < i; ++j)
      if (*pathOf(outputs, j) && cuteOutputFileIsSame(pathOf(outputs, j), path))
        return failSame(outputs, i);
    if (!cuteDriverMayReplace(
            path, input,
            i == MANIFEST ? "name another file with --manifest=FILE, or "
                            "none with --no-manifest"
                          : "name another file with -o FILE"))
      return false;
  }
  return true;
}

// Writes all files, or none; anything but a regular file may be partly written.
static bool writeOutputs(const Outputs *outputs,
                         const CuteString *const *texts) {
  CuteOutputFile files[NUM_OUTPUTS] = {0};
  int failed = -1;
  for (int i = 0; i < NUM_OUTPUTS && failed < 0; ++i) {
    if (!*pathOf(outputs, (size_t)i))
      continue;
    files[i].path = pathOf(outputs, (size_t)i);
    cuteOutputFileAppend(&files[i], cuteStringGetRef(texts[i]));
    failed = cuteOutputFilePrepare(&files[i]) ? -1 : i;
  }
  for (int i = 0; i < NUM_OUTPUTS && failed < 0; ++i)
    failed = !files[i].path || cuteOutputFileCommit(&files[i]) ? -1 : i;
  for (int i = 0; i < NUM_OUTPUTS; ++i)
    if (files[i].path)
      cuteOutputFileDiscard(&files[i]);
  return failed < 0 ||
         cuteDriverCannotWrite(files[failed].path, files[failed].error);
}

// A path as make and Ninja read it.
static void appendDependency(CuteString *text, const char *path) {
  for (; *path; ++path) {
    if (strchr(" #\\:", *path))
      cuteStringAppendChar(text, '\\');
    if (*path == '$')
      cuteStringAppendChar(text, '$');
    cuteStringAppendChar(text, *path);
  }
}

static void makeDepfile(const char *input, const Outputs *outputs,
                        CuteString *text) {
  static const size_t targets[] = {CODE, HEADER, MANIFEST};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i)
    if (*pathOf(outputs, targets[i])) {
      cuteStringAppend(text, i ? " " : "");
      appendDependency(text, pathOf(outputs, targets[i]));
    }
  cuteStringAppend(text, ": ");
  appendDependency(text, input);
  cuteStringAppendChar(text, '\n');
}

//===-- Reproducers -------------------------------------------------------===//

// Writes the input with the command before it. The file stays if the process
// does not get to removing it.
static bool writeReproducer(const char *path, const CuteSource *source,
                            int argc, char **argv) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppend(&text,
                   "// cutec " CUTE_VERSION " failed on this:\n// cutec");
  for (int i = 1; i < argc; ++i)
    cuteStringAppendFormat(&text, " '%s'",
                           strcmp(argv[i], source->name) ? argv[i] : path);
  cuteStringAppend(&text, "\n");
  cuteStringAppendBytes(&text, source->text.data, source->text.length);
  int error = cuteOutputFileWrite(path, cuteStringGetRef(&text));
  return !error || cuteDriverCannotWrite(path, error);
}

//===-- Main --------------------------------------------------------------===//

static void printTimes(double parse, const CuteCompileTimes *times) {
  fprintf(stderr,
          "parse %.1f ms, lower %.1f ms, translate %.1f ms, optimize %.1f ms, "
          "codegen %.1f ms, ptxas %.1f ms\n",
          parse, times->lower, times->translate, times->optimize,
          times->codegen, times->assemble);
}

// The name of a module in C: that of its file.
static void appendModuleName(CuteString *name, const char *code) {
  CUTE_SCOPED(String) file = {0};
  appendWithExtension(&file, cuteFileGetName(code), "");
  cuteCSourceAppendName(name, cuteStringGet(&file));
}

// Compiles in a new context, or, without `code`, proves what it can and writes
// no file. False with diagnostics.
static bool compile(const CuteCutecOptions *options, Input *input,
                    const char *file, const char *name, CuteCutecCode *code) {
  MlirContext context = cuteDriverCreateContext();
  if (mlirContextIsNull(context))
    return false;
  cuteDiagnosticHandlerAttach(context, handleDiagnostic, input);
  bool ok = code ? cuteCutecProduce(options, context, input->source, file, name,
                                    code) &&
                       !input->hasErrors
                 : cuteCutecProveSource(options, context, input->source);
  cuteMlirContextDestroy(context);
  return ok;
}

static bool makeOutputs(const CuteCutecOptions *options, CuteSource *source,
                        const Outputs *outputs) {
  CuteCutecCode code = {0};
  CUTE_SCOPED(String) name = {0}, dependencies = {0};
  const char *path = pathOf(outputs, CODE);
  appendModuleName(&name, path);
  makeDepfile(source->name, outputs, &dependencies);
  const CuteString *texts[NUM_OUTPUTS] = {&code.code, &code.manifest,
                                          &code.header, &dependencies};
  for (size_t i = 0; i < CUTE_CUTEC_NUM_TEMPS; ++i)
    texts[TEMPS + i] = &code.temps[i];
  bool ok = compile(options, &(Input){.source = source}, cuteFileGetName(path),
                    cuteStringGet(&name), &code) &&
            writeOutputs(outputs, texts);
  if (ok && options->report)
    fputs(cuteStringGet(&code.report), stdout);
  if (ok && options->time)
    printTimes(code.parse, &code.times);
  cuteCutecDestroyCode(&code);
  return ok;
}

typedef struct Command {
  const CuteCutecOptions *options;
  int argc;
  char **argv;
} Command;

static bool compileSource(const Command *command, CuteSource *source,
                          const Outputs *outputs) {
  const char *reproducer = command->options->reproducer;
  if (reproducer &&
      (!cuteDriverMayReplace(reproducer, source->name, "name another file") ||
       !writeReproducer(reproducer, source, command->argc, command->argv)))
    return false;
  bool ok = makeOutputs(command->options, source, outputs);
  if (ok && reproducer)
    remove(reproducer);
  return ok;
}

static bool compileInput(const Command *command, const char *input) {
  Outputs outputs = {0};
  CUTE_SCOPED(Source) source = {0};
  if (command->options->prove)
    return cuteSourceRead(&source, input, stderr) &&
           compile(command->options, &(Input){.source = &source}, NULL, NULL,
                   NULL);
  bool ok = chooseOutputs(command->options, input, &outputs) &&
            cuteSourceRead(&source, input, stderr) &&
            compileSource(command, &source, &outputs);
  destroyOutputs(&outputs);
  return ok;
}

// False with a message where the code of two inputs would be one file.
static bool haveOwnOutputs(const CuteCutecOptions *options) {
  CUTE_FREED CuteString *paths =
      cuteAllocate((options->numInputs + 1) * sizeof *paths);
  bool ok = true;
  size_t n = 0;
  for (; ok && n < options->numInputs; ++n) {
    paths[n] = (CuteString){0};
    chooseCode(options, options->inputs[n], &paths[n]);
    for (size_t i = 0; ok && i < n; ++i)
      ok = cuteOutputFileIsStream(cuteStringGet(&paths[n])) ||
           !cuteOutputFileIsSame(cuteStringGet(&paths[i]),
                                 cuteStringGet(&paths[n]));
  }
  if (!ok)
    cuteSayError("the code of two inputs, the last of them '%s', would both be "
                 "'%s'; compile them into folders of their own",
                 options->inputs[n - 1], cuteStringGet(&paths[n - 1]));
  for (size_t i = 0; i < n; ++i)
    cuteStringDestroy(&paths[i]);
  return ok;
}

// The exit code.
static int runOn(int argc, char **argv) {
  CuteCutecOptions options;
  int code = cuteCutecTakeOptions(&options, argc, argv);
  if (code < 0) {
    Command command = {&options, argc, argv};
    bool mayWrite = haveOwnOutputs(&options);
    code = !mayWrite;
    cuteProgramSetVerbose(options.verbose);
    for (size_t i = 0; mayWrite && i < options.numInputs; ++i)
      code |= !compileInput(&command, options.inputs[i]);
  }
  cuteCutecDestroyOptions(&options);
  return code;
}

int cutecMain(int argc, char **argv) {
  json_set_alloc_funcs(cuteAllocate, free); // no manifest with parts missing
  cuteStandardFilesOpen();
  cuteProgramCleanUpOnSignals();
  return cuteStandardFilesFinish(runOn(argc, argv));
}
