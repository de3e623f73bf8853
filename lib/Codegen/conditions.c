// Conditions of an optimized LLVM module.
#include "Codegen/llvm_passes.h"
#include "Jit/llvm_walk.h"

#include <stddef.h>

enum { MAX_BITS = 32, MAX_LEFT_ALONE = 4, MAX_GUARDS = 8 };

// A loop of one block and what is combined in it: `conditions` come from before
// the loop, and each `guard` from the loop.
typedef struct Loop {
  LLVMBasicBlockRef block, before;
  LLVMValueRef conditions[MAX_BITS], guards[MAX_GUARDS];
  LLVMValueRef masks[MAX_GUARDS]; // of the guards: guard ? mask : 0
  unsigned numConditions, numGuards;
} Loop;

// The block that a loop of this one block is entered from, or null.
static LLVMBasicBlockRef blockBefore(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef before = NULL;
  unsigned others = 0, selves = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(user))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
    selves += from == block;
    others += from != block;
    before = from != block ? from : before;
  }
  return selves == 1 && others == 1 ? before : NULL;
}

static bool isInLoop(const Loop *loop, LLVMValueRef value) {
  return LLVMIsAInstruction(value) &&
         LLVMGetInstructionParent(value) == loop->block;
}

// Tells whether i is `and i1` of a condition from before the loop and one from
// it.
static bool isGuarded(const Loop *loop, LLVMValueRef i, LLVMValueRef *condition,
                      LLVMValueRef *guard) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetInstructionOpcode(i) != LLVMAnd ||
      LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != 1)
    return false;
  LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
  bool isSecond = isInLoop(loop, a);
  *guard = isSecond ? a : b;
  *condition = isSecond ? b : a;
  return isInLoop(loop, *guard) && !isInLoop(loop, *condition) &&
         LLVMIsAInstruction(*condition);
}

// The number of a value in a list, to which it is added; `most` if it is full.
static unsigned numberOf(LLVMValueRef *list, unsigned *n, unsigned most,
                         LLVMValueRef value) {
  unsigned i = 0;
  while (i < *n && list[i] != value)
    ++i;
  if (i == *n && i < most)
    list[(*n)++] = value;
  return i;
}

static void collect(Loop *loop) {
  LLVMValueRef condition, guard;
  CUTE_FOR_LLVM(Instruction, i, loop->block)
    if (isGuarded(loop, i, &condition, &guard) &&
        numberOf(loop->guards, &loop->numGuards, MAX_GUARDS, guard) <
            MAX_GUARDS)
      numberOf(loop->conditions, &loop->numConditions, MAX_BITS, condition);
}

// c0 << 0 | c1 << 1 | ..., before the loop. They are frozen, since one of them
// that is poison must not spoil the others' bits.
static LLVMValueRef buildMask(LLVMBuilderRef builder, const Loop *loop,
                              LLVMTypeRef i32) {
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->before));
  LLVMValueRef zero = LLVMConstInt(i32, 0, false), mask = zero;
  for (unsigned i = 0; i < loop->numConditions; ++i) {
    LLVMValueRef condition = LLVMBuildFreeze(builder, loop->conditions[i], "");
    LLVMValueRef bit = LLVMConstInt(i32, 1ULL << i, false);
    mask = LLVMBuildOr(builder, mask,
                       LLVMBuildSelect(builder, condition, bit, zero, ""), "");
  }
  return mask;
}

// The mask where a guard is true, else 0; made before the guard's first use.
static LLVMValueRef guardedMask(LLVMBuilderRef builder, Loop *loop,
                                LLVMValueRef mask, unsigned guard) {
  if (!loop->masks[guard])
    loop->masks[guard] =
        LLVMBuildSelect(builder, loop->guards[guard], mask,
                        LLVMConstInt(LLVMTypeOf(mask), 0, false), "");
  return loop->masks[guard];
}

static void testBits(LLVMBuilderRef builder, Loop *loop, LLVMValueRef mask) {
  LLVMTypeRef i32 = LLVMTypeOf(mask);
  LLVMValueRef condition, guard;
  CUTE_FOR_LLVM(Instruction, i, loop->block) {
    if (!isGuarded(loop, i, &condition, &guard))
      continue;
    unsigned g = numberOf(loop->guards, &loop->numGuards, 0, guard);
    unsigned bit =
        numberOf(loop->conditions, &loop->numConditions, 0, condition);
    if (g == loop->numGuards || bit == loop->numConditions)
      continue;
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef tested =
        LLVMBuildAnd(builder, guardedMask(builder, loop, mask, g),
                     LLVMConstInt(i32, 1ULL << bit, false), "");
    LLVMReplaceAllUsesWith(i, LLVMBuildICmp(builder, LLVMIntNE, tested,
                                            LLVMConstInt(i32, 0, false), ""));
    LLVMInstructionEraseFromParent(i);
  }
}

static void packBlock(LLVMBuilderRef builder, LLVMBasicBlockRef block,
                      LLVMTypeRef i32) {
  Loop loop = {.block = block, .before = blockBefore(block)};
  if (!loop.before)
    return;
  collect(&loop);
  if (loop.numConditions > MAX_LEFT_ALONE)
    testBits(builder, &loop, buildMask(builder, &loop, i32));
}

void cutePackConditions(LLVMModuleRef module, LLVMBuilderRef builder) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  for (LLVMBasicBlockRef b = cuteLlvmFirstBlock(module); b;
       b = cuteLlvmNextBlock(b))
    packBlock(builder, b, i32);
}
