//===- cute/Version.h - Which version this is ------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_VERSION_H
#define CUTE_VERSION_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of these headers. Until 1.0 a minor version may change the API;
/// the soname has the major and, until then, the minor one.
#define CUTE_VERSION_MAJOR 0
#define CUTE_VERSION_MINOR 1
#define CUTE_VERSION_PATCH 0

/// The version of the loaded library, such as "0.1.0".
CUTE_API const char *cuteVersion(void);

#ifdef __cplusplus
}
#endif

#endif
