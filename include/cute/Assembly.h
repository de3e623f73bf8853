//===- cute/Assembly.h - Reading and printing .mlir ------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's C API has no parser or printer hooks for the ops of a dialect that is
// loaded from IRDL: to MLIR they have the generic form only. These functions
// read and print them as people write them,
//   %r = cute.composition(%a, %b) : (!cute.layout<"...">, ...) -> ...
// by translating between that form and the generic one around MLIR's own parser
// and printer. Ops of other dialects pass through; the generic form of cute ops
// is read as well.
//
// On input only:
//   - types may be spelled with spaces, and as aliases (!t =
//   !cute.layout<...>);
//   - "-> T" may be left out where an op infers its results;
//   - ": types" may be left out where the text before says the operands' types:
//     values of cute ops, arguments, and results of ops that spell their type.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_ASSEMBLY_H
#define CUTE_ASSEMBLY_H

#include "cute/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parses and verifies a module. `name` is the file name in locations and
/// diagnostics, which have the lines and columns of `source`. Null module with
/// diagnostics on failure. The dialect must have been loaded.
CUTE_API MlirModule cuteModuleParse(MlirContext context, MlirStringRef source,
                                    MlirStringRef name);

/// A value for a parameter that a text declares: the text of an integer, true
/// or false, an element type such as f16, or a string without its quotes.
typedef struct CuteParameter {
  MlirStringRef name, value;
} CuteParameter;

/// The same with values for the text's parameters; of several for one name the
/// last one counts. A text declares parameters among the attributes of a
/// module, `cute.parameters = {BM = 128, T = f16, N}`, and uses them as `$BM`,
/// `${BM}` and `${BM*N/2}`.
CUTE_API MlirModule cuteModuleParseWith(MlirContext context,
                                        MlirStringRef source,
                                        MlirStringRef name,
                                        size_t numParameters,
                                        const CuteParameter *parameters);

/// The same for MLIR bytecode, which must be trusted: MLIR's reader writes
/// beyond its memory where bytes are wrong.
CUTE_API MlirModule cuteModuleParseBytecode(MlirContext context,
                                            MlirStringRef bytes,
                                            MlirStringRef name);

/// The same for a file; "-" is standard input.
CUTE_API MlirModule cuteModuleParseFile(MlirContext context,
                                        MlirStringRef path);

/// Says how an operation is printed; all zeros: as people write it.
typedef struct CutePrintOptions {
  bool generic;         ///< the generic form throughout
  bool stock;           ///< as it stands in MLIR, for mlir-opt --irdl-file:
                        ///< the generic form without properties, but with the
                        ///< sizes of segments that IRDL needs
  bool debugInfo;       ///< locations
  bool prettyDebugInfo; ///< locations in a form that does not parse
  bool localScope;      ///< no aliases, so that each operation stands alone
  bool skipRegions;
  int64_t elideElements;   ///< largest elements attribute printed; 0: no limit
  int64_t elideResources;  ///< longest resource printed; 0: no limit
  bool namesFromLocations; ///< values are called as their locations are
  bool sugar;              ///< with expressions, loops and branches without
                           ///< types; not of the generic form
  bool assumeVerified;     ///< upstream ops are not checked for being printable
} CutePrintOptions;

CUTE_API void cuteOperationPrint(MlirOperation operation,
                                 CutePrintOptions options,
                                 MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
