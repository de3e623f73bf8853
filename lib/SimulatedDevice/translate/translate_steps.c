// Basic blocks as steps that are observed, with what they do on each line.
#include "SimulatedDevice/translate/translate.h"
#include "Simulator/observe/observer.h"
#include "Support/growing_array.h"

typedef struct AllWork {
  size_t count, capacity;
  CuteSimWork *data;
} AllWork;

//===-- Instructions ------------------------------------------------------===//

// Counts a program's PTX instructions; ones that only name or rearrange values
// are none.
static uint32_t countInstructions(LLVMValueRef i) {
  CuteStringRef text = cuteTranslateGetText(i);
  uint32_t n = 0;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMPHI:
  case LLVMAlloca:
  case LLVMBitCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMAddrSpaceCast:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
    return 0;
  case LLVMCall:
    if (!LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
      return !cuteTranslateHasText(i, "llvm.dbg.") &&
             !cuteTranslateHasText(i, "llvm.lifetime.");
    for (size_t at = 0; at < text.length; ++at)
      n += text.data[at] == ';';
    return n ? n : 1;
  default:
    return 1;
  }
}

// A lane's share of a product's multiplications and additions, by the extents
// in its name: ".m16n8k16".
static uint64_t countProducts(LLVMValueRef i) {
  enum { WARPGROUP = 128 };
  uint64_t sum = 0;
  unsigned m, n, k;
  CuteStringRef text = cuteTranslateGetText(i);
  CUTE_SCOPED(String) copy = {0};
  if (!cuteTranslateHasText(i, "mma"))
    return 0;
  cuteStringAppendBytes(&copy, text.data, text.length);
  unsigned lanes = cuteTranslateHasText(i, "wgmma") ? WARPGROUP : CUTE_SIM_WARP;
  for (const char *at = cuteStringGet(&copy); (at = strstr(at, ".m")); ++at)
    if (sscanf(at, ".m%un%uk%u", &m, &n, &k) == 3)
      sum += 2 * (uint64_t)m * n * k / lanes;
  return sum;
}

static uint64_t countOperations(LLVMValueRef i) {
  unsigned width = cuteTranslateCountElements(LLVMTypeOf(i));
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
    return width;
  case LLVMCall:
    return cuteTranslateHasText(i, "llvm.fma.") ||
                   cuteTranslateHasText(i, "llvm.fmuladd.") ||
                   cuteTranslateHasText(i, "llvm.nvvm.fma.")
               ? 2 * (uint64_t)width
               : countProducts(i);
  default:
    return 0;
  }
}

// Steps of the clock that a product of a warp takes on the tensor cores.
static uint32_t countProductSteps(LLVMValueRef i) {
  enum { OPERATIONS = 16 }; // of a lane, each step
  return cuteTranslateHasText(i, "wgmma")
             ? 0
             : (uint32_t)(countProducts(i) / OPERATIONS);
}

//===-- Basic blocks ------------------------------------------------------===//

static void addWork(AllWork *all, CuteSimWork work) {
  for (size_t i = 0; i < all->count; ++i)
    if (all->data[i].place == work.place) {
      all->data[i].instructions += work.instructions;
      all->data[i].operations += work.operations;
      all->data[i].steps += work.steps;
      return;
    }
  CUTE_PUSH(all->data, all->count, all->capacity, work);
}

// Tells whether threads may have waited in an instruction.
static bool mayWait(LLVMValueRef i) {
  return cuteTranslateHasText(i, "wait") ||
         cuteTranslateHasText(i, "barrier") ||
         cuteTranslateHasText(i, "bar.sync");
}

// Describes the instructions from one to the end of its basic block, or to the
// next that may wait. Gives the one after it, or null.
static const CuteSimStep *describe(CuteTranslation *t, LLVMValueRef *i) {
  AllWork all = {0};
  bool isLast = false;
  for (; *i && !isLast; *i = LLVMGetNextInstruction(*i)) {
    CuteSimWork work = {.instructions = countInstructions(*i),
                        .operations = countOperations(*i)};
    isLast = mayWait(*i);
    if (!work.instructions)
      continue;
    work.place = cuteTranslatePlace(t, *i);
    work.steps = work.instructions + countProductSteps(*i);
    addWork(&all, work);
  }
  CuteSimStep *step = cuteArenaAllocate(t->arena, sizeof *step);
  CuteSimWork *work = cuteArenaAllocate(t->arena, all.count * sizeof *work + 1);
  if (all.count)
    memcpy(work, all.data, all.count * sizeof *work);
  free(all.data);
  *step = (CuteSimStep){t->numSteps++, (uint32_t)all.count, work};
  return step;
}

void cuteTranslateSteps(CuteTranslation *t) {
  if (!t->statistics)
    return;
  CUTE_FOR_LLVM_BLOCKS(b, t->function) {
    LLVMValueRef first = LLVMGetFirstInstruction(b);
    while (LLVMIsAPHINode(first) || LLVMIsAAllocaInst(first))
      first = LLVMGetNextInstruction(first);
    for (LLVMValueRef next = first; next; first = next) {
      LLVMValueRef step = cuteTranslateAddress(t, describe(t, &next));
      LLVMPositionBuilderBefore(t->builder, first);
      LLVMSetCurrentDebugLocation2(t->builder, NULL);
      cuteTranslateCall(t, "cuteSimObserveStep", t->nothing, 1, &step);
    }
  }
}
