//===- cute/Context.h - Owner of all algebra values ------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context owns every int tuple, layout and tile made in it. Values are
// immutable and interned: within one context two handles are equal exactly if
// the values are, and only the context needs to be destroyed. The values passed
// to a call must belong to the context passed to it; text carries them from one
// context to another.
//
// Thread-safety: a context and its values belong to one thread at a time.
// Different contexts are independent.
//
// Errors: a function that cannot give a result returns a null handle (or false)
// and leaves a message in the context. A null handle passed as an argument
// gives a null result and keeps the message, so a chain of calls needs one
// check at its end. A function without a context, such as cuteLayoutGetRank,
// does not accept a null handle.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_CONTEXT_H
#define CUTE_CONTEXT_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CuteContextImpl *CuteContext;

/// Limits on a tuple's nesting, leaves and nested tuples, and on the modes of a
/// coordinate that a layout with scaled bases gives. Beyond them an operation
/// fails; it never overflows the stack or runs out of memory.
enum {
  CUTE_MAX_DEPTH = 256,
  CUTE_MAX_LEAVES = 1 << 20,
  CUTE_MAX_COORD_MODES = 4096,
};

/// An empty context, which the caller destroys; aborts if out of memory.
CUTE_API CuteContext cuteContextCreate(void);
/// Destroys the context and all its values; call it once. Null is ignored.
CUTE_API void cuteContextDestroy(CuteContext context);

/// Describes the latest call that failed, "" if none did or the context is
/// null. Valid until the next call that fails.
CUTE_API const char *cuteContextGetError(CuteContext context);

/// Bytes held by interned values.
CUTE_API size_t cuteContextGetBytes(CuteContext context);

#ifdef __cplusplus
}
#endif

#endif
