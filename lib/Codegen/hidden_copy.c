#include "Codegen/llvm_passes.h"

#include <llvm-c/Core.h>

static bool isInteger(LLVMTypeRef type, unsigned width) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(type) == width;
}

bool cuteHasHiddenCopy(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind || isInteger(type, 32) ||
         isInteger(type, 64);
}

LLVMValueRef cuteBuildHiddenCopy(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeRef copy = LLVMFunctionType(type, &type, 1, false);
  char constraints[] = "=r,0";
  constraints[1] = isInteger(type, 32) ? 'r' : 'l';
  LLVMValueRef assembly =
      LLVMGetInlineAsm(copy, "", 0, constraints, sizeof constraints - 1, false,
                       false, LLVMInlineAsmDialectATT, false);
  return LLVMBuildCall2(builder, copy, assembly, &value, 1, "");
}
