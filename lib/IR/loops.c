#include "IR/loops.h"

bool cuteLoopBoundGet(CuteDialect *dialect, MlirValue value,
                      int64_t *constant) {
  if (mlirValueIsABlockArgument(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (cuteMlirIs(op, "arith.index_cast"))
    return cuteLoopBoundGet(dialect, getOperand(op, 0), constant);
  if (cuteDialectIsOp(dialect, op, CUTE_OP_GET_SCALARS)) {
    CuteType type = cuteDialectGetOperandType(dialect, op, 0);
    bool isKnown = cuteTypeIsTuple(type) && isStatic(type->tuple);
    *constant = isKnown ? type->tuple->value : 0;
    return isKnown;
  }
  MlirAttribute attribute = cuteMlirGetAttribute(op, "value");
  if (!cuteMlirIs(op, "arith.constant") || !mlirAttributeIsAInteger(attribute))
    return false;
  *constant = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

bool cuteLoopGetTrips(CuteDialect *dialect, MlirOperation loop,
                      int64_t *trips) {
  int64_t bounds[3], span;
  if (!cuteMlirIs(loop, "scf.for"))
    return false;
  for (intptr_t i = 0; i < 3; ++i)
    if (!cuteLoopBoundGet(dialect, getOperand(loop, i), &bounds[i]))
      return false;
  if (bounds[2] <= 0 || __builtin_sub_overflow(bounds[1], bounds[0], &span))
    return false;
  *trips = span <= 0 ? 0 : (span - 1) / bounds[2] + 1;
  return true;
}
