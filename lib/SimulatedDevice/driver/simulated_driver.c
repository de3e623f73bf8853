// The functions of NVIDIA's Driver API that lib/Runtime calls, for a device
// that is simulated: each has done its work when it returns.
#include "SimulatedDevice/driver/driver_status.h"
#include "Simulator/async/tensor_box.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/machine.h"
#include "Support/arena.h"
#include "Support/clock.h"
#include "cute/Simulator.h"

// Defines a function that has nothing to do.
#define NOTHING(name, parameters, unused)                                      \
  int cuteSimDriver_##name parameters {                                        \
    (void)unused;                                                              \
    return 0;                                                                  \
  }

//===-- Devices -----------------------------------------------------------===//

int cuteSimDriver_initialize(CUTE_UNUSED unsigned flags) {
  cuteSimDriverReadEnvironment();
  return 0;
}

int cuteSimDriver_getDeviceCount(int *count) {
  *count = 1;
  return 0;
}

int cuteSimDriver_getDevice(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}

// Those of an H200.
int cuteSimDriver_getDeviceAttribute(int *value, int attribute,
                                     CUTE_UNUSED int device) {
  *value = attribute == CUTE_CUDA_MULTIPROCESSORS ? 132
           : attribute == CUTE_CUDA_L2_BYTES      ? 50 << 20
           : attribute == CUTE_CUDA_MAJOR         ? 9
                                                  : 0;
  return 0;
}

int cuteSimDriver_getDeviceName(char *name, int capacity,
                                CUTE_UNUSED int device) {
  strncpy(name, "simulated", (size_t)capacity);
  return 0;
}

int cuteSimDriver_synchronize(void) {
  cuteSimDriverEndGrids();
  return 0;
}

NOTHING(releaseContext, (int device), device)
NOTHING(setContext, (CuteCudaContext context), context)
NOTHING(retainContext, (CuteCudaContext * context, int device),
        (*context = NULL, device))

//===-- Memory ------------------------------------------------------------===//

int cuteSimDriver_allocate(CuteDevicePointer *pointer, size_t bytes) {
  cuteSimDriverEndGrids();
  *pointer = cuteSimMemoryAllocate(bytes);
  return *pointer ? 0
                  : cuteSimDriverFinish(cuteStatusCreate(
                        "there is no memory for %zu bytes", bytes));
}

int cuteSimDriver_release(CuteDevicePointer pointer) {
  cuteSimDriverEndGrids();
  return cuteSimMemoryRelease(pointer)
             ? 0
             : cuteSimDriverFinish(
                   cuteStatusCreate("0x%jx is not an allocation", pointer));
}

static int registerHost(void *memory, size_t bytes, unsigned flags) {
  enum { CU_MEMHOSTREGISTER_READ_ONLY = 8 };
  cuteSimMemoryRegister((uintptr_t)memory, bytes,
                        flags & CU_MEMHOSTREGISTER_READ_ONLY);
  return 0;
}

// Checks bytes that the host, or a copy between kernels, is to access.
static CuteStatus checkRange(CuteDevicePointer at, size_t bytes) {
  cuteSimDriverEndGrids();
  return cuteSimMemoryHas(at, bytes)
             ? NULL
             : cuteStatusCreate("%zu bytes at 0x%jx are not allocated", bytes,
                                at);
}

static void *hostOf(CuteDevicePointer pointer) {
  return (void *)(uintptr_t)pointer;
}

int cuteSimDriver_copyToDevice(CuteDevicePointer to, const void *from,
                               size_t bytes) {
  CuteStatus status = checkRange(to, bytes);
  if (!status)
    memcpy(hostOf(to), from, bytes);
  return cuteSimDriverFinish(status);
}

int cuteSimDriver_copyToHost(void *to, CuteDevicePointer from, size_t bytes) {
  CuteStatus status = checkRange(from, bytes);
  if (!status)
    memcpy(to, hostOf(from), bytes);
  return cuteSimDriverFinish(status);
}

