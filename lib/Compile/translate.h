// From MLIR's llvm dialect to LLVM IR.
#ifndef CUTE_COMPILE_TRANSLATE_H
#define CUTE_COMPILE_TRANSLATE_H

#include <llvm-c/Types.h>
#include <mlir-c/IR.h>

// Translates a module of the llvm and nvvm dialects. Null with a diagnostic,
// also where MLIR has none.
LLVMModuleRef cuteTranslateToLlvm(MlirOperation module, LLVMContextRef context);

#endif
