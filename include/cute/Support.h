//===- cute/Support.h - Types that every public header uses ----*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory: where there is none, the functions of these libraries say so on
// standard error and end the process by abort, as LLVM's do; none goes on
// without. MLIR's C API does not look at all that it allocates for operations.
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

/// Marks what the shared library exports.
#define CUTE_API __attribute__((visibility("default")))

/// A piece of text that somebody else owns; it need not end in a NUL. Laid out
/// like MlirStringRef.
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
