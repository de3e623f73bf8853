#define _GNU_SOURCE
// Sums of warpgroups, which the tensor cores write until a wait: who uses them
// says so before.
#include "SimulatedDevice/translate/translate.h"
#include "Support/pointer_map.h"

#include <string.h>

CuteStringRef cuteTranslateGetText(LLVMValueRef i) {
  CuteStringRef text = {"", 0};
  if (!LLVMIsACallInst(i))
    return text;
  LLVMValueRef callee = LLVMGetCalledValue(i);
  text.data = LLVMIsAInlineAsm(callee)
                  ? LLVMGetInlineAsmAsmString(callee, &text.length)
                  : LLVMGetValueName2(callee, &text.length);
  return text;
}

bool cuteTranslateHasText(LLVMValueRef i, const char *part) {
  CuteStringRef text = cuteTranslateGetText(i);
  return memmem(text.data, text.length, part, strlen(part)) != NULL;
}

static bool isProduct(LLVMValueRef i) {
  return cuteTranslateHasText(i, "wgmma.mma_async");
}

// Tells whether an instruction only moves the sums that it takes, as a wait
// does that has them as operands.
static bool isMove(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMPHI:
  case LLVMSelect:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMExtractElement:
  case LLVMExtractValue:
  case LLVMInsertElement:
  case LLVMInsertValue:
  case LLVMShuffleVector:
    return true;
  default:
    return cuteTranslateHasText(i, "wgmma.");
  }
}

static void checkUse(CuteTranslation *t, LLVMValueRef use,
                     const CuteSimSite *product) {
  LLVMPositionBuilderBefore(t->builder, use);
  LLVMValueRef operands[] = {cuteTranslateAddress(t, cuteTranslateSite(t, use)),
                             cuteTranslateAddress(t, product)};
  cuteTranslateCall(t, "cuteSimWgmmaUse", t->nothing, 2, operands);
}

static void followUses(CuteTranslation *t, LLVMValueRef value,
                       const CuteSimSite *product, CutePointerMap *seen) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (cutePointerMapGet(seen, user) || isProduct(user))
      continue;
    cutePointerMapSet(seen, user, user);
    if (isMove(user))
      followUses(t, user, product, seen);
    else
      checkUse(t, user, product);
  }
}

void cuteTranslateSums(CuteTranslation *t, LLVMValueRef *all, size_t n) {
  CUTE_SCOPED(PointerMap) seen = {0};
  for (size_t i = 0; i < n && t->checks; ++i) {
    if (!isProduct(all[i]))
      continue;
    const CuteSimSite *product = cuteTranslateSite(t, all[i]);
    LLVMValueRef address = cuteTranslateAddress(t, product);
    LLVMPositionBuilderBefore(t->builder, all[i]);
    cuteTranslateCall(t, "cuteSimWgmmaStart", t->nothing, 1, &address);
    cutePointerMapClear(&seen);
    followUses(t, all[i], product, &seen);
  }
}
