// Calls of intrinsics and of inline PTX.
#include "SimulatedDevice/translate/ptx_module.h"
#include "SimulatedDevice/translate/translate.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/resources.h"
#include "Simulator/observe/statistics.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/wgmma_checks.h"
#include "Support/text.h"

//===-- Values of 64 bits -------------------------------------------------===//

// An integer with the bits of a value; null if the type does not fit a
// register.
static LLVMTypeRef integerOf(const CuteTranslation *t, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return t->i64;
  if (!LLVMTypeIsSized(type) || LLVMGetTypeKind(type) == LLVMStructTypeKind ||
      LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return NULL;
  unsigned bits = (unsigned)LLVMSizeOfTypeInBits(t->layout, type);
  return bits <= 64 ? LLVMIntTypeInContext(t->context, bits) : NULL;
}

static LLVMValueRef toWord(CuteTranslation *t, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), integer = integerOf(t, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (!integer)
    return NULL;
  if (kind == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(t->builder, value, t->i64, "");
  if (kind != LLVMIntegerTypeKind)
    value = LLVMBuildBitCast(t->builder, value, integer, "");
  return LLVMBuildZExtOrBitCast(t->builder, value, t->i64, "");
}

static LLVMValueRef fromWord(CuteTranslation *t, LLVMValueRef word,
                             LLVMTypeRef type) {
  LLVMTypeRef integer = integerOf(t, type);
  if (!integer)
    return NULL;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(t->builder, word, type, "");
  word = LLVMBuildTruncOrBitCast(t->builder, word, integer, "");
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind
             ? word
             : LLVMBuildBitCast(t->builder, word, type, "");
}

static LLVMValueRef placeOf(CuteTranslation *t, unsigned i) {
  LLVMValueRef number = LLVMConstInt(t->i32, i, false);
  if (i >= t->numValues)
    t->numValues = i + 1;
  return LLVMBuildGEP2(t->builder, t->i64, t->values, &number, 1, "");
}

static bool put(CuteTranslation *t, unsigned i, LLVMValueRef value) {
  LLVMValueRef word = toWord(t, value);
  if (word)
    LLVMBuildStore(t->builder, word, placeOf(t, i));
  return word;
}

static LLVMValueRef get(CuteTranslation *t, unsigned i, LLVMTypeRef type) {
  return fromWord(t, LLVMBuildLoad2(t->builder, t->i64, placeOf(t, i), ""),
                  type);
}

//===-- Results and operands ----------------------------------------------===//

// Tells whether a value is a vector whose elements are words: of registers, or
// one that does not fit into a word, unlike a pair of f16.
static bool isLong(const CuteTranslation *t, LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         (LLVMSizeOfTypeInBits(t->layout, type) > 64 ||
          LLVMSizeOfTypeInBits(t->layout, LLVMGetElementType(type)) >= 32);
}

// The number of words of results or of an operand.
static unsigned countWords(const CuteTranslation *t, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMVoidTypeKind     ? 0
         : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
         : isLong(t, type)            ? LLVMGetVectorSize(type)
                                      : 1;
}

static LLVMValueRef takeVector(CuteTranslation *t, LLVMTypeRef type) {
  LLVMValueRef all = LLVMGetPoison(type);
  for (unsigned i = 0; all && i < LLVMGetVectorSize(type); ++i) {
    LLVMValueRef value = get(t, i, LLVMGetElementType(type));
    all = value ? LLVMBuildInsertElement(t->builder, all, value,
                                         LLVMConstInt(t->i32, i, false), "")
                : NULL;
  }
  return all;
}

// Puts an operand from word i on.
static bool putWords(CuteTranslation *t, unsigned i, LLVMValueRef value) {
  if (!isLong(t, LLVMTypeOf(value)))
    return put(t, i, value);
  bool ok = true;
  for (unsigned k = 0; ok && k < LLVMGetVectorSize(LLVMTypeOf(value)); ++k)
    ok = put(t, i + k,
             LLVMBuildExtractElement(t->builder, value,
                                     LLVMConstInt(t->i32, k, false), ""));
  return ok;
}

// The results as what the call gives; null if one does not fit a register.
static LLVMValueRef takeResults(CuteTranslation *t, LLVMTypeRef type) {
  if (isLong(t, type))
    return takeVector(t, type);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return get(t, 0, type);
  LLVMValueRef all = LLVMGetPoison(type);
  for (unsigned i = 0; all && i < LLVMCountStructElementTypes(type); ++i) {
    LLVMValueRef value = get(t, i, LLVMStructGetTypeAtIndex(type, i));
    all = value ? LLVMBuildInsertValue(t->builder, all, value, i, "") : NULL;
  }
  return all;
}

static void replace(LLVMValueRef call, LLVMValueRef value) {
  if (value)
    LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
}

// Calls site->function with the operands, which lie after the results.
static CuteStatus callSite(CuteTranslation *t, LLVMValueRef call,
                           CuteSimSite *site) {
  LLVMTypeRef result = LLVMTypeOf(call);
  LLVMTypeRef types[] = {t->pointer, t->pointer, t->pointer};
  LLVMTypeRef type = LLVMFunctionType(t->nothing, types, 3, false);
  const void *function;
  memcpy(&function, &site->function, sizeof function);
  placeOf(t, site->numResults + site->numOperands);
  LLVMValueRef operands[] = {t->thread, cuteTranslateAddress(t, site),
                             t->values};
  LLVMBuildCall2(t->builder, type, cuteTranslateAddress(t, function), operands,
                 3, "");
  LLVMValueRef value = site->numResults ? takeResults(t, result) : NULL;
  if (site->numResults && !value)
    return cuteStatusCreate("the simulator does not know the type of the "
                            "results of %s",
                            site->name);
  replace(call, value);
  return NULL;
}

// Puts the operands of a call after its results and calls the site.
static CuteStatus putOperands(CuteTranslation *t, LLVMValueRef call,
                              CuteSimSite *site) {
  unsigned n = LLVMGetNumArgOperands(call), at = site->numResults;
  for (unsigned i = 0; i < n; ++i) {
    LLVMValueRef operand = LLVMGetOperand(call, i);
    if (!putWords(t, at, operand))
      return cuteStatusCreate(
          "the simulator does not know the type of operand %u of %s", i,
          site->name);
    at += countWords(t, LLVMTypeOf(operand));
  }
  return callSite(t, call, site);
}

//===-- Intrinsics --------------------------------------------------------===//

// A special register, which is read from the thread or its block.
static void replaceRegister(CuteTranslation *t, LLVMValueRef call,
                            CuteSimRegister number) {
  bool isOfThread = number < CUTE_SIM_THREAD_REGISTERS;
  size_t offset = (isOfThread ? offsetof(CuteSimThread, registers)
                              : offsetof(CuteSimBlock, registers)) +
                  (size_t)number * sizeof(int32_t);
  LLVMValueRef owner =
      isOfThread
          ? t->thread
          : cuteTranslateMember(t, t->thread, offsetof(CuteSimThread, block),
                                t->pointer);
  replace(call, cuteTranslateMember(t, owner, offset, LLVMTypeOf(call)));
}

static void replaceScalar(CuteTranslation *t, LLVMValueRef call,
                          const CuteSimScalar *scalar) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  LLVMTypeRef type = LLVMGlobalGetValueType(callee);
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                 cuteTranslateFunction(t, scalar->name, type));
}

