// cute-expand-ops: layout algebra on dynamic values becomes arith. What is left
// of it are the ops that build values and take them apart:
//   get_scalars<{only_dynamic}> of the operands, arith, make_* of the results
#include "Lowering/lowering.h"
#include "Ops/ops.h"
#include "Transforms/transforms.h"

// Ops that cute-to-base and cute-to-nvvm take as they are.
static bool isBaseOp(const CuteOpDecl *decl) {
  switch (decl->id) {
  case CUTE_OP_STATIC:
  case CUTE_OP_PRINT:
  case CUTE_OP_GET_SCALARS:
  case CUTE_OP_MAKE_INT_TUPLE:
  case CUTE_OP_MAKE_SHAPE:
  case CUTE_OP_MAKE_STRIDE:
  case CUTE_OP_MAKE_COORD:
  case CUTE_OP_MAKE_TILE:
  case CUTE_OP_MAKE_LAYOUT:
  case CUTE_OP_MAKE_COMPOSED_LAYOUT:
    return true;
  default:
    return false;
  }
}

static bool isAlgebraType(CuteType type) {
  return type &&
         (type->kind <= CUTE_TYPE_SWIZZLE || type->kind == CUTE_TYPE_FOREIGN);
}

// Tells whether all operands and results are layouts, tuples and integers; ops
// on memory and atoms keep theirs.
static bool isAlgebra(const CuteOp *op) {
  for (size_t i = 0; i < op->numOperands; ++i)
    if (!isAlgebraType(op->operands[i]))
      return false;
  for (size_t i = 0; i < op->numWritten; ++i)
    if (!isAlgebraType(op->written[i]))
      return false;
  return true;
}

//===-- Operands ----------------------------------------------------------===//

static MlirOperation takeApart(CuteLowering *lowering, MlirValue value,
                               bool onlyDynamic) {
  const CuteBuilder *b = &lowering->builder;
  CuteNamedAttribute only = {"only_dynamic", mlirUnitAttrGet(b->context)};
  return cuteBuildOp(b, lowering->dialect, CUTE_OP_GET_SCALARS, 1, &value,
                     onlyDynamic ? 1 : 0, &only);
}

// The integers in a dynamic value, taken out before the op at hand.
static bool bindDynamic(CuteLowering *lowering, MlirValue value,
                        CuteType type) {
  CuteContext c = lowering->context;
  size_t n = cuteTypeGetNumDynamic(type);
  CuteIntTuple *leaves = cuteScratch(c, n * sizeof *leaves);
  MlirOperation scalars = takeApart(lowering, value, true);
  if (mlirOperationIsNull(scalars))
    return false;
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i)
    leaves[i] = cuteLoweringGetLeaf(lowering, getResult(scalars, (intptr_t)i),
                                    leaves[i]->value);
  cuteLoweringSet(lowering, value,
                  (CuteLowered){.type = cuteTypeBind(c, type, leaves)});
  return true;
}

static bool bindOperands(CuteLowering *lowering, const CuteOp *op,
                         MlirOperation source) {
  for (size_t i = 0; i < op->numOperands; ++i) {
    MlirValue value = getOperand(source, (intptr_t)i);
    CuteType type = op->operands[i];
    if (cuteTypeIsStatic(type))
      cuteLoweringSet(lowering, value, (CuteLowered){.type = type});
    else if (type->kind != CUTE_TYPE_FOREIGN &&
             !bindDynamic(lowering, value, type))
      return false;
  }
  return true;
}

//===-- Comparisons -------------------------------------------------------===//

// Pairs of all integers, static ones as well, and'ed; true where there is none.
static MlirValue compareScalars(CuteLowering *lowering, bool isLess,
                                MlirOperation a, MlirOperation b) {
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < getNumResults(a); ++i) {
    CuteIntTuple pair[] = {cuteLoweringGetLeaf(lowering, getResult(a, i), 1),
                           cuteLoweringGetLeaf(lowering, getResult(b, i), 1)};
    MlirValue holds =
        isLess ? cuteLoweringCompareLess(lowering, pair[0], pair[1])
               : cuteLoweringCompareEqual(lowering, pair[0], pair[1]);
    all = i ? andi(&lowering->builder, all, holds) : holds;
  }
  return mlirValueIsNull(all) ? cuteBuildInt(&lowering->builder, 1, 1) : all;
}

