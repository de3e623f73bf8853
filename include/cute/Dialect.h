//===- cute/Dialect.h - The dialect in an MLIR context ---------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thread-safety: one MLIR context has one dialect with one algebra context.
// Every function here takes the dialect's lock while it runs, so contexts can
// be used from several threads, and MLIR may run passes of this library in
// parallel; they take turns.
//
// As in MLIR's own C API, MLIR handles must not be null unless a comment says
// what happens then.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_DIALECT_H
#define CUTE_DIALECT_H

#include "cute/Laws.h"
#include "cute/Type.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Loads the dialect, once per context; further calls have no effect. Also
/// loads IRDL, which the context's registry must know (mlirRegisterAllDialects
/// or the handle of IRDL). Fails with a diagnostic on the context.
CUTE_API MlirLogicalResult cuteDialectLoad(MlirContext context);

/// Frees what the dialect holds for the context. Call it before
/// mlirContextDestroy; types and ops of the dialect must not be used after it.
CUTE_API void cuteDialectUnload(MlirContext context);

/// The dialect as IRDL text in the form that is loaded, which `mlir-opt
/// --irdl-file` reads.
CUTE_API void cuteDialectPrintIRDL(MlirContext context,
                                   CuteStringCallback callback, void *userData);

/// The dialect's reference in Markdown: every type and op with its syntax,
/// meaning and an example.
CUTE_API void cuteDialectPrintDocumentation(MlirContext context,
                                            CuteStringCallback callback,
                                            void *userData);

/// The type with this text in pretty or generic form, in canonical spelling; a
/// null type and a diagnostic at `location` if the text is wrong.
CUTE_API MlirType cuteTypeParseMlir(MlirLocation location, MlirStringRef text);

/// The MLIR type of a type of any CuteContext, in which dynamic leaves are
/// anonymous. A null type gives null without a diagnostic, since its context
/// has the message; a type that MLIR does not accept gives null with one.
CUTE_API MlirType cuteTypeToMlir(MlirLocation location, CuteType type);

/// The inverse: the type as a value of the caller's context. Types of other
/// dialects become foreign ones. Null with a message in the context for a type
/// that is not in canonical spelling.
CUTE_API CuteType cuteTypeFromMlir(CuteContext context, MlirType type);

/// The pretty text of any type.
CUTE_API void cuteTypePrintMlir(MlirType type, MlirStringCallback callback,
                                void *userData);

/// Checks every op and type of the dialect below (and including) an operation:
/// operands, attributes, and that the op infers these result types.
/// Reports each violation as a diagnostic at its op.
CUTE_API MlirLogicalResult cuteOperationVerify(MlirOperation operation);

/// Checks the laws of the algebra (see Laws.h) in the ops below a verified
/// operation, as far as their types are static. A violated law is a warning at
/// its op, or under the strict policy an error and failure.
CUTE_API MlirLogicalResult cuteOperationCheckLaws(MlirOperation operation,
                                                  CuteLawPolicy policy);

/// Sets what cuteOperationInfer does if a law fails in this context: nothing
/// (the default), a warning at its location, or an error there.
CUTE_API void cuteDialectSetLawPolicy(MlirContext context,
                                      CuteLawPolicy policy);

/// Explains the ops below a verified operation: a remark at each op whose
/// result the algebra computes, with the steps down to a depth (0: the
/// operations called, UINT_MAX: all), as in Explain.h.
CUTE_API void cuteOperationExplain(MlirOperation operation, unsigned depth);

#ifdef __cplusplus
}
#endif

#endif
