#include "Compile/to_llvm_ir.h"
#include "Compile/upstream.h"
#include "IR/dialect.h"

#include <mlir-c/Target/LLVMIR.h>

// Outlives a fatal error of LLVM, after which the handler stays.
static _Thread_local bool isSaid;

static MlirLogicalResult noteError(MlirDiagnostic diagnostic, void *userData) {
  (void)userData;
  isSaid |= mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultFailure(); // and on to the next handler
}

LLVMModuleRef cuteModuleToLlvmIr(MlirOperation module, LLVMContextRef context) {
  MlirContext mlir = mlirOperationGetContext(module);
  isSaid = false;
  cuteUpstreamAddTranslations(mlir);
  MlirDiagnosticHandlerID id =
      mlirContextAttachDiagnosticHandler(mlir, noteError, NULL, NULL);
  LLVMModuleRef result = mlirTranslateModuleToLLVMIR(module, context);
  mlirContextDetachDiagnosticHandler(mlir, id);
  if (!result && !isSaid)
    cuteEmitError(mlirOperationGetLocation(module),
                  "LLVM does not accept the module that this is lowered to");
  return result;
}
