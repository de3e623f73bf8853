// From MLIR's llvm dialect to LLVM IR.
#ifndef CUTE_COMPILE_TO_LLVM_IR_H
#define CUTE_COMPILE_TO_LLVM_IR_H

#include <llvm-c/Types.h>
#include <mlir-c/IR.h>

// Translates a module of the llvm and nvvm dialects. Null with a diagnostic,
// also where MLIR has none.
LLVMModuleRef cuteModuleToLlvmIr(MlirOperation module, LLVMContextRef context);

#endif
