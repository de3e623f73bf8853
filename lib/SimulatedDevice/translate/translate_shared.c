// Variables in shared memory: offsets from where a block's begins.
#include "SimulatedDevice/translate/translate.h"

static const char offsetName[] = "cute.offset";

static bool isShared(LLVMValueRef global) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == CUTE_SIM_SHARED;
}

// The offset is kept in the variable's section.
static void setOffset(LLVMValueRef global, uint64_t offset) {
  char text[48];
  snprintf(text, sizeof text, "%s=%ju", offsetName, offset);
  LLVMSetSection(global, text);
}

uint64_t cuteTranslateSharedOffset(LLVMValueRef global) {
  return strtoull(strchr(LLVMGetSection(global), '=') + 1, NULL, 10);
}

static uint64_t place(CuteTranslation *t, LLVMValueRef global, uint64_t end) {
  uint64_t align = LLVMGetAlignment(global);
  align = align ? align : 16;
  end = (end + align - 1) / align * align;
  setOffset(global, end);
  return end + LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(global));
}

// Those without a size, which are what a launch adds, come last.
CuteStatus cuteTranslateShared(CuteTranslation *t) {
  uint64_t end = 0;
  for (int isDynamic = 0; isDynamic < 2; ++isDynamic)
    CUTE_FOR_LLVM(Global, g, t->module) {
      bool hasSize =
          LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(g)) != 0;
      if (isShared(g) && hasSize != (bool)isDynamic)
        end = place(t, g, end);
    }
  t->staticShared = (unsigned)end;
  return end <= CUTE_SIM_WINDOW
             ? NULL
             : cuteStatusCreate("%ju bytes of static shared memory; a block "
                                "has at most %d",
                                end, CUTE_SIM_WINDOW);
}

//===-- Operands ----------------------------------------------------------===//

static bool isAggregate(LLVMValueRef value) {
  return LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value);
}

static bool mentionsShared(LLVMValueRef value) {
  if (LLVMIsAGlobalVariable(value))
    return isShared(value);
  if (!LLVMIsAConstantExpr(value) && !isAggregate(value))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); ++i)
    if (mentionsShared(LLVMGetOperand(value, (unsigned)i)))
      return true;
  return false;
}

static LLVMValueRef build(CuteTranslation *t, LLVMValueRef constant);

static LLVMValueRef buildAddress(CuteTranslation *t, LLVMValueRef constant) {
  enum { MOST = 8 };
  LLVMValueRef indices[MOST];
  int n = LLVMGetNumOperands(constant) - 1;
  if (n > MOST)
    return NULL;
  for (int i = 0; i < n; ++i)
    indices[i] = LLVMGetOperand(constant, (unsigned)i + 1);
  LLVMValueRef base = build(t, LLVMGetOperand(constant, 0));
  return base ? LLVMBuildGEP2(t->builder, LLVMGetGEPSourceElementType(constant),
                              base, indices, (unsigned)n, "")
              : NULL;
}

static LLVMValueRef buildVariable(CuteTranslation *t, LLVMValueRef global) {
  LLVMValueRef offset =
      LLVMConstInt(t->i64, cuteTranslateSharedOffset(global), false);
  return LLVMBuildAddrSpaceCast(t->builder,
                                cuteTranslateAt(t, t->sharedBase, offset),
                                LLVMTypeOf(global), "");
}

static LLVMValueRef buildAggregate(CuteTranslation *t, LLVMValueRef constant) {
  LLVMValueRef made = LLVMGetPoison(LLVMTypeOf(constant));
  for (int i = 0; made && i < LLVMGetNumOperands(constant); ++i) {
    LLVMValueRef part = build(t, LLVMGetOperand(constant, (unsigned)i));
    made = part ? LLVMBuildInsertValue(t->builder, made, part, (unsigned)i, "")
                : NULL;
  }
  return made;
}

// The value of a constant expression, or of an aggregate of such, as
// instructions; null where it has one that is not known.
static LLVMValueRef build(CuteTranslation *t, LLVMValueRef constant) {
  if (!mentionsShared(constant))
    return constant;
  if (LLVMIsAGlobalVariable(constant))
    return buildVariable(t, constant);
  if (isAggregate(constant))
    return buildAggregate(t, constant);
  LLVMOpcode opcode = LLVMGetConstOpcode(constant);
  if (opcode == LLVMGetElementPtr)
    return buildAddress(t, constant);
  LLVMValueRef a = build(t, LLVMGetOperand(constant, 0));
  if (!a)
    return NULL;
  switch (opcode) {
  case LLVMAddrSpaceCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMTrunc:
  case LLVMBitCast:
    return LLVMBuildCast(t->builder, opcode, a, LLVMTypeOf(constant), "");
  case LLVMAdd:
  case LLVMSub:
  case LLVMXor: {
    LLVMValueRef b = build(t, LLVMGetOperand(constant, 1));
    return b ? LLVMBuildBinOp(t->builder, opcode, a, b, "") : NULL;
  }
  default:
    return NULL;
  }
}

CuteStatus cuteTranslateSharedOperands(CuteTranslation *t,
                                       LLVMValueRef instruction) {
  bool isPhi = LLVMGetInstructionOpcode(instruction) == LLVMPHI;
  for (int i = 0; i < LLVMGetNumOperands(instruction); ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!operand || !mentionsShared(operand))
      continue;
    LLVMPositionBuilderBefore(
        t->builder, isPhi ? LLVMGetBasicBlockTerminator(
                                LLVMGetIncomingBlock(instruction, (unsigned)i))
                          : instruction);
    LLVMValueRef value = build(t, operand);
    if (!value)
      return cuteStatusCreate("the simulator does not know this constant of "
                              "an address in shared memory");
    LLVMSetOperand(instruction, (unsigned)i, value);
  }
  return NULL;
}
