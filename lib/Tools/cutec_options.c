// The command line of cutec.
#include "Tools/cutec_options.h"

#include "Hardware/arch.h"

#include <strings.h>

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
  cuteCacheDestroy(options->compile.cache);
}

//===-- Values of options -------------------------------------------------===//

// Appends " (did you mean ...?)" where a word like the one searched was
// offered.
static void appendQuestion(CuteString *text, CuteSuggestion suggestion,
                           const char *prefix) {
  if (suggestion.best.length)
    cuteStringAppendFormat(text, " (did you mean '%s%.*s'?)", prefix,
                           CUTE_TEXT(suggestion.best));
}

// Takes a kind of output that is one of the first `count`.
static CuteStatus takeKind(const char *option, const char *value, size_t count,
                           CuteEmit *emit, CuteCutecForm *form) {
  for (size_t i = 0; i < count; ++i)
    if (!strcmp(emits[i].name, value)) {
      *emit = emits[i].emit;
      *form = emits[i].form;
      return NULL;
    }
  CuteSuggestion suggestion = cuteSuggestionBegin(cuteStringRef(value));
  CUTE_SCOPED(String) question = {0}, known = {0};
  for (size_t i = 0; i < count; ++i) {
    cuteSuggestionOffer(&suggestion, cuteStringRef(emits[i].name));
    cuteStringAppendFormat(&known, "%s%s", i ? ", " : "", emits[i].name);
  }
  appendQuestion(&question, suggestion, "");
  return cuteStatusCreate("unknown kind of output '--%s=%s'%s; known: %s",
                          option, value, cuteStringGet(&question),
                          cuteStringGet(&known));
}

static CuteStatus takeEmit(void *data, const char *value) {
  CuteCutecOptions *options = data;
  return takeKind("emit", value, sizeof emits / sizeof *emits,
                  &options->compile.emit, &options->form);
}

static CuteStatus takeEmbed(void *data, const char *value) {
  CuteCutecOptions *options = data;
  return takeKind("embed", value, NUM_EMBEDDED, &options->embedEmit,
                  &options->embed);
}

// Fails at the name of an architecture: sm80, compute_80 and 80 are like sm_80.
static CuteStatus failArch(const char *name, const char *message) {
  CuteStringRef number = cuteStringRef(name + strcspn(name, "0123456789"));
  CuteSuggestion suggestion = cuteSuggestionBegin(number);
  CUTE_SCOPED(String) question = {0};
  for (size_t i = 0; number.length && i < cuteArchGetNum(); ++i)
    cuteSuggestionOffer(&suggestion, cuteStringRef(cuteArchGet(i)->name + 3));
  appendQuestion(&question, suggestion, "sm_");
  return cuteStatusCreate("unknown architecture '%s'%s; %s", name,
                          cuteStringGet(&question), message);
}

static CuteStatus takeOneArch(CuteCutecOptions *options, const char *name) {
  const char *message = NULL;
  if (!strcmp(name, "native"))
    name = cuteNativeArchGet(&message);
  else
    message = cuteArchCheck(name);
  if (message)
    return failArch(name ? name : "native", message);
  if (options->numArchs == CUTE_CUTEC_MAX_ARCHS)
    return cuteStatusCreate("more than %d architectures", CUTE_CUTEC_MAX_ARCHS);
  options->archs[options->numArchs++] = cuteArchFind(name)->name;
  return NULL;
}

// One or several, with commas between them.
static CuteStatus takeArch(void *data, const char *value) {
  CuteCutecOptions *options = data;
  options->numArchs = 0;
  for (const char *at = value; at;) {
    size_t n = strcspn(at, ",");
    CUTE_SCOPED(String) name = {0};
    cuteStringAppendBytes(&name, at, n);
    CUTE_TRY(takeOneArch(options, cuteStringGet(&name)));
    at = at[n] ? at + n + 1 : NULL;
  }
  options->compile.arch = options->archs[0];
  return NULL;
}

static CuteStatus takeReport(void *data, const char *value) {
  CuteCutecOptions *options = data;
  options->report = value;
  bool ok = !*value || !strcmp(value, "text") || !strcmp(value, "json");
  return ok ? NULL
            : cuteStatusCreate(
                  "unknown format '--report=%s'; known: text (default), json",
                  value);
}

