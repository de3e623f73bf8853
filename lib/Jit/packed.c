#include "Jit/jit.h"
#include "Jit/llvm_walk.h"
#include "Support/arena.h"

typedef struct Packing {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef array;
  unsigned next; // part
} Packing;

// The address of the next part.
static LLVMValueRef nextAddress(Packing *p) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(p->context, 0);
  LLVMValueRef index =
      LLVMConstInt(LLVMInt32TypeInContext(p->context), p->next++, false);
  LLVMValueRef entry =
      LLVMBuildGEP2(p->builder, pointer, p->array, &index, 1, "");
  return LLVMBuildLoad2(p->builder, pointer, entry, "");
}

static bool isStruct(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

// The type that lies in memory for a part.
static LLVMTypeRef memoryType(const Packing *p, LLVMTypeRef type) {
  bool isNarrow = LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                  LLVMGetIntTypeWidth(type) < 8;
  return isNarrow ? LLVMInt8TypeInContext(p->context) : type;
}

static LLVMValueRef load(Packing *p, LLVMTypeRef type) {
  if (isStruct(type)) {
    LLVMValueRef value = LLVMGetPoison(type);
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; ++i)
      value = LLVMBuildInsertValue(
          p->builder, value, load(p, LLVMStructGetTypeAtIndex(type, i)), i, "");
    return value;
  }
  LLVMTypeRef stored = memoryType(p, type);
  LLVMValueRef value = LLVMBuildLoad2(p->builder, stored, nextAddress(p), "");
  LLVMSetAlignment(value, 1);
  return stored == type ? value : LLVMBuildTrunc(p->builder, value, type, "");
}

static void store(Packing *p, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (isStruct(type)) {
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n; ++i)
      store(p, LLVMBuildExtractValue(p->builder, value, i, ""));
    return;
  }
  LLVMTypeRef stored = memoryType(p, type);
  if (stored != type)
    value = LLVMBuildZExt(p->builder, value, stored, "");
  LLVMSetAlignment(LLVMBuildStore(p->builder, value, nextAddress(p)), 1);
}

static void packFunction(LLVMModuleRef module, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, false);
  CUTE_SCOPED(String) name = {0};
  cuteStringAppendFormat(&name, "%s" CUTE_PACKED_SUFFIX,
                         cuteLlvmGetName(function));
  LLVMValueRef packed = LLVMAddFunction(module, cuteStringGet(&name), type);
  Packing p = {context, LLVMCreateBuilderInContext(context),
               LLVMGetParam(packed, 0), 0};
  LLVMPositionBuilderAtEnd(p.builder,
                           LLVMAppendBasicBlockInContext(context, packed, ""));
  unsigned n = LLVMCountParams(function);
  CUTE_FREED LLVMValueRef *operands = cuteAllocate((n + 1) * sizeof *operands);
  for (unsigned i = 0; i < n; ++i)
    operands[i] = load(&p, LLVMTypeOf(LLVMGetParam(function, i)));
  LLVMValueRef result = LLVMBuildCall2(
      p.builder, LLVMGlobalGetValueType(function), function, operands, n, "");
  if (LLVMGetTypeKind(LLVMTypeOf(result)) != LLVMVoidTypeKind)
    store(&p, result);
  LLVMBuildRetVoid(p.builder);
  LLVMDisposeBuilder(p.builder);
}

static void hide(LLVMValueRef value) {
  if (!LLVMIsDeclaration(value))
    LLVMSetLinkage(value, LLVMInternalLinkage);
}

void cutePackedAdd(LLVMModuleRef module, size_t n, const char *const *names) {
  CUTE_FOR_LLVM(Function, f, module)
    hide(f);
  CUTE_FOR_LLVM(Global, g, module)
    hide(g);
  for (size_t i = 0; i < n; ++i)
    packFunction(module, LLVMGetNamedFunction(module, names[i]));
}
