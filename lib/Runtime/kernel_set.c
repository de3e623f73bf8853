#include "Runtime/kernel_set.h"
#include "Runtime/launch.h"
#include "Runtime/map_recipe.h"
#include "Support/arena.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct SetKernel {
  CuteKernel kernel;
  CuteCudaFunction function;
  size_t numParameters; // without the maps, which come last
  size_t numMaps;
  CuteMapRecipe *maps;
  _Atomic int64_t allowedShared, allowedCluster; // bytes, blocks; asked for
  int activeBlocks;                              // of a multiprocessor, with
  unsigned activeShared;                         // so many bytes; 0: not asked
} SetKernel;

struct CuteKernelSet {
  CuteManifest manifest;
  CuteDeviceModule module;
  pthread_mutex_t lock; // of what the driver is asked to allow
  size_t count;
  SetKernel *kernels;
};

//===-- Creation ----------------------------------------------------------===//

static CuteStatus loadKernel(CuteKernelSet *set, size_t i) {
  SetKernel *kernel = &set->kernels[i];
  const CuteDevice *device = set->module.device;
  CUTE_TRY(cuteManifestGetKernel(&set->manifest, i, &kernel->kernel));
  CUTE_TRY(cuteMapRecipesRead(&kernel->kernel, &kernel->numParameters,
                              &kernel->numMaps, &kernel->maps));
  return cuteCudaCheck(&device->cuda,
                       device->cuda.getFunction(&kernel->function,
                                                set->module.handle,
                                                kernel->kernel.name),
                       kernel->kernel.name);
}

static CuteStatus load(CuteKernelSet *set, const CuteDevice *device,
                       const char *manifest, const void *code) {
  CUTE_TRY(cuteManifestParse(&set->manifest, manifest));
  CUTE_TRY(cuteDeviceModuleLoad(&set->module, device, code));
  set->count = cuteManifestGetSize(&set->manifest);
  set->kernels = cuteAllocate((set->count + 1) * sizeof *set->kernels);
  memset(set->kernels, 0, set->count * sizeof *set->kernels);
  for (size_t i = 0; i < set->count; ++i)
    CUTE_TRY(loadKernel(set, i));
  return NULL;
}

CuteStatus cuteKernelSetCreate(const CuteDevice *device, const char *manifest,
                               const void *code, CuteKernelSet **result) {
  CuteKernelSet *set = cuteAllocateZeros(1, sizeof *set);
  pthread_mutex_init(&set->lock, NULL);
  CuteStatus status = load(set, device, manifest, code);
  *result = status ? NULL : set;
  if (status)
    cuteKernelSetDestroy(set);
  return status;
}

void cuteKernelSetDestroy(CuteKernelSet *set) {
  if (!set)
    return;
  for (size_t i = 0; i < set->count; ++i)
    free(set->kernels[i].maps);
  free(set->kernels);
  cuteDeviceModuleUnload(&set->module);
  cuteManifestDestroy(&set->manifest);
  pthread_mutex_destroy(&set->lock);
  free(set);
}

//===-- The shape of a launch ---------------------------------------------===//

static CuteStatus failSizes(const char *what, const int64_t *given,
                            const int64_t *wanted, const char *relation) {
  return cuteStatusCreate("the %s (%jd, %jd, %jd) is %s (%jd, %jd, %jd)", what,
                          given[0], given[1], given[2], relation, wanted[0],
                          wanted[1], wanted[2]);
}

static CuteStatus checkBlock(const CuteKernel *kernel, const int64_t *words) {
  const int64_t *block = words + CUTE_HOST_BLOCK;
  for (int i = 0; i < 3; ++i)
    if (kernel->block[i] && block[i] != kernel->block[i])
      return failSizes("block", block, kernel->block,
                       "not that of the kernel,");
  return cuteLaunchCheckBlock(block);
}