static CuteStatus takeLint(void *data, const char *value) {
  CuteCutecOptions *options = data;
  options->lint = true;
  options->lintFast = *value;
  return !*value || !strcmp(value, "fast")
             ? NULL
             : cuteStatusCreate("unknown '--lint=%s'; known: fast", value);
}

static CuteStatus takeProve(void *data, const char *value) {
  CuteCutecOptions *options = data;
  options->prove = true;
  options->plain = *value ? value : NULL;
  return NULL;
}

static CuteStatus takeLevel(void *data, const char *value) {
  CuteCutecOptions *options = data;
  if (*value < '0' || *value > '3' || value[1])
    return cuteStatusCreate(
        "'-O%s' is not an optimization level; known: -O0, -O1, -O2, -O3",
        value);
  options->compile.optLevel = (unsigned)(*value - '0');
  return NULL;
}

static CuteStatus takeParameter(void *data, const char *value) {
  CuteCutecOptions *options = data;
  return cuteDriverTakeParameter(&options->parameters, value);
}

static int listArchs(CUTE_UNUSED const char *value) {
  for (size_t i = 0; i < cuteArchGetNum(); ++i)
    puts(cuteArchGet(i)->name);
  return 0;
}

static const char *archWord(size_t i) {
  return i < cuteArchGetNum()    ? cuteArchGet(i)->name
         : i == cuteArchGetNum() ? "native"
                                 : NULL;
}

static const char *emitWord(size_t i) {
  return i < sizeof emits / sizeof *emits ? emits[i].name : NULL;
}

static const char *embedWord(size_t i) {
  return i < NUM_EMBEDDED ? emits[i].name : NULL;
}

//===-- Rows --------------------------------------------------------------===//

#define TEXT(member) .offset = offsetof(CuteCutecOptions, member)

