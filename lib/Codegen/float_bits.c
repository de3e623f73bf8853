#include "Codegen/llvm_passes.h"

#include "Jit/llvm_walk.h"
#include "Support/pointer_map.h"

static bool isInteger(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

// Tells whether an integer is made of a float, given those before it that are.
static bool isFromFloat(const CutePointerMap *known, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (!isInteger(LLVMTypeOf(i)) || opcode == LLVMPHI || opcode == LLVMLoad)
    return false;
  if (opcode == LLVMFPToSI || opcode == LLVMFPToUI)
    return true;
  if (opcode == LLVMBitCast)
    return !isInteger(LLVMTypeOf(LLVMGetOperand(i, 0)));
  for (int k = 0; k < LLVMGetNumOperands(i); ++k)
    if (cutePointerMapGet(known, LLVMGetOperand(i, (unsigned)k)))
      return true;
  return false;
}

// Gives n for 2^n below the sign bit, or -1.
static int exponentOf(LLVMValueRef constant, unsigned width) {
  unsigned long long value = LLVMConstIntGetZExtValue(constant);
  for (unsigned n = 0; n + 1 < width; ++n)
    if (value == 1ULL << n)
      return (int)n;
  return -1;
}

// Gives the same value by another instruction, or null.
static LLVMValueRef rewrite(LLVMBuilderRef builder, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = LLVMTypeOf(i);
  bool isCandidate = (opcode == LLVMAdd || opcode == LLVMMul) &&
                     LLVMGetIntTypeWidth(type) <= 64;
  LLVMValueRef constant = isCandidate ? LLVMGetOperand(i, 1) : NULL;
  if (!constant || !LLVMIsAConstantInt(constant))
    return NULL;
  LLVMPositionBuilderBefore(builder, i);
  LLVMValueRef x = LLVMGetOperand(i, 0);
  if (opcode == LLVMAdd)
    return LLVMBuildSub(builder, x, LLVMConstNeg(constant), "");
  int n = exponentOf(constant, LLVMGetIntTypeWidth(type));
  return n < 0 ? NULL
               : LLVMBuildShl(builder, x,
                              LLVMConstInt(type, (unsigned)n, false), "");
}

void cuteHideFloatBits(LLVMModuleRef module, LLVMBuilderRef builder) {
  CUTE_SCOPED(PointerMap) known = {0};
  LLVMValueRef next;
  for (LLVMValueRef i = cuteLlvmFirstInstruction(module); i; i = next) {
    next = cuteLlvmNextInstruction(i);
    if (!isFromFloat(&known, i))
      continue;
    LLVMValueRef same = rewrite(builder, i);
    cutePointerMapSet(&known, same ? same : i, &known);
    if (!same)
      continue;
    LLVMReplaceAllUsesWith(i, same);
    LLVMInstructionEraseFromParent(i);
  }
}