static CuteStatus checkCluster(const CuteKernel *kernel, const int64_t *words) {
  const int64_t *cluster = words + CUTE_HOST_CLUSTER;
  bool isGiven = cluster[0] || cluster[1] || cluster[2];
  int64_t size = kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2];
  for (int i = 0; isGiven && i < 3; ++i) {
    if (cluster[i] < 1 || cluster[i] > UINT16_MAX)
      return cuteStatusCreate("a cluster of %jd blocks is not possible",
                              cluster[i]);
    if (size > 1 && cluster[i] != kernel->cluster[i])
      return failSizes("cluster", cluster, kernel->cluster,
                       "not that of the kernel,");
  }
  return NULL;
}

enum { PORTABLE_CLUSTER = 8 };

// Asks the driver before the first launch that needs so much.
static CuteStatus allow(CuteKernelSet *set, SetKernel *kernel, int64_t shared,
                        int64_t clusterSize) {
  if (shared <= kernel->allowedShared && clusterSize <= kernel->allowedCluster)
    return NULL;
  pthread_mutex_lock(&set->lock);
  CuteStatus status =
      cuteLaunchAllow(&set->module.device->cuda, kernel->function,
                      shared > kernel->allowedShared ? shared : 0, clusterSize);
  if (!status && shared > kernel->allowedShared)
    kernel->allowedShared = shared;
  if (!status && clusterSize > kernel->allowedCluster)
    kernel->allowedCluster = clusterSize;
  pthread_mutex_unlock(&set->lock);
  return status;
}

enum { MAX_ATTRIBUTES = 7 };

static void addAttribute(CuteCudaLaunch *shape, CuteCudaAttribute attribute) {
  shape->attributes[shape->numAttributes++] = attribute;
}

static void addAttributes(const CuteKernel *kernel, const int64_t *words,
                          const int64_t *cluster, CuteLaunchEvents events,
                          CuteCudaLaunch *shape) {
  int64_t flags = words[CUTE_HOST_FLAGS];
  cuteLaunchAddAttributes(shape, kernel, cluster,
                          kernel->mayOverlap || (flags & CUTE_HOST_PDL));
  if (flags & CUTE_HOST_COOPERATIVE)
    addAttribute(shape, (CuteCudaAttribute){.id = CUTE_CUDA_COOPERATIVE,
                                            .cooperative = 1});
  if (events.started)
    addAttribute(shape, (CuteCudaAttribute){.id = CUTE_CUDA_STARTED,
                                            .event = {events.started, 0, 0}});
  if (events.triggered)
    addAttribute(shape, (CuteCudaAttribute){.id = CUTE_CUDA_TRIGGERED,
                                            .event = {events.triggered, 0,
                                                      events.atBlockStart}});
}

// Has as many blocks go through the grid as the device runs at a time. Where it
// runs none, the launch is left to fail.
static CuteStatus makePersistent(CuteKernelSet *set, SetKernel *kernel,
                                 CuteCudaLaunch *shape) {
  const CuteDevice *device = set->module.device;
  unsigned threads = shape->block[0] * shape->block[1] * shape->block[2];
  int64_t tiles = (int64_t)shape->grid[0] * shape->grid[1];
  if (tiles * shape->grid[2] > INT32_MAX)
    return cuteStatusCreate("the grid (%u, %u, %u) has more blocks than %d",
                            shape->grid[0], shape->grid[1], shape->grid[2],
                            INT32_MAX);
  pthread_mutex_lock(&set->lock);
  int error = 0;
  if (!kernel->activeBlocks || kernel->activeShared != shape->sharedBytes) {
    error =
        device->cuda.getActiveBlocks(&kernel->activeBlocks, kernel->function,
                                     (int)threads, shape->sharedBytes);
    kernel->activeShared = shape->sharedBytes;
  }
  int64_t active = (int64_t)kernel->activeBlocks * device->multiprocessors;
  pthread_mutex_unlock(&set->lock);
  tiles *= shape->grid[2];
  shape->grid[0] = (unsigned)(active && active < tiles ? active : tiles);
  shape->grid[1] = shape->grid[2] = 1;
  return cuteCudaCheck(&device->cuda, error, "counting active blocks");
}

