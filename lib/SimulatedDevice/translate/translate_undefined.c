// Registers that nothing was written to. In LLVM IR they are constants that are
// undefined: here these are NaNs, like memory that nobody has written, and who
// uses one is noted. A phi has a condition beside it, whether its value is one.
#include "SimulatedDevice/translate/translate.h"
#include "Support/growing_array.h"

//===-- Unwritten values --------------------------------------------------===//

static void replaceUnwritten(LLVMValueRef call) {
  for (LLVMUseRef u = LLVMGetFirstUse(call), next; u; u = next) {
    LLVMValueRef user = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call)
      LLVMInstructionEraseFromParent(user);
  }
  LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
  LLVMInstructionEraseFromParent(call);
}

// Tells whether an instruction only puts together, or takes apart, what is
// undefined.
static bool isUndefined(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMBitCast:
  case LLVMExtractElement:
  case LLVMExtractValue:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMShl:
  case LLVMLShr:
    return LLVMIsUndef(LLVMGetOperand(i, 0));
  case LLVMInsertElement:
  case LLVMInsertValue:
  case LLVMShuffleVector:
  case LLVMOr:
    return LLVMIsUndef(LLVMGetOperand(i, 0)) &&
           LLVMIsUndef(LLVMGetOperand(i, 1));
  default:
    return false;
  }
}

// Makes such instructions of a function undefined; whether there were any.
static bool foldUndefined(LLVMValueRef function) {
  bool changes = false;
  CUTE_FOR_LLVM_BLOCKS(b, function)
    CUTE_FOR_LLVM(Instruction, i, b) {
      if (!isUndefined(i))
        continue;
      LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
      LLVMInstructionEraseFromParent(i);
      changes = true;
    }
  return changes;
}

void cuteTranslateUnwritten(LLVMModuleRef module) {
  static const char prefix[] = "cute.unwritten.";
  CUTE_FOR_LLVM(Function, f, module) {
    if (strncmp(cuteLlvmGetName(f), prefix, sizeof prefix - 1) != 0)
      continue;
    for (LLVMUseRef u; (u = LLVMGetFirstUse(f));)
      replaceUnwritten(LLVMGetUser(u));
    LLVMDeleteFunction(f);
  }
  CUTE_FOR_LLVM(Function, f, module)
    while (foldUndefined(f))
      ;
}

//===-- Phis that may be undefined ----------------------------------------===//

typedef struct Phis {
  CutePointerMap conditions; // of phis whose value may be undefined
  size_t count, capacity;
  LLVMValueRef *data;
} Phis;

//===-- Constants ---------------------------------------------------------===//

// All bits of a scalar set: a NaN, if it is a float; null of other types.
static LLVMValueRef onesOf(CuteTranslation *t, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind)
    return LLVMConstAllOnes(type);
  if (kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind &&
      kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
    return NULL;
  unsigned bits = (unsigned)LLVMSizeOfTypeInBits(t->layout, type);
  return LLVMConstBitCast(
      LLVMConstAllOnes(LLVMIntTypeInContext(t->context, bits)), type);
}

static LLVMValueRef definedVector(CuteTranslation *t, LLVMValueRef value) {
  enum { MOST = 64 };
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef elements[MOST], ones = onesOf(t, LLVMGetElementType(type));
  unsigned n = LLVMGetVectorSize(type);
  bool changes = false;
  if (n > MOST || !ones)
    return value;
  for (unsigned i = 0; i < n; ++i) {
    elements[i] = LLVMGetAggregateElement(value, i);
    if (!elements[i])
      return value;
    if (LLVMIsUndef(elements[i]))
      elements[i] = ones, changes = true;
  }
  return changes ? LLVMConstVector(elements, n) : value;
}

// The constant with NaNs where it is undefined.
static LLVMValueRef define(CuteTranslation *t, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return LLVMIsConstant(value) ? definedVector(t, value) : value;
  LLVMValueRef ones = LLVMIsUndef(value) ? onesOf(t, type) : NULL;
  return ones ? ones : value;
}

//===-- Phis --------------------------------------------------------------===//

static LLVMValueRef conditionOf(const Phis *phis, LLVMValueRef value) {
  return cutePointerMapGet(&phis->conditions, value);
}

static bool mayBeUndefined(const Phis *phis, LLVMValueRef value) {
  return LLVMIsUndef(value) || conditionOf(phis, value);
}

static LLVMTypeRef boolType(const CuteTranslation *t) {
  return LLVMInt1TypeInContext(t->context);
}

