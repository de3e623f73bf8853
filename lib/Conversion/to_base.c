// cute-to-base: functions lose all values of the dialect. Between func.funcs
// they are passed as structs of their integers, one for one; a gpu.func is
// lowered as by cute-to-nvvm, which for its part lowers the func.funcs of
// gpu.modules as is done here.
#include "Conversion/conversion.h"

//===-- Types -------------------------------------------------------------===//

// The type that stands for one of a value, the same for other dialects'.
static MlirType convertType(CuteLowering *lowering, MlirType type) {
  CuteType found = cuteDialectGetType(lowering->dialect, type);
  if (!found)
    return (MlirType){NULL};
  return found->kind == CUTE_TYPE_FOREIGN ? type
                                          : cuteBaseType(lowering, found);
}

static bool convertFunctionType(CuteLowering *lowering) {
  MlirStringRef name = mlirStringRefCreateFromCString("function_type");
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(lowering->function, name));
  intptr_t numInputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t numResults = mlirFunctionTypeGetNumResults(type);
  intptr_t n = numInputs + numResults;
  MlirType *types =
      cuteArenaAllocate(&lowering->arena, ((size_t)n + 1) * sizeof *types);
  for (intptr_t i = 0; i < n; ++i) {
    types[i] = convertType(
        lowering, i < numInputs
                      ? mlirFunctionTypeGetInput(type, i)
                      : mlirFunctionTypeGetResult(type, i - numInputs));
    if (mlirTypeIsNull(types[i])) {
      cuteEmitOpError(lowering->function,
                      cuteContextGetError(lowering->context));
      return false;
    }
  }
  MlirType converted = mlirFunctionTypeGet(
      lowering->dialect->mlir, numInputs, types, numResults, types + numInputs);
  mlirOperationSetAttributeByName(lowering->function, name,
                                  mlirTypeAttrGet(converted));
  return true;
}

//===-- Parameters, calls and returns -------------------------------------===//

// The value of the dialect is what the integers in `base` say.
static bool bindValue(CuteLowering *lowering, MlirValue value, MlirValue base) {
  CuteType type =
      cuteDialectGetType(lowering->dialect, mlirValueGetType(value));
  CuteLowered bound = cuteBaseUnpack(lowering, type, base);
  if (bound.type)
    cuteLoweringSet(lowering, value, bound);
  return bound.type;
}

// Puts a parameter of the converted type before each of the dialect, which goes
// in the end.
static bool prepareFunction(CuteLowering *lowering) {
  if (!convertFunctionType(lowering))
    return false;
  MlirBlock entry = lowering->entry;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    MlirType type = mlirValueGetType(argument);
    if (!cuteIsDialectType(lowering->dialect, type))
      continue;
    MlirValue base =
        mlirBlockInsertArgument(entry, i++, convertType(lowering, type),
                                mlirValueGetLocation(argument));
    if (!bindValue(lowering, argument, base)) {
      cuteEmitOpError(lowering->function,
                      cuteContextGetError(lowering->context));
      return false;
    }
  }
  return true;
}

// The operands as integers and structs; null after a message.
static MlirValue *packOperands(CuteLowering *lowering, MlirOperation op) {
  size_t n = (size_t)mlirOperationGetNumOperands(op);
  MlirValue *values =
      cuteArenaAllocate(&lowering->arena, (n + 1) * sizeof *values);
  for (size_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, (intptr_t)i);
    values[i] = operand;
    if (!cuteIsDialectType(lowering->dialect, mlirValueGetType(operand)))
      continue;
    const CuteLowered *lowered = cuteLoweringGet(lowering, operand);
    if (!lowered)
      return cuteFail(lowering->context, "an operand is defined by an "
                                         "operation that cannot be lowered");
    values[i] = cuteBasePack(lowering, *lowered);
  }
  return values;
}

// Registers end with the function.
static bool checkReturned(CuteLowering *lowering, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    CuteType type = cuteDialectGetType(
        lowering->dialect, mlirValueGetType(mlirOperationGetOperand(op, i)));
    if (!type || !cuteTypeHasPointer(type) ||
        cuteTypeGetMemory(type) != CUTE_RMEM)
      continue;
    cuteFail(lowering->context,
             "'func.return' op returns registers of a function that ends; let "
             "the caller make the fragment and pass it");
    return false;
  }
  return true;
}

