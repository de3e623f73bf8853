// Catches LLVM's fatal errors, with their messages, instead of its exits.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

// Runs a function that calls LLVM. False if LLVM had a fatal error in it, whose
// text is appended to the reason: the function did not come to its end, and
// what LLVM held is lost and must not be used or freed any more. Meanwhile
// LLVM's handler of fatal errors is this one; afterwards it is LLVM's own, or
// that of cuteLlvmEndOnErrors.
bool cuteLlvmTry(void (*function)(void *data), void *data, CuteString *reason);

// Turns a fatal error elsewhere in LLVM, from here on, into a message on
// standard error and exit code 1.
void cuteLlvmEndOnErrors(void);

// Appends errors to the CuteString in userData, as a context's handler of
// diagnostics.
void cuteLlvmNoteError(LLVMDiagnosticInfoRef info, void *userData);

// Takes an error that LLVM returned, null where nothing failed.
CuteStatus cuteLlvmErrorTake(LLVMErrorRef error, const char *doing);
