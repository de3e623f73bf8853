//===- cute/Status.h - Failures as values ----------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_STATUS_H
#define CUTE_STATUS_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Null on success; otherwise the caller owns it and destroys it.
typedef struct CuteFailure *CuteStatus;

/// The error, after the operation that failed: "launching the kernel: CUDA
/// error 1: invalid argument". It lives as long as the status.
CUTE_API const char *cuteStatusGetMessage(CuteStatus status);

CUTE_API void cuteStatusDestroy(CuteStatus status);

#ifdef __cplusplus
}
#endif

#endif
