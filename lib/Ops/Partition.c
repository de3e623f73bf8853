// local_tile and local_partition.
#include "Ops/ops.h"

// The attribute's text as a projection; null if there is none.
static bool projectionOf(CuteOp *op, CuteIntTuple *projection) {
  const CuteAttribute *attribute = cuteOpGetAttribute(op, "proj");
  *projection = NULL;
  if (!attribute)
    return true;
  *projection =
      cuteIntTupleParse(op->context, attribute->text, CUTE_SYNTAX_COORD);
  return *projection;
}

bool cuteOpInferLocalTile(CuteOp *op) {
  CuteIntTuple projection;
  if (!projectionOf(op, &projection))
    return false;
  CuteType tensor = op->operands[0];
  return cuteOpReturnPartition(
      op, tensor,
      cuteLayoutLocalTile(op->context, tensor->layout, cuteOpGetTiler(op, 1),
                          operandTuple(op, 2), projection));
}

static bool inferLocalPartition(CuteOp *op) {
  CuteIntTuple projection;
  CuteIntTuple index = cuteOpGetIndex(op, 2);
  CuteType tensor = op->operands[0];
  CuteLayout threads = cuteOpGetLayout(op, 1);
  if (!index || !threads || !projectionOf(op, &projection))
    return false;
  return cuteOpReturnPartition(op, tensor,
                               cuteLayoutLocalPartition(op->context,
                                                        tensor->layout, threads,
                                                        index, projection));
}

const CuteOpHooks cutePartitionOps[] = {
    CUTE_HOOKS("local_tile", cuteOpInferLocalTile),
    CUTE_HOOKS("local_partition", inferLocalPartition),
    {.name = NULL},
};
