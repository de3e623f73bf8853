//===- cute/Target.h - From modules to PTX and cubin -----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_TARGET_H
#define CUTE_TARGET_H

#include "cute/Arch.h"
#include "cute/Cache.h"
#include "cute/Passes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The stage at which compiling ends.
typedef enum CuteEmit {
  CUTE_EMIT_MLIR, ///< the module as it was read, with canonical types
  CUTE_EMIT_NVVM, ///< MLIR in the llvm and nvvm dialects
  CUTE_EMIT_LLVM, ///< optimized LLVM IR
  CUTE_EMIT_PTX,
  CUTE_EMIT_CUBIN, ///< needs ptxas on the PATH, in $CUDA_HOME/bin or
                   ///< $CUDA_PATH/bin, where CMake found the CUDA Toolkit, or
                   ///< in /usr/local/cuda/bin
} CuteEmit;

/// Says what to compile to; zeros and nulls mean defaults.
typedef struct CuteCompileOptions {
  size_t size;      ///< sizeof(CuteCompileOptions): programs built with another
                    ///< version of this header keep working
  const char *arch; ///< sm_80, sm_90a, ...
  CuteEmit emit;
  unsigned optLevel; ///< of LLVM: 0 to 3; 2 has the passes that help kernels,
                     ///< 3 all of LLVM's
  const char *ptxas; ///< more options of ptxas, between spaces; may be null.
                     ///< Without a cubin or a report nobody sees them.
  bool lineInfo;     ///< LLVM IR and PTX have source lines
  const CutePassObserver *observer; ///< sees the module around each pass of
                                    ///< MLIR and of this library; may be null
  const char *reproducer; ///< a file for the module before compiling, with
                          ///< the cutec command; it stays if compiling fails
                          ///< or the process crashes, and is removed on
                          ///< success. May be null
  bool marksUnwritten;    ///< LLVM IR calls functions cute.unwritten instead of
                          ///< reading registers that were never written: for
                          ///< the simulator, which reports their uses
  CuteCache *cache;       ///< where results are stored and looked up; or null
  const char *skip; ///< passes to leave out, separated by commas, to measure
                    ///< their benefit: of dialect/passes.def,
                    ///< llvm_passes.def and MLIR; may be null
} CuteCompileOptions;

/// Milliseconds of wall time, 0 for stages that did not run.
typedef struct CuteCompileTimes {
  double lower;     ///< passes of MLIR and of this library
  double translate; ///< to LLVM IR
  double optimize;  ///< LLVM's passes
  double codegen;   ///< to PTX
  double assemble;  ///< ptxas
} CuteCompileTimes;

/// Compiles all gpu.modules of a module into one output and gives it to the
/// callback in one piece. Works in place: the module is lowered as far as the
/// output needs, and MLIR's passes are registered (mlirRegisterAllPasses). The
/// dialect must have been loaded. `times` may be null; a null module fails
/// silently. Failures are diagnostics, and then nothing is output.
///
/// With a cache, a module that was compiled before, with the same locations,
/// options, library and ptxas, stays as it is, and the cached result is output.
/// A module that caused diagnostics is not cached, so they appear again. A
/// module with an observer is compiled each time.
///
/// LLVM's fatal errors, such as an instruction that the architecture does not
/// have, are also diagnostics: while code is generated, LLVM's fatal-error
/// handler (LLVMInstallFatalErrorHandler, one for the process) is this
/// library's, and afterwards LLVM's own. A caller with its own handler must
/// install it again. LLVM's memory at such an error leaks. Crashes in LLVM are
/// not caught, and running out of memory ends the process. If a signal ends the
/// process while ptxas runs, a folder named cutec-* stays in $TMPDIR.
CUTE_API MlirLogicalResult cuteModuleCompile(MlirModule module,
                                             const CuteCompileOptions *options,
                                             MlirStringCallback callback,
                                             void *userData,
                                             CuteCompileTimes *times);

/// The JSON manifest of a module that has not been lowered: kernels with their
/// parameters in order, shared memory and block size. docs/abi.md describes the
/// format and how types are passed. `file` is the compiled file's name in it.
CUTE_API MlirLogicalResult cuteModulePrintManifest(
    MlirModule module, const CuteCompileOptions *options, const char *file,
    MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
