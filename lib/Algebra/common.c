// The part that two layouts have in common, and how far one can be vectorized.
#include "Algebra/explain_worked.h"
#include "Support/gcd.h"

// The leading mode of coalesce(a o inverse), if it has stride 1, where
// `inverse` is the right inverse of b. Where the composition is wrong after
// that mode does not matter.
static CuteLayout commonMode(CuteContext c, CuteLayout a, CuteLayout b,
                             CuteLayout inverse) {
  CuteLawPolicy policy = cuteContextSetLawPolicy(c, CUTE_LAWS_IGNORE);
  CuteLayout both = cuteLayoutComposition(c, a, cuteTileGetLayout(c, inverse));
  cuteContextSetLawPolicy(c, policy);
  both = both ? cuteLayoutCoalesce(c, both, NULL) : NULL;
  if (!both)
    return NULL;
  Mode first = modeElement(layoutMode(both), 0);
  bool isCommon = isStatic(first.shape) && isStaticValue(first.stride, 1);
  trace(c, isCommon ? CUTE_TRACE_COMMON_MODE : CUTE_TRACE_COMMON_NONE, first);
  CuteLayout common =
      cuteLayoutGet(c, isCommon ? first.shape : staticInt(c, 1), NULL);
  if (checksLaws(c) && !(b->stride->flags & HAS_BASIS) &&
      !cuteLawAccepts(
          c, cuteLawHolds(c, CUTE_LAW_MAX_COMMON,
                          CUTE_LAW_OPERANDS({'A', layoutMode(a)},
                                            {'B', layoutMode(b)},
                                            {'R', layoutMode(inverse)},
                                            {'D', layoutMode(common)}))))
    return NULL;
  return common;
}

CuteLayout cuteLayoutMaxCommonLayout(CuteContext context, CuteLayout a,
                                     CuteLayout b) {
  unsigned outer = traceEnter(context, CUTE_TRACE_COMMON, a, b);
  CuteLayout inverse = cuteLayoutRightInverse(context, b);
  CuteLayout common = a && inverse ? commonMode(context, a, b, inverse) : NULL;
  CuteTile tile = common ? cuteTileGetLayout(context, common) : NULL;
  CuteLayout result =
      tile ? cuteLayoutComposition(context, inverse, tile) : NULL;
  result = result ? cuteLayoutCoalesce(context, result, NULL) : NULL;
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceEquation(context, .law = CUTE_LAW_MAX_COMMON, .a = a, .b = b,
                .r = result, .shape = layoutMode(result).shape);
  return result;
}

// With the layout of the elements.
static void explainLaw(CuteContext c, CuteLayout a, CuteLayout b,
                       CuteIntTuple size) {
  if (!size || cuteLayoutIsComposed(a) || cuteLayoutIsComposed(b) ||
      cuteLayoutGetNumDynamic(a) || cuteLayoutGetNumDynamic(b))
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteLayout common = cuteLayoutMaxCommonLayout(c, a, b);
  cuteQuietLeave(c, quiet);
  cuteExplainEquation(c, &(CuteLawCase){.law = CUTE_LAW_MAX_COMMON,
                                        .a = a,
                                        .b = b,
                                        .r = common,
                                        .shape = layoutMode(common).shape});
}

// No more elements than stay neighbours under the swizzle of a layout.
static CuteIntTuple boundBySwizzle(CuteContext c, CuteIntTuple size,
                                   CuteLayout layout) {
  if (layout->innerKind == INNER_LAYOUT)
    return cuteFail(c, "max_common_vector: A must be a swizzle in a "
                       "composed layout");
  if (layout->innerKind != INNER_SWIZZLE)
    return size;
  CuteIntTuple block = staticInt(c, INT64_C(1) << layout->swizzle.base);
  trace(c, CUTE_TRACE_COMMON_SWIZZLE, layout->swizzle, block);
  return cuteGreatestCommonDivisor(c, size, block);
}

CuteIntTuple cuteLayoutMaxCommonVector(CuteContext context, CuteLayout a,
                                       CuteLayout b) {
  if (!a || !b)
    return NULL;
  unsigned outer = traceEnter(context, CUTE_TRACE_COMMON_VECTOR, a, b);
  CuteLayout outerA = cuteLayoutGetOuter(context, a);
  CuteLayout outerB = cuteLayoutGetOuter(context, b);
  CuteLayout inverse = cuteLayoutRightInverse(context, outerB);
  CuteLayout common =
      inverse ? commonMode(context, outerA, outerB, inverse) : NULL;
  CuteIntTuple size = common ? cuteLayoutGetSize(context, common) : NULL;
  size = size ? boundBySwizzle(context, size, a) : NULL;
  size = size ? boundBySwizzle(context, size, b) : NULL;
  traceLeave(context, outer, CUTE_TRACE_RESULT, size);
  traceLaw(context, explainLaw(context, a, b, size));
  return size;
}

CuteIntTuple cuteGreatestCommonDivisor(CuteContext c, CuteIntTuple a,
                                       CuteIntTuple b) {
  if (!isStatic(a) || !isStatic(b))
    return cuteFailTuples(c, "gcd: needs static integers, not ", a, " and ", b);
  return staticInt(c, cuteGcd(a->value, b->value));
}

