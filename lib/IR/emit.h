// Emits diagnostics in the form of printf, and at ops with their name.
#pragma once

#include "Support/status.h"
#include "cute/Diagnostics.h"

// Emits a diagnostic; a line "note: ..." at its end becomes a note. Errors give
// false, to be returned by the caller.
bool cuteEmitError(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cuteEmitWarning(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cuteEmitRemark(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Such diagnostics at the place of an op.
#define CUTE_ERROR_AT(op, ...)                                                 \
  cuteEmitError(mlirOperationGetLocation(op), __VA_ARGS__)
#define CUTE_REMARK_AT(op, ...)                                                \
  cuteEmitRemark(mlirOperationGetLocation(op), __VA_ARGS__)

// Takes a status; false after emitting a failure.
bool cuteEmitStatus(MlirLocation location, CuteStatus status);

// Emits "'NAME' op MESSAGE" at an op; the note may be null, as for cuteEmit.
void cuteEmitAtOp(MlirOperation op, CuteSeverity severity, const char *message,
                  const char *note);

// Emits such an error.
bool cuteEmitOpError(MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
