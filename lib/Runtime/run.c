// cute-run: runs a compiled kernel, checks what it computed and times it.
#include "Runtime/run.h"
#include "Runtime/launch.h"
#include "Runtime/reference.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_ARGUMENTS = 32, MAX_OUTPUTS = 32, SAMPLES = 15 };

typedef struct Options {
  const char *manifest, *kernel, *check, *baseline, *row, *flops;
  const char *outputs[MAX_OUTPUTS], *references[MAX_OUTPUTS]; // I=FILE
  size_t numOutputs, numReferences, numArguments;
  const char *arguments[MAX_ARGUMENTS];
  int64_t grid[3];
  double tolerance;
  bool hasGrid, bench, list, json;
} Options;

typedef struct Results {
  double error;      // the largest of all comparisons; -1: nothing compared
  double operations; // of --flops, or of the reference
  double bytes;      // of all tensors
  double milliseconds, baseline; // 0: not measured
  double baselineBytes; // that a copy reads and writes; 0: the same work
} Results;

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
    "  --reference I=FILE.npy  compare tensor I with a file\n"
    "  --tolerance=T           largest max|error|/max|reference| (default: "
    "1e-3)\n"
    "  --bench                 time it: median over device events\n"
    "  --flops=EXPRESSION      operations to rate it by: 2 * arg0.shape[0]\n"
    "  --baseline=cublas|copy  and beside it cuBLAS, or a copy of as many "
    "bytes\n"
    "  --json                  print the results as one line of JSON\n"
    "  --row=LABEL             print one line of a table instead of sentences\n"
    "  --header                print the head of that table\n"
    "  --has-device            say by the exit code whether a GPU is there\n"
    "  --device-arch           print the architecture of the GPU: sm_90\n"
    "  --help, --version\n"
    "\n"
    "The exit code is 0 if the kernel ran and all comparisons held.\n";