// elem_less and equal where an operand is dynamic.
static bool expandComparison(CuteLowering *lowering, const CuteOp *op,
                             MlirOperation source) {
  if (!cuteOpCheckComparison(op))
    return cuteEmitOpError(source, "%s",
                           cuteContextGetError(lowering->context));
  if (cuteOpIsNeverEqual(op)) {
    return cuteLoweringReturn(lowering, cuteBuildInt(&lowering->builder, 1, 0));
  }
  MlirOperation scalars[2];
  for (intptr_t i = 0; i < 2; ++i) {
    scalars[i] = takeApart(lowering, getOperand(source, i), false);
    if (mlirOperationIsNull(scalars[i]))
      return false;
  }
  bool isLess = op->decl->id == CUTE_OP_ELEM_LESS;
  return cuteLoweringReturn(
      lowering, compareScalars(lowering, isLess, scalars[0], scalars[1]));
}

static bool isDynamicComparison(const CuteOp *op) {
  return (op->decl->id == CUTE_OP_ELEM_LESS || op->decl->id == CUTE_OP_EQUAL) &&
         !(cuteTypeIsStatic(op->operands[0]) &&
           cuteTypeIsStatic(op->operands[1]));
}

//===-- Results -----------------------------------------------------------===//

static MlirValue resultOf(MlirOperation op) {
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : getResult(op, 0);
}

// make_KIND of the dynamic leaves, if any.
static MlirValue buildLeaves(CuteLowering *lowering, CuteType bound) {
  CuteArena *scratch = &lowering->context->scratch;
  size_t n = cuteTypeGetNumDynamic(bound);
  CuteIntTuple *leaves = cuteArenaAllocate(scratch, n * sizeof *leaves);
  MlirValue *values = cuteArenaAllocate(scratch, n * sizeof *values);
  cuteTypeGetDynamicLeaves(bound, leaves);
  for (size_t i = 0; i < n; ++i)
    values[i] = cuteLoweringGetInteger(lowering, leaves[i], 0);
  CuteOpId maker = cuteOpIdGetMaker((CuteTypeKind)bound->kind);
  return resultOf(cuteBuildDeclared(&lowering->builder, lowering->dialect,
                                    maker, n, values, bound));
}

static MlirValue buildLayout(CuteLowering *lowering, CuteLayout layout);

// A layout or swizzle inside of a value, or the tuples of a layout: the latter
// are built also where they are static.
static MlirValue buildPart(CuteLowering *lowering, CuteType bound) {
  if (!cuteTypeIsTuple(bound) && cuteTypeIsStatic(bound))
    return cuteBuildStatic(&lowering->builder, lowering->dialect, bound);
  return cuteTypeIsLayout(bound) ? buildLayout(lowering, bound->layout)
                                 : buildLeaves(lowering, bound);
}

// The op of these parts, which are built in the order of a struct's fields: a
// composed layout's from the last to the first.
static MlirValue buildFrom(CuteLowering *lowering, CuteOpId id, size_t n,
                           const CuteType *types) {
  MlirValue parts[3];
  bool fromLast = id == CUTE_OP_MAKE_COMPOSED_LAYOUT;
  for (size_t i = 0; i < n; ++i) {
    size_t at = fromLast ? n - 1 - i : i;
    parts[at] = buildPart(lowering, types[at]);
    if (mlirValueIsNull(parts[at]))
      return parts[at];
  }
  return resultOf(cuteBuildOp(&lowering->builder, lowering->dialect, id, n,
                              parts, 0, NULL));
}

