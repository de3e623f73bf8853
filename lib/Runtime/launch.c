#include "Runtime/launch.h"
#include "Hardware/arch.h"
#include "Support/file.h"

//===-- Modules -----------------------------------------------------------===//

// Takes a failure and adds the lines that the JIT compiler wrote.
static CuteStatus addLog(CuteStatus status, const char *log) {
  size_t n = strlen(log);
  if (!status || !n)
    return status;
  CuteStatus longer = cuteStatusCreate("%s\n%.*s", cuteStatusGetMessage(status),
                                       (int)(n - (log[n - 1] == '\n')), log);
  cuteStatusDestroy(status);
  return longer;
}

CuteStatus cuteDeviceModuleLoad(CuteDeviceModule *module,
                                const CuteDevice *device, const void *image) {
  enum { ERROR_LOG_BUFFER = 5, ERROR_LOG_BUFFER_SIZE_BYTES = 6, LOG = 8192 };
  char log[LOG] = "";
  int options[] = {ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  *module = (CuteDeviceModule){.device = device};
  CUTE_TRY(cuteDeviceEnter(device));
  int error =
      device->cuda.loadModule(&module->handle, image, 2, options, values);
  return addLog(cuteCudaCheck(&device->cuda, error, "loading"), log);
}

CuteStatus cuteDeviceModuleLoadFile(CuteDeviceModule *module,
                                    const CuteDevice *device,
                                    const char *path) {
  enum { MOST = 1 << 30 };
  CUTE_SCOPED(String) image = {0};
  *module = (CuteDeviceModule){.device = device};
  CUTE_TRY(cuteFileRead(path, MOST, &image));
  return cuteStatusAnnotate(
      cuteDeviceModuleLoad(module, device, cuteStringGet(&image)), "%s", path);
}

void cuteDeviceModuleUnload(CuteDeviceModule *module) {
  if (module->handle && cuteStatusConsume(cuteDeviceEnter(module->device)))
    module->device->cuda.unloadModule(module->handle);
  *module = (CuteDeviceModule){0};
}

//===-- Preparation -------------------------------------------------------===//

static int64_t blocksOf(const int64_t cluster[3]) {
  return cluster[0] * cluster[1] * cluster[2];
}

static int64_t clusterSize(const CuteKernel *kernel) {
  return blocksOf(kernel->cluster);
}

int64_t cuteLaunchGetMostBlocks(const CuteKernel *kernel,
                                const int64_t cluster[3]) {
  int64_t most = blocksOf(kernel->preferredCluster), least = blocksOf(cluster);
  return most > least ? most : least;
}

static CuteStatus check(const CuteLaunch *launch, int error, const char *what) {
  return cuteCudaCheck(&launch->device->cuda, error, what);
}

CuteStatus cuteLaunchAllow(const CuteCuda *cuda, CuteCudaFunction function,
                           int64_t sharedBytes, int64_t clusterSize) {
  enum { PORTABLE_CLUSTER = 8 };
  if (sharedBytes)
    CUTE_TRY(
        cuteCudaCheck(cuda,
                      cuda->setAttribute(function, CUTE_CUDA_MAX_DYNAMIC_SHARED,
                                         (int)sharedBytes),
                      "asking for dynamic shared memory"));
  if (clusterSize <= PORTABLE_CLUSTER)
    return NULL;
  return cuteCudaCheck(
      cuda, cuda->setAttribute(function, CUTE_CUDA_LARGE_CLUSTER_ALLOWED, 1),
      "asking for a cluster of more than 8 blocks");
}

static void addCluster(CuteCudaLaunch *shape, CuteCudaAttributeId id,
                       const int64_t cluster[3]) {
  CuteCudaAttribute *attribute = &shape->attributes[shape->numAttributes++];
  *attribute = (CuteCudaAttribute){.id = id};
  for (int i = 0; i < 3; ++i)
    attribute->cluster[i] = (unsigned)cluster[i];
}

void cuteLaunchAddAttributes(CuteCudaLaunch *shape, const CuteKernel *kernel,
                             const int64_t cluster[3], bool mayOverlap) {
  bool prefers = blocksOf(kernel->preferredCluster) > 1;
  if (prefers || blocksOf(cluster) > 1)
    addCluster(shape, CUTE_CUDA_CLUSTER, cluster);
  if (prefers)
    addCluster(shape, CUTE_CUDA_PREFERRED_CLUSTER, kernel->preferredCluster);
  if (kernel->isCooperative)
    shape->attributes[shape->numAttributes++] =
        (CuteCudaAttribute){.id = CUTE_CUDA_COOPERATIVE, .cooperative = 1};
  if (mayOverlap)
    shape->attributes[shape->numAttributes++] =
        (CuteCudaAttribute){.id = CUTE_CUDA_PDL, .pdl = 1};
}

// The blocks that are there at a time, in clusters.
static CuteStatus getActiveClusters(void *data, int64_t *value) {
  const CuteLaunch *launch = data;
  const CuteCuda *cuda = &launch->device->cuda;
  const CuteKernel *kernel = launch->kernel;
  int64_t threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
  CuteCudaLaunch shape = launch->shape;
  int count = 0, error;
  for (int i = 0; i < 3; ++i)
    shape.grid[i] = (unsigned)kernel->cluster[i];
  if (clusterSize(kernel) == 1)
    error = cuda->getActiveBlocks(&count, launch->function, (int)threads,
                                  (size_t)kernel->dynamicShared);
  else if (cuda->getActiveClusters)
    error = cuda->getActiveClusters(&count, launch->function, &shape);
  else
    return cuteStatusCreate(
        "the CUDA driver has no clusters; they came with CUDA 12");
  *value = clusterSize(kernel) == 1
               ? (int64_t)count * launch->device->multiprocessors
               : count;
  return check(launch, error, "counting active clusters");
}

static CuteStatus checkExtents(const char *what, const int64_t extents[3],
                               const int64_t most[3]) {
  for (int i = 0; i < 3; ++i)
    if (extents[i] < 0 || extents[i] > most[i])
      return cuteStatusCreate(
          "the %s (%jd, %jd, %jd): extent %c must be from 0 to %jd", what,
          extents[0], extents[1], extents[2], "xyz"[i], most[i]);
  return NULL;
}

CuteStatus cuteLaunchCheckGrid(const CuteKernel *kernel, const int64_t grid[3],
                               const int64_t cluster[3]) {
  static const int64_t most[] = {INT32_MAX, UINT16_MAX, UINT16_MAX};
  CUTE_TRY(checkExtents("grid", grid, most));
  if (blocksOf(kernel->preferredCluster) > 1)
    cluster = kernel->preferredCluster; // a multiple of the other
  for (int i = 0; i < 3; ++i)
    if (grid[i] % cluster[i])
      return cuteStatusCreate("the grid (%jd, %jd, %jd) is not a multiple of "
                              "the cluster (%jd, %jd, %jd)",
                              grid[0], grid[1], grid[2], cluster[0], cluster[1],
                              cluster[2]);
  return NULL;
}

CuteStatus cuteLaunchCheckBlock(const int64_t block[3]) {
  static const int64_t most[] = {CUTE_BLOCK_THREADS, CUTE_BLOCK_THREADS, 64};
  CUTE_TRY(checkExtents("block", block, most));
  int64_t threads = block[0] * block[1] * block[2];
  return threads >= 1 && threads <= CUTE_BLOCK_THREADS
             ? NULL
             : cuteStatusCreate("a block of %jd threads; it must have 1 to %d",
                                threads, CUTE_BLOCK_THREADS);
}

static CuteStatus chooseGrid(CuteLaunch *launch, size_t numArguments,
                             const CuteArgument *arguments,
                             const int64_t *given) {
  CuteLaunchFacts facts = {launch->device->multiprocessors, getActiveClusters,
                           launch};
  CuteScope scope = {numArguments, arguments, &facts};
  int64_t grid[3];
  if (given)
    memcpy(grid, given, sizeof grid);
  else
    CUTE_TRY(cuteScopeGetGrid(launch->kernel, &scope, grid));
  CUTE_TRY(cuteLaunchCheckGrid(launch->kernel, grid, launch->kernel->cluster));
  CUTE_TRY(cuteLaunchCheckBlock(launch->kernel->block));
  for (int i = 0; i < 3; ++i)
    launch->shape.grid[i] = (unsigned)grid[i];
  return NULL;
}

// Encodes the tensor maps whose addresses have changed.
static CuteStatus encodeMaps(CuteLaunch *launch) {
  CuteParameters *parameters = &launch->parameters;
  for (size_t i = 0; i < parameters->numMaps; ++i) {
    CuteTensorMap *map = &parameters->maps[i];
    if (map->address && map->address == map->encoded)
      continue;
    CUTE_TRY(
        cuteTensorMapEncode(map, &launch->device->cuda,
                            parameters->bytes + parameters->mapOffsets[i]));
    map->encoded = map->address;
  }
  return NULL;
}

CuteStatus cuteLaunchPrepare(CuteLaunch *launch, const CuteDeviceModule *module,
                             const CuteKernel *kernel, size_t numArguments,
                             const CuteArgument *arguments,
                             const int64_t *grid) {
  const CuteDevice *device = module->device;
  CuteParameters *parameters = &launch->parameters;
  launch->device = device;
  launch->kernel = kernel;
  launch->shape =
      (CuteCudaLaunch){.sharedBytes = (unsigned)kernel->dynamicShared,
                       .attributes = launch->attributes};
  for (int i = 0; i < 3; ++i)
    launch->shape.block[i] = (unsigned)kernel->block[i];
  if (!kernel->block[0] || !kernel->block[1] || !kernel->block[2])
    return cuteStatusCreate("kernel '%s' has no block size; give it the "
                            "attribute known_block_size, as in "
                            "known_block_size = array<i32: 128, 1, 1>",
                            kernel->name);
  CUTE_TRY(cuteKernelBind(kernel, numArguments, arguments, parameters));
  CUTE_TRY(cuteDeviceEnter(device));
  CUTE_TRY(check(
      launch,
      device->cuda.getFunction(&launch->function, module->handle, kernel->name),
      kernel->name));
  CUTE_TRY(cuteLaunchAllow(&device->cuda, launch->function,
                           kernel->dynamicShared,
                           cuteLaunchGetMostBlocks(kernel, kernel->cluster)));
  cuteLaunchAddAttributes(&launch->shape, kernel, kernel->cluster,
                          kernel->mayOverlap);
  CUTE_TRY(chooseGrid(launch, numArguments, arguments, grid));
  for (size_t i = 0; i < parameters->count; ++i)
    launch->pointers[i] = parameters->bytes + parameters->offsets[i];
  launch->pointers[parameters->count] = NULL;
  return cuteLaunchIsEmpty(&launch->shape) ? NULL : encodeMaps(launch);
}

CuteStatus cuteLaunchSetAddresses(CuteLaunch *launch, size_t n,
                                  const CuteDevicePointer *addresses) {
  CUTE_TRY(cuteParametersSetAddresses(&launch->parameters, launch->kernel, n,
                                      addresses));
  return cuteLaunchIsEmpty(&launch->shape) ? NULL : encodeMaps(launch);
}

//===-- Starting ----------------------------------------------------------===//

CuteStatus cuteLaunchRun(const CuteCuda *cuda, CuteCudaFunction function,
                         const CuteCudaLaunch *shape, void **parameters) {
  int error;
  if (cuteLaunchIsEmpty(shape))
    return NULL;
  if (!shape->numAttributes)
    error =
        cuda->launch(function, shape->grid[0], shape->grid[1], shape->grid[2],
                     shape->block[0], shape->block[1], shape->block[2],
                     shape->sharedBytes, shape->stream, parameters, NULL);
  else if (cuda->launchWith)
    error = cuda->launchWith(shape, function, parameters, NULL);
  else
    return cuteStatusCreate(
        "the CUDA driver has no clusters; they came with CUDA 12");
  return cuteCudaCheck(cuda, error, "launching the kernel");
}

CuteStatus cuteLaunchStart(const CuteLaunch *launch, CuteCudaStream stream) {
  CuteCudaLaunch shape = launch->shape;
  CUTE_TRY(cuteDeviceEnter(launch->device));
  shape.stream = stream;
  return cuteLaunchRun(&launch->device->cuda, launch->function, &shape,
                       (void **)launch->pointers);
}
