// Loads, stores and loops.
#include "SimulatedDevice/translate.h"
#include "Support/pointer_map.h"

// Finds the address without casts and offsets.
static LLVMValueRef baseOf(LLVMValueRef pointer) {
  for (;;) {
    bool isOffset = LLVMIsAGetElementPtrInst(pointer) ||
                    LLVMIsAAddrSpaceCastInst(pointer) ||
                    (LLVMIsAConstantExpr(pointer) &&
                     (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr ||
                      LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast));
    if (!isOffset)
      return pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

// Tells whether the memory is the thread's own, a constant, or a parameter.
static bool isPrivate(const CuteTranslation *t, LLVMValueRef pointer) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  LLVMValueRef base = baseOf(pointer);
  bool isParameter =
      LLVMIsAArgument(base) &&
      LLVMGetFunctionCallConv(t->function) == LLVMPTXKernelCallConv &&
      LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == CUTE_SIM_GENERIC;
  return space == CUTE_SIM_PARAMETER || space == CUTE_SIM_CONSTANT ||
         space == CUTE_SIM_LOCAL || LLVMIsAAllocaInst(base) ||
         LLVMIsAGlobalVariable(base) || isParameter;
}

static void describe(const CuteTranslation *t, LLVMValueRef i,
                     CuteSimSite *site, LLVMValueRef *pointer) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = opcode == LLVMStore  ? LLVMTypeOf(LLVMGetOperand(i, 0))
                     : opcode == LLVMLoad ? LLVMTypeOf(i)
                                          : LLVMTypeOf(LLVMGetOperand(i, 1));
  bool isAtomic = opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg;
  if (!isAtomic &&
      (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic))
    isAtomic = true;
  unsigned align = LLVMGetAlignment(i);
  *pointer = LLVMGetOperand(i, opcode == LLVMStore);
  site->name = opcode == LLVMLoad ? "ld" : opcode == LLVMStore ? "st" : "atom";
  site->bytes = (unsigned)LLVMStoreSizeOfType(t->layout, type);
  site->align = align < site->bytes ? align : site->bytes;
  while (site->align & (site->align - 1))
    site->align &= site->align - 1;
  site->space = (CuteSimSpace)LLVMGetPointerAddressSpace(LLVMTypeOf(*pointer));
  site->access = isAtomic              ? CUTE_SIM_ATOMIC
                 : opcode == LLVMStore ? CUTE_SIM_WRITE
                                       : CUTE_SIM_READ;
}

CuteStatus cuteTranslateAccess(CuteTranslation *t, LLVMValueRef instruction) {
  LLVMValueRef pointer;
  CuteSimSite *site = cuteTranslateSite(t, instruction);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  describe(t, instruction, site, &pointer);
  bool isPlain = opcode == LLVMLoad || opcode == LLVMStore;
  if (isPlain && site->access != CUTE_SIM_ATOMIC)
    LLVMSetAlignment(instruction, 1); // checked here, or not at all
  if ((!t->checks && !t->statistics) || isPrivate(t, pointer))
    return NULL;
  LLVMPositionBuilderBefore(t->builder, instruction);
  LLVMValueRef operands[] = {
      cuteTranslateAddress(t, site),
      LLVMBuildPtrToInt(t->builder, pointer, t->i64, "")};
  cuteTranslateCall(t, "cuteSimAccess", t->nothing, 2, operands);
  return NULL;
}

//===-- Divisions ---------------------------------------------------------===//

void cuteTranslateDivision(CuteTranslation *t, LLVMValueRef instruction) {
  LLVMValueRef divisor = LLVMGetOperand(instruction, 1);
  if (!t->checks || LLVMIsConstant(divisor) ||
      LLVMGetTypeKind(LLVMTypeOf(divisor)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) > 64)
    return;
  LLVMPositionBuilderBefore(t->builder, instruction);
  LLVMValueRef operands[] = {
      cuteTranslateAddress(t, cuteTranslateSite(t, instruction)),
      LLVMBuildZExtOrBitCast(t->builder, divisor, t->i64, "")};
  cuteTranslateCall(t, "cuteSimRegisterDivide", t->nothing, 2, operands);
}

//===-- Loops -------------------------------------------------------------===//

// Each loop has a branch to a block that stands before or is its own.
void cuteTranslateLoops(CuteTranslation *t) {
  CutePointerMap seen = {0};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b;
       b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    bool isBack = false;
    cutePointerMapSet(&seen, b, b);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i)
      isBack |= cutePointerMapGet(&seen, LLVMGetSuccessor(end, i)) != NULL;
    if (isBack) {
      LLVMPositionBuilderBefore(t->builder, end);
      cuteTranslateCall(t, "cuteSimTick", t->nothing, 0, NULL);
    }
  }
  cutePointerMapDestroy(&seen);
}
