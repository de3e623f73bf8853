// cute-run: runs a compiled kernel, checks what it computed and times it.
#include "Run/run.h"
#include "Support/clock.h"
#include "Support/command_line.h"

// A kernel with its operands, and what is found out.
typedef struct Run {
  const CuteRunOptions *options;
  CuteManifest manifest;
  CuteKernel kernel;
  size_t numOperands, numArguments;             // parsed ones, and the kernel's
  CuteOperand operands[CUTE_RUN_MAX_ARGUMENTS]; // with tensors as given
  CuteArray found[CUTE_RUN_MAX_ARGUMENTS];      // what the kernel made of them
  CuteKept *kept;
  const CuteReference *reference;
  CuteDevice device;
  bool isOpen;      // the device
  bool isLoaded;    // the module
  char *code;       // that was compiled here; null: the manifest's file
  CuteHostRun host; // of a function on the host
  CuteDeviceModule module;
  CuteLaunch launch;
  CuteRunResults results;
  double since; // when the latest lap began
} Run;

// Says with --time what took how long since the time before.
static void lap(Run *run, const char *what) {
  double now = cuteNow();
  if (run->options->time)
    fprintf(stderr, "%-10s %8.3f s\n", what, (now - run->since) / 1e3);
  run->since = now;
}

//===-- Arguments ---------------------------------------------------------===//

// Evaluates --flops for the operands.
static CuteStatus countOperations(Run *run) {
  const char *flops = run->options->flops;
  CuteArgument arguments[CUTE_RUN_MAX_ARGUMENTS];
  CuteScope scope = {run->numOperands, arguments, NULL};
  int64_t n = 0;
  if (!flops)
    return NULL;
  for (size_t i = 0; i < run->numOperands; ++i)
    arguments[i] = run->operands[i].argument;
  CUTE_TRY(cuteScopeEvaluate(&scope, flops, &n));
  run->results.operations = (double)n;
  return n > 0 ? NULL
               : cuteStatusCreate("--flops=%s gives %jd operations", flops, n);
}

// I=FILE, where I is the number of a tensor operand.
static CuteStatus splitOutput(const Run *run, const char *text, size_t *index,
                              const char **path) {
  char *end;
  *index = strtoul(text, &end, 10);
  *path = end + 1;
  return end != text && *end == '=' && *index < run->numOperands &&
                 run->operands[*index].array.data
             ? NULL
             : cuteStatusCreate(
                   "'%s' is not I=FILE.npy with the number of a tensor", text);
}

static void getArrays(const Run *run, CuteArray *arrays) {
  for (size_t i = 0; i < run->numOperands; ++i)
    arrays[i] = run->operands[i].array;
}

// Checks what is to be compared and written, before there is a device.
static CuteStatus checkOptions(const Run *run) {
  const CuteRunOptions *options = run->options;
  size_t index;
  const char *path;
  CuteArray arrays[CUTE_RUN_MAX_ARGUMENTS];
  for (size_t i = 0; i < options->numReferences; ++i)
    CUTE_TRY(splitOutput(run, options->references[i], &index, &path));
  for (size_t i = 0; i < options->numOutputs; ++i)
    CUTE_TRY(splitOutput(run, options->outputs[i], &index, &path));
  getArrays(run, arrays);
  return options->check
             ? cuteReferenceCheck(options->check, run->numOperands, arrays)
             : NULL;
}

static CuteStatus parseOperands(Run *run, const CuteRunArguments *arguments) {
  CUTE_TRY(
      cuteKeptParse(run->kept, arguments, run->operands, &run->numOperands));
  for (size_t i = 0; i < run->numOperands; ++i)
    if (run->operands[i].array.data)
      run->results.bytes += (double)cuteArrayGetBytes(&run->operands[i].array);
  lap(run, "inputs");
  CUTE_TRY(countOperations(run));
  CUTE_TRY(cuteOperandsCheck(&run->kernel, run->numOperands, run->operands,
                             &run->numArguments));
  return checkOptions(run);
}

//===-- Checking ----------------------------------------------------------===//