static const CuteOption rows[] = {
    {"-o", .kind = CUTE_OPTION_LETTER, .value = "FILE", .needs = "a file",
     .help = "write the output to FILE (default: the input's name with another "
             "extension; - is standard output); with several inputs, a folder: "
             "build/",
     TEXT(output)},
    {"-D", .kind = CUTE_OPTION_LETTER, .value = "NAME=VALUE",
     .needs = "a parameter's name and value, as in -D BM=128",
     .help = "set a parameter that the module declares (docs/text.md)",
     .take = takeParameter},
    {"--arch", .kind = CUTE_OPTION_VALUE, .value = "sm_XX", .word = archWord,
     .needs = "an architecture, as in --arch=" CUTE_DEFAULT_ARCH,
     .help = "compile for this architecture (default: " CUTE_DEFAULT_ARCH
             "); native is this machine's GPU; a list with commas makes a fat "
             "binary",
     .take = takeArch},
    {"--emit", .kind = CUTE_OPTION_VALUE, .value = "KIND", .word = emitWord,
     .needs = "a kind of output, as in --emit=cubin",
     .help = "write ptx (default), cubin (needs ptxas), fatbin (also needs "
             "fatbinary), c, llvm, nvvm or mlir",
     .take = takeEmit},
    {"--embed", .kind = CUTE_OPTION_VALUE, .value = "KIND", .word = embedWord,
     .needs = "a kind of code, as in --embed=cubin",
     .help = "embed ptx (default), cubin or fatbin in the source that --emit=c "
             "writes",
     .take = takeEmbed},
    {"-O", .kind = CUTE_OPTION_LETTER, .value = "N", .words = "0 1 2 3",
     .needs = "a level, as in -O2",
     .help = "LLVM's optimization level, 0 to 3 (default: 2; 3 runs all of "
             "LLVM's passes and takes longer)",
     .take = takeLevel},
    {"--passes", .kind = CUTE_OPTION_VALUE, .value = "PIPELINE",
     .needs = "a pipeline, as in --passes=cute-optimize",
     .help = "run these passes before lowering, such as cute-optimize "
             "(docs/passes.md)",
     TEXT(passes)},
    {"--skip", .kind = CUTE_OPTION_VALUE, .value = "PASS,...",
     .needs = "names of passes, as in --skip=cute-swizzle",
     .help = "leave out these passes, to measure what they gain (./dev ablate)",
     TEXT(compile.skip)},
    {"--export", .kind = CUTE_OPTION_VALUE, .value = "PREFIX",
     .needs = "a prefix for names of C, as in --export=vector_add",
     .help = "also compile host functions, to an object file, FILE.o, and a C "
             "header, FILE.h, that declares them as PREFIX_NAME; the object "
             "contains the kernels as PTX, or as cubin with --emit=cubin",
     TEXT(exportPrefix)},
    {"--ptxas", .kind = CUTE_OPTION_VALUE, .value = "OPTIONS",
     .needs = "options, as in --ptxas=-O2",
     .help = "pass these options to ptxas, separated by spaces (-O2 halves its "
             "time)",
     TEXT(compile.ptxas)},
    {"--manifest", .kind = CUTE_OPTION_VALUE, .value = "FILE",
     .needs = "a file, as in --manifest=kernel.json",
     .help = "write the manifest, JSON with kernels, parameters, shared memory "
             "and block size, to FILE (default: the output's name with .json; "
             "none if the output is standard output, a pipe or a device)",
     TEXT(manifest)},
    {"--no-manifest", .help = "write no manifest", TEXT(noManifest)},
    {"--cache", .kind = CUTE_OPTION_VALUE, .value = "FOLDER",
     .needs = "a folder",
     .help = "reuse results from FOLDER, and keep new ones there (default: "
             "$CUTE_CACHE; at most 512 MiB); off, 0, no or false turns it off",
     TEXT(cache)},
    {"--no-cache", .help = "use no cache", TEXT(noCache)},
    {"--depfile, -MF", .kind = CUTE_OPTION_VALUE, .value = "FILE",
     .needs = "a file",
     .help = "write the outputs' dependencies to FILE, for make and Ninja",
     TEXT(depfile)},
    {"-MD", .more = "-MMD",
     .help = "write the dependencies beside the output, with the extension .d",
     TEXT(depfiles)},
    {"--save-temps",
     .help = "also write NVVM, LLVM IR and PTX beside the output",
     TEXT(saveTemps)},
    {"--crash-reproducer", .kind = CUTE_OPTION_VALUE, .value = "FILE",
     .needs = "a file",
     .help =
         "write the input and options to FILE if compiling fails or crashes",
     TEXT(reproducer)},
    {"-v, --verbose", .help = "print the commands it runs to standard error",
     TEXT(verbose)},
    {"-g, --line-info", .more = "--lineinfo",
     .help = "keep source lines in LLVM IR and PTX", TEXT(compile.lineInfo)},
    {"--strict",
     .help = "report results that break a law of the algebra as errors, not "
             "warnings",
     TEXT(strict)},
    {"--lint", .kind = CUTE_OPTION_OPTIONAL, .value = "fast", .words = "fast",
     .help = "warn of slow memory accesses, of what --prove refutes, and of "
             "other likely mistakes (docs/lint.md); fast: prove nothing",
     .take = takeLint},
    {"--prove", .kind = CUTE_OPTION_OPTIONAL, .value = "PLAIN",
     .help = "prove for every size that accesses are in bounds, vectors "
             "aligned, outputs written by one thread and shared memory free of "
             "races, or show where they are not by running the simulator; "
             "compile nothing; with --passes, also check that kernels access "
             "what they did before the passes, or what the kernels of the file "
             "PLAIN do (docs/prove.md)",
     .take = takeProve},
    {"--time", .help = "print the time of each stage to standard error",
     TEXT(time)},
    {"--report", .kind = CUTE_OPTION_OPTIONAL, .value = "FORMAT",
     .words = "text json",
     .help = "print registers, spills, shared memory, occupancy and the main "
             "loop's instructions, as text or json; ptxas and nvdisasm must be "
             "installed for all of it",
     .take = takeReport},
    {"--list-atoms", .kind = CUTE_OPTION_OPTIONAL, .value = "NAME",
     .help = "print the MMA and copy atoms: name, lowest architecture, whether "
             "they compile, instruction; with a name, everything about that "
             "atom in JSON",
     .answer = cuteDriverListAtoms},
    {"--list-hardware", .kind = CUTE_OPTION_OPTIONAL, .value = "json",
     .words = "json",
     .help = "print everything known about architectures, element types and "
             "atoms (docs/atoms.md)",
     .answer = cuteDriverListHardware},
    {"--list-archs", .help = "print the names of the architectures",
     .answer = listArchs},
};

//===-- All ---------------------------------------------------------------===//

static CuteStatus takeInput(void *data, const char *argument) {
  CuteCutecOptions *options = data;
  options->inputs = cuteReallocate(
      options->inputs, (options->numInputs + 1) * sizeof *options->inputs);
  options->inputs[options->numInputs++] = argument;
  return NULL;
}

