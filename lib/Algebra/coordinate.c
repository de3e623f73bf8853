// Coordinates and what layouts give for them.
#include "Algebra/explain_laws.h"

//===-- Arithmetic tuples -------------------------------------------------===//

// Modes that a tuple does not have count as 0, and so does () itself.
static bool isEmpty(CuteIntTuple tuple) {
  return isTuple(tuple) && !tuple->rank;
}

CuteIntTuple cuteArithmeticTupleAdd(CuteContext c, CuteIntTuple a,
                                    CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  if (isStaticValue(a, 0) || (isEmpty(a) && !isTuple(b)))
    return b;
  if (isStaticValue(b, 0) || (isEmpty(b) && !isTuple(a)))
    return a;
  if (!isTuple(a) && !isTuple(b))
    return cuteLeafAdd(c, a, b);
  if (!isTuple(a) || !isTuple(b))
    return cuteFailTuples(c, "cannot add ", a, " and ", b);
  size_t n = a->rank > b->rank ? a->rank : b->rank;
  return CUTE_TUPLE_OF(c, i, n,
                       i >= a->rank   ? b->elements[i]
                       : i >= b->rank ? a->elements[i]
                                      : cuteArithmeticTupleAdd(
                                            c, a->elements[i], b->elements[i]));
}

// value @ path as a tuple. Sums of coordinates keep every
// partial sum: their memory grows with the square of the number of modes.
static CuteIntTuple unitTuple(CuteContext c, CuteIntTuple value,
                              CuteIntTuple path, size_t level) {
  if (!value || level == path->rank)
    return value;
  int64_t mode = path->elements[level]->value;
  if (mode < 0 || mode >= CUTE_MAX_COORD_MODES)
    return cuteFail(
        c, "scaled basis: mode number %jd of a coordinate is not in [0, %d)",
        mode, CUTE_MAX_COORD_MODES);
  size_t n = (size_t)mode + 1;
  CuteIntTuple *elements = cuteScratch(c, n * sizeof *elements);
  for (size_t i = 0; i + 1 < n; ++i)
    elements[i] = staticInt(c, 0);
  elements[n - 1] = unitTuple(c, value, path, level + 1);
  return cuteInternTuple(c, n, elements);
}

//===-- Layout values -----------------------------------------------------===//

static CuteIntTuple evalLeaf(CuteContext c, CuteIntTuple coord,
                             CuteIntTuple stride) {
  CuteIntTuple value = cuteLeafMul(c, coord, stride);
  trace(c, CUTE_TRACE_EVAL_LEAF, coord, stride, value);
  if (isBasis(value))
    return unitTuple(c, basisValue(value), basisPath(value), 0);
  return value;
}

// A scalar coordinate, split over the modes; the last takes what is left. An
// empty mode has one coordinate, and adds nothing.
static CuteIntTuple evalSplit(CuteContext c, CuteIntTuple coord, Mode a) {
  CuteIntTuple sum = staticInt(c, 0);
  size_t rank = a.shape->rank;
  for (size_t i = 0; i < rank; ++i) {
    Mode mode = modeElement(a, i);
    CuteIntTuple part = coord;
    if (isEmpty(mode.shape))
      continue;
    if (i + 1 < rank) {
      CuteIntTuple size = cuteIntTupleProduct(c, mode.shape);
      CuteIntTuple whole = coord;
      coord = cuteLeafDiv(c, whole, size);
      part = cuteLeafMod(c, whole, size);
      trace(c, CUTE_TRACE_SPLIT, mode, size, whole, part, coord);
    } else {
      trace(c, CUTE_TRACE_SPLIT_LAST, mode, part);
    }
    sum = cuteArithmeticTupleAdd(c, sum, cuteEvalMode(c, part, mode));
  }
  return sum;
}

// At 0, which is not worth a step.
static CuteIntTuple evalOrigin(CuteContext c, Mode a) {
  struct CuteTrace *trace = cuteTracePause(c);
  CuteIntTuple value = cuteEvalMode(c, staticInt(c, 0), a);
  cuteTraceResume(c, trace);
  if (!value)
    cuteExplainError(c);
  return value;
}

