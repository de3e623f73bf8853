// cute-to-base: functions lose all values of the dialect. Between func.funcs
// they are passed as structs of their integers, one for one; a gpu.func is
// lowered as by cute-to-nvvm, which for its part lowers the func.funcs of
// gpu.modules as is done here.
#include "Conversion/conversion.h"

//===-- Types -------------------------------------------------------------===//

static bool convertFunctionType(CuteLowering *lowering) {
  MlirType type = mlirTypeAttrGetValue(
      cuteMlirGetAttribute(lowering->function, "function_type"));
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  intptr_t n = numInputs + numResults;
  MlirType *types = cuteTaskAllocate(((size_t)n + 1) * sizeof *types);
  for (intptr_t i = 0; i < n; ++i) {
    types[i] = cuteConvertType(
        lowering, i < numInputs
                      ? mlirFunctionTypeGetInput(type, i)
                      : mlirFunctionTypeGetResult(type, i - numInputs));
    if (mlirTypeIsNull(types[i]))
      return cuteEmitOpError(lowering->function, "%s",
                             cuteContextGetError(lowering->context));
  }
  MlirType converted = mlirFunctionTypeGet(
      lowering->dialect->mlir, numInputs, types, numResults, types + numInputs);
  cuteMlirSetAttribute(lowering->function, "function_type",
                       mlirTypeAttrGet(converted));
  return true;
}

//===-- Parameters --------------------------------------------------------===//

static bool prepareFunction(CuteLowering *lowering) {
  return convertFunctionType(lowering) &&
         cuteConvertArguments(lowering, lowering->function, lowering->entry);
}

//===-- The pass ----------------------------------------------------------===//

static bool convertDeclaration(CuteDialect *dialect, MlirOperation function) {
  CuteLowering lowering;
  cuteLoweringInit(&lowering, dialect, function);
  lowering.builder = cuteBuilderBefore(function);
  return convertFunctionType(&lowering);
}

bool cuteConvertFunction(CuteDialect *dialect, MlirOperation function) {
  static const CuteFunctionLowering hooks = {.prepare = prepareFunction};
  if (mlirBlockIsNull(cuteMlirGetBody(function, 0)))
    return convertDeclaration(dialect, function);
  return cuteLowerFunction(dialect, function, &hooks);
}

static bool prepareNothing(CUTE_UNUSED CuteLowering *lowering) { return true; }

// Ops in the module itself, or in functions of other dialects.
static bool lowerLeftovers(CuteDialect *dialect, MlirOperation root) {
  static const CuteFunctionLowering hooks = {.prepare = prepareNothing};
  CuteOpList list = cuteOpListCollect(dialect, root);
  bool isEmpty = !list.count;
  return isEmpty || cuteLowerFunction(dialect, root, &hooks);
}

bool cuteConvertToBase(CuteDialect *dialect, MlirOperation root,
                       bool callsRuntime) {
  if (!cuteMlirIs(root, "builtin.module") && !cuteMlirIs(root, "gpu.module"))
    return CUTE_ERROR_AT(
        root,
        "cute-to-base runs on a module: functions that call each other are "
        "converted together, and printf is declared there");
  dialect->host =
      (CuteHostModuleState){.module = root, .callsRuntime = callsRuntime};
  bool ok =
      cuteFunctionForEach(dialect, root, "func.func", cuteConvertFunction) &&
      cuteFunctionForEach(dialect, root, "gpu.func", cuteLowerKernel) &&
      lowerLeftovers(dialect, root);
  dialect->host = (CuteHostModuleState){0};
  return ok;
}

bool cuteRunToBase(const CutePass *pass) {
  return cuteConvertToBase(pass->dialect, pass->root, false);
}
