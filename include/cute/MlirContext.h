//===- cute/MlirContext.h - Contexts that know all that is needed -*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_MLIRCONTEXT_H
#define CUTE_MLIRCONTEXT_H

#include "cute/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers what parsing and compiling kernels need of MLIR: the dialects
/// beside this one, and how they become LLVM IR. MLIR's C API registers the
/// latter for all of its dialects or none, so these are all of them.
CUTE_API void cuteRegisterDependencies(MlirDialectRegistry registry);

/// A context with these dependencies, in which the dialect is loaded; the
/// caller's, for cuteMlirContextDestroy. Null if the dialect cannot be loaded.
/// Parsers and builders load the other dialects as they meet them;
/// mlirOperationCreate needs mlirContextGetOrLoadDialect before.
CUTE_API MlirContext cuteMlirContextCreate(void);

/// Unloads the dialect and destroys the context; a null one is let be. Modules,
/// and operations outside of modules, must be destroyed before.
CUTE_API void cuteMlirContextDestroy(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif
