#include "Runtime/launch.h"
#include "Support/arena.h"

#include <stdlib.h>

// Bytes before and after each tensor that no kernel may write.
enum { GUARD = 4096, GUARD_VALUE = 0xa5 };

static CuteDevicePointer dataOf(const CuteLaunch *launch, size_t i) {
  return launch->buffers[i] + GUARD;
}

//===-- Arguments ---------------------------------------------------------===//

static bool sendArgument(CuteLaunch *launch, size_t i) {
  const CuteCuda *cuda = launch->cuda;
  const CuteArray *array = &launch->arguments[i].array;
  if (!array->data)
    return true;
  size_t bytes = cuteArrayGetBytes(array);
  CuteDevicePointer *buffer = &launch->buffers[i];
  if (!cuteCudaCheck(cuda, cuda->allocate(buffer, bytes + 2 * GUARD),
                     "allocating device memory"))
    return false;
  launch->arguments[i].address = dataOf(launch, i);
  return cuteCudaCheck(cuda,
                       cuda->fill(*buffer, GUARD_VALUE, bytes + 2 * GUARD),
                       "filling device memory") &&
         (!bytes ||
          cuteCudaCheck(
              cuda, cuda->copyToDevice(dataOf(launch, i), array->data, bytes),
              "copying to the device"));
}

static bool checkGuard(const CuteLaunch *launch, size_t i, CuteDevicePointer at,
                       const char *where) {
  unsigned char bytes[GUARD];
  if (!cuteCudaCheck(launch->cuda, launch->cuda->copyToHost(bytes, at, GUARD),
                     "copying from the device"))
    return false;
  for (size_t j = 0; j < GUARD; ++j)
    if (bytes[j] != GUARD_VALUE) {
      fprintf(stderr, "error: the kernel wrote %s argument %zu\n", where, i);
      return false;
    }
  return true;
}

bool cuteLaunchRead(const CuteLaunch *launch, size_t argument,
                    const CuteArray *array) {
  size_t bytes = cuteArrayGetBytes(array);
  return !bytes ||
         cuteCudaCheck(launch->cuda,
                       launch->cuda->copyToHost(
                           array->data, dataOf(launch, argument), bytes),
                       "copying from the device");
}

static bool receiveArgument(const CuteLaunch *launch, size_t i) {
  const CuteArray *array = &launch->arguments[i].array;
  if (!array->data)
    return true;
  return cuteLaunchRead(launch, i, array) &&
         checkGuard(launch, i, launch->buffers[i], "before") &&
         checkGuard(launch, i, dataOf(launch, i) + cuteArrayGetBytes(array),
                    "after");
}

//===-- Kernels -----------------------------------------------------------===//

static bool load(CuteLaunch *launch, const char *path) {
  enum { MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
  const CuteCuda *cuda = launch->cuda;
  if (!cuteCudaLoadFile(cuda, path, &launch->module) ||
      !cuteCudaCheck(cuda,
                     cuda->getFunction(&launch->function, launch->module,
                                       launch->kernel->name),
                     launch->kernel->name))
    return false;
  int bytes = (int)launch->kernel->dynamicShared;
  return !bytes ||
         cuteCudaCheck(cuda,
                       cuda->setAttribute(launch->function,
                                          MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes),
                       "asking for dynamic shared memory");
}

static bool chooseGrid(CuteLaunch *launch, const int64_t *grid) {
  if (grid)
    memcpy(launch->grid, grid, sizeof launch->grid);
  else if (!cuteKernelGetGrid(launch->kernel, launch->numArguments,
                              launch->arguments, launch->grid))
    return false;
  for (int i = 0; i < 3; ++i) {
    if (launch->grid[i] < 0 || launch->grid[i] > INT32_MAX) {
      fprintf(stderr, "error: a grid of %lld blocks is not possible\n",
              (long long)launch->grid[i]);
      return false;
    }
    if (!launch->kernel->block[i]) {
      fprintf(stderr, "error: the manifest has no block size\n");
      return false;
    }
  }
  return true;
}

bool cuteLaunchCreate(CuteLaunch *launch, const CuteCuda *cuda,
                      const char *codePath, const CuteKernel *kernel,
                      size_t numArguments, CuteArgument *arguments,
                      const int64_t *grid) {
  *launch = (CuteLaunch){.cuda = cuda,
                         .kernel = kernel,
                         .numArguments = numArguments,
                         .arguments = arguments};
  launch->buffers = cuteAllocate((numArguments + 1) * sizeof *launch->buffers);
  memset(launch->buffers, 0, (numArguments + 1) * sizeof *launch->buffers);
  bool ok = true;
  for (size_t i = 0; ok && i < numArguments; ++i)
    ok = sendArgument(launch, i);
  ok = ok &&
       cuteKernelBind(kernel, numArguments, arguments, &launch->parameters) &&
       chooseGrid(launch, grid) && load(launch, codePath);
  for (size_t i = 0; i < launch->parameters.count; ++i)
    launch->pointers[i] = &launch->parameters.values[i];
  if (!ok)
    cuteLaunchDestroy(launch);
  return ok;
}

void cuteLaunchDestroy(CuteLaunch *launch) {
  for (size_t i = 0; launch->buffers && i < launch->numArguments; ++i)
    if (launch->buffers[i])
      launch->cuda->release(launch->buffers[i]);
  free(launch->buffers);
  if (launch->module)
    launch->cuda->unloadModule(launch->module);
  *launch = (CuteLaunch){0};
}

bool cuteLaunchStart(const CuteLaunch *launch) {
  const int64_t *grid = launch->grid, *block = launch->kernel->block;
  if (!grid[0] || !grid[1] || !grid[2])
    return true; // nothing to do, which the driver would refuse
  int error = launch->cuda->launch(
      launch->function, (unsigned)grid[0], (unsigned)grid[1], (unsigned)grid[2],
      (unsigned)block[0], (unsigned)block[1], (unsigned)block[2],
      (unsigned)launch->kernel->dynamicShared, NULL, (void **)launch->pointers,
      NULL);
  return cuteCudaCheck(launch->cuda, error, "launching the kernel");
}

bool cuteLaunchFinish(const CuteLaunch *launch) {
  bool ok = cuteCudaCheck(launch->cuda, launch->cuda->synchronize(),
                          "running the kernel");
  for (size_t i = 0; ok && i < launch->numArguments; ++i)
    ok = receiveArgument(launch, i);
  return ok;
}
