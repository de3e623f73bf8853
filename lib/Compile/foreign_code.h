// Functions of the device that others have compiled.
#pragma once

#include <llvm-c/Types.h>
#include <mlir-c/IR.h>
#include <stdbool.h>

// Links the bitcode that a gpu.module has in its attribute `cute.link`, a
// dictionary of file's name and contents, into what the module became. False
// with a diagnostic.
bool cuteForeignCodeLink(MlirOperation module, LLVMModuleRef into);
