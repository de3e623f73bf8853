//===- cute/Explain.h - The steps of the algebra ---------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains in words how a result is computed: while a context has a tracer, the
// operations of the algebra report what they promise, each step with its
// numbers, the result, and the operation's law at one coordinate.
//
// Steps nest: an operation that another one is built from reports one level
// deeper. Without a tracer the cost is a branch per step.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_EXPLAIN_H
#define CUTE_EXPLAIN_H

#include "cute/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CuteStepKind {
  CUTE_STEP_OPERATION, ///< an operation begins: its operands, what it promises
  CUTE_STEP_DETAIL,    ///< something that it does
  CUTE_STEP_RESULT,    ///< what it gives
  CUTE_STEP_CHECK,     ///< its law at a coordinate; outermost operation only
  CUTE_STEP_ERROR,     ///< why it fails; steps around it end without a result
} CuteStepKind;

/// A line of an explanation.
typedef struct CuteStep {
  CuteStepKind kind;
  unsigned depth;     ///< 0 for the operation that was called
  CuteStringRef text; ///< one line; valid during the call
} CuteStep;

/// Must not use the reporting context.
typedef void (*CuteTracer)(const CuteStep *step, void *userData);

/// Tells whether an explanation down to this depth includes the step: results
/// and checks are shown with their operation.
static inline bool cuteStepIsWithin(const CuteStep *step, unsigned depth) {
  bool belongsToHeading =
      step->kind == CUTE_STEP_RESULT || step->kind == CUTE_STEP_CHECK;
  return step->depth <= depth || (belongsToHeading && step->depth - 1 == depth);
}

/// Reports steps to the tracer from now on; null: to nobody. A tracer does not
/// change results. As with all of the context, one thread at a time.
CUTE_API void cuteContextSetTracer(CuteContext context, CuteTracer tracer,
                                   void *userData);

/// The depth of the next step: 0 between calls, also after a failure.
CUTE_API unsigned cuteContextGetTraceDepth(CuteContext context);

#ifdef __cplusplus
}
#endif

#endif
