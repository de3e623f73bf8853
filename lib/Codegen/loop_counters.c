#include "Codegen/llvm_passes.h"

#include "Jit/llvm_walk.h"

#include <stddef.h>

// Sums that are looked through, and extensions to 64 bits that are computed
// again in each round.
enum { MOST_SUMS = 6, MOST_EXTENSIONS = 2 };

// The sum of the counter and something that is the counter's next value, or
// null.
static LLVMValueRef nextOf(LLVMValueRef phi) {
  for (unsigned i = LLVMCountIncoming(phi); i--;) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, i);
    if (LLVMIsAInstruction(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
        (LLVMGetOperand(next, 0) == phi || LLVMGetOperand(next, 1) == phi))
      return next;
  }
  return NULL;
}

static void setOperands(LLVMValueRef user, LLVMValueRef from, LLVMValueRef to) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); ++i)
    if (LLVMGetOperand(user, i) == from)
      LLVMSetOperand(user, i, to);
}

// Gives all users of `value` a copy, which is made before `place`, except
// comparisons and `kept`.
static void hide(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef kept,
                 LLVMValueRef place) {
  LLVMValueRef copy = NULL;
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (user == kept || user == copy || LLVMIsAICmpInst(user))
      continue;
    LLVMPositionBuilderBefore(builder, place);
    if (!copy)
      copy = cuteBuildHiddenCopy(builder, value);
    setOperands(user, value, copy);
    next = LLVMGetFirstUse(value); // all uses of the user are gone
  }
}

static LLVMValueRef afterPhis(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

static bool isConstant(LLVMValueRef user, unsigned operand) {
  return LLVMIsAConstantInt(LLVMGetOperand(user, operand));
}

// Tells whether a user is arithmetic that makes addresses, other than
// a product.
static bool isSum(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMAdd:
  case LLVMOr:
  case LLVMShl:
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc:
    return true;
  default:
    return false;
  }
}

// Tells whether a user multiplies by a variable.
static bool isProduct(LLVMValueRef user) {
  return LLVMGetInstructionOpcode(user) == LLVMMul && !isConstant(user, 0) &&
         !isConstant(user, 1);
}

static bool isExtension(LLVMValueRef user) {
  return LLVMIsAZExtInst(user) || LLVMIsASExtInst(user);
}

// Counts the users of a kind that the value, and sums of it, have. Looks
// through `depth` sums.
static unsigned countUsers(LLVMValueRef value, bool (*is)(LLVMValueRef user),
                           unsigned depth) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user))
      continue;
    count += is(user);
    if (depth && isSum(user))
      count += countUsers(user, is, depth - 1);
  }
  return count;
}

static bool isComparedWithConstant(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAICmpInst(user) && (isConstant(user, 0) || isConstant(user, 1)))
      return true;
  }
  return false;
}

static void hideInBlock(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block);
       phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef next = cuteHasHiddenCopy(LLVMTypeOf(phi)) ? nextOf(phi) : NULL;
    if (!next || isComparedWithConstant(phi) || isComparedWithConstant(next) ||
        countUsers(phi, isProduct, MOST_SUMS) ||
        countUsers(phi, isExtension, MOST_SUMS) > MOST_EXTENSIONS)
      continue;
    hide(builder, phi, next, afterPhis(block));
    hide(builder, next, phi, LLVMGetNextInstruction(next));
  }
}

void cuteHideLoopCounters(LLVMModuleRef module, LLVMBuilderRef builder) {
  for (LLVMBasicBlockRef b = cuteLlvmFirstBlock(module); b;
       b = cuteLlvmNextBlock(b))
    hideInBlock(builder, b);
}
