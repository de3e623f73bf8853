#include "Transforms/edit/rounds.h"

static bool hasTensorMap(CuteKernel *kernel, MlirValue tensor) {
  CUTE_FOR_USES(use, tensor) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (cuteDialectIsOp(kernel->dialect, user, CUTE_OP_MAKE_TMA_ATOM))
      return true;
  }
  return false;
}

// Tells whether a value is an extent of a tensor with a map, which is at least
// 1.
static bool isExtent(CuteKernel *kernel, MlirValue value) {
  int64_t leaf;
  MlirValue tensor = cuteValueGetExtentOf(kernel->dialect, value, &leaf);
  return !mlirValueIsNull(tensor) && hasTensorMap(kernel, tensor);
}

static bool isPositive(CuteKernel *kernel, MlirValue value) {
  int64_t number, divisor;
  MlirOperation op = cuteMlirGetOwner(value), sum;
  if (cuteMlirIsConstant(value, &number))
    return number > 0;
  if (mlirOperationIsNull(op))
    return false;
  if (CUTE_IS_ANY(op, "arith.index_cast", "arith.index_castui",
                  "arith.ceildivui", "arith.ceildivsi"))
    return isPositive(kernel, getOperand(op, 0)) &&
           (getNumOperands(op) == 1 || isPositive(kernel, getOperand(op, 1)));
  if (cuteMlirIs(op, "arith.divui") || cuteMlirIs(op, "arith.divsi")) {
    sum = cuteMlirGetOwner(getOperand(op, 0));
    return cuteMlirIs(sum, "arith.addi") &&
           cuteMlirIsConstant(getOperand(op, 1), &divisor) &&
           cuteMlirIsConstant(getOperand(sum, 1), &number) && divisor > 0 &&
           number + 1 >= divisor && isPositive(kernel, getOperand(sum, 0));
  }
  return isExtent(kernel, value);
}

bool cuteRoundsAreSome(CuteKernel *kernel, MlirValue lower, MlirValue upper) {
  int64_t first;
  return cuteMlirIsConstant(lower, &first) && !first &&
         isPositive(kernel, upper);
}