static const char header[] =
    "kernel and size                  error    time      rate           "
    "baseline\n";

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
static bool takeGrid(Options *options, const char *text) {
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

static bool takeTolerance(Options *options, const char *text) {
  char *end;
  options->tolerance = strtod(text, &end);
  bool ok = end != text && !*end && options->tolerance >= 0;
  if (!ok)
    fprintf(stderr, "error: --tolerance needs a number >= 0, not '%s'\n", text);
  return ok;
}

// Takes an option that has a value; 1 taken, 0 unknown, -1 wrong.
static int takeValued(Options *options, const char *name, const char *value) {
  static const char *const names[] = {
      "kernel", "check",     "baseline", "row",       "flops",
      "grid",   "tolerance", "output",   "reference", NULL};
  size_t which = 0;
  while (names[which] && strcmp(names[which], name))
    ++which;
  if (!names[which])
    return 0;
  const char **texts[] = {&options->kernel, &options->check, &options->baseline,
                          &options->row, &options->flops};
  if (which < 5)
    *texts[which] = value;
  else if (which == 5)
    return takeGrid(options, value) ? 1 : -1;
  else if (which == 6)
    return takeTolerance(options, value) ? 1 : -1;
  else if (which == 7 && options->numOutputs < MAX_OUTPUTS)
    options->outputs[options->numOutputs++] = value;
  else if (which == 8 && options->numReferences < MAX_OUTPUTS)
    options->references[options->numReferences++] = value;
  return 1;
}

// Splits --name=value or takes the next argument as the value.
static int takeOption(Options *options, int argc, char **argv, int *i) {
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

static bool takePositional(Options *options, const char *argument) {
  if (!options->manifest) {
    options->manifest = argument;
    return true;
  }
  if (options->numArguments == MAX_ARGUMENTS) {
    fprintf(stderr, "error: more than %d arguments\n", MAX_ARGUMENTS);
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
static int takeArgument(Options *options, int argc, char **argv, int *i) {
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
    fputs(header, stdout);
    return 0;
  }
  if (hasName(argument, "has-device", &value))
    return cuteCudaIsPresent() ? 0 : 1;
  if (hasName(argument, "device-arch", &value))
    return printArch();
  bool *flag = hasName(argument, "bench", &value)  ? &options->bench
               : hasName(argument, "list", &value) ? &options->list
               : hasName(argument, "json", &value) ? &options->json
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

//===-- Arguments ---------------------------------------------------------===//

// Numbers are kept as text; everything else is a tensor.
static bool readArgument(const char *text, CuteArgument *argument) {
  *argument = (CuteArgument){0};
  size_t n = strlen(text);
  bool isTensor = strchr(text, '[') || (n > 4 && !strcmp(text + n - 4, ".npy"));
  if (isTensor)
    return cuteArrayParse(&argument->array, text);
  argument->text = text;
  return true;
}

// What --flops says for the arguments.
static bool countOperations(const Options *options,
                            const CuteArgument *arguments, Results *results) {
  int64_t n = 0;
  if (!options->flops)
    return true;
  if (!cuteArgumentsEvaluate(options->flops, options->numArguments, arguments,
                             &n))
    return false;
  results->operations = (double)n;
  if (n <= 0)
    fprintf(stderr, "error: --flops=%s gives %lld operations\n", options->flops,
            (long long)n);
  return n > 0;
}

// I=FILE, where I is the number of a tensor argument.
static const char *splitOutput(const Options *options,
                               const CuteArgument *arguments, const char *text,
                               size_t *index) {
  char *end;
  *index = strtoul(text, &end, 10);
  if (end != text && *end == '=' && *index < options->numArguments &&
      arguments[*index].array.data)
    return end + 1;
  fprintf(stderr, "error: '%s' is not I=FILE.npy with the number of a tensor\n",
          text);
  return NULL;
}

//===-- Checking ----------------------------------------------------------===//

static bool compare(const Options *options, size_t index,
                    const CuteArray *found, const CuteArray *wanted,
                    Results *results) {
  CuteComparison c;
  if (!cuteArrayCompare(found, wanted, &c))
    return false;
  bool ok = c.maxError <= options->tolerance;
  if (c.maxError > results->error)
    results->error = c.maxError;
  if (!options->row && !options->json)
    printf("argument %zu: relative error %.2e (max|error|/max|reference|), "
           "%.2e (Frobenius)\n",
           index, c.maxError, c.frobenius);
  if (!ok)
    fprintf(stderr,
            "error: argument %zu differs from the reference: element %lld is "
            "%g, not %g; %lld elements are no numbers\n",
            index, (long long)c.worst, c.found, c.wanted,
            (long long)c.notNumbers);
  return ok;
}

static bool checkExpression(const Options *options, const CuteArray *arrays,
                            CuteReference *reference, Results *results) {
  if (!options->flops)
    results->operations = reference->operations;
  return compare(options, reference->argument, &arrays[reference->argument],
                 &reference->values, results);
}

static bool checkFiles(const Options *options, const CuteArgument *arguments,
                       Results *results) {
  bool ok = true;
  for (size_t i = 0; ok && i < options->numReferences; ++i) {
    size_t index;
    CuteArray wanted;
    const char *path =
        splitOutput(options, arguments, options->references[i], &index);
    ok = path && cuteNpyRead(&wanted, path);
    if (!ok)
      return false;
    ok = compare(options, index, &arguments[index].array, &wanted, results);
    cuteArrayDestroy(&wanted);
  }
  return ok;
}

static bool writeOutputs(const Options *options,
                         const CuteArgument *arguments) {
  for (size_t i = 0; i < options->numOutputs; ++i) {
    size_t index;
    const char *path =
        splitOutput(options, arguments, options->outputs[i], &index);
    if (!path || !cuteNpyWrite(&arguments[index].array, path))
      return false;
  }
  return true;
}

//===-- Timing ------------------------------------------------------------===//

static bool startLaunch(void *launch) { return cuteLaunchStart(launch); }

static bool measure(const Options *options, CuteLaunch *launch,
                    Results *results) {
  CuteTimed timed[2] = {{startLaunch, launch, 0}};
  size_t n = 1;
  CuteBlas *blas = NULL;
  if (options->baseline && !strcmp(options->baseline, "cublas")) {
    blas = cuteBlasCreate(launch);
    if (!blas)
      return false;
    timed[n++] = (CuteTimed){cuteBlasStart, blas, 0};
  } else if (options->baseline && !strcmp(options->baseline, "copy")) {
    timed[n++] = (CuteTimed){cuteDeviceCopyStart, launch, 0};
    results->baselineBytes = 2 * (double)cuteDeviceCopyGetBytes(launch);
  } else if (options->baseline) {
    fprintf(stderr, "error: unknown baseline '%s'; known: cublas, copy\n",
            options->baseline);
    return false;
  }
  bool ok = cuteMeasure(launch->cuda, n, timed, SAMPLES);
  results->milliseconds = timed[0].milliseconds;
  results->baseline = timed[1].milliseconds;
  cuteBlasDestroy(blas);
  return ok;
}

//===-- Reports -----------------------------------------------------------===//

// How the kernel's speed compares: its time for the same work, or its rate
// beside that of a copy.
static double speedRatio(const Results *results) {
  double times = results->baseline / results->milliseconds;
  return results->baselineBytes
             ? times * results->bytes / results->baselineBytes
             : times;
}

// Kernels that do much arithmetic per byte are rated by it.
static void formatRate(const Results *results, double milliseconds, char *text,
                       size_t capacity) {
  if (!milliseconds)
    *text = '\0';
  else if (results->operations > 8 * results->bytes)
    snprintf(text, capacity, "%.1f TFLOP/s",
             results->operations / milliseconds * 1e-9);
  else
    snprintf(text, capacity, "%.0f GB/s", results->bytes / milliseconds * 1e-6);
}

static void appendJson(const char *name, double value, bool isKnown) {
  if (isKnown)
    printf("\"%s\": %.6g, ", name, value);
  else
    printf("\"%s\": null, ", name);
}

static void printJson(const Results *results) {
  putchar('{');
  appendJson("error", results->error,
             results->error >= 0 && isfinite(results->error));
  appendJson("milliseconds", results->milliseconds, results->milliseconds > 0);
  appendJson("baseline", results->baseline, results->baseline > 0);
  appendJson("operations", results->operations, results->operations > 0);
  printf("\"bytes\": %.0f}\n", results->bytes);
}

static void report(const Options *options, const Results *results) {
  char rate[32], error[16] = "-", ratio[48] = "-";
  formatRate(results, results->milliseconds, rate, sizeof rate);
  if (results->error >= 0)
    snprintf(error, sizeof error, "%.1e", results->error);
  if (results->baseline)
    snprintf(ratio, sizeof ratio, "%.2fx %s", speedRatio(results),
             options->baseline);
  if (options->json)
    printJson(results);
  else if (options->row)
    printf("%-32s %-8s %-9.4g %-14s %s\n", options->row, error,
           results->milliseconds, rate, ratio);
  else if (results->milliseconds)
    printf("%.4g ms, %s, %s\n", results->milliseconds, rate, ratio);
}

//===-- Main --------------------------------------------------------------===//

static bool runOnDevice(const Options *options, const CuteCuda *cuda,
                        const CuteManifest *manifest, const CuteKernel *kernel,
                        CuteArgument *arguments, Results *results) {
  CuteLaunch launch;
  if (!cuteLaunchCreate(&launch, cuda, manifest->path, kernel,
                        options->numArguments, arguments,
                        options->hasGrid ? options->grid : NULL))
    return false;
  bool ok = cuteLaunchStart(&launch) && cuteLaunchFinish(&launch) &&
            (!options->bench || measure(options, &launch, results));
  cuteLaunchDestroy(&launch);
  return ok;
}

// The reference is evaluated first: a kernel may overwrite its inputs.
static bool runKernel(const Options *options, const CuteManifest *manifest,
                      const CuteKernel *kernel, CuteArgument *arguments,
                      Results *results) {
  CuteArray arrays[MAX_ARGUMENTS];
  for (size_t i = 0; i < options->numArguments; ++i)
    arrays[i] = arguments[i].array;
  CuteReference reference = {0};
  CuteCuda cuda;
  if (!cuteCudaOpen(&cuda))
    return false;
  if (options->check &&
      !cuteReferenceEvaluate(options->check, options->numArguments, arrays,
                             &reference))
    return false;
  bool ok = runOnDevice(options, &cuda, manifest, kernel, arguments, results) &&
            (!options->check ||
             checkExpression(options, arrays, &reference, results)) &&
            checkFiles(options, arguments, results) &&
            writeOutputs(options, arguments);
  cuteArrayDestroy(&reference.values);
  cuteCudaClose(&cuda);
  return ok;
}

static bool run(const Options *options) {
  CuteManifest manifest;
  CuteKernel kernel;
  CuteArgument arguments[MAX_ARGUMENTS] = {0};
  Results results = {.error = -1};
  if (!cuteManifestRead(&manifest, options->manifest))
    return false;
  if (options->list) {
    bool printed = cuteManifestPrint(&manifest);
    cuteManifestDestroy(&manifest);
    return printed;
  }
  bool ok = cuteManifestGetKernel(&manifest, options->kernel, &kernel);
  for (size_t i = 0; ok && i < options->numArguments; ++i) {
    ok = readArgument(options->arguments[i], &arguments[i]);
    if (ok && arguments[i].array.data)
      results.bytes += (double)cuteArrayGetBytes(&arguments[i].array);
  }
  ok = ok && countOperations(options, arguments, &results) &&
       runKernel(options, &manifest, &kernel, arguments, &results);
  if (ok)
    report(options, &results);
  for (size_t i = 0; i < options->numArguments; ++i)
    cuteArrayDestroy(&arguments[i].array);
  cuteManifestDestroy(&manifest);
  return ok;
}

int cuteRunMain(int argc, char **argv) {
  Options options = {.tolerance = 1e-3};
  for (int i = 1; i < argc; ++i) {
    int code = takeArgument(&options, argc, argv, &i);
    if (code >= 0)
      return code;
  }
  if (!options.manifest) {
    fprintf(stderr, "error: no manifest; see --help\n");
    return 1;
  }
  return run(&options) ? 0 : 1;
}
