// The functions of NVIDIA's Driver API that lib/Runtime calls, for a device
// that is simulated: each has done its work when it returns.
#include "Runtime/cuda.h"
#include "SimulatedDevice/driver/compile_source.h"
#include "SimulatedDevice/driver/driver_status.h"
#include "SimulatedDevice/driver/host_program.h"
#include "Simulator/async/tensor_box.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/machine.h"
#include "Support/arena.h"
#include "Support/clock.h"
#include "cute/Simulator.h"

#include <stdlib.h>
#include <string.h>

//===-- Devices -----------------------------------------------------------===//

static int initialize(unsigned flags) {
  (void)flags;
  cuteSimDriverReadEnvironment();
  return 0;
}

static int getDeviceCount(int *count) {
  *count = 1;
  return 0;
}

static int getDevice(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}

// Those of an H200.
static int getDeviceAttribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == CUTE_CUDA_MULTIPROCESSORS ? 132
           : attribute == CUTE_CUDA_L2_BYTES      ? 50 << 20
           : attribute == CUTE_CUDA_MAJOR         ? 9
                                                  : 0;
  return 0;
}

static int getDeviceName(char *name, int capacity, int device) {
  (void)device;
  strncpy(name, "simulated", (size_t)capacity);
  return 0;
}

static int retainContext(CuteCudaContext *context, int device) {
  (void)device;
  *context = NULL;
  return 0;
}

static int releaseContext(int device) {
  (void)device;
  return 0;
}

static int setContext(CuteCudaContext context) {
  (void)context;
  return 0;
}

static int synchronize(void) { return 0; }

//===-- Memory ------------------------------------------------------------===//

static int allocate(CuteDevicePointer *pointer, size_t bytes) {
  *pointer = cuteSimMemoryAllocate(bytes);
  return *pointer ? 0
                  : cuteSimDriverFinish(cuteStatusCreate(
                        "there is no memory for %zu bytes", bytes));
}

static int release(CuteDevicePointer pointer) {
  return cuteSimMemoryRelease(pointer)
             ? 0
             : cuteSimDriverFinish(cuteStatusCreate(
                   "0x%llx is no allocation", (unsigned long long)pointer));
}

static int registerHost(void *memory, size_t bytes, unsigned flags) {
  enum { CU_MEMHOSTREGISTER_READ_ONLY = 8 };
  if (flags & CU_MEMHOSTREGISTER_READ_ONLY)
    cuteSimMemoryRegisterReadOnly((uintptr_t)memory, bytes);
  else
    cuteSimMemoryRegister((uintptr_t)memory, bytes);
  return 0;
}

static CuteStatus checkRange(CuteDevicePointer at, size_t bytes) {
  return cuteSimMemoryHas(at, bytes)
             ? NULL
             : cuteStatusCreate("%zu bytes at 0x%llx are not allocated", bytes,
                                (unsigned long long)at);
}

static void *hostOf(CuteDevicePointer pointer) {
  return (void *)(uintptr_t)pointer;
}

static int copyToDevice(CuteDevicePointer to, const void *from, size_t bytes) {
  CuteStatus status = checkRange(to, bytes);
  if (!status)
    memcpy(hostOf(to), from, bytes);
  return cuteSimDriverFinish(status);
}

static int copyToHost(void *to, CuteDevicePointer from, size_t bytes) {
  CuteStatus status = checkRange(from, bytes);
  if (!status)
    memcpy(to, hostOf(from), bytes);
  return cuteSimDriverFinish(status);
}

static int copyOnDevice(CuteDevicePointer to, CuteDevicePointer from,
                        size_t bytes, CuteCudaStream stream) {
  CuteStatus status = checkRange(from, bytes);
  (void)stream;
  if (!status)
    status = checkRange(to, bytes);
  if (!status)
    memmove(hostOf(to), hostOf(from), bytes);
  return cuteSimDriverFinish(status);
}

static int fill(CuteDevicePointer to, unsigned char value, size_t bytes) {
  CuteStatus status = checkRange(to, bytes);
  if (!status)
    memset(hostOf(to), value, bytes);
  return cuteSimDriverFinish(status);
}

//===-- Streams and events ------------------------------------------------===//

static int createStream(CuteCudaStream *stream, unsigned flags) {
  (void)flags;
  *stream = NULL;
  return 0;
}

static int synchronizeStream(CuteCudaStream stream) {
  (void)stream;
  return 0;
}

static int destroyStream(CuteCudaStream stream) {
  (void)stream;
  return 0;
}

// An event is the time at which it was recorded.
static int createEvent(CuteCudaEvent *event, unsigned flags) {
  double *time = cuteAllocate(sizeof *time);
  (void)flags;
  *time = 0;
  *event = (CuteCudaEvent)(void *)time;
  return 0;
}