// `sample` is null for all elements.
static CuteStatus compare(Run *run, size_t index, const CuteSample *sample,
                          const CuteArray *wanted) {
  const CuteRunOptions *options = run->options;
  const CuteArray *found = &run->found[index];
  CuteComparison c;
  CUTE_TRY(sample ? cuteSampleCompare(sample, found, wanted, &c)
                  : cuteArrayCompare(found, wanted, &c));
  if (c.maxError > run->results.error)
    run->results.error = c.maxError;
  if (!options->row && !options->json && !cuteRunReportIsAlone(options))
    cuteDescribeComparison(index, &c, sample, found);
  return c.maxError <= options->tolerance ? NULL
                                          : cuteDescribeDifference(index, &c);
}

// Computes the reference, which a run with a mistake does not need.
static CuteStatus checkExpression(Run *run) {
  CuteRunResults *results = &run->results;
  if (!run->options->check)
    return NULL;
  if (!run->reference)
    CUTE_TRY(cuteKeptEvaluate(run->kept, run->options, run->numOperands,
                              run->operands, &run->reference));
  lap(run, "reference");
  const CuteReference *reference = run->reference;
  if (!run->options->flops)
    results->operations = reference->operations;
  results->isSampled = cuteSampleGetSize(&reference->sample) <
                       cuteArrayGetSize(&reference->values);
  return compare(run, reference->argument,
                 results->isSampled ? &reference->sample : NULL,
                 &reference->values);
}

static CuteStatus checkFiles(Run *run) {
  for (size_t i = 0; i < run->options->numReferences; ++i) {
    size_t index;
    const char *path;
    CUTE_SCOPED(Array) wanted = {0};
    CUTE_TRY(splitOutput(run, run->options->references[i], &index, &path));
    CUTE_TRY(cuteNpyRead(&wanted, path));
    CUTE_TRY(compare(run, index, NULL, &wanted));
  }
  return NULL;
}

static CuteStatus writeOutputs(const Run *run) {
  for (size_t i = 0; i < run->options->numOutputs; ++i) {
    size_t index;
    const char *path;
    CUTE_TRY(splitOutput(run, run->options->outputs[i], &index, &path));
    CUTE_TRY(cuteNpyWrite(&run->found[index], path));
  }
  return NULL;
}

//===-- The baseline ------------------------------------------------------===//

