// Divides: a layout A as tiles and the rest, A o (T, T*) with the complement T*
// of the tiler in the shape of A, coalesced.
#include "Algebra/explain_laws.h"

static bool checkTiler(CuteContext c, Mode a, CuteLayout tiler, bool isTop) {
  if (cuteLayoutIsComposed(tiler))
    return cuteFail(c, "logical_divide: a tiler has plain layouts only");
  bool hasBasis = tiler->stride->flags & HAS_BASIS;
  if (hasBasis && !isTop)
    return cuteFailTuple(
        c, "logical_divide: inside a tile a layout needs integer strides, not ",
        tiler->stride);
  if (hasBasis && (a.shape->numDynamic + cuteLayoutGetNumDynamic(tiler)))
    return cuteFail(c, "logical_divide: a tiler with scaled basis strides must "
                       "be static and divide a static shape");
  if (tiler->shape->rank > 1 && tiler->stride->numDynamic)
    return cuteFailTuple(c,
                         "logical_divide: a tiler of more than one mode needs "
                         "static strides, not ",
                         tiler->stride);
  return true;
}

// The shape that the tiles are to cover: that of A with as few modes in each
// direction of the tiler as possible, or A's own. A tile that ends inside a
// leaf of the latter is counted wrongly.
static CuteIntTuple targetShape(CuteContext c, Mode a, Mode tiler,
                                DivideTarget target) {
  if (target == DIVIDE_LEAVES)
    return a.shape;
  CuteIntTuple profile = cuteCodomainProfile(c, tiler.stride);
  if (!profile || profile->rank > a.shape->rank)
    return a.shape;
  unsigned outer = traceEnter(c, CUTE_TRACE_COALESCE_A);
  Mode coalesced = cuteCoalesceProfile(c, a, profile, COALESCE);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return coalesced.shape;
}

static bool acceptsLaws(CuteContext c, Mode a, Mode t, Mode rest, Mode both,
                        Mode r) {
  if (!checksLaws(c) || modeFailed(r))
    return true;
  return cuteLawAccepts(
      c, cuteLawHolds(c, CUTE_LAW_DIVIDE,
                      CUTE_LAW_OPERANDS({'A', a}, {'T', t}, {'C', rest},
                                        {'P', both}, {'R', r})) &&
             cuteLawTiles(c, a, t, rest));
}

// (a o t, a o t*)
static Mode divideByLayout(CuteContext c, Mode a, CuteLayout tiler, bool isTop,
                           DivideTarget target) {
  if (!checkTiler(c, a, tiler, isTop))
    return failedMode;
  trace(c, CUTE_TRACE_DIVIDE_TILER, tiler);
  Mode t = layoutMode(tiler);
  CuteIntTuple shape = targetShape(c, a, t, target);
  Mode rest = shape ? cuteComplementOver(c, t, shape) : failedMode;
  if (modeFailed(rest))
    return failedMode;
  Mode both = cuteModePair(c, t, rest), r = cuteComposition(c, a, both);
  return acceptsLaws(c, a, t, rest, both, r) ? r : failedMode;
}

static Mode divide(CuteContext c, Mode a, CuteTile tiler, bool isTop,
                   DivideTarget target) {
  if (modeFailed(a) || !tiler)
    return failedMode;
  if (tiler->kind == TILE_UNDERSCORE)
    return a;
  if (tiler->kind == TILE_LAYOUT)
    return divideByLayout(c, a, tiler->layout, isTop, target);
  size_t rank = a.shape->rank;
  if (tiler->rank > rank)
    return modeFail(
        cuteFail(c, "logical_divide: the tiler has %u modes, the layout %zu",
                 tiler->rank, rank));
  Modes modes = {0};
  for (size_t i = 0; i < rank; ++i) {
    Mode part = modeElement(a, i);
    if (i < tiler->rank) {
      if (!isTuple(part.shape) && tiler->elements[i]->kind == TILE_TUPLE &&
          tiler->elements[i]->rank != 1)
        return modeFail(cuteFailTuple(
            c, "logical_divide: the tiler is nested deeper than the shape ",
            a.shape));
      unsigned outer =
          traceEnter(c, CUTE_TRACE_DIVIDE_MODE, i, part, tiler->elements[i]);
      part = divide(c, part, tiler->elements[i], false, target);
      traceLeave(c, outer, CUTE_TRACE_NOTHING);
    } else {
      trace(c, CUTE_TRACE_DIVIDE_NO_TILER, i, part);
    }
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

//===-- The four forms ----------------------------------------------------===//

static const char *const names[] = {"logical_divide", "zipped_divide",
                                    "tiled_divide", "flat_divide"};
static const char *const arrangements[] = {
    "(tile, rest); with a tuple of tilers, in each mode", "((tiles), (rests))",
    "((tiles), rests...)", "(tiles..., rests...)"};

CuteLayout cuteLayoutDivideInto(CuteContext c, CuteLayout a, CuteTile tiler,
                                CuteTileForm form, DivideTarget target) {
  if (!a || !tiler)
    return NULL;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  unsigned outer = traceEnter(c, CUTE_TRACE_DIVIDE, names[form], a, tiler,
                              arrangements[form]);
  Mode mode = divide(c, layoutMode(a), tiler, true, target);
  mode = cuteGatherTiles(c, mode, tiler, form, UNPACK_ALL);
  CuteLayout result = cuteLayoutWithOuter(c, a, mode);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  traceEquation(c, .law = CUTE_LAW_FIRST_TILE, .a = a, .tiler = tiler,
                .form = form, .r = result, .coords = CUTE_AT_LEAVES);
  return result;
}

CuteLayout cuteLayoutLogicalDivide(CuteContext context, CuteLayout a,
                                   CuteTile tiler) {
  return cuteLayoutDivideInto(context, a, tiler, CUTE_FORM_LOGICAL,
                              DIVIDE_WHOLE);
}

CuteLayout cuteLayoutZippedDivide(CuteContext context, CuteLayout a,
                                  CuteTile tiler) {
  return cuteLayoutDivideInto(context, a, tiler, CUTE_FORM_ZIPPED,
                              DIVIDE_WHOLE);
}

CuteLayout cuteLayoutTiledDivide(CuteContext context, CuteLayout a,
                                 CuteTile tiler) {
  return cuteLayoutDivideInto(context, a, tiler, CUTE_FORM_TILED, DIVIDE_WHOLE);
}

CuteLayout cuteLayoutFlatDivide(CuteContext context, CuteLayout a,
                                CuteTile tiler) {
  return cuteLayoutDivideInto(context, a, tiler, CUTE_FORM_FLAT, DIVIDE_WHOLE);
}
