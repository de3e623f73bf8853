#include "Compile/translate_kernels.h"
#include "IR/emit.h"
#include "IR/mlir.h"
#include "Jit/llvm_errors.h"
#include "Jit/llvm_walk.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

static const char *const OF_TARGET[] = {"target-cpu", "target-features"};

// Lets functions be inlined into kernels for another architecture than they
// were compiled for, which is then theirs.
static void dropTarget(LLVMModuleRef module) {
  CUTE_FOR_LLVM(Function, f, module)
    for (size_t i = 0; i < 2; ++i)
      LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex,
                                       OF_TARGET[i],
                                       (unsigned)strlen(OF_TARGET[i]));
}

static LLVMModuleRef parse(MlirStringRef code, LLVMContextRef context) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(code.data, code.length, "");
  LLVMModuleRef module = NULL;
  bool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
  LLVMDisposeMemoryBuffer(buffer);
  return failed ? NULL : module;
}

static bool linkFile(MlirStringRef code, LLVMModuleRef into) {
  LLVMModuleRef part = parse(code, LLVMGetModuleContext(into));
  if (!part)
    return false;
  dropTarget(part);
  LLVMSetDataLayout(part, LLVMGetDataLayoutStr(into));
  LLVMSetTarget(part, LLVMGetTarget(into));
  return !LLVMLinkModules2(into, part);
}

static bool linkFiles(MlirOperation module, LLVMModuleRef into,
                      const CuteString *errors) {
  MlirAttribute files = cuteMlirGetAttribute(module, "cute.link");
  if (mlirAttributeIsNull(files) || !mlirAttributeIsADictionary(files))
    return true;
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(files); ++i) {
    MlirNamedAttribute file = mlirDictionaryAttrGetElement(files, i);
    MlirStringRef name = mlirIdentifierStr(file.name);
    if (!linkFile(mlirStringAttrGetValue(file.attribute), into))
      return CUTE_ERROR_AT(module, "%.*s cannot be linked: %s",
                           (int)name.length, name.data, cuteStringGet(errors));
  }
  return true;
}

bool cuteForeignCodeLink(MlirOperation module, LLVMModuleRef into) {
  CUTE_SCOPED(String) errors = {0};
  LLVMContextRef context = LLVMGetModuleContext(into);
  LLVMContextSetDiagnosticHandler(context, cuteLlvmNoteError, &errors);
  bool ok = linkFiles(module, into, &errors);
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  return ok;
}
