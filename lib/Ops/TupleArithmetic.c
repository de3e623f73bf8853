// Arithmetic on and comparison of whole tuples.
#include "Ops/ops.h"

static bool checkSameKind(CuteOp *op) {
  if (operandKind(op, 0) == operandKind(op, 1))
    return true;
  cuteFail(op->context, "both operands must be of the same kind, not %s and %s",
           cuteTypeKindGetName(operandKind(op, 0)),
           cuteTypeKindGetName(operandKind(op, 1)));
  return false;
}

static bool inferTupleAdd(CuteOp *op) {
  return checkSameKind(op) &&
         cuteOpReturnTuple(op, operandKind(op, 0),
                           cuteIntTupleAdd(op->context, operandTuple(op, 0),
                                           operandTuple(op, 1)));
}

static bool inferTupleSub(CuteOp *op) {
  return checkSameKind(op) &&
         cuteOpReturnTuple(op, operandKind(op, 0),
                           cuteIntTupleSubtract(op->context,
                                                operandTuple(op, 0),
                                                operandTuple(op, 1)));
}

static bool inferShapeDiv(CuteOp *op) {
  return cuteOpReturnTuple(op, CUTE_TYPE_SHAPE,
                           cuteIntTupleShapeDiv(op->context,
                                                operandTuple(op, 0),
                                                operandTuple(op, 1)));
}

static bool inferCeilDiv(CuteOp *op) {
  CuteIntTuple result =
      operandKind(op, 1) == CUTE_TYPE_TILE
          ? cuteTileCeilDiv(op->context, operandTuple(op, 0),
                            op->operands[1]->tile)
          : cuteIntTupleCeilDiv(op->context, operandTuple(op, 0),
                                operandTuple(op, 1));
  return cuteOpReturnTuple(op, operandKind(op, 0), result);
}

static bool inferElemLess(CuteOp *op) {
  CuteIntTuple a = operandTuple(op, 0), b = operandTuple(op, 1);
  if (!cuteIntTupleIsCongruent(a, b)) {
    cuteFailTuples(op->context, "elem_less: ", a, " is not congruent to ", b);
    return false;
  }
  bool isStaticPair = !a->numDynamic && !b->numDynamic;
  if ((isStaticPair && (a->flags | b->flags)) ||
      (a->flags | b->flags) & HAS_ERROR) {
    cuteFailTuples(op->context, "elem_less: cannot compare ", a, " with ", b);
    return false;
  }
  return cuteOpReturnForeign(op, "i1");
}

static bool inferEqual(CuteOp *op) {
  return checkSameKind(op) && cuteOpReturnForeign(op, "i1");
}

const CuteOpHooks cuteTupleArithmeticOps[] = {
    {.name = "tuple_add", .infer = inferTupleAdd},
    {.name = "tuple_sub", .infer = inferTupleSub},
    {.name = "shape_div", .infer = inferShapeDiv},
    {.name = "ceil_div", .infer = inferCeilDiv},
    {.name = "elem_less", .infer = inferElemLess},
    {.name = "equal", .infer = inferEqual},
    {.name = NULL},
};
