// Sizes, coordinates and indices.
#include "Ops/ops.h"

static bool returnIntTuple(CuteOp *op, CuteIntTuple tuple) {
  return cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE, tuple);
}

static bool inferSize(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteIntTuple shape = type->layout ? type->layout->shape : type->tuple;
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  if (mode)
    shape = cuteIntTupleGetAt(op->context, shape, mode->numInts, mode->ints);
  return returnIntTuple(op, cuteIntTupleProduct(op->context, shape));
}

static bool inferCosize(CuteOp *op) {
  CuteLayout layout = operandLayout(op, 0);
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  if (mode)
    layout = cuteLayoutGetAt(op->context, layout, mode->numInts, mode->ints);
  return returnIntTuple(op, cuteLayoutGetCosize(op->context, layout));
}

static bool inferTupleProduct(CuteOp *op) {
  return cuteOpReturnTuple(
      op, operandKind(op, 0),
      cuteIntTupleProduct(op->context, operandTuple(op, 0)));
}

static bool inferTupleProductEach(CuteOp *op) {
  return cuteOpReturnTuple(
      op, operandKind(op, 0),
      cuteIntTupleProductEach(op->context, operandTuple(op, 0)));
}

static bool inferTupleProductLike(CuteOp *op) {
  return cuteOpReturnTuple(op, operandKind(op, 0),
                           cuteIntTupleProductLike(op->context,
                                                   operandTuple(op, 0),
                                                   operandTuple(op, 1)));
}

static bool inferLayoutEval(CuteOp *op) {
  return returnIntTuple(op, cuteLayoutEval(op->context, operandLayout(op, 1),
                                           operandTuple(op, 0)));
}

static bool inferCrd2Idx(CuteOp *op) {
  return returnIntTuple(
      op, cuteCrd2Idx(op->context, operandTuple(op, 0), operandTuple(op, 1)));
}

static bool inferIdx2Crd(CuteOp *op) {
  CuteIntTuple index = op->operands[0]->kind == CUTE_TYPE_INT_TUPLE
                           ? operandTuple(op, 0)
                           : cuteOpGetIndex(op, 0);
  return index && cuteOpReturnTuple(
                      op, CUTE_TYPE_COORD,
                      cuteIdx2Crd(op->context, index, operandTuple(op, 1)));
}

static bool inferIncrementCoord(CuteOp *op) {
  return cuteOpReturnTuple(op, CUTE_TYPE_COORD,
                           cuteIncrementCoord(op->context, operandTuple(op, 0),
                                              operandTuple(op, 1)));
}

const CuteOpHooks cuteIndexOps[] = {
    {.name = "size", .infer = inferSize},
    {.name = "cosize", .infer = inferCosize},
    {.name = "tuple_product", .infer = inferTupleProduct},
    {.name = "tuple_product_each", .infer = inferTupleProductEach},
    {.name = "tuple_product_like", .infer = inferTupleProductLike},
    {.name = "layout_eval", .infer = inferLayoutEval},
    {.name = "crd2idx", .infer = inferCrd2Idx},
    {.name = "idx2crd", .infer = inferIdx2Crd},
    {.name = "increment_coord", .infer = inferIncrementCoord},
    {.name = NULL},
};
