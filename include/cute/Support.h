//===- cute/Support.h - Types that every public header uses ----*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory: if allocation fails, these libraries' functions print a message to
// standard error and abort the process, as LLVM's do. MLIR's C API does not
// check all of its allocations for operations.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_SUPPORT_H
#define CUTE_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks the shared library's exports.
#define CUTE_API __attribute__((visibility("default")))

/// A piece of text with another owner; it need not end in a NUL. Laid out like
/// MlirStringRef.
typedef struct CuteStringRef {
  const char *data;
  size_t length;
} CuteStringRef;

static inline CuteStringRef cuteStringRef(const char *text) {
  CuteStringRef ref = {text, strlen(text)};
  return ref;
}

/// Receives text in pieces, in order.
typedef void (*CuteStringCallback)(CuteStringRef piece, void *userData);

#ifdef __cplusplus
}
#endif

#endif
