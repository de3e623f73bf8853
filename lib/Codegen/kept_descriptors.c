#include "Codegen/llvm_passes.h"

#include "Jit/llvm_walk.h"

#include <string.h>

static bool isProduct(LLVMValueRef call) {
  LLVMValueRef called = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  size_t length;
  if (called && LLVMIsAFunction(called))
    return strstr(LLVMGetValueName2(called, &length), ".tcgen05.mma.");
  const char *text = called && LLVMIsAInlineAsm(called)
                         ? LLVMGetInlineAsmAsmString(called, &length)
                         : NULL;
  return text && strstr(text, "wgmma.mma_async");
}

// Tells whether a value is a descriptor with a constant offset, from outside of
// the block.
static bool isOffset(LLVMValueRef value, LLVMBasicBlockRef block) {
  LLVMOpcode opcode = LLVMIsAInstruction(value)
                          ? LLVMGetInstructionOpcode(value)
                          : LLVMUnreachable;
  return (opcode == LLVMAdd || opcode == LLVMOr) &&
         LLVMGetInstructionParent(value) != block &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

void cuteKeepDescriptors(LLVMModuleRef module, LLVMBuilderRef builder) {
  for (LLVMValueRef i = cuteLlvmFirstInstruction(module); i;
       i = cuteLlvmNextInstruction(i)) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    for (unsigned j = 0; isProduct(i) && j < (unsigned)LLVMGetNumArgOperands(i);
         ++j) {
      LLVMValueRef sum = LLVMGetOperand(i, j);
      if (!isOffset(sum, block))
        continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMSetOperand(i, j,
                     LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(sum),
                                    LLVMGetOperand(sum, 0),
                                    LLVMGetOperand(sum, 1), ""));
    }
  }
}