static bool lowerReturn(CuteLowering *lowering, MlirOperation op) {
  if (!checkReturned(lowering, op))
    return false;
  MlirValue *values = packOperands(lowering, op);
  if (values)
    mlirOperationSetOperands(op, mlirOperationGetNumOperands(op), values);
  return values;
}

static bool lowerCall(CuteLowering *lowering, MlirOperation op) {
  MlirValue *operands = packOperands(lowering, op);
  if (!operands)
    return false;
  size_t numResults = (size_t)mlirOperationGetNumResults(op);
  MlirType *types =
      cuteArenaAllocate(&lowering->arena, (numResults + 1) * sizeof *types);
  for (size_t i = 0; i < numResults; ++i) {
    types[i] = convertType(
        lowering, mlirValueGetType(mlirOperationGetResult(op, (intptr_t)i)));
    if (mlirTypeIsNull(types[i]))
      return false;
  }
  size_t numAttributes = (size_t)mlirOperationGetNumAttributes(op);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("func.call"),
                            mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, mlirOperationGetNumOperands(op),
                                operands);
  mlirOperationStateAddResults(&state, (intptr_t)numResults, types);
  for (size_t i = 0; i < numAttributes; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, (intptr_t)i);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  MlirOperation call = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, call);
  for (size_t i = 0; i < numResults; ++i) {
    MlirValue old = mlirOperationGetResult(op, (intptr_t)i);
    MlirValue result = mlirOperationGetResult(call, (intptr_t)i);
    if (!cuteIsDialectType(lowering->dialect, mlirValueGetType(old)))
      mlirValueReplaceAllUsesOfWith(old, result);
    else if (!bindValue(lowering, old, result))
      return false;
  }
  return true;
}

bool cuteConvertBoundary(CuteLowering *lowering, MlirOperation op) {
  lowering->builder = cuteBuilderBefore(op);
  bool ok = cuteOperationIsNamed(op, "func.call") ? lowerCall(lowering, op)
                                                  : lowerReturn(lowering, op);
  if (!ok)
    mlirEmitError(mlirOperationGetLocation(op),
                  cuteContextGetError(lowering->context));
  return ok;
}

//===-- The pass ----------------------------------------------------------===//

static bool convertDeclaration(CuteDialect *dialect, MlirOperation function) {
  CuteLowering lowering;
  cuteLoweringInit(&lowering, dialect, function);
  lowering.builder = cuteBuilderBefore(function);
  bool ok = convertFunctionType(&lowering);
  cuteLoweringDestroy(&lowering);
  return ok;
}

bool cuteConvertFunction(CuteDialect *dialect, MlirOperation function) {
  static const CuteFunctionLowering hooks = {.prepare = prepareFunction,
                                             .convert = cuteConvertBoundary};
  if (mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0))))
    return convertDeclaration(dialect, function);
  return cuteLowerFunction(dialect, function, &hooks);
}

// Only functions are lowered: an op elsewhere is an error.
static bool checkLeftovers(CuteDialect *dialect, MlirOperation root) {
  CuteOpList list = cuteOpListCollect(dialect, root);
  bool ok = !list.count;
  if (!ok)
    cuteEmitOpError(list.ops[0], "is in no function that is lowered "
                                 "(func.func, gpu.func)");
  cuteOpListDestroy(&list);
  return ok;
}

bool cuteRunToBase(CuteDialect *dialect, MlirOperation root,
                   const CutePassOptions *options) {
  (void)options;
  if (!cuteOperationIsNamed(root, "builtin.module") &&
      !cuteOperationIsNamed(root, "gpu.module")) {
    mlirEmitError(mlirOperationGetLocation(root),
                  "cute-to-base runs on a module: functions that call each "
                  "other are converted together, and printf is declared there");
    return false;
  }
  return cuteForEach(dialect, root, "func.func", cuteConvertFunction) &&
         cuteForEach(dialect, root, "gpu.func", cuteLowerKernel) &&
         checkLeftovers(dialect, root);
}
