// The public API of libcute-run on top of devices, manifests and launches.
#include "Runtime/launch.h"
#include "Support/arena.h"

//===-- Devices -----------------------------------------------------------===//

CuteStatus cuteDeviceCreate(int ordinal, CuteDevice **result) {
  CuteDevice *device = cuteAllocate(sizeof *device);
  CuteStatus status = cuteDeviceOpen(device, ordinal);
  *result = status ? NULL : device;
  if (status)
    free(device);
  return status;
}

void cuteDeviceDestroy(CuteDevice *device) {
  if (device)
    cuteDeviceClose(device);
  free(device);
}

const char *cuteDeviceGetName(const CuteDevice *device) { return device->name; }

int cuteDeviceGetArch(const CuteDevice *device) { return device->arch; }

int cuteDeviceGetMultiprocessors(const CuteDevice *device) {
  return device->multiprocessors;
}

//===-- Kernels -----------------------------------------------------------===//

struct CuteLoadedKernel {
  CuteManifest manifest;
  CuteKernel kernel;
  CuteDeviceModule module;
  CuteLaunch launch;
};

// Code is null for the file that the manifest names.
static CuteStatus load(CuteLoadedKernel *kernel, const CuteDevice *device,
                       const void *code, const char *name) {
  CUTE_TRY(cuteManifestFindKernel(&kernel->manifest, name, &kernel->kernel));
  return code ? cuteDeviceModuleLoad(&kernel->module, device, code)
              : cuteDeviceModuleLoadFile(&kernel->module, device,
                                         kernel->manifest.path);
}

static CuteLoadedKernel *make(void) {
  CuteLoadedKernel *kernel = cuteAllocate(sizeof *kernel);
  kernel->manifest = (CuteManifest){0};
  kernel->module = (CuteDeviceModule){0};
  return kernel;
}

static CuteStatus finish(CuteLoadedKernel *kernel, const CuteDevice *device,
                         const void *code, const char *name, CuteStatus status,
                         CuteLoadedKernel **result) {
  if (!status)
    status = load(kernel, device, code, name);
  *result = status ? NULL : kernel;
  if (status)
    cuteLoadedKernelDestroy(kernel);
  return status;
}

CuteStatus cuteLoadedKernelCreate(const CuteDevice *device,
                                  const char *manifest, const char *name,
                                  CuteLoadedKernel **result) {
  CuteLoadedKernel *kernel = make();
  return finish(kernel, device, NULL, name,
                cuteManifestRead(&kernel->manifest, manifest), result);
}

CuteStatus cuteLoadedKernelCreateFromMemory(const CuteDevice *device,
                                            const char *manifest,
                                            const void *code, const char *name,
                                            CuteLoadedKernel **result) {
  CuteLoadedKernel *kernel = make();
  return finish(kernel, device, code, name,
                cuteManifestParse(&kernel->manifest, manifest), result);
}

void cuteLoadedKernelDestroy(CuteLoadedKernel *kernel) {
  if (!kernel)
    return;
  cuteDeviceModuleUnload(&kernel->module);
  cuteManifestDestroy(&kernel->manifest);
  free(kernel);
}

CuteStatus cuteLoadedKernelLaunch(CuteLoadedKernel *kernel,
                                  CuteCudaStream stream, size_t numArguments,
                                  const CuteArgument *arguments,
                                  const int64_t *grid) {
  CUTE_TRY(cuteLaunchPrepare(&kernel->launch, &kernel->module, &kernel->kernel,
                             numArguments, arguments, grid));
  return cuteLaunchStart(&kernel->launch, stream);
}

//===-- Bound launches ----------------------------------------------------===//

struct CuteBoundLaunch {
  CuteLaunch launch;
};

CuteStatus cuteBoundLaunchCreate(const CuteLoadedKernel *kernel,
                                 size_t numArguments,
                                 const CuteArgument *arguments,
                                 const int64_t *grid,
                                 CuteBoundLaunch **result) {
  CuteBoundLaunch *bound = cuteAllocate(sizeof *bound);
  CuteStatus status =
      cuteLaunchPrepare(&bound->launch, &kernel->module, &kernel->kernel,
                        numArguments, arguments, grid);
  *result = status ? NULL : bound;
  if (status)
    free(bound);
  return status;
}

void cuteBoundLaunchDestroy(CuteBoundLaunch *launch) { free(launch); }

CuteStatus cuteBoundLaunchStart(CuteBoundLaunch *launch, CuteCudaStream stream,
                                size_t numAddresses,
                                const CuteDevicePointer *addresses) {
  CUTE_TRY(cuteLaunchSetAddresses(&launch->launch, numAddresses, addresses));
  return cuteLaunchStart(&launch->launch, stream);
}
