// Lowering of a function's body, whatever its kind.
#include "Conversion/conversion.h"
#include "Ops/ops.h"

static bool takesDialect(CuteDialect *dialect, MlirOperation op) {
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (cuteDialectHasType(dialect, cuteMlirGetOperandType(op, i)))
      return true;
  return false;
}

bool cuteFunctionGivesDialect(CuteDialect *dialect, MlirOperation op) {
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    if (cuteDialectHasType(dialect, cuteMlirGetResultType(op, i)))
      return true;
  return false;
}

static bool touchesDialect(CuteDialect *dialect, MlirOperation op) {
  return takesDialect(dialect, op) || cuteFunctionGivesDialect(dialect, op);
}

bool cuteFunctionTakesDialect(CuteDialect *dialect, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    if (cuteDialectHasType(dialect,
                           mlirValueGetType(mlirBlockGetArgument(block, i))))
      return true;
  return false;
}

//===-- Ops ---------------------------------------------------------------===//

static bool lowerOp(CuteLowering *lowering, const CuteOpDecl *decl,
                    MlirOperation source) {
  CuteContext c = lowering->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  lowering->builder = cuteBuilderBefore(source);
  CuteOp op = cuteLoweringBind(lowering, decl, source);
  CuteLowerFunction *lower = cuteOpGetLowering(decl);
  bool ok = true;
  lowering->op = &op;
  lowering->source = source;
  for (size_t i = 0; i < op.numOperands; ++i)
    ok &= op.operands[i] != NULL;
  ok = ok && lower(lowering) && !lowering->failed;
  return ok || cuteEmitOpError(source, "%s", cuteContextGetError(c));
}

static bool failForeign(MlirOperation op, const char *problem) {
  MlirStringRef name = cuteMlirGetName(op);
  return CUTE_ERROR_AT(
      op,
      "'%.*s' op %s a value of the cute dialect, which cannot be lowered; "
      "pass its integers (cute.get_scalars) or use the tensor directly",
      CUTE_TEXT(name), problem);
}

// Tells whether a region begins with arguments of the dialect.
static bool beginsWithDialect(CuteDialect *dialect, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = cuteMlirGetBody(op, r);
    if (!mlirBlockIsNull(block) && cuteFunctionTakesDialect(dialect, block))
      return true;
  }
  return false;
}

static bool checkResults(CuteDialect *dialect, MlirOperation op) {
  if (beginsWithDialect(dialect, op))
    return failForeign(op, "has a block that takes");
  return !touchesDialect(dialect, op) || failForeign(op, "gives");
}

static bool lowerRegions(CuteLowering *lowering, MlirOperation parent);

// Ops of other dialects must not touch values of this one, except ops that pass
// them on.
static bool lowerForeign(CuteLowering *lowering, MlirOperation op) {
  CuteDialect *dialect = lowering->dialect;
  if (cuteIsHostRequest(dialect, op))
    return cuteLowerHostRequest(lowering, op);
  if (cutePassesValuesOn(op) &&
      (touchesDialect(dialect, op) || beginsWithDialect(dialect, op))) {
    MlirOperation converted = cuteConvertPassing(lowering, op);
    return !mlirOperationIsNull(converted) && lowerRegions(lowering, converted);
  }
  if (takesDialect(dialect, op))
    return failForeign(op, "takes");
  return lowerRegions(lowering, op) && checkResults(dialect, op);
}

static bool lowerBlock(CuteLowering *lowering, MlirBlock block) {
  CUTE_FOR_MOVED_OPS(op, block) {
    const CuteOpDecl *decl = cuteDialectGetDecl(lowering->dialect, op);
    if (!(decl ? lowerOp(lowering, decl, op) : lowerForeign(lowering, op)))
      return false;
  }
  return true;
}

// Arguments of blocks that are branched to.
static bool convertArguments(CuteLowering *lowering, MlirOperation parent,
                             MlirBlock first) {
  MlirBlock block = mlirBlockGetNextInRegion(first);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    if (!cuteConvertArguments(lowering, parent, block))
      return false;
  return true;
}

static bool lowerBlocks(CuteLowering *lowering, MlirRegion region) {
  size_t n;
  CUTE_FREED MlirBlock *blocks = cuteBlockOrderGet(region, &n);
  bool ok = true;
  for (size_t i = 0; ok && i < n; ++i)
    ok = lowerBlock(lowering, blocks[i]);
  return ok;
}

static bool lowerRegions(CuteLowering *lowering, MlirOperation parent) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); ++r) {
    MlirRegion region = mlirOperationGetRegion(parent, r);
    MlirBlock first = mlirRegionGetFirstBlock(region);
    if (mlirBlockIsNull(first))
      continue;
    bool isAlone = mlirBlockIsNull(mlirBlockGetNextInRegion(first));
    bool ok = isAlone ? lowerBlock(lowering, first)
                      : convertArguments(lowering, parent, first) &&
                            lowerBlocks(lowering, region);
    if (!ok)
      return false;
  }
  return true;
}

//===-- Functions ---------------------------------------------------------===//

static void eraseArguments(CuteDialect *dialect, MlirBlock block) {
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (intptr_t i = mlirBlockGetNumArguments(block); i-- > 0;)
      if (cuteDialectHasType(dialect,
                             mlirValueGetType(mlirBlockGetArgument(block, i))))
        mlirBlockEraseArgument(block, (unsigned)i);
}

static void eraseLowered(CuteLowering *lowering) {
  CuteDialect *dialect = lowering->dialect;
  CuteOps left = {0};
  CUTE_FOR_NESTED(op, lowering->function)
    if (cuteDialectGetDecl(dialect, op) || touchesDialect(dialect, op))
      cuteOpsPush(&left, op);
  CUTE_FOR_LIST(user, left) // uses may come before definitions
    mlirOperationSetOperands(user, 0, NULL);
  for (size_t i = left.count; i-- > 0;)
    mlirOperationDestroy(left.data[i]);
  CUTE_FOR_NESTED(op, lowering->function)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      eraseArguments(dialect, cuteMlirGetBody(op, r));
}

bool cuteLowerFunction(CuteDialect *dialect, MlirOperation function,
                       const CuteFunctionLowering *hooks) {
  CuteLowering lowering;
  cuteLoweringInit(&lowering, dialect, function);
  lowering.entry = cuteMlirGetBody(function, 0);
  lowering.builder =
      cuteBuilderAtStart(lowering.entry, mlirOperationGetLocation(function));
  CUTE_SCOPED(Arithmetic)
  emitting =
      cuteArithmeticBegin(dialect->context, &cuteEmittingArithmetic, &lowering);
  bool tracked =
      cuteContextTrackDivisors(dialect->context, hooks->tracksDivisors);
  bool ok =
      hooks->prepare(&lowering) && lowerRegions(&lowering, function) &&
      (!dialect->host.callsRuntime || !cuteMlirIs(function, "func.func") ||
       cuteCheckHostDivisions(&lowering));
  cuteContextTrackDivisors(dialect->context, tracked);
  if (ok)
    eraseLowered(&lowering);
  return ok;
}

bool cuteFunctionForEach(CuteDialect *dialect, MlirOperation root,
                         const char *name,
                         bool (*function)(CuteDialect *dialect,
                                          MlirOperation op)) {
  CuteOps named = cuteOpsFind(root, name);
  bool ok = true;
  for (size_t i = 0; ok && i < named.count; ++i)
    ok = function(dialect, named.data[i]);
  return ok;
}
