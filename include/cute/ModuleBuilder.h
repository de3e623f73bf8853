//===- cute/ModuleBuilder.h - Modules, operation by operation --*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds kernels, loops and branches without text: a builder has a module and
// an open block, and appends operations of any dialect to the block. Result
// types are inferred. docs/embedding.md has an example.
//
// Errors: an error is a diagnostic at the builder's location. Afterwards every
// function returns null and adds nothing, so a program checks once, at the end:
// cuteModuleBuilderTake then gives no module.
//
// Thread-safety: a builder is for one thread at a time; others may use builders
// in the same context.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_MODULEBUILDER_H
#define CUTE_MODULEBUILDER_H

#include "cute/Operation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CuteModuleBuilder CuteModuleBuilder;

/// A builder of an empty module at a location, in whose context the dialect is
/// loaded; the caller owns it.
CUTE_API CuteModuleBuilder *cuteModuleBuilderCreate(MlirLocation location);

/// Destroys the builder, and its module unless it was taken; null is ignored.
CUTE_API void cuteModuleBuilderDestroy(CuteModuleBuilder *builder);

/// The verified module, which the caller owns from now on; null if anything
/// failed, or a kernel, loop or branch is still open.
CUTE_API MlirModule cuteModuleBuilderTake(CuteModuleBuilder *builder);

/// Sets the location of further operations and diagnostics.
CUTE_API void cuteModuleBuilderSetLocation(CuteModuleBuilder *builder,
                                           MlirLocation location);

/// Tells whether something failed.
CUTE_API bool cuteModuleBuilderHasFailed(const CuteModuleBuilder *builder);

//===-- Operations --------------------------------------------------------===//

/// The type with this text, as cuteTypeParseMlir reads it.
CUTE_API MlirType cuteModuleBuilderGetType(CuteModuleBuilder *builder,
                                           const char *type);

/// An operation to be added.
typedef struct CuteNewOperation {
  const char *name; ///< with its dialect: "cute.copy", "arith.addf"
  intptr_t numOperands;
  const MlirValue *operands;
  const char *attributes; ///< as text, {dim = "y"}; null: none
  intptr_t numResults;
  const MlirType *results; ///< null: inferred
} CuteNewOperation;

/// Adds an operation without regions and verifies it.
CUTE_API MlirOperation cuteModuleBuilderAddOperation(
    CuteModuleBuilder *builder, const CuteNewOperation *operation);

/// The same with operands only; returns its first result, null if it has none.
CUTE_API MlirValue cuteModuleBuilderAdd(CuteModuleBuilder *builder,
                                        const char *name, intptr_t numOperands,
                                        const MlirValue *operands);

/// The same for an operation with one result, whose type the caller gives as
/// text: cute.make_coord, cute.static, arith.extf.
CUTE_API MlirValue cuteModuleBuilderAddAs(CuteModuleBuilder *builder,
                                          const char *name, const char *type,
                                          intptr_t numOperands,
                                          const MlirValue *operands);

/// A constant of an integer type or index.
CUTE_API MlirValue cuteModuleBuilderAddInteger(CuteModuleBuilder *builder,
                                               const char *type, int64_t value);

//===-- Kernels and functions ---------------------------------------------===//

/// A kernel to be opened. Zeros and nulls leave out what launchers say then.
typedef struct CuteNewKernel {
  const char *name;
  intptr_t numParameters;
  const MlirType *parameters;
  int32_t block[3];    ///< threads; a zero after the first is 1
  int32_t cluster[3];  ///< blocks; likewise
  const char *grid[3]; ///< formulas: "ceil_div(arg0.shape[0], 128)"
} CuteNewKernel;

/// Opens a kernel in the gpu.module `kernels`, outside all functions.
CUTE_API void cuteModuleBuilderBeginKernel(CuteModuleBuilder *builder,
                                           const CuteNewKernel *kernel);

/// Opens a function on the host.
CUTE_API void cuteModuleBuilderBeginFunction(
    CuteModuleBuilder *builder, const char *name, intptr_t numParameters,
    const MlirType *parameters, intptr_t numResults, const MlirType *results);

//===-- Loops and branches ------------------------------------------------===//

/// Opens scf.for over a range of one integer type, with loop-carried values,
/// and returns its index.
CUTE_API MlirValue cuteModuleBuilderBeginFor(CuteModuleBuilder *builder,
                                             MlirValue lower, MlirValue upper,
                                             MlirValue step, intptr_t numValues,
                                             const MlirValue *values);

/// Opens scf.if with results of these types.
CUTE_API void cuteModuleBuilderBeginIf(CuteModuleBuilder *builder,
                                       MlirValue condition, intptr_t numResults,
                                       const MlirType *results);

/// Ends the first branch with its results, and opens the other one.
CUTE_API void cuteModuleBuilderBeginElse(CuteModuleBuilder *builder,
                                         intptr_t numValues,
                                         const MlirValue *values);

/// Parameter i of the kernel or function that was opened last, or value i of
/// the loop.
CUTE_API MlirValue cuteModuleBuilderGetArgument(CuteModuleBuilder *builder,
                                                intptr_t i);

/// Ends the kernel, function, loop or branch that was opened last, with its
/// results.
CUTE_API void cuteModuleBuilderEnd(CuteModuleBuilder *builder,
                                   intptr_t numValues, const MlirValue *values);

/// Result i of the loop or branch that was ended last.
CUTE_API MlirValue cuteModuleBuilderGetResult(CuteModuleBuilder *builder,
                                              intptr_t i);

/// The open block, for MLIR's own functions; the module's if nothing is open.
CUTE_API MlirBlock cuteModuleBuilderGetBlock(const CuteModuleBuilder *builder);

#ifdef __cplusplus
}
#endif

#endif
