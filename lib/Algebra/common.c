// What two layouts have in common, and how far one can be vectorized.
#include "Algebra/laws.h"

// The leading mode of coalesce(a o right_inverse(b)), if it has stride 1. Where
// the composition is wrong behind that mode does not matter.
static CuteLayout commonMode(CuteContext c, CuteLayout a, CuteLayout inverse) {
  CuteLawPolicy policy = cuteContextSetLawPolicy(c, CUTE_LAWS_IGNORE);
  CuteLayout both = cuteLayoutComposition(c, a, cuteTileGetLayout(c, inverse));
  cuteContextSetLawPolicy(c, policy);
  both = both ? cuteLayoutCoalesce(c, both, NULL) : NULL;
  if (!both)
    return NULL;
  Mode first = modeElement(layoutMode(both), 0);
  bool isCommon = isStatic(first.shape) && isStaticValue(first.stride, 1);
  CuteLayout common =
      cuteLayoutGet(c, isCommon ? first.shape : staticInt(c, 1), NULL);
  if (checksLaws(c) &&
      !cuteLawAccepts(c, cuteLawMaxCommon(c, layoutMode(a), layoutMode(inverse),
                                          layoutMode(common))))
    return NULL;
  return common;
}

CuteLayout cuteLayoutMaxCommonLayout(CuteContext context, CuteLayout a,
                                     CuteLayout b) {
  CuteLayout inverse = cuteLayoutRightInverse(context, b);
  CuteLayout common = a && inverse ? commonMode(context, a, inverse) : NULL;
  CuteTile tile = common ? cuteTileGetLayout(context, common) : NULL;
  CuteLayout result =
      tile ? cuteLayoutComposition(context, inverse, tile) : NULL;
  return result ? cuteLayoutCoalesce(context, result, NULL) : NULL;
}

CuteIntTuple cuteLayoutMaxCommonVector(CuteContext context, CuteLayout a,
                                       CuteLayout b) {
  if (!a || !b)
    return NULL;
  CuteLayout inverse =
      cuteLayoutRightInverse(context, cuteLayoutGetOuter(context, b));
  CuteLayout common =
      inverse ? commonMode(context, cuteLayoutGetOuter(context, a), inverse)
              : NULL;
  CuteIntTuple size = common ? cuteLayoutGetSize(context, common) : NULL;
  for (int side = 0; size && side < 2; ++side) {
    CuteLayout layout = side ? b : a;
    if (layout->innerKind == INNER_LAYOUT)
      return cuteFail(context, "max_common_vector: A must be a swizzle in a "
                               "composed layout");
    if (layout->innerKind == INNER_SWIZZLE)
      size = cuteGreatestCommonDivisor(
          context, size,
          staticInt(context, INT64_C(1) << layout->swizzle.base));
  }
  return size;
}

CuteIntTuple cuteGreatestCommonDivisor(CuteContext c, CuteIntTuple a,
                                       CuteIntTuple b) {
  if (!isStatic(a) || !isStatic(b))
    return cuteFailTuples(c, "gcd: needs static integers, not ", a, " and ", b);
  int64_t x = a->value, y = b->value;
  while (y) {
    int64_t rest = x % y;
    x = y;
    y = rest;
  }
  return staticInt(c, x);
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
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
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
  CuteLayout result = cuteInternLayout(context, mode);
  cuteArenaReset(&context->scratch, mark);
  return result;
}

// The elements that its right inverse reaches lie without a gap; all others
// begin at sums of the strides that are left when it is divided off.
CuteIntTuple cuteLayoutMaxAlignment(CuteContext context, CuteLayout layout) {
  CuteLayout filtered = cuteLayoutFilter(context, layout, NULL);
  CuteLayout inverse =
      filtered ? cuteLayoutRightInverse(context, filtered) : NULL;
  CuteTile tiler = inverse ? cuteTileGetLayout(context, inverse) : NULL;
  CuteLayout divided =
      tiler ? cuteLayoutLogicalDivide(context, filtered, tiler) : NULL;
  if (!divided)
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes rests = {0};
  modesPushLeaves(context, &rests, modeElement(layoutMode(divided), 1));
  CuteIntTuple alignment = cuteLayoutGetSize(context, inverse);
  for (size_t i = 0; alignment && i < rests.count; ++i)
    if (!isStaticValue(rests.data[i].shape, 1))
      alignment = cuteGreatestCommonDivisor(
          context, alignment,
          staticInt(context, cuteLeafDivisor(rests.data[i].stride)));
  cuteArenaReset(&context->scratch, mark);
  return alignment;
}
