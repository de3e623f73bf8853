// Kernels on a device: loading, launching, and waiting.
#pragma once

#include "Runtime/argument.h"
#include "Runtime/device.h"

//===-- Modules -----------------------------------------------------------===//

typedef struct CuteDeviceModule {
  const CuteDevice *device;
  CuteCudaModule handle;
} CuteDeviceModule;

// Loads PTX, which ends in a NUL, or a cubin. What the JIT compiler says goes
// into the message.
CuteStatus cuteDeviceModuleLoad(CuteDeviceModule *module,
                                const CuteDevice *device, const void *image);

// The same from a regular file of at most 1 GiB.
CuteStatus cuteDeviceModuleLoadFile(CuteDeviceModule *module,
                                    const CuteDevice *device, const char *path);
void cuteDeviceModuleUnload(CuteDeviceModule *module);

//===-- Launches ----------------------------------------------------------===//

// A kernel with its arguments, which may be started any number of times.
typedef struct CuteLaunch {
  const CuteDevice *device;
  const CuteKernel *kernel;
  CuteCudaFunction function;
  CuteCudaAttribute attributes[4];
  CuteCudaLaunch shape;
  CuteParameters parameters;
  void *pointers[CUTE_MAX_PARAMETERS + 1]; // into them, and null
} CuteLaunch;

// Fails for a grid that CUDA refuses or that is not a multiple of the cluster
// and of the preferred cluster, and for blocks of too many threads (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability").
CuteStatus cuteLaunchCheckGrid(const CuteKernel *kernel, const int64_t grid[3],
                               const int64_t cluster[3]);
CuteStatus cuteLaunchCheckBlock(const int64_t block[3]);

// The blocks of the largest cluster of a launch in clusters of that size.
int64_t cuteLaunchGetMostBlocks(const CuteKernel *kernel,
                                const int64_t cluster[3]);

// Asks the driver to allow so many bytes of dynamic shared memory, unless 0,
// and clusters of so many blocks.
CuteStatus cuteLaunchAllow(const CuteCuda *cuda, CuteCudaFunction function,
                           int64_t sharedBytes, int64_t clusterSize);

// Adds the attributes of a cluster, unless it is of one block, of the one that
// the kernel prefers, and of a launch that may overlap the one before; there is
// room for them.
void cuteLaunchAddAttributes(CuteCudaLaunch *shape, const CuteKernel *kernel,
                             const int64_t cluster[3], bool mayOverlap);

// Tells whether a launch has no blocks, so that nothing is to do.
static inline bool cuteLaunchIsEmpty(const CuteCudaLaunch *shape) {
  return !shape->grid[0] || !shape->grid[1] || !shape->grid[2];
}

// Starts a function, unless the launch is empty, which the driver would refuse.
CuteStatus cuteLaunchRun(const CuteCuda *cuda, CuteCudaFunction function,
                         const CuteCudaLaunch *shape, void **parameters);

// Binds the arguments, encodes tensor maps, asks for the shared memory, and
// evaluates the grid, unless `grid` is not null. It may not be copied.
CuteStatus cuteLaunchPrepare(CuteLaunch *launch, const CuteDeviceModule *module,
                             const CuteKernel *kernel, size_t numArguments,
                             const CuteArgument *arguments,
                             const int64_t *grid);

// Gives a prepared launch other addresses of its tensors, in their order.
CuteStatus cuteLaunchSetAddresses(CuteLaunch *launch, size_t n,
                                  const CuteDevicePointer *addresses);

// Starts the kernel once on a stream of the device; does not wait.
CuteStatus cuteLaunchStart(const CuteLaunch *launch, CuteCudaStream stream);
