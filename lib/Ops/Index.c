// Sizes, coordinates and indices.
#include "Ops/ops.h"

static bool returnIntTuple(CuteOp *op, CuteIntTuple tuple) {
  return cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE, tuple);
}

CUTE_INFER(inferSize, returnIntTuple,
           cuteIntTupleProduct(
               c,
               cuteIntTupleGetAt(c, cuteTypeGetShape(op->operands[0]), MODES)));
CUTE_INFER(inferCosize, returnIntTuple,
           cuteLayoutGetCosize(c, cuteLayoutGetAt(c, LAYOUT(0), MODES)));

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
  else
    return cuteTypeFindElement(op->context, named->text, element);
  return isTensor && !named;
}

static bool inferSizeInBytes(CuteOp *op) {
  CuteContext c = op->context;
  CuteType type = op->operands[0];
  CuteElementType element;
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

CUTE_INFER(inferLayoutEval, returnIndex, LAYOUT(1)->shape,
           cuteLayoutEval(c, LAYOUT(1), TUPLE(0)));
CUTE_INFER(inferCrd2Idx, returnIndex, TUPLE(1),
           cuteCrd2Idx(c, TUPLE(0), TUPLE(1)));
CUTE_INFER(inferProduct, cuteOpReturnAlike, cuteIntTupleProduct(c, TUPLE(0)));
CUTE_INFER(inferProductEach, cuteOpReturnAlike,
           cuteIntTupleProductEach(c, TUPLE(0)));
CUTE_INFER(inferProductLike, cuteOpReturnAlike,
           cuteIntTupleProductLike(c, TUPLE(0), TUPLE(1)));
CUTE_INFER(inferIncrement, cuteOpReturnAlike,
           cuteIncrementCoord(c, TUPLE(0), TUPLE(1)));

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
    CUTE_HOOKS("tuple_product", inferProduct),
    CUTE_HOOKS("tuple_product_each", inferProductEach),
    CUTE_HOOKS("tuple_product_like", inferProductLike),
    CUTE_HOOKS("layout_eval", inferLayoutEval),
    CUTE_HOOKS("crd2idx", inferCrd2Idx),
    CUTE_HOOKS("idx2crd", inferIdx2Crd),
    CUTE_HOOKS("increment_coord", inferIncrement),
    {.name = NULL},
};
