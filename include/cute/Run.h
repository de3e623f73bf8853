//===- cute/Run.h - Compiled kernels on CUDA devices -----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// libcute-run: loads cutec's output, and launches it according to its manifest
/// (docs/abi.md). It needs no compiler, and finds the CUDA driver at run time.
/// Functions that take a device, or an object made on one, make its primary
/// context current to the calling thread. Several threads may use one device; a
/// loaded kernel belongs to one thread at a time.
///
//===----------------------------------------------------------------------===//
#ifndef CUTE_RUN_H
#define CUTE_RUN_H

#include "cute/ElementType.h"
#include "cute/Status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A CUdeviceptr and a CUstream; the null stream is the default one.
typedef uint64_t CuteDevicePointer;
typedef struct CuteCudaStreamHandle *CuteCudaStream;

//===-- Devices -----------------------------------------------------------===//

typedef struct CuteDevice CuteDevice;

/// The device that libcute simulates (docs/simulator.md). If the environment
/// variable CUTE_DEVICE is "sim", any ordinal means this device.
enum { CUTE_DEVICE_SIMULATED = 1 << 20 };

/// Opens the driver and its device `ordinal`, which counts from 0.
CUTE_API CuteStatus cuteDeviceCreate(int ordinal, CuteDevice **device);
/// Its memory, streams and kernels must be gone. Null is ignored.
CUTE_API void cuteDeviceDestroy(CuteDevice *device);

/// The driver's name of the device, which lives as long as the device.
CUTE_API const char *cuteDeviceGetName(const CuteDevice *device);

/// XX of the architecture sm_XX.
CUTE_API int cuteDeviceGetArch(const CuteDevice *device);

/// Returns how many multiprocessors it has.
CUTE_API int cuteDeviceGetMultiprocessors(const CuteDevice *device);

/// Waits for all work on the device.
CUTE_API CuteStatus cuteDeviceSynchronize(const CuteDevice *device);

//===-- Memory ------------------------------------------------------------===//

/// Global memory with undefined contents; release it with cuteDeviceRelease.
CUTE_API CuteStatus cuteDeviceAllocate(const CuteDevice *device, size_t bytes,
                                       CuteDevicePointer *memory);
CUTE_API void cuteDeviceRelease(const CuteDevice *device,
                                CuteDevicePointer memory);

/// All of these wait; 0 bytes are valid.
CUTE_API CuteStatus cuteDeviceFill(const CuteDevice *device,
                                   CuteDevicePointer to, unsigned char value,
                                   size_t bytes);
CUTE_API CuteStatus cuteDeviceWrite(const CuteDevice *device,
                                    CuteDevicePointer to, const void *from,
                                    size_t bytes);
CUTE_API CuteStatus cuteDeviceRead(const CuteDevice *device, void *to,
                                   CuteDevicePointer from, size_t bytes);

/// Starts a copy on the device.
CUTE_API CuteStatus cuteDeviceCopy(const CuteDevice *device,
                                   CuteDevicePointer to, CuteDevicePointer from,
                                   size_t bytes, CuteCudaStream stream);

//===-- Streams -----------------------------------------------------------===//

/// A stream other than the default one, which is null.
CUTE_API CuteStatus cuteStreamCreate(const CuteDevice *device,
                                     CuteCudaStream *stream);
CUTE_API void cuteStreamDestroy(const CuteDevice *device,
                                CuteCudaStream stream);

/// Waits for all work on a stream.
CUTE_API CuteStatus cuteStreamSynchronize(const CuteDevice *device,
                                          CuteCudaStream stream);

//===-- Arguments ---------------------------------------------------------===//

enum { CUTE_MAX_ARGUMENT_RANK = 8, CUTE_MAX_NUMBERS = 32 };

/// A number from a text: 42 or 0.5.
typedef struct CuteNumber {
  bool isInteger; ///< and then `real` is the same
  int64_t integer;
  double real;
} CuteNumber;

/// A tensor where the kernel runs, with a mode for each leaf of its layout in
/// the order of the text; or the numbers of any other argument.
typedef struct CuteArgument {
  bool isTensor;
  CuteElementType element;
  size_t rank;
  int64_t extents[CUTE_MAX_ARGUMENT_RANK]; ///< strides count elements
  int64_t strides[CUTE_MAX_ARGUMENT_RANK];
  CuteDevicePointer address;
  size_t numNumbers;
  CuteNumber numbers[CUTE_MAX_NUMBERS];
} CuteArgument;

/// Reads the numbers of a text such as 42, 0.5 or (4,8).
CUTE_API CuteStatus cuteArgumentParseNumbers(CuteArgument *argument,
                                             const char *text);

//===-- Kernels -----------------------------------------------------------===//

typedef struct CuteLoadedKernel CuteLoadedKernel;

/// Loads a kernel by its manifest's path, with the code next to the manifest;
/// `name` is null for the only one. The device must outlive it.
CUTE_API CuteStatus cuteLoadedKernelCreate(const CuteDevice *device,
                                           const char *manifest,
                                           const char *name,
                                           CuteLoadedKernel **kernel);

/// The same for a manifest and code in memory: PTX, which ends in a NUL, or a
/// cubin.
CUTE_API CuteStatus cuteLoadedKernelCreateFromMemory(const CuteDevice *device,
                                                     const char *manifest,
                                                     const void *code,
                                                     const char *name,
                                                     CuteLoadedKernel **kernel);
CUTE_API void cuteLoadedKernelDestroy(CuteLoadedKernel *kernel);

/// Checks the arguments against the manifest, encodes tensor maps, evaluates
/// the grid, unless `grid` is not null, and starts the kernel; does not wait.
CUTE_API CuteStatus cuteLoadedKernelLaunch(CuteLoadedKernel *kernel,
                                           CuteCudaStream stream,
                                           size_t numArguments,
                                           const CuteArgument *arguments,
                                           const int64_t *grid);

//===-- Bound launches ----------------------------------------------------===//

/// A launch with checked arguments and a chosen grid, to be started many times
/// with tensors of the same extents and strides: this costs a fraction of
/// cuteLoadedKernelLaunch, which reads the manifest's formulas each time.
typedef struct CuteBoundLaunch CuteBoundLaunch;

/// Takes cuteLoadedKernelLaunch's arguments. The kernel must outlive it.
CUTE_API CuteStatus cuteBoundLaunchCreate(const CuteLoadedKernel *kernel,
                                          size_t numArguments,
                                          const CuteArgument *arguments,
                                          const int64_t *grid,
                                          CuteBoundLaunch **launch);
CUTE_API void cuteBoundLaunchDestroy(CuteBoundLaunch *launch);

/// Starts it with other addresses, one for each argument that is a tensor, in
/// their order; their alignment is checked. Does not wait. One thread at a
/// time.
CUTE_API CuteStatus cuteBoundLaunchStart(CuteBoundLaunch *launch,
                                         CuteCudaStream stream,
                                         size_t numAddresses,
                                         const CuteDevicePointer *addresses);

#ifdef __cplusplus
}
#endif

#endif
