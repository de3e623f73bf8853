// Walks over LLVM modules. Each walk is in the order of the text, and a block
// or instruction may be erased once the next one is known.
#pragma once

#include <llvm-c/Types.h>

// The name of a function, variable or value.
const char *cuteLlvmGetName(LLVMValueRef value);

// The first block of a module's functions, or null.
LLVMBasicBlockRef cuteLlvmFirstBlock(LLVMModuleRef module);

// The block after one, in its function or the next that has any, or null.
LLVMBasicBlockRef cuteLlvmNextBlock(LLVMBasicBlockRef block);

// The first instruction of a module, or null.
LLVMValueRef cuteLlvmFirstInstruction(LLVMModuleRef module);

// The instruction after one, in its block or the next, or null.
LLVMValueRef cuteLlvmNextInstruction(LLVMValueRef instruction);