// Fails at options of nvcc and ptxas, and names ours.
static CuteStatus failForeign(CUTE_UNUSED void *data, const char *argument,
                              bool *isTaken) {
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
  *isTaken = false;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (cuteTextEquals(name, others[i].name))
      return cuteStatusCreate("unknown option '%s'; use '%s'; see --help",
                              argument, others[i].ours);
  return NULL;
}

static const CuteTool tool = {
    .name = "cutec",
    .version = cuteDriverVersion,
    .overview = "compiles kernels in the cute dialect for NVIDIA GPUs",
    .usage = "[options] kernel.mlir ...",
    .notes = "A value may also be the next argument, or follow -o and -D "
             "directly. All\narguments after -- are files.\n",
    .column = 20,
    .sections = {{"OPTIONS", .rows = rows,
                  .numRows = sizeof rows / sizeof *rows},
                 {"DIAGNOSTICS", .rows = cuteDiagnosticOptions,
                  .numRows = CUTE_NUM_DIAGNOSTIC_OPTIONS}},
    .takeInput = takeInput,
    .takeOther = failForeign,
};

// Checks options that go together, or not.
static CuteStatus check(CuteCutecOptions *options) {
  bool isFat =
      options->form == CUTE_CUTEC_FATBIN ||
      (options->form == CUTE_CUTEC_C && options->embed == CUTE_CUTEC_FATBIN);
  const char *output = options->output;
  bool isFolder = output && output[strlen(output) - 1] == '/';
  if (!options->numInputs)
    return cuteStatusCreate("no input file; see --help");
  if (options->numArchs > 1 && !isFat)
    return cuteStatusCreate("several architectures go with --emit=fatbin, and "
                            "with --emit=c --embed=fatbin");
  if (options->numInputs > 1 && output && !isFolder)
    return cuteStatusCreate(
        "with several inputs -o names a folder, as in -o build/");
  if (options->numInputs > 1 && (options->manifest || options->depfile))
    return cuteStatusCreate("--manifest and --depfile go with one input; -MD "
                            "writes a depfile for each");
  if (options->form == CUTE_CUTEC_C && output && !strcmp(output, "-"))
    return cuteStatusCreate(
        "--emit=c writes two files, and not to standard output");
  if (options->report &&
      (options->compile.emit != CUTE_EMIT_PTX ||
       options->form != CUTE_CUTEC_PLAIN || (output && !strcmp(output, "-"))))
    return cuteStatusCreate("--report goes with --emit=ptx, and not with -o -");
  bool isCode = options->compile.emit == CUTE_EMIT_PTX ||
                options->compile.emit == CUTE_EMIT_CUBIN;
  if (options->exportPrefix &&
      (!isCode || options->form != CUTE_CUTEC_PLAIN || options->report))
    return cuteStatusCreate(
        "--export goes with --emit=ptx or cubin, and not with --report");
  if (options->form == CUTE_CUTEC_C)
    options->compile.emit = options->embedEmit;
  return NULL;
}

// Opens the cache that the option or the environment names; null for none, or
// where times are asked for.
static CuteCache *openCache(const CuteCutecOptions *options) {
  enum { MAX_MIB = 512 };
  static const char *const off[] = {"", "off", "0", "no", "false"};
  const char *folder = options->cache ? options->cache : getenv("CUTE_CACHE");
  for (size_t i = 0; folder && i < sizeof off / sizeof *off; ++i)
    if (!strcasecmp(folder, off[i]))
      return NULL;
  return !folder || options->noCache || options->time
             ? NULL
             : cuteCacheCreate(folder, (uint64_t)MAX_MIB << 20);
}

int cuteCutecTakeOptions(CuteCutecOptions *options, int argc, char **argv) {
  *options = (CuteCutecOptions){.compile = {.size = sizeof(CuteCompileOptions),
                                            .arch = CUTE_DEFAULT_ARCH,
                                            .emit = CUTE_EMIT_PTX,
                                            .optLevel = 2},
                                .archs = {CUTE_DEFAULT_ARCH},
                                .numArchs = 1,
                                .embedEmit = CUTE_EMIT_PTX};
  int code;
  CuteStatus status = cuteOptionsTake(&tool, options, argc, argv, &code);
  if (!status && code < 0)
    status = check(options);
  if (!status && code < 0)
    options->compile.cache = openCache(options);
  return cuteCommandSucceeds(status) ? code : 1;
}
