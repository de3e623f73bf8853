#include "Compile/host_halves.h"
#include "Compile/to_llvm_ir.h"
#include "Jit/packed.h"
#include "cute/Passes.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

static MlirModule copyModule(MlirModule module) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
}

//===-- Kernels -----------------------------------------------------------===//

static MlirWalkResult findKernel(MlirOperation op, void *userData) {
  bool *found = userData;
  *found = cuteMlirIs(op, "gpu.func") && cuteMlirHasAttribute(op, "gpu.kernel");
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool cuteHostKernelsCompile(MlirModule module, CuteCompileOptions options,
                            CuteHostKernels *kernels) {
  bool found = false;
  *kernels = (CuteHostKernels){0};
  mlirOperationWalk(mlirModuleGetOperation(module), findKernel, &found,
                    MlirWalkPreOrder);
  if (!found)
    return true;
  MlirModule copy = copyModule(module);
  bool ok =
      mlirLogicalResultIsSuccess(cuteModulePrintManifest(
          copy, options, "memory", cuteAppendMlirString, &kernels->manifest)) &&
      mlirLogicalResultIsSuccess(cuteModuleCompile(
          copy, options, cuteAppendMlirString, &kernels->code, NULL));
  mlirModuleDestroy(copy);
  return ok;
}

void cuteHostKernelsDestroy(CuteHostKernels *kernels) {
  cuteStringDestroy(&kernels->manifest);
  cuteStringDestroy(&kernels->code);
}

//===-- Functions ---------------------------------------------------------===//

static void reportPipeline(MlirStringRef message, void *userData) {
  const MlirLocation *location = userData;
  cuteEmitError(*location, "pipeline: %.*s", (int)message.length, message.data);
}

// Calls libcute-run to print, under a name of which LLVM knows nothing: calls
// of printf may become calls of puts.
static void redirectPrintf(LLVMModuleRef module) {
  static const char name[] = "cuteHostPrintf";
  LLVMValueRef found = LLVMGetNamedFunction(module, "printf");
  LLVMValueRef own = LLVMGetNamedFunction(module, name);
  if (found && own && LLVMIsDeclaration(found))
    LLVMReplaceAllUsesWith(found, own);
  else if (found && LLVMIsDeclaration(found))
    LLVMSetValueName2(found, name, sizeof name - 1);
}

static void pack(LLVMModuleRef module, const CuteHostSignatures *signatures) {
  const char **names = cuteAllocate((signatures->count + 1) * sizeof *names);
  for (size_t i = 0; i < signatures->count; ++i)
    names[i] = signatures->data[i].name;
  cutePackedAdd(module, signatures->count, names);
  free(names);
}

// False with a diagnostic. After a fatal error of LLVM its context is lost.
static bool generate(MlirOperation op, const CuteHostSignatures *signatures,
                     CuteHostCodeOptions options, CuteString *object) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = cuteModuleToLlvmIr(op, context);
  bool isLost = false;
  CuteStatus status = NULL;
  if (module) {
    redirectPrintf(module);
    pack(module, signatures);
    status = cuteHostCodeEmit(module, options, object, &isLost);
  }
  if (status)
    cuteEmitError(mlirOperationGetLocation(op), "host functions: %s",
                  cuteStatusGetMessage(status));
  if (module && !isLost)
    LLVMDisposeModule(module);
  if (!isLost)
    LLVMContextDispose(context);
  return cuteStatusConsume(status) && module;
}

bool cuteHostFunctionsEmit(MlirModule module,
                           const CuteHostSignatures *signatures,
                           CuteHostCodeOptions options, CuteString *object) {
  MlirModule copy = copyModule(module);
  MlirOperation op = mlirModuleGetOperation(copy);
  MlirLocation location = mlirOperationGetLocation(op);
  bool ok = mlirLogicalResultIsSuccess(
                cutePipelineRun(op, cuteMlirString("cute-host-to-llvm"),
                                reportPipeline, &location)) &&
            generate(op, signatures, options, object);
  mlirModuleDestroy(copy);
  return ok;
}
