//===- cute/Simulator.h - A simulated device -------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// libcute also runs kernels on the host (docs/simulator.md). libcute-run and
/// cute-run load this library for the device "sim", and use it as they use the
/// CUDA driver.
///
//===----------------------------------------------------------------------===//
#ifndef CUTE_SIMULATOR_H
#define CUTE_SIMULATOR_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The simulator's version of `symbol` in NVIDIA's Driver API, for the
/// functions that libcute-run calls and for cuMemHostRegister_v2, after which
/// kernels access host memory; null for others.
CUTE_API void *cuteSimulatorFind(const char *symbol);

/// Ends the current simulated launches, which fail. Any thread and any signal
/// handler may call it.
CUTE_API void cuteSimulatorInterrupt(void);

#ifdef __cplusplus
}
#endif

#endif
