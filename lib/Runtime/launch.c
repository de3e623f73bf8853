#include "Runtime/launch.h"
#include "Support/arena.h"

#include <stdlib.h>

// Bytes before and after each tensor that no kernel may write.
enum { GUARD = 4096, GUARD_VALUE = 0xa5 };

//===-- Tensors on the device ---------------------------------------------===//

bool cuteDeviceArrayCreate(const CuteCuda *cuda, const CuteArray *array,
                           CuteDevicePointer *address) {
  CuteDevicePointer memory;
  *address = 0;
  if (!cuteCudaCheck(
          cuda, cuda->allocate(&memory, cuteArrayGetBytes(array) + 2 * GUARD),
          "allocating device memory"))
    return false;
  *address = memory + GUARD;
  return cuteDeviceArrayWrite(cuda, array, *address);
}

void cuteDeviceArrayDestroy(const CuteCuda *cuda, CuteDevicePointer address) {
  if (address)
    cuda->release(address - GUARD);
}

bool cuteDeviceArrayWrite(const CuteCuda *cuda, const CuteArray *array,
                          CuteDevicePointer address) {
  size_t bytes = cuteArrayGetBytes(array);
  return cuteCudaCheck(cuda, cuda->fill(address - GUARD, GUARD_VALUE, GUARD),
                       "filling device memory") &&
         cuteCudaCheck(cuda, cuda->fill(address + bytes, GUARD_VALUE, GUARD),
                       "filling device memory") &&
         (!bytes ||
          cuteCudaCheck(cuda, cuda->copyToDevice(address, array->data, bytes),
                        "copying to the device"));
}

static bool checkGuard(const CuteCuda *cuda, CuteDevicePointer at,
                       const char *where, size_t argument) {
  unsigned char bytes[GUARD];
  if (!cuteCudaCheck(cuda, cuda->copyToHost(bytes, at, GUARD),
                     "copying from the device"))
    return false;
  for (size_t j = 0; j < GUARD; ++j)
    if (bytes[j] != GUARD_VALUE) {
      fprintf(stderr, "error: the kernel wrote %s argument %zu\n", where,
              argument);
      return false;
    }
  return true;
}

static bool readDeviceArray(const CuteCuda *cuda, CuteDevicePointer address,
                            const CuteArray *array) {
  size_t bytes = cuteArrayGetBytes(array);
  return !bytes ||
         cuteCudaCheck(cuda, cuda->copyToHost(array->data, address, bytes),
                       "copying from the device");
}

bool cuteDeviceArrayRead(const CuteCuda *cuda, CuteDevicePointer address,
                         size_t argument, const CuteArray *array) {
  return readDeviceArray(cuda, address, array) &&
         checkGuard(cuda, address - GUARD, "before", argument) &&
         checkGuard(cuda, address + cuteArrayGetBytes(array), "after",
                    argument);
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

static bool sendArgument(CuteLaunch *launch, size_t i) {
  CuteArgument *argument = &launch->arguments[i];
  launch->isOwned[i] = argument->array.data && !argument->address;
  return !launch->isOwned[i] ||
         cuteDeviceArrayCreate(launch->cuda, &argument->array,
                               &argument->address);
}

bool cuteLaunchCreate(CuteLaunch *launch, const CuteCuda *cuda,
                      const char *codePath, const CuteKernel *kernel,
                      size_t numArguments, CuteArgument *arguments,
                      const int64_t *grid) {
  *launch = (CuteLaunch){.cuda = cuda,
                         .kernel = kernel,
                         .numArguments = numArguments,
                         .arguments = arguments};
  launch->isOwned = cuteAllocate((numArguments + 1) * sizeof *launch->isOwned);
  memset(launch->isOwned, 0, (numArguments + 1) * sizeof *launch->isOwned);
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
  for (size_t i = 0; launch->isOwned && i < launch->numArguments; ++i)
    if (launch->isOwned[i]) {
      cuteDeviceArrayDestroy(launch->cuda, launch->arguments[i].address);
      launch->arguments[i].address = 0;
    }
  free(launch->isOwned);
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
    ok = !launch->isOwned[i] ||
         cuteDeviceArrayRead(launch->cuda, launch->arguments[i].address, i,
                             &launch->arguments[i].array);
  return ok;
}

bool cuteLaunchRead(const CuteLaunch *launch, size_t argument,
                    const CuteArray *array) {
  return readDeviceArray(launch->cuda, launch->arguments[argument].address,
                         array);
}