CuteIntTuple cuteEvalMode(CuteContext c, CuteIntTuple coord, Mode a) {
  if (!coord || modeFailed(a))
    return NULL;
  if (isUnderscore(coord))
    return evalOrigin(c, a);
  if (!isTuple(a.shape)) {
    if (isTuple(coord))
      return cuteFailTuples(c, "coordinate ", coord,
                            " over a single mode of extent ", a.shape);
    return evalLeaf(c, coord, a.stride);
  }
  if (isEmpty(a.shape) && !isTuple(coord))
    return isStaticValue(coord, 0)
               ? a.shape
               : cuteFailTuple(c, "coordinate over the empty shape: ", coord);
  if (!isTuple(coord))
    return evalSplit(c, coord, a);
  if (coord->rank != a.shape->rank)
    return cuteFailTuples(c, "coordinate ", coord,
                          " does not match the rank of shape ", a.shape);
  CuteIntTuple sum = staticInt(c, 0);
  for (size_t i = 0; i < coord->rank; ++i) {
    Mode mode = modeElement(a, i);
    CuteIntTuple part = coord->elements[i];
    if (!isEmpty(mode.shape) || isTuple(part) ||
        (isStatic(part) && part->value))
      sum = cuteArithmeticTupleAdd(c, sum, cuteEvalMode(c, part, mode));
  }
  return sum;
}

static CuteIntTuple evalInner(CuteContext c, CuteIntTuple value,
                              CuteLayout inner) {
  unsigned outer = traceEnter(c, CUTE_TRACE_EVAL_INNER, inner, value);
  value = cuteEvalMode(c, value, layoutMode(inner));
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return value;
}

CuteIntTuple cuteLayoutEval(CuteContext context, CuteLayout layout,
                            CuteIntTuple coord) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_EVAL, layout, coord);
  CuteIntTuple value = cuteEvalMode(context, coord, layoutMode(layout));
  trace(context, CUTE_TRACE_EVAL_SUM, value);
  if (value && layout->offset) {
    value = cuteArithmeticTupleAdd(context, layout->offset, value);
    if (!isStaticValue(layout->offset, 0))
      trace(context, CUTE_TRACE_EVAL_OFFSET, layout->offset, value);
  }
  if (value && layout->innerKind == INNER_SWIZZLE)
    value = cuteSwizzleApply(context, layout->swizzle, value);
  else if (value && layout->innerKind == INNER_LAYOUT)
    value = evalInner(context, value, layout->inner);
  traceLeave(context, outer, CUTE_TRACE_RESULT, value);
  traceLaw(context, cuteExplainIndexLaw(context, layout, coord, value));
  return value;
}

//===-- Shapes alone ------------------------------------------------------===//

CuteIntTuple cuteCrd2Idx(CuteContext context, CuteIntTuple coord,
                         CuteIntTuple shape) {
  if (!coord || !shape)
    return NULL;
  if (!cuteIntTupleIsWeaklyCongruent(coord, shape))
    return cuteFailTuples(context, "crd2idx: coordinate ", coord,
                          " is not weakly congruent to shape ", shape);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteIntTuple stride =
      cuteCompactStrides(context, shape, staticInt(context, 1));
  unsigned outer =
      traceEnter(context, CUTE_TRACE_CRD2IDX, coord, shape, stride);
  CuteIntTuple index = cuteEvalMode(context, coord, (Mode){shape, stride});
  traceLeave(context, outer, CUTE_TRACE_RESULT, index);
  return index;
}

static CuteIntTuple idx2Crd(CuteContext c, CuteIntTuple index,
                            CuteIntTuple shape);

static CuteIntTuple splitIndex(CuteContext c, CuteIntTuple index,
                               CuteIntTuple shape) {
  size_t rank = shape->rank;
  CuteIntTuple *coords = cuteScratch(c, rank * sizeof *coords);
  for (size_t i = 0; i < rank; ++i) {
    CuteIntTuple part = index;
    if (i + 1 < rank) {
      CuteIntTuple size = cuteIntTupleProduct(c, shape->elements[i]);
      CuteIntTuple whole = index;
      index = cuteLeafDiv(c, whole, size);
      part = cuteLeafMod(c, whole, size);
      trace(c, CUTE_TRACE_SPLIT, shape->elements[i], size, whole, part, index);
    } else {
      trace(c, CUTE_TRACE_SPLIT_LAST, shape->elements[i], part);
    }
    coords[i] = idx2Crd(c, part, shape->elements[i]);
  }
  return cuteInternTuple(c, rank, coords);
}

