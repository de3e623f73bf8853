#include "SimulatedDevice/translate/memory_description.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/resources.h"
#include "Simulator/observe/statistics.h"
#include "Support/growing_array.h"

#include <llvm-c/DebugInfo.h>

//===-- Building ----------------------------------------------------------===//

LLVMValueRef cuteTranslateAddress(CuteTranslation *t, const void *address) {
  return LLVMConstIntToPtr(
      LLVMConstInt(t->i64, (unsigned long long)(uintptr_t)address, false),
      t->pointer);
}

LLVMValueRef cuteTranslateCall(CuteTranslation *t, const char *name,
                               LLVMTypeRef result, unsigned n,
                               LLVMValueRef *operands) {
  enum { MOST = 8 };
  LLVMTypeRef types[MOST];
  for (unsigned i = 0; i < n; ++i)
    types[i] = LLVMTypeOf(operands[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
  return LLVMBuildCall2(t->builder, type, cuteTranslateFunction(t, name, type),
                        operands, n, "");
}

LLVMValueRef cuteTranslateFunction(CuteTranslation *t, const char *name,
                                   LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(t->module, name);
  return function ? function : LLVMAddFunction(t->module, name, type);
}

LLVMValueRef cuteTranslateAt(CuteTranslation *t, LLVMValueRef base,
                             LLVMValueRef offset) {
  return LLVMBuildGEP2(t->builder, LLVMInt8TypeInContext(t->context), base,
                       &offset, 1, "");
}

LLVMValueRef cuteTranslateMember(CuteTranslation *t, LLVMValueRef structure,
                                 size_t offset, LLVMTypeRef type) {
  LLVMValueRef at =
      cuteTranslateAt(t, structure, LLVMConstInt(t->i64, offset, false));
  return LLVMBuildLoad2(t->builder, type, at, "");
}

// The path of an instruction's source; null where it is not known.
static const char *fileOf(CuteTranslation *t, LLVMValueRef instruction) {
  unsigned length = 0, folderLength = 0;
  const char *file = LLVMGetDebugLocFilename(instruction, &length);
  const char *folder = LLVMGetDebugLocDirectory(instruction, &folderLength);
  if (!file || !length)
    return NULL;
  if (!folder || !folderLength || *file == '/')
    return cuteArenaCopyText(t->arena, file, length);
  return cuteArenaFormat(t->arena, "%.*s/%.*s", (int)folderLength, folder,
                         (int)length, file);
}

static uint32_t placeOf(CuteTranslation *t, const char *file, unsigned line) {
  return t->statistics ? cuteSimStatisticsAddPlace(t->statistics, file, line)
                       : 0;
}

uint32_t cuteTranslatePlace(CuteTranslation *t, LLVMValueRef instruction) {
  return t->statistics ? placeOf(t, fileOf(t, instruction),
                                 LLVMGetDebugLocLine(instruction))
                       : 0;
}

static LLVMValueRef nextPlaced(LLVMValueRef i, bool isForward) {
  while (i && !LLVMGetDebugLocLine(i))
    i = isForward ? LLVMGetNextInstruction(i) : LLVMGetPreviousInstruction(i);
  return i;
}

// Gives the instruction whose place serves for another: LLVM gives none
// to what it has moved or merged. The one that follows a load uses it mostly,
// and the one before a store makes its value.
static LLVMValueRef placed(LLVMValueRef instruction) {
  bool isLoad = LLVMIsALoadInst(instruction);
  LLVMValueRef near = nextPlaced(instruction, isLoad);
  near = near ? near : nextPlaced(instruction, !isLoad);
  return near ? near : instruction;
}

CuteSimSite *cuteTranslateSite(CuteTranslation *t, LLVMValueRef instruction) {
  CuteSimSite *site = cuteArenaAllocate(t->arena, sizeof *site);
  LLVMValueRef at = placed(instruction);
  *site =
      (CuteSimSite){.line = LLVMGetDebugLocLine(at),
                    .column = LLVMGetDebugLocColumn(at),
                    .resources = t->resources,
                    .prepared = cuteArenaAllocate(t->arena, sizeof(void *))};
  *site->prepared = NULL;
  if (cutePointerMapGet(&t->left, instruction))
    site->words = CUTE_SIM_LEFT;
  site->number = cuteSimResourcesAddSite(t->resources, site);
  site->file = fileOf(t, at);
  site->place = placeOf(t, site->file, site->line);
  if (t->checks && t->function && cuteTranslateHasSingleRoots(instruction))
    cuteSimMemoryFillSite(
        cuteSimMemoryOfKernel(t->memory, cuteLlvmGetName(t->function)),
        t->arena, site);
  return site;
}

//===-- Functions ---------------------------------------------------------===//

static bool isKernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
}

// The thread, its shared memory and room for operands, at the start.
static void buildStart(CuteTranslation *t) {
  enum { FIRST = 8 };
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->function);
  LLVMPositionBuilderBefore(t->builder, LLVMGetFirstInstruction(entry));
  LLVMSetCurrentDebugLocation2(t->builder, NULL);
  t->numValues = FIRST;
  t->values = LLVMBuildArrayAlloca(t->builder, t->i64,
                                   LLVMConstInt(t->i32, FIRST, false), "");
  if (!isKernel(t->function)) // one may call itself
    cuteTranslateCall(t, "cuteSimTick", t->nothing, 0, NULL);
  t->thread = cuteTranslateCall(t, "cuteSimGetThread", t->pointer, 0, NULL);
  t->sharedBase = cuteTranslateMember(
      t, t->thread, offsetof(CuteSimThread, sharedBase), t->pointer);
}

