// Layouts whose strides follow an order: identity, ordered, like.
#include "Algebra/explain_laws.h"

#include "Support/sort.h"

//===-- Identity ----------------------------------------------------------===//

CuteIntTuple cuteUnitStrides(CuteContext c, CuteIntTuple shape,
                             CuteIntTuple path) {
  if (!isTuple(shape)) {
    CuteIntTuple one = staticInt(c, 1);
    return path ? cuteInternBasis(c, one, path) : one;
  }
  return CUTE_TUPLE_OF(
      c, i, shape->rank,
      cuteUnitStrides(c, shape->elements[i], cutePathExtend(c, path, i)));
}

CuteLayout cuteLayoutGetIdentity(CuteContext context, CuteIntTuple shape) {
  if (!shape)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  return cuteInternLayout(context,
                          (Mode){shape, cuteUnitStrides(context, shape, NULL)});
}

//===-- Last mode first ---------------------------------------------------===//

static CuteIntTuple rightStrides(CuteContext c, CuteIntTuple shape,
                                 CuteIntTuple *current) {
  if (!isTuple(shape)) {
    if (isStaticValue(shape, 1))
      return staticInt(c, 0);
    CuteIntTuple stride = *current;
    *current = cuteLeafMul(c, stride, shape);
    return stride;
  }
  CuteIntTuple *strides = cuteScratch(c, shape->rank * sizeof *strides);
  for (size_t i = shape->rank; i-- > 0;)
    strides[i] = rightStrides(c, shape->elements[i], current);
  return cuteInternTuple(c, shape->rank, strides);
}

CuteLayout cuteLayoutGetRight(CuteContext context, CuteIntTuple shape) {
  if (!shape)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteIntTuple end = staticInt(context, 1);
  CuteIntTuple stride = rightStrides(context, shape, &end);
  return end ? cuteInternLayout(context, (Mode){shape, stride}) : NULL;
}

//===-- Strides by sort key -----------------------------------------------===//

// Part of a shape under one sort key.
typedef struct Keyed {
  CuteIntTuple shape, start; // start: stride of the part's first step
  int64_t key;
} Keyed;

static int compareKeys(const void *first, const void *second) {
  const Keyed *a = *(Keyed *const *)first, *b = *(Keyed *const *)second;
  return (a->key > b->key) - (a->key < b->key);
}

// Sets the starts: each the product of the sizes of all parts with lesser keys.
static void assignStarts(CuteContext c, Keyed *parts, size_t n) {
  Keyed **sorted = cuteScratch(c, n * sizeof *sorted);
  for (size_t i = 0; i < n; ++i)
    sorted[i] = &parts[i];
  cuteStableSort(sorted, cuteScratch(c, n * sizeof *sorted), n, sizeof *sorted,
                 compareKeys);
  CuteIntTuple before = staticInt(c, 1), total = before;
  for (size_t i = 0; i < n; ++i) {
    if (i && sorted[i]->key != sorted[i - 1]->key)
      before = total;
    sorted[i]->start = before;
    if (!isStaticValue(sorted[i]->shape, 1))
      trace(c, CUTE_TRACE_ORDER_KEY, sorted[i]->key, sorted[i]->shape, before);
    total = cuteLeafMul(c, total, cuteIntTupleProduct(c, sorted[i]->shape));
  }
}

// Ends an operation whose result is compact.
static CuteLayout checkCompact(CuteContext c, const char *name,
                               CuteLayout result) {
  traceLaw(c, cuteExplainCompactLaw(c, name, result));
  if (!result || !checksLaws(c) ||
      cuteLawAccepts(c, cuteLawCompact(c, name, layoutMode(result))))
    return result;
  return NULL;
}

//===-- Ordered -----------------------------------------------------------===//

static void collectKeyed(CuteIntTuple shape, CuteIntTuple order,
                         Keyed **parts) {
  if (!isTuple(order)) {
    *(*parts)++ = (Keyed){shape, NULL, order->value};
    return;
  }
  for (size_t i = 0; i < order->rank; ++i)
    collectKeyed(shape->elements[i], order->elements[i], parts);
}

static CuteIntTuple keyedStrides(CuteContext c, CUTE_UNUSED Mode order,
                                 void *parts) {
  const Keyed *part = (*(const Keyed **)parts)++;
  return cuteCompactStrides(c, part->shape, part->start);
}

CuteLayout cuteLayoutGetOrdered(CuteContext context, CuteIntTuple shape,
                                CuteIntTuple order) {
  if (!shape || !order)
    return NULL;
  if (!cuteIntTupleAll(order, isStatic) ||
      !cuteIntTupleIsWeaklyCongruent(order, shape))
    return cuteFailTuples(context, "make_ordered_layout: order ", order,
                          " must be static and weakly congruent to shape ",
                          shape);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  size_t n = order->numLeaves;
  Keyed *parts = cuteScratch(context, (n + 1) * sizeof *parts);
  Keyed *end = parts;
  unsigned outer = traceEnter(context, CUTE_TRACE_ORDERED, shape, order);
  collectKeyed(shape, order, &end);
  assignStarts(context, parts, n);
  const Keyed *next = parts;
  CuteIntTuple stride =
      cuteMapLeaves(context, tupleMode(order), keyedStrides, &next);
  CuteLayout result = cuteInternLayout(context, (Mode){shape, stride});
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return checkCompact(context, "make_ordered_layout", result);
}

