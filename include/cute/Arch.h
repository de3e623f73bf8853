//===- cute/Arch.h - Architectures of NVIDIA GPUs --------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_ARCH_H
#define CUTE_ARCH_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Null if `arch` names an architecture that this build knows. Otherwise, also
/// for a null name, a message that lists those that it does know.
CUTE_API const char *cuteArchCheck(const char *arch);

#ifdef __cplusplus
}
#endif

#endif