typedef struct Instructions {
  size_t count, capacity;
  LLVMValueRef *data;
} Instructions;

static void collect(const CuteTranslation *t, Instructions *all) {
  CUTE_FOR_LLVM_BLOCKS(b, t->function)
    CUTE_FOR_LLVM(Instruction, i, b)
      CUTE_PUSH(all->data, all->count, all->capacity, i);
}

static void countLocal(CuteTranslation *t, LLVMValueRef alloca) {
  LLVMValueRef n = LLVMGetOperand(alloca, 0);
  if (LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) <= UINT32_MAX)
    t->localBytes += (size_t)LLVMConstIntGetZExtValue(n) *
                     LLVMABISizeOfType(t->layout, LLVMGetAllocatedType(alloca));
}

static CuteStatus translateInstruction(CuteTranslation *t, LLVMValueRef i) {
  CUTE_TRY(cuteTranslateSharedOperands(t, i));
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMCall:
    return cuteTranslateCallSite(t, i);
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return cuteTranslateAccess(t, i);
  case LLVMFence:
    return cuteTranslateFence(t, i);
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem:
    cuteTranslateDivision(t, i);
    return NULL;
  case LLVMFPToSI:
  case LLVMFPToUI:
    cuteTranslateConversion(t, i);
    return NULL;
  case LLVMUnreachable:
    cuteTranslateUnreachable(t, i);
    return NULL;
  case LLVMAlloca:
    countLocal(t, i);
    return NULL;
  default:
    return NULL;
  }
}

static void removeAttributes(LLVMValueRef function) {
  static const char *const names[] = {"target-cpu", "target-features"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    LLVMRemoveStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
        (unsigned)strlen(names[i]));
}

// A large frame touches each page of the stack, so that its end is noticed.
static void probeStack(const CuteTranslation *t, LLVMValueRef function) {
  static const char name[] = "probe-stack", value[] = "inline-asm";
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(t->context, name, sizeof name - 1, value,
                                sizeof value - 1));
}

static CuteStatus translateFunction(CuteTranslation *t, LLVMValueRef function) {
  Instructions all = {0};
  CuteStatus status = NULL;
  t->function = function;
  removeAttributes(function);
  probeStack(t, function);
  collect(t, &all);
  cuteTranslateLoads(t, all.data, all.count);
  cuteTranslateSteps(t);
  buildStart(t);
  cuteTranslateUndefined(t, all.data, all.count);
  for (size_t i = 0; i < all.count; ++i)
    if (LLVMIsAAllocaInst(all.data[i]))
      cuteTranslatePrivate(t, all.data[i]);
  cuteTranslateSums(t, all.data, all.count);
  if (t->seeksNan)
    cuteTranslateFinite(t, all.data, all.count);
  for (size_t i = 0; !status && i < all.count; ++i)
    status = translateInstruction(t, all.data[i]);
  if (!status)
    cuteTranslateLoops(t);
  cuteTranslateSizes(t);
  free(all.data);
  return status;
}

