// cute-fold-static: values that their types spell become constants.
#include "IR/builder.h"
#include "Ops/ops.h"
#include "Transforms/transforms.h"

// Uses of a result with a static type become uses of cute.static.
static bool foldResult(CuteDialect *dialect, MlirOperation op, intptr_t i) {
  MlirValue result = getResult(op, i);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
    return true;
  CuteType type = cuteDialectGetValueType(dialect, result);
  if (!type)
    return cuteEmitOpError(op, "%s", cuteContextGetError(dialect->context));
  if (!cuteTypeIsStatic(type))
    return true;
  CuteBuilder builder = cuteBuilderBefore(op);
  mlirValueReplaceAllUsesOfWith(result,
                                cuteBuildStatic(&builder, dialect, type));
  return true;
}

// 0 or 1 for elem_less and equal of static values, what is never equal, and
// questions about profiles and static strides; otherwise -1.
static int decide(const CuteOp *op) {
  switch (op->decl->id) {
  case CUTE_OP_ELEM_LESS:
  case CUTE_OP_EQUAL:
    return (cuteTypeIsStatic(op->operands[0]) &&
            cuteTypeIsStatic(op->operands[1])) ||
                   cuteOpIsNeverEqual(op)
               ? cuteOpDecideComparison(op)
               : -1;
  default:
    return cuteOpDecideQuestion(op);
  }
}

static bool isComparison(CuteOpId id) {
  return id == CUTE_OP_ELEM_LESS || id == CUTE_OP_EQUAL ||
         id == CUTE_OP_IS_CONGRUENT || id == CUTE_OP_IS_WEAKLY_CONGRUENT ||
         id == CUTE_OP_IS_MAJOR;
}

static void foldComparison(CuteDialect *dialect, const CuteOpDecl *decl,
                           MlirOperation op) {
  if (!isComparison(decl->id))
    return;
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&dialect->context->scratch);
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  int truth = decide(&instance);
  if (truth >= 0) {
    CuteBuilder builder = cuteBuilderBefore(op);
    cuteMlirReplace(op, 0, cuteBuildInt(&builder, 1, truth));
  }
}

static bool isDivisor(CuteIntTuple tuple) {
  return isStatic(tuple) && tuple->value;
}

// Tells whether the op may divide by zero, so that it is left where it is.
static bool mayTrap(CuteDialect *dialect, const CuteOpDecl *decl,
                    MlirOperation op) {
  if ((decl->id != CUTE_OP_SHAPE_DIV && decl->id != CUTE_OP_CEIL_DIV) ||
      getNumOperands(op) != 2)
    return false;
  CuteType divisor = cuteDialectGetOperandType(dialect, op, 1);
  return !divisor ||
         (cuteTypeIsTuple(divisor) ? !cuteIntTupleAll(divisor->tuple, isDivisor)
                                   : !cuteTypeIsStatic(divisor));
}

static bool foldOp(CuteDialect *dialect, const CuteOpDecl *decl,
                   MlirOperation op) {
  if (mayTrap(dialect, decl, op))
    return true;
  if (decl->id != CUTE_OP_STATIC) {
    foldComparison(dialect, decl, op);
    for (intptr_t i = 0; i < getNumResults(op); ++i)
      if (!foldResult(dialect, op, i))
        return false;
  }
  if (!cuteMlirIsUsed(op))
    mlirOperationDestroy(op);
  return true;
}

bool cuteRunFoldStatic(const CutePass *pass) {
  CuteOpList list = cuteOpListCollect(pass->dialect, pass->root);
  bool ok = true;
  for (size_t i = list.count; ok && i-- > 0;)
    if (list.decls[i]->traits.isPure)
      ok = foldOp(pass->dialect, list.decls[i], list.ops[i]);
  return ok;
}
