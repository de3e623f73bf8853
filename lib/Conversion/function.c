// Lowering of a function's body, whatever its kind.
#include "Conversion/conversion.h"

#include <stdlib.h>

bool cuteOperationIsNamed(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

bool cuteIsDialectType(CuteDialect *dialect, MlirType type) {
  CuteType found = cuteDialectGetType(dialect, type);
  return found && found->kind != CUTE_TYPE_FOREIGN;
}

static bool touchesDialect(CuteDialect *dialect, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (cuteIsDialectType(dialect,
                          mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (cuteIsDialectType(dialect,
                          mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

//===-- Ops ---------------------------------------------------------------===//

static bool lowerOp(CuteLowering *lowering, const CuteOpDecl *decl,
                    MlirOperation source) {
  CuteContext c = lowering->context;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  lowering->builder = cuteBuilderBefore(source);
  CuteOp op = cuteLoweringBind(lowering, decl, source);
  CuteLowerFunction *lower =
      decl->hooks->lower ? decl->hooks->lower : cuteLowerByInference;
  bool ok = true;
  for (size_t i = 0; i < op.numOperands; ++i)
    ok &= op.operands[i] != NULL;
  ok = ok && lower(lowering, &op, source) && !lowering->failed;
  if (!ok)
    cuteEmitOpError(source, cuteContextGetError(c));
  cuteArenaReset(&c->scratch, mark);
  return ok;
}

static bool failForeign(MlirOperation op, const char *problem) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  CuteString text = {0};
  cuteStringAppendFormat(
      &text,
      "'%.*s' op %s a value of the cute dialect, which cannot be lowered; "
      "pass its integers (cute.get_scalars) or use the tensor directly",
      (int)name.length, name.data, problem);
  mlirEmitError(mlirOperationGetLocation(op), cuteStringGet(&text));
  cuteStringDestroy(&text);
  return false;
}

// Whether a block of a list passes values of the dialect to another.
static bool takesDialect(CuteDialect *dialect, MlirBlock block) {
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      if (cuteIsDialectType(dialect,
                            mlirValueGetType(mlirBlockGetArgument(block, i))))
        return true;
  return false;
}

static bool checkOperands(CuteDialect *dialect, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (cuteIsDialectType(dialect,
                          mlirValueGetType(mlirOperationGetOperand(op, i))))
      return failForeign(op, "takes");
  return true;
}

// What checkOperands of this op and of those in its regions did not see.
static bool checkResults(CuteDialect *dialect, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (takesDialect(dialect,
                     mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r))))
      return failForeign(op, "has a block that takes");
  return !touchesDialect(dialect, op) || failForeign(op, "gives");
}

static bool lowerRegions(CuteLowering *lowering, MlirOperation parent,
                         const CuteFunctionLowering *hooks);

// Ops of other dialects must not touch values of this one, but for those that
// pass them to other functions.
static bool lowerForeign(CuteLowering *lowering, MlirOperation op,
                         const CuteFunctionLowering *hooks) {
  CuteDialect *dialect = lowering->dialect;
  bool passes = cuteOperationIsNamed(op, "func.call") ||
                cuteOperationIsNamed(op, "func.return");
  if (passes && hooks->convert && touchesDialect(dialect, op))
    return hooks->convert(lowering, op);
  return checkOperands(dialect, op) && lowerRegions(lowering, op, hooks) &&
         checkResults(dialect, op);
}

static bool lowerBlock(CuteLowering *lowering, MlirBlock block,
                       const CuteFunctionLowering *hooks) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    const CuteOpDecl *decl = cuteDialectGetDecl(lowering->dialect, op);
    bool ok =
        decl ? lowerOp(lowering, decl, op) : lowerForeign(lowering, op, hooks);
    if (!ok)
      return false;
    op = next;
  }
  return true;
}

static bool lowerRegions(CuteLowering *lowering, MlirOperation parent,
                         const CuteFunctionLowering *hooks) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      if (!lowerBlock(lowering, block, hooks))
        return false;
  }
  return true;
}

