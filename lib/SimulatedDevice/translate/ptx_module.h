// Modules of PTX as LLVM IR: each kernel calls its body as inline PTX.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"

// The body of a kernel of a PTX module begins with it, and has as many lines
// before its own as the module has.
#define CUTE_PTX_BODY "//ptx"

bool cutePtxIsModule(const char *text);

// Appends the module as LLVM IR. Parameters, shared and local variables become
// operands $0, $1, ... of the bodies, which hold their addresses. Functions and
// variables in global and constant memory are left out: kernels that use them
// fail when they run. Fails where a declaration is not known, with its line.
CuteStatus cutePtxModuleToIr(const char *text, CuteString *ir);
