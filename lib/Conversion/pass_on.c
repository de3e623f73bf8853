// Ops of other dialects that pass values on as they are: calls and returns,
// branches and their blocks, loops, selections. They pass the lowered values
// instead of the dialect's: one for each, but loops and branches of scf pass
// the integers of a pipeline's state singly, so that they are registers.
#include "Conversion/conversion.h"

bool cutePassesValuesOn(MlirOperation op) {
  return CUTE_IS_ANY(op, "func.call", "func.return", "arith.select") ||
         CUTE_BEGINS_WITH_ANY(cuteMlirGetName(op), "scf.", "cf.");
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
  CuteType type = cuteDialectGetValueType(lowering->dialect, value);
  CuteLowered bound = cuteBaseUnpack(lowering, type, base);
  if (!bound.type)
    return false;
  cuteLoweringSet(lowering, value, bound);
  cutePointerMapSet(&lowering->bases, value.ptr, (void *)base.ptr);
  return true;
}

//===-- States of pipelines -----------------------------------------------===//

enum { STATE_PARTS = 2 };

static bool isSplit(CuteLowering *lowering, MlirOperation op, MlirType type) {
  return CUTE_IS_ANY(op, "scf.for", "scf.while", "scf.if", "scf.yield",
                     "scf.condition") &&
         cuteTypeIsKind(cuteDialectGetType(lowering->dialect, type),
                        CUTE_TYPE_PIPELINE_STATE);
}

static void splitState(CuteLowering *lowering, const CuteLowered *state,
                       MlirValue parts[STATE_PARTS]) {
  for (size_t i = 0; i < STATE_PARTS; ++i)
    parts[i] =
        cuteLoweringGetInteger(lowering, element(state->type->tuple, i), 0);
}

static void bindState(CuteLowering *lowering, MlirValue value,
                      const MlirValue parts[STATE_PARTS]) {
  CuteType type = cuteDialectGetValueType(lowering->dialect, value);
  cuteLoweringSet(lowering, value, cuteBaseBind(lowering, type, parts));
}

//===-- Blocks ------------------------------------------------------------===//

static void splitArgument(CuteLowering *lowering, MlirBlock block, intptr_t at,
                          MlirValue argument) {
  MlirType i32 = mlirIntegerTypeGet(lowering->dialect->mlir, 32);
  MlirValue parts[STATE_PARTS];
  for (intptr_t i = 0; i < STATE_PARTS; ++i)
    parts[i] = mlirBlockInsertArgument(block, at + i, i32,
                                       mlirValueGetLocation(argument));
  bindState(lowering, argument, parts);
}

bool cuteConvertArguments(CuteLowering *lowering, MlirOperation owner,
                          MlirBlock block) {
  lowering->builder =
      cuteBuilderAtStart(block, mlirOperationGetLocation(owner));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirType type = mlirValueGetType(argument);
    if (!cuteDialectHasType(lowering->dialect, type))
      continue;
    if (isSplit(lowering, owner, type)) {
      splitArgument(lowering, block, i, argument);
      i += STATE_PARTS;
      continue;
    }
    MlirType converted = cuteConvertType(lowering, type);
    if (mlirTypeIsNull(converted) ||
        !bindValue(lowering, argument,
                   mlirBlockInsertArgument(block, i++, converted,
                                           mlirValueGetLocation(argument))))
      return cuteEmitOpError(owner, "%s",
                             cuteContextGetError(lowering->context));
  }
  return true;
}

static bool convertFirstBlocks(CuteLowering *lowering, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = cuteMlirGetBody(op, r);
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
  return cuteFail(lowering->context,
                  "returns registers of a function that ends; let "
                  "the caller make the fragment and pass it");
}

typedef struct Passed {
  size_t count;
  MlirValue *values;
} Passed;

