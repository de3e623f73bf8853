// Finds divisions by zero, and lets threads continue if nothing needs the
// quotient.
#include "SimulatedDevice/translate/translate.h"

//===-- What needs a quotient ---------------------------------------------===//

enum { MOST_VALUES = 64 };

// Values that are made of the quotient.
typedef struct Made {
  size_t count;
  LLVMValueRef values[MOST_VALUES];
} Made;

static bool isMade(const Made *made, LLVMValueRef value) {
  for (size_t i = made->count; i--;)
    if (made->values[i] == value)
      return true;
  return false;
}

// Tells whether all values that a choice may take are made of the quotient, or
// its condition is.
static bool isMadeChoice(const Made *made, LLVMValueRef choice) {
  if (LLVMIsASelectInst(choice))
    return isMade(made, LLVMGetOperand(choice, 0)) ||
           (isMade(made, LLVMGetOperand(choice, 1)) &&
            isMade(made, LLVMGetOperand(choice, 2)));
  for (unsigned i = 0; i < LLVMCountIncoming(choice); ++i)
    if (!isMade(made, LLVMGetIncomingValue(choice, i)))
      return false;
  return true;
}

static bool isArithmetic(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
         LLVMIsAICmpInst(value) || LLVMIsAFreezeInst(value);
}

// Adds what takes the value; false if that is not arithmetic.
static bool addUsers(Made *made, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool isChoice = LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
    if (isMade(made, user) || (isChoice && !isMadeChoice(made, user)))
      continue;
    if ((!isChoice && !isArithmetic(user)) || made->count == MOST_VALUES)
      return false;
    made->values[made->count++] = user;
  }
  return true;
}

// Tells whether something takes the quotient for sure. What a choice may leave
// out need not be right.
static bool isNeeded(LLVMValueRef quotient) {
  Made made = {1, {quotient}};
  for (size_t before = 0; before != made.count;) {
    before = made.count;
    for (size_t i = 0; i < made.count; ++i)
      if (!addUsers(&made, made.values[i]))
        return true;
  }
  return false;
}

//===-- Division ----------------------------------------------------------===//

static LLVMValueRef isEqual(CuteTranslation *t, LLVMValueRef value,
                            LLVMValueRef constant) {
  return LLVMBuildICmp(t->builder, LLVMIntEQ, value, constant, "");
}

// The divisor, or 1 where the host cannot divide: by 0, or the least number by
// -1, whose quotient is itself.
static LLVMValueRef buildDivisor(CuteTranslation *t, LLVMValueRef instruction,
                                 LLVMValueRef isZero) {
  LLVMValueRef divisor = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(divisor);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMValueRef isOne = isZero;
  if (opcode == LLVMSDiv || opcode == LLVMSRem) {
    LLVMValueRef least = LLVMConstInt(
        type, (uint64_t)1 << (LLVMGetIntTypeWidth(type) - 1), false);
    LLVMValueRef isLeast = isEqual(t, LLVMGetOperand(instruction, 0), least);
    LLVMValueRef isMinusOne = isEqual(t, divisor, LLVMConstAllOnes(type));
    isOne = LLVMBuildOr(t->builder, isZero,
                        LLVMBuildAnd(t->builder, isLeast, isMinusOne, ""), "");
  }
  return LLVMBuildSelect(t->builder, isOne, LLVMConstInt(type, 1, false),
                         divisor, "");
}

// Lets the division by 0 give what NVIDIA's GPUs give, as far as is known: all
// ones, and the dividend as remainder.
static void buildQuotient(CuteTranslation *t, LLVMValueRef instruction) {
  LLVMValueRef divisor = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(divisor);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  bool isRemainder = opcode == LLVMSRem || opcode == LLVMURem;
  LLVMValueRef isZero = isEqual(t, divisor, LLVMConstNull(type));
  LLVMSetOperand(instruction, 1, buildDivisor(t, instruction, isZero));
  LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(instruction));
  LLVMValueRef unknown =
      isRemainder ? LLVMGetOperand(instruction, 0) : LLVMConstAllOnes(type);
  LLVMValueRef result =
      LLVMBuildSelect(t->builder, isZero, unknown, instruction, "");
  LLVMReplaceAllUsesWith(instruction, result);
  LLVMSetOperand(result, 2, instruction);
}

void cuteTranslateDivision(CuteTranslation *t, LLVMValueRef instruction) {
  LLVMValueRef divisor = LLVMGetOperand(instruction, 1);
  if (!t->checks || LLVMIsConstant(divisor) ||
      LLVMGetTypeKind(LLVMTypeOf(divisor)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) > 64)
    return;
  bool needed = isNeeded(instruction);
  LLVMPositionBuilderBefore(t->builder, instruction);
  LLVMValueRef operands[] = {
      cuteTranslateAddress(t, cuteTranslateSite(t, instruction)),
      LLVMBuildZExtOrBitCast(t->builder, divisor, t->i64, ""),
      LLVMConstInt(t->i32, needed, false)};
  cuteTranslateCall(t, "cuteSimRegisterDivide", t->nothing, 3, operands);
  if (!needed)
    buildQuotient(t, instruction);
}
