// cute-run: runs a compiled kernel, checks what it computed and times it.
#include "Runtime/run.h"
#include "Runtime/launch.h"
#include "Runtime/reference.h"
#include "Runtime/run_report.h"
#include "Support/clock.h"

#include <stdarg.h>
#include <stdlib.h>

//===-- Arguments ---------------------------------------------------------===//

// What --flops says for the arguments.
static bool countOperations(const CuteRunOptions *options,
                            const CuteArgument *arguments,
                            CuteRunResults *results) {
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
static const char *splitOutput(const CuteRunOptions *options,
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

static void describe(size_t index, const CuteComparison *c,
                     const CuteSample *sample, const CuteArray *array) {
  printf("argument %zu: relative error %.2e (max|error|/max|reference|), "
         "%.2e (Frobenius)",
         index, c->maxError, c->frobenius);
  if (sample)
    printf(" of %lld of %lld elements", (long long)cuteSampleGetSize(sample),
           (long long)cuteArrayGetSize(array));
  putchar('\n');
}

static void complain(size_t index, const CuteComparison *c) {
  if (c->unwritten && !c->notNumbers)
    fprintf(stderr,
            "error: argument %zu: %lld elements outside of the sample are no "
            "numbers\n",
            index, (long long)c->unwritten);
  else
    fprintf(stderr,
            "error: argument %zu differs from the reference: element %lld is "
            "%g, not %g; %lld elements are no numbers\n",
            index, (long long)c->worst, c->found, c->wanted,
            (long long)c->notNumbers);
}

// `sample` is null for all elements.
static bool compare(const CuteRunOptions *options, size_t index,
                    const CuteSample *sample, const CuteArray *found,
                    const CuteArray *wanted, CuteRunResults *results) {
  CuteComparison c;
  if (!(sample ? cuteSampleCompare(sample, found, wanted, &c)
               : cuteArrayCompare(found, wanted, &c)))
    return false;
  bool ok = c.maxError <= options->tolerance;
  if (c.maxError > results->error)
    results->error = c.maxError;
  if (!options->row && !options->json)
    describe(index, &c, sample, found);
  if (!ok)
    complain(index, &c);
  return ok;
}

static bool isPart(const CuteReference *reference) {
  return cuteSampleGetSize(&reference->sample) <
         cuteArrayGetSize(&reference->values);
}

static bool checkExpression(const CuteRunOptions *options,
                            const CuteArgument *arguments,
                            const CuteReference *reference,
                            CuteRunResults *results) {
  size_t index = reference->argument;
  if (!options->check)
    return true;
  if (!options->flops)
    results->operations = reference->operations;
  results->isSampled = isPart(reference);
  return compare(options, index, results->isSampled ? &reference->sample : NULL,
                 &arguments[index].array, &reference->values, results);
}

static bool checkFiles(const CuteRunOptions *options,
                       const CuteArgument *arguments, CuteRunResults *results) {
  bool ok = true;
  for (size_t i = 0; ok && i < options->numReferences; ++i) {
    size_t index;
    CuteArray wanted;
    const char *path =
        splitOutput(options, arguments, options->references[i], &index);
    ok = path && cuteNpyRead(&wanted, path);
    if (!ok)
      return false;
    ok = compare(options, index, NULL, &arguments[index].array, &wanted,
                 results);
    cuteArrayDestroy(&wanted);
  }
  return ok;
}

static bool writeOutputs(const CuteRunOptions *options,
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

static void note(CuteRunResults *results, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(results->baselineNote, sizeof results->baselineNote, format,
            values);
  va_end(values);
}

// Whether cuBLAS computes what the reference says, too; beyond ten times the
// tolerance it computes something else.
static bool agrees(const CuteRunOptions *options, const CuteLaunch *launch,
                   const CuteReference *reference, CuteRunResults *results) {
  enum { FACTOR = 10 };
  CuteComparison c;
  const CuteArray *of = &launch->arguments[reference->argument].array;
  CuteArray found;
  if (!options->check)
    return true;
  bool ok =
      cuteArrayCreate(&found, of->type, of->rank, of->extents, of->strides) &&
      cuteLaunchRead(launch, reference->argument, &found) &&
      cuteSampleCompare(&reference->sample, &found, &reference->values, &c);
  cuteArrayDestroy(&found);
  if (ok && !(c.maxError <= FACTOR * options->tolerance)) {
    note(results, "its error is %.1e", c.maxError);
    ok = false;
  }
  return ok;
}

// cuBLAS for the arguments, where it takes them and computes the same.
static CuteBlas *prepareBlas(const CuteRunOptions *options,
                             const CuteLaunch *launch,
                             const CuteReference *reference,
                             CuteRunResults *results) {
  const char *problem = NULL;
  CuteBlas *blas = cuteBlasCreate(launch, &problem);
  if (blas && cuteBlasStart(blas) &&
      cuteCudaCheck(launch->cuda, launch->cuda->synchronize(),
                    "running cuBLAS") &&
      agrees(options, launch, reference, results))
    return blas;
  if (blas && cuteBlasGetStatus(blas))
    note(results, "status %d%s", cuteBlasGetStatus(blas),
         cuteBlasGetStatus(blas) == CUTE_BLAS_NOT_SUPPORTED ? ", not supported"
                                                            : "");
  else if (!*results->baselineNote)
    note(results, "%s", problem ? problem : "it fails");
  cuteBlasDestroy(blas);
  return NULL;
}

static void prepareCopy(CuteDeviceCopy *copy, const CuteLaunch *launch,
                        CuteRunResults *results) {
  if (!cuteDeviceCopyCreate(copy, launch))
    note(results, copy->bytes ? "no memory for one of the largest tensor"
                              : "there is no tensor");
  results->baselineBytes = 2 * (double)copy->bytes;
}

static bool startLaunch(void *launch) { return cuteLaunchStart(launch); }

// Times the kernel and the baseline; where there is none, a note says why.
static bool measure(const CuteRunOptions *options, CuteLaunch *launch,
                    const CuteReference *reference, CuteRunResults *results) {
  CuteTimed timed[2] = {{startLaunch, launch, 0}};
  CuteBlas *blas = NULL;
  if (options->baseline == CUTE_BASELINE_CUBLAS)
    blas = prepareBlas(options, launch, reference, results);
  if (blas)
    timed[1] = (CuteTimed){cuteBlasStart, blas, 0};
  CuteDeviceCopy copy = {0};
  if (options->baseline == CUTE_BASELINE_COPY)
    prepareCopy(&copy, launch, results);
  if (copy.to)
    timed[1] = (CuteTimed){cuteDeviceCopyStart, &copy, 0};
  CuteTiming timing = cuteTimingThorough;
  timing.cache = options->cache;
  bool ok = cuteMeasure(launch->cuda, timed[1].work ? 2 : 1, timed, &timing);
  results->milliseconds = timed[0].milliseconds;
  results->baseline = timed[1].milliseconds;
  cuteDeviceCopyDestroy(&copy);
  cuteBlasDestroy(blas);
  return ok;
}

//===-- Main --------------------------------------------------------------===//

// Says with --time what took how long since the time before.
static void lap(const CuteRunOptions *options, double *since,
                const char *what) {
  double now = cuteNow();
  if (options->time)
    fprintf(stderr, "%-10s %8.3f s\n", what, (now - *since) / 1e3);
  *since = now;
}

// Runs the kernel, checks its results, and times it where they hold.
static bool runLaunch(const CuteRunOptions *options, CuteLaunch *launch,
                      const CuteReference *reference, CuteRunResults *results) {
  double since = cuteNow();
  const CuteArgument *arguments = launch->arguments;
  bool ok = cuteLaunchStart(launch) && cuteLaunchFinish(launch);
  lap(options, &since, "run");
  ok = ok && checkExpression(options, arguments, reference, results) &&
       checkFiles(options, arguments, results) &&
       writeOutputs(options, arguments);
  lap(options, &since, "compare");
  if (!ok || !options->bench)
    return ok;
  ok = measure(options, launch, reference, results);
  lap(options, &since, "bench");
  return ok;
}

// The reference is evaluated first: a kernel may overwrite its inputs.
static bool evaluateReference(const CuteRunOptions *options,
                              const CuteArgument *arguments,
                              CuteReference *reference) {
  CuteArray arrays[CUTE_RUN_MAX_ARGUMENTS];
  for (size_t i = 0; i < options->numArguments; ++i)
    arrays[i] = arguments[i].array;
  return !options->check ||
         cuteReferenceSample(options->check, options->numArguments, arrays,
                             options->sample ? options->sample : INT64_MAX,
                             options->seed, reference);
}

static bool runKernel(const CuteRunOptions *options,
                      const CuteManifest *manifest, const CuteKernel *kernel,
                      CuteArgument *arguments, CuteRunResults *results) {
  CuteReference reference = {0};
  CuteLaunch launch;
  CuteCuda cuda;
  double since = cuteNow();
  if (!cuteCudaOpen(&cuda))
    return false;
  lap(options, &since, "driver");
  bool ok = evaluateReference(options, arguments, &reference);
  lap(options, &since, "reference");
  ok = ok && cuteLaunchCreate(&launch, &cuda, manifest->path, kernel,
                              options->numArguments, arguments,
                              options->hasGrid ? options->grid : NULL);
  lap(options, &since, "load");
  if (ok) {
    ok = runLaunch(options, &launch, &reference, results);
    cuteLaunchDestroy(&launch);
  }
  cuteReferenceDestroy(&reference);
  cuteCudaClose(&cuda);
  return ok;
}

static bool run(const CuteRunOptions *options) {
  CuteManifest manifest;
  CuteKernel kernel;
  CuteArgument arguments[CUTE_RUN_MAX_ARGUMENTS] = {0};
  CuteRunResults results = {.error = -1};
  double since = cuteNow();
  if (!cuteManifestRead(&manifest, options->manifest))
    return false;
  if (options->list) {
    bool printed = cuteManifestPrint(&manifest);
    cuteManifestDestroy(&manifest);
    return printed;
  }
  bool ok = cuteManifestGetKernel(&manifest, options->kernel, &kernel);
  for (size_t i = 0; ok && i < options->numArguments; ++i) {
    ok = cuteArgumentParse(&arguments[i], options->arguments[i]);
    if (ok && arguments[i].array.data)
      results.bytes += (double)cuteArrayGetBytes(&arguments[i].array);
  }
  lap(options, &since, "inputs");
  ok = ok && countOperations(options, arguments, &results) &&
       runKernel(options, &manifest, &kernel, arguments, &results);
  if (ok)
    cuteRunReport(options, &results);
  for (size_t i = 0; i < options->numArguments; ++i)
    cuteArrayDestroy(&arguments[i].array);
  cuteManifestDestroy(&manifest);
  return ok;
}

int cuteRunMain(int argc, char **argv) {
  CuteRunOptions options;
  int code = cuteRunOptionsTake(&options, argc, argv);
  if (code >= 0)
    return code;
  return run(&options) ? 0 : 1;
}