static CuteStatus describe(CuteKernelSet *set, SetKernel *kernel,
                           const int64_t *words, CuteLaunchEvents events,
                           CuteCudaLaunch *shape) {
  int64_t shared = words[CUTE_HOST_SHARED];
  CUTE_TRY(checkBlock(&kernel->kernel, words));
  CUTE_TRY(checkCluster(&kernel->kernel, words));
  const int64_t *cluster = words[CUTE_HOST_CLUSTER] ? words + CUTE_HOST_CLUSTER
                                                    : kernel->kernel.cluster;
  CUTE_TRY(
      cuteLaunchCheckGrid(&kernel->kernel, words + CUTE_HOST_GRID, cluster));
  if (shared < kernel->kernel.dynamicShared)
    shared = kernel->kernel.dynamicShared;
  if (shared > INT32_MAX)
    return cuteStatusCreate("%jd bytes of shared memory are not possible",
                            shared);
  CUTE_TRY(allow(set, kernel, shared,
                 cuteLaunchGetMostBlocks(&kernel->kernel, cluster)));
  for (int i = 0; i < 3; ++i) {
    shape->grid[i] = (unsigned)words[CUTE_HOST_GRID + i];
    shape->block[i] = (unsigned)words[CUTE_HOST_BLOCK + i];
  }
  shape->sharedBytes = (unsigned)shared;
  shape->stream = (CuteCudaStream)(uintptr_t)words[CUTE_HOST_STREAM];
  addAttributes(&kernel->kernel, words, cluster, events, shape);
  return words[CUTE_HOST_FLAGS] & CUTE_HOST_PERSISTENT
             ? makePersistent(set, kernel, shape)
             : NULL;
}

//===-- Launches ----------------------------------------------------------===//

// Starts the kernel with descriptors after the parameters.
static CuteStatus startWithMaps(const SetKernel *kernel, const CuteCuda *cuda,
                                const CuteCudaLaunch *shape,
                                void **parameters) {
  _Alignas(CUTE_TENSOR_MAP_ALIGN) unsigned char maps[CUTE_MAX_TENSOR_MAPS]
                                                    [CUTE_TENSOR_MAP_BYTES];
  void *all[CUTE_MAX_PARAMETERS];
  size_t n = kernel->numParameters;
  memcpy(all, parameters, n * sizeof *all);
  for (size_t i = 0; i < kernel->numMaps; ++i) {
    CuteTensorMap map;
    cuteMapRecipeFollow(&kernel->maps[i], parameters, &map);
    CUTE_TRY(cuteTensorMapEncode(&map, cuda, maps[i]));
    all[n + i] = maps[i];
  }
  return cuteLaunchRun(cuda, kernel->function, shape, all);
}

static CuteStatus launch(CuteKernelSet *set, SetKernel *kernel,
                         const int64_t *words, void **parameters,
                         CuteLaunchEvents events) {
  const CuteDevice *device = set->module.device;
  CuteCudaAttribute attributes[MAX_ATTRIBUTES];
  CuteCudaLaunch shape = {.attributes = attributes};
  CUTE_TRY(cuteDeviceEnter(device));
  CUTE_TRY(describe(set, kernel, words, events, &shape));
  if (cuteLaunchIsEmpty(&shape))
    return NULL;
  return kernel->numMaps
             ? startWithMaps(kernel, &device->cuda, &shape, parameters)
             : cuteLaunchRun(&device->cuda, kernel->function, &shape,
                             parameters);
}

CuteStatus cuteKernelSetLaunch(CuteKernelSet *set, int32_t number,
                               const int64_t *words, void **parameters,
                               CuteLaunchEvents events) {
  if (number < 0 || (size_t)number >= set->count)
    return cuteStatusCreate("there is no kernel %d: %zu are loaded", number,
                            set->count);
  SetKernel *kernel = &set->kernels[number];
  return cuteStatusAnnotate(launch(set, kernel, words, parameters, events),
                            "kernel '%s'", kernel->kernel.name);
}

CuteStatus cuteExportedModuleLoad(const CuteExportedModule *module,
                                  const CuteDevice *device,
                                  CuteKernelSet **kernels) {
  *kernels = NULL;
  if (module->version != CUTE_EXPORT_VERSION)
    return cuteStatusCreate("the module has version %u; this library loads "
                            "version %d",
                            module->version, CUTE_EXPORT_VERSION);
  return module->manifest ? cuteKernelSetCreate(device, module->manifest,
                                                module->code, kernels)
                          : NULL;
}
