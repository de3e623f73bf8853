// cute-to-nvvm: functions in gpu.modules lose all values of the dialect. Layout
// algebra on dynamic values becomes arith, memory llvm, atoms nvvm.
#include "Conversion/conversion.h"

#include <mlir-c/Dialect/LLVM.h>

//===-- Shared memory -----------------------------------------------------===//

static MlirOperation parentModule(MlirOperation function) {
  return mlirOperationGetParentOperation(function);
}

// KERNEL_smem, or the first of KERNEL_smem_0 and so on that the module has not.
static void appendFreeName(CuteString *name, MlirOperation function) {
  cuteStringAppendFormat(name, "%.*s_smem",
                         CUTE_TEXT(cuteMlirGetSymbol(function)));
  size_t length = name->length;
  MlirSymbolTable symbols = mlirSymbolTableCreate(parentModule(function));
  for (int i = 0; mlirSymbolTableLookup(symbols, cuteMlirText(name)).ptr; ++i) {
    name->length = length;
    cuteStringAppendFormat(name, "_%d", i);
  }
  mlirSymbolTableDestroy(symbols);
}

static MlirValue declareShared(CuteLowering *lowering, MlirBlock entry,
                               CuteSharedPlan plan) {
  MlirContext context = lowering->dialect->mlir;
  MlirLocation location = mlirOperationGetLocation(lowering->function);
  CUTE_SCOPED(String) name = {0}, type = {0};
  appendFreeName(&name, lowering->function);
  cuteStringAppendFormat(&type, "!llvm.array<%jd x i8>",
                         plan.isDynamic ? 0 : plan.bytes);
  MlirBlock body = cuteMlirGetBody(parentModule(lowering->function), 0);
  CuteBuilder b = cuteBuilderAtStart(body, location);
  CUTE_BUILD(
      &b, "llvm.mlir.global", .numRegions = 1, .withoutBlocks = true,
      CUTE_ATTRIBUTES(
          {"sym_name", mlirStringAttrGet(context, cuteMlirText(&name))},
          {"global_type", mlirTypeAttrGet(cuteParsedType(&b, type.data))},
          {"linkage",
           cuteParsedAttr(&b, plan.isDynamic ? "#llvm.linkage<external>"
                                             : "#llvm.linkage<internal>")},
          {"addr_space", cuteIntAttr(&b, 32, 3)},
          {"alignment", cuteIntAttr(&b, 64, plan.align)}));
  CuteBuilder inFunction = cuteBuilderAtStart(entry, location);
  MlirType pointer = cuteLoweringPointerType(lowering, CUTE_SMEM);
  return CUTE_BUILD_VALUE(
      &inFunction, "llvm.mlir.addressof", CUTE_RESULTS(pointer),
      CUTE_ATTRIBUTES({"global_name", mlirFlatSymbolRefAttrGet(
                                          context, cuteMlirText(&name))}));
}

static bool planShared(CuteLowering *lowering) {
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(lowering->dialect, lowering->function,
                          &lowering->sharedOffsets, &plan))
    return false;
  if (plan.bytes)
    lowering->sharedBase = declareShared(lowering, lowering->entry, plan);
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// Checks that the function has nothing that a kernel cannot have or that is not
// lowered here.
static bool checkFunction(MlirOperation function, MlirBlock entry) {
  MlirType type =
      mlirTypeAttrGetValue(cuteMlirGetAttribute(function, "function_type"));
  const char *wrong = NULL;
  if (mlirFunctionTypeGetNumResults(type))
    wrong = "with parameters of the cute dialect cannot return values; store "
            "them in a tensor";
  else if (mlirFunctionTypeGetNumInputs(type) !=
           mlirBlockGetNumArguments(entry))
    wrong = "with parameters of the cute dialect cannot have workgroup or "
            "private attributions; use cute.alloc_smem and cute.make_fragment";
  return !wrong || cuteEmitOpError(function, "%s", wrong);
}

static bool prepareKernel(CuteLowering *lowering) {
  return planShared(lowering) &&
         (!cuteFunctionTakesDialect(lowering->dialect, lowering->entry) ||
          cuteRewriteSignature(lowering));
}

bool cuteLowerKernel(CuteDialect *dialect, MlirOperation function) {
  static const CuteFunctionLowering kernel = {.prepare = prepareKernel,
                                              .tracksDivisors = true};
  MlirBlock entry = cuteMlirGetBody(function, 0);
  if (mlirBlockIsNull(entry))
    return true;
  if (cuteFunctionTakesDialect(dialect, entry) &&
      !checkFunction(function, entry))
    return false;
  return cuteLowerFunction(dialect, function, &kernel);
}

static bool lowerGpuModule(CuteDialect *dialect, MlirOperation module) {
  return cuteFunctionForEach(dialect, module, "func.func",
                             cuteConvertFunction) &&
         cuteFunctionForEach(dialect, module, "gpu.func", cuteLowerKernel);
}

bool cuteRunToNvvm(const CutePass *pass) {
  pass->dialect->arch = cutePassGetArch(pass);
  bool ok = cuteFunctionForEach(pass->dialect, pass->root, "gpu.module",
                                lowerGpuModule);
  pass->dialect->arch = NULL;
  return ok;
}
