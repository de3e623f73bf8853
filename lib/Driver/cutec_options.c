// The command line of cutec.
#include "Driver/cutec_options.h"
#include "Support/say_error.h"

#include "Driver/driver.h"
#include "Driver/native_arch.h"
#include "Hardware/arch.h"
#include "Support/suggest.h"
#include "Support/text.h"

#include <stddef.h>
#include <stdlib.h>

static const struct {
  const char *name, *extension;
  CuteEmit emit;
  CuteCutecForm form;
} emits[] = {{"ptx", ".ptx", CUTE_EMIT_PTX, CUTE_CUTEC_PLAIN},
             {"cubin", ".cubin", CUTE_EMIT_CUBIN, CUTE_CUTEC_PLAIN},
             {"fatbin", ".fatbin", CUTE_EMIT_CUBIN, CUTE_CUTEC_FATBIN},
             {"c", ".c", CUTE_EMIT_PTX, CUTE_CUTEC_C},
             {"llvm", ".ll", CUTE_EMIT_LLVM, CUTE_CUTEC_PLAIN},
             {"nvvm", ".nvvm.mlir", CUTE_EMIT_NVVM, CUTE_CUTEC_PLAIN},
             {"mlir", ".out.mlir", CUTE_EMIT_MLIR, CUTE_CUTEC_PLAIN}};

enum { NUM_EMBEDDED = 3 }; // the first, which are code

const char *cuteCutecGetExtension(const CuteCutecOptions *options) {
  if (options->form == CUTE_CUTEC_C)
    return ".c";
  if (options->exportPrefix)
    return ".o";
  size_t i = 0;
  while (emits[i].emit != options->compile.emit ||
         emits[i].form != options->form)
    ++i;
  return emits[i].extension;
}

void cuteCutecDestroyOptions(CuteCutecOptions *options) {
  free(options->inputs);
  free(options->parameters.list);
}

//===-- Help --------------------------------------------------------------===//

static const char help[] =
    "OVERVIEW: compiles kernels in the cute dialect for NVIDIA GPUs\n"
    "\n"
    "USAGE: cutec [options] kernel.mlir ...\n"
    "\n"
    "OPTIONS:\n"
    "  -o FILE           output (default: the input with another extension;\n"
    "                    - is standard output); replaced when complete, and\n"
    "                    never the input; FOLDER/ for several inputs\n"
    "  -D NAME=VALUE     value of a parameter that the module declares\n"
    "                    (docs/text.md)\n"
    "  --arch=sm_XX      architecture (default: " CUTE_DEFAULT_ARCH
    "); native\n"
    "                    is that of this machine's GPU; several, with commas,\n"
    "                    for a fat binary\n"
    "  --emit=KIND       ptx (default), cubin (needs ptxas), fatbin (needs\n"
    "                    fatbinary, too), c, llvm, nvvm, mlir\n"
    "  --embed=KIND      what --emit=c writes into its source: ptx (default),\n"
    "                    cubin or fatbin\n"
    "  -O0 ... -O3       optimization by LLVM (default: -O2; -O3: all of "
    "LLVM's\n"
    "                    passes, which takes longer)\n"
    "  --passes=PIPELINE passes to run before lowering, such as "
    "cute-optimize\n"
    "                    (docs/passes.md)\n"
    "  --skip=PASS,...   leave these passes out, to measure what they buy\n"
    "                    (./dev ablate)\n"
    "  --export=PREFIX   compile functions on the host, too, to an object, "
    "FILE.o,\n"
    "                    with a header for C, FILE.h, in which they are "
    "PREFIX_NAME;\n"
    "                    kernels are in it as PTX, or as cubin with "
    "--emit=cubin\n"
    "  --ptxas=OPTIONS   more options for ptxas, separated by spaces (with "
    "-O2\n"
    "                    it takes half the time: docs/performance.md)\n"
    "  --manifest=FILE   JSON with kernels, parameters, shared memory and\n"
    "                    block size (default: the output with .json; none\n"
    "                    where that is standard output, a pipe or a device)\n"
    "  --no-manifest     write none\n"
    "  --cache=FOLDER    take what was compiled before from there, or keep it\n"
    "                    there (default: $CUTE_CACHE; no more than 512 MiB);\n"
    "                    off, 0, no or false is none\n"
    "  --no-cache        use none\n"
    "  --depfile=FILE, -MF FILE\n"
    "                    write for make and Ninja what the outputs depend on\n"
    "  -MD               the same, to the output with .d\n"
    "  --save-temps      write NVVM, LLVM IR and PTX beside the output, too\n"
    "  --crash-reproducer=FILE\n"
    "                    write input and options there if compiling fails, "
    "also\n"
    "                    if it crashes\n"
    "  -v, --verbose     print the programs that are run to standard error\n"
    "  -g, --line-info   LLVM IR and PTX say what lines of the source they "
    "are\n"
    "                    from\n"
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
    "  --list-archs      print the names of the architectures\n"
    "  --help, --version\n"
    "\n"
    "A value may also be the next argument, or follow -o and -D at once. After "
    "--\n"
    "all arguments are files.\n";

