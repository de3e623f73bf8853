// Lowered kernels to LLVM IR and PTX.
#pragma once

#include "Hardware/arch.h"
#include "Support/string_builder.h"
#include "cute/Target.h"

#include <llvm-c/Types.h>

// Translates a module of the llvm and nvvm dialects into LLVM IR of the
// context. Null with a diagnostic.
LLVMModuleRef cuteTranslateModule(MlirOperation module, LLVMContextRef context);

// Translates lowered gpu.modules to LLVM IR, optimizes it and generates code;
// appends LLVM IR or PTX to the output. False with a diagnostic.
bool cuteTranslateKernels(MlirModule module, const CuteArch *arch,
                          const CuteCompileOptions *options, CuteString *output,
                          CuteCompileTimes *times);

// Links the bitcode that a gpu.module has in its attribute `cute.link`, a
// dictionary of file's name and contents, into what the module became. False
// with a diagnostic.
bool cuteForeignCodeLink(MlirOperation module, LLVMModuleRef into);
