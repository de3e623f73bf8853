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

/// Says what to compile to; zeros and nulls leave out what is not said.
typedef struct CuteCompileOptions {
  size_t size;      ///< sizeof(CuteCompileOptions), so that programs that were
                    ///< built with another version of this header go on working
  const char *arch; ///< sm_80, sm_90a, ...
  CuteEmit emit;
  unsigned optLevel; ///< of LLVM: 0 to 3; 2 has the passes that pay in kernels,
                     ///< 3 all of LLVM's
  const char *ptxas; ///< more options of ptxas, between spaces; may be null.
                     ///< Without a cubin or a report nobody sees them.
  bool lineInfo;     ///< LLVM IR and PTX say what lines of the source they are
                     ///< from
  const CutePassObserver *observer; ///< sees the module around each pass of
                                    ///< MLIR and of this library; may be null
  const char *reproducer; ///< a file that gets the module as it was, with the
                          ///< command of cutec for it; it stays if compiling
                          ///< fails or the process crashes, and is removed if
                          ///< all is well. May be null
  bool marksUnwritten;    ///< LLVM IR has calls of functions cute.unwritten in
                       ///< the place of registers that nothing is written to:
                       ///< for the simulator, which says who uses them
  CuteCache *cache; ///< where results are kept and looked for; null: nowhere
  const char *skip; ///< passes to leave out, between commas, to measure what
                    ///< each buys: of dialect/passes.def, llvm_passes.def and
                    ///< MLIR; may be null
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
/// output needs; registers MLIR's passes (mlirRegisterAllPasses) for that. The
/// dialect must have been loaded. `times` may be null; a null module fails
/// without a word. Failures are diagnostics; nothing is
/// output then.
///
/// With a cache, a module that was compiled before, with the same locations,
/// options, library and ptxas, stays as it is, and what it became is output.
/// A module that caused diagnostics is not kept, so that they come again.
/// Observers see nothing then; a module that is observed is compiled each time.
///
/// That holds for LLVM's fatal errors, too, such as an instruction that the
/// architecture does not have: while code is generated, LLVM's handler of them
/// (LLVMInstallFatalErrorHandler, one for the process) is this library's, and
/// afterwards LLVM's own. A caller with a handler installs it again then. What
/// LLVM held at such an error is lost. Not caught are bugs of LLVM in which it
/// crashes, and memory running out, which ends the process. If the process ends
/// by a signal while ptxas runs, a folder named cutec-* stays in $TMPDIR.
CUTE_API MlirLogicalResult cuteModuleCompile(MlirModule module,
                                             const CuteCompileOptions *options,
                                             MlirStringCallback callback,
                                             void *userData,
                                             CuteCompileTimes *times);

/// The JSON manifest of a module that has not been lowered: kernels with their
/// parameters in order, shared memory and block size. The format and what types
/// are passed as is in docs/abi.md. `file` is what it says of the compiled
/// file.
CUTE_API MlirLogicalResult cuteModulePrintManifest(
    MlirModule module, const CuteCompileOptions *options, const char *file,
    MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
