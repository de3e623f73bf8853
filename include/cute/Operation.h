//===- cute/Operation.h - Creating operations ------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any op of the dialect out of operands and attributes. MLIR's own
// mlirOperationCreate takes them as well, but neither infers nor verifies, and
// wants the sizes of segments that IRDL needs.
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

/// Tells whether an op does nothing but compute its results from its operands,
/// so that it may run where they are not used. False also where there is no
/// such op.
CUTE_API bool cuteOperationOnlyComputes(MlirContext context,
                                        MlirStringRef name);

/// Tells whether the user chooses the result types of an op, as of make_shape
/// and static; all others infer theirs. False also where there is no such op.
CUTE_API bool cuteOperationDeclaresResults(MlirContext context,
                                           MlirStringRef name);

/// Creates a verified op that belongs to the caller and to no block.
///   name        with or without "cute."
///   attributes  inherent and discardable ones; sizes of segments are ignored
///   results     the result types. Null (with numResults 0) for an op that
///               infers them; given anyway, they must be the inferred ones
/// Null operation and a diagnostic at the location if the op does not exist,
/// or operands, attributes or results are not what it takes.
CUTE_API MlirOperation cuteOperationCreate(
    MlirLocation location, MlirStringRef name, intptr_t numOperands,
    const MlirValue *operands, intptr_t numAttributes,
    const MlirNamedAttribute *attributes, intptr_t numResults,
    const MlirType *results);

/// Gives the callback the result types that an op with operands of these types
/// would infer, without creating it: what the algebra says of static types.
/// Where laws fail, cuteDialectSetLawPolicy decides. Failure and a diagnostic
/// at the location, and no call, if cuteOperationCreate would fail for such
/// operands, or the op declares its results. The callback runs under the
/// dialect's lock.
CUTE_API MlirLogicalResult
cuteOperationInfer(MlirLocation location, MlirStringRef name,
                   intptr_t numOperands, const MlirType *operands,
                   intptr_t numAttributes, const MlirNamedAttribute *attributes,
                   MlirTypesCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
