#include "Hardware/arch.h"
#include "Run/run.h"
#include "Support/command_line.h"

#include <errno.h>

//===-- Values of options -------------------------------------------------===//

// Takes one to three extents of at least 1.
static CuteStatus takeExtents(const char *option, const char *text,
                              int64_t extents[3], bool *isGiven) {
  const char *at = text;
  bool ok = true, more = true;
  extents[0] = extents[1] = extents[2] = 1;
  for (int i = 0; ok && more && i < 3; ++i) {
    char *end;
    extents[i] = strtoll(at, &end, 10);
    ok = end != at && extents[i] >= 1;
    more = *end == ',';
    at = end + more;
  }
  *isGiven = ok && !more && !*at;
  return *isGiven ? NULL
                  : cuteStatusCreate("%s needs X, X,Y or X,Y,Z, not '%s'",
                                     option, text);
}

static CuteStatus takeGrid(void *data, const char *text) {
  CuteRunOptions *options = data;
  return takeExtents("--grid", text, options->grid, &options->hasGrid);
}

static CuteStatus takeBlock(void *data, const char *text) {
  CuteRunOptions *options = data;
  return takeExtents("--block", text, options->block, &options->hasBlock);
}

static CuteStatus takeDevice(void *data, const char *text) {
  CuteRunOptions *options = data;
  char *end;
  long ordinal = strtol(text, &end, 10);
  if (!strcmp(text, "sim")) {
    options->device = CUTE_DEVICE_SIMULATED;
    return NULL;
  }
  options->device = (int)ordinal;
  return end != text && !*end && ordinal >= 0 && ordinal <= INT16_MAX
             ? NULL
             : cuteStatusCreate("--device needs a number or sim, not '%s'",
                                text);
}

// A format, or a file whose name ends in one.
static CuteStatus takeReport(void *data, const char *text) {
  CuteRunOptions *options = data;
  options->reports = true;
  if (!*text)
    return NULL;
  static const char *const formats[][2] = {
      {"text", ".txt"}, {"json", ".json"}, {"html", ".html"}};
  const char *dot = strrchr(text, '.');
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    bool isFile = dot && !strcmp(dot, formats[i][1]);
    if (!isFile && strcmp(text, formats[i][0]) != 0)
      continue;
    options->reportFormat = formats[i][0];
    options->reportFile = isFile ? text : NULL;
    return NULL;
  }
  return cuteStatusCreate("--report is text, json, html, or a file that ends "
                          "in .txt, .json or .html, not '%s'",
                          text);
}

static CuteStatus takeTolerance(void *data, const char *text) {
  CuteRunOptions *options = data;
  char *end;
  options->tolerance = strtod(text, &end);
  return end != text && !*end && options->tolerance >= 0
             ? NULL
             : cuteStatusCreate("--tolerance needs a number >= 0, not '%s'",
                                text);
}

// COUNT or COUNT,SEED.
static CuteStatus takeSample(void *data, const char *text) {
  CuteRunOptions *options = data;
  char *end;
  options->sample = strtoll(text, &end, 10);
  bool ok = end != text && options->sample >= 1;
  if (ok && *end == ',') {
    const char *seed = end + 1;
    options->seed = strtoull(seed, &end, 10);
    ok = end != seed;
  }
  return ok && !*end
             ? NULL
             : cuteStatusCreate("--sample needs COUNT or COUNT,SEED, not '%s'",
                                text);
}

static CuteStatus takeBaseline(void *data, const char *text) {
  CuteRunOptions *options = data;
  options->copyBaseline = !strcmp(text, "copy");
  return options->copyBaseline
             ? NULL
             : cuteStatusCreate("unknown baseline '%s'; known: copy", text);
}

// Nothing, or milliseconds.
static CuteStatus takeBench(void *data, const char *text) {
  CuteRunOptions *options = data;
  char *end;
  options->bench = true;
  options->benchTime = strtod(text, &end);
  return !*text || (!*end && options->benchTime > 0 && options->benchTime < 1e6)
             ? NULL
             : cuteStatusCreate("--bench takes milliseconds > 0, not '%s'",
                                text);
}

static CuteStatus takeCache(void *data, const char *text) {
  CuteRunOptions *options = data;
  bool warm = !strcmp(text, "warm");
  options->cache = warm ? CUTE_CACHE_WARM : CUTE_CACHE_COLD;
  return warm || !strcmp(text, "cold")
             ? NULL
             : cuteStatusCreate("unknown cache '%s'; known: cold, warm", text);
}

