// Filters and the nullspace: layouts by their strides of 0.
#include "Algebra/explain_laws.h"

static Mode filterZeros(CuteContext c, Mode a, CoalesceKind kind) {
  if (modeFailed(a))
    return a;
  if (!isTuple(a.shape) && !isStaticValue(a.stride, 0))
    return a;
  if (!isTuple(a.shape)) {
    trace(c, CUTE_TRACE_FILTER_ZERO, a);
    return (Mode){staticInt(c, 1), a.stride};
  }
  Modes modes = {0};
  for (size_t i = 0; i < a.shape->rank; ++i)
    modesPush(c, &modes, filterZeros(c, modeElement(a, i), kind));
  return modesGetTuple(c, &modes);
}

static Mode filterWhole(CuteContext c, Mode a, CoalesceKind kind) {
  a = filterZeros(c, a, kind);
  unsigned outer = traceEnter(c, CUTE_TRACE_FILTER_COALESCE, a);
  Mode result = cuteCoalesce(c, a, kind);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return isStaticValue(result.shape, 1) ? (Mode){result.shape, staticInt(c, 0)}
                                        : result;
}

// `outer` is what traceEnter gave.
static CuteLayout filterLayout(CuteContext c, unsigned outer,
                               ModeFunction *filter, CuteLayout layout,
                               CuteIntTuple profile) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Mode mode = cuteModeByProfile(c, filter, COALESCE, "filter: profile ",
                                layoutMode(layout), profile);
  CuteLayout result = cuteLayoutWithOuter(c, layout, mode);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  traceLaw(c, cuteExplainWithinLaw(c, layout, result));
  return result;
}

CuteLayout cuteLayoutFilterZeros(CuteContext context, CuteLayout layout,
                                 CuteIntTuple profile) {
  if (!layout)
    return NULL;
  unsigned outer = traceEnter(context, CUTE_TRACE_FILTER_ZEROS, layout);
  return filterLayout(context, outer, filterZeros, layout, profile);
}

CuteLayout cuteLayoutFilter(CuteContext context, CuteLayout layout,
                            CuteIntTuple profile) {
  if (!layout)
    return NULL;
  unsigned outer = traceEnter(context, CUTE_TRACE_FILTER, layout);
  return filterLayout(context, outer, filterWhole, layout, profile);
}

CuteLayout cuteLayoutNullspace(CuteContext context, CuteLayout layout) {
  if (!layout)
    return NULL;
  if (cuteLayoutIsComposed(layout))
    return cuteFail(context, "nullspace: not defined for composed layouts");
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
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
  return start ? cuteInternLayout(context, modesGetUnwrapped(context, &zeros))
               : NULL;
}
