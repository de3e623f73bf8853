// Walks over LLVM modules. Each walk is in the order of the text, and a block
// or instruction may be erased once the next one is known.
#pragma once

#include <llvm-c/Core.h>

#include <stdbool.h>

// Goes through the Function or Global of a module, or the Instruction of a
// block. The body may erase the one that it has.
#define CUTE_FOR_LLVM(Kind, each, parent)                                      \
  for (LLVMValueRef each = LLVMGetFirst##Kind(parent), each##Next;             \
       each && (each##Next = LLVMGetNext##Kind(each), true);                   \
       each = each##Next)

// Goes through the blocks of a function.
#define CUTE_FOR_LLVM_BLOCKS(block, function)                                  \
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;      \
       block = LLVMGetNextBasicBlock(block))

const char *cuteLlvmGetName(LLVMValueRef value);

// The first block of a module's functions, or null.
LLVMBasicBlockRef cuteLlvmFirstBlock(LLVMModuleRef module);

// The block after one, in its function or the next that has any, or null.
LLVMBasicBlockRef cuteLlvmNextBlock(LLVMBasicBlockRef block);

LLVMValueRef cuteLlvmFirstInstruction(LLVMModuleRef module);

// The instruction after one, in its block or the next, or null.
LLVMValueRef cuteLlvmNextInstruction(LLVMValueRef instruction);
