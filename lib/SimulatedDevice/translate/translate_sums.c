#define _GNU_SOURCE
// Registers that are written until a wait, the sums of warpgroups and what is
// loaded from tensor memory: who uses them says so before.
#include "SimulatedDevice/translate/translate.h"

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

// An instruction whose results are there later, what is called before it and
// before their uses, and waits that have them as operands and only move them.
typedef struct Kind {
  const char *text, *start, *use, *wait;
  bool isInLoops; // a loop carries no other results than its last
} Kind;

static const Kind kinds[] = {
    {"wgmma.mma_async", "cuteSimWgmmaStart", "cuteSimWgmmaUse", "wgmma.", true},
    {"llvm.nvvm.tcgen05.ld.", "cuteSimTensorStart", "cuteSimTensorUse", NULL,
     false},
    {"tcgen05.ld.red.", "cuteSimTensorStart", "cuteSimTensorUse", NULL, false}};

// Tells whether an instruction only moves what it takes.
static bool isMove(const Kind *kind, LLVMValueRef i) {
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
    return kind->wait && cuteTranslateHasText(i, kind->wait);
  }
}

static void checkUse(CuteTranslation *t, const Kind *kind, LLVMValueRef use,
                     const CuteSimSite *from) {
  LLVMPositionBuilderBefore(t->builder, use);
  LLVMValueRef operands[] = {cuteTranslateAddress(t, cuteTranslateSite(t, use)),
                             cuteTranslateAddress(t, from)};
  cuteTranslateCall(t, kind->use, t->nothing, 2, operands);
}

// Tells whether an instruction has other results than what it takes: a product
// that adds to sums, a wait for loads that are its operands.
static bool isOther(const Kind *kind, LLVMValueRef user) {
  return cuteTranslateHasText(user, kind->text) ||
         (!kind->isInLoops &&
          (LLVMIsAPHINode(user) || cuteTranslateHasText(user, "tcgen05.wait")));
}

static void followUses(CuteTranslation *t, const Kind *kind, LLVMValueRef value,
                       const CuteSimSite *from, CutePointerMap *seen) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (cutePointerMapGet(seen, user) || isOther(kind, user))
      continue;
    cutePointerMapSet(seen, user, user);
    if (isMove(kind, user))
      followUses(t, kind, user, from, seen);
    else
      checkUse(t, kind, user, from);
  }
}

static void checkUses(CuteTranslation *t, const Kind *kind, LLVMValueRef i) {
  CUTE_SCOPED(PointerMap) seen = {0};
  const CuteSimSite *from = cuteTranslateSite(t, i);
  LLVMValueRef address = cuteTranslateAddress(t, from);
  LLVMPositionBuilderBefore(t->builder, i);
  cuteTranslateCall(t, kind->start, t->nothing, 1, &address);
  followUses(t, kind, i, from, &seen);
}

void cuteTranslateSums(CuteTranslation *t, LLVMValueRef *all, size_t n) {
  for (size_t i = 0; i < n && t->checks; ++i)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
      if (cuteTranslateHasText(all[i], kinds[k].text))
        checkUses(t, &kinds[k], all[i]);
}
