// One CUDA device and its primary context; memory and streams are in
// cute/Run.h.
#pragma once

#include "Runtime/cuda.h"

struct CuteDevice {
  CuteCuda cuda;
  int ordinal, number; // the number is the driver's for the ordinal
  int arch;            // XX of sm_XX
  int multiprocessors;
  size_t cacheBytes; // of the L2
  char name[128];
  CuteCudaContext context;
};

// Opens the driver and device `ordinal` of it, which counts from 0.
CuteStatus cuteDeviceOpen(CuteDevice *device, int ordinal);
void cuteDeviceClose(CuteDevice *device);

// Tells whether that device is the one that libcute simulates.
bool cuteDeviceIsSimulated(int ordinal);

// Makes its context current.
CuteStatus cuteDeviceEnter(const CuteDevice *device);

//===-- Events ------------------------------------------------------------===//

CuteStatus cuteDeviceEventCreate(const CuteDevice *device,
                                 CuteCudaEvent *event);
void cuteDeviceEventDestroy(const CuteDevice *device, CuteCudaEvent event);

// The event comes after all that was started on the stream.
CuteStatus cuteDeviceEventRecord(const CuteDevice *device, CuteCudaEvent event,
                                 CuteCudaStream stream);

// Waits for the later of two events; milliseconds between them.
CuteStatus cuteDeviceEventGetElapsed(const CuteDevice *device,
                                     CuteCudaEvent start, CuteCudaEvent end,
                                     double *milliseconds);