static MlirValue buildLayout(CuteLowering *lowering, CuteLayout layout) {
  CuteContext c = lowering->context;
  if (!cuteLayoutIsComposed(layout)) {
    CuteType parts[] = {cuteTypeGetTuple(c, CUTE_TYPE_SHAPE, layout->shape),
                        cuteTypeGetTuple(c, CUTE_TYPE_STRIDE, layout->stride)};
    return buildFrom(lowering, CUTE_OP_MAKE_LAYOUT, 2, parts);
  }
  CuteType parts[] = {layout->inner ? cuteTypeGetLayout(c, layout->inner)
                                    : cuteTypeGetSwizzle(c, layout->swizzle),
                      cuteTypeGetTuple(c, CUTE_TYPE_INT_TUPLE, layout->offset),
                      cuteTypeGetLayout(c, cuteLayoutGetOuter(c, layout))};
  return buildFrom(lowering, CUTE_OP_MAKE_COMPOSED_LAYOUT, 3, parts);
}

// The value of a bound type out of its integers; null after a diagnostic.
static MlirValue buildValue(CuteLowering *lowering, CuteType bound) {
  if (cuteTypeIsStatic(bound))
    return cuteBuildStatic(&lowering->builder, lowering->dialect, bound);
  return buildPart(lowering, bound);
}

static bool replaceResults(CuteLowering *lowering, const CuteOp *op,
                           MlirOperation source) {
  for (size_t i = 0; i < op->numWritten; ++i) {
    MlirValue result = getResult(source, (intptr_t)i);
    CuteType type = op->written[i];
    if (type->kind == CUTE_TYPE_FOREIGN ||
        mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
      continue;
    if (!cuteTypeIsStatic(type))
      type = cuteLoweringGet(lowering, result)->type;
    MlirValue built = buildValue(lowering, type);
    if (mlirValueIsNull(built))
      return false;
    mlirValueReplaceAllUsesOfWith(result, built);
  }
  return true;
}

//===-- The pass ----------------------------------------------------------===//

// Tells whether anybody needs more of the op than its static results.
static bool needsArithmetic(const CuteOp *op, MlirOperation source) {
  for (size_t i = 0; i < op->numWritten; ++i)
    if (!cuteTypeIsStatic(op->written[i]) &&
        !mlirOpOperandIsNull(
            mlirValueGetFirstUse(getResult(source, (intptr_t)i))))
      return true;
  return false;
}

static bool emitArithmetic(CuteLowering *lowering, const CuteOp *op,
                           MlirOperation source) {
  if (!bindOperands(lowering, op, source))
    return false;
  const CuteOpDecl *decl = op->decl;
  CuteOp bound = cuteLoweringBind(lowering, decl, source);
  lowering->op = &bound;
  if (cuteOpGetLowering(decl)(lowering))
    return true;
  return cuteEmitOpError(source, "%s", cuteContextGetError(lowering->context));
}

static bool expandAlgebra(CuteLowering *lowering, const CuteOp *op,
                          MlirOperation source) {
  bool isNeeded = needsArithmetic(op, source);
  if (isNeeded && isDynamicComparison(op))
    return expandComparison(lowering, op, source);
  return (!isNeeded || emitArithmetic(lowering, op, source)) &&
         replaceResults(lowering, op, source);
}

static bool expandOp(CuteLowering *lowering, const CuteOpDecl *decl,
                     MlirOperation source) {
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&lowering->context->scratch);
  CuteOp op = cuteDialectGetOp(lowering->dialect, decl, source);
  lowering->source = source;
  lowering->builder = cuteBuilderBefore(source);
  return !isAlgebra(&op) || expandAlgebra(lowering, &op, source);
}

static void eraseExpanded(CuteOpList *list) {
  for (size_t i = list->count; i-- > 0;)
    if (list->decls[i]->traits.isPure && !cuteMlirIsUsed(list->ops[i]))
      mlirOperationDestroy(list->ops[i]);
}

bool cuteRunExpandOps(const CutePass *pass) {
  CuteOpList list = cuteOpListCollect(pass->dialect, pass->root);
  CuteLowering lowering;
  cuteLoweringInit(&lowering, pass->dialect, pass->root);
  CUTE_SCOPED(Arithmetic)
  plain = cuteArithmeticBegin(pass->dialect->context, &cutePlainArithmetic,
                              &lowering);
  bool ok = true;
  for (size_t i = 0; ok && i < list.count; ++i)
    if (list.decls[i]->traits.isPure && !isBaseOp(list.decls[i]))
      ok = expandOp(&lowering, list.decls[i], list.ops[i]);
  if (ok)
    eraseExpanded(&list);
  return ok;
}
