//===- cute/Diagnostics.h - Errors, warnings, remarks ----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's C API emits errors only. This adds the other severities and notes, and
// passes MLIR's and this library's diagnostics to one handler, with the user's
// locations. Without a handler errors go to MLIR's own handlers (by default to
// standard error), and the rest is dropped.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_DIAGNOSTICS_H
#define CUTE_DIAGNOSTICS_H

#include "cute/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CuteSeverity {
  CUTE_SEVERITY_ERROR,
  CUTE_SEVERITY_WARNING,
  CUTE_SEVERITY_REMARK,
  CUTE_SEVERITY_NOTE,
} CuteSeverity;

/// An error, a warning, a remark or a note; valid during the call.
typedef struct CuteDiagnostic {
  CuteSeverity severity;
  MlirLocation location;
  MlirStringRef message;
} CuteDiagnostic;

/// Receives a diagnostic and the notes that belong to it.
typedef void (*CuteDiagnosticHandler)(const CuteDiagnostic *diagnostic,
                                      size_t numNotes,
                                      const CuteDiagnostic *notes,
                                      void *userData);

/// Sends all diagnostics of the context to the handler, until it is detached or
/// replaced (null: detached). Not to be called while another thread uses the
/// context. The reporting thread calls the handler, one thread at a time, with
/// a lock held: the handler must not wait for another thread that uses the
/// context, nor call this library's functions on the context.
CUTE_API void cuteDiagnosticHandlerAttach(MlirContext context,
                                          CuteDiagnosticHandler handler,
                                          void *userData);
CUTE_API void cuteDiagnosticHandlerDetach(MlirContext context);

/// Emits a diagnostic with an optional note (null: the text after a line
/// that begins with "note: ", if there is one) at the same place.
CUTE_API void cuteEmit(MlirLocation location, CuteSeverity severity,
                       MlirStringRef message, const char *note);

#ifdef __cplusplus
}
#endif

#endif
