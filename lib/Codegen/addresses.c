// Addresses of an optimized LLVM module.
#include "Codegen/llvm_passes.h"
#include "Jit/llvm_walk.h"

#include <llvm-c/Target.h>

#include <stddef.h>
#include <stdint.h>

// A getelementptr with one index.
static bool isOffset(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 2;
}

static bool hasOneUse(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use);
}

// Tells whether all uses of an instruction are in its block.
static bool isLocal(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) !=
        LLVMGetInstructionParent(value))
      return false;
  return true;
}

static LLVMValueRef indexOf(LLVMValueRef offset) {
  return LLVMGetOperand(offset, 1);
}

// Tells whether p + a, the operand of (p + a) + b, is there for nothing else.
static bool canMerge(LLVMValueRef inner, LLVMValueRef outer) {
  return isOffset(inner) && hasOneUse(inner) &&
         LLVMGetGEPSourceElementType(inner) ==
             LLVMGetGEPSourceElementType(outer) &&
         LLVMGetInstructionParent(inner) == LLVMGetInstructionParent(outer) &&
         LLVMTypeOf(indexOf(inner)) == LLVMTypeOf(indexOf(outer)) &&
         !LLVMIsAConstantInt(indexOf(inner)) &&
         !LLVMIsAConstantInt(indexOf(outer));
}

// The outer one becomes p + (a + b).
static void merge(LLVMBuilderRef builder, LLVMValueRef inner,
                  LLVMValueRef outer) {
  LLVMPositionBuilderBefore(builder, outer);
  LLVMValueRef sum = LLVMBuildAdd(builder, indexOf(inner), indexOf(outer), "");
  LLVMSetOperand(outer, 0, LLVMGetOperand(inner, 0));
  LLVMSetOperand(outer, 1, sum);
  LLVMGEPSetNoWrapFlags(outer, 0);
  LLVMInstructionEraseFromParent(inner);
}

static void mergeBlock(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    while (isOffset(i) && isLocal(i) && canMerge(LLVMGetOperand(i, 0), i))
      merge(builder, LLVMGetOperand(i, 0), i);
}

//===-- Shared memory -----------------------------------------------------===//

enum { SHARED = 3 };

// The integer of 32 bits that an index of 64 bits extends, or null.
static LLVMValueRef narrowIndex(LLVMValueRef index) {
  bool isExtended = LLVMIsAZExtInst(index) || LLVMIsASExtInst(index);
  LLVMValueRef narrow = isExtended ? LLVMGetOperand(index, 0) : NULL;
  return narrow && LLVMGetIntTypeWidth(LLVMTypeOf(narrow)) == 32 ? narrow
                                                                 : NULL;
}

// log2 of the bytes of an element, or -1.
static int logBytes(LLVMModuleRef module, LLVMValueRef offset) {
  unsigned long long bytes = LLVMABISizeOfType(
      LLVMGetModuleDataLayout(module), LLVMGetGEPSourceElementType(offset));
  int log = 0;
  while (bytes >> log > 1)
    ++log;
  return bytes == 1ULL << log ? log : -1;
}

// The constant in x ^ constant, or 0.
static uint64_t xorConstant(LLVMValueRef x) {
  bool isXor = LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMXor;
  LLVMValueRef constant =
      isXor ? LLVMIsAConstantInt(LLVMGetOperand(x, 1)) : NULL;
  return constant ? LLVMConstIntGetZExtValue(constant) : 0;
}

// An address in shared memory, base + (index << log), computed with 32 bits,
// which are all that it has: pointers have 64, and ptxas cuts them without a
// look at what they consist of. If the index is x ^ constant, as swizzles make
// them, and the base is aligned to more than the constant, the address is (base
// + (x << log)) ^ (constant << log), where addresses of the same x share the
// sum.
static LLVMValueRef narrow(LLVMBuilderRef builder, LLVMValueRef offset,
                           int log) {
  LLVMPositionBuilderBefore(builder, offset);
  LLVMValueRef index = narrowIndex(indexOf(offset));
  LLVMValueRef pointer = LLVMGetOperand(offset, 0);
  LLVMTypeRef i32 = LLVMTypeOf(index);
  uint64_t bits = xorConstant(index) << log;
  bool isShared = bits && LLVMIsAGlobalVariable(pointer) &&
                  bits < LLVMGetAlignment(pointer);
  LLVMValueRef base = LLVMBuildPtrToInt(builder, pointer, i32, "");
  LLVMValueRef bytes =
      LLVMBuildShl(builder, isShared ? LLVMGetOperand(index, 0) : index,
                   LLVMConstInt(i32, (unsigned)log, false), "");
  LLVMValueRef sum = LLVMBuildAdd(builder, base, bytes, "");
  if (isShared)
    sum = LLVMBuildXor(builder, sum, LLVMConstInt(i32, bits, false), "");
  return LLVMBuildIntToPtr(builder, sum, LLVMTypeOf(offset), "");
}

static bool canNarrow(LLVMValueRef i) {
  return isOffset(i) && LLVMGetPointerAddressSpace(LLVMTypeOf(i)) == SHARED &&
         narrowIndex(indexOf(i)) && isLocal(i);
}

static void narrowBlock(LLVMModuleRef module, LLVMBuilderRef builder,
                        LLVMBasicBlockRef block) {
  CUTE_FOR_LLVM(Instruction, i, block) {
    int log = canNarrow(i) ? logBytes(module, i) : -1;
    if (log < 0)
      continue;
    LLVMReplaceAllUsesWith(i, narrow(builder, i, log));
    LLVMInstructionEraseFromParent(i);
  }
}

void cuteMergeAddresses(LLVMModuleRef module, LLVMBuilderRef builder) {
  CUTE_FOR_LLVM(Function, f, module)
    if (LLVMGetFirstBasicBlock(f))
      mergeBlock(builder, LLVMGetFirstBasicBlock(f));
}

void cuteNarrowAddresses(LLVMModuleRef module, LLVMBuilderRef builder) {
  CUTE_FOR_LLVM(Function, f, module)
    if (LLVMGetFirstBasicBlock(f))
      narrowBlock(module, builder, LLVMGetFirstBasicBlock(f));
}
