// Loads of shared memory that may be under way when their thread arrives at an
// mbarrier: ptxas has the arrival go ahead of arithmetic and products with what
// they bring, but not of stores and branches, which wait for it.
#include "SimulatedDevice/translate/translate.h"
#include "Support/growing_array.h"
#include "Support/pointer_map.h"

typedef struct Walk {
  CutePointerMap values; // what was loaded, and what is computed of that
  CutePointerMap seen;   // blocks that the walk has come to
  size_t count, capacity;
  LLVMBasicBlockRef *blocks; // where it goes on
} Walk;

static void walkDestroy(Walk *walk) {
  cutePointerMapDestroy(&walk->values);
  cutePointerMapDestroy(&walk->seen);
  free(walk->blocks);
}

static bool isLoad(LLVMValueRef i) {
  if (!LLVMIsALoadInst(i))
    return cuteTranslateHasText(i, "ldmatrix");
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0)));
  return space == CUTE_SIM_SHARED || space == CUTE_SIM_GENERIC;
}

static bool isArrival(LLVMValueRef i) {
  return cuteTranslateHasText(i, "mbarrier.arrive");
}

// Tells whether a call only computes: it touches no memory that others see.
static bool onlyComputes(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee))
    return !LLVMGetInlineAsmHasSideEffects(callee) ||
           cuteTranslateHasText(call, "mma.sync");
  LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
      callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMGetEnumAttributeKindForName("memory", sizeof "memory" - 1));
  return memory && !LLVMGetEnumAttributeValue(memory);
}

// Tells whether an instruction waits for its operands where it stands.
static bool waits(LLVMValueRef i) {
  return LLVMIsACallInst(i)
             ? !onlyComputes(i)
             : LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) ||
                   LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
                   LLVMIsATerminatorInst(i);
}

static bool takes(const Walk *walk, LLVMValueRef i) {
  for (int o = LLVMGetNumOperands(i) - 1; o >= 0; --o)
    if (cutePointerMapGet(&walk->values, LLVMGetOperand(i, (unsigned)o)))
      return true;
  return false;
}

static void pushSuccessors(Walk *walk, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned s = LLVMGetNumSuccessors(end); s-- > 0;) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
    if (cutePointerMapGet(&walk->seen, next))
      continue;
    cutePointerMapSet(&walk->seen, next, next);
    CUTE_PUSH(walk->blocks, walk->count, walk->capacity, next);
  }
}

// Walks through a block, up to what waits; tells whether it comes to an
// arrival.
static bool comesToArrival(Walk *walk, LLVMBasicBlockRef block,
                           LLVMValueRef from) {
  for (LLVMValueRef i = from; i; i = LLVMGetNextInstruction(i)) {
    if (isArrival(i))
      return true;
    if (!takes(walk, i))
      continue;
    if (waits(i))
      return false;
    cutePointerMapSet(&walk->values, i, i);
  }
  pushSuccessors(walk, block);
  return false;
}

static bool isLeft(LLVMValueRef load) {
  Walk walk = {0};
  cutePointerMapSet(&walk.values, load, load);
  bool is = comesToArrival(&walk, LLVMGetInstructionParent(load),
                           LLVMGetNextInstruction(load));
  while (!is && walk.count) {
    LLVMBasicBlockRef next = walk.blocks[--walk.count];
    is = comesToArrival(&walk, next, LLVMGetFirstInstruction(next));
  }
  walkDestroy(&walk);
  return is;
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