//===-- Options with a value ----------------------------------------------===//

// Appends " (did you mean ...?)" where a word like the one searched was
// offered.
static void appendQuestion(CuteString *text, CuteSuggestion suggestion,
                           const char *prefix) {
  if (suggestion.best.length)
    cuteStringAppendFormat(text, " (did you mean '%s%.*s'?)", prefix,
                           (int)suggestion.best.length, suggestion.best.data);
}

// Fails at a kind of output that is none of the first `count`.
static bool failKind(const char *option, const char *value, size_t count) {
  CuteSuggestion suggestion = cuteSuggestionBegin(cuteStringRef(value));
  CuteString question = {0}, known = {0};
  for (size_t i = 0; i < count; ++i) {
    cuteSuggestionOffer(&suggestion, cuteStringRef(emits[i].name));
    cuteStringAppendFormat(&known, "%s%s", i ? ", " : "", emits[i].name);
  }
  appendQuestion(&question, suggestion, "");
  cuteSayError("unknown kind of output '--%s=%s'%s; known: %s", option, value,
               cuteStringGet(&question), cuteStringGet(&known));
  cuteStringDestroy(&question);
  cuteStringDestroy(&known);
  return false;
}

static bool takeEmit(CuteCutecOptions *options, const char *value) {
  for (size_t i = 0; i < sizeof emits / sizeof *emits; ++i)
    if (!strcmp(emits[i].name, value)) {
      options->compile.emit = emits[i].emit;
      options->form = emits[i].form;
      return true;
    }
  return failKind("emit", value, sizeof emits / sizeof *emits);
}

static bool takeEmbed(CuteCutecOptions *options, const char *value) {
  for (size_t i = 0; i < NUM_EMBEDDED; ++i)
    if (!strcmp(emits[i].name, value)) {
      options->embedEmit = emits[i].emit;
      options->embed = emits[i].form;
      return true;
    }
  return failKind("embed", value, NUM_EMBEDDED);
}

// Fails at the name of an architecture: sm80, compute_80 and 80 are like sm_80.
static bool failArch(const char *name, const char *message) {
  CuteStringRef number = cuteStringRef(name + strcspn(name, "0123456789"));
  CuteSuggestion suggestion = cuteSuggestionBegin(number);
  CuteString question = {0};
  for (size_t i = 0; number.length && i < cuteArchGetNum(); ++i)
    cuteSuggestionOffer(&suggestion, cuteStringRef(cuteArchGet(i)->name + 3));
  appendQuestion(&question, suggestion, "sm_");
  cuteSayError("unknown architecture '%s'%s; %s", name,
               cuteStringGet(&question), message);
  cuteStringDestroy(&question);
  return false;
}

