//===- cute/Assembly.h - Reading and printing .mlir ------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's C API has no parser or printer hooks for the ops of a dialect that is
// loaded from IRDL: MLIR knows only their generic form. These functions read
// and print them in the pretty form,
//   %r = cute.composition(%a, %b) : (!cute.layout<"...">, ...) -> ...
// by translating between that form and the generic one around MLIR's own parser
// and printer. Ops of other dialects pass through; the generic form of cute ops
// is read as well.
//
// On input only:
//   - types may be spelled with spaces, and as aliases (!t =
//   !cute.layout<...>);
//   - "-> T" is optional if an op infers its results;
//   - ": types" is optional if the preceding text gives the operands' types:
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

/// The same with values for the text's parameters; if a name has several, the
/// last one counts. A text declares parameters among the attributes of a
/// module, `cute.parameters = {BM = 128, T = f16, N}`, and uses them as `$BM`,
/// `${BM}` and `${BM*N/2}`.
CUTE_API MlirModule cuteModuleParseWith(MlirContext context,
                                        MlirStringRef source,
                                        MlirStringRef name,
                                        size_t numParameters,
                                        const CuteParameter *parameters);

/// The same for MLIR bytecode. It must be trusted: on malformed bytes, MLIR's
/// reader writes out of bounds.
CUTE_API MlirModule cuteModuleParseBytecode(MlirContext context,
                                            MlirStringRef bytes,
                                            MlirStringRef name);

/// The same for a file; "-" is standard input.
CUTE_API MlirModule cuteModuleParseFile(MlirContext context,
                                        MlirStringRef path);

/// Says how an operation is printed; all zeros: in the pretty form.
typedef struct CutePrintOptions {
  bool generic;         ///< the generic form throughout
  bool stock;           ///< as MLIR holds it, for mlir-opt --irdl-file:
                        ///< the generic form without properties, but with the
                        ///< sizes of segments that IRDL needs
  bool debugInfo;       ///< locations
  bool prettyDebugInfo; ///< locations in a form that does not parse
  bool localScope;      ///< no aliases: each operation is self-contained
  bool skipRegions;
  int64_t elideElements;   ///< largest elements attribute printed; 0: no limit
  int64_t elideResources;  ///< longest resource printed; 0: no limit
  bool namesFromLocations; ///< values are named after their locations
  bool sugar;              ///< expressions, loops and branches without
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