static CuteStatus replaceIntrinsic(CuteTranslation *t, LLVMValueRef call,
                                   CuteStringRef name) {
  static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
  size_t length = sizeof prefix - 1;
  const CuteSimScalar *scalar = cuteSimFindScalar(name);
  if (name.length > length && !memcmp(name.data, prefix, length)) {
    CuteStringRef rest = {name.data + length, name.length - length};
    CuteSimRegister number = cuteSimFindRegister(rest);
    if (number != CUTE_SIM_REGISTERS) {
      replaceRegister(t, call, number);
      return NULL;
    }
  }
  if (scalar) {
    replaceScalar(t, call, scalar);
    return NULL;
  }
  CuteSimSite *site = cuteTranslateSite(t, call);
  site->name = cuteArenaCopyText(t->arena, name.data, name.length);
  site->numResults = countWords(t, LLVMTypeOf(call));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i)
    site->numOperands += countWords(t, LLVMTypeOf(LLVMGetOperand(call, i)));
  CUTE_TRY(cuteSimOperationFind(site));
  return putOperands(t, call, site);
}

// Replaces an instruction by a PTX operation without operands.
static CuteStatus replaceBy(CuteTranslation *t, LLVMValueRef instruction,
                            const char *name) {
  CuteSimSite *site = cuteTranslateSite(t, instruction);
  site->name = name;
  CUTE_TRY(cuteSimOperationFind(site));
  LLVMPositionBuilderBefore(t->builder, instruction);
  return callSite(t, instruction, site);
}