//===-- Like --------------------------------------------------------------===//

// Keys in the order of the strides: static ones by value, then dynamic ones.
static void collectByStride(CuteContext c, const Modes *leaves, Keyed *parts) {
  int64_t dynamicKey = INT64_MAX - (int64_t)leaves->count;
  for (size_t i = 0; i < leaves->count; ++i) {
    Mode m = leaves->data[i];
    bool isZero = isStaticValue(m.stride, 0);
    parts[i].shape = isZero ? staticInt(c, 1) : m.shape;
    parts[i].key = isStatic(m.stride) ? m.stride->value : dynamicKey++;
  }
}

static CuteIntTuple likeStride(CuteContext c, CUTE_UNUSED Mode leaf,
                               void *parts) {
  const Keyed *part = (*(const Keyed **)parts)++;
  return isStaticValue(part->shape, 1) ? staticInt(c, 0) : part->start;
}

CuteLayout cuteLayoutGetLike(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  if (layout->innerKind == INNER_LAYOUT || layout->stride->flags & HAS_BASIS)
    return cuteFail(context, "make_layout_like: needs integer strides, "
                             "composed at most with a swizzle");
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Modes leaves = {0};
  modesPushLeaves(context, &leaves, layoutMode(layout));
  Keyed *parts = cuteScratch(context, (leaves.count + 1) * sizeof *parts);
  unsigned outer = traceEnter(context, CUTE_TRACE_LIKE, layout);
  collectByStride(context, &leaves, parts);
  assignStarts(context, parts, leaves.count);
  const Keyed *next = parts;
  CuteIntTuple stride =
      cuteMapLeaves(context, layoutMode(layout), likeStride, &next);
  CuteLayout result = cuteInternLayout(context, (Mode){layout->shape, stride});
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return checkCompact(context, "make_layout_like", result);
}

//===-- Fragments ---------------------------------------------------------===//

// Compact column-major strides where stride-0 leaves keep 0 and do not count.
static CuteIntTuple compactNonzero(CuteContext c, Mode leaf, void *end) {
  if (isStaticValue(leaf.stride, 0) || isStaticValue(leaf.shape, 1))
    return staticInt(c, 0);
  CuteIntTuple *current = end, stride = *current;
  *current = cuteLeafMul(c, stride, leaf.shape);
  return stride;
}

// A stride as a sort key: dynamic ones come after all static ones, left to
// right.
static CuteIntTuple strideKey(CuteContext c, Mode leaf, void *dynamicKey) {
  return isStatic(leaf.stride) ? leaf.stride
                               : staticInt(c, (*(int64_t *)dynamicKey)++);
}

// Mode 0 without regard to the order of its strides, then the others in their
// order. One other mode stays nested, as it does in CuTe.
static CuteLayout fragmentLike(CuteContext c, CuteLayout layout) {
  Mode first = modeElement(layoutMode(layout), 0);
  CuteIntTuple end = staticInt(c, 1);
  first.stride = cuteMapLeaves(c, first, compactNonzero, &end);
  size_t rest = layout->shape->rank - 1;
  int64_t dynamicKey = INT64_MAX - (int64_t)layout->stride->numLeaves;
  CuteIntTuple strides = cuteInternTuple(c, rest, layout->stride->elements + 1);
  CuteIntTuple order =
      cuteMapLeaves(c, tupleMode(strides), strideKey, &dynamicKey);
  CuteLayout others = cuteLayoutGetOrdered(
      c, cuteInternTuple(c, rest, layout->shape->elements + 1), order);
  CuteLayout product =
      cuteLayoutLogicalProduct(c, cuteInternLayout(c, first), others);
  if (!product || rest == 1)
    return product;
  Mode repeated = modeElement(layoutMode(product), 1);
  Modes modes = {0};
  modesPush(c, &modes, first);
  for (size_t i = 0; i < rest; ++i)
    modesPush(c, &modes, modeElement(repeated, i));
  return cuteInternLayout(c, modesGetTuple(c, &modes));
}

CuteLayout cuteLayoutGetFragmentLike(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  if (!cuteIntTupleIsStatic(layout->shape))
    return cuteFailTuples(
        context, "make_fragment_like: registers need a static shape, not ",
        layout->shape, " with strides ", layout->stride);
  if (layout->stride->flags & HAS_BASIS || layout->shape->rank < 2)
    return cuteLayoutGet(context, layout->shape, NULL);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_FRAGMENT_LIKE, layout);
  CuteLayout result = fragmentLike(context, layout);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context,
           cuteExplainCompactLaw(context, "make_fragment_like", result));
  return result;
}