static bool takeOneArch(CuteCutecOptions *options, const char *name) {
  const char *message = NULL;
  if (!strcmp(name, "native"))
    name = cuteNativeArchGet(&message);
  else
    message = cuteArchCheck(name);
  if (message)
    return failArch(name ? name : "native", message);
  options->archs[options->numArchs++] = cuteArchFind(name)->name;
  return true;
}

// One or several, with commas between them.
static bool takeArch(CuteCutecOptions *options, const char *value) {
  options->numArchs = 0;
  for (const char *at = value; at;) {
    size_t n = strcspn(at, ",");
    CuteString name = {0};
    cuteStringAppendBytes(&name, at, n);
    bool ok = options->numArchs < CUTE_CUTEC_MAX_ARCHS &&
              takeOneArch(options, cuteStringGet(&name));
    if (options->numArchs == CUTE_CUTEC_MAX_ARCHS && at[n])
      cuteSayError("more than %d architectures", CUTE_CUTEC_MAX_ARCHS);
    cuteStringDestroy(&name);
    if (!ok)
      return false;
    at = at[n] ? at + n + 1 : NULL;
  }
  options->compile.arch = options->archs[0];
  return true;
}

static bool takeReport(CuteCutecOptions *options, const char *value) {
  options->report = value;
  bool ok = !*value || !strcmp(value, "text") || !strcmp(value, "json");
  if (!ok)
    cuteSayError("unknown format '--report=%s'; known: text (default), "
                 "json",
                 value);
  return ok;
}

// Options with their values: texts that are kept as they are, or for a
// function.
static const struct {
  const char *name, *needs; // what a value is; null: it may be missing, and is
                            // no argument of its own
  bool (*take)(CuteCutecOptions *options, const char *value);
  size_t offset; // of the text, without a function
} valued[] = {
    {"arch", "an architecture, as in --arch=" CUTE_DEFAULT_ARCH, takeArch, 0},
    {"emit", "a kind of output, as in --emit=cubin", takeEmit, 0},
    {"embed", "a kind of code, as in --embed=cubin", takeEmbed, 0},
    {"report", NULL, takeReport, 0},
    {"o", "a file", NULL, offsetof(CuteCutecOptions, output)},
    {"manifest", "a file, as in --manifest=kernel.json", NULL,
     offsetof(CuteCutecOptions, manifest)},
    {"depfile", "a file", NULL, offsetof(CuteCutecOptions, depfile)},
    {"MF", "a file", NULL, offsetof(CuteCutecOptions, depfile)},
    {"cache", "a folder", NULL, offsetof(CuteCutecOptions, cache)},
    {"crash-reproducer", "a file", NULL,
     offsetof(CuteCutecOptions, reproducer)},
    {"passes", "a pipeline, as in --passes=cute-optimize", NULL,
     offsetof(CuteCutecOptions, passes)},
    {"export", "a prefix for names of C, as in --export=vector_add", NULL,
     offsetof(CuteCutecOptions, exportPrefix)},
    {"ptxas", "options, as in --ptxas=-O2", NULL,
     offsetof(CuteCutecOptions, compile.ptxas)},
    {"skip", "names of passes, as in --skip=cute-vectorize", NULL,
     offsetof(CuteCutecOptions, compile.skip)}};

enum { NUM_VALUED = sizeof valued / sizeof *valued };

static bool takeValued(CuteCutecOptions *options, size_t row,
                       const char *value) {
  const char *name = valued[row].name;
  if (valued[row].needs && !*value)
    return cuteSayError("%s%s needs %s", name[1] && *name != 'M' ? "--" : "-",
                        name, valued[row].needs);
  if (valued[row].take)
    return valued[row].take(options, value);
  *(const char **)((char *)options + valued[row].offset) = value;
  return true;
}

//===-- Flags -------------------------------------------------------------===//

