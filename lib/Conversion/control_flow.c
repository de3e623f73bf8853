// Values of the dialect through scf.for, scf.if and other ops of control flow:
// each becomes its parts, one value for each.
#include "Conversion/conversion.h"

// Ops whose operands, results and block arguments are rebuilt as they come.
static bool isStructured(MlirOperation op) {
  static const char *const names[] = {"scf.for", "scf.if", "scf.while",
                                      "scf.execute_region", "scf.index_switch"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (cuteOperationIsNamed(op, names[i]))
      return true;
  return false;
}

bool cuteIsControlFlow(MlirOperation op) {
  if (cuteOperationIsNamed(op, "scf.yield") ||
      cuteOperationIsNamed(op, "scf.condition"))
    return isStructured(mlirOperationGetParentOperation(op));
  return isStructured(op) || cuteOperationIsNamed(op, "arith.select");
}

//===-- Lists of values and types -----------------------------------------===//

// The type of a value of the dialect, null for values of others.
static CuteType dialectType(CuteLowering *lowering, MlirValue value) {
  CuteType type =
      cuteDialectGetType(lowering->dialect, mlirValueGetType(value));
  return type && type->kind != CUTE_TYPE_FOREIGN ? type : NULL;
}

typedef struct Values {
  size_t count;
  MlirValue *data;
} Values;

// The operands with values of the dialect as their parts. False after a
// diagnostic if one was not lowered.
static bool flattenOperands(CuteLowering *lowering, MlirOperation op,
                            Values *values) {
  intptr_t n = mlirOperationGetNumOperands(op);
  size_t total = 0;
  *values = (Values){0};
  for (intptr_t i = 0; i < n; ++i) {
    CuteType type = dialectType(lowering, mlirOperationGetOperand(op, i));
    total += type ? cuteCountParts(type) : 1;
  }
  values->data =
      cuteArenaAllocate(&lowering->arena, (total + 1) * sizeof *values->data);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    CuteType type = dialectType(lowering, operand);
    if (!type) {
      values->data[values->count++] = operand;
      continue;
    }
    const CuteLowered *lowered = cuteLoweringGet(lowering, operand);
    if (!lowered || cuteCountParts(lowered->type) != cuteCountParts(type)) {
      cuteEmitOpError(op, "takes a value that is defined by an operation that "
                          "cannot be lowered");
      return false;
    }
    cuteGetParts(lowering, lowered, values->data + values->count);
    values->count += cuteCountParts(type);
  }
  return true;
}

// The types of the results, those of the dialect as their parts'.
static MlirType *flattenResults(CuteLowering *lowering, MlirOperation op,
                                size_t *count) {
  intptr_t n = mlirOperationGetNumResults(op);
  *count = 0;
  for (intptr_t i = 0; i < n; ++i) {
    CuteType type = dialectType(lowering, mlirOperationGetResult(op, i));
    *count += type ? cuteCountParts(type) : 1;
  }
  MlirType *types =
      cuteArenaAllocate(&lowering->arena, (*count + 1) * sizeof *types);
  MlirType *next = types;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    CuteType type = dialectType(lowering, result);
    if (type)
      cuteGetPartTypes(lowering, type, next);
    else
      *next = mlirValueGetType(result);
    next += type ? cuteCountParts(type) : 1;
  }
  return types;
}

// `values` are now what the results of the op were.
static void replaceResults(CuteLowering *lowering, MlirOperation op,
                           const MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    CuteType type = dialectType(lowering, result);
    if (type)
      cuteLoweringSet(lowering, result, cuteBindParts(lowering, type, values));
    else
      mlirValueReplaceAllUsesOfWith(result, *values);
    values += type ? cuteCountParts(type) : 1;
  }
}

//===-- Ops with regions --------------------------------------------------===//

// Puts arguments for the parts before each of the dialect, which goes in the
// end.
static void expandArguments(CuteLowering *lowering, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    CuteType type = dialectType(lowering, argument);
    if (!type)
      continue;
    size_t n = cuteCountParts(type);
    MlirType *types =
        cuteArenaAllocate(&lowering->arena, (n + 1) * sizeof *types);
    MlirValue *parts =
        cuteArenaAllocate(&lowering->arena, (n + 1) * sizeof *parts);
    cuteGetPartTypes(lowering, type, types);
    for (size_t j = 0; j < n; ++j)
      parts[j] = mlirBlockInsertArgument(block, i++, types[j],
                                         mlirValueGetLocation(argument));
    cuteLoweringSet(lowering, argument, cuteBindParts(lowering, type, parts));
  }
}

// The op with other operands and results; takes the regions.
static MlirOperation rebuild(MlirOperation op, Values operands,
                             size_t numResults, const MlirType *results) {
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, (intptr_t)operands.count,
                                operands.data);
  mlirOperationStateAddResults(&state, (intptr_t)numResults, results);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, i));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation rebuilt = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, rebuilt);
  return rebuilt;
}

static bool convertStructured(CuteLowering *lowering, MlirOperation op,
                              const CuteFunctionLowering *hooks) {
  Values operands;
  size_t numResults;
  if (!flattenOperands(lowering, op, &operands))
    return false;
  MlirType *types = flattenResults(lowering, op, &numResults);
  MlirOperation rebuilt = rebuild(op, operands, numResults, types);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(rebuilt); ++i) {
    MlirBlock entry =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(rebuilt, i));
    if (!mlirBlockIsNull(entry))
      expandArguments(lowering, entry);
  }
  if (!cuteLowerRegions(lowering, rebuilt, hooks))
    return false;
  MlirValue *results =
      cuteArenaAllocate(&lowering->arena, (numResults + 1) * sizeof *results);
  for (size_t i = 0; i < numResults; ++i)
    results[i] = mlirOperationGetResult(rebuilt, (intptr_t)i);
  replaceResults(lowering, op, results);
  return true;
}

//===-- arith.select and terminators --------------------------------------===//

static bool convertSelect(CuteLowering *lowering, MlirOperation op) {
  Values values;
  if (!flattenOperands(lowering, op, &values))
    return false;
  size_t n = values.count / 2;
  MlirValue *results =
      cuteArenaAllocate(&lowering->arena, (n + 1) * sizeof *results);
  for (size_t i = 0; i < n; ++i) {
    MlirValue operands[] = {values.data[0], values.data[1 + i],
                            values.data[1 + n + i]};
    MlirType type = mlirValueGetType(operands[1]);
    results[i] =
        cuteBuildValue(&lowering->builder, (CuteOpSpec){.name = "arith.select",
                                                        .numOperands = 3,
                                                        .operands = operands,
                                                        .numResults = 1,
                                                        .results = &type});
  }
  replaceResults(lowering, op, results);
  return true;
}

bool cuteConvertControlFlow(CuteLowering *lowering, MlirOperation op,
                            const CuteFunctionLowering *hooks) {
  lowering->builder = cuteBuilderBefore(op);
  if (isStructured(op))
    return convertStructured(lowering, op, hooks);
  if (cuteOperationIsNamed(op, "arith.select"))
    return convertSelect(lowering, op);
  Values operands;
  if (!flattenOperands(lowering, op, &operands))
    return false;
  mlirOperationSetOperands(op, (intptr_t)operands.count, operands.data);
  return true;
}