//===-- Kernels -----------------------------------------------------------===//

// A parameter: what is at its address, or the address of one that is passed in
// memory.
static LLVMValueRef loadParameter(CuteTranslation *t, LLVMValueRef kernel,
                                  LLVMValueRef parameters, unsigned i) {
  LLVMValueRef number = LLVMConstInt(t->i32, i, false);
  LLVMValueRef place =
      LLVMBuildGEP2(t->builder, t->pointer, parameters, &number, 1, "");
  LLVMValueRef at = LLVMBuildLoad2(t->builder, t->pointer, place, "");
  return LLVMGetEnumAttributeAtIndex(
             kernel, i + 1, LLVMGetEnumAttributeKindForName("byval", 5))
             ? at
             : LLVMBuildLoad2(t->builder, LLVMTypeOf(LLVMGetParam(kernel, i)),
                              at, "");
}

void cuteTranslateNumber(CuteTranslation *t, const char *what,
                         LLVMValueRef kernel, unsigned number) {
  const char *name =
      cuteArenaFormat(t->arena, "cute.%s.%s", what, cuteLlvmGetName(kernel));
  LLVMSetInitializer(LLVMAddGlobal(t->module, t->i32, name),
                     LLVMConstInt(t->i32, number, false));
}

static void addEntry(CuteTranslation *t, LLVMValueRef kernel) {
  unsigned n = LLVMCountParams(kernel);
  LLVMTypeRef type = LLVMFunctionType(t->nothing, &t->pointer, 1, false);
  CUTE_FREED LLVMValueRef *operands = cuteAllocate((n + 1) * sizeof *operands);
  LLVMValueRef entry = LLVMAddFunction(
      t->module,
      cuteArenaFormat(t->arena, "cute.entry.%s", cuteLlvmGetName(kernel)),
      type);
  LLVMPositionBuilderAtEnd(
      t->builder, LLVMAppendBasicBlockInContext(t->context, entry, ""));
  for (unsigned i = 0; i < n; ++i)
    operands[i] = loadParameter(t, kernel, LLVMGetParam(entry, 0), i);
  LLVMBuildCall2(t->builder, LLVMGlobalGetValueType(kernel), kernel, operands,
                 n, "");
  LLVMBuildRetVoid(t->builder);
  for (unsigned i = 0; i < n; ++i)
    LLVMRemoveEnumAttributeAtIndex(kernel, i + 1,
                                   LLVMGetEnumAttributeKindForName("byval", 5));
  LLVMSetFunctionCallConv(kernel, LLVMCCallConv);
  LLVMSetLinkage(kernel, LLVMInternalLinkage);
}

//===-- Modules -----------------------------------------------------------===//

// Deletes declarations that nothing calls any more.
static void removeIntrinsics(CuteTranslation *t) {
  CUTE_FOR_LLVM(Function, f, t->module)
    if (!strncmp(cuteLlvmGetName(f), "llvm.nvvm.", 10) && !LLVMGetFirstUse(f))
      LLVMDeleteFunction(f);
}

CuteStatus cuteTranslate(CuteTranslation *t) {
  cuteTranslateUnwritten(t->module);
  CuteStatus status = cuteTranslateShared(t);
  cuteTranslateMemory(t);
  t->builder = LLVMCreateBuilderInContext(t->context);
  CUTE_FOR_LLVM(Function, f, t->module)
    if (!status && LLVMGetFirstBasicBlock(f))
      status = translateFunction(t, f);
  if (!status)
    status = cuteTranslateGlobals(t); // accesses have seen whose they are
  LLVMSetCurrentDebugLocation2(t->builder, NULL);
  CUTE_FOR_LLVM(Function, f, t->module)
    if (!status && isKernel(f)) {
      addEntry(t, f);
      cuteTranslateNumber(t, "parameters", f, LLVMCountParams(f));
    }
  LLVMDisposeBuilder(t->builder);
  cutePointerMapDestroy(&t->left);
  CUTE_TRY(status);
  if (t->localBytes > CUTE_SIM_MAX_LOCAL)
    return cuteStatusCreate(
        "%zu bytes of local memory; a thread has at most %d", t->localBytes,
        CUTE_SIM_MAX_LOCAL);
  removeIntrinsics(t);
  LLVMStripModuleDebugInfo(t->module);
  return NULL;
}