CuteStatus cuteTranslateFence(CuteTranslation *t, LLVMValueRef fence) {
  static const char block[] = "block";
  unsigned scope = LLVMGetAtomicSyncScopeID(fence);
  bool isOfBlock =
      LLVMIsAtomicSingleThread(fence) ||
      scope == LLVMGetSyncScopeID(t->context, block, sizeof block - 1);
  return replaceBy(t, fence, isOfBlock ? "fence.cta" : "fence");
}

//===-- Inline PTX --------------------------------------------------------===//

typedef struct Finding {
  CuteTranslation *t;
  LLVMValueRef call;
  const char *file; // of the statement, by .loc; null: not known
  unsigned line, column;
  CuteSimSite *early; // that reports registers there; null: none yet
} Finding;

// Tells whether LLVM passes a predicate to inline PTX.
static bool takesPredicate(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(type) == 1)
      return true;
  }
  return false;
}

// A separate site for an operation of inline PTX. One that reports registers in
// flight serves all statements of a place.
static void *findOperation(void *data, CuteStringRef mnemonic,
                           CuteSimPtxOperands count) {
  Finding *finding = data;
  CuteTranslation *t = finding->t;
  if (!mnemonic.length && (finding->early || !t->checks))
    return finding->early;
  CuteSimSite *site = cuteTranslateSite(t, finding->call);
  if (finding->line) {
    site->file = finding->file;
    site->line = finding->line, site->column = finding->column;
    if (t->statistics)
      site->place =
          cuteSimStatisticsAddPlace(t->statistics, site->file, site->line);
  }
  site->name = cuteArenaCopyText(t->arena, mnemonic.data, mnemonic.length);
  site->numResults = count.results;
  site->numOperands = count.operands;
  site->numAddresses = count.addresses;
  if (!mnemonic.length) {
    site->function = cuteSimWgmmaEarly;
    return finding->early = site;
  }
  if (count.hasPredicate || takesPredicate(finding->call))
    site->words |= CUTE_SIM_PREDICATE;
  if (cuteTextTake(&mnemonic, "%")) {
    site->bytes = cuteSimFindRegister(mnemonic);
    site->function = cuteSimRegisterRead;
    if (site->bytes != CUTE_SIM_REGISTERS)
      return site;
  }
  CuteStatus status = cuteSimOperationFind(site);
  return cuteStatusConsume(status) ? site : NULL;
}

static void locate(void *data, CuteStringRef file, unsigned line,
                   unsigned column) {
  Finding *finding = data;
  bool isSame =
      finding->file && file.length && cuteTextEquals(file, finding->file);
  if (!isSame)
    finding->file = file.length ? cuteArenaCopyText(finding->t->arena,
                                                    file.data, file.length)
                                : "PTX";
  finding->line = line, finding->column = column;
  finding->early = NULL;
}

// A kernel of a PTX module that is not known fails where it runs: others of the
// module may be.
static CuteStatus replaceUnknown(CuteTranslation *t, LLVMValueRef call,
                                 CuteSimSite *site, CuteStatus status) {
  const char *message = cuteStatusGetMessage(status);
  site->name = cuteArenaCopyText(t->arena, message, strlen(message));
  site->function = cuteSimPtxFail;
  cuteStatusDestroy(status);
  return callSite(t, call, site);
}

