#include "Jit/jit.h"
#include "Support/arena.h"

#include <llvm-c/Core.h>

typedef struct Table {
  LLVMModuleRef module;
  LLVMContextRef context;
} Table;

static LLVMTypeRef pointerType(const Table *t) {
  return LLVMPointerTypeInContext(t->context, 0);
}

static LLVMValueRef wordOf(const Table *t, uint64_t value) {
  return LLVMConstInt(LLVMIntTypeInContext(t->context, 64), value, false);
}

// The address of a constant that is seen in the object only.
static LLVMValueRef addConstant(const Table *t, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(t->module, LLVMTypeOf(value), "table");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetAlignment(global, 8);
  return global;
}

// Bytes and a NUL; null stays null.
static LLVMValueRef addBytes(const Table *t, const void *bytes, size_t size) {
  return bytes ? addConstant(t, LLVMConstStringInContext2(t->context, bytes,
                                                          size, false))
               : LLVMConstNull(pointerType(t));
}

static LLVMValueRef addText(const Table *t, const char *text) {
  return addBytes(t, text, text ? strlen(text) : 0);
}

static LLVMValueRef functionOf(const Table *t, const char *name) {
  CUTE_SCOPED(String) packed = {0};
  cuteStringAppendFormat(&packed, "%s" CUTE_PACKED_SUFFIX, name);
  LLVMValueRef function = LLVMGetNamedFunction(t->module, packed.data);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

// A CuteHostSignature, whose parts are bytes as C has them.
static LLVMValueRef signatureOf(const Table *t, CuteHostSignature s) {
  size_t bytes = (s.numParameters + s.numResults) * sizeof *s.parts;
  LLVMValueRef fields[] = {addText(t, s.name), wordOf(t, s.numParameters),
                           wordOf(t, s.numResults),
                           addBytes(t, s.parts, bytes)};
  return LLVMConstStructInContext(t->context, fields, 4, false);
}

void cuteExportTableAdd(LLVMModuleRef module, const char *prefix,
                        CuteExportedModule table) {
  Table t = {module, LLVMGetModuleContext(module)};
  unsigned n = table.numFunctions;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(t.context);
  CUTE_FREED LLVMValueRef *functions =
      cuteAllocate((n + 1) * sizeof *functions);
  CUTE_FREED LLVMValueRef *signatures =
      cuteAllocate((n + 1) * sizeof *signatures);
  signatures[0] = signatureOf(&t, (CuteHostSignature){.name = ""});
  LLVMTypeRef signature = LLVMTypeOf(signatures[0]);
  for (unsigned i = 0; i < n; ++i) {
    functions[i] = functionOf(&t, table.signatures[i].name);
    signatures[i] = signatureOf(&t, table.signatures[i]);
  }
  LLVMValueRef fields[] = {
      LLVMConstInt(i32, CUTE_EXPORT_VERSION, false),
      LLVMConstInt(i32, n, false),
      addConstant(&t, LLVMConstArray2(pointerType(&t), functions, n)),
      addConstant(&t, LLVMConstArray2(signature, signatures, n)),
      addText(&t, table.description),
      addText(&t, table.manifest),
      addBytes(&t, table.code, table.codeSize),
      wordOf(&t, table.codeSize),
      addText(&t, table.note)};
  LLVMValueRef value = LLVMConstStructInContext(
      t.context, fields, sizeof fields / sizeof *fields, false);
  CUTE_SCOPED(String) name = {0};
  cuteStringAppendFormat(&name, "%s" CUTE_EXPORT_SUFFIX, prefix);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), name.data);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
}