static bool packOperand(CuteLowering *lowering, MlirOperation op,
                        MlirValue operand, Passed *passed) {
  MlirType type = mlirValueGetType(operand);
  if (!cuteDialectHasType(lowering->dialect, type)) {
    passed->values[passed->count++] = operand;
    return true;
  }
  const CuteLowered *lowered = cuteLoweringGet(lowering, operand);
  if (!lowered)
    return cuteFail(lowering->context, "an operand is defined by an "
                                       "operation that cannot be lowered");
  if (!checkPassed(lowering, op, lowered->type))
    return false;
  if (isSplit(lowering, op, type)) {
    splitState(lowering, lowered, passed->values + passed->count);
    passed->count += STATE_PARTS;
  } else {
    passed->values[passed->count++] = cuteBasePack(lowering, operand);
  }
  return true;
}

// The operands as pointers, integers and structs; false after a message.
static bool packOperands(CuteLowering *lowering, MlirOperation op,
                         Passed *passed) {
  size_t n = (size_t)getNumOperands(op);
  *passed = (Passed){.values = cuteTaskAllocate((n * STATE_PARTS + 1) *
                                                sizeof *passed->values)};
  for (size_t i = 0; i < n; ++i)
    if (!packOperand(lowering, op, getOperand(op, (intptr_t)i), passed))
      return false;
  return !lowering->failed;
}

typedef struct Types {
  size_t count;
  MlirType *data;
} Types;

static bool convertResults(CuteLowering *lowering, MlirOperation op,
                           Types *types) {
  size_t n = (size_t)getNumResults(op);
  *types = (Types){
      .data = cuteTaskAllocate((n * STATE_PARTS + 1) * sizeof *types->data)};
  for (size_t i = 0; i < n; ++i) {
    MlirType type = cuteMlirGetResultType(op, (intptr_t)i);
    bool split = isSplit(lowering, op, type);
    for (int part = 0; split && part < STATE_PARTS; ++part)
      types->data[types->count++] =
          mlirIntegerTypeGet(lowering->dialect->mlir, 32);
    if (split)
      continue;
    types->data[types->count] = cuteConvertType(lowering, type);
    if (mlirTypeIsNull(types->data[types->count++]))
      return false;
  }
  return true;
}

static bool bindResults(CuteLowering *lowering, MlirOperation from,
                        MlirOperation to) {
  intptr_t next = 0;
  CUTE_FOR_RESULTS(old, from) {
    MlirValue result = getResult(to, next++);
    if (isSplit(lowering, from, mlirValueGetType(old))) {
      MlirValue parts[] = {result, getResult(to, next++)};
      bindState(lowering, old, parts);
    } else if (!cuteDialectHasType(lowering->dialect, mlirValueGetType(old))) {
      mlirValueReplaceAllUsesOfWith(old, result);
    } else if (!bindValue(lowering, old, result)) {
      return false;
    }
  }
  return true;
}

// The op that replaces this one; null after a message.
static MlirOperation convert(CuteLowering *lowering, MlirOperation op) {
  Passed operands;
  Types types;
  if (!packOperands(lowering, op, &operands) ||
      !convertResults(lowering, op, &types))
    return (MlirOperation){NULL};
  mlirOperationSetOperands(op, (intptr_t)operands.count, operands.values);
  if (!cuteFunctionGivesDialect(lowering->dialect, op))
    return op;
  MlirOperation result =
      cuteBuildAgain(&lowering->builder, op, operands.count, operands.values,
                     types.count, types.data);
  return bindResults(lowering, op, result) ? result : (MlirOperation){NULL};
}

MlirOperation cuteConvertPassing(CuteLowering *lowering, MlirOperation op) {
  lowering->builder = cuteBuilderBefore(op);
  MlirOperation result = convert(lowering, op);
  if (mlirOperationIsNull(result)) {
    cuteEmitOpError(op, "%s", cuteContextGetError(lowering->context));
    return result;
  }
  return convertFirstBlocks(lowering, result) ? result : (MlirOperation){NULL};
}