int cuteSimDriver_copyOnDevice(CuteDevicePointer to, CuteDevicePointer from,
                               size_t bytes,
                               CUTE_UNUSED CuteCudaStream stream) {
  CuteStatus status = checkRange(from, bytes);
  if (!status)
    status = checkRange(to, bytes);
  if (!status)
    memmove(hostOf(to), hostOf(from), bytes);
  return cuteSimDriverFinish(status);
}

int cuteSimDriver_fill(CuteDevicePointer to, unsigned char value,
                       size_t bytes) {
  CuteStatus status = checkRange(to, bytes);
  if (!status)
    memset(hostOf(to), value, bytes);
  return cuteSimDriverFinish(status);
}

//===-- Streams and events ------------------------------------------------===//

NOTHING(createStream, (CuteCudaStream * stream, unsigned flags),
        (*stream = NULL, flags))
int cuteSimDriver_synchronizeStream(CUTE_UNUSED CuteCudaStream stream) {
  return cuteSimDriver_synchronize();
}

NOTHING(destroyStream, (CuteCudaStream stream), stream)
NOTHING(synchronizeEvent, (CuteCudaEvent event), event)

// An event is the time at which it was recorded.
int cuteSimDriver_createEvent(CuteCudaEvent *event,
                              CUTE_UNUSED unsigned flags) {
  double *time = cuteAllocate(sizeof *time);
  *time = 0;
  *event = (CuteCudaEvent)(void *)time;
  return 0;
}

int cuteSimDriver_recordEvent(CuteCudaEvent event,
                              CUTE_UNUSED CuteCudaStream stream) {
  *(double *)(void *)event = cuteNow();
  return 0;
}

int cuteSimDriver_elapsed(float *milliseconds, CuteCudaEvent start,
                          CuteCudaEvent end) {
  *milliseconds = (float)(*(double *)(void *)end - *(double *)(void *)start);
  return 0;
}

int cuteSimDriver_destroyEvent(CuteCudaEvent event) {
  free((void *)event);
  return 0;
}

//===-- Tensor maps -------------------------------------------------------===//

int cuteSimDriver_encodeTiled(void *map, int element, uint32_t rank,
                              CuteDevicePointer address, const uint64_t *dims,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *elementStrides, int interleave,
                              int swizzle, CUTE_UNUSED int promotion,
                              int fillKind) {
  return cuteSimDriverFinish(
      cuteSimEncodeTiled(map, element, rank, address, dims, strides, box,
                         elementStrides, interleave, swizzle, fillKind));
}

int cuteSimDriver_encodeIm2col(void *map, int element, uint32_t rank,
                               CuteDevicePointer address, const uint64_t *dims,
                               const uint64_t *strides, const int *lower,
                               const int *upper, uint32_t channels,
                               uint32_t pixels, const uint32_t *elementStrides,
                               int interleave, int swizzle,
                               CUTE_UNUSED int promotion, int fillKind) {
  return cuteSimDriverFinish(cuteSimEncodeIm2col(
      map, element, rank, address, dims, strides, lower, upper, channels,
      pixels, elementStrides, interleave, swizzle, fillKind));
}

//===-- By name -----------------------------------------------------------===//

static const struct {
  const char *symbol;
  void *function;
} rows[] = {
#define CUTE_CUDA_FUNCTION(symbol, name, parameters)                           \
  {#symbol, (void *)(uintptr_t)cuteSimDriver_##name},
#include "Runtime/cuda_functions.def"
    {"cuMemHostRegister_v2", (void *)(uintptr_t)registerHost},
};

void cuteSimulatorInterrupt(void) { cuteSimInterruptRuns(); }

void *cuteSimulatorFind(const char *symbol) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!strcmp(rows[i].symbol, symbol))
      return rows[i].function;
  return NULL;
}
