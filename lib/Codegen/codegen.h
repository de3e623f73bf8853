// LLVM modules of kernels to PTX.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"

#include <llvm-c/Types.h>

typedef struct CuteCodegenOptions {
  const char *arch;    // as sm_80
  int ptx;             // version of PTX, times 10
  unsigned optLevel;   // 0 to 3
  bool marksUnwritten; // as in CuteCompileOptions
  bool isIr;           // LLVM IR in place of PTX
  const char *skip;    // passes to leave out, between commas; may be null
} CuteCodegenOptions;

// Milliseconds.
typedef struct CuteCodegenTimes {
  double optimize, emit;
} CuteCodegenTimes;

// Tells whether dialect/llvm_passes.def has a pass of that name.
bool cuteCodegenHasPass(CuteStringRef name);

// Optimizes a module for an architecture and appends PTX or LLVM IR to the
// output. Its context's diagnostic handler is replaced. A fatal error of LLVM
// leaves this function, which is called in cuteLlvmTry.
CuteStatus cuteCodegenEmit(LLVMModuleRef module, CuteCodegenOptions options,
                           CuteString *output, CuteCodegenTimes *times);
