// Loads of shared memory that may be under way when their thread arrives at an
// mbarrier: ptxas has the arrival go ahead of arithmetic and products with what
// they bring, but not of stores and branches, which wait for it.
#include "SimulatedDevice/translate/translate.h"

static bool isLoad(LLVMValueRef i) {
  if (!LLVMIsALoadInst(i))
    return cuteTranslateHasText(i, "ldmatrix");
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0)));
  return space == CUTE_SIM_SHARED || space == CUTE_SIM_GENERIC;
}

static bool isArrival(LLVMValueRef i) {
  return cuteTranslateHasText(i, "mbarrier.arrive");
}

// Tells whether an instruction only computes: it touches no memory that others
// see, and ends no basic block, so that it does not wait for its operands.
static bool onlyComputes(LLVMValueRef i) {
  if (!LLVMIsACallInst(i))
    return !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i) &&
           !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !LLVMIsATerminatorInst(i);
  LLVMValueRef callee = LLVMGetCalledValue(i);
  if (LLVMIsAInlineAsm(callee))
    return !LLVMGetInlineAsmHasSideEffects(callee) ||
           cuteTranslateHasText(i, "mma.sync");
  LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
      callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMGetEnumAttributeKindForName("memory", sizeof "memory" - 1));
  return memory && !LLVMGetEnumAttributeValue(memory);
}

static bool takes(const CutePointerMap *found, LLVMValueRef i) {
  for (int o = LLVMGetNumOperands(i) - 1; o >= 0; --o)
    if (cutePointerMapGet(found, LLVMGetOperand(i, (unsigned)o)))
      return true;
  return false;
}

// Tells whether an arrival comes before all that waits for a load. What is
// found is the load, what is computed of it, and blocks that were looked at.
static bool comesToArrival(CutePointerMap *found, LLVMValueRef from) {
  LLVMValueRef end = from;
  for (LLVMValueRef i = from; i; end = i, i = LLVMGetNextInstruction(i)) {
    if (isArrival(i))
      return true;
    bool takesAny = takes(found, i);
    if (takesAny && !onlyComputes(i))
      return false;
    if (takesAny)
      cutePointerMapSet(found, i, i);
  }
  for (unsigned s = LLVMGetNumSuccessors(end); s-- > 0;) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
    bool isNew = !cutePointerMapGet(found, next);
    cutePointerMapSet(found, next, next);
    if (isNew && comesToArrival(found, LLVMGetFirstInstruction(next)))
      return true;
  }
  return false;
}

static bool isLeft(LLVMValueRef load) {
  CUTE_SCOPED(PointerMap) found = {0};
  cutePointerMapSet(&found, load, load);
  return comesToArrival(&found, LLVMGetNextInstruction(load));
}

void cuteTranslateLoads(CuteTranslation *t, LLVMValueRef *all, size_t n) {
  bool arrives = false;
  cutePointerMapClear(&t->left);
  for (size_t i = 0; i < n && t->checks && !arrives; ++i)
    arrives = isArrival(all[i]);
  for (size_t i = 0; i < n && arrives; ++i)
    if (isLoad(all[i]) && isLeft(all[i]))
      cutePointerMapSet(&t->left, all[i], all[i]);
}
