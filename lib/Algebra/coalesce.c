#include "Algebra/explain_laws.h"

// Tells whether `next` continues `last`, so that the two are one mode. Only
// modes that are static through and through ever merge.
static bool continues(Mode last, Mode next) {
  if (!isStatic(last.shape) || !isStatic(next.shape) ||
      !isFullyStatic(last.stride) || !isFullyStatic(next.stride))
    return false;
  int64_t extent = last.shape->value, merged;
  CuteIntTuple a = last.stride, b = next.stride;
  if (isBasis(a) != isBasis(b) || (isBasis(a) && basisPath(a) != basisPath(b)))
    return false;
  int64_t from = isBasis(a) ? basisValue(a)->value : a->value;
  int64_t to = isBasis(b) ? basisValue(b)->value : b->value;
  return !__builtin_mul_overflow(extent, from, &merged) && merged == to;
}

static void dropLast(CuteContext c, Modes *modes) {
  --modes->count;
  trace(c, CUTE_TRACE_COALESCE_DROP, modes->data[modes->count]);
}

static void coalesceInto(CuteContext c, Modes *result, Mode next) {
  while (result->count &&
         isStaticValue(result->data[result->count - 1].shape, 1))
    dropLast(c, result);
  Mode *last = result->count ? &result->data[result->count - 1] : NULL;
  if (last && continues(*last, next)) {
    Mode before = *last;
    last->shape = cuteLeafMul(c, last->shape, next.shape);
    trace(c, CUTE_TRACE_COALESCE_MERGE, next, before, *last);
    return;
  }
  if (last && !isStaticValue(next.shape, 1))
    trace(c, CUTE_TRACE_COALESCE_KEEP, next, *last);
  modesPush(c, result, next);
}

static bool coalesceAll(CuteContext c, const Modes *modes, CoalesceKind kind,
                        Modes *result) {
  for (size_t i = 0; i < modes->count; ++i) {
    if (modeFailed(modes->data[i]))
      return false;
    coalesceInto(c, result, modes->data[i]);
    if (modeFailed(result->data[result->count - 1]))
      return false; // the merged extent does not fit 64 bits
  }
  if (kind == COALESCE && result->count > 1 &&
      isStaticValue(result->data[result->count - 1].shape, 1))
    dropLast(c, result);
  return true;
}

Mode cuteCoalesceModes(CuteContext c, const Modes *modes, CoalesceKind kind) {
  Modes result = {0};
  return coalesceAll(c, modes, kind, &result) ? modesGetUnwrapped(c, &result)
                                              : failedMode;
}

Mode cuteCoalesce(CuteContext c, Mode a, CoalesceKind kind) {
  if (modeFailed(a))
    return failedMode;
  Modes modes = {0}, result = {0};
  modesPushLeaves(c, &modes, a);
  if (!coalesceAll(c, &modes, kind, &result))
    return failedMode;
  bool isUnchanged = isTuple(a.shape) && a.shape->depth == 1 &&
                     result.count > 1 && result.count == a.shape->rank;
  return isUnchanged ? a : modesGetUnwrapped(c, &result);
}

Mode cuteModeByProfile(CuteContext c, ModeFunction *function, CoalesceKind kind,
                       const char *name, Mode a, CuteIntTuple profile) {
  if (modeFailed(a))
    return failedMode;
  if (!isTuple(profile))
    return function(c, a, kind);
  size_t rank = a.shape->rank;
  if (profile->rank > rank)
    return modeFail(cuteFailTuples(
        c, name, profile, " has more modes than the layout's shape ", a.shape));
  Modes modes = {0};
  for (size_t i = 0; i < rank; ++i) {
    Mode part = modeElement(a, i);
    unsigned outer = traceEnter(c, CUTE_TRACE_IN_MODE, i, part);
    modesPush(c, &modes,
              i < profile->rank ? cuteModeByProfile(c, function, kind, name,
                                                    part, profile->elements[i])
                                : part);
    traceLeave(c, outer, CUTE_TRACE_NOTHING);
  }
  return modesGetTuple(c, &modes);
}

Mode cuteCoalesceProfile(CuteContext c, Mode a, CuteIntTuple profile,
                         CoalesceKind kind) {
  return cuteModeByProfile(c, cuteCoalesce, kind, "coalesce: profile ", a,
                           profile);
}

CuteLayout cuteLayoutCoalesce(CuteContext context, CuteLayout layout,
                              CuteIntTuple profile) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = profile ? traceEnter(context, CUTE_TRACE_COALESCE_PROFILE,
                                        layout, profile)
                           : traceEnter(context, CUTE_TRACE_COALESCE, layout);
  Mode mode =
      cuteCoalesceProfile(context, layoutMode(layout), profile, COALESCE);
  CuteLayout result = cuteLayoutWithOuter(context, layout, mode);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceEquation(context, .law = CUTE_LAW_SAME, .a = layout, .r = result);
  return result;
}
