// One CUDA device and its primary context. Functions that take a device, or
// what was made on one, make that context current to the calling thread;
// several threads may use one device.
#ifndef CUTE_RUNTIME_DEVICE_H
#define CUTE_RUNTIME_DEVICE_H

#include "Runtime/cuda.h"

typedef struct CuteDevice {
  CuteCuda cuda;
  int ordinal, number; // the number is the driver's for the ordinal
  int arch;            // XX of sm_XX
  int multiprocessors;
  size_t cacheBytes; // of the L2
  char name[128];
  CuteCudaContext context;
} CuteDevice;

// Opens the driver and device `ordinal` of it, which counts from 0.
CuteStatus cuteDeviceOpen(CuteDevice *device, int ordinal);
void cuteDeviceClose(CuteDevice *device);

// Makes its context current.
CuteStatus cuteDeviceEnter(const CuteDevice *device);

//===-- Memory ------------------------------------------------------------===//

CuteStatus cuteDeviceAllocate(const CuteDevice *device, size_t bytes,
                              CuteDevicePointer *memory);
void cuteDeviceRelease(const CuteDevice *device, CuteDevicePointer memory);

// All of these wait; 0 bytes are possible.
CuteStatus cuteDeviceFill(const CuteDevice *device, CuteDevicePointer to,
                          unsigned char value, size_t bytes);
CuteStatus cuteDeviceWrite(const CuteDevice *device, CuteDevicePointer to,
                           const void *from, size_t bytes);
CuteStatus cuteDeviceRead(const CuteDevice *device, void *to,
                          CuteDevicePointer from, size_t bytes);

// Starts a copy on the device.
CuteStatus cuteDeviceCopy(const CuteDevice *device, CuteDevicePointer to,
                          CuteDevicePointer from, size_t bytes,
                          CuteCudaStream stream);

//===-- Streams and events ------------------------------------------------===//

CuteStatus cuteStreamCreate(const CuteDevice *device, CuteCudaStream *stream);
void cuteStreamDestroy(const CuteDevice *device, CuteCudaStream stream);

// Waits for all that was started on a stream.
CuteStatus cuteStreamSynchronize(const CuteDevice *device,
                                 CuteCudaStream stream);

CuteStatus cuteEventCreate(const CuteDevice *device, CuteCudaEvent *event);
void cuteEventDestroy(const CuteDevice *device, CuteCudaEvent event);

// The event comes after all that was started on the stream.
CuteStatus cuteEventRecord(const CuteDevice *device, CuteCudaEvent event,
                           CuteCudaStream stream);

// Waits for the later of two events; milliseconds between them.
CuteStatus cuteEventGetElapsed(const CuteDevice *device, CuteCudaEvent start,
                               CuteCudaEvent end, double *milliseconds);

// Waits for all that was started on it.
CuteStatus cuteDeviceSynchronize(const CuteDevice *device);

#endif