// A copy of the largest tensor; where there is none, a note says why.
static void prepareCopy(Run *run, CuteCopyBaseline *copy) {
  CuteRunResults *results = &run->results;
  CuteStatus status = cuteCopyBaselineCreate(copy, &run->device,
                                             run->numOperands, run->operands);
  if (status)
    snprintf(results->baselineNote, sizeof results->baselineNote, "%s",
             cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  results->baselineBytes = 2 * (double)copy->bytes;
}

//===-- Running -----------------------------------------------------------===//

static CuteStatus startLaunch(void *launch) {
  return cuteLaunchStart(launch, NULL);
}

// Times the kernel and the baseline; where there is none, a note says why.
static CuteStatus measure(Run *run) {
  const CuteRunOptions *options = run->options;
  CuteTimed timed[2] = {{startLaunch, &run->launch, 0}};
  CUTE_SCOPED(CopyBaseline) copy = {0};
  if (options->copyBaseline)
    prepareCopy(run, &copy);
  if (copy.to)
    timed[1] = (CuteTimed){cuteCopyBaselineStart, &copy, 0};
  CuteTiming timing = cuteTimingThorough;
  if (options->benchTime > 0)
    timing = (CuteTiming){.rounds = 1,
                          .warmUp = options->benchTime / 4,
                          .timed = options->benchTime};
  timing.cache = options->cache;
  CuteStatus status =
      cuteMeasure(&run->device, timed[1].work ? 2 : 1, timed, &timing);
  run->results.milliseconds = timed[0].milliseconds;
  run->results.baseline = timed[1].milliseconds;
  return status;
}

static CuteStatus readOperand(Run *run, size_t i) {
  const CuteArray *given = &run->operands[i].array;
  CuteArray *found = &run->found[i];
  if (given->data && !found->data)
    CUTE_TRY(cuteArrayCreate(found, given->type, given->rank, given->extents,
                             given->strides));
  return cuteStatusAnnotate(
      cuteOperandRead(&run->operands[i], &run->device, found), "argument %zu",
      i);
}

static CuteStatus readOperands(Run *run) {
  CUTE_TRY(cuteDeviceSynchronize(&run->device));
  for (size_t i = 0; i < run->numOperands; ++i)
    CUTE_TRY(readOperand(run, i));
  return NULL;
}

// --unchanged: only the tensor of --check, and those from "poison", may change.
static CuteStatus checkUnchanged(const Run *run) {
  for (size_t i = 0; run->options->unchanged && i < run->numOperands; ++i) {
    const CuteArray *given = &run->operands[i].array;
    bool mayChange = !given->data ||
                     (run->reference && i == run->reference->argument) ||
                     cuteOperandIsFrom(&run->operands[i], "poison");
    if (!mayChange &&
        memcmp(given->data, run->found[i].data, cuteArrayGetBytes(given)) != 0)
      return cuteStatusCreate("the kernel changed argument %zu", i);
  }
  return NULL;
}

static CuteStatus checkResults(Run *run) {
  CUTE_TRY(checkExpression(run));
  CUTE_TRY(checkFiles(run));
  CUTE_TRY(checkUnchanged(run));
  return writeOutputs(run);
}

static CuteStatus runOnce(Run *run) {
  CUTE_TRY(run->host.module ? cuteHostRunCall(&run->host)
                            : cuteLaunchStart(&run->launch, NULL));
  CUTE_TRY(readOperands(run));
  lap(run, "run");
  CUTE_TRY(cuteSimulatedAddNotes(&run->device, checkResults(run)));
  lap(run, "compare");
  return NULL;
}

static CuteStatus runSchedule(Run *run, int64_t schedule) {
  CUTE_TRY(cuteSimulatedSetSchedule(&run->device, schedule));
  for (size_t i = 0; i < run->numOperands; ++i)
    CUTE_TRY(cuteOperandRestore(&run->operands[i], &run->device));
  return cuteStatusAnnotate(runOnce(run), "schedule %jd", schedule);
}

// Runs the kernel on operands as they were at first, as often as there are
// schedules to try.
static CuteStatus runSchedules(Run *run) {
  for (int64_t s = 0; s < run->options->schedules; ++s)
    CUTE_TRY(runSchedule(run, s));
  return NULL;
}

// Runs the kernel, checks its results, and times it where they hold.
static CuteStatus runLaunch(Run *run) {
  CUTE_TRY(run->options->schedules ? runSchedules(run) : runOnce(run));
  if (!run->options->bench)
    return NULL;
  CUTE_TRY(measure(run));
  lap(run, "bench");
  return NULL;
}

static CuteStatus loadHost(Run *run) {
  CuteArgument arguments[CUTE_RUN_MAX_ARGUMENTS];
  for (size_t i = 0; i < run->numOperands; ++i)
    arguments[i] = run->operands[i].argument;
  return cuteHostRunPrepare(&run->host, &run->device, &run->kernel,
                            run->numArguments, arguments);
}

static CuteStatus load(Run *run) {
  const int64_t *grid = run->options->hasGrid ? run->options->grid : NULL;
  for (size_t i = 0; i < run->numOperands; ++i)
    CUTE_TRY(cuteOperandSend(&run->operands[i], &run->device));
  CUTE_TRY(cuteOperandsLink(run->numOperands, run->operands, &run->device));
  if (run->host.module)
    return loadHost(run);
  if (!run->isLoaded)
    CUTE_TRY(run->code
                 ? cuteDeviceModuleLoad(&run->module, &run->device, run->code)
                 : cuteDeviceModuleLoadFile(&run->module, &run->device,
                                            run->manifest.path));
  run->isLoaded = true;
  CUTE_TRY(cuteOperandsPrepare(&run->launch, &run->module, &run->kernel,
                               run->numArguments, run->operands, grid));
  lap(run, "load");
  return NULL;
}

static CuteStatus openDevice(Run *run) {
  if (run->isOpen)
    return NULL;
  bool needsNone = run->host.module && !cuteHostRunHasKernels(&run->host);
  CUTE_TRY(cuteSimulatedOpen(&run->device, needsNone ? CUTE_DEVICE_SIMULATED
                                                     : run->options->device));
  run->isOpen = true;
  lap(run, "driver");
  return cuteSimulatedConfigure(&run->device, run->options);
}

static CuteStatus runOnDevice(Run *run) {
  CUTE_TRY(openDevice(run));
  CUTE_TRY(load(run));
  return runLaunch(run);
}

static CuteStatus runWith(Run *run, const CuteRunArguments *arguments) {
  CUTE_TRY(parseOperands(run, arguments));
  CUTE_TRY(runOnDevice(run));
  cuteRunReport(run->options, &run->results);
  return NULL;
}

static void releaseOperands(Run *run) {
  for (size_t i = 0; i < CUTE_RUN_MAX_ARGUMENTS; ++i) {
    cuteOperandRelease(&run->operands[i], &run->device);
    cuteArrayDestroy(&run->found[i]);
  }
  run->results = (CuteRunResults){.error = -1};
  run->reference = NULL;
  run->numOperands = 0;
}

static CuteStatus runKernel(Run *run) {
  const CuteRunOptions *options = run->options;
  CUTE_TRY(cuteManifestFindKernel(
      &run->manifest, options->host ? options->host : options->kernel,
      &run->kernel));
  CUTE_TRY(runWith(run, &options->arguments[0]));
  for (size_t i = 1; i <= options->numAgain; ++i) {
    releaseOperands(run);
    CUTE_TRY(cuteStatusAnnotate(runWith(run, &options->arguments[i]),
                                "run %zu of %zu", i + 1,
                                options->numAgain + 1));
  }
  return NULL;
}

static void release(Run *run) {
  releaseOperands(run);
  cuteHostRunDestroy(&run->host);
  cuteDeviceModuleUnload(&run->module);
  if (run->isOpen)
    cuteDeviceClose(&run->device);
  cuteManifestDestroy(&run->manifest);
  free(run->code);
}

// Reads a manifest, or compiles a kernel for the device that is simulated.
static CuteStatus readManifest(Run *run) {
  const char *path = run->options->manifest;
  if (run->options->host)
    return cuteHostRunCompile(&run->host, run->options, &run->manifest);
  if (cutePtxIsFile(path))
    return cutePtxManifestRead(&run->manifest, run->options);
  if (!cuteSimulatedIsSource(path) ||
      !cuteDeviceIsSimulated(run->options->device))
    return cuteManifestRead(&run->manifest, path);
  CUTE_TRY(openDevice(run));
  CUTE_TRY(cuteSimulatedCompile(&run->device, run->options, &run->manifest,
                                &run->code));
  lap(run, "compile");
  return NULL;
}

static CuteStatus runManifest(const CuteRunOptions *options, CuteKept *kept) {
  Run run = {.options = options,
             .kept = kept,
             .results = {.error = -1},
             .since = cuteNow()};
  CuteStatus status = readManifest(&run);
  if (!status)
    status =
        options->list ? cuteDescribeManifest(&run.manifest) : runKernel(&run);
  status = cuteSimulatedReport(&run.device, options, status);
  release(&run);
  return status;
}

//===-- Main --------------------------------------------------------------===//

static CuteStatus printDevice(const CuteRunOptions *options) {
  CuteDevice device;
  CUTE_TRY(cuteDeviceOpen(&device, options->device));
  if (options->deviceArch)
    printf("sm_%d\n", device.arch);
  if (options->deviceName)
    puts(device.name);
  cuteDeviceClose(&device);
  return NULL;
}

static bool hasDevice(int ordinal) {
  CuteDevice device;
  bool ok = cuteStatusConsume(cuteDeviceOpen(&device, ordinal));
  if (ok)
    cuteDeviceClose(&device);
  return ok;
}

static CuteStatus runTool(const CuteRunOptions *options) {
  CUTE_SCOPED(Kept) kept = {.numTensors = 0};
  CuteStatus status = NULL;
  if (options->header)
    cuteRunPrintHeader();
  else if (options->deviceArch || options->deviceName)
    return printDevice(options);
  else
    status = options->lines ? cuteRunLines(options, runManifest, &kept)
                            : runManifest(options, &kept);
  return status;
}

int cuteRunMain(int argc, char **argv) {
  CuteRunOptions options;
  int code;
  CuteStatus status = cuteRunOptionsTake(&options, argc, argv, &code);
  if (!status && code >= 0)
    return code;
  if (!status && options.hasDevice)
    return hasDevice(options.device) ? 0 : 1;
  if (!status)
    status = runTool(&options);
  return cuteCommandSucceeds(status) ? 0 : 1;
}
