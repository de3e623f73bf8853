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

/// Registers the parts of MLIR that parsing and compiling kernels need: the
/// other dialects, and their translation to LLVM IR. MLIR's C API registers
/// translations for all of its dialects or none, so this registers all.
CUTE_API void cuteRegisterDependencies(MlirDialectRegistry registry);

/// A context with these dependencies and the dialect loaded; the caller owns it
/// and calls cuteMlirContextDestroy. Null if the dialect cannot be loaded.
/// Parsers and builders load the other dialects as they meet them;
/// mlirOperationCreate needs mlirContextGetOrLoadDialect before.
CUTE_API MlirContext cuteMlirContextCreate(void);

/// Unloads the dialect and destroys the context; null is ignored. Destroy
/// modules, and operations outside modules, first.
CUTE_API void cuteMlirContextDestroy(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif
