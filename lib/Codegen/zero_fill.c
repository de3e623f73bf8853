// Copies that fill with zeros, in an optimized LLVM module.
#include "Codegen/llvm_passes.h"
#include "Jit/llvm_walk.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool isInt(LLVMValueRef value, unsigned long long n) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == n;
}

// Tells whether a value is c ? more : 0, or c ? 0 : more, where more is `bytes`
// or of the same form.
static bool isAllOrNone(LLVMValueRef value, unsigned bytes) {
  if (isInt(value, bytes))
    return true;
  if (!LLVMIsASelectInst(value))
    return false;
  LLVMValueRef a = LLVMGetOperand(value, 1), b = LLVMGetOperand(value, 2);
  return (isInt(b, 0) && isAllOrNone(a, bytes)) ||
         (isInt(a, 0) && isAllOrNone(b, bytes));
}

// Emits a test of whether such a value, which is not constant, is `bytes`.
static LLVMValueRef buildIsAll(LLVMBuilderRef builder, LLVMValueRef value) {
  LLVMValueRef condition = LLVMGetOperand(value, 0);
  LLVMValueRef more = LLVMGetOperand(value, 1);
  if (isInt(more, 0)) {
    condition = LLVMBuildNot(builder, condition, "");
    more = LLVMGetOperand(value, 2);
  }
  return LLVMIsAConstantInt(more)
             ? condition
             : LLVMBuildAnd(builder, condition, buildIsAll(builder, more), "");
}

// The copy as PTX: its operands are two addresses and the condition under which
// something is read, or nothing.
static LLVMValueRef assembly(LLVMTypeRef type, const char *cache,
                             unsigned bytes, bool isToRead) {
  static const char constraints[] = "*m,*m,b,~{memory}";
  char text[160];
  int length =
      snprintf(text, sizeof text,
               isToRead ? "{ .reg .pred %%none; not.pred %%none, $2; "
                          "cp.async.%.2s.shared.global $0, $1, %u, %%none; }"
                        : "cp.async.%.2s.shared.global $0, $1, %u, $2;",
               cache, bytes);
  return LLVMGetInlineAsm(type, text, (size_t)length, constraints,
                          sizeof constraints - 1, true, false,
                          LLVMInlineAsmDialectATT, false);
}

// An operand in memory says what is there, by name, of no importance here.
static void addElementType(LLVMContextRef context, LLVMValueRef call,
                           unsigned argument) {
  static const char name[] = "elementtype";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAddCallSiteAttribute(
      call, argument + 1,
      LLVMCreateTypeAttribute(context, kind, LLVMInt8TypeInContext(context)));
}

// A comparison is not inverted, which would make another one of it where it has
// more uses.
static void rewrite(LLVMContextRef context, LLVMBuilderRef builder,
                    LLVMValueRef call, const char *cache, unsigned bytes) {
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef isAll = buildIsAll(builder, LLVMGetOperand(call, 2));
  bool isToRead = LLVMIsAICmpInst(isAll);
  LLVMValueRef operands[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                             isToRead ? isAll
                                      : LLVMBuildNot(builder, isAll, "")};
  LLVMTypeRef types[] = {LLVMTypeOf(operands[0]), LLVMTypeOf(operands[1]),
                         LLVMTypeOf(operands[2])};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), types, 3, false);
  LLVMValueRef copy = LLVMBuildCall2(
      builder, type, assembly(type, cache, bytes, isToRead), operands, 3, "");
  addElementType(context, copy, 0);
  addElementType(context, copy, 1);
  LLVMInstructionEraseFromParent(call);
}

// Recognises a cp.async with a number of bytes to read; `cache` becomes "ca" or
// "cg", `bytes` the number written.
static bool isCopy(LLVMValueRef i, const char **cache, unsigned *bytes) {
  static const char prefix[] = "llvm.nvvm.cp.async.";
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  if (!callee || !LLVMIsAFunction(callee))
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  if (strncmp(name, prefix, sizeof prefix - 1))
    return false;
  *cache = name + sizeof prefix - 1;
  return sscanf(*cache, "c%*c.shared.global.%u", bytes) == 1 &&
         name[length - 1] == 's';
}

// Tells whether all conditions of such a value are computed before the block.
static bool isKept(LLVMValueRef value, LLVMBasicBlockRef block) {
  if (!LLVMIsASelectInst(value))
    return true;
  LLVMValueRef condition = LLVMGetOperand(value, 0);
  return (!LLVMIsAInstruction(condition) || LLVMIsAPHINode(condition) ||
          LLVMGetInstructionParent(condition) != block) &&
         isKept(LLVMGetOperand(value, 1), block) &&
         isKept(LLVMGetOperand(value, 2), block);
}

void cuteZeroFillIgnoreSources(LLVMModuleRef module, LLVMBuilderRef builder) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  const char *cache;
  unsigned bytes;
  LLVMValueRef next;
  for (LLVMValueRef i = cuteLlvmFirstInstruction(module); i; i = next) {
    next = cuteLlvmNextInstruction(i);
    if (isCopy(i, &cache, &bytes) && LLVMIsASelectInst(LLVMGetOperand(i, 2)) &&
        isAllOrNone(LLVMGetOperand(i, 2), bytes) &&
        !isKept(LLVMGetOperand(i, 2), LLVMGetInstructionParent(i)))
      rewrite(context, builder, i, cache, bytes);
  }
}
