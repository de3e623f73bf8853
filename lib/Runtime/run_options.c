#include "Runtime/cuda.h"
#include "Runtime/run_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "OVERVIEW: runs a kernel that cutec compiled, on the first CUDA device\n"
    "\n"
    "USAGE: cute-run [options] kernel.json ARGUMENT...\n"
    "\n"
    "ARGUMENTS, in the order of the kernel's parameters:\n"
    "  FILE.npy                a tensor from a file\n"
    "  f16[64x32]:normal(1)    a generated row-major tensor; generators:\n"
    "                          normal(SEED), uniform(SEED), integers(SEED),\n"
    "                          bits(SEED), places(SEED) (metadata of sparse\n"
    "                          matrices), scales(SEED) (positive factors),\n"
    "                          iota, zeros, fill(VALUE), poison (bytes 0xff)\n"
    "  f16[(64,32):(40,1)]     the same with a layout, here rows of 40\n"
    "  42, 0.5, (4,8)          numbers for other parameters\n"
    "\n"
    "OPTIONS:\n"
    "  --list                  print kernels and parameters, run nothing\n"
    "  --kernel=NAME           if the manifest has several\n"
    "  --grid=X[,Y[,Z]]        blocks (default: the manifest's expressions)\n"
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
    "  --cache=cold|warm       with other data in the L2 cache before each run "
    "that\n"
    "                          is timed (default), or with what the run before "
    "left\n"
    "  --flops=EXPRESSION      operations to rate it by: 2 * arg0.shape[0]\n"
    "  --baseline=cublas|copy  and beside it cuBLAS, or the rate of a copy of "
    "the\n"
    "                          largest tensor\n"
    "  --time                  say on standard error what takes how long\n"
    "  --json                  print the results as one line of JSON\n"
    "  --row=LABEL             print one line of a table instead of sentences\n"
    "  --header                print the head of that table\n"
    "  --has-device            say by the exit code whether a GPU is there\n"
    "  --device-arch           print the architecture of the GPU: sm_90\n"
    "  --help, --version\n"
    "\n"
    "The exit code is 0 if the kernel ran and all comparisons held.\n";

//===-- Options -----------------------------------------------------------===//

static bool hasName(const char *argument, const char *name,
                    const char **value) {
  argument += *argument == '-';
  argument += *argument == '-';
  size_t n = strlen(name);
  if (strncmp(argument, name, n) || (argument[n] && argument[n] != '='))
    return false;
  *value = argument[n] ? argument + n + 1 : NULL;
  return true;
}

// One to three extents of at least 1.
static bool takeGrid(CuteRunOptions *options, const char *text) {
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
  ok = ok && !more && !*at;
  options->hasGrid = ok;
  if (!ok)
    fprintf(stderr, "error: --grid needs X, X,Y or X,Y,Z, not '%s'\n", text);
  return ok;
}

static bool takeTolerance(CuteRunOptions *options, const char *text) {
  char *end;
  options->tolerance = strtod(text, &end);
  bool ok = end != text && !*end && options->tolerance >= 0;
  if (!ok)
    fprintf(stderr, "error: --tolerance needs a number >= 0, not '%s'\n", text);
  return ok;
}

// COUNT or COUNT,SEED.
static bool takeSample(CuteRunOptions *options, const char *text) {
  char *end;
  options->sample = strtoll(text, &end, 10);
  bool ok = end != text && options->sample >= 1;
  if (ok && *end == ',') {
    const char *seed = end + 1;
    options->seed = strtoull(seed, &end, 10);
    ok = end != seed;
  }
  ok = ok && !*end;
  if (!ok)
    fprintf(stderr, "error: --sample needs COUNT or COUNT,SEED, not '%s'\n",
            text);
  return ok;
}

static bool takeBaseline(CuteRunOptions *options, const char *text) {
  options->baseline = !strcmp(text, "cublas") ? CUTE_BASELINE_CUBLAS
                      : !strcmp(text, "copy") ? CUTE_BASELINE_COPY
                                              : CUTE_BASELINE_NONE;
  if (!options->baseline)
    fprintf(stderr, "error: unknown baseline '%s'; known: cublas, copy\n",
            text);
  return options->baseline;
}

static bool takeCache(CuteRunOptions *options, const char *text) {
  bool warm = !strcmp(text, "warm");
  if (!warm && strcmp(text, "cold")) {
    fprintf(stderr, "error: unknown cache '%s'; known: cold, warm\n", text);
    return false;
  }
  options->cache = warm ? CUTE_CACHE_WARM : CUTE_CACHE_COLD;
  return true;
}

static bool takeOutput(CuteRunOptions *options, const char *text) {
  bool ok = options->numOutputs < CUTE_RUN_MAX_OUTPUTS;
  if (ok)
    options->outputs[options->numOutputs++] = text;
  else
    fprintf(stderr, "error: more than %d outputs\n", CUTE_RUN_MAX_OUTPUTS);
  return ok;
}

