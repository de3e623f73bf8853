// Arithmetic on and comparison of whole tuples.
#include "Ops/ops.h"

static bool checkSameKind(CuteOp *op) {
  if (operandKind(op, 0) == operandKind(op, 1))
    return true;
  return cuteFail(op->context,
                  "both operands must be of the same kind, not %s and %s",
                  cuteTypeKindGetName(operandKind(op, 0)),
                  cuteTypeKindGetName(operandKind(op, 1)));
}

static bool inferSum(CuteOp *op) {
  CuteContext c = op->context;
  bool adds = op->decl->id == CUTE_OP_TUPLE_ADD;
  return checkSameKind(op) &&
         cuteOpReturnAlike(op, (adds ? cuteIntTupleAdd : cuteIntTupleSubtract)(
                                   c, TUPLE(0), TUPLE(1)));
}

// Tells whether dividing the tuple by a leaf divides more than one part.
static bool splits(CuteIntTuple tuple) {
  while (isTuple(tuple) && tuple->rank == 1)
    tuple = tuple->elements[0];
  return isTuple(tuple) && tuple->rank > 1;
}

// Checks a divisor. As in the open dialect, a leaf inside a tuple divisor
// splits nothing.
static bool checkDivisor(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  for (size_t i = 0; isTuple(a) && isTuple(b) && i < a->rank && i < b->rank;
       ++i) {
    CuteIntTuple x = a->elements[i], y = b->elements[i];
    if (!isTuple(y) && splits(x))
      return cuteFailTuples(c, "shape_div: inside a tuple the divisor ", y,
                            " cannot be split over ", x);
    if (!checkDivisor(c, x, y))
      return false;
  }
  return true;
}

static bool inferShapeDiv(CuteOp *op) {
  return checkDivisor(op->context, TUPLE(0), TUPLE(1)) &&
         cuteOpReturnTuple(
             op, CUTE_TYPE_SHAPE,
             cuteIntTupleShapeDiv(op->context, TUPLE(0), TUPLE(1)));
}

CUTE_INFER(inferCeilDiv, cuteOpReturnAlike,
           operandKind(op, 1) == CUTE_TYPE_TILE
               ? cuteTileCeilDiv(c, TUPLE(0), TILE(1))
               : cuteIntTupleCeilDiv(c, TUPLE(0), TUPLE(1)));
CUTE_INFER(inferRoundUp, cuteOpReturnAlike,
           cuteIntTupleRoundUp(c, TUPLE(0), TUPLE(1)));

static bool inferElemLess(CuteOp *op) {
  CuteIntTuple a = operandTuple(op, 0), b = operandTuple(op, 1);
  if (!cuteIntTupleIsCongruent(a, b))
    return cuteFailTuples(op->context, "elem_less: ", a,
                          " is not congruent to ", b);
  if ((a->flags | b->flags) & (HAS_ERROR | HAS_BASIS))
    return cuteFailTuples(op->context, "elem_less: cannot compare ", a,
                          " with ", b);
  return cuteOpReturnForeign(op, "i1");
}

static bool inferEqual(CuteOp *op) {
  CuteIntTuple a = operandTuple(op, 0), b = operandTuple(op, 1);
  if (a && b && (a->flags | b->flags) & HAS_ERROR)
    return cuteFailTuples(op->context, "equal: error leaf in ", a, " or ", b);
  return checkSameKind(op) && cuteOpReturnForeign(op, "i1");
}

//===-- Comparisons that are known ----------------------------------------===//

// Tells whether congruent tuples have `_` in the same places.
static bool underscoresMatch(CuteIntTuple a, CuteIntTuple b) {
  if (!((a->flags | b->flags) & HAS_UNDERSCORE))
    return true;
  if (!isTuple(a))
    return isUnderscore(a) == isUnderscore(b);
  for (size_t i = 0; i < a->rank; ++i)
    if (!underscoresMatch(a->elements[i], b->elements[i]))
      return false;
  return true;
}

static CuteScalars scalarsOf(const CuteOp *op, size_t i) {
  return cuteScalarsOf(op->context, op->operands[i], false);
}

static bool isLess(const CuteOp *op) {
  return op->decl->id == CUTE_OP_ELEM_LESS;
}

static bool isComparable(const CuteOp *op) {
  return !isLess(op) ||
         underscoresMatch(op->operands[0]->tuple, op->operands[1]->tuple);
}

bool cuteOpIsNeverEqual(const CuteOp *op) {
  return !isLess(op) && scalarsOf(op, 0).count != scalarsOf(op, 1).count;
}

int cuteOpDecideComparison(const CuteOp *op) {
  if (!isLess(op))
    return op->operands[0] == op->operands[1];
  CuteScalars x = scalarsOf(op, 0), y = scalarsOf(op, 1);
  if (x.count != y.count || !isComparable(op))
    return -1;
  for (size_t i = 0; i < x.count; ++i)
    if (x.leaves[i]->value >= y.leaves[i]->value)
      return 0;
  return 1;
}

bool cuteOpCheckComparison(const CuteOp *op) {
  if (!isComparable(op))
    cuteFailTuples(op->context, "elem_less: _ has no value to compare in ",
                   operandTuple(op, 0), " and ", operandTuple(op, 1));
  return isComparable(op);
}

//===-- Questions about profiles and strides ------------------------------===//

CuteIntTuple cuteOpGetFirstStride(const CuteOp *op) {
  const CuteAttribute *mode = cuteOpGetAttribute(op, "mode");
  CuteType type = op->operands[0];
  CuteIntTuple part = cuteIntTupleGetAt(
      op->context, type->layout ? type->layout->stride : type->tuple,
      mode->numInts, mode->ints);
  return part ? cuteIntTupleFront(op->context, part) : NULL;
}

int cuteOpDecideQuestion(const CuteOp *op) {
  if (op->decl->id == CUTE_OP_IS_MAJOR) {
    CuteIntTuple first = cuteOpGetFirstStride(op);
    return isDynamic(first) ? -1 : isStaticValue(first, 1);
  }
  CuteIntTuple a = cuteTypeGetShape(op->operands[0]);
  CuteIntTuple b = cuteTypeGetShape(op->operands[1]);
  return op->decl->id == CUTE_OP_IS_CONGRUENT
             ? cuteIntTupleIsCongruent(a, b)
             : cuteIntTupleIsWeaklyCongruent(a, b);
}

static bool inferQuestion(CuteOp *op) {
  return (op->decl->id != CUTE_OP_IS_MAJOR || cuteOpGetFirstStride(op)) &&
         cuteOpReturnForeign(op, "i1");
}

const CuteOpHooks cuteTupleArithmeticOps[] = {
    CUTE_HOOKS("tuple_add", inferSum),
    CUTE_HOOKS("tuple_sub", inferSum),
    CUTE_HOOKS("shape_div", inferShapeDiv),
    CUTE_HOOKS("ceil_div", inferCeilDiv),
    CUTE_HOOKS("round_up", inferRoundUp),
    CUTE_HOOKS("elem_less", inferElemLess),
    CUTE_HOOKS("equal", inferEqual),
    CUTE_HOOKS("is_congruent", inferQuestion),
    CUTE_HOOKS("is_weakly_congruent", inferQuestion),
    CUTE_HOOKS("is_major", inferQuestion),
    {.name = NULL},
};
