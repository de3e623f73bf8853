// Sizes, coordinates and indices.
#include "Ops/ops.h"

static bool returnIntTuple(CuteOp *op, CuteIntTuple tuple) {
  return cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE, tuple);
}

static bool inferSize(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteIntTuple shape = cuteTypeGetShape(type);
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

// Takes the element type from the attribute, or from a tensor.
static bool elementOf(CuteOp *op, CuteElementType *element) {
  CuteType type = op->operands[0];
  const CuteAttribute *named = cuteOpGetAttribute(op, "element");
  bool isTensor = type->kind == CUTE_TYPE_TENSOR;
  if (isTensor && !named)
    *element = type->element;
  else if (!isTensor && !named)
    cuteFail(op->context, "the elements of a layout have no type of their own; "
                          "name one, as in <f16>");
  else if (isTensor)
    cuteFail(op->context, "a tensor has an element type of its own");
  else if (!cuteElementTypeFind(named->text, element))
    cuteFail(op->context, "'%.*s' is not an element type",
             CUTE_TEXT(named->text));
  else
    return true;
  return isTensor && !named;
}

static bool inferSizeInBytes(CuteOp *op) {
  CuteContext c = op->context;
  CuteType type = op->operands[0];
  CuteElementType element;
  if (type->kind == CUTE_TYPE_STRUCT)
    return returnIntTuple(op, staticInt(c, cuteTypeGetStructBytes(c, type)));
  if (!elementOf(op, &element))
    return false;
  int64_t bits = cuteElementTypeGetBits(element);
  CuteIntTuple eight = staticInt(c, 8),
               n = cuteLayoutGetCosize(c, type->layout);
  return returnIntTuple(
      op, bits % 8
              ? cuteLeafCeilDiv(c, cuteLeafMul(c, n, staticInt(c, bits)), eight)
              : cuteLeafMul(c, n, staticInt(c, bits / 8)));
}

static bool isEmpty(CuteIntTuple tuple) {
  return isTuple(tuple) && !tuple->rank;
}

// The index of () is (), as in the open dialect.
static bool returnIndex(CuteOp *op, CuteIntTuple shape, CuteIntTuple index) {
  CuteIntTuple coord = operandTuple(op, 0);
  return returnIntTuple(op, isEmpty(coord) && isEmpty(shape) ? coord : index);
}

static bool inferLayoutEval(CuteOp *op) {
  CuteLayout layout = operandLayout(op, 1);
  return returnIndex(op, layout->shape,
                     cuteLayoutEval(op->context, layout, operandTuple(op, 0)));
}

static bool inferCrd2Idx(CuteOp *op) {
  CuteIntTuple shape = operandTuple(op, 1);
  return returnIndex(op, shape,
                     cuteCrd2Idx(op->context, operandTuple(op, 0), shape));
}

static bool inferIdx2Crd(CuteOp *op) {
  CuteIntTuple index = op->operands[0]->kind == CUTE_TYPE_INT_TUPLE
                           ? operandTuple(op, 0)
                           : cuteOpGetIndex(op, 0);
  return index && cuteOpReturnTuple(
                      op, CUTE_TYPE_COORD,
                      cuteIdx2Crd(op->context, index, operandTuple(op, 1)));
}

const CuteOpHooks cuteIndexOps[] = {
    CUTE_HOOKS("size", inferSize),
    CUTE_HOOKS("cosize", inferCosize),
    CUTE_HOOKS("size_in_bytes", inferSizeInBytes),
    CUTE_HOOKS("tuple_product", cuteOpInferAlgebra,
               .ofTuple = cuteIntTupleProduct),
    CUTE_HOOKS("tuple_product_each", cuteOpInferAlgebra,
               .ofTuple = cuteIntTupleProductEach),
    CUTE_HOOKS("tuple_product_like", cuteOpInferAlgebra,
               .ofTuples = cuteIntTupleProductLike),
    CUTE_HOOKS("layout_eval", inferLayoutEval),
    CUTE_HOOKS("crd2idx", inferCrd2Idx),
    CUTE_HOOKS("idx2crd", inferIdx2Crd),
    CUTE_HOOKS("increment_coord", cuteOpInferAlgebra,
               .ofTuples = cuteIncrementCoord),
    {.name = NULL},
};