// A tuple of indices: one for each mode.
static CuteIntTuple splitEach(CuteContext c, CuteIntTuple index,
                              CuteIntTuple shape) {
  if (index->rank != shape->rank)
    return cuteFailTuples(c, "idx2crd: index ", index,
                          " does not match the rank of shape ", shape);
  return CUTE_TUPLE_OF(c, i, shape->rank,
                       idx2Crd(c, index->elements[i], shape->elements[i]));
}

static CuteIntTuple idx2Crd(CuteContext c, CuteIntTuple index,
                            CuteIntTuple shape) {
  if (!index || (!isTuple(shape) && !isTuple(index)))
    return index;
  if (!isTuple(shape))
    return cuteFailTuples(c, "idx2crd: index ", index,
                          " does not match the rank of shape ", shape);
  return isTuple(index) ? splitEach(c, index, shape)
                        : splitIndex(c, index, shape);
}

CuteIntTuple cuteIdx2Crd(CuteContext context, CuteIntTuple index,
                         CuteIntTuple shape) {
  if (!index || !shape)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_IDX2CRD, index, shape);
  CuteIntTuple result = idx2Crd(context, index, shape);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainPlaceLaw(context, index, shape, result));
  return result;
}

static CuteIntTuple coordInLeaf(CuteContext c, Mode leaf, void *place) {
  CuteIntTuple index = place;
  CuteIntTuple coord =
      isStaticValue(leaf.shape, 1)
          ? staticInt(c, 0)
          : cuteLeafMod(c, cuteLeafDiv(c, index, leaf.stride), leaf.shape);
  trace(c, CUTE_TRACE_IDX2CRD_LEAF, leaf, index, coord);
  return coord;
}

CuteIntTuple cuteIdx2CrdStrided(CuteContext context, CuteIntTuple index,
                                CuteIntTuple shape, CuteIntTuple stride) {
  if (!index || !shape || !stride)
    return NULL;
  if (isTuple(index) || !cuteIntTupleIsCongruent(shape, stride))
    return cuteFailTuples(
        context,
        "idx2crd: needs an integer, and a shape congruent to the stride, not ",
        shape, " and ", stride);
  unsigned outer =
      traceEnter(context, CUTE_TRACE_IDX2CRD_STRIDED, index, shape, stride);
  CuteIntTuple result =
      cuteMapLeaves(context, (Mode){shape, stride}, coordInLeaf, (void *)index);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}

CuteIntTuple cuteCrd2Crd(CuteContext context, CuteIntTuple coord,
                         CuteIntTuple from, CuteIntTuple to) {
  unsigned outer = traceEnter(context, CUTE_TRACE_CRD2CRD, coord, from, to);
  CuteIntTuple index = cuteCrd2Idx(context, coord, from);
  CuteIntTuple result = cuteIdx2Crd(context, index, to);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}

// Adds the carry to the leaves in order. Every leaf but the last wraps.
static CuteIntTuple increment(CuteContext c, CuteIntTuple coord,
                              CuteIntTuple shape, bool isLast,
                              CuteIntTuple *carry) {
  if (!isTuple(coord)) {
    CuteIntTuple sum = cuteLeafAdd(c, coord, *carry);
    if (isLast || !sum)
      return sum;
    CuteIntTuple zero = staticInt(c, 0), one = staticInt(c, 1);
    if (isStaticValue(shape, 1)) // 0 is the only coordinate: pass it on
      return zero;
    CuteIntTuple wrapped = cuteLeafSelectLess(c, sum, shape, sum, zero);
    *carry = cuteLeafSelectLess(c, sum, shape, zero, one);
    return wrapped;
  }
  size_t rank = coord->rank;
  return CUTE_TUPLE_OF(c, i, rank,
                       increment(c, coord->elements[i], shape->elements[i],
                                 isLast && i + 1 == rank, carry));
}

CuteIntTuple cuteIncrementCoord(CuteContext context, CuteIntTuple coord,
                                CuteIntTuple shape) {
  if (!coord || !shape)
    return NULL;
  if (!cuteIntTupleIsCongruent(coord, shape) || coord->flags || shape->flags)
    return cuteFailTuples(context, "increment_coord: coordinate ", coord,
                          " is not congruent to shape ", shape);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteIntTuple carry = staticInt(context, 1);
  return increment(context, coord, shape, true, &carry);
}
