// Composition, as in section 4.4 of the open dialect: the right-hand side's
// leaves are walked through the coalesced left-hand side.
#include "Algebra/explain_laws.h"

#include "Algebra/laws.h"

//===-- One leaf of the right-hand side -----------------------------------===//

typedef struct Walk {
  CuteIntTuple extent, stride; // what is left of the leaf
  Modes emitted;
} Walk;

// A mode of A of which the leaf takes nothing.
static CUTE_COLD void explainPass(CuteContext c, Mode a, CuteIntTuple s,
                                  CuteIntTuple d, CuteIntTuple next) {
  if (isStaticValue(s, 1))
    EXPLAIN(c, "A's mode %m: 1 element needs no further step", a);
  else
    EXPLAIN(c,
            "A's mode %m: step %t leads past all of it; that is step "
            "ceil(%t/%t) = %t in the next mode",
            a, d, d, a.shape, next);
}

// A mode of A of which the leaf, with extent s and stride d, takes `part`.
static CUTE_COLD void explainTaking(CuteContext c, Mode a, CuteIntTuple s,
                                    CuteIntTuple d, CuteIntTuple count,
                                    Mode part, Walk rest) {
  EXPLAIN(c,
          "A's mode %m: step %t meets %t of its %t elements, %t*%t = %t "
          "apart; take min(%t,%t) = %t of them -> %m",
          a, d, count, a.shape, d, a.stride, part.stride, count, s, part.shape,
          part);
  if (isStaticValue(rest.extent, 1))
    EXPLAIN(c, "that is all of the %t", s);
  else
    EXPLAIN(c, "%t/%t = %t left, to be taken with step %t from the next mode",
            s, part.shape, rest.extent, rest.stride);
}

// A mode of A that takes whatever the leaf has left, with extent s and stride
// d, as `part`.
static CUTE_COLD void explainRest(CuteContext c, const char *format, Mode a,
                                  CuteIntTuple s, CuteIntTuple d, Mode part) {
  EXPLAIN(c, format, a, s, d, a.stride, part.stride, part);
}

// Section 4.4, one step: the leaf takes from mode a_i what it covers there. As
// in the open dialect, negative strides are taken without asking for
// divisibility.
static bool walkMode(CuteContext c, Walk *walk, Mode a) {
  CuteIntTuple s = walk->extent, d = walk->stride, size = a.shape;
  CuteIntTuple step = d ? cuteLeafAbs(c, d) : NULL;
  if (!s || !step)
    return false;
  if (isStatic(s) && s->value < 1) {
    cuteFail(c, "composition: the extent %lld on the right must be positive",
             (long long)s->value);
    return false;
  }
  if (isStatic(size) && isStatic(d) && d->value >= size->value &&
      d->value % size->value) {
    cuteFail(c,
             "composition: stride %lld is at least the extent %lld of a mode "
             "on the left, but no multiple of it",
             (long long)d->value, (long long)size->value);
    return false;
  }
  CuteIntTuple count = cuteLeafCeilDiv(c, size, step);
  CuteIntTuple steps = cuteLeafCeilDiv(c, step, size);
  CuteIntTuple next = cuteLeafMul(c, steps, cuteLeafSignum(c, d));
  walk->stride = next;
  if (isStaticValue(count, 1) || isStaticValue(s, 1)) {
    if (isTraced(c))
      explainPass(c, a, s, d, next);
    return true;
  }
  CuteIntTuple taken = cuteLeafMin(c, count, s);
  if (isStatic(taken) && isStatic(s) && s->value % taken->value) {
    cuteFail(c,
             "composition: extent %lld is not a multiple of the %lld "
             "coordinates that a mode of extent %lld on the left takes",
             (long long)s->value, (long long)taken->value,
             (long long)size->value);
    return false;
  }
  Mode part = {taken, cuteLeafMul(c, d, a.stride)};
  modesPush(c, &walk->emitted, part);
  walk->extent = cuteLeafDiv(c, s, taken);
  if (isTraced(c))
    explainTaking(c, a, s, d, count, part, *walk);
  return true;
}

// The number of modes from the first that lie below a static stride, which is
// divided by their extents: walkMode's steps that take nothing, at once.
static size_t skipModes(CuteContext c, Mode a, CuteIntTuple s,
                        CuteIntTuple *d) {
  int64_t stride = isStatic(*d) ? (*d)->value : 0;
  size_t i = 0;
  for (; i + 1 < a.shape->rank; ++i) {
    CuteIntTuple size = a.shape->elements[i];
    if (stride <= 0 || !isStatic(size) || size->value < 1 ||
        stride % size->value)
      break;
    if (isTraced(c))
      explainPass(c, modeElement(a, i), s, staticInt(c, stride),
                  staticInt(c, stride / size->value));
    stride /= size->value;
  }
  if (i)
    *d = staticInt(c, stride);
  return i;
}

