// Loads, stores and loops.
#include "SimulatedDevice/translate/translate.h"

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

// Tells whether the memory is a parameter.
static bool isParameter(const CuteTranslation *t, LLVMValueRef pointer) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  LLVMValueRef base = baseOf(pointer);
  return space == CUTE_SIM_PARAMETER ||
         (LLVMIsAArgument(base) &&
          LLVMGetFunctionCallConv(t->function) == LLVMPTXKernelCallConv &&
          LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == CUTE_SIM_GENERIC);
}

// The size in bytes of the variable in which an address lies, a number of 64
// bits; null if it is none that is known.
static LLVMValueRef sizeOf(CuteTranslation *t, LLVMValueRef variable) {
  if (LLVMIsAGlobalVariable(variable) &&
      LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != CUTE_SIM_SHARED)
    return LLVMConstInt(
        t->i64, LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(variable)),
        false);
  if (!LLVMIsAAllocaInst(variable))
    return NULL;
  LLVMValueRef each = LLVMConstInt(
      t->i64, LLVMABISizeOfType(t->layout, LLVMGetAllocatedType(variable)),
      false);
  return LLVMBuildMul(t->builder, each,
                      LLVMBuildZExtOrBitCast(
                          t->builder, LLVMGetOperand(variable, 0), t->i64, ""),
                      "");
}

// Has an access checked, by the variable that it is to where that is known.
static void checkAccess(CuteTranslation *t, const CuteSimSite *site,
                        LLVMValueRef pointer) {
  LLVMValueRef base = baseOf(pointer), size = sizeOf(t, base);
  LLVMValueRef operands[] = {cuteTranslateAddress(t, site),
                             LLVMBuildPtrToInt(t->builder, pointer, t->i64, ""),
                             LLVMBuildPtrToInt(t->builder, base, t->i64, ""),
                             size};
  if (!size)
    cuteTranslateCall(t, "cuteSimAccess", t->nothing, 2, operands);
  else if (t->checks)
    cuteTranslateCall(t, "cuteSimAccessLocal", t->nothing, 4, operands);
}

// Says after an atomic operation that it is done.
static void checkAtomicEnd(CuteTranslation *t, LLVMValueRef atomic,
                           LLVMValueRef pointer) {
  LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(atomic));
  LLVMValueRef address = LLVMBuildPtrToInt(t->builder, pointer, t->i64, "");
  cuteTranslateCall(t, "cuteSimAccessEndAtomic", t->nothing, 1, &address);
}

static CuteSimAccess accessOf(LLVMValueRef i, LLVMOpcode opcode) {
  if (opcode == LLVMAtomicRMW &&
      LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg)
    return CUTE_SIM_ORDERED_WRITE;
  if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
    return CUTE_SIM_ATOMIC;
  if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
    return opcode == LLVMStore ? CUTE_SIM_ORDERED_WRITE : CUTE_SIM_ORDERED_READ;
  return opcode == LLVMStore ? CUTE_SIM_WRITE : CUTE_SIM_READ;
}

static uint32_t orderOf(LLVMValueRef i, LLVMOpcode opcode) {
  LLVMAtomicOrdering order = opcode == LLVMAtomicCmpXchg
                                 ? LLVMGetCmpXchgSuccessOrdering(i)
                                 : LLVMGetOrdering(i);
  bool isBoth = order >= LLVMAtomicOrderingAcquireRelease;
  return (isBoth || order == LLVMAtomicOrderingAcquire ? CUTE_SIM_ACQUIRES
                                                       : 0u) |
         (isBoth || order == LLVMAtomicOrderingRelease ? CUTE_SIM_RELEASES
                                                       : 0u);
}

static void describe(const CuteTranslation *t, LLVMValueRef i,
                     CuteSimSite *site, LLVMValueRef *pointer) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  LLVMTypeRef type = opcode == LLVMStore  ? LLVMTypeOf(LLVMGetOperand(i, 0))
                     : opcode == LLVMLoad ? LLVMTypeOf(i)
                                          : LLVMTypeOf(LLVMGetOperand(i, 1));
  unsigned align = LLVMGetAlignment(i);
  *pointer = LLVMGetOperand(i, opcode == LLVMStore);
  site->name = opcode == LLVMLoad            ? "ld"
               : opcode == LLVMStore         ? "st"
               : opcode == LLVMAtomicCmpXchg ? "atom.cas"
                                             : "atom";
  site->bytes = (unsigned)LLVMStoreSizeOfType(t->layout, type);
  site->align = align < site->bytes ? align : site->bytes;
  while (site->align & (site->align - 1))
    site->align &= site->align - 1;
  site->space = (CuteSimSpace)LLVMGetPointerAddressSpace(LLVMTypeOf(*pointer));
  site->access = accessOf(i, opcode);
  site->words |= orderOf(i, opcode);
}

CuteStatus cuteTranslateAccess(CuteTranslation *t, LLVMValueRef instruction) {
  LLVMValueRef pointer;
  CuteSimSite *site = cuteTranslateSite(t, instruction);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  describe(t, instruction, site, &pointer);
  bool isPlain = opcode == LLVMLoad || opcode == LLVMStore;
  if (isPlain && !cuteSimAccessIsOrdered(site->access))
    LLVMSetAlignment(instruction, 1); // checked here, or not at all
  if ((!t->checks && !t->statistics) || isParameter(t, pointer))
    return NULL;
  LLVMPositionBuilderBefore(t->builder, instruction);
  checkAccess(t, site, pointer);
  if (t->checks && cuteSimAccessIsOrdered(site->access) && opcode != LLVMStore)
    checkAtomicEnd(t, instruction, pointer);
  return NULL;
}

void cuteTranslateAccessVariable(CuteTranslation *t, LLVMValueRef access,
                                 LLVMValueRef variable) {
  LLVMValueRef pointer;
  CuteSimSite *site = cuteTranslateSite(t, access);
  describe(t, access, site, &pointer);
  LLVMPositionBuilderBefore(t->builder, access);
  if (baseOf(pointer) == variable)
    checkAccess(t, site, pointer);
}

//===-- Copies in one call ------------------------------------------------===//

static void checkRange(CuteTranslation *t, LLVMValueRef call, unsigned operand,
                       CuteSimAccess access) {
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  CuteSimSite *site = cuteTranslateSite(t, call);
  site->name = access == CUTE_SIM_READ ? "ld" : "st";
  site->access = access;
  site->space = (CuteSimSpace)LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  if (isParameter(t, pointer) || LLVMIsAGlobalVariable(baseOf(pointer)))
    return;
  LLVMValueRef operands[] = {
      cuteTranslateAddress(t, site),
      LLVMBuildPtrToInt(t->builder, pointer, t->i64, ""),
      LLVMBuildZExtOrBitCast(t->builder, LLVMGetOperand(call, 2), t->i64, "")};
  cuteTranslateCall(t, "cuteSimAccessRange", t->nothing, 3, operands);
}

void cuteTranslateMemoryCall(CuteTranslation *t, LLVMValueRef call) {
  bool isCopy = LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call);
  if (!isCopy && !LLVMIsAMemSetInst(call))
    return;
  if (isCopy)
    checkRange(t, call, 1, CUTE_SIM_READ);
  checkRange(t, call, 0, CUTE_SIM_WRITE);
}

//===-- Loops -------------------------------------------------------------===//

// Each loop has a branch to an earlier block or its own.
void cuteTranslateLoops(CuteTranslation *t) {
  CUTE_SCOPED(PointerMap) seen = {0};
  CUTE_FOR_LLVM_BLOCKS(b, t->function) {
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
}
