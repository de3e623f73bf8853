#include "Run/run_options.h"
#include "Hardware/arch.h"
#include "Support/suggest.h"
#include "Support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "OVERVIEW: runs a kernel that cutec compiled, on a CUDA device or "
    "simulated\n"
    "\n"
    "USAGE: cute-run [options] kernel.json ARGUMENT...\n"
    "\n"
    "ARGUMENTS, in the order of the kernel's parameters:\n"
    "  FILE.npy                a tensor from a file\n"
    "  f16[64x32]:normal(1)    a generated row-major tensor; generators:\n"
    "                          normal(SEED), uniform(SEED), integers(SEED),\n"
    "                          bits(SEED), places(SEED) (metadata of sparse\n"
    "                          matrices), scales(SEED) (positive factors),\n"
    "                          hard(SEED) (floats of all magnitudes, "
    "denormal,\n"
    "                          infinite and NaN ones among them),\n"
    "                          iota, zeros, fill(VALUE), poison (bytes 0xff)\n"
    "  f16[(64,32):(40,1)]     the same with a layout, here rows of 40; "
    "nested\n"
    "                          modes count as their leaves\n"
    "  pointers(3,4)           the addresses of arguments 3 and 4, as i64; "
    "those "
    "that\n"
    "                          the kernel itself does not take come last\n"
    "  42, 0.5, (4,8)          numbers for other parameters; 0 is a null "
    "pointer\n"
    "\n"
    "OPTIONS:\n"
    "  --list                  print kernels and parameters, run nothing\n"
    "  --kernel=NAME           if the manifest has several\n"
    "  --device=N              the CUDA device to run on (default: 0)\n"
    "  --device=sim            run on the host and check each access: "
    "docs/simulator.md;\n"
    "                          also takes a .mlir file, which is compiled, or "
    "what\n"
    "                          cutec --emit=llvm --line-info wrote\n"
    "  --host=FUNCTION         compile a .mlir file, for the host, too, and "
    "call a\n"
    "                          function of it, which may launch its kernels; "
    "its\n"
    "                          results are printed\n"
    "  --arch=sm_XX            architecture for these "
    "(default: " CUTE_DEFAULT_ARCH ";\n"
    "                          with --host that of the device)\n"
    "  --passes=PIPELINE       passes before that, as of cutec\n"
    "  --schedule=SEED         let threads run in another order\n"
    "  --schedules=N           try orders 0 to N - 1\n"
    "  --timeout=SECONDS       stop a kernel that runs longer\n"
    "  --blocks=0,17,...       run these blocks only\n"
    "  --checks=off            run faster, without checking accesses\n"
    "  --checks=nan            look for where NaN and Inf come from as well\n"
    "  --report[=FORMAT]       print what each line did: bank conflicts, "
    "sectors,\n"
    "                          instructions, bytes; FORMAT is text, json or "
    "html\n"
    "  --report=FILE.html      write it to a file; or FILE.json, FILE.txt\n"
    "  --break=LINE:B,T        print what thread T of block B knows where it "
    "comes to\n"
    "                          a line of a .mlir file, and stop; LINE:B,T,N: "
    "the\n"
    "                          N-th time\n"
    "  --trace=FILE.json       write a timeline of warps, barriers and copies, "
    "for\n"
    "                          Perfetto or Chrome\n"
    "  --grid=X[,Y[,Z]]        blocks (default: the manifest's expressions)\n"
    "  --again ARGUMENT...     run once more, with other arguments\n"
    "  --lines=FILE            run each line of a file, such arguments with "
    "tabs\n"
    "                          between, in one process, and print for each ok\n"
    "                          or what went wrong; - is the standard input\n"
    "  --output I=FILE.npy     write tensor I afterwards\n"
    "  --check 'C[m,n] = A[m,k] * B[n,k]'\n"
    "                          compare with this, computed in float64; "
    "tensors\n"
    "                          are A, B, C, ... in order, indices missing on "
    "the\n"
    "                          left are summed over, and there are "
    "reductions,\n"
    "                          max[k](A[m,k]), and functions: "
    "docs/references.md\n"
    "  --sample=COUNT[,SEED]   compute and compare no more than about COUNT "
    "elements\n"
    "                          of it: random ones, and corners and edges of "
    "tiles;\n"
    "                          the others must not be NaN\n"
    "  --reference I=FILE.npy  compare tensor I with a file\n"
    "  --tolerance=T           largest max|error|/max|reference| (default: "
    "1e-3)\n"
    "  --bench                 time it: median over device events\n"
    "  --cache=cold|warm       fill the L2 cache with other data before each "
    "timed\n"
    "                          run (default), or leave it as the last run did\n"
    "  --flops=EXPRESSION      how many operations it does: 2 * arg0.shape[0]\n"
    "  --baseline=copy         time a copy of the largest tensor beside it\n"
    "  --time                  print the time of each step to standard error\n"
    "  --json                  print the results as one line of JSON\n"
    "  --row=LABEL             print one line of a table instead of sentences\n"
    "  --header                print the head of that table\n"
    "  --has-device            exit with 0 if there is a GPU, otherwise with "
    "1\n"
    "  --device-arch           print the architecture of the GPU: sm_90\n"
    "  --help, --version\n"
    "\n"
    "The exit code is 0 if the kernel ran and all comparisons held.\n";

