//===- cute/Passes.h - Passes and pipelines --------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's C API cannot register passes in the global registry, so this library
// builds pipelines that name its passes. It hands other names to MLIR; the
// first pipeline registers all of MLIR's passes (mlirRegisterAllPasses).
//
// Thread-safety: as for the dialect. MLIR may run the passes of one manager on
// several threads; this library's passes take turns.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_PASSES_H
#define CUTE_PASSES_H

#include "cute/Dialect.h"

#include <mlir-c/Pass.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An option of a pass; its texts are static.
typedef struct CutePassOptionInfo {
  const char *pass, *name, *defaultValue, *summary;
} CutePassOptionInfo;

/// A pass of this library; its texts are static.
typedef struct CutePassInfo {
  const char *argument, *summary;
  bool isPipeline; ///< is a list of passes
} CutePassInfo;

/// Passes by number; null texts if there is none.
CUTE_API size_t cutePassGetNum(void);
CUTE_API CutePassInfo cutePassGet(size_t i);

/// Options of all passes, in the order of the passes.
CUTE_API size_t cutePassOptionGetNum(void);
CUTE_API CutePassOptionInfo cutePassOptionGetInfo(size_t i);

/// Looks at the IR around every pass of a pipeline.
typedef struct CutePassObserver {
  /// Called before and after each pass; false fails the run. Either may be
  /// null.
  bool (*before)(const char *pass, MlirOperation op, void *userData);
  bool (*after)(const char *pass, MlirOperation op, void *userData);
  void *userData;
} CutePassObserver;

/// Appends the passes of a textual pipeline to a manager, in MLIR's syntax:
///   cute-fold-static,gpu.module(convert-gpu-to-nvvm{index-bitwidth=64})
/// An outer anchor that is the manager's own, as in builtin.module(...), is
/// skipped. The observer (null: none) must outlive the manager. On failure the
/// callback gets a message.
CUTE_API MlirLogicalResult cutePipelineAdd(MlirContext context,
                                           MlirOpPassManager manager,
                                           MlirStringRef pipeline,
                                           const CutePassObserver *observer,
                                           MlirStringCallback callback,
                                           void *userData);

/// Runs a pipeline on an operation and verifies the result, once. The callback
/// gets errors in the pipeline's text; failures of passes are diagnostics.
CUTE_API MlirLogicalResult cutePipelineRun(MlirOperation operation,
                                           MlirStringRef pipeline,
                                           MlirStringCallback callback,
                                           void *userData);

/// The same for an architecture, sm_XX, which is the default of passes' option
/// `arch`; null: none. If the architecture does not exist, the callback gets
/// the list of architectures.
CUTE_API MlirLogicalResult cutePipelineRunFor(MlirOperation operation,
                                              MlirStringRef pipeline,
                                              const char *arch,
                                              MlirStringCallback callback,
                                              void *userData);

#ifdef __cplusplus
}
#endif

#endif
