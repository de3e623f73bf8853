#include "Runtime/device.h"

#include <stdlib.h>

static CuteStatus describe(CuteDevice *device) {
  const CuteCuda *cuda = &device->cuda;
  int major = 0, minor = 0, cache = 0, count = 0;
  if (cuda->getDeviceCount(&count) || !count)
    return cuteStatusCreate("the CUDA driver finds no usable device");
  if (device->ordinal < 0 || device->ordinal >= count)
    return cuteStatusCreate("there is no CUDA device %d; %d found",
                            device->ordinal, count);
  const struct {
    int *value, attribute;
  } rows[] = {{&major, CUTE_CUDA_MAJOR},
              {&minor, CUTE_CUDA_MINOR},
              {&cache, CUTE_CUDA_L2_BYTES},
              {&device->multiprocessors, CUTE_CUDA_MULTIPROCESSORS}};
  int error = cuda->getDevice(&device->number, device->ordinal);
  int at = device->number;
  if (!error)
    error = cuda->getDeviceName(device->name, sizeof device->name, at);
  for (size_t i = 0; !error && i < sizeof rows / sizeof *rows; ++i)
    error = cuda->getDeviceAttribute(rows[i].value, rows[i].attribute, at);
  device->arch = major * 10 + minor;
  device->cacheBytes = (size_t)cache;
  return cuteCudaCheck(cuda, error, "asking about the device");
}

bool cuteDeviceIsSimulated(int ordinal) {
  const char *chosen = getenv("CUTE_DEVICE");
  return ordinal == CUTE_DEVICE_SIMULATED || (chosen && !strcmp(chosen, "sim"));
}

CuteStatus cuteDeviceOpen(CuteDevice *device, int ordinal) {
  bool isSimulated = cuteDeviceIsSimulated(ordinal);
  *device = (CuteDevice){.ordinal = isSimulated ? 0 : ordinal};
  CUTE_TRY(cuteCudaOpen(&device->cuda, isSimulated));
  CuteStatus status = describe(device);
  if (!status)
    status = cuteCudaCheck(
        &device->cuda,
        device->cuda.retainContext(&device->context, device->number),
        "making a context");
  if (!status)
    status = cuteDeviceEnter(device);
  if (status)
    cuteDeviceClose(device);
  return status;
}

void cuteDeviceClose(CuteDevice *device) {
  if (device->context)
    device->cuda.releaseContext(device->number);
  cuteCudaClose(&device->cuda);
  *device = (CuteDevice){0};
}

CuteStatus cuteDeviceEnter(const CuteDevice *device) {
  return cuteCudaCheck(&device->cuda, device->cuda.setContext(device->context),
                       "choosing the device");
}

// The status of a call of the driver in the device's context.
#define CALL(device, call, what)                                               \
  (cuteDeviceEnter(device)                                                     \
       ?: cuteCudaCheck(&(device)->cuda, (device)->cuda.call, what))

CuteStatus cuteDeviceSynchronize(const CuteDevice *device) {
  return CALL(device, synchronize(), "running the kernel");
}

//===-- Memory ------------------------------------------------------------===//

CuteStatus cuteDeviceAllocate(const CuteDevice *device, size_t bytes,
                              CuteDevicePointer *memory) {
  *memory = 0;
  return CALL(device, allocate(memory, bytes), "allocating device memory");
}

void cuteDeviceRelease(const CuteDevice *device, CuteDevicePointer memory) {
  if (memory && cuteStatusConsume(cuteDeviceEnter(device)))
    device->cuda.release(memory);
}

CuteStatus cuteDeviceFill(const CuteDevice *device, CuteDevicePointer to,
                          unsigned char value, size_t bytes) {
  if (!bytes)
    return NULL;
  return CALL(device, fill(to, value, bytes), "filling device memory");
}

CuteStatus cuteDeviceWrite(const CuteDevice *device, CuteDevicePointer to,
                           const void *from, size_t bytes) {
  if (!bytes)
    return NULL;
  return CALL(device, copyToDevice(to, from, bytes), "copying to the device");
}

CuteStatus cuteDeviceRead(const CuteDevice *device, void *to,
                          CuteDevicePointer from, size_t bytes) {
  if (!bytes)
    return NULL;
  return CALL(device, copyToHost(to, from, bytes), "copying from the device");
}

CuteStatus cuteDeviceCopy(const CuteDevice *device, CuteDevicePointer to,
                          CuteDevicePointer from, size_t bytes,
                          CuteCudaStream stream) {
  return CALL(device, copyOnDevice(to, from, bytes, stream),
              "copying on the device");
}

//===-- Streams and events ------------------------------------------------===//

CuteStatus cuteStreamCreate(const CuteDevice *device, CuteCudaStream *stream) {
  return CALL(device, createStream(stream, 0), "making a stream");
}

void cuteStreamDestroy(const CuteDevice *device, CuteCudaStream stream) {
  if (stream && cuteStatusConsume(cuteDeviceEnter(device)))
    device->cuda.destroyStream(stream);
}

CuteStatus cuteStreamSynchronize(const CuteDevice *device,
                                 CuteCudaStream stream) {
  return CALL(device, synchronizeStream(stream), "waiting for a stream");
}

CuteStatus cuteDeviceEventCreate(const CuteDevice *device,
                                 CuteCudaEvent *event) {
  return CALL(device, createEvent(event, 0), "making an event");
}

void cuteDeviceEventDestroy(const CuteDevice *device, CuteCudaEvent event) {
  if (event && cuteStatusConsume(cuteDeviceEnter(device)))
    device->cuda.destroyEvent(event);
}

CuteStatus cuteDeviceEventRecord(const CuteDevice *device, CuteCudaEvent event,
                                 CuteCudaStream stream) {
  return CALL(device, recordEvent(event, stream), "timing");
}

CuteStatus cuteDeviceEventGetElapsed(const CuteDevice *device,
                                     CuteCudaEvent start, CuteCudaEvent end,
                                     double *milliseconds) {
  float elapsed = 0;
  CUTE_TRY(CALL(device, synchronizeEvent(end), "timing"));
  CUTE_TRY(CALL(device, elapsed(&elapsed, start, end), "timing"));
  *milliseconds = (double)elapsed;
  return NULL;
}
