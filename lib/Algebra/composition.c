// Composition, as in section 4.4 of the open dialect: the right-hand side's
// leaves are walked through the coalesced left-hand side.
#include "Algebra/algebra.h"

//===-- One leaf of the right-hand side -----------------------------------===//

typedef struct Walk {
  CuteIntTuple extent, stride; // what is left of the leaf
  Modes emitted;
} Walk;

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
  CuteIntTuple next =
      cuteLeafMul(c, cuteLeafCeilDiv(c, step, size), cuteLeafSignum(c, d));
  walk->stride = next;
  if (isStaticValue(count, 1) || isStaticValue(s, 1))
    return true;
  CuteIntTuple taken = cuteLeafMin(c, count, s);
  if (isStatic(taken) && isStatic(s) && s->value % taken->value) {
    cuteFail(c,
             "composition: extent %lld is not a multiple of the %lld "
             "coordinates that a mode of extent %lld on the left takes",
             (long long)s->value, (long long)taken->value,
             (long long)size->value);
    return false;
  }
  modesPush(c, &walk->emitted, (Mode){taken, cuteLeafMul(c, d, a.stride)});
  walk->extent = cuteLeafDiv(c, s, taken);
  return true;
}

// The number of modes from the first that lie below a static stride, which is
// divided by their extents: walkMode's steps that take nothing, at once.
static size_t skipModes(CuteContext c, Mode a, CuteIntTuple *d) {
  int64_t stride = isStatic(*d) ? (*d)->value : 0;
  size_t i = 0;
  for (; i + 1 < a.shape->rank; ++i) {
    CuteIntTuple size = a.shape->elements[i];
    if (stride <= 0 || !isStatic(size) || size->value < 1 ||
        stride % size->value)
      break;
    stride /= size->value;
  }
  if (i)
    *d = staticInt(c, stride);
  return i;
}

// `a` is coalesced: a scalar mode or a flat tuple of them.
static Mode composeLeaf(CuteContext c, Mode a, CuteIntTuple s, CuteIntTuple d) {
  if (isStaticValue(d, 0))
    return (Mode){s, d};
  if (!isTuple(a.shape))
    return (Mode){s, cuteLeafMul(c, d, a.stride)};
  size_t rank = a.shape->rank;
  if (!rank) {
    cuteFail(c, "composition: the left layout is empty");
    return failedMode;
  }
  size_t i = skipModes(c, a, &d);
  Walk walk = {s, d, {0}};
  for (; i + 1 < rank; ++i) {
    if (walk.emitted.count && isStaticValue(walk.extent, 1))
      return modesGetUnwrapped(c, &walk.emitted);
    if (!walkMode(c, &walk, modeElement(a, i)))
      return failedMode;
  }
  Mode last = {walk.extent,
               cuteLeafMul(c, walk.stride, a.stride->elements[rank - 1])};
  if (!walk.emitted.count)
    return last;
  if (isStaticValue(walk.extent, 1))
    return modesGetUnwrapped(c, &walk.emitted);
  modesPush(c, &walk.emitted, last);
  return cuteCoalesceModes(c, &walk.emitted, COALESCE);
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
  return a;
}

static Mode composeTree(CuteContext c, Mode a, Mode b) {
  if (isTuple(b.shape)) {
    Modes modes = {0};
    for (size_t i = 0; i < b.shape->rank; ++i) {
      Mode part = composeTree(c, a, modeElement(b, i));
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

Mode cuteComposition(CuteContext c, Mode a, Mode b) {
  if (modeFailed(a) || modeFailed(b))
    return failedMode;
  CuteIntTuple profile = cuteCodomainProfile(c, b.stride);
  if (!profile)
    return failedMode;
  if (isTuple(profile) && profile->rank > a.shape->rank) {
    cuteFailTuples(c, "composition: the right stride ", b.stride,
                   " addresses more modes than the left shape has: ", a.shape);
    return failedMode;
  }
  a = cuteCoalesceProfile(c, a, profile, COALESCE_KEEP_LAST);
  return modeFailed(a) ? a : composeTree(c, a, b);
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
    return cuteComposition(c, a, layoutMode(tile->layout));
  }
  if (!isTuple(a.shape) ? tile->rank > 1 : tile->rank > a.shape->rank) {
    cuteFail(c, "composition: the tiler has %u modes, the layout %u",
             tile->rank, a.shape->rank);
    return failedMode;
  }
  if (!isTuple(a.shape) && tile->rank == 1 &&
      tile->elements[0]->kind == TILE_TUPLE) {
    cuteFailTuple(c, "composition: the tiler is nested deeper than the shape ",
                  a.shape);
    return failedMode;
  }
  Modes modes = {0};
  for (size_t i = 0; i < tile->rank; ++i) {
    Mode part = cuteCompositionTile(c, modeElement(a, i), tile->elements[i]);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

CuteLayout cuteLayoutComposition(CuteContext context, CuteLayout a,
                                 CuteTile b) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Mode mode = cuteCompositionTile(context, layoutMode(a), b);
  CuteLayout result =
      modeFailed(mode) ? NULL : cuteLayoutWithOuter(context, a, mode);
  cuteArenaReset(&context->scratch, mark);
  return result;
}
