// Composition: the leaves of the right-hand side are walked through the
// coalesced left-hand side.
#include "Algebra/explain_laws.h"
#include "Algebra/laws.h"

//===-- One leaf of the right-hand side -----------------------------------===//

typedef struct Walk {
  CuteIntTuple extent, stride; // what is left of the leaf
  Modes taken;
} Walk;

// Fails where the stride neither stays within the mode nor leads to its end.
static bool checkLeaf(CuteContext c, CuteIntTuple s, CuteIntTuple d,
                      CuteIntTuple size) {
  if (isStatic(s) && s->value < 1) {
    cuteFail(c, "composition: the extent %lld on the right must be positive",
             (long long)s->value);
    return false;
  }
  if (!isStatic(size) || !isStatic(d) || d->value < size->value ||
      d->value % size->value == 0)
    return true;
  cuteFail(c,
           "composition: stride %lld is at least the extent %lld of a mode on "
           "the left, but no multiple of it",
           (long long)d->value, (long long)size->value);
  return false;
}

static bool checkExtent(CuteContext c, CuteIntTuple s, CuteIntTuple taken,
                        CuteIntTuple size) {
  if (!isStatic(taken) || !isStatic(s) || s->value % taken->value == 0)
    return true;
  cuteFail(c,
           "composition: extent %lld is not a multiple of the %lld coordinates "
           "that a mode of extent %lld on the left takes",
           (long long)s->value, (long long)taken->value,
           (long long)size->value);
  return false;
}

// Takes from a mode of A what the leaf s:d covers there, min(ceil(size/|d|), s)
// elements, and goes on with stride ceil(|d|/size). Negative strides are taken
// without asking for divisibility, as in the open dialect.
static bool walkMode(CuteContext c, Walk *walk, Mode a) {
  CuteIntTuple s = walk->extent, d = walk->stride;
  CuteIntTuple step = d ? cuteLeafAbs(c, d) : NULL;
  if (!s || !step || !checkLeaf(c, s, d, a.shape))
    return false;
  CuteIntTuple count = cuteLeafCeilDiv(c, a.shape, step);
  CuteIntTuple rest = cuteLeafCeilDiv(c, step, a.shape);
  walk->stride = cuteLeafMul(c, rest, cuteLeafSignum(c, d));
  if (isStaticValue(count, 1) || isStaticValue(s, 1)) {
    trace(c,
          isStaticValue(s, 1) ? CUTE_TRACE_COMPOSE_DONE
                              : CUTE_TRACE_COMPOSE_PASS,
          a, d, walk->stride);
    return true;
  }
  Mode part = {cuteLeafMin(c, count, s), cuteLeafMul(c, d, a.stride)};
  if (!checkExtent(c, s, part.shape, a.shape))
    return false;
  modesPush(c, &walk->taken, part);
  walk->extent = cuteLeafDiv(c, s, part.shape);
  trace(c, CUTE_TRACE_COMPOSE_TAKE, a, d, count, part, s);
  trace(c,
        isStaticValue(walk->extent, 1) ? CUTE_TRACE_COMPOSE_ALL
                                       : CUTE_TRACE_COMPOSE_LEFT,
        s, part.shape, walk->extent, walk->stride);
  return true;
}

// The last mode of A takes all that is left.
static Mode walkLast(CuteContext c, Walk *walk, Mode a) {
  Mode last = {walk->extent, cuteLeafMul(c, walk->stride, a.stride)};
  if (walk->taken.count && isStaticValue(walk->extent, 1))
    return modesGetUnwrapped(c, &walk->taken);
  trace(c, CUTE_TRACE_COMPOSE_LAST, a, last, walk->stride);
  if (!walk->taken.count)
    return last;
  modesPush(c, &walk->taken, last);
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE_COALESCE);
  Mode result = cuteCoalesceModes(c, &walk->taken, COALESCE);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return result;
}

// Composes coalesced `a`, a scalar mode or a flat tuple of them, with s:d.
static Mode composeLeaf(CuteContext c, Mode a, CuteIntTuple s, CuteIntTuple d) {
  if (isStaticValue(d, 0) || !isTuple(a.shape)) {
    Mode all = {s, isStaticValue(d, 0) ? d : cuteLeafMul(c, d, a.stride)};
    trace(c,
          isStaticValue(d, 0) ? CUTE_TRACE_COMPOSE_STAY
                              : CUTE_TRACE_COMPOSE_ONLY,
          a, all, d);
    return all;
  }
  if (!a.shape->rank) {
    cuteFail(c, "composition: the left layout is empty");
    return failedMode;
  }
  Walk walk = {s, d, {0}};
  size_t last = a.shape->rank - 1;
  for (size_t i = 0; i < last; ++i)
    if (walk.taken.count && isStaticValue(walk.extent, 1))
      return modesGetUnwrapped(c, &walk.taken);
    else if (!walkMode(c, &walk, modeElement(a, i)))
      return failedMode;
  return walkLast(c, &walk, modeElement(a, last));
}

