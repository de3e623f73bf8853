//===- cute/Simulator.h - A simulated device -------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// libcute runs kernels on the host, too (docs/simulator.md). libcute-run
/// and cute-run find this library when they are asked for the device "sim", and
/// use it as they use the CUDA driver.
///
//===----------------------------------------------------------------------===//
#ifndef CUTE_SIMULATOR_H
#define CUTE_SIMULATOR_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The function that does what `symbol` of NVIDIA's Driver API does, of those
/// that libcute-run calls, and cuMemHostRegister_v2, after which kernels access
/// memory of the host; null if there is none.
CUTE_API void *cuteSimulatorFind(const char *symbol);

/// Ends the launches that are simulated now, which fail. For any thread, and
/// for handlers of signals.
CUTE_API void cuteSimulatorInterrupt(void);

#ifdef __cplusplus
}
#endif

#endif
