#include "Codegen/llvm_passes.h"

#include "Jit/llvm_walk.h"
#include "Support/pointer_map.h"

enum { LONGEST_RUN = 64 };

// Counts the uses of each value, and keeps the copies that replace some values.
typedef struct Runs {
  LLVMBuilderRef builder;
  CutePointerMap counts, copies;
} Runs;

static bool isConstant(LLVMValueRef instruction, unsigned operand) {
  return LLVMIsAConstant(LLVMGetOperand(instruction, operand));
}

static bool isPlaced(LLVMValueRef instruction) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(instruction); ++i)
    if (!isConstant(instruction, i))
      return true;
  return false;
}

// Tells whether the instruction is an address at a place that is not constant,
// or a multiple; the first operand is what it is made of.
static bool isOfRun(LLVMValueRef instruction) {
  if (isConstant(instruction, 0) ||
      !cuteHasHiddenCopy(LLVMTypeOf(LLVMGetOperand(instruction, 0))))
    return false;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMGetElementPtr:
    return isPlaced(instruction);
  case LLVMMul:
  case LLVMShl:
    return isConstant(instruction, 1);
  default:
    return false;
  }
}

// Positions the builder where all that uses the value comes after.
static void positionAfter(Runs *runs, LLVMValueRef value) {
  LLVMValueRef next = LLVMIsAArgument(value)
                          ? LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(
                                LLVMGetParamParent(value)))
                          : LLVMGetNextInstruction(value);
  while (LLVMIsAPHINode(next))
    next = LLVMGetNextInstruction(next);
  LLVMPositionBuilderBefore(runs->builder, next);
}

static void addToRun(Runs *runs, LLVMValueRef instruction) {
  LLVMValueRef of = LLVMGetOperand(instruction, 0);
  uintptr_t count = (uintptr_t)cutePointerMapGet(&runs->counts, of);
  cutePointerMapSet(&runs->counts, of, (void *)(count + 1));
  if (count && count % LONGEST_RUN == 0) {
    positionAfter(runs, of);
    cutePointerMapSet(&runs->copies, of,
                      cuteBuildHiddenCopy(runs->builder, of));
  }
  LLVMValueRef copy = cutePointerMapGet(&runs->copies, of);
  if (copy)
    LLVMSetOperand(instruction, 0, copy);
}

void cuteSplitAddressRuns(LLVMModuleRef module, LLVMBuilderRef builder) {
  Runs runs = {.builder = builder};
  for (LLVMValueRef i = cuteLlvmFirstInstruction(module); i;
       i = cuteLlvmNextInstruction(i))
    if (LLVMGetNumOperands(i) > 1 && isOfRun(i))
      addToRun(&runs, i);
  cutePointerMapDestroy(&runs.counts);
  cutePointerMapDestroy(&runs.copies);
}