//===-- Options -----------------------------------------------------------===//

// One to three extents of at least 1.
static CuteStatus takeGrid(CuteRunOptions *options, const char *text) {
  const char *at = text;
  bool ok = true, more = true;
  options->grid[0] = options->grid[1] = options->grid[2] = 1;
  for (int i = 0; ok && more && i < 3; ++i) {
    char *end;
    options->grid[i] = strtoll(at, &end, 10);
    ok = end != at && options->grid[i] >= 1;
    more = *end == ',';
    at = end + more;
  }
  options->hasGrid = ok && !more && !*at;
  return options->hasGrid ? NULL
                          : cuteStatusCreate("--grid needs X, X,Y or X,Y,Z, "
                                             "not '%s'",
                                             text);
}

static CuteStatus takeDevice(CuteRunOptions *options, const char *text) {
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

static CuteStatus takeSchedules(CuteRunOptions *options, const char *text) {
  char *end;
  errno = 0;
  options->schedules = strtoll(text, &end, 10);
  return end != text && !*end && options->schedules >= 1 && !errno
             ? NULL
             : cuteStatusCreate("--schedules needs a number >= 1, not '%s'",
                                text);
}

// A format, or a file whose name ends in one.
static CuteStatus takeReport(CuteRunOptions *options, const char *text) {
  static const char *const formats[][2] = {
      {"text", ".txt"}, {"json", ".json"}, {"html", ".html"}};
  const char *dot = strrchr(text, '.');
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    bool isFile = dot && !strcmp(dot, formats[i][1]);
    if (!isFile && strcmp(text, formats[i][0]) != 0)
      continue;
    options->reports = true;
    options->reportFormat = formats[i][0];
    options->reportFile = isFile ? text : NULL;
    return NULL;
  }
  return cuteStatusCreate("--report is text, json, html, or a file that ends "
                          "in .txt, .json or .html, not '%s'",
                          text);
}

static CuteStatus takeTolerance(CuteRunOptions *options, const char *text) {
  char *end;
  options->tolerance = strtod(text, &end);
  return end != text && !*end && options->tolerance >= 0
             ? NULL
             : cuteStatusCreate("--tolerance needs a number >= 0, not '%s'",
                                text);
}

