// Layouts in units of another element width, rounded as in the open dialect.
#include "Algebra/explain_laws.h"
#include "Support/gcd.h"

// n units become one.
static Mode upcastLeaf(CuteContext c, Mode m, CuteIntTuple n) {
  if (isStaticValue(m.stride, 0)) {
    trace(c, CUTE_TRACE_RECAST_ZERO, m);
    return m;
  }
  if (!isStatic(m.stride))
    return (Mode){m.shape, cuteLeafShapeDiv(c, m.stride, n)};
  CuteIntTuple step = cuteLeafAbs(c, m.stride);
  CuteIntTuple perUnit = step ? cuteLeafCeilDiv(c, n, step) : NULL;
  CuteIntTuple extent = cuteLeafCeilDiv(c, m.shape, perUnit);
  CuteIntTuple units = cuteLeafCeilDiv(c, step, n);
  CuteIntTuple sign = cuteLeafSignum(c, m.stride);
  Mode result = {extent, cuteLeafMul(c, sign, units)};
  trace(c, CUTE_TRACE_UPCAST_MODE, m, n, step, perUnit, result);
  return result;
}

// One unit becomes n.
static Mode downcastLeaf(CuteContext c, Mode m, CuteIntTuple n) {
  bool isUnit = isStaticValue(m.stride, 1) || isStaticValue(m.stride, -1);
  Mode result = {isUnit ? cuteLeafMul(c, m.shape, n) : m.shape,
                 isUnit ? m.stride : cuteLeafMul(c, m.stride, n)};
  trace(c, isUnit ? CUTE_TRACE_DOWNCAST_UNIT : CUTE_TRACE_DOWNCAST_MODE, m, n,
        result);
  return result;
}

typedef Mode CastLeaf(CuteContext c, Mode m, CuteIntTuple n);

static Mode cast(CuteContext c, Mode a, CuteIntTuple n, CastLeaf *castLeaf) {
  if (modeFailed(a) || isStaticValue(n, 1))
    return a;
  if (!isTuple(a.shape))
    return castLeaf(c, a, n);
  Modes modes = {0};
  for (size_t i = 0; i < a.shape->rank; ++i)
    modesPush(c, &modes, cast(c, modeElement(a, i), n, castLeaf));
  return modesGetTuple(c, &modes);
}

// Counts how often 2 divides a number: by so many bits a swizzle moves.
static int32_t powersOfTwo(int64_t n) {
  return (int32_t)__builtin_ctzll((uint64_t)n);
}

static CuteLayout recastPlain(CuteContext c, CuteLayout layout, CuteIntTuple up,
                              CuteIntTuple down) {
  Mode m = cast(c, layoutMode(layout), up, upcastLeaf);
  return cuteInternLayout(c, cast(c, m, down, downcastLeaf));
}

static CuteLayout recastSwizzled(CuteContext c, CuteLayout layout, int64_t up,
                                 int64_t down, CuteIntTuple offset,
                                 CuteLayout outer) {
  CuteSwizzle s = layout->swizzle;
  int32_t lower = powersOfTwo(up), raise = powersOfTwo(down);
  s.base += raise - lower;
  if (!cuteSwizzleIsValid(s))
    return cuteFail(
        c, "recast_layout: the swizzle's base %d cannot move by %d bits",
        layout->swizzle.base, raise - lower);
  return cuteLayoutComposeSwizzle(c, s, offset, outer);
}

static CuteLayout recastComposed(CuteContext c, CuteLayout layout, int64_t up,
                                 int64_t down) {
  CuteIntTuple offset = layout->offset;
  if (isTuple(offset) || cuteLeafDivisor(offset) % up)
    return cuteFailTuples(c, "recast_layout: the offset ", offset,
                          " must be a multiple of ", staticInt(c, up));
  CuteIntTuple n = staticInt(c, up), d = staticInt(c, down);
  offset = cuteLeafMul(c, cuteLeafDiv(c, offset, n), d);
  CuteLayout outer = recastPlain(c, layout, n, d);
  if (!offset || !outer)
    return NULL;
  if (layout->innerKind == INNER_SWIZZLE)
    return recastSwizzled(c, layout, up, down, offset, outer);
  return cuteLayoutGetComposed(c, recastPlain(c, layout->inner, n, d), offset,
                               outer);
}

static void explainLaw(CuteContext c, CuteLayout a, CuteLayout r, int64_t up,
                       int64_t down) {
  if (down > 0 && up % down == 0)
    cuteExplainUnitsLaw(c, a, r, up / down, "A", "R");
  else if (up > 0 && down % up == 0)
    cuteExplainUnitsLaw(c, r, a, down / up, "R", "A");
}