static const struct {
  const char *name;
  size_t offset; // of a bool
} flags[] = {{"save-temps", offsetof(CuteCutecOptions, saveTemps)},
             {"no-cache", offsetof(CuteCutecOptions, noCache)},
             {"MD", offsetof(CuteCutecOptions, depfiles)},
             {"MMD", offsetof(CuteCutecOptions, depfiles)},
             {"verbose", offsetof(CuteCutecOptions, verbose)},
             {"v", offsetof(CuteCutecOptions, verbose)},
             {"no-manifest", offsetof(CuteCutecOptions, noManifest)},
             {"line-info", offsetof(CuteCutecOptions, compile.lineInfo)},
             {"lineinfo", offsetof(CuteCutecOptions, compile.lineInfo)},
             {"g", offsetof(CuteCutecOptions, compile.lineInfo)},
             {"strict", offsetof(CuteCutecOptions, strict)},
             {"lint", offsetof(CuteCutecOptions, lint)},
             {"time", offsetof(CuteCutecOptions, time)}};

// Takes a flag or a level of optimization. The value is what follows a flag's
// name, which has none.
static bool takeFlag(CuteCutecOptions *options, const char *argument,
                     const char **value) {
  *value = "";
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    if (cuteDriverOption(argument, flags[i].name, value)) {
      *(bool *)((char *)options + flags[i].offset) = true;
      return true;
    }
  bool isLevel = argument[1] == 'O' && argument[2] >= '0' &&
                 argument[2] <= '3' && !argument[3];
  if (isLevel)
    options->compile.optLevel = (unsigned)(argument[2] - '0');
  return isLevel;
}

//===-- All ---------------------------------------------------------------===//

static bool takeInput(CuteCutecOptions *options, const char *argument) {
  options->inputs = cuteReallocate(
      options->inputs, (options->numInputs + 1) * sizeof *options->inputs);
  options->inputs[options->numInputs++] = argument;
  return true;
}

static int listArchs(void) {
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    puts(cuteArchGet(i)->name);
  return 0;
}

// Options that print something and do nothing else: the exit code, or -1.
static int takeQuestion(const char *argument) {
  const char *value;
  if (cuteDriverOption(argument, "list-atoms", &value))
    return cuteDriverListAtoms(value);
  if (cuteDriverOption(argument, "list-hardware", &value))
    return cuteDriverListHardware(value);
  if (cuteDriverOption(argument, "list-archs", &value))
    return listArchs();
  if (cuteDriverOption(argument, "help", &value) ||
      cuteDriverOption(argument, "h", &value))
    fputs(help, stdout);
  else if (cuteDriverOption(argument, "version", &value))
    cuteDriverPrintVersion("cutec");
  else
    return -1;
  return 0;
}

// Fails at an option that is none, and names ours where it is one of nvcc or
// ptxas.
static bool failOption(const char *argument) {
  static const struct {
    const char *name, *ours;
  } others[] = {{"cubin", "--emit=cubin"},
                {"ptx", "--emit=ptx"},
                {"fatbin", "--emit=fatbin"},
                {"keep", "--save-temps"},
                {"dryrun", "--verbose"},
                {"gencode", "--arch=sm_80,sm_90"},
                {"generate-code", "--arch=sm_80,sm_90"},
                {"gpu-architecture", "--arch"},
                {"gpu-name", "--arch"},
                {"generate-line-info", "--line-info"},
                {"Xptxas", "--ptxas"},
                {"ptxas-options", "--ptxas"},
                {"opt-level", "-O2"}};
  CuteStringRef name = cuteSuggestionNameOf(argument);
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (cuteTextEquals(name, others[i].name))
      return cuteSayError("unknown option '%s', which is '%s' here; see --help",
                          argument, others[i].ours);
  return cuteSuggestionFailOption(NULL, argument, help);
}

