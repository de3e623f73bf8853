#include "Compile/pass_registry.h"
#include "Compile/translate_kernels.h"
#include "Jit/jit.h"
#include "Package/package.h"

#include <llvm-c/Core.h>

static MlirModule copyModule(MlirModule module) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(module)));
}

//===-- Kernels -----------------------------------------------------------===//

static bool hasKernel(MlirModule module) {
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module))
    if (cuteMlirIs(op, "gpu.func") && cuteMlirHasAttribute(op, "gpu.kernel"))
      return true;
  return false;
}

// The code and JSON of a module; the manifest is empty without kernels.
typedef struct Halves {
  CuteString manifest, code, functions;
} Halves;

static bool compileKernels(MlirModule module, CuteCompileOptions options,
                           Halves *halves) {
  if (!hasKernel(module))
    return true;
  MlirModule copy = copyModule(module);
  bool ok =
      mlirLogicalResultIsSuccess(cuteModulePrintManifest(
          copy, &options, "memory", cuteAppendMlirString, &halves->manifest)) &&
      mlirLogicalResultIsSuccess(cuteModuleCompile(
          copy, &options, cuteAppendMlirString, &halves->code, NULL));
  mlirModuleDestroy(copy);
  return ok;
}

//===-- Functions ---------------------------------------------------------===//

// Calls libcute-run to print, under a name unknown to LLVM: calls
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

static void pack(LLVMModuleRef module, CuteExportedModule table) {
  size_t n = table.numFunctions;
  const char **names = cuteAllocate((n + 1) * sizeof *names);
  for (size_t i = 0; i < n; ++i)
    names[i] = table.signatures[i].name;
  cutePackedAdd(module, n, names);
  free(names);
}

// False with a diagnostic. After a fatal error of LLVM its context is lost.
static bool generate(MlirOperation op, const char *prefix,
                     CuteExportedModule table, CuteHostCodeOptions options,
                     CuteString *object) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = cuteTranslateModule(op, context);
  bool isLost = false;
  CuteStatus status = NULL;
  if (module) {
    redirectPrintf(module);
    pack(module, table);
    cuteExportTableAdd(module, prefix, table);
    status = cuteHostCodeEmit(module, options, object, &isLost);
  }
  if (status)
    CUTE_ERROR_AT(op, "host functions: %s", cuteStatusGetMessage(status));
  if (module && !isLost)
    LLVMDisposeModule(module);
  if (!isLost)
    LLVMContextDispose(context);
  return cuteStatusConsume(status) && module;
}

static bool compileFunctions(MlirModule module, const char *prefix,
                             CuteExportedModule table,
                             CuteHostCodeOptions options, CuteString *object) {
  MlirModule copy = copyModule(module);
  MlirOperation op = mlirModuleGetOperation(copy);
  MlirLocation location = mlirOperationGetLocation(op);
  bool ok = mlirLogicalResultIsSuccess(
                cutePipelineRun(op, cuteMlirString("cute-host-to-llvm"),
                                cutePassReport, &location)) &&
            generate(op, prefix, table, options, object);
  mlirModuleDestroy(copy);
  return ok;
}

//===-- Both --------------------------------------------------------------===//

bool cuteHostHalvesEmit(MlirModule module, CuteHostOptions options,
                        const char *prefix, bool isForAnyHost,
                        CuteHostSignatures *signatures, CuteString *object) {
  Halves halves = {0};
  *signatures = (CuteHostSignatures){0};
  bool ok = !mlirModuleIsNull(module) &&
            mlirLogicalResultIsSuccess(
                cuteOperationVerify(mlirModuleGetOperation(module))) &&
            cuteHostSignaturesCollect(signatures, module) &&
            cuteManifestDescribeFunctions(module, &halves.functions) &&
            compileKernels(module, *options.kernels, &halves);
  CuteExportedModule table = {.numFunctions = (uint32_t)signatures->count,
                              .signatures = signatures->data,
                              .description = cuteStringGet(&halves.functions),
                              .manifest = halves.manifest.data,
                              .code = halves.code.data,
                              .codeSize = halves.code.length,
                              .note = options.note};
  ok = ok &&
       compileFunctions(module, prefix, table,
                        (CuteHostCodeOptions){options.optLevel,
                                              .isForAnyHost = isForAnyHost},
                        object);
  cuteStringDestroy(&halves.manifest);
  cuteStringDestroy(&halves.code);
  cuteStringDestroy(&halves.functions);
  return ok;
}
