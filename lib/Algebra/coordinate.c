// Coordinates and what layouts give for them.
#include "Algebra/algebra.h"

//===-- Arithmetic tuples -------------------------------------------------===//

CuteIntTuple cuteArithmeticTupleAdd(CuteContext c, CuteIntTuple a,
                                    CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  if (isStaticValue(a, 0))
    return b;
  if (isStaticValue(b, 0))
    return a;
  if (!isTuple(a) && !isTuple(b))
    return cuteLeafAdd(c, a, b);
  if (!isTuple(a) || !isTuple(b))
    return cuteFailTuples(c, "cannot add ", a, " and ", b);
  size_t n = a->rank > b->rank ? a->rank : b->rank;
  CuteIntTuple *sums = cuteArenaAllocate(&c->scratch, n * sizeof *sums);
  for (size_t i = 0; i < n; ++i)
    sums[i] = i >= a->rank ? b->elements[i]
              : i >= b->rank
                  ? a->elements[i]
                  : cuteArithmeticTupleAdd(c, a->elements[i], b->elements[i]);
  return cuteInternTuple(c, n, sums);
}

// Modes of a coordinate that a scaled basis may make. Sums of coordinates keep
// every partial sum: their memory grows with the square of this.
enum { MAX_COORD_MODES = 4096 };

// value @ path as the tuple that it stands for.
static CuteIntTuple unitTuple(CuteContext c, CuteIntTuple value,
                              CuteIntTuple path, size_t level) {
  if (!value || level == path->rank)
    return value;
  int64_t mode = path->elements[level]->value;
  if (mode < 0 || mode >= MAX_COORD_MODES)
    return cuteFail(c,
                    "scaled basis: mode number %lld is not in [0, %d), as that "
                    "of a coordinate must be",
                    (long long)mode, MAX_COORD_MODES);
  size_t n = (size_t)mode + 1;
  CuteIntTuple *elements = cuteArenaAllocate(&c->scratch, n * sizeof *elements);
  for (size_t i = 0; i + 1 < n; ++i)
    elements[i] = staticInt(c, 0);
  elements[n - 1] = unitTuple(c, value, path, level + 1);
  return cuteInternTuple(c, n, elements);
}

//===-- Layout values -----------------------------------------------------===//

static CuteIntTuple evalLeaf(CuteContext c, CuteIntTuple coord,
                             CuteIntTuple stride) {
  CuteIntTuple value = cuteLeafMul(c, coord, stride);
  if (isBasis(value))
    return unitTuple(c, basisValue(value), basisPath(value), 0);
  return value;
}

// A scalar coordinate, split over the modes; the last takes what is left.
static CuteIntTuple evalSplit(CuteContext c, CuteIntTuple coord, Mode a) {
  CuteIntTuple sum = staticInt(c, 0);
  size_t rank = a.shape->rank;
  for (size_t i = 0; i < rank; ++i) {
    Mode mode = modeElement(a, i);
    CuteIntTuple part = coord;
    if (i + 1 < rank) {
      CuteIntTuple size = cuteIntTupleProduct(c, mode.shape);
      part = cuteLeafMod(c, coord, size);
      coord = cuteLeafDiv(c, coord, size);
    }
    sum = cuteArithmeticTupleAdd(c, sum, cuteEvalMode(c, part, mode));
  }
  return sum;
}

CuteIntTuple cuteEvalMode(CuteContext c, CuteIntTuple coord, Mode a) {
  if (!coord || modeFailed(a))
    return NULL;
  if (isUnderscore(coord))
    coord = staticInt(c, 0);
  if (!isTuple(a.shape)) {
    if (isTuple(coord))
      return cuteFailTuples(c, "coordinate ", coord,
                            " over a single mode of "
                            "extent ",
                            a.shape);
    return evalLeaf(c, coord, a.stride);
  }
  if (a.shape->rank == 0 && !isTuple(coord))
    return isStaticValue(coord, 0)
               ? a.shape
               : cuteFailTuple(c, "coordinate over the empty shape: ", coord);
  if (!isTuple(coord))
    return evalSplit(c, coord, a);
  if (coord->rank != a.shape->rank)
    return cuteFailTuples(c, "coordinate ", coord,
                          " does not match the rank of shape ", a.shape);
  CuteIntTuple sum = staticInt(c, 0);
  for (size_t i = 0; i < coord->rank; ++i)
    sum = cuteArithmeticTupleAdd(
        c, sum, cuteEvalMode(c, coord->elements[i], modeElement(a, i)));
  return sum;
}

