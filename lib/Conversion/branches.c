#include "Conversion/conversion.h"

// Puts a terminator with one or two successors at the end of a block, and what
// is passed to the first of them.
static void branch(MlirBlock from, MlirLocation location, const char *name,
                   size_t n, const MlirValue *operands, intptr_t numTargets,
                   const MlirBlock *targets) {
  MlirOperationState state =
      mlirOperationStateGet(cuteMlirString(name), location);
  mlirOperationStateAddOperands(&state, (intptr_t)n, operands);
  mlirOperationStateAddSuccessors(&state, numTargets, targets);
  MlirContext context = mlirLocationGetContext(location);
  MlirNamedAttribute sizes = mlirNamedAttributeGet(
      mlirIdentifierGet(context, cuteMlirString("operandSegmentSizes")),
      mlirDenseI32ArrayGet(context, 3, (int32_t[]){1, 0, 0}));
  if (numTargets == 2)
    mlirOperationStateAddAttributes(&state, 1, &sizes);
  mlirBlockAppendOwnedOperation(from, mlirOperationCreate(&state));
}

// The block with an argument for each result of the op, to which all goes that
// follows it.
static MlirBlock splitAfter(MlirOperation op) {
  intptr_t n = getNumResults(op);
  MlirBlock from = mlirOperationGetBlock(op);
  MlirBlock rest = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockAfter(mlirBlockGetParentRegion(from), from, rest);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue result = getResult(op, i);
    mlirValueReplaceAllUsesOfWith(
        result, mlirBlockAddArgument(rest, mlirValueGetType(result),
                                     mlirOperationGetLocation(op)));
  }
  MlirOperation moved;
  while ((moved = mlirOperationGetNextInBlock(op)).ptr) {
    mlirOperationRemoveFromParent(moved);
    mlirBlockAppendOwnedOperation(rest, moved);
  }
  return rest;
}

// Takes the block of a region of scf.if into the function, where it branches to
// `rest` with what it yields. The block `rest` itself if the region is empty.
static MlirBlock takeRegion(MlirOperation op, intptr_t i, MlirBlock after,
                            MlirBlock rest) {
  MlirBlock block = cuteMlirGetBody(op, i);
  if (mlirBlockIsNull(block))
    return rest;
  MlirOperation yield = mlirBlockGetTerminator(block);
  intptr_t n = getNumOperands(yield);
  CUTE_FREED MlirValue *values =
      cuteReallocate(NULL, (size_t)n * sizeof *values);
  for (intptr_t j = 0; j < n; ++j)
    values[j] = getOperand(yield, j);
  branch(block, mlirOperationGetLocation(yield), "cf.br", (size_t)n, values, 1,
         &rest);
  mlirOperationDestroy(yield);
  mlirBlockDetach(block);
  mlirRegionInsertOwnedBlockAfter(mlirBlockGetParentRegion(after), after,
                                  block);
  return block;
}

static void convertIf(MlirOperation op) {
  MlirBlock from = mlirOperationGetBlock(op), rest = splitAfter(op), targets[2];
  MlirValue condition = getOperand(op, 0);
  targets[0] = takeRegion(op, 0, from, rest);
  targets[1] = takeRegion(op, 1, targets[0], rest);
  branch(from, mlirOperationGetLocation(op), "cf.cond_br", 1, &condition, 2,
         targets);
  mlirOperationDestroy(op);
}

static void convertBlock(MlirBlock block) {
  CuteOps ops = {0};
  CUTE_FOR_OPS(op, block)
    if (cuteMlirIs(op, "scf.if"))
      cuteOpsPush(&ops, op);
  while (ops.count)
    convertIf(ops.data[--ops.count]);
}

void cuteBranchInsteadOfIf(MlirOperation function) {
  MlirBlock block = cuteMlirGetBody(function, 0);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    convertBlock(block);
}
