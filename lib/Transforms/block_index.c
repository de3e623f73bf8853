#include "Transforms/block_index.h"

bool cuteBlockIndexIsOp(CuteDialect *dialect, MlirOperation op) {
  return cuteDialectIsOp(dialect, op, CUTE_OP_BLOCK_IDX) ||
         cuteMlirIs(op, "gpu.block_id");
}

// Gives what a value is that an arith.select with a constant condition, or the
// layout of a slice, takes from another; the value itself for others.
static MlirValue originOf(CuteDialect *dialect, MlirValue value) {
  MlirOperation op = cuteValueGetOp(value);
  if (mlirOperationIsNull(op))
    return value;
  if (cuteDialectIsOp(dialect, op, CUTE_OP_GET_LAYOUT) ||
      cuteDialectIsOp(dialect, op, CUTE_OP_GET_SHAPE)) {
    MlirOperation slice = cuteValueGetOpOf(
        dialect, mlirOperationGetOperand(op, 0), CUTE_OP_SLICE);
    return mlirOperationIsNull(slice) ? value
                                      : mlirOperationGetOperand(slice, 0);
  }
  MlirOperation condition = cuteMlirIs(op, "arith.select")
                                ? cuteValueGetOp(mlirOperationGetOperand(op, 0))
                                : (MlirOperation){NULL};
  if (mlirOperationIsNull(condition) ||
      !cuteMlirIs(condition, "arith.constant"))
    return value;
  bool isTrue =
      mlirIntegerAttrGetValueInt(cuteMlirGetAttribute(condition, "value"));
  return mlirOperationGetOperand(op, isTrue ? 1 : 2);
}

// Tells whether a number depends on which block it is.
static bool dependsOnBlock(CuteDialect *dialect, MlirValue value) {
  MlirValue origin = originOf(dialect, value);
  if (!mlirValueEqual(origin, value))
    return dependsOnBlock(dialect, origin);
  MlirOperation op = cuteValueGetOp(value);
  if (mlirOperationIsNull(op))
    return false;
  bool depends = cuteBlockIndexIsOp(dialect, op);
  for (intptr_t i = 0; !depends && i < mlirOperationGetNumOperands(op); ++i)
    depends = dependsOnBlock(dialect, mlirOperationGetOperand(op, i));
  return depends;
}

bool cuteBlockIndexCheckRounds(CuteKernel *kernel, MlirBlock consumer) {
  for (MlirOperation op = mlirBlockGetFirstOperation(consumer);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; cuteMlirIs(op, "scf.for") && i < 3; ++i)
      if (dependsOnBlock(kernel->dialect, mlirOperationGetOperand(op, i)))
        return cuteKernelFail(kernel, op,
                              "has more rounds for some tiles than for others, "
                              "which the hardware deals out better than a loop "
                              "over tiles");
  return true;
}