static bool takesUndefined(const Phis *phis, LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i)
    if (mayBeUndefined(phis, LLVMGetIncomingValue(phi, i)))
      return true;
  return false;
}

// Tells whether a value is an element of another, or its bits.
static bool isPart(LLVMValueRef i) {
  return LLVMIsAExtractElementInst(i) || LLVMIsAExtractValueInst(i) ||
         LLVMIsABitCastInst(i);
}

// The condition that an instruction adds: that of what it is a part of, or a
// new one of a phi, which is empty at first; null for none.
static LLVMValueRef newCondition(CuteTranslation *t, Phis *phis,
                                 LLVMValueRef i) {
  if (isPart(i))
    return conditionOf(phis, LLVMGetOperand(i, 0));
  if (!LLVMIsAPHINode(i) || !takesUndefined(phis, i))
    return NULL;
  CUTE_PUSH(phis->data, phis->count, phis->capacity, i);
  LLVMPositionBuilderBefore(t->builder, i);
  return LLVMBuildPhi(t->builder, boolType(t), "");
}

// A phi may come before what it takes.
static bool addConditions(CuteTranslation *t, Phis *phis) {
  bool changes = false;
  CUTE_FOR_LLVM_BLOCKS(b, t->function)
    CUTE_FOR_LLVM(Instruction, i, b) {
      LLVMValueRef condition =
          conditionOf(phis, i) ? NULL : newCondition(t, phis, i);
      if (condition)
        cutePointerMapSet(&phis->conditions, i, condition), changes = true;
    }
  return changes;
}

static void fillCondition(CuteTranslation *t, const Phis *phis,
                          LLVMValueRef phi) {
  LLVMValueRef condition = conditionOf(phis, phi);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef known = conditionOf(phis, value);
    if (!known)
      known = LLVMConstInt(boolType(t), LLVMIsUndef(value) != 0, false);
    LLVMAddIncoming(condition, &known, &block, 1);
  }
}

//===-- Uses --------------------------------------------------------------===//

static bool isEmptyText(LLVMValueRef i) {
  size_t length;
  if (!LLVMIsACallInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
    return false;
  LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &length);
  return !length;
}

// Tells whether an instruction only moves what it takes: vectors and structs
// are put together from nothing and taken apart, text without instructions
// keeps values where they are, and a product of a warpgroup says itself whether
// it adds to sums.
static bool isMove(LLVMValueRef i) {
  if (cuteTranslateHasText(i, "wgmma.") || isEmptyText(i) || isPart(i))
    return true;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMPHI:
  case LLVMInsertElement:
  case LLVMInsertValue:
  case LLVMShuffleVector:
  case LLVMFreeze:
    return true;
  default:
    return false;
  }
}

static void noteUse(CuteTranslation *t, LLVMValueRef use,
                    LLVMValueRef condition) {
  LLVMPositionBuilderBefore(t->builder, use);
  LLVMValueRef operands[] = {cuteTranslateAddress(t, cuteTranslateSite(t, use)),
                             LLVMBuildZExt(t->builder, condition, t->i32, "")};
  cuteTranslateCall(t, "cuteSimRegisterUse", t->nothing, 2, operands);
}

static void defineOperands(CuteTranslation *t, const Phis *phis,
                           LLVMValueRef i) {
  LLVMValueRef condition = NULL;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); ++k) {
    LLVMValueRef operand = LLVMGetOperand(i, k);
    if (LLVMIsUndef(operand))
      condition = LLVMConstInt(boolType(t), 1, false);
    else if (!condition)
      condition = conditionOf(phis, operand);
    LLVMValueRef defined = define(t, operand);
    if (defined != operand)
      LLVMSetOperand(i, k, defined);
  }
  if (condition && !isMove(i))
    noteUse(t, i, condition);
}

void cuteTranslateUndefined(CuteTranslation *t, LLVMValueRef *all, size_t n) {
  Phis phis = {0};
  if (!t->checks)
    return;
  while (addConditions(t, &phis))
    ;
  for (size_t i = 0; i < phis.count; ++i)
    fillCondition(t, &phis, phis.data[i]);
  for (size_t i = 0; i < n; ++i)
    if (!LLVMIsAPHINode(all[i]))
      defineOperands(t, &phis, all[i]);
  for (size_t i = 0; i < phis.count; ++i)
    defineOperands(t, &phis, phis.data[i]);
  cutePointerMapDestroy(&phis.conditions);
  free(phis.data);
}
