#include "Jit/llvm_walk.h"

#include <stddef.h>

const char *cuteLlvmGetName(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}

static LLVMBasicBlockRef firstBlockFrom(LLVMValueRef function) {
  while (function && !LLVMGetFirstBasicBlock(function))
    function = LLVMGetNextFunction(function);
  return function ? LLVMGetFirstBasicBlock(function) : NULL;
}

static LLVMValueRef firstInstructionFrom(LLVMBasicBlockRef block) {
  while (block && !LLVMGetFirstInstruction(block))
    block = cuteLlvmNextBlock(block);
  return block ? LLVMGetFirstInstruction(block) : NULL;
}

LLVMBasicBlockRef cuteLlvmFirstBlock(LLVMModuleRef module) {
  return firstBlockFrom(LLVMGetFirstFunction(module));
}

LLVMBasicBlockRef cuteLlvmNextBlock(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef next = LLVMGetNextBasicBlock(block);
  return next ? next
              : firstBlockFrom(
                    LLVMGetNextFunction(LLVMGetBasicBlockParent(block)));
}

LLVMValueRef cuteLlvmFirstInstruction(LLVMModuleRef module) {
  return firstInstructionFrom(cuteLlvmFirstBlock(module));
}

LLVMValueRef cuteLlvmNextInstruction(LLVMValueRef instruction) {
  LLVMValueRef next = LLVMGetNextInstruction(instruction);
  return next ? next
              : firstInstructionFrom(
                    cuteLlvmNextBlock(LLVMGetInstructionParent(instruction)));
}