CuteLayout cuteDomainDistribute(CuteContext context, CuteIntTuple shape,
                                CuteIntTuple size) {
  if (!shape || !size)
    return NULL;
  if (!isFullyStatic(shape) || !isStatic(size) || size->value < 1)
    return cuteFailTuples(context,
                          "domain_distribute: needs a static shape "
                          "and a positive size, not ",
                          shape, " and ", size);
  CuteLayout whole = cuteLayoutGet(context, shape, NULL);
  if (!whole)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Modes leaves = {0}, parts = {0};
  modesPushLeaves(context, &leaves, layoutMode(whole));
  CuteIntTuple start = staticInt(context, 1);
  for (size_t i = 0; i < leaves.count; ++i) {
    CuteIntTuple extent = leaves.data[i].shape;
    CuteIntTuple part = cuteGreatestCommonDivisor(context, extent, size);
    modesPush(context, &parts, (Mode){part, start});
    size = cuteLeafDiv(context, size, part);
    start = cuteLeafMul(context, start, extent);
  }
  Mode mode = cuteCoalesceModes(context, &parts, COALESCE);
  if (isStaticValue(mode.shape, 1))
    mode.stride = staticInt(context, 0);
  return cuteInternLayout(context, mode);
}

// The greatest common divisor of a run's length and of the strides of the modes
// that are not taken.
static int64_t boundByStrides(const Modes *modes, const bool *isTaken,
                              int64_t run) {
  for (size_t i = 0; i < modes->count; ++i)
    if (!isTaken[i] && !isStaticValue(modes->data[i].shape, 1))
      run = cuteGcd(run, cuteLeafDivisor(modes->data[i].stride));
  return run;
}

// The number of the first mode that begins where a run ends, or the count.
static size_t findNext(const Modes *modes, const bool *isTaken, int64_t run) {
  size_t i = 0;
  while (i < modes->count &&
         (isTaken[i] || !isStaticValue(modes->data[i].stride, run)))
    ++i;
  return i;
}

// The alignment of a layout with an extent that is not known: a run continues
// with the mode that begins where it ends, up to a mode known only by its
// divisor.
static CuteIntTuple alignmentOfDynamic(CuteContext context,
                                       CuteLayout filtered) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Modes modes = {0};
  modesPushLeaves(context, &modes, layoutMode(filtered));
  bool *isTaken = cuteScratch(context, modes.count);
  memset(isTaken, 0, modes.count);
  int64_t run = 1;
  bool isKnown = true, overflows = false;
  for (size_t i; isKnown && !overflows &&
                 (i = findNext(&modes, isTaken, run)) < modes.count;) {
    CuteIntTuple extent = modes.data[i].shape;
    overflows = __builtin_mul_overflow(run, cuteLeafDivisor(extent), &run);
    isTaken[i] = true;
    isKnown = isStatic(extent);
  }
  run = overflows ? 0 : boundByStrides(&modes, isTaken, run);
  return overflows ? cuteFail(context, "max_alignment: a run overflows 64 bits")
                   : staticInt(context, run);
}

// The elements that its right inverse reaches lie without a gap; all others
// begin at sums of the strides that are left when it is divided off.
static CuteIntTuple alignmentOf(CuteContext context, CuteLayout layout) {
  if (layout && layout->stride->flags & HAS_BASIS)
    return cuteFailTuple(context, "max_alignment: needs integer strides, not ",
                         layout->stride);
  unsigned outer = traceEnter(context, CUTE_TRACE_ALIGNMENT, layout);
  CuteLayout filtered = cuteLayoutFilter(context, layout, NULL);
  if (filtered && !cuteIntTupleIsStatic(filtered->shape)) {
    CuteIntTuple alignment = alignmentOfDynamic(context, filtered);
    traceLeave(context, outer, CUTE_TRACE_RESULT, alignment);
    return alignment;
  }
  CuteLayout inverse =
      filtered ? cuteLayoutRightInverse(context, filtered) : NULL;
  CuteTile tiler = inverse ? cuteTileGetLayout(context, inverse) : NULL;
  CuteLayout divided =
      tiler ? cuteLayoutLogicalDivide(context, filtered, tiler) : NULL;
  if (!divided) {
    traceLeave(context, outer, CUTE_TRACE_NOTHING);
    return NULL;
  }
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Modes rests = {0};
  modesPushLeaves(context, &rests, modeElement(layoutMode(divided), 1));
  CuteIntTuple alignment = cuteLayoutGetSize(context, inverse);
  for (size_t i = 0; alignment && i < rests.count; ++i)
    if (!isStaticValue(rests.data[i].shape, 1))
      alignment = cuteGreatestCommonDivisor(
          context, alignment,
          staticInt(context, cuteLeafDivisor(rests.data[i].stride)));
  traceLeave(context, outer, CUTE_TRACE_RESULT, alignment);
  return alignment;
}

// A swizzle leaves as many together as its base says, and an offset as many as
// divide it.
CuteIntTuple cuteLayoutMaxAlignment(CuteContext context, CuteLayout layout) {
  if (!layout || !cuteLayoutIsComposed(layout))
    return alignmentOf(context, layout);
  if (!cuteLayoutHasSwizzle(layout))
    return cuteFail(context,
                    "max_alignment: A must be a swizzle in a composed layout");
  CuteIntTuple size = alignmentOf(context, cuteLayoutGetOuter(context, layout));
  size = size ? boundBySwizzle(context, size, layout) : NULL;
  int64_t divisor = cuteLeafDivisor(layout->offset);
  return size && divisor ? cuteGreatestCommonDivisor(
                               context, size, staticInt(context, divisor))
                         : size;
}
