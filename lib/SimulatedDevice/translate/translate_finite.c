// Finds where NaN and Inf come from: each operation on floats shows its result
// beside its operands, and each load what it brings.
#include "SimulatedDevice/translate/translate.h"

enum { OPERANDS = 3 };

static LLVMTypeRef scalarOf(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type)
                                                     : type;
}

static bool isFloat(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(scalarOf(type));
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
         kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

unsigned cuteTranslateCountElements(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                     : 1;
}

// Tells whether an instruction computes floats.
static bool computes(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
  case LLVMFPTrunc:
  case LLVMSIToFP:
  case LLVMUIToFP:
    return true;
  case LLVMCall:
    return isFloat(LLVMTypeOf(i)) &&
           strncmp(cuteLlvmGetName(LLVMGetCalledValue(i)), "cute", 4) != 0;
  default:
    return false;
  }
}

// Element `k` of a value as a double; 0 if it is not a float.
static LLVMValueRef elementOf(CuteTranslation *t, LLVMValueRef value,
                              unsigned k) {
  LLVMTypeRef wide = LLVMDoubleTypeInContext(t->context);
  if (!value || !isFloat(LLVMTypeOf(value)))
    return LLVMConstReal(wide, 0);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
    value = LLVMBuildExtractElement(t->builder, value,
                                    LLVMConstInt(t->i32, k, false), "");
  return LLVMTypeOf(value) == wide
             ? value
             : LLVMBuildFPExt(t->builder, value, wide, "");
}

static void watchResult(CuteTranslation *t, LLVMValueRef i) {
  LLVMValueRef taken[OPERANDS] = {NULL};
  bool isCall = LLVMIsACallInst(i);
  unsigned n =
      isCall ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
  unsigned count = cuteTranslateCountElements(LLVMTypeOf(i)), used = 0;
  for (unsigned k = 0; k < n && used < OPERANDS; ++k) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, k));
    if (isFloat(type) && (cuteTranslateCountElements(type) == count ||
                          LLVMGetTypeKind(type) != LLVMVectorTypeKind))
      taken[used++] = LLVMGetOperand(i, k);
  }
  CuteSimSite *place = cuteTranslateSite(t, i);
  LLVMValueRef site = cuteTranslateAddress(t, place);
  place->numOperands = used;
  for (unsigned k = 0; k < count; ++k) {
    LLVMValueRef operands[2 + OPERANDS] = {site, elementOf(t, i, k)};
    for (unsigned o = 0; o < OPERANDS; ++o)
      operands[2 + o] = elementOf(t, taken[o], k);
    cuteTranslateCall(t, "cuteSimFiniteResult", t->nothing, 2 + OPERANDS,
                      operands);
  }
}

static void watchLoad(CuteTranslation *t, LLVMValueRef i) {
  LLVMValueRef site = cuteTranslateAddress(t, cuteTranslateSite(t, i));
  LLVMValueRef address =
      LLVMBuildPtrToInt(t->builder, LLVMGetOperand(i, 0), t->i64, "");
  uint64_t bytes = LLVMStoreSizeOfType(t->layout, scalarOf(LLVMTypeOf(i)));
  for (unsigned k = 0; k < cuteTranslateCountElements(LLVMTypeOf(i)); ++k) {
    LLVMValueRef offset = LLVMConstInt(t->i64, k * bytes, false);
    LLVMValueRef operands[] = {site,
                               LLVMBuildAdd(t->builder, address, offset, ""),
                               elementOf(t, i, k)};
    cuteTranslateCall(t, "cuteSimFiniteLoad", t->nothing, 3, operands);
  }
}

// Drops the flags nnan and ninf, with which LLVM would drop all this.
void cuteTranslateFinite(CuteTranslation *t, LLVMValueRef *all, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (LLVMCanValueUseFastMathFlags(all[i]))
      LLVMSetFastMathFlags(all[i], LLVMFastMathNone);
    bool isLoad = LLVMIsALoadInst(all[i]) && isFloat(LLVMTypeOf(all[i]));
    if (!isLoad && !computes(all[i]))
      continue;
    LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(all[i]));
    LLVMSetCurrentDebugLocation2(t->builder, NULL);
    (isLoad ? watchLoad : watchResult)(t, all[i]);
  }
}
