// Arithmetic on whole tuples, and the cosize of layouts, which rests on it.
#include "Algebra/trace.h"

CuteIntTuple cuteIntTupleProduct(CuteContext context, CuteIntTuple tuple) {
  if (!tuple)
    return NULL;
  if (!isTuple(tuple))
    return cuteLeafMul(context, tuple, staticInt(context, 1));
  CuteIntTuple result = staticInt(context, 1);
  for (size_t i = 0; i < tuple->rank; ++i)
    result = cuteLeafMul(context, result,
                         cuteIntTupleProduct(context, tuple->elements[i]));
  return result;
}

CuteIntTuple cuteIntTupleProductEach(CuteContext context, CuteIntTuple tuple) {
  if (!tuple)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return CUTE_TUPLE_OF(context, i, tuple->rank,
                       cuteIntTupleProduct(context, element(tuple, i)));
}

//===-- Sums --------------------------------------------------------------===//

typedef CuteIntTuple LeafFunction(CuteContext c, CuteIntTuple a,
                                  CuteIntTuple b);

static CuteIntTuple combine(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                            LeafFunction *leaf) {
  if (!isTuple(a) && !isTuple(b))
    return leaf(c, a, b);
  if (!isTuple(a) || !isTuple(b))
    return cuteFailTuples(c, "tuple arithmetic: cannot pair ", a, " with ", b);
  size_t n = a->rank > b->rank ? a->rank : b->rank;
  return CUTE_TUPLE_OF(c, i, n,
                       i >= a->rank ? b->elements[i]
                       : i >= b->rank
                           ? a->elements[i]
                           : combine(c, a->elements[i], b->elements[i], leaf));
}

static CuteIntTuple combineAll(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                               LeafFunction *leaf) {
  if ((a->flags | b->flags) & HAS_ERROR)
    return cuteFailTuples(c, "tuple arithmetic: error leaf in ", a, " or ", b);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return combine(c, a, b, leaf);
}

CuteIntTuple cuteIntTupleAdd(CuteContext context, CuteIntTuple a,
                             CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  if (isStaticValue(a, 0) && isTuple(b) && !b->flags)
    return b->rank ? b : a;
  if (isStaticValue(b, 0) && isTuple(a) && !a->flags)
    return a->rank ? a : b;
  return combineAll(context, a, b, cuteLeafAdd);
}

CuteIntTuple cuteIntTupleSubtract(CuteContext context, CuteIntTuple a,
                                  CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  if (isStaticValue(b, 0) && isTuple(a) && !a->flags)
    return a->rank ? a : b;
  return combineAll(context, a, b, cuteLeafSub);
}

//===-- Quotients ---------------------------------------------------------===//

typedef struct Division {
  LeafFunction *leaf;
  const char *name;
  bool padsDivisor; // missing elements of a tuple divisor count as 1
} Division;

static CuteIntTuple divide(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                           const Division *division);

// The divisor is used up from left to right.
static CuteIntTuple divideByLeaf(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                                 const Division *division) {
  CuteIntTuple *parts = cuteScratch(c, a->rank * sizeof *parts);
  for (size_t i = 0; b && i < a->rank; ++i) {
    parts[i] = divide(c, a->elements[i], b, division);
    if (i + 1 < a->rank)
      b = division->leaf(c, b, cuteIntTupleProduct(c, a->elements[i]));
  }
  return b ? cuteInternTuple(c, a->rank, parts) : NULL;
}

static CuteIntTuple divide(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                           const Division *division) {
  if (!isTuple(a))
    return division->leaf(c, a, cuteIntTupleProduct(c, b));
  if (!isTuple(b))
    return divideByLeaf(c, a, b, division);
  if (b->rank > a->rank || (b->rank < a->rank && !division->padsDivisor))
    return cuteFail(c, "%s: cannot divide %s by %s", division->name,
                    cuteTupleText(c, a), cuteTupleText(c, b));
  return CUTE_TUPLE_OF(c, i, a->rank,
                       i < b->rank
                           ? divide(c, a->elements[i], b->elements[i], division)
                           : a->elements[i]);
}

static CuteIntTuple divideAll(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                              const Division *division) {
  if (!a || !b)
    return NULL;
  if ((a->flags | b->flags) & HAS_ERROR)
    return cuteFailTuples(c, "division: error leaf in ", a, " or ", b);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return divide(c, a, b, division);
}

CuteIntTuple cuteIntTupleShapeDiv(CuteContext context, CuteIntTuple a,
                                  CuteIntTuple b) {
  static const Division shapeDiv = {cuteLeafShapeDiv, "shape_div", false};
  return divideAll(context, a, b, &shapeDiv);
}

CuteIntTuple cuteIntTupleCeilDiv(CuteContext context, CuteIntTuple a,
                                 CuteIntTuple b) {
  static const Division ceilDiv = {cuteLeafCeilDiv, "ceil_div", true};
  return divideAll(context, a, b, &ceilDiv);
}

