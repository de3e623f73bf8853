//===- cute/Jit.h - Host functions compiled in memory ----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Compiles the func.funcs of a module for this machine, and its kernels for a
/// GPU, in memory. Functions use values of the dialect, print, assert and
/// launch kernels by gpu.launch_func; cute/Host.h calls them. docs/embedding.md
/// has an example.
///
/// Thread-safety: modules are independent of each other; several may be
/// compiled at once, in contexts of their own.
///
//===----------------------------------------------------------------------===//
#ifndef CUTE_JIT_H
#define CUTE_JIT_H

#include "cute/Host.h"
#include "cute/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CuteHostOptions {
  size_t size; ///< sizeof(CuteHostOptions), as in CuteCompileOptions
  const CuteCompileOptions *kernels; ///< `emit` is PTX or CUBIN; null: none
  unsigned optLevel;                 ///< of host functions, 0 to 3
  /// Names that functions may call besides the mathematical functions of C,
  /// memcpy, memmove, memset, malloc and free: cuteHostGetSymbols's, for
  /// launches, assertions and printing, and the caller's own.
  size_t numSymbols;
  const CuteHostSymbol *symbols;
  bool seesProcess; ///< and all symbols that the process has loaded
  const char *note; ///< kept in what is compiled, for whoever loads it; or null
} CuteHostOptions;

/// Compiles a module, which stays as it is. Null after diagnostics; the dialect
/// must have been loaded. The result needs neither the module nor its context.
CUTE_API CuteHostModule *cuteHostModuleCreate(MlirModule module,
                                              const CuteHostOptions *options);

/// The same for a .mlir file, "-" for standard input, in a new context:
/// for programs that know nothing of MLIR. The status has the diagnostics.
CUTE_API CuteStatus cuteHostModuleCreateFromFile(
    const char *path, const CuteHostFileOptions *options,
    CuteHostModule **module);

/// The same for an object that cuteModuleExport made with this prefix, for this
/// kind of processor; it uses only the options' symbols.
CUTE_API CuteStatus cuteHostModuleCreateFromObject(
    const void *object, size_t size, const char *prefix,
    const CuteHostOptions *options, CuteHostModule **module);

/// Also ends its functions. Null is ignored.
CUTE_API void cuteHostModuleDestroy(CuteHostModule *module);

/// The address of a public function with a body, as a CuteHostFunction of
/// cute/Host.h; null if there is none of that name.
CUTE_API void *cuteHostModuleFind(const CuteHostModule *module,
                                  const char *name);

/// Everything that it contains, which lives as long as the module.
CUTE_API const CuteExportedModule *
cuteHostModuleGetExported(const CuteHostModule *module);

//===-- Kernels -----------------------------------------------------------===//

/// The manifest, and the code, which ends in a NUL that does not count, for
/// cuteKernelSetCreate. They live as long as the module; null without kernels.
CUTE_API const char *cuteHostModuleGetManifest(const CuteHostModule *module);
CUTE_API const void *cuteHostModuleGetCode(const CuteHostModule *module,
                                           size_t *size);

//===-- Signatures --------------------------------------------------------===//

/// JSON that describes the functions as a manifest describes kernels, each with
/// one thread, for launchers that read manifests; it lives as long as the
/// module.
CUTE_API const char *cuteHostModuleGetFunctions(const CuteHostModule *module);

/// Functions in the order of the module; they live as long as it.
CUTE_API size_t cuteHostModuleGetNumFunctions(const CuteHostModule *module);
CUTE_API CuteHostSignature
cuteHostModuleGetSignature(const CuteHostModule *module, size_t i);

//===-- Ahead of time -----------------------------------------------------===//

/// Compiles a module to a relocatable object for any processor of this kind, in
/// which PREFIX_module is a CuteExportedModule, and writes a header with a
/// typed function of C, PREFIX_NAME, for each public function. Programs link it
/// with libcute-run, and libm where functions use mathematics. The prefix is an
/// identifier of C. Each callback gets one piece; failures are diagnostics.
CUTE_API MlirLogicalResult cuteModuleExport(
    MlirModule module, const CuteHostOptions *options, const char *prefix,
    MlirStringCallback object, MlirStringCallback header, void *userData);

#ifdef __cplusplus
}
#endif

#endif
