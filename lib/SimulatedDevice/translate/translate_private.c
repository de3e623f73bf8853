// A thread's own memory, where tensors in registers lie that are indexed by
// what is not known: it holds NaNs, and a byte beside each of its own says
// whether it was written.
#include "SimulatedDevice/translate/translate.h"

// Tells whether all that is done with an address are loads and stores there.
static bool isPlain(LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool isStored = LLVMIsAStoreInst(user) &&
                    LLVMGetOperand(user, 1) == address &&
                    LLVMGetOperand(user, 0) != address;
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
      if (!isPlain(user))
        return false;
    } else if (!isStored && !LLVMIsALoadInst(user)) {
      return false;
    }
  }
  return true;
}

static LLVMValueRef numberOf(CuteTranslation *t, LLVMValueRef address) {
  return LLVMBuildPtrToInt(t->builder, address, t->i64, "");
}

// The byte that says it of the one at an address.
static LLVMValueRef markOf(CuteTranslation *t, LLVMValueRef memory,
                           LLVMValueRef marks, LLVMValueRef address) {
  return cuteTranslateAt(
      t, marks,
      LLVMBuildSub(t->builder, numberOf(t, address), numberOf(t, memory), ""));
}

static void fill(CuteTranslation *t, LLVMValueRef memory, unsigned byte,
                 LLVMValueRef bytes) {
  LLVMTypeRef i8 = LLVMInt8TypeInContext(t->context);
  LLVMBuildMemSet(t->builder, memory, LLVMConstInt(i8, byte, false), bytes, 1);
}

static void markAccess(CuteTranslation *t, LLVMValueRef memory,
                       LLVMValueRef marks, LLVMValueRef access) {
  bool isStore = LLVMIsAStoreInst(access);
  LLVMValueRef address = LLVMGetOperand(access, isStore);
  LLVMTypeRef type = LLVMTypeOf(isStore ? LLVMGetOperand(access, 0) : access);
  LLVMValueRef bytes =
      LLVMConstInt(t->i64, LLVMStoreSizeOfType(t->layout, type), false);
  cuteTranslateAccessVariable(t, access, memory);
  LLVMPositionBuilderBefore(t->builder, access);
  LLVMValueRef mark = markOf(t, memory, marks, address);
  if (isStore) {
    fill(t, mark, 1, bytes);
    return;
  }
  LLVMValueRef operands[] = {
      cuteTranslateAddress(t, cuteTranslateSite(t, access)), mark, bytes};
  cuteTranslateCall(t, "cuteSimRegisterLoad", t->nothing, 3, operands);
}

static void markAccesses(CuteTranslation *t, LLVMValueRef memory,
                         LLVMValueRef marks, LLVMValueRef address) {
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user))
      markAccess(t, memory, marks, user);
    else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user))
      markAccesses(t, memory, marks, user);
  }
}

void cuteTranslatePrivate(CuteTranslation *t, LLVMValueRef memory) {
  enum { POISON = 0xff }; // NaNs of any type
  LLVMTypeRef i8 = LLVMInt8TypeInContext(t->context);
  LLVMValueRef size = LLVMGetOperand(memory, 0);
  if (!t->checks || !LLVMIsAConstantInt(size))
    return;
  LLVMValueRef bytes = LLVMConstInt(
      t->i64,
      LLVMConstIntGetZExtValue(size) *
          LLVMABISizeOfType(t->layout, LLVMGetAllocatedType(memory)),
      false);
  LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(memory));
  LLVMSetCurrentDebugLocation2(t->builder, NULL);
  if (isPlain(memory)) {
    LLVMValueRef marks = LLVMBuildArrayAlloca(t->builder, i8, bytes, "");
    fill(t, marks, 0, bytes);
    markAccesses(t, memory, marks, memory);
    LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(marks));
  }
  fill(t, memory, POISON, bytes);
}
