#include "Codegen/llvm_passes.h"
#include "Jit/llvm_walk.h"
#include "Support/string_builder.h"

enum { MOST = 256 }; // elements of a tensor; larger ones stay in memory

typedef struct Marking {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef i32;
  unsigned long long count; // of elements so far: each has its own value
} Marking;

// Says of a function that it gives a value, and does nothing else.
static void setPure(LLVMValueRef function) {
  static const char *const names[] = {"memory",     "nounwind", "willreturn",
                                      "nocallback", "nofree",   "nosync"};
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(
            context,
            LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])), 0));
}

// The function for a type, whose name has the type's text.
static LLVMValueRef functionFor(const Marking *m, LLVMTypeRef type) {
  CUTE_SCOPED(String) name = {0};
  LLVMTypeRef parameter = m->i32;
  char *text = LLVMPrintTypeToString(type);
  cuteStringAppendFormat(&name, "cute.unwritten.%s", text);
  LLVMDisposeMessage(text);
  LLVMValueRef function = LLVMGetNamedFunction(m->module, cuteStringGet(&name));
  if (!function) {
    function = LLVMAddFunction(m->module, cuteStringGet(&name),
                               LLVMFunctionType(type, &parameter, 1, false));
    setPure(function);
  }
  return function;
}

static bool isScalar(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
         kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

static void markElement(Marking *m, LLVMValueRef memory, LLVMTypeRef type,
                        unsigned long long i) {
  LLVMValueRef function = functionFor(m, type);
  LLVMValueRef number = LLVMConstInt(m->i32, m->count++, false);
  LLVMValueRef at = LLVMConstInt(m->i32, i, false);
  LLVMValueRef value = LLVMBuildCall2(
      m->builder, LLVMGlobalGetValueType(function), function, &number, 1, "");
  LLVMBuildStore(m->builder, value,
                 LLVMBuildGEP2(m->builder, type, memory, &at, 1, ""));
}

static void markMemory(Marking *m, LLVMValueRef memory) {
  LLVMTypeRef type = LLVMGetAllocatedType(memory);
  LLVMValueRef size = LLVMGetOperand(memory, 0);
  if (!isScalar(type) || !LLVMIsAConstantInt(size) ||
      LLVMConstIntGetZExtValue(size) > MOST)
    return;
  LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(memory));
  LLVMSetCurrentDebugLocation2(m->builder, NULL);
  for (unsigned long long i = 0; i < LLVMConstIntGetZExtValue(size); ++i)
    markElement(m, memory, type, i);
}

void cuteMarkUnwritten(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  Marking m = {.module = module,
               .builder = LLVMCreateBuilderInContext(context),
               .i32 = LLVMInt32TypeInContext(context)};
  for (LLVMValueRef i = cuteLlvmFirstInstruction(module), next; i; i = next) {
    next = cuteLlvmNextInstruction(i);
    if (LLVMIsAAllocaInst(i))
      markMemory(&m, i);
  }
  LLVMDisposeBuilder(m.builder);
}