//===-- Functions ---------------------------------------------------------===//

typedef struct Leftovers {
  CuteDialect *dialect;
  MlirOperation *ops;
  size_t count, capacity;
} Leftovers;

static void push(MlirOperation **ops, size_t *count, size_t *capacity,
                 MlirOperation op) {
  if (*count == *capacity) {
    *capacity = *capacity ? *capacity * 2 : 64;
    *ops = cuteReallocate(*ops, *capacity * sizeof **ops);
  }
  (*ops)[(*count)++] = op;
}

static MlirWalkResult collectLeftover(MlirOperation op, void *userData) {
  Leftovers *left = userData;
  if (cuteDialectGetDecl(left->dialect, op) ||
      touchesDialect(left->dialect, op))
    push(&left->ops, &left->count, &left->capacity, op);
  return MlirWalkResultAdvance;
}

static void eraseLowered(CuteLowering *lowering) {
  Leftovers left = {.dialect = lowering->dialect};
  mlirOperationWalk(lowering->function, collectLeftover, &left,
                    MlirWalkPreOrder);
  for (size_t i = left.count; i-- > 0;)
    mlirOperationDestroy(left.ops[i]);
  free(left.ops);
  MlirBlock entry = lowering->entry;
  for (intptr_t i = mlirBlockGetNumArguments(entry); i-- > 0;)
    if (cuteIsDialectType(lowering->dialect,
                          mlirValueGetType(mlirBlockGetArgument(entry, i))))
      mlirBlockEraseArgument(entry, (unsigned)i);
}

// The entry's parameters were bound; those of other blocks cannot be.
static bool checkBlocks(CuteLowering *lowering) {
  return !takesDialect(lowering->dialect,
                       mlirBlockGetNextInRegion(lowering->entry)) ||
         failForeign(lowering->function, "has a block that takes");
}

bool cuteLowerFunction(CuteDialect *dialect, MlirOperation function,
                       const CuteFunctionLowering *hooks) {
  CuteLowering lowering;
  cuteLoweringInit(&lowering, dialect, function);
  lowering.entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  lowering.builder =
      cuteBuilderAtStart(lowering.entry, mlirOperationGetLocation(function));
  const CuteLeafArithmetic *before;
  void *beforeData;
  cuteContextSetArithmetic(dialect->context, &cuteEmittingArithmetic, &lowering,
                           &before, &beforeData);
  bool tracked =
      cuteContextTrackDivisors(dialect->context, hooks->tracksDivisors);
  bool ok = hooks->prepare(&lowering) &&
            lowerRegions(&lowering, function, hooks) && checkBlocks(&lowering);
  cuteContextTrackDivisors(dialect->context, tracked);
  cuteContextSetArithmetic(dialect->context, before, beforeData, NULL, NULL);
  if (ok)
    eraseLowered(&lowering);
  cuteLoweringDestroy(&lowering);
  return ok;
}

typedef struct Named {
  const char *name;
  MlirOperation *ops;
  size_t count, capacity;
} Named;

static MlirWalkResult collectNamed(MlirOperation op, void *userData) {
  Named *named = userData;
  if (!cuteOperationIsNamed(op, named->name))
    return MlirWalkResultAdvance;
  push(&named->ops, &named->count, &named->capacity, op);
  return MlirWalkResultSkip;
}

bool cuteForEach(CuteDialect *dialect, MlirOperation root, const char *name,
                 bool (*function)(CuteDialect *dialect, MlirOperation op)) {
  Named named = {.name = name};
  mlirOperationWalk(root, collectNamed, &named, MlirWalkPreOrder);
  bool ok = true;
  for (size_t i = 0; ok && i < named.count; ++i)
    ok = function(dialect, named.ops[i]);
  free(named.ops);
  return ok;
}