static CuteStatus takeOutput(void *data, const char *text) {
  CuteRunOptions *options = data;
  if (options->numOutputs == CUTE_RUN_MAX_OUTPUTS)
    return cuteStatusCreate("more than %d outputs", CUTE_RUN_MAX_OUTPUTS);
  options->outputs[options->numOutputs++] = text;
  return NULL;
}

static CuteStatus takeReference(void *data, const char *text) {
  CuteRunOptions *options = data;
  if (options->numReferences == CUTE_RUN_MAX_OUTPUTS)
    return cuteStatusCreate("more than %d references", CUTE_RUN_MAX_OUTPUTS);
  options->references[options->numReferences++] = text;
  return NULL;
}

static CuteStatus takeAgain(void *data, CUTE_UNUSED const char *text) {
  CuteRunOptions *options = data;
  return ++options->numAgain < CUTE_RUN_MAX_RUNS
             ? NULL
             : cuteStatusCreate("more than %d runs", CUTE_RUN_MAX_RUNS);
}

static const char *archWord(size_t i) {
  return i < cuteArchGetNum() ? cuteArchGet(i)->name : NULL;
}

//===-- Rows --------------------------------------------------------------===//

#define AT(member) .offset = offsetof(CuteRunOptions, member)
#define FLAG(name, member, text)                                               \
  { name, .help = text, AT(member) }
#define VALUE(name, called, text, ...)                                         \
  {                                                                            \
    name, .kind = CUTE_OPTION_VALUE, .value = called, .help = text,            \
          __VA_ARGS__                                                          \
  }

static const CuteOption rows[] = {
    FLAG("--list", list, "print kernels and parameters without running them"),
    VALUE("--kernel", "NAME", "run this kernel, if there are several",
          AT(kernel)),
    VALUE("--device", "N|sim",
          "the CUDA device to run on (default: 0); sim runs on the host and "
          "checks each memory access (docs/simulator.md); it takes a .mlir "
          "file (or - for standard input), which is compiled, or what cutec "
          "--emit=llvm --line-info wrote",
          .words = "sim 0", .take = takeDevice),
    VALUE("--host", "FUNCTION",
          "also compile a .mlir file for the host, call this function, which "
          "may launch kernels, and print its results",
          AT(host)),
    VALUE("--arch", "sm_XX",
          "compile a .mlir file for this architecture "
          "(default: " CUTE_DEFAULT_ARCH "; with --host, that of the device)",
          .word = archWord, AT(arch)),
    VALUE("--passes", "PIPELINE", "run these passes first, as in cutec",
          AT(passes)),
    VALUE("--schedule", "SEED", "run threads in another order", AT(schedule)),
    {"--schedules", .kind = CUTE_OPTION_NUMBER, .value = "N", .least = 1,
     .help = "run with each of the seeds 0 to N - 1", AT(schedules)},
    VALUE("--timeout", "SECONDS", "stop a kernel that runs longer",
          AT(timeout)),
    VALUE("--blocks", "0,17,...", "run only these blocks", AT(blocks)),
    VALUE(
        "--checks", "off|nan|written",
        "off: run faster, without checking accesses; nan: also find where NaN "
        "and Inf come from; written: also find tensors that are only partly "
        "written",
        .words = "off nan written", AT(checks)),
    {"--report", .kind = CUTE_OPTION_OPTIONAL, .value = "FORMAT",
     .words = "text json html",
     .help = "print bank conflicts, sectors, instructions and bytes for each "
             "line; FORMAT is text, json or html, or a file that ends in .txt, "
             ".json or .html",
     .take = takeReport},
    VALUE("--break", "LINE:B,T",
          "stop thread T of block B at LINE of a .mlir file and print its "
          "values; LINE:B,T,N stops the N-th time",
          AT(breakAt)),
    VALUE("--trace", "FILE.json",
          "write a timeline of warps, barriers and copies, for Perfetto or "
          "Chrome",
          AT(trace)),
    VALUE("--grid", "X[,Y[,Z]]",
          "launch this many blocks (default: the manifest's expressions)",
          .take = takeGrid),
    VALUE("--block", "X[,Y[,Z]]",
          "launch blocks of this size, for a .ptx file without a manifest",
          .take = takeBlock),
    {"--shared", .kind = CUTE_OPTION_NUMBER, .value = "BYTES",
     .help = "give blocks of such a file this much dynamic shared memory "
             "(default: 0)",
     AT(sharedBytes)},
    {"--again", .help = "run again with the arguments that follow",
     .take = takeAgain},
    VALUE("--lines", "FILE",
          "run once per line of FILE (arguments between tabs; - is standard "
          "input) in one process; print 'ok' or the error",
          AT(lines)),
    VALUE("--output", "I=FILE.npy", "write tensor I after the run",
          .take = takeOutput),
    VALUE("--check", "'C[m,n] = A[m,k] * B[n,k]'",
          "compare a tensor with a formula, computed in float64; tensors are "
          "A, B, C, ... in order, and indices found only on the right are "
          "summed over (docs/references.md)",
          AT(check)),
    VALUE("--sample", "COUNT[,SEED]",
          "compare about COUNT elements: random ones, corners and edges of "
          "tiles; the others must not be NaN",
          .take = takeSample),
    FLAG("--unchanged", unchanged,
         "fail if a tensor changes, unless --check compares it or poison "
         "filled it"),
    VALUE("--reference", "I=FILE.npy", "compare tensor I with a file",
          .take = takeReference),
    VALUE("--tolerance", "T",
          "fail if max|error|/max|reference| exceeds T (default: 1e-3)",
          .take = takeTolerance),
    {"--bench", .kind = CUTE_OPTION_OPTIONAL, .value = "MS",
     .help = "time the kernel with device events and print the median, over "
             "three runs of 100 milliseconds, or one run of MS",
     .take = takeBench},
    VALUE("--cache", "cold|warm",
          "before each timed run, fill the L2 cache with other data (default), "
          "or leave it as the last run did",
          .words = "cold warm", .take = takeCache),
    VALUE(
        "--flops", "EXPRESSION",
        "the number of operations, such as 2 * arg0.shape[0], to print a rate",
        AT(flops)),
    VALUE("--baseline", "copy", "also time a copy of the largest tensor",
          .words = "copy", .take = takeBaseline),
    FLAG("--time", time, "print the time of each step to standard error"),
    FLAG("--json", json, "print the results as one line of JSON"),
    VALUE("--row", "LABEL", "print one line of a table instead of sentences",
          AT(row)),
    FLAG("--header", header, "print the table's header"),
    FLAG("--has-device", hasDevice,
         "exit with 0 if there is a GPU, else with 1"),
    FLAG("--device-arch", deviceArch,
         "print the architecture of the GPU, such as sm_90"),
    FLAG("--device-name", deviceName, "print the name of the GPU"),
};