CuteIntTuple cuteLayoutEval(CuteContext context, CuteLayout layout,
                            CuteIntTuple coord) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteIntTuple value = cuteEvalMode(context, coord, layoutMode(layout));
  if (value && layout->offset)
    value = cuteArithmeticTupleAdd(context, layout->offset, value);
  if (value && layout->innerKind == INNER_SWIZZLE)
    value = cuteSwizzleApply(context, layout->swizzle, value);
  else if (value && layout->innerKind == INNER_LAYOUT)
    value = cuteEvalMode(context, value, layoutMode(layout->inner));
  cuteArenaReset(&context->scratch, mark);
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
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteIntTuple stride =
      cuteCompactStrides(context, shape, staticInt(context, 1));
  CuteIntTuple index = cuteEvalMode(context, coord, (Mode){shape, stride});
  cuteArenaReset(&context->scratch, mark);
  return index;
}

static CuteIntTuple splitIndex(CuteContext c, CuteIntTuple index,
                               CuteIntTuple shape) {
  size_t rank = shape->rank;
  CuteIntTuple *coords = cuteArenaAllocate(&c->scratch, rank * sizeof *coords);
  for (size_t i = 0; i < rank; ++i) {
    CuteIntTuple part = index;
    if (i + 1 < rank) {
      CuteIntTuple size = cuteIntTupleProduct(c, shape->elements[i]);
      part = cuteLeafMod(c, index, size);
      index = cuteLeafDiv(c, index, size);
    }
    coords[i] = cuteIdx2Crd(c, part, shape->elements[i]);
  }
  return cuteInternTuple(c, rank, coords);
}

CuteIntTuple cuteIdx2Crd(CuteContext context, CuteIntTuple index,
                         CuteIntTuple shape) {
  if (!index || !shape)
    return NULL;
  if (isTuple(index) && (!isTuple(shape) || index->rank != shape->rank))
    return cuteFailTuples(context, "idx2crd: index ", index,
                          " does not match the rank of shape ", shape);
  if (!isTuple(shape))
    return index;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteIntTuple result;
  if (isTuple(index)) {
    CuteIntTuple *coords =
        cuteArenaAllocate(&context->scratch, shape->rank * sizeof *coords);
    for (size_t i = 0; i < shape->rank; ++i)
      coords[i] = cuteIdx2Crd(context, index->elements[i], shape->elements[i]);
    result = cuteInternTuple(context, shape->rank, coords);
  } else {
    result = splitIndex(context, index, shape);
  }
  cuteArenaReset(&context->scratch, mark);
  return result;
}

static CuteIntTuple idx2CrdStrided(CuteContext c, CuteIntTuple index, Mode a) {
  if (!isTuple(a.shape))
    return isStaticValue(a.shape, 1)
               ? staticInt(c, 0)
               : cuteLeafMod(c, cuteLeafDiv(c, index, a.stride), a.shape);
  CuteIntTuple *parts =
      cuteArenaAllocate(&c->scratch, a.shape->rank * sizeof *parts);
  for (size_t i = 0; i < a.shape->rank; ++i)
    parts[i] = idx2CrdStrided(c, index, modeElement(a, i));
  return cuteInternTuple(c, a.shape->rank, parts);
}

CuteIntTuple cuteIdx2CrdStrided(CuteContext context, CuteIntTuple index,
                                CuteIntTuple shape, CuteIntTuple stride) {
  if (!index || !shape || !stride)
    return NULL;
  if (isTuple(index) || !cuteIntTupleIsCongruent(shape, stride))
    return cuteFailTuples(context,
                          "idx2crd: needs an integer, and a shape "
                          "congruent to the stride, not ",
                          shape, " and ", stride);
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteIntTuple result = idx2CrdStrided(context, index, (Mode){shape, stride});
  cuteArenaReset(&context->scratch, mark);
  return result;
}

CuteIntTuple cuteCrd2Crd(CuteContext context, CuteIntTuple coord,
                         CuteIntTuple from, CuteIntTuple to) {
  CuteIntTuple index = cuteCrd2Idx(context, coord, from);
  return cuteIdx2Crd(context, index, to);
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
    *carry = cuteLeafSelectLess(c, sum, shape, zero, one);
    return cuteLeafSelectLess(c, sum, shape, sum, zero);
  }
  size_t rank = coord->rank;
  CuteIntTuple *next = cuteArenaAllocate(&c->scratch, rank * sizeof *next);
  for (size_t i = 0; i < rank; ++i)
    next[i] = increment(c, coord->elements[i], shape->elements[i],
                        isLast && i + 1 == rank, carry);
  return cuteInternTuple(c, rank, next);
}

CuteIntTuple cuteIncrementCoord(CuteContext context, CuteIntTuple coord,
                                CuteIntTuple shape) {
  if (!coord || !shape)
    return NULL;
  if (!cuteIntTupleIsCongruent(coord, shape) || coord->flags || shape->flags)
    return cuteFailTuples(context, "increment_coord: coordinate ", coord,
                          " is not congruent to shape ", shape);
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteIntTuple carry = staticInt(context, 1);
  CuteIntTuple result = increment(context, coord, shape, true, &carry);
  cuteArenaReset(&context->scratch, mark);
  return result;
}
