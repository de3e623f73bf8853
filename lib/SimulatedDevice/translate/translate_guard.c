// Finds what would end the process of the host, or is not there: places that
// are never reached, functions of nobody.
#include "SimulatedDevice/translate/translate.h"
#include "Support/text.h"

//===-- Ends --------------------------------------------------------------===//

static bool isNoReturn(LLVMValueRef call) {
  return call && LLVMIsACallInst(call) &&
         LLVMIsAFunction(LLVMGetCalledValue(call)) &&
         LLVMGetEnumAttributeAtIndex(
             LLVMGetCalledValue(call),
             (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
             LLVMGetEnumAttributeKindForName("noreturn", 8));
}

void cuteTranslateUnreachable(CuteTranslation *t, LLVMValueRef i) {
  if (isNoReturn(LLVMGetPreviousInstruction(i)))
    return;
  LLVMValueRef site = cuteTranslateAddress(t, cuteTranslateSite(t, i));
  LLVMPositionBuilderBefore(t->builder, i);
  cuteTranslateCall(t, "cuteSimFindUnreachable", t->nothing, 1, &site);
}

//===-- Functions ---------------------------------------------------------===//

static bool startsWithOneOf(CuteStringRef name, const char *const *prefixes) {
  for (; *prefixes; ++prefixes)
    if (cuteTextStartsWith(name, *prefixes))
      return true;
  return false;
}

static bool hasPointer(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) ==
        LLVMPointerTypeKind)
      return true;
  return false;
}

bool cuteTranslateIsKnown(LLVMValueRef call, CuteStringRef name) {
  static const char *const harmless[] = {"llvm.lifetime.",    "llvm.dbg.",
                                         "llvm.assume",       "llvm.prefetch",
                                         "llvm.invariant.",   "llvm.stacksave",
                                         "llvm.stackrestore", "llvm.launder.",
                                         "llvm.strip.",       "llvm.ptrmask",
                                         "llvm.memcpy.",      "llvm.memmove.",
                                         "llvm.memset.",      NULL};
  bool isIntrinsic = cuteTextStartsWith(name, "llvm.");
  if (isIntrinsic)
    return !hasPointer(call) || startsWithOneOf(name, harmless);
  return LLVMGetFirstBasicBlock(LLVMGetCalledValue(call)) ||
         cuteTextEquals(name, "vprintf") ||
         cuteTextEquals(name, "__assertfail");
}

bool cuteTranslateIsTrap(CuteStringRef name) {
  return cuteTextEquals(name, "llvm.trap") ||
         cuteTextEquals(name, "llvm.debugtrap") ||
         cuteTextEquals(name, "llvm.ubsantrap");
}
