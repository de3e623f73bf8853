// What strides of 0 make of a layout: filters and the nullspace.
#include "Algebra/explain_laws.h"

// Extent 1 where the stride is 0. With a profile, only below its leaves.
static Mode filterZeros(CuteContext c, Mode a) {
  if (modeFailed(a))
    return a;
  if (!isTuple(a.shape) && !isStaticValue(a.stride, 0))
    return a;
  if (!isTuple(a.shape)) {
    EXPLAIN(c,
            "mode %m: stride 0 gives all its coordinates one index; extent "
            "1 is enough",
            a);
    return (Mode){staticInt(c, 1), a.stride};
  }
  Modes modes = {0};
  for (size_t i = 0; i < a.shape->rank; ++i)
    modesPush(c, &modes, filterZeros(c, modeElement(a, i)));
  return modesGetTuple(c, &modes);
}

static Mode filter(CuteContext c, Mode a, CuteIntTuple profile) {
  if (modeFailed(a))
    return a;
  if (!isTuple(profile)) {
    a = filterZeros(c, a);
    unsigned outer = EXPLAIN_BEGIN_HELD(c, "coalesce %m:", a);
    Mode result = cuteCoalesce(c, a, COALESCE);
    EXPLAIN_END(c, outer);
    return isStaticValue(result.shape, 1)
               ? (Mode){result.shape, staticInt(c, 0)}
               : result;
  }
  if (!isTuple(a.shape) || profile->rank > a.shape->rank) {
    cuteFailTuples(c, "filter: profile ", profile,
                   " has more modes than the layout's shape ", a.shape);
    return failedMode;
  }
  Modes modes = {0};
  for (size_t i = 0; i < a.shape->rank; ++i) {
    Mode part = modeElement(a, i);
    unsigned outer = EXPLAIN_BEGIN_HELD(c, "mode %z, %m:", i, part);
    modesPush(c, &modes,
              i < profile->rank ? filter(c, part, profile->elements[i]) : part);
    EXPLAIN_END(c, outer);
  }
  return modesGetTuple(c, &modes);
}

CuteLayout cuteLayoutFilterZeros(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  unsigned outer = EXPLAIN_OPERATION(
      context,
      "filter_zeros of %l: the same indices, each mode of stride 0 "
      "with one coordinate only",
      layout);
  Mode mode = filterZeros(context, layoutMode(layout));
  CuteLayout result = cuteLayoutWithOuter(context, layout, mode);
  EXPLAIN_RESULT(context, outer, "result %l", result);
  EXPLAIN_LAW(context, cuteExplainWithinLaw(context, layout, result));
  cuteArenaReset(&context->scratch, mark);
  return result;
}

CuteLayout cuteLayoutFilter(CuteContext context, CuteLayout layout,
                            CuteIntTuple profile) {
  if (!layout)
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  unsigned outer = EXPLAIN_OPERATION(
      context,
      "filter of %l: the same indices without the modes of stride 0, "
      "coalesced",
      layout);
  Mode mode = filter(context, layoutMode(layout), profile);
  CuteLayout result =
      modeFailed(mode) ? NULL : cuteLayoutWithOuter(context, layout, mode);
  EXPLAIN_RESULT(context, outer, "result %l", result);
  EXPLAIN_LAW(context, cuteExplainWithinLaw(context, layout, result));
  cuteArenaReset(&context->scratch, mark);
  return result;
}

CuteLayout cuteLayoutNullspace(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  if (cuteLayoutIsComposed(layout))
    return cuteFail(context, "nullspace: not defined for composed layouts");
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes leaves = {0}, zeros = {0};
  modesPushLeaves(context, &leaves, layoutMode(layout));
  CuteIntTuple start = staticInt(context, 1);
  for (size_t i = 0; i < leaves.count; ++i) {
    Mode m = leaves.data[i];
    CuteIntTuple step = isStaticValue(m.shape, 1) ? m.stride : start;
    if (isStaticValue(m.stride, 0))
      modesPush(context, &zeros, (Mode){m.shape, step});
    start = cuteLeafMul(context, start, m.shape);
  }
  if (!zeros.count)
    modesPush(context, &zeros,
              (Mode){staticInt(context, 1), staticInt(context, 0)});
  CuteLayout result =
      start ? cuteInternLayout(context, modesGetUnwrapped(context, &zeros))
            : NULL;
  cuteArenaReset(&context->scratch, mark);
  return result;
}
