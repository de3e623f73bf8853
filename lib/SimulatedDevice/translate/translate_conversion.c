// Lets floats that no integer holds convert as PTX's cvt does.
#include "SimulatedDevice/translate/translate.h"

static bool isVector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

// The type with 16-bit integers instead of narrower ones, which cvt converts by
// way of them.
static LLVMTypeRef atLeastShort(LLVMTypeRef type) {
  LLVMTypeRef element = isVector(type) ? LLVMGetElementType(type) : type;
  if (LLVMGetIntTypeWidth(element) >= 16)
    return type;
  LLVMTypeRef narrow = LLVMIntTypeInContext(LLVMGetTypeContext(type), 16);
  return isVector(type) ? LLVMVectorType(narrow, LLVMGetVectorSize(type))
                        : narrow;
}

void cuteTranslateConversion(CuteTranslation *t, LLVMValueRef instruction) {
  bool isSigned = LLVMGetInstructionOpcode(instruction) == LLVMFPToSI;
  const char *name = isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  LLVMValueRef number = LLVMGetOperand(instruction, 0);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  LLVMTypeRef types[] = {atLeastShort(type), LLVMTypeOf(number)};
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      module, LLVMLookupIntrinsicID(name, strlen(name)), types, 2);
  LLVMPositionBuilderBefore(t->builder, instruction);
  LLVMValueRef made = LLVMBuildCall2(
      t->builder, LLVMGlobalGetValueType(function), function, &number, 1, "");
  LLVMReplaceAllUsesWith(instruction,
                         LLVMBuildTruncOrBitCast(t->builder, made, type, ""));
  LLVMInstructionEraseFromParent(instruction);
}