static CuteStatus takePositional(void *data, const char *argument) {
  CuteRunOptions *options = data;
  if (!options->manifest) {
    options->manifest = argument;
    return NULL;
  }
  CuteRunArguments *run = &options->arguments[options->numAgain];
  if (run->count == CUTE_RUN_MAX_ARGUMENTS)
    return cuteStatusCreate("more than %d arguments", CUTE_RUN_MAX_ARGUMENTS);
  run->data[run->count++] = argument;
  return NULL;
}

extern const char cuteRunArguments[]; // run_arguments.txt

static const CuteTool tool = {
    .name = "cute-run",
    .version = CUTE_VERSION CUTE_REVISION,
    .overview = "runs a compiled kernel on a CUDA device, or on the simulator",
    .usage = "[options] kernel.json ARGUMENT...",
    .details = cuteRunArguments,
    .notes =
        "The exit code is 0 if the kernel ran and all comparisons passed.\n",
    .column = 26,
    .sections = {{"OPTIONS", .rows = rows,
                  .numRows = sizeof rows / sizeof *rows},
                 {"DIAGNOSTICS", .rows = cuteDiagnosticOptions,
                  .numRows = CUTE_NUM_DIAGNOSTIC_OPTIONS}},
    .takeInput = takePositional,
};

CuteStatus cuteRunOptionsTake(CuteRunOptions *options, int argc, char **argv,
                              int *code) {
  *options = (CuteRunOptions){.tolerance = 1e-3};
  CUTE_TRY(cuteOptionsTake(&tool, options, argc, argv, code));
  if (*code >= 0)
    return NULL;
  if (options->host && (options->bench || options->hasGrid))
    return cuteStatusCreate("--%s is for kernels, not for --host",
                            options->bench ? "bench" : "grid");
  if (options->numAgain && (options->host || options->bench ||
                            options->numOutputs || options->numReferences))
    return cuteStatusCreate("--again goes with --check, and not with --host, "
                            "--bench, --output or --reference");
  CUTE_TRY(cuteRunFilesCheck(options));
  bool asks = options->header || options->hasDevice || options->deviceArch ||
              options->deviceName || options->lines;
  return options->manifest || asks
             ? NULL
             : cuteStatusCreate("no manifest; see --help");
}
