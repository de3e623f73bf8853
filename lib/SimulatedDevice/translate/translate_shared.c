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

static void place(LLVMValueRef global, uint64_t end) {
  uint64_t align = LLVMGetAlignment(global);
  align = align ? align : 16;
  setOffset(global, (end + align - 1) / align * align);
}

// Finds the only kernel that uses a variable; false: several do, or functions.
static bool findOwner(LLVMValueRef value, LLVMValueRef *owner) {
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsAInstruction(user)) {
      if (!findOwner(user, owner))
        return false;
      continue;
    }
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv ||
        (*owner && *owner != f))
      return false;
    *owner = f;
  }
  return true;
}

static LLVMValueRef ownerOf(LLVMValueRef global) {
  LLVMValueRef owner = NULL;
  return findOwner(global, &owner) ? owner : NULL;
}

// The end of the variables placed so far that a kernel may use; null: of all.
static uint64_t endOf(CuteTranslation *t, LLVMValueRef kernel) {
  uint64_t most = 0;
  CUTE_FOR_LLVM(Global, g, t->module) {
    LLVMValueRef owner = ownerOf(g);
    const char *section = LLVMGetSection(g);
    if (!isShared(g) || !section || !strstr(section, offsetName) ||
        (kernel && owner && owner != kernel))
      continue;
    uint64_t end = cuteTranslateSharedOffset(g) +
                   LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(g));
    most = end > most ? end : most;
  }
  return most;
}

// Kernels lie over each other. Variables that several use come before theirs,
// and those without a size, which are what a launch adds, come last.
CuteStatus cuteTranslateShared(CuteTranslation *t) {
  for (int turn = 0; turn < 4; ++turn)
    CUTE_FOR_LLVM(Global, g, t->module) {
      LLVMValueRef owner = ownerOf(g);
      bool hasSize =
          LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(g)) != 0;
      if (isShared(g) && turn == 2 * !hasSize + (owner != NULL))
        place(g, endOf(t, owner));
    }
  CUTE_FOR_LLVM(Function, f, t->module)
    if (LLVMGetFunctionCallConv(f) == LLVMPTXKernelCallConv)
      cuteTranslateNumber(t, "shared", f, (unsigned)endOf(t, f));
  return endOf(t, NULL) <= CUTE_SIM_WINDOW
             ? NULL
             : cuteStatusCreate("%ju bytes of static shared memory; a block "
                                "has at most %d",
                                endOf(t, NULL), CUTE_SIM_WINDOW);
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
