// Modules and launches of the driver that is simulated.
#include "SimulatedDevice/driver/driver_status.h"
#include "SimulatedDevice/report/report_parts.h"
#include "SimulatedDevice/translate/memory_description.h"
#include "Simulator/checks/earlier_grids.h"
#include "Simulator/machine/device_memory.h"

#include <ctype.h>
#include <errno.h>

//===-- Failures ----------------------------------------------------------===//

// Errors have no numbers: callers get the message.
enum { FAILED = 999, TOO_MANY_AT_ONCE = 720 };
static _Thread_local char *message; // of the latest

static char *copyText(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(cuteAllocate(size), text, size);
}

int cuteSimDriverFinish(CuteStatus status) {
  if (!status)
    return 0;
  free(message);
  message = copyText(cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return FAILED;
}

int cuteSimDriver_getErrorString(int error, const char **text) {
  *text = error == TOO_MANY_AT_ONCE
              ? "CUDA error 720: too many blocks to run at once"
          : error == FAILED && message ? message
                                       : "unknown";
  return 0;
}

//===-- Options -----------------------------------------------------------===//

static struct {
  CuteSimOptions values;
  char *blocks;
  bool observes, traces;
  char *reportFile, *traceFile; // null: none
  unsigned breakLine;           // 0: none
} options = {.values = {.checks = true, .arch = 90}};

// LINE, LINE:BLOCK,THREAD or LINE:BLOCK,THREAD,HITS.
static bool takeBreak(const char *text) {
  char *end;
  CuteSimBreak *at = &options.values.breakAt;
  int64_t *const numbers[] = {&at->block, &at->thread, &at->hits};
  *at = (CuteSimBreak){0, 0, 1};
  options.breakLine = (unsigned)strtoul(text, &end, 10);
  if (!options.breakLine)
    return false;
  for (int i = 0; i < 3 && *end == (i ? ',' : ':'); ++i)
    *numbers[i] = strtoll(end + 1, &end, 10);
  return !*end;
}

unsigned cuteSimDriverGetBreak(void) { return options.breakLine; }

bool cuteSimDriverHasChecks(void) { return options.values.checks; }

// Takes the file for observations, or "on": none.
static CuteStatus takeFile(const char *value, bool isTrace) {
  char **file = isTrace ? &options.traceFile : &options.reportFile;
  options.observes = true;
  options.traces |= isTrace;
  free(*file);
  *file = NULL;
  if (!strcmp(value, "on"))
    return NULL;
  if (!isTrace)
    CUTE_TRY(cuteSimReportFileCheck(value));
  *file = copyText(value);
  return NULL;
}

static bool takeSchedule(const char *value) {
  char *end;
  errno = 0;
  options.values.schedule = strtoull(value, &end, 10);
  return isdigit((unsigned char)*value) && !*end && !errno;
}

static bool takeTimeout(const char *value) {
  char *end;
  options.values.timeout = strtod(value, &end);
  return end != value && !*end && options.values.timeout > 0;
}

static bool takeChecks(const char *value) {
  options.values.checks = strcmp(value, "off") != 0;
  options.values.seeksNan = !strcmp(value, "nan");
  options.values.wantsWhole = !strcmp(value, "written");
  return !options.values.checks || options.values.seeksNan ||
         options.values.wantsWhole || !strcmp(value, "on");
}

static bool takeArch(const char *value) {
  const CuteArch *arch = cuteArchFind(value);
  options.values.arch = arch ? arch->number : 0;
  return arch;
}

static bool takeBlocks(const char *value) {
  free(options.blocks);
  options.blocks = copyText(value);
  options.values.blocks = options.blocks;
  return true;
}

static const struct {
  const char *name, *valid;
  bool (*take)(const char *value);
} optionRows[] = {
    {"schedule", "a number >= 0", takeSchedule},
    {"timeout", "seconds > 0, as 60 or 0.5", takeTimeout},
    {"checks", "on, off, nan or written", takeChecks},
    {"arch", "an architecture, as sm_80", takeArch},
    {"blocks", "numbers", takeBlocks},
    {"break", "LINE, LINE:BLOCK,THREAD or LINE:BLOCK,THREAD,HITS", takeBreak},
};

static CuteStatus setOption(const char *name, const char *value) {
  if (!strcmp(name, "report") || !strcmp(name, "trace"))
    return takeFile(value, *name == 't');
  char names[128] = "report, trace";
  for (size_t i = 0; i < sizeof optionRows / sizeof *optionRows; ++i) {
    if (!strcmp(name, optionRows[i].name))
      return optionRows[i].take(value)
                 ? NULL
                 : cuteStatusCreate("'%s' is not a value of the simulator's "
                                    "'%s', which takes %s",
                                    value, name, optionRows[i].valid);
    size_t length = strlen(names);
    snprintf(names + length, sizeof names - length, ", %s", optionRows[i].name);
  }
  return cuteStatusCreate("the simulator has no option '%s'; known: %s", name,
                          names);
}

static CuteStatus environment; // what is wrong with its options

// The next option of a text, null at its end. A comma before a digit is part of
// a value, as in "break=12:0,3".
static char *nextOption(char **rest) {
  char *start = *rest + strspn(*rest, " ,"), *end = start;
  while (*end && *end != ' ' && (*end != ',' || isdigit((unsigned char)end[1])))
    ++end;
  *rest = end + (*end != 0);
  *end = 0;
  return *start ? start : NULL;
}

void cuteSimDriverReadEnvironment(void) {
  const char *text = getenv("CUTE_SIM");
  char *copy = copyText(text ? text : ""), *rest = copy, *name;
  while (!environment && (name = nextOption(&rest))) {
    char *value = strchr(name, '=');
    if (value)
      *value++ = 0;
    environment = setOption(name, value ? value : "");
  }
  free(copy);
}

static CuteStatus takeEnvironmentStatus(void) {
  CuteStatus status = environment;
  environment = NULL;
  return status;
}

int cuteSimDriver_setOption(const char *name, const char *value) {
  return cuteSimDriverFinish(setOption(name, value));
}

//===-- Reports -----------------------------------------------------------===//

// By the latest launch.
static const CuteSimKernel *observed;
static size_t numObservedTensors;
static CuteSimTensor *observedTensors;
static CuteString written;

static void observe(const CuteSimKernel *kernel, const CuteSimLaunch *launch) {
  free(observedTensors);
  observed = kernel;
  numObservedTensors = launch->numTensors;
  observedTensors =
      cuteAllocate((launch->numTensors + 1) * sizeof(CuteSimTensor));
  memcpy(observedTensors, launch->tensors,
         launch->numTensors * sizeof(CuteSimTensor));
}

CuteStatus cuteSimDriverMakeReport(const char *format, const char *arch,
                                   const char **text) {
  cuteStringClear(&written);
  CuteStatus status = cuteSimReportWrite(
      observed, numObservedTensors, observedTensors, arch, format, &written);
  *text = cuteStringGet(&written);
  return status;
}

int cuteSimDriver_getReport(const char *format, const char *arch,
                            const char **text) {
  return cuteSimDriverFinish(cuteSimDriverMakeReport(format, arch, text));
}

static CuteStatus writeFiles(const CuteSimKernel *kernel) {
  if (!kernel->statistics)
    return NULL;
  CUTE_TRY(cuteSimReportFileWrite(options.reportFile, false, kernel->name));
  return cuteSimReportFileWrite(options.traceFile, true, kernel->name);
}

//===-- Modules -----------------------------------------------------------===//

int cuteSimDriver_loadModule(CuteCudaModule *module, const void *image,
                             CUTE_UNUSED unsigned n, CUTE_UNUSED int *names,
                             CUTE_UNUSED void **values) {
  CuteSimProgram *program = NULL;
  CuteSimProgramOptions how = {.checks = options.values.checks,
                               .seeksNan = options.values.seeksNan,
                               .isObserved = options.observes};
  CuteStatus status = takeEnvironmentStatus();
  if (!status)
    status = cuteSimProgramCreate(image, how, &program);
  *module = (CuteCudaModule)(void *)program;
  return cuteSimDriverFinish(status);
}

int cuteSimDriver_unloadModule(CuteCudaModule module) {
  observed = NULL;
  cuteSimProgramDestroy((CuteSimProgram *)(void *)module);
  return 0;
}

int cuteSimDriver_getFunction(CuteCudaFunction *function, CuteCudaModule module,
                              const char *name) {
  CuteSimKernel *kernel;
  CuteStatus status =
      cuteSimProgramFind((CuteSimProgram *)(void *)module, name, &kernel);
  *function = (CuteCudaFunction)(void *)kernel;
  return cuteSimDriverFinish(status);
}

int cuteSimDriver_setAttribute(CUTE_UNUSED CuteCudaFunction function,
                               int attribute, int value) {
  int most = 1024 * cuteArchGetMostSharedKib();
  return attribute == CUTE_CUDA_MAX_DYNAMIC_SHARED && value > most
             ? cuteSimDriverFinish(cuteStatusCreate(
                   "%d bytes of shared memory; a block has at most %d", value,
                   most))
             : 0;
}

//===-- Launches ----------------------------------------------------------===//

static CuteString notes; // of the latest launch
static struct CuteSimGlobalShadow *earlier;

void cuteSimDriverEndGrids(void) { cuteSimEarlierForget(&earlier); }

int cuteSimDriver_getNotes(const char **text) {
  *text = cuteStringGet(&notes);
  return 0;
}

static uint64_t volumeOf(const unsigned extents[3]) {
  return (uint64_t)extents[0] * extents[1] * extents[2];
}

// An array of parameters may end with null.
static CuteStatus checkParameters(const CuteSimKernel *kernel,
                                  void *const *parameters) {
  for (uint32_t i = 0; i < kernel->numParameters; ++i)
    if (!parameters || !parameters[i])
      return cuteStatusCreate(
          "the kernel has %u parameters, and the launch gives %u; the "
          "manifest's \"passed_as\" says which",
          kernel->numParameters, i);
  return NULL;
}

// Fails for what an H200 refuses beside grids and blocks, which whoever
// launches has checked.
static CuteStatus checkLimits(const CuteSimLaunch *launch) {
  uint64_t threads = volumeOf(launch->block),
           blocks = volumeOf(launch->cluster);
  unsigned shared = launch->staticShared + launch->dynamicShared;
  unsigned most = 1024 * (unsigned)cuteArchGetMostSharedKib();
  if (!threads || threads > CUTE_SIM_MAX_THREADS)
    return cuteStatusCreate("a block of %ju threads; it must have 1 to %d",
                            threads, CUTE_SIM_MAX_THREADS);
  if (!blocks || blocks > CUTE_SIM_MAX_CLUSTER)
    return cuteStatusCreate("a cluster of %ju blocks; it must have 1 to %d",
                            blocks, CUTE_SIM_MAX_CLUSTER);
  return shared > most
             ? cuteStatusCreate(
                   "%u bytes of shared memory; a block has at most %u", shared,
                   most)
             : NULL;
}

static CuteStatus run(CuteSimLaunch launch, CuteCudaFunction function) {
  const CuteSimKernel *kernel = (const CuteSimKernel *)(void *)function;
  launch.kernel = kernel->run;
  launch.staticShared = kernel->staticShared;
  launch.localBytes = kernel->localBytes;
  launch.hasClusters |= kernel->hasClusters;
  launch.statistics = kernel->statistics;
  launch.earlier = &earlier;
  if (launch.statistics) {
    launch.statistics->kernel = kernel->name;
    launch.statistics->traces = options.traces;
  }
  CUTE_TRY(checkLimits(&launch));
  CUTE_TRY(checkParameters(kernel, launch.parameters));
  CUTE_SCOPED(Arena) arena = {0};
  launch.tensors =
      cuteSimDescribeTensors(kernel->memory, kernel->resources, &arena,
                             launch.parameters, &launch.numTensors);
  if (launch.statistics)
    observe(kernel, &launch);
  CuteStatus status = cuteSimRun(&launch, &options.values, &notes);
  CuteStatus other = writeFiles(kernel);
  if (!status)
    return other;
  cuteStatusDestroy(other);
  return status;
}

// Says whether all blocks of a launch fit on the device at once, as an H200's
// 132 multiprocessors have 32 blocks and 2048 threads each.
static bool fitsAtOnce(const CuteCudaLaunch *shape) {
  enum { PROCESSORS = 132, BLOCKS = 32, THREADS = 2048 };
  uint64_t blocks = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
  uint64_t threads =
      (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
  uint64_t each = threads ? THREADS / threads : 0;
  return blocks <= PROCESSORS * (each < BLOCKS ? each : BLOCKS);
}

enum { MEETING_BYTES = 64 };

// Clusters are of the size that a kernel prefers where the schedule is even,
// and of the other where it is odd; a device mixes them.
int cuteSimDriver_launchWith(const CuteCudaLaunch *shape,
                             CuteCudaFunction function, void **parameters,
                             CUTE_UNUSED void **extra) {
  CuteSimLaunch launch = {.parameters = parameters,
                          .cluster = {1, 1, 1},
                          .dynamicShared = shape->sharedBytes};
  memcpy(launch.grid, shape->grid, sizeof launch.grid);
  memcpy(launch.block, shape->block, sizeof launch.block);
  for (unsigned i = 0; i < shape->numAttributes; ++i) {
    bool isPreferred = shape->attributes[i].id == CUTE_CUDA_PREFERRED_CLUSTER;
    if (shape->attributes[i].id == CUTE_CUDA_CLUSTER ||
        (isPreferred && options.values.schedule % 2 == 0)) {
      memcpy(launch.cluster, shape->attributes[i].cluster,
             sizeof launch.cluster);
      launch.hasClusters = true;
    }
    if (shape->attributes[i].id == CUTE_CUDA_COOPERATIVE)
      launch.isCooperative = shape->attributes[i].cooperative;
    if (shape->attributes[i].id == CUTE_CUDA_PDL)
      launch.mayOverlap = shape->attributes[i].pdl;
  }
  if (!launch.isCooperative)
    return cuteSimDriverFinish(run(launch, function));
  if (!fitsAtOnce(shape))
    return TOO_MANY_AT_ONCE;
  launch.meeting = cuteSimMemoryAllocate(MEETING_BYTES);
  memset((void *)(uintptr_t)launch.meeting, 0, MEETING_BYTES);
  CuteStatus status = run(launch, function);
  cuteSimMemoryRelease(launch.meeting);
  return cuteSimDriverFinish(status);
}

int cuteSimDriver_launch(CuteCudaFunction function, unsigned gridX,
                         unsigned gridY, unsigned gridZ, unsigned blockX,
                         unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                         CUTE_UNUSED CuteCudaStream stream, void **parameters,
                         void **extra) {
  CuteCudaLaunch shape = {.grid = {gridX, gridY, gridZ},
                          .block = {blockX, blockY, blockZ},
                          .sharedBytes = sharedBytes};
  return cuteSimDriver_launchWith(&shape, function, parameters, extra);
}

int cuteSimDriver_getActiveBlocks(int *count,
                                  CUTE_UNUSED CuteCudaFunction function,
                                  CUTE_UNUSED int threads,
                                  CUTE_UNUSED size_t sharedBytes) {
  *count = 1;
  return 0;
}

// So few that kernels that go over tiles in a loop take several.
int cuteSimDriver_getActiveClusters(int *count,
                                    CUTE_UNUSED CuteCudaFunction function,
                                    CUTE_UNUSED const CuteCudaLaunch *launch) {
  enum { CLUSTERS = 2 };
  *count = CLUSTERS;
  return 0;
}
