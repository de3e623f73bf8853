#include "Transforms/value_origin.h"

#include "IR/builder.h"
#include "IR/effects.h"

MlirOperation cuteValueGetOp(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? (MlirOperation){NULL}
                                          : mlirOpResultGetOwner(value);
}

MlirOperation cuteValueGetOpOf(CuteDialect *dialect, MlirValue value,
                               CuteOpId id) {
  MlirOperation op = cuteValueGetOp(value);
  return !mlirOperationIsNull(op) && cuteDialectIsOp(dialect, op, id)
             ? op
             : (MlirOperation){NULL};
}

static bool haveSameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumAttributes(a);
  if (n != mlirOperationGetNumAttributes(b))
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(a, i);
    if (!mlirAttributeEqual(
            named.attribute,
            mlirOperationGetAttributeByName(b, mlirIdentifierStr(named.name))))
      return false;
  }
  return true;
}

bool cuteValueIsSame(CuteDialect *dialect, MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b))
    return true;
  MlirOperation x = cuteValueGetOp(a), y = cuteValueGetOp(b);
  if (mlirOperationIsNull(x) || mlirOperationIsNull(y) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
      !mlirStringRefEqual(cuteMlirGetName(x), cuteMlirGetName(y)) ||
      cuteEffectGet(dialect, x) != CUTE_EFFECT_NONE ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y) ||
      !haveSameAttributes(x, y))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); ++i)
    if (!cuteValueIsSame(dialect, mlirOperationGetOperand(x, i),
                         mlirOperationGetOperand(y, i)))
      return false;
  return true;
}

static bool isDimensionX(MlirOperation op) {
  CuteBuilder b = {.context = mlirOperationGetContext(op)};
  return mlirAttributeEqual(cuteMlirGetAttribute(op, "dimension"),
                            cuteParsedAttr(&b, "#gpu<dim x>"));
}

bool cuteValueIsThread(CuteDialect *dialect, MlirValue value) {
  MlirOperation op = cuteValueGetOp(value);
  if (mlirOperationIsNull(op))
    return false;
  if (cuteDialectIsOp(dialect, op, CUTE_OP_THREAD_IDX)) {
    MlirAttribute dim = cuteMlirGetAttribute(op, "dim");
    return mlirAttributeIsNull(dim) || *mlirStringAttrGetValue(dim).data == 'x';
  }
  if (cuteMlirIs(op, "arith.index_cast") ||
      cuteMlirIs(op, "arith.index_castui"))
    return cuteValueIsThread(dialect, mlirOperationGetOperand(op, 0));
  return cuteMlirIs(op, "gpu.thread_id") && isDimensionX(op);
}
