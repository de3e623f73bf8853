//===- cute/Operation.h - Creating operations ------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates any op of the dialect from operands and attributes. MLIR's own
// mlirOperationCreate also accepts them, but neither infers nor verifies, and
// needs IRDL's segment sizes.
//
// Thread-safety: as for the dialect.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_OPERATION_H
#define CUTE_OPERATION_H

#include "cute/Dialect.h"

#include <mlir-c/Interfaces.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The ops of the dialect, sorted by name: "cute.ceil_div" without its "cute.".
/// Names live as long as the dialect in the context.
CUTE_API intptr_t cuteDialectGetNumOps(MlirContext context);
CUTE_API MlirStringRef cuteDialectGetOpName(MlirContext context, intptr_t i);

/// Tells whether an op only computes its results from its operands, so it may
/// run even if they are unused. False also if the op does not exist.
CUTE_API bool cuteOperationOnlyComputes(MlirContext context,
                                        MlirStringRef name);

/// Tells whether the user chooses an op's result types, as for make_shape and
/// static; all other ops infer theirs. False also if the op does not exist.
CUTE_API bool cuteOperationDeclaresResults(MlirContext context,
                                           MlirStringRef name);

/// Creates a verified op that belongs to the caller and to no block.
///   name        with or without "cute."
///   attributes  inherent and discardable ones; sizes of segments are ignored
///   results     the result types. Null (with numResults 0) for an op that
///               infers them; given anyway, they must be the inferred ones
/// Null operation and a diagnostic at the location if the op does not exist,
/// or does not accept the operands, attributes or results.
CUTE_API MlirOperation cuteOperationCreate(
    MlirLocation location, MlirStringRef name, intptr_t numOperands,
    const MlirValue *operands, intptr_t numAttributes,
    const MlirNamedAttribute *attributes, intptr_t numResults,
    const MlirType *results);

/// Gives the callback the result types that an op with operands of these types
/// would infer, without creating it. If laws fail, cuteDialectSetLawPolicy
/// decides. Failure and a diagnostic at the location, and no call, if
/// cuteOperationCreate would fail for such operands, or the op declares its
/// results. The callback runs under the dialect's lock.
CUTE_API MlirLogicalResult
cuteOperationInfer(MlirLocation location, MlirStringRef name,
                   intptr_t numOperands, const MlirType *operands,
                   intptr_t numAttributes, const MlirNamedAttribute *attributes,
                   MlirTypesCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
