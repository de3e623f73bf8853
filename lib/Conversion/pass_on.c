// Ops of other dialects that pass values on as they are: calls and returns,
// branches and their blocks, loops, selections. They go on with the values that
// stand for those of the dialect.
#include "Conversion/conversion.h"
#include "Support/text.h"

bool cutePassesValuesOn(MlirOperation op) {
  static const char *const names[] = {"func.call", "func.return",
                                      "arith.select"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (cuteMlirIs(op, names[i]))
      return true;
  MlirStringRef name = cuteMlirGetName(op);
  return cuteTextStartsWith(fromMlirString(name), "scf.") ||
         cuteTextStartsWith(fromMlirString(name), "cf.");
}

MlirType cuteConvertType(CuteLowering *lowering, MlirType type) {
  CuteType found = cuteDialectGetType(lowering->dialect, type);
  if (!found)
    return (MlirType){NULL};
  return found->kind == CUTE_TYPE_FOREIGN ? type
                                          : cuteBaseType(lowering, found);
}

// The value of the dialect is what the pointer and integers in `base` say.
static bool bindValue(CuteLowering *lowering, MlirValue value, MlirValue base) {
  CuteType type =
      cuteDialectGetType(lowering->dialect, mlirValueGetType(value));
  CuteLowered bound = cuteBaseUnpack(lowering, type, base);
  if (!bound.type)
    return false;
  cuteLoweringSet(lowering, value, bound);
  cutePointerMapSet(&lowering->bases, value.ptr, (void *)base.ptr);
  return true;
}

//===-- Blocks ------------------------------------------------------------===//

bool cuteConvertArguments(CuteLowering *lowering, MlirOperation owner,
                          MlirBlock block) {
  lowering->builder =
      cuteBuilderAtStart(block, mlirOperationGetLocation(owner));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirType type = mlirValueGetType(argument);
    if (!cuteDialectHasType(lowering->dialect, type))
      continue;
    MlirType converted = cuteConvertType(lowering, type);
    if (mlirTypeIsNull(converted) ||
        !bindValue(lowering, argument,
                   mlirBlockInsertArgument(block, i++, converted,
                                           mlirValueGetLocation(argument)))) {
      cuteEmitOpError(owner, cuteContextGetError(lowering->context));
      return false;
    }
  }
  return true;
}

static bool convertFirstBlocks(CuteLowering *lowering, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    if (!mlirBlockIsNull(block) && !cuteConvertArguments(lowering, op, block))
      return false;
  }
  return true;
}

//===-- Operands and results ----------------------------------------------===//

// Registers end with the function.
static bool checkPassed(CuteLowering *lowering, MlirOperation op,
                        CuteType type) {
  if (!cuteMlirIs(op, "func.return") || !cuteTypeHasPointer(type) ||
      cuteTypeGetMemory(type) != CUTE_RMEM)
    return true;
  cuteFail(lowering->context, "returns registers of a function that ends; let "
                              "the caller make the fragment and pass it");
  return false;
}

// The operands as pointers, integers and structs; null after a message.
static MlirValue *packOperands(CuteLowering *lowering, MlirOperation op) {
  size_t n = (size_t)mlirOperationGetNumOperands(op);
  MlirValue *values =
      cuteArenaAllocate(&lowering->arena, (n + 1) * sizeof *values);
  for (size_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, (intptr_t)i);
    values[i] = operand;
    if (!cuteDialectHasType(lowering->dialect, mlirValueGetType(operand)))
      continue;
    const CuteLowered *lowered = cuteLoweringGet(lowering, operand);
    if (!lowered)
      return cuteFail(lowering->context, "an operand is defined by an "
                                         "operation that cannot be lowered");
    if (!checkPassed(lowering, op, lowered->type))
      return NULL;
    values[i] = cuteBasePack(lowering, operand);
  }
  return lowering->failed ? NULL : values;
}

static MlirType *convertResults(CuteLowering *lowering, MlirOperation op) {
  size_t n = (size_t)mlirOperationGetNumResults(op);
  MlirType *types =
      cuteArenaAllocate(&lowering->arena, (n + 1) * sizeof *types);
  for (size_t i = 0; i < n; ++i) {
    types[i] = cuteConvertType(
        lowering, mlirValueGetType(mlirOperationGetResult(op, (intptr_t)i)));
    if (mlirTypeIsNull(types[i]))
      return NULL;
  }
  return types;
}

// The op again, before itself, with these results. Takes over its regions.
static MlirOperation recreate(MlirOperation op, const MlirType *types) {
  MlirOperationState state =
      mlirOperationStateGet(cuteMlirGetName(op), mlirOperationGetLocation(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddResults(&state, mlirOperationGetNumResults(op), types);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, r));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation result = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, result);
  return result;
}

static bool bindResults(CuteLowering *lowering, MlirOperation from,
                        MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(from); ++i) {
    MlirValue old = mlirOperationGetResult(from, i);
    MlirValue result = mlirOperationGetResult(to, i);
    if (!cuteDialectHasType(lowering->dialect, mlirValueGetType(old)))
      mlirValueReplaceAllUsesOfWith(old, result);
    else if (!bindValue(lowering, old, result))
      return false;
  }
  return true;
}

static bool givesDialect(CuteLowering *lowering, MlirOperation op) {
  bool found = false;
  for (intptr_t i = 0; !found && i < mlirOperationGetNumResults(op); ++i)
    found = cuteDialectHasType(lowering->dialect,
                               mlirValueGetType(mlirOperationGetResult(op, i)));
  return found;
}

// The op that stands for this one from now on; null after a message.
static MlirOperation convert(CuteLowering *lowering, MlirOperation op) {
  MlirValue *operands = packOperands(lowering, op);
  MlirType *types = operands ? convertResults(lowering, op) : NULL;
  if (!types)
    return (MlirOperation){NULL};
  mlirOperationSetOperands(op, mlirOperationGetNumOperands(op), operands);
  if (!givesDialect(lowering, op))
    return op;
  MlirOperation result = recreate(op, types);
  return bindResults(lowering, op, result) ? result : (MlirOperation){NULL};
}

MlirOperation cuteConvertPassing(CuteLowering *lowering, MlirOperation op) {
  lowering->builder = cuteBuilderBefore(op);
  MlirOperation result = convert(lowering, op);
  if (mlirOperationIsNull(result)) {
    cuteEmitOpError(op, cuteContextGetError(lowering->context));
    return result;
  }
  return convertFirstBlocks(lowering, result) ? result : (MlirOperation){NULL};
}