// Takes an option that needs a value. As in other compilers, the value may
// follow a name of one letter at once: -oFILE.
static bool takesValue(const char *name, int argc, char **argv, int *i,
                       const char **value) {
  const char *argument = argv[*i];
  if (cuteDriverTakeValue(argc, argv, i, name, value))
    return true;
  *value = argument + 2;
  return !name[1] && argument[1] == *name;
}

static bool takeArgument(CuteCutecOptions *options, int argc, char **argv,
                         int *i) {
  const char *argument = argv[*i], *value;
  if (*argument != '-' || !argument[1])
    return takeInput(options, argument);
  int taken = cuteDriverTakeParameter(&options->parameters, argc, argv, i);
  if (taken)
    return taken > 0;
  for (size_t row = 0; row < NUM_VALUED; ++row)
    if (valued[row].needs
            ? takesValue(valued[row].name, argc, argv, i, &value)
            : cuteDriverOption(argument, valued[row].name, &value))
      return takeValued(options, row, value);
  if (takeFlag(options, argument, &value))
    return !*value || cuteSayError("'%s': the option takes no value", argument);
  return argument[1] == 'O'
             ? cuteSayError(
                   "'%s' is no level of optimization; known: -O0, -O1, "
                   "-O2, -O3",
                   argument)
             : failOption(argument);
}

// Checks options that go together, or not.
static bool check(CuteCutecOptions *options) {
  bool isFat =
      options->form == CUTE_CUTEC_FATBIN ||
      (options->form == CUTE_CUTEC_C && options->embed == CUTE_CUTEC_FATBIN);
  const char *output = options->output;
  bool isFolder = output && output[strlen(output) - 1] == '/';
  if (!options->numInputs)
    return cuteSayError("no input file; see --help");
  if (options->numArchs > 1 && !isFat)
    return cuteSayError("several architectures go with --emit=fatbin, and with "
                        "--emit=c --embed=fatbin");
  if (options->numInputs > 1 && output && !isFolder)
    return cuteSayError(
        "with several inputs -o names a folder, as in -o build/");
  if (options->numInputs > 1 && (options->manifest || options->depfile))
    return cuteSayError("--manifest and --depfile go with one input; -MD "
                        "writes a depfile for each");
  if (options->form == CUTE_CUTEC_C && output && !strcmp(output, "-"))
    return cuteSayError(
        "--emit=c writes two files, and not to standard output");
  if (options->report &&
      (options->compile.emit != CUTE_EMIT_PTX ||
       options->form != CUTE_CUTEC_PLAIN || (output && !strcmp(output, "-"))))
    return cuteSayError("--report goes with --emit=ptx, and not with -o -");
  bool isCode = options->compile.emit == CUTE_EMIT_PTX ||
                options->compile.emit == CUTE_EMIT_CUBIN;
  if (options->exportPrefix &&
      (!isCode || options->form != CUTE_CUTEC_PLAIN || options->report))
    return cuteSayError("--export goes with --emit=ptx or cubin, and not with "
                        "--report");
  if (options->form == CUTE_CUTEC_C)
    options->compile.emit = options->embedEmit;
  return true;
}

int cuteCutecTakeOptions(CuteCutecOptions *options, int argc, char **argv) {
  *options = (CuteCutecOptions){.compile = {.size = sizeof(CuteCompileOptions),
                                            .arch = CUTE_DEFAULT_ARCH,
                                            .emit = CUTE_EMIT_PTX,
                                            .optLevel = 2},
                                .archs = {CUTE_DEFAULT_ARCH},
                                .numArchs = 1,
                                .embedEmit = CUTE_EMIT_PTX};
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--"); ++i) {
    int code = takeQuestion(argv[i]);
    if (code >= 0)
      return code;
    if (!takeArgument(options, argc, argv, &i))
      return 1;
  }
  for (++i; i < argc; ++i)
    takeInput(options, argv[i]);
  return check(options) ? -1 : 1;
}