// COUNT or COUNT,SEED.
static CuteStatus takeSample(CuteRunOptions *options, const char *text) {
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

static CuteStatus takeBaseline(CuteRunOptions *options, const char *text) {
  options->copyBaseline = !strcmp(text, "copy");
  return options->copyBaseline
             ? NULL
             : cuteStatusCreate("unknown baseline '%s'; known: copy", text);
}

static CuteStatus takeCache(CuteRunOptions *options, const char *text) {
  bool warm = !strcmp(text, "warm");
  options->cache = warm ? CUTE_CACHE_WARM : CUTE_CACHE_COLD;
  return warm || !strcmp(text, "cold")
             ? NULL
             : cuteStatusCreate("unknown cache '%s'; known: cold, warm", text);
}

static CuteStatus takeOutput(CuteRunOptions *options, const char *text) {
  if (options->numOutputs == CUTE_RUN_MAX_OUTPUTS)
    return cuteStatusCreate("more than %d outputs", CUTE_RUN_MAX_OUTPUTS);
  options->outputs[options->numOutputs++] = text;
  return NULL;
}

static CuteStatus takeReference(CuteRunOptions *options, const char *text) {
  if (options->numReferences == CUTE_RUN_MAX_OUTPUTS)
    return cuteStatusCreate("more than %d references", CUTE_RUN_MAX_OUTPUTS);
  options->references[options->numReferences++] = text;
  return NULL;
}

// Options that have a value: text that is kept, or what takes it.
static const struct {
  const char *name;
  size_t offset; // of the text in CuteRunOptions, where nothing takes it
  CuteStatus (*take)(CuteRunOptions *options, const char *text);
} valued[] = {
    {"kernel", offsetof(CuteRunOptions, kernel), NULL},
    {"check", offsetof(CuteRunOptions, check), NULL},
    {"row", offsetof(CuteRunOptions, row), NULL},
    {"lines", offsetof(CuteRunOptions, lines), NULL},
    {"flops", offsetof(CuteRunOptions, flops), NULL},
    {"host", offsetof(CuteRunOptions, host), NULL},
    {"arch", offsetof(CuteRunOptions, arch), NULL},
    {"passes", offsetof(CuteRunOptions, passes), NULL},
    {"schedule", offsetof(CuteRunOptions, schedule), NULL},
    {"timeout", offsetof(CuteRunOptions, timeout), NULL},
    {"blocks", offsetof(CuteRunOptions, blocks), NULL},
    {"checks", offsetof(CuteRunOptions, checks), NULL},
    {"schedules", 0, takeSchedules},
    {"report", 0, takeReport},
    {"trace", offsetof(CuteRunOptions, trace), NULL},
    {"break", offsetof(CuteRunOptions, breakAt), NULL},
    {"baseline", 0, takeBaseline},
    {"cache", 0, takeCache},
    {"device", 0, takeDevice},
    {"grid", 0, takeGrid},
    {"tolerance", 0, takeTolerance},
    {"sample", 0, takeSample},
    {"output", 0, takeOutput},
    {"reference", 0, takeReference},
};

// Options that stand alone.
static const struct {
  const char *name;
  size_t offset; // of a bool in CuteRunOptions
} flags[] = {
    {"bench", offsetof(CuteRunOptions, bench)},
    {"list", offsetof(CuteRunOptions, list)},
    {"json", offsetof(CuteRunOptions, json)},
    {"report", offsetof(CuteRunOptions, reports)},
    {"time", offsetof(CuteRunOptions, time)},
    {"help", offsetof(CuteRunOptions, help)},
    {"h", offsetof(CuteRunOptions, help)},
    {"version", offsetof(CuteRunOptions, version)},
    {"header", offsetof(CuteRunOptions, header)},
    {"has-device", offsetof(CuteRunOptions, hasDevice)},
    {"device-arch", offsetof(CuteRunOptions, deviceArch)},
};

static bool takeFlag(CuteRunOptions *options, CuteStringRef name) {
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    if (cuteTextEquals(name, flags[i].name)) {
      *(bool *)((char *)options + flags[i].offset) = true;
      return true;
    }
  return false;
}

static CuteStatus takeValued(CuteRunOptions *options, CuteStringRef name,
                             const char *value, bool *isKnown) {
  for (size_t i = 0; i < sizeof valued / sizeof *valued; ++i) {
    *isKnown = cuteTextEquals(name, valued[i].name);
    if (*isKnown && valued[i].take)
      return valued[i].take(options, value);
    if (*isKnown) {
      memcpy((char *)options + valued[i].offset, &value, sizeof value);
      return NULL;
    }
  }
  return NULL;
}

static CuteStatus takeAgain(CuteRunOptions *options) {
  return ++options->numAgain < CUTE_RUN_MAX_RUNS
             ? NULL
             : cuteStatusCreate("more than %d runs", CUTE_RUN_MAX_RUNS);
}

// A flag, --name=value, or --name with the next argument as its value.
static CuteStatus takeOption(CuteRunOptions *options, char **argv, int *i) {
  const char *text = argv[*i] + (argv[*i][1] == '-' ? 2 : 1);
  CuteStringRef name = {text, strcspn(text, "=")};
  bool isKnown = false, hasValue = text[name.length];
  if (!hasValue && cuteTextEquals(name, "again"))
    return takeAgain(options);
  if (!hasValue && takeFlag(options, name))
    return NULL;
  const char *value = hasValue ? text + name.length + 1 : argv[*i + 1];
  if (value)
    CUTE_TRY(takeValued(options, name, value, &isKnown));
  *i += isKnown && !hasValue;
  if (isKnown)
    return NULL;
  CuteSuggestion suggestion = cuteSuggestionBegin(name);
  cuteSuggestionOfferOptions(&suggestion, help);
  if (suggestion.best.length && !suggestion.distance)
    return cuteStatusCreate("'%s' %s value; see --help", argv[*i],
                            hasValue ? "takes no" : "needs a");
  bool isNear = suggestion.best.length;
  return cuteStatusCreate("unknown option '%s'; %s%.*s%s", argv[*i],
                          isNear ? "did you mean '--" : "see --help",
                          (int)suggestion.best.length, suggestion.best.data,
                          isNear ? "'? See --help" : "");
}

static bool isOption(const char *argument) {
  return argument[0] == '-' &&
         (argument[1] == '-' || (argument[1] >= 'a' && argument[1] <= 'z'));
}

static CuteStatus takePositional(CuteRunOptions *options,
                                 const char *argument) {
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

CuteStatus cuteRunOptionsTake(CuteRunOptions *options, int argc, char **argv) {
  *options = (CuteRunOptions){.tolerance = 1e-3};
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--"); ++i)
    CUTE_TRY(isOption(argv[i]) ? takeOption(options, argv, &i)
                               : takePositional(options, argv[i]));
  for (++i; i < argc; ++i)
    CUTE_TRY(takePositional(options, argv[i]));
  if (options->host && (options->bench || options->hasGrid))
    return cuteStatusCreate("--%s is of kernels, and does not go with --host",
                            options->bench ? "bench" : "grid");
  if (options->numAgain && (options->host || options->bench ||
                            options->numOutputs || options->numReferences))
    return cuteStatusCreate("--again goes with --check, and not with --host, "
                            "--bench, --output or --reference");
  bool asks = options->help || options->version || options->header ||
              options->hasDevice || options->deviceArch || options->lines;
  return options->manifest || asks
             ? NULL
             : cuteStatusCreate("no manifest; see --help");
}

void cuteRunPrintHelp(void) { fputs(help, stdout); }
