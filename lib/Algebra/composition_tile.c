// Composition with tilers, each part with its own mode of A, and its law.
#include "Algebra/explain_laws.h"

static Mode composeChecked(CuteContext c, Mode a, Mode b) {
  Mode r = cuteComposition(c, a, b);
  bool isKept = cuteLawAcceptsComposition(
      c, CUTE_LAW_COMPOSITION, CUTE_LAW_OPERANDS({'A', a}, {'B', b}, {'R', r}));
  return isKept ? r : failedMode;
}

static Mode composeTile(CuteContext c, Mode a, CuteTile tile);

static Mode composeByMode(CuteContext c, Mode a, CuteTile tile) {
  Modes modes = {0};
  for (size_t i = 0; i < tile->rank; ++i) {
    CuteTile element = tile->elements[i];
    if (element->kind == TILE_UNDERSCORE)
      trace(c, CUTE_TRACE_COMPOSE_UNDERSCORE, i, modeElement(a, i));
    Mode part = composeTile(c, modeElement(a, i), element);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  if (tile->rank < a.shape->rank)
    trace(c, CUTE_TRACE_COMPOSE_DROP, (int)tile->rank);
  return modesGetTuple(c, &modes);
}

static Mode composeTile(CuteContext c, Mode a, CuteTile tile) {
  if (modeFailed(a) || !tile)
    return failedMode;
  if (tile->kind == TILE_UNDERSCORE)
    return a;
  if (tile->kind == TILE_LAYOUT && cuteLayoutIsComposed(tile->layout))
    return modeFail(cuteFail(c, "composition: a tiler has plain layouts only"));
  if (tile->kind == TILE_LAYOUT)
    return composeChecked(c, a, layoutMode(tile->layout));
  if (tile->rank > a.shape->rank)
    return modeFail(
        cuteFail(c, "composition: the tiler has %u modes, the layout %u",
                 tile->rank, a.shape->rank));
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE_BY_MODE, a, tile);
  Mode result = composeByMode(c, a, tile);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

CuteLayout cuteLayoutComposition(CuteContext context, CuteLayout a,
                                 CuteTile b) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  bool isComposed = a && cuteLayoutIsComposed(a);
  unsigned outer = isComposed ? traceEnter(context, CUTE_TRACE_COMPOSE_UNDER, a,
                                           layoutMode(a))
                              : 0;
  Mode mode = composeTile(context, layoutMode(a), b);
  CuteLayout result = cuteLayoutWithOuter(context, a, mode);
  if (isComposed)
    traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainCompositionLaw(context, a, b, result));
  return result;
}