//===-- Leaf by leaf ------------------------------------------------------===//

static CuteIntTuple roundUp(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!isTuple(a) && !isTuple(b))
    return cuteLeafMul(c, cuteLeafCeilDiv(c, a, b), b);
  if (!isTuple(a) || !isTuple(b) || b->rank > a->rank)
    return cuteFailTuples(c, "round_up: cannot pair ", a, " with ", b);
  return CUTE_TUPLE_OF(c, i, a->rank,
                       roundUp(c, a->elements[i],
                               i < b->rank ? b->elements[i] : staticInt(c, 1)));
}

CuteIntTuple cuteIntTupleRoundUp(CuteContext context, CuteIntTuple a,
                                 CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return roundUp(context, a, b);
}

CuteIntTuple cuteIntTupleElemScale(CuteContext context, CuteIntTuple a,
                                   CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  if (!isTuple(a))
    return cuteLeafMul(context, a, cuteIntTupleProduct(context, b));
  if (!isTuple(b) || a->rank != b->rank)
    return cuteFailTuples(context, "elem_scale: cannot pair ", a, " with ", b);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return CUTE_TUPLE_OF(
      context, i, a->rank,
      cuteIntTupleElemScale(context, a->elements[i], b->elements[i]));
}

CuteIntTuple cuteIntTupleInnerProduct(CuteContext context, CuteIntTuple a,
                                      CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  if (!cuteIntTupleIsCongruent(a, b))
    return cuteFailTuples(context, "inner_product: ", a,
                          " is not congruent to ", b);
  if (!isTuple(a))
    return cuteLeafMul(context, a, b);
  CuteIntTuple sum = staticInt(context, 0);
  for (size_t i = 0; i < a->rank; ++i)
    sum = cuteLeafAdd(
        context, sum,
        cuteIntTupleInnerProduct(context, a->elements[i], b->elements[i]));
  return sum;
}

//===-- Cosize and coshape ------------------------------------------------===//

static CuteIntTuple absLeaf(CuteContext c, Mode leaf,
                            CUTE_UNUSED void *unused) {
  return cuteLeafAbs(c, leaf.shape);
}

static CuteIntTuple addLeaf(CuteContext c, Mode leaf, void *summand) {
  return cuteLeafAdd(c, leaf.shape, staticInt(c, *(const int64_t *)summand));
}

static CuteIntTuple addToLeaves(CuteContext c, CuteIntTuple tuple,
                                int64_t summand) {
  return cuteMapLeaves(c, tupleMode(tuple), addLeaf, &summand);
}

// Tells whether a dynamic extent has stride 0.
static bool hasFreeExtent(CuteIntTuple shape, CuteIntTuple stride) {
  if (!isTuple(shape))
    return !isStatic(shape) && isStaticValue(stride, 0);
  for (size_t i = 0; i < shape->rank; ++i)
    if (hasFreeExtent(shape->elements[i], stride->elements[i]))
      return true;
  return false;
}

// The coordinate of the largest index. As in the open dialect, a mode of
// several leaves has it as an integer: so extents without a stride decide on
// the width of the cosize, and on whether it is dynamic. Where there are none,
// the last coordinate of each leaf comes to the same.
static CuteIntTuple lastCoords(CuteContext c, CuteIntTuple shape,
                               CuteIntTuple stride) {
  if (!isTuple(shape))
    return addToLeaves(c, shape, -1);
  CuteIntTuple *parts = cuteScratch(c, shape->rank * sizeof *parts);
  for (size_t i = 0; i < shape->rank; ++i) {
    CuteIntTuple mode = shape->elements[i];
    if (isTuple(mode) && hasFreeExtent(mode, stride->elements[i]))
      mode = cuteIntTupleProduct(c, mode);
    parts[i] = addToLeaves(c, mode, -1);
    if (!parts[i])
      return NULL;
  }
  return cuteInternTuple(c, shape->rank, parts);
}

static CuteIntTuple coshape(CuteContext c, CuteLayout layout) {
  if (layout->innerKind == INNER_LAYOUT)
    return cuteFail(c,
                    "cosize: not defined for a layout composed with a layout");
  Mode absolute = {layout->shape,
                   cuteMapLeaves(c, tupleMode(layout->stride), absLeaf, NULL)};
  CuteIntTuple last = lastCoords(c, layout->shape, layout->stride);
  return last ? addToLeaves(c, cuteEvalMode(c, last, absolute), 1) : NULL;
}

CuteIntTuple cuteLayoutGetCoshape(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return coshape(context, layout);
}

CuteIntTuple cuteLayoutGetCosize(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_COSIZE, layout);
  CuteIntTuple each = coshape(context, layout);
  CuteIntTuple result = each ? cuteIntTupleProduct(context, each) : NULL;
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}