static int recordEvent(CuteCudaEvent event, CuteCudaStream stream) {
  (void)stream;
  *(double *)(void *)event = cuteNow();
  return 0;
}

static int synchronizeEvent(CuteCudaEvent event) {
  (void)event;
  return 0;
}

static int elapsed(float *milliseconds, CuteCudaEvent start,
                   CuteCudaEvent end) {
  *milliseconds = (float)(*(double *)(void *)end - *(double *)(void *)start);
  return 0;
}

static int destroyEvent(CuteCudaEvent event) {
  free((void *)event);
  return 0;
}

//===-- Tensor maps -------------------------------------------------------===//

static int encodeTiled(void *map, int element, uint32_t rank,
                       CuteDevicePointer address, const uint64_t *dims,
                       const uint64_t *strides, const uint32_t *box,
                       const uint32_t *elementStrides, int interleave,
                       int swizzle, int promotion, int fillKind) {
  (void)promotion;
  return cuteSimDriverFinish(
      cuteSimEncodeTiled(map, element, rank, address, dims, strides, box,
                         elementStrides, interleave, swizzle, fillKind));
}

static int encodeIm2col(void *map, int element, uint32_t rank,
                        CuteDevicePointer address, const uint64_t *dims,
                        const uint64_t *strides, const int *lower,
                        const int *upper, uint32_t channels, uint32_t pixels,
                        const uint32_t *elementStrides, int interleave,
                        int swizzle, int promotion, int fillKind) {
  (void)promotion;
  return cuteSimDriverFinish(cuteSimEncodeIm2col(
      map, element, rank, address, dims, strides, lower, upper, channels,
      pixels, elementStrides, interleave, swizzle, fillKind));
}

//===-- By name -----------------------------------------------------------===//

#define ROW(symbol, function)                                                  \
  { #symbol, (void *)(uintptr_t)function }

static const struct {
  const char *symbol;
  void *function;
} rows[] = {
    ROW(cuInit, initialize),
    ROW(cuGetErrorString, cuteSimDriverGetErrorString),
    ROW(cuDeviceGetCount, getDeviceCount),
    ROW(cuDeviceGet, getDevice),
    ROW(cuDeviceGetAttribute, getDeviceAttribute),
    ROW(cuDeviceGetName, getDeviceName),
    ROW(cuDevicePrimaryCtxRetain, retainContext),
    ROW(cuDevicePrimaryCtxRelease_v2, releaseContext),
    ROW(cuCtxSetCurrent, setContext),
    ROW(cuCtxSynchronize, synchronize),
    ROW(cuMemAlloc_v2, allocate),
    ROW(cuMemFree_v2, release),
    ROW(cuMemHostRegister_v2, registerHost),
    ROW(cuMemcpyHtoD_v2, copyToDevice),
    ROW(cuMemcpyDtoH_v2, copyToHost),
    ROW(cuMemcpyDtoDAsync_v2, copyOnDevice),
    ROW(cuMemsetD8_v2, fill),
    ROW(cuModuleLoadDataEx, cuteSimDriverLoadModule),
    ROW(cuModuleUnload, cuteSimDriverUnloadModule),
    ROW(cuModuleGetFunction, cuteSimDriverGetFunction),
    ROW(cuFuncSetAttribute, cuteSimDriverSetAttribute),
    ROW(cuLaunchKernel, cuteSimDriverLaunch),
    ROW(cuLaunchKernelEx, cuteSimDriverLaunchWith),
    ROW(cuOccupancyMaxActiveBlocksPerMultiprocessor,
        cuteSimDriverGetActiveBlocks),
    ROW(cuOccupancyMaxActiveClusters, cuteSimDriverGetActiveClusters),
    ROW(cuTensorMapEncodeTiled, encodeTiled),
    ROW(cuTensorMapEncodeIm2col, encodeIm2col),
    ROW(cuStreamCreate, createStream),
    ROW(cuStreamSynchronize, synchronizeStream),
    ROW(cuStreamDestroy_v2, destroyStream),
    ROW(cuEventCreate, createEvent),
    ROW(cuEventRecord, recordEvent),
    ROW(cuEventSynchronize, synchronizeEvent),
    ROW(cuEventElapsedTime, elapsed),
    ROW(cuEventDestroy_v2, destroyEvent),
    ROW(cuteSimulatorSetOption, cuteSimDriverSetOption),
    ROW(cuteSimulatorCompile, cuteSimDriverCompile),
    ROW(cuteSimulatorGetNotes, cuteSimDriverGetNotes),
    ROW(cuteSimulatorGetReport, cuteSimDriverGetReport),
};

void cuteSimulatorInterrupt(void) { cuteSimInterruptRuns(); }

void *cuteSimulatorFind(const char *symbol) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!strcmp(rows[i].symbol, symbol))
      return rows[i].function;
  return NULL;
}
