#include "Transforms/rounds.h"

// The integer of an arith.constant; false for other values.
static bool takeConstant(MlirValue value, int64_t *number) {
  MlirOperation op = cuteValueGetOp(value);
  if (mlirOperationIsNull(op) || !cuteMlirIs(op, "arith.constant") ||
      !mlirAttributeIsAInteger(cuteMlirGetAttribute(op, "value")))
    return false;
  *number = mlirIntegerAttrGetValueInt(cuteMlirGetAttribute(op, "value"));
  return true;
}

static bool hasTensorMap(CuteKernel *kernel, MlirValue tensor) {
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (cuteDialectIsOp(kernel->dialect, user, CUTE_OP_MAKE_TMA_ATOM))
      return true;
  }
  return false;
}

// Counts the leaves of a shape that an op with the attribute only_dynamic
// gives, or all.
static size_t countLeaves(CuteIntTuple shape, bool onlyDynamic) {
  if (!isTuple(shape))
    return !onlyDynamic || !isStatic(shape);
  size_t n = 0;
  for (size_t i = 0; i < shape->rank; ++i)
    n += countLeaves(shape->elements[i], onlyDynamic);
  return n;
}

// Tells whether a value is an extent of a tensor with a map, which is at least
// 1.
static bool isExtent(CuteKernel *kernel, MlirValue value) {
  MlirOperation scalars =
      cuteValueGetOpOf(kernel->dialect, value, CUTE_OP_GET_SCALARS);
  if (mlirOperationIsNull(scalars))
    return false;
  MlirOperation from = cuteValueGetOp(mlirOperationGetOperand(scalars, 0));
  const CuteOpDecl *decl = mlirOperationIsNull(from)
                               ? NULL
                               : cuteDialectGetDecl(kernel->dialect, from);
  if (!decl || (decl->id != CUTE_OP_GET_SHAPE &&
                decl->id != CUTE_OP_GET_LAYOUT && decl->id != CUTE_OP_SIZE))
    return false;
  MlirValue tensor = mlirOperationGetOperand(from, 0);
  CuteType type = cuteDialectGetValueType(kernel->dialect, tensor);
  if (!hasTensorMap(kernel, tensor) || !type || !type->layout ||
      cuteLayoutIsComposed(type->layout))
    return false;
  bool onlyDynamic = cuteMlirHasAttribute(scalars, "only_dynamic");
  return decl->id != CUTE_OP_GET_LAYOUT ||
         (size_t)mlirOpResultGetResultNumber(value) <
             countLeaves(type->layout->shape, onlyDynamic);
}

static bool isPositive(CuteKernel *kernel, MlirValue value) {
  int64_t number, divisor;
  MlirOperation op = cuteValueGetOp(value), sum;
  if (takeConstant(value, &number))
    return number > 0;
  if (mlirOperationIsNull(op))
    return false;
  if (cuteMlirIs(op, "arith.index_cast") ||
      cuteMlirIs(op, "arith.index_castui") ||
      cuteMlirIs(op, "arith.ceildivui") || cuteMlirIs(op, "arith.ceildivsi"))
    return isPositive(kernel, mlirOperationGetOperand(op, 0)) &&
           (mlirOperationGetNumOperands(op) == 1 ||
            isPositive(kernel, mlirOperationGetOperand(op, 1)));
  if (cuteMlirIs(op, "arith.divui") || cuteMlirIs(op, "arith.divsi")) {
    sum = cuteValueGetOp(mlirOperationGetOperand(op, 0));
    return !mlirOperationIsNull(sum) && cuteMlirIs(sum, "arith.addi") &&
           takeConstant(mlirOperationGetOperand(op, 1), &divisor) &&
           takeConstant(mlirOperationGetOperand(sum, 1), &number) &&
           divisor > 0 && number + 1 >= divisor &&
           isPositive(kernel, mlirOperationGetOperand(sum, 0));
  }
  return isExtent(kernel, value);
}

bool cuteRoundsAreSome(CuteKernel *kernel, MlirValue lower, MlirValue upper) {
  int64_t first;
  return takeConstant(lower, &first) && !first && isPositive(kernel, upper);
}
