#include "IR/effects.h"

//===-- Effects -----------------------------------------------------------===//

// Integer division by anything but a constant may trap.
static bool mayTrap(MlirOperation op) {
  if (!CUTE_BEGINS_WITH_ANY(cuteMlirGetName(op), "arith.div", "arith.rem",
                            "arith.floordiv", "arith.ceildiv"))
    return false;
  MlirValue divisor = getOperand(op, 1);
  if (!mlirTypeIsAInteger(mlirValueGetType(divisor)) &&
      !mlirTypeIsAIndex(mlirValueGetType(divisor)))
    return false;
  return mlirValueIsABlockArgument(divisor) ||
         !cuteMlirIs(mlirOpResultGetOwner(divisor), "arith.constant");
}

static CuteEffect foreignEffect(MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  if (mlirOperationGetNumRegions(op) || mlirOperationGetNumSuccessors(op))
    return CUTE_EFFECT_UNKNOWN;
  if (cuteMlirIs(op, "gpu.barrier"))
    return CUTE_EFFECT_BARRIER;
  if (CUTE_TEXT_IS_ANY(
          name, "gpu.thread_id", "gpu.block_id", "gpu.block_dim",
          "gpu.grid_dim", "gpu.cluster_id", "gpu.cluster_dim",
          "gpu.cluster_block_id", "gpu.lane_id", "gpu.subgroup_id", "ub.poison",
          "vector.bitcast", "vector.broadcast", "vector.extract",
          "vector.extract_strided_slice", "vector.fma", "vector.from_elements",
          "vector.insert", "vector.insert_strided_slice", "vector.reduction",
          "vector.shape_cast", "vector.shuffle", "vector.to_elements"))
    return CUTE_EFFECT_NONE;
  if (CUTE_TEXT_IS_ANY(name, "gpu.shuffle", "gpu.subgroup_reduce"))
    return CUTE_EFFECT_LANES;
  bool isArithmetic =
      cuteMlirStartsWith(name, "arith.") || cuteMlirStartsWith(name, "math.");
  return isArithmetic && !mayTrap(op) ? CUTE_EFFECT_NONE : CUTE_EFFECT_UNKNOWN;
}

CuteEffect cuteEffectGet(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl ? decl->traits.effect : foreignEffect(op);
}

intptr_t cuteEffectGetWritten(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl ? decl->traits.written : CUTE_NO_OPERAND;
}

bool cuteEffectReads(CuteDialect *dialect, MlirOperation op, intptr_t i) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl && cuteOpTraitsReads(&decl->traits, i);
}

//===-- Copies and waits --------------------------------------------------===//

static MlirValue operandOrNull(MlirOperation op, int i) {
  return i >= 0 && i < getNumOperands(op) ? getOperand(op, i)
                                          : (MlirValue){NULL};
}

bool cuteEffectGetCopy(CuteDialect *dialect, MlirOperation op,
                       CuteCopyParts *parts) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl || decl->traits.source < 0)
    return false;
  *parts = (CuteCopyParts){operandOrNull(op, decl->traits.by),
                           operandOrNull(op, decl->traits.source),
                           operandOrNull(op, decl->traits.written),
                           operandOrNull(op, decl->traits.predicate)};
  return true;
}

int64_t cuteEffectGetPending(CuteDialect *dialect, MlirOperation op) {
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&dialect->context->scratch);
  CuteOp instance =
      cuteDialectGetOp(dialect, cuteDialectGetDecl(dialect, op), op);
  const CuteAttribute *n = cuteOpGetAttribute(&instance, "n");
  return n ? n->value : 0;
}