static bool takeReference(CuteRunOptions *options, const char *text) {
  bool ok = options->numReferences < CUTE_RUN_MAX_OUTPUTS;
  if (ok)
    options->references[options->numReferences++] = text;
  else
    fprintf(stderr, "error: more than %d references\n", CUTE_RUN_MAX_OUTPUTS);
  return ok;
}

// Options that have a value: text that is kept, or what takes it.
static const struct {
  const char *name;
  size_t offset; // of the text in CuteRunOptions, where nothing takes it
  bool (*take)(CuteRunOptions *options, const char *text);
} valued[] = {
    {"kernel", offsetof(CuteRunOptions, kernel), NULL},
    {"check", offsetof(CuteRunOptions, check), NULL},
    {"row", offsetof(CuteRunOptions, row), NULL},
    {"flops", offsetof(CuteRunOptions, flops), NULL},
    {"baseline", 0, takeBaseline},
    {"cache", 0, takeCache},
    {"grid", 0, takeGrid},
    {"tolerance", 0, takeTolerance},
    {"sample", 0, takeSample},
    {"output", 0, takeOutput},
    {"reference", 0, takeReference},
};

// Takes an option that has a value; 1 taken, 0 unknown, -1 wrong.
static int takeValued(CuteRunOptions *options, const char *name,
                      const char *value) {
  for (size_t i = 0; i < sizeof valued / sizeof *valued; ++i) {
    if (strcmp(valued[i].name, name))
      continue;
    if (valued[i].take)
      return valued[i].take(options, value) ? 1 : -1;
    memcpy((char *)options + valued[i].offset, &value, sizeof value);
    return 1;
  }
  return 0;
}

// Splits --name=value or takes the next argument as the value.
static int takeOption(CuteRunOptions *options, int argc, char **argv, int *i) {
  char name[32];
  const char *text = argv[*i] + (argv[*i][1] == '-' ? 2 : 1);
  size_t n = strcspn(text, "=");
  if (n >= sizeof name)
    return 0;
  memcpy(name, text, n);
  name[n] = '\0';
  const char *value = text[n]         ? text + n + 1
                      : *i + 1 < argc ? argv[*i + 1]
                                      : NULL;
  if (!value)
    return 0;
  int taken = takeValued(options, name, value);
  *i += taken > 0 && !text[n];
  return taken;
}

static bool isOption(const char *argument) {
  return argument[0] == '-' &&
         (argument[1] == '-' || (argument[1] >= 'a' && argument[1] <= 'z'));
}

static bool takePositional(CuteRunOptions *options, const char *argument) {
  if (!options->manifest) {
    options->manifest = argument;
    return true;
  }
  if (options->numArguments == CUTE_RUN_MAX_ARGUMENTS) {
    fprintf(stderr, "error: more than %d arguments\n", CUTE_RUN_MAX_ARGUMENTS);
    return false;
  }
  options->arguments[options->numArguments++] = argument;
  return true;
}

static int printArch(void) {
  int arch = cuteCudaGetArch();
  if (arch)
    printf("sm_%d\n", arch);
  else
    fputs("error: there is no CUDA device\n", stderr);
  return arch ? 0 : 1;
}

// -1 to go on, or the exit code.
static int takeArgument(CuteRunOptions *options, int argc, char **argv,
                        int *i) {
  const char *value, *argument = argv[*i];
  if (!isOption(argument))
    return takePositional(options, argument) ? -1 : 1;
  if (hasName(argument, "help", &value) || hasName(argument, "h", &value)) {
    fputs(help, stdout);
    return 0;
  }
  if (hasName(argument, "version", &value)) {
    puts("cute-run " CUTE_VERSION);
    return 0;
  }
  if (hasName(argument, "header", &value)) {
    cuteRunPrintHeader();
    return 0;
  }
  if (hasName(argument, "has-device", &value))
    return cuteCudaIsPresent() ? 0 : 1;
  if (hasName(argument, "device-arch", &value))
    return printArch();
  bool *flag = hasName(argument, "bench", &value)  ? &options->bench
               : hasName(argument, "list", &value) ? &options->list
               : hasName(argument, "json", &value) ? &options->json
               : hasName(argument, "time", &value) ? &options->time
                                                   : NULL;
  if (flag) {
    *flag = true;
    return -1;
  }
  int taken = takeOption(options, argc, argv, i);
  if (!taken)
    fprintf(stderr,
            "error: unknown option or missing value: '%s'; see "
            "--help\n",
            argument);
  return taken > 0 ? -1 : 1;
}

int cuteRunOptionsTake(CuteRunOptions *options, int argc, char **argv) {
  *options = (CuteRunOptions){.tolerance = 1e-3};
  for (int i = 1; i < argc; ++i) {
    int code = takeArgument(options, argc, argv, &i);
    if (code >= 0)
      return code;
  }
  if (options->manifest)
    return -1;
  fprintf(stderr, "error: no manifest; see --help\n");
  return 1;
}