static CuteLayout recast(CuteContext context, CuteLayout layout,
                         int64_t newBits, int64_t oldBits) {
  if (!layout)
    return NULL;
  if (newBits <= 0 || oldBits <= 0)
    return cuteFail(context,
                    "recast_layout: widths must be positive, not %jd and %jd",
                    newBits, oldBits);
  if (layout->inner && newBits == oldBits)
    return layout;
  bool isInner = layout->inner && layout->inner->stride->flags & HAS_BASIS;
  if (isInner || layout->stride->flags & HAS_BASIS)
    return cuteFailTuple(context,
                         "recast_layout: strides must be integers, not ",
                         isInner ? layout->inner->stride : layout->stride);
  if (newBits == oldBits)
    return layout;
  int64_t common = cuteGcd(newBits, oldBits);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  int64_t up = newBits / common, down = oldBits / common;
  trace(context, CUTE_TRACE_RECAST_UNITS, up, down);
  return cuteLayoutIsComposed(layout)
             ? recastComposed(context, layout, up, down)
             : recastPlain(context, layout, staticInt(context, up),
                           staticInt(context, down));
}

CuteLayout cuteLayoutRecast(CuteContext context, CuteLayout layout,
                            int64_t newBits, int64_t oldBits) {
  unsigned outer =
      traceEnter(context, CUTE_TRACE_RECAST, layout, newBits, oldBits);
  CuteLayout result = recast(context, layout, newBits, oldBits);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, explainLaw(context, layout, result, newBits, oldBits));
  return result;
}

//===-- One direction -----------------------------------------------------===//

// Tells whether a leaf is none of stride 1, which can be divided up.
static bool isNoUnit(CuteIntTuple stride) { return !isStaticValue(stride, 1); }

static CuteLayout checkUnits(CuteContext c, const char *operation,
                             CuteLayout layout, int64_t n) {
  if (!layout || (n > 0 && !(layout->stride->flags & HAS_BASIS)))
    return layout;
  return cuteFail(c, "%s: needs integer strides and a positive factor, not %jd",
                  operation, n);
}

// Tells whether units of n go into every static stride, or strides into units.
static bool fitsUnits(CuteIntTuple stride, int64_t n) {
  for (size_t i = 0; isTuple(stride) && i < stride->rank; ++i)
    if (!fitsUnits(stride->elements[i], n))
      return false;
  return !isStatic(stride) || !stride->value || stride->value % n == 0 ||
         n % stride->value == 0;
}

CuteLayout cuteLayoutUpcast(CuteContext context, CuteLayout layout, int64_t n) {
  layout = checkUnits(context, "upcast", layout, n);
  if (!layout)
    return NULL;
  if (!fitsUnits(layout->stride, n))
    return cuteFailTuples(context, "upcast: every stride must divide ",
                          staticInt(context, n), " or be a multiple of it in ",
                          layout->stride);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_UPCAST, layout, n);
  Mode mode =
      cast(context, layoutMode(layout), staticInt(context, n), upcastLeaf);
  CuteLayout result = NULL;
  CuteSwizzle swizzle;
  if (modeFailed(mode) || layout->innerKind == INNER_NONE)
    result = cuteInternLayout(context, mode);
  else if (layout->innerKind == INNER_LAYOUT)
    result = recast(context, layout, n, 1);
  else if (!isStatic(layout->offset) || layout->offset->value % n)
    cuteFailTuple(context, "upcast: the units do not divide the offset ",
                  layout->offset);
  else if (cuteSwizzleUpcast(context, layout->swizzle, n, &swizzle))
    result = cuteLayoutComposeSwizzle(
        context, swizzle, staticInt(context, layout->offset->value / n),
        cuteInternLayout(context, mode));
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, explainLaw(context, layout, result, n, 1));
  return result;
}

CuteLayout cuteLayoutDowncast(CuteContext context, CuteLayout layout,
                              int64_t n) {
  layout = checkUnits(context, "downcast", layout, n);
  if (!layout)
    return NULL;
  if (cuteIntTupleAll(layout->stride, isNoUnit))
    return cuteFailTuple(context, "downcast: no stride is 1 in ",
                         layout->stride);
  unsigned outer = traceEnter(context, CUTE_TRACE_DOWNCAST, layout, n);
  CuteLayout result = recast(context, layout, 1, n);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, explainLaw(context, layout, result, 1, n));
  return result;
}