// Follows the path of a scaled basis to a part of `a`.
static Mode followPath(CuteContext c, Mode a, CuteIntTuple path) {
  for (size_t i = 0; i < path->rank; ++i) {
    int64_t mode = path->elements[i]->value;
    if (!isTuple(a.shape) || mode < 0 || mode >= (int64_t)a.shape->rank) {
      cuteFailTuples(c, "composition: the left shape ", a.shape,
                     " has no mode for the scaled basis path ", path);
      return failedMode;
    }
    a = modeElement(a, (size_t)mode);
  }
  trace(c, CUTE_TRACE_COMPOSE_PATH, path, a);
  return a;
}

// Composes each mode of b, which is called `name` in explanations, by itself.
static Mode composeTree(CuteContext c, Mode a, Mode b, const char *name) {
  if (isTuple(b.shape)) {
    Modes modes = {0};
    for (size_t i = 0; i < b.shape->rank; ++i) {
      Mode mode = modeElement(b, i);
      unsigned outer = traceEnter(c,
                                  isTuple(mode.shape) ? CUTE_TRACE_COMPOSE_MODES
                                                      : CUTE_TRACE_COMPOSE_MODE,
                                  i, name, mode);
      Mode part = composeTree(c, a, mode, "that mode");
      traceLeave(c, outer, CUTE_TRACE_COMPOSE_MODE_RESULT, i, part);
      if (modeFailed(part))
        return failedMode;
      modesPush(c, &modes, part);
    }
    return modesGetTuple(c, &modes);
  }
  if (!isBasis(b.stride))
    return composeLeaf(c, a, b.shape, b.stride);
  if (!isStatic(b.shape)) {
    cuteFail(c, "composition: a mode with a scaled basis stride on the right "
                "must have a static extent");
    return failedMode;
  }
  a = followPath(c, a, basisPath(b.stride));
  return modeFailed(a) ? a : composeLeaf(c, a, b.shape, basisValue(b.stride));
}

//===-- Whole layouts and tilers ------------------------------------------===//

static Mode compose(CuteContext c, Mode a, Mode b) {
  CuteIntTuple profile = cuteCodomainProfile(c, b.stride);
  if (!profile)
    return failedMode;
  if (isTuple(profile) && profile->rank > a.shape->rank) {
    cuteFailTuples(c, "composition: the right stride ", b.stride,
                   " addresses more modes than the left shape has: ", a.shape);
    return failedMode;
  }
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE_COALESCE_A);
  a = cuteCoalesceProfile(c, a, profile, COALESCE_KEEP_LAST);
  trace(c, CUTE_TRACE_COMPOSE_COALESCED_A, a);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return modeFailed(a) ? a : composeTree(c, a, b, "B");
}

Mode cuteComposition(CuteContext c, Mode a, Mode b) {
  if (modeFailed(a) || modeFailed(b))
    return failedMode;
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE, a, b);
  Mode result = compose(c, a, b);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

static Mode composeByMode(CuteContext c, Mode a, CuteTile tile) {
  Modes modes = {0};
  for (size_t i = 0; i < tile->rank; ++i) {
    CuteTile element = tile->elements[i];
    if (element->kind == TILE_UNDERSCORE)
      trace(c, CUTE_TRACE_COMPOSE_UNDERSCORE, i, modeElement(a, i));
    Mode part = cuteCompositionTile(c, modeElement(a, i), element);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  if (isTuple(a.shape) && tile->rank < a.shape->rank)
    trace(c, CUTE_TRACE_COMPOSE_DROP, (int)tile->rank);
  return modesGetTuple(c, &modes);
}

static Mode composeChecked(CuteContext c, Mode a, Mode b) {
  Mode r = cuteComposition(c, a, b);
  if (modeFailed(r) || !checksLaws(c) || cuteLawCompositionDivides(c, a, b) ||
      cuteLawAccepts(c, cuteLawComposition(c, a, b, r)))
    return r;
  return failedMode;
}

Mode cuteCompositionTile(CuteContext c, Mode a, CuteTile tile) {
  if (modeFailed(a) || !tile)
    return failedMode;
  if (tile->kind == TILE_UNDERSCORE)
    return a;
  if (tile->kind == TILE_LAYOUT) {
    if (cuteLayoutIsComposed(tile->layout)) {
      cuteFail(c, "composition: a tiler has plain layouts only");
      return failedMode;
    }
    return composeChecked(c, a, layoutMode(tile->layout));
  }
  if (!isTuple(a.shape) ? tile->rank > 1 : tile->rank > a.shape->rank) {
    cuteFail(c, "composition: the tiler has %u modes, the layout %u",
             tile->rank, a.shape->rank);
    return failedMode;
  }
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE_BY_MODE, a, tile);
  Mode result = composeByMode(c, a, tile);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

CuteLayout cuteLayoutComposition(CuteContext context, CuteLayout a,
                                 CuteTile b) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  bool isComposed = a && cuteLayoutIsComposed(a);
  unsigned outer = isComposed ? traceEnter(context, CUTE_TRACE_COMPOSE_UNDER, a,
                                           layoutMode(a))
                              : 0;
  Mode mode = cuteCompositionTile(context, layoutMode(a), b);
  CuteLayout result =
      modeFailed(mode) ? NULL : cuteLayoutWithOuter(context, a, mode);
  if (isComposed)
    traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  traceLaw(context, cuteExplainCompositionLaw(context, a, b, result));
  cuteArenaReset(&context->scratch, mark);
  return result;
}