// `a` is coalesced: a scalar mode or a flat tuple of them.
static Mode composeLeaf(CuteContext c, Mode a, CuteIntTuple s, CuteIntTuple d) {
  if (isStaticValue(d, 0)) {
    EXPLAIN(c, "step 0 stays where it is, in A too -> %m", ((Mode){s, d}));
    return (Mode){s, d};
  }
  if (!isTuple(a.shape)) {
    Mode all = {s, cuteLeafMul(c, d, a.stride)};
    if (isTraced(c))
      explainRest(c, "A's only mode %m: %t elements, %t*%t = %t apart -> %m", a,
                  s, d, all);
    return all;
  }
  size_t rank = a.shape->rank;
  if (!rank) {
    cuteFail(c, "composition: the left layout is empty");
    return failedMode;
  }
  size_t i = skipModes(c, a, s, &d);
  Walk walk = {s, d, {0}};
  for (; i + 1 < rank; ++i) {
    if (walk.emitted.count && isStaticValue(walk.extent, 1))
      return modesGetUnwrapped(c, &walk.emitted);
    if (!walkMode(c, &walk, modeElement(a, i)))
      return failedMode;
  }
  Mode last = {walk.extent,
               cuteLeafMul(c, walk.stride, a.stride->elements[rank - 1])};
  if (walk.emitted.count && isStaticValue(walk.extent, 1))
    return modesGetUnwrapped(c, &walk.emitted);
  if (isTraced(c))
    explainRest(c,
                "A's last mode %m takes what is left: %t elements, %t*%t = %t "
                "apart -> %m",
                modeElement(a, rank - 1), walk.extent, walk.stride, last);
  if (!walk.emitted.count)
    return last;
  modesPush(c, &walk.emitted, last);
  unsigned outer = EXPLAIN_BEGIN_HELD(c, "coalesce what was taken:");
  Mode result = cuteCoalesceModes(c, &walk.emitted, COALESCE);
  EXPLAIN_END(c, outer);
  return result;
}

// The part of `a` that a path of a scaled basis leads to.
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
  EXPLAIN(c, "the scaled basis leads to A's mode at path %t: %m", path, a);
  return a;
}

static Mode composeTree(CuteContext c, Mode a, Mode b, const char *name);

static CUTE_COLD unsigned beginMode(CuteContext c, size_t i, const char *name,
                                    Mode mode) {
  if (isTuple(mode.shape))
    return EXPLAIN_BEGIN(c, "mode %z of %s, %m:", i, name, mode);
  return EXPLAIN_BEGIN(c,
                       "mode %z of %s, %m: take %t elements of A with step %t",
                       i, name, mode, mode.shape, mode.stride);
}

static CUTE_COLD void endMode(CuteContext c, size_t i, Mode part,
                              unsigned outer) {
  EXPLAIN_RESULT(c, outer, "mode %z of the result: %m", i, part);
}

// A tuple of modes, called `name` in steps: each by itself.
static Mode composeModes(CuteContext c, Mode a, Mode b, const char *name) {
  Modes modes = {0};
  for (size_t i = 0; i < b.shape->rank; ++i) {
    Mode mode = modeElement(b, i);
    unsigned outer = isTraced(c) ? beginMode(c, i, name, mode) : 0;
    Mode part = composeTree(c, a, mode, "that mode");
    if (isTraced(c))
      endMode(c, i, part, outer);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

static Mode composeTree(CuteContext c, Mode a, Mode b, const char *name) {
  if (isTuple(b.shape))
    return composeModes(c, a, b, name);
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
  unsigned outer =
      EXPLAIN_BEGIN_HELD(c, "coalesce A, since only its function counts:");
  a = cuteCoalesceProfile(c, a, profile, COALESCE_KEEP_LAST);
  EXPLAIN_ASIDE(c, "A is %m from here on", a);
  EXPLAIN_END(c, outer);
  return modeFailed(a) ? a : composeTree(c, a, b, "B");
}

Mode cuteComposition(CuteContext c, Mode a, Mode b) {
  if (modeFailed(a) || modeFailed(b))
    return failedMode;
  unsigned outer = EXPLAIN_OPERATION(
      c, "composition %m o %m: R(c) = A(B(c)), one mode of B after another", a,
      b);
  Mode result = compose(c, a, b);
  EXPLAIN_RESULT(c, outer, "result %m", result);
  return result;
}

static Mode composeByMode(CuteContext c, Mode a, CuteTile tile) {
  Modes modes = {0};
  for (size_t i = 0; i < tile->rank; ++i) {
    CuteTile element = tile->elements[i];
    if (element->kind == TILE_UNDERSCORE)
      EXPLAIN(c, "mode %z, %m: _ leaves it alone", i, modeElement(a, i));
    Mode part = cuteCompositionTile(c, modeElement(a, i), element);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  if (isTuple(a.shape) && tile->rank < a.shape->rank)
    EXPLAIN(c, "modes of A from %d on are dropped: the tiler has none for them",
            (int)tile->rank);
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
  unsigned outer = EXPLAIN_OPERATION(
      c, "composition %m o %T: each mode of A with its own part of the tiler",
      a, tile);
  Mode result = composeByMode(c, a, tile);
  EXPLAIN_RESULT(c, outer, "result %m", result);
  return result;
}

CuteLayout cuteLayoutComposition(CuteContext context, CuteLayout a,
                                 CuteTile b) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  unsigned outer = EXPLAIN_COMPOSED(context, "composition", a);
  Mode mode = cuteCompositionTile(context, layoutMode(a), b);
  CuteLayout result =
      modeFailed(mode) ? NULL : cuteLayoutWithOuter(context, a, mode);
  EXPLAIN_COMPOSED_END(context, outer, a, result);
  EXPLAIN_LAW(context, cuteExplainCompositionLaw(context, a, b, result));
  cuteArenaReset(&context->scratch, mark);
  return result;
}