// Puts the address of the registers of the function's scope after the operands.
// Their memory is the function's, unwritten at its start.
static void putScope(CuteTranslation *t, LLVMValueRef call, unsigned i) {
  LLVMValueRef none = LLVMConstInt(t->i64, 0, false);
  LLVMTypeRef byte = LLVMInt8TypeInContext(t->context);
  if (!t->registers) {
    LLVMPositionBuilderBefore(t->builder, LLVMGetNextInstruction(t->values));
    t->registers = LLVMBuildArrayAlloca(t->builder, t->i64, none, "");
    t->clear = LLVMBuildMemSet(t->builder, t->registers,
                               LLVMConstInt(byte, UINT8_MAX, false), none, 1);
    LLVMPositionBuilderBefore(t->builder, call);
  }
  put(t, i, t->registers);
}

void cuteTranslateSizes(CuteTranslation *t) {
  uint64_t words = (uint64_t)t->scope.numWords;
  LLVMSetOperand(t->values, 0, LLVMConstInt(t->i32, t->numValues, false));
  if (t->registers) {
    LLVMSetOperand(t->registers, 0, LLVMConstInt(t->i64, words, false));
    LLVMSetOperand(t->clear, 2,
                   LLVMConstInt(t->i64, words * sizeof(uint64_t), false));
  }
  free(t->scope.names);
  t->scope = (CuteSimPtxScope){0};
  t->registers = NULL;
}

static void destroyPtx(void *ptx) { cuteSimPtxDestroy(ptx); }

static CuteStatus replaceInline(CuteTranslation *t, LLVMValueRef call,
                                LLVMValueRef callee) {
  size_t length, unused;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  const char *constraints = LLVMGetInlineAsmConstraintString(callee, &unused);
  enum { MARK = sizeof CUTE_PTX_BODY - 1 };
  bool isBody = length > MARK && !memcmp(text, CUTE_PTX_BODY, MARK);
  Finding finding = {.t = t, .call = call};
  CuteSimPtxOperations operations = {findOperation, &finding, cuteSimTick,
                                     cuteSimOperationIsKnown,
                                     isBody ? locate : NULL};
  CuteSimSite *site = cuteTranslateSite(t, call);
  CuteSimPtx *ptx;
  CuteStatus status =
      cuteSimPtxParse((CuteStringRef){text, length},
                      cuteArenaCopyText(t->arena, constraints, unused),
                      operations, isBody ? NULL : &t->scope, &ptx);
  if (status && isBody)
    return replaceUnknown(t, call, site, status);
  CUTE_TRY(status);
  cuteSimResourcesAdd(t->resources, ptx, destroyPtx);
  t->localBytes += isBody ? cuteSimPtxGetFrame(ptx) : 0;
  *site->prepared = ptx;
  site->function = cuteSimPtxExecute;
  site->name = "inline PTX";
  site->numResults = countWords(t, LLVMTypeOf(call));
  site->numOperands = LLVMGetNumArgOperands(call);
  if (t->scope.count)
    putScope(t, call, site->numResults + site->numOperands);
  return putOperands(t, call, site);
}

//===-- Calls -------------------------------------------------------------===//

CuteStatus cuteTranslateCallSite(CuteTranslation *t, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  LLVMPositionBuilderBefore(t->builder, call);
  if (LLVMIsAInlineAsm(callee))
    return replaceInline(t, call, callee);
  if (!LLVMIsAFunction(callee))
    return cuteStatusCreate("the simulator does not know calls of functions "
                            "by pointers");
  const char *name = cuteLlvmGetName(callee);
  CuteStringRef text = cuteStringRef(name);
  if (!strncmp(name, "llvm.nvvm.", 10))
    return replaceIntrinsic(t, call, text);
  if (cuteTranslateIsTrap(text))
    return replaceBy(t, call, "trap");
  if (!cuteTranslateIsKnown(call, text))
    return cuteStatusCreate("the simulator does not know %s", name);
  cuteTranslateMemoryCall(t, call);
  return NULL;
}
