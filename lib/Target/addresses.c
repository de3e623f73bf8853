// Addresses of an optimized LLVM module.
#include "Target/addresses.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

// A getelementptr with one index.
static bool isOffset(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 2;
}

static bool hasOneUse(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

// Whether all uses of an instruction are in its block.
static bool isLocal(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) !=
        LLVMGetInstructionParent(value))
      return false;
  return true;
}

static LLVMValueRef indexOf(LLVMValueRef offset) {
  return LLVMGetOperand(offset, 1);
}

// Whether p + a, the operand of (p + a) + b, is there for nothing else.
static bool canMerge(LLVMValueRef inner, LLVMValueRef outer) {
  return isOffset(inner) && hasOneUse(inner) &&
         LLVMGetGEPSourceElementType(inner) ==
             LLVMGetGEPSourceElementType(outer) &&
         LLVMGetInstructionParent(inner) == LLVMGetInstructionParent(outer) &&
         LLVMTypeOf(indexOf(inner)) == LLVMTypeOf(indexOf(outer)) &&
         !LLVMIsAConstantInt(indexOf(inner)) &&
         !LLVMIsAConstantInt(indexOf(outer));
}

// The outer one becomes p + (a + b).
static void merge(LLVMBuilderRef builder, LLVMValueRef inner,
                  LLVMValueRef outer) {
  LLVMPositionBuilderBefore(builder, outer);
  LLVMValueRef sum = LLVMBuildAdd(builder, indexOf(inner), indexOf(outer), "");
  LLVMSetOperand(outer, 0, LLVMGetOperand(inner, 0));
  LLVMSetOperand(outer, 1, sum);
  LLVMGEPSetNoWrapFlags(outer, 0);
  LLVMInstructionEraseFromParent(inner);
}

static void mergeBlock(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    while (isOffset(i) && isLocal(i) && canMerge(LLVMGetOperand(i, 0), i))
      merge(builder, LLVMGetOperand(i, 0), i);
}

void cuteMergeAddresses(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (LLVMGetFirstBasicBlock(f))
      mergeBlock(builder, LLVMGetFirstBasicBlock(f));
  LLVMDisposeBuilder(builder);
}
