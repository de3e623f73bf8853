// Divides: a layout as tiles and the rest. Section 4.7 of the open dialect.
#include "Algebra/algebra.h"

static Mode pair(CuteContext c, Mode first, Mode second) {
  CuteIntTuple shapes[] = {first.shape, second.shape};
  CuteIntTuple strides[] = {first.stride, second.stride};
  return (Mode){cuteInternTuple(c, 2, shapes), cuteInternTuple(c, 2, strides)};
}

static bool checkTiler(CuteContext c, Mode a, CuteLayout tiler, bool isTop) {
  if (cuteLayoutIsComposed(tiler)) {
    cuteFail(c, "logical_divide: a tiler has plain layouts only");
    return false;
  }
  bool hasBasis = tiler->stride->flags & HAS_BASIS;
  if (hasBasis && !isTop) {
    cuteFailTuple(c,
                  "logical_divide: inside a tile a layout needs integer "
                  "strides, not ",
                  tiler->stride);
    return false;
  }
  if (hasBasis && (a.shape->numDynamic + cuteLayoutGetNumDynamic(tiler))) {
    cuteFail(c, "logical_divide: a tiler with scaled basis strides must be "
                "static and divide a static shape");
    return false;
  }
  if (tiler->shape->rank > 1 && tiler->stride->numDynamic) {
    cuteFailTuple(c,
                  "logical_divide: a tiler of more than one mode needs "
                  "static strides, not ",
                  tiler->stride);
    return false;
  }
  return true;
}

// (a o t, a o t*)
static Mode divideByLayout(CuteContext c, Mode a, CuteLayout tiler,
                           bool isTop) {
  if (!checkTiler(c, a, tiler, isTop))
    return failedMode;
  Mode t = layoutMode(tiler);
  Mode rest = cuteComplementOver(c, t, a.shape);
  if (modeFailed(rest))
    return failedMode;
  return cuteComposition(c, a, pair(c, t, rest));
}

static Mode divide(CuteContext c, Mode a, CuteTile tiler, bool isTop) {
  if (modeFailed(a) || !tiler)
    return failedMode;
  if (tiler->kind == TILE_UNDERSCORE)
    return a;
  if (tiler->kind == TILE_LAYOUT)
    return divideByLayout(c, a, tiler->layout, isTop);
  size_t rank = a.shape->rank;
  if (tiler->rank > rank) {
    cuteFail(c, "logical_divide: the tiler has %u modes, the layout %zu",
             tiler->rank, rank);
    return failedMode;
  }
  Modes modes = {0};
  for (size_t i = 0; i < rank; ++i) {
    Mode part = modeElement(a, i);
    if (i < tiler->rank) {
      if (!isTuple(part.shape) && tiler->elements[i]->kind == TILE_TUPLE &&
          !(isTuple(a.shape) && tiler->elements[i]->rank == 1)) {
        cuteFailTuple(c,
                      "logical_divide: the tiler is nested deeper than the "
                      "shape ",
                      a.shape);
        return failedMode;
      }
      part = divide(c, part, tiler->elements[i], false);
    }
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

//===-- Gathering tiles and rests -----------------------------------------===//

// Splits a divided layout along the tiler's profile into tiles and rests. As in
// the open dialect, an `_` over the whole takes the first two modes for them.
static bool zip(CuteContext c, Mode divided, CuteTile tiler, bool isTop,
                Mode *tiles, Mode *rests) {
  if (tiler->kind != TILE_TUPLE) {
    if (!isTuple(divided.shape) || divided.shape->rank < 2 ||
        (divided.shape->rank > 2 && !isTop)) {
      cuteFailTuple(c, "zipped_divide: not a tile and a rest: ", divided.shape);
      return false;
    }
    *tiles = modeElement(divided, 0);
    *rests = modeElement(divided, 1);
    return true;
  }
  Modes first = {0}, second = {0};
  for (size_t i = 0; i < divided.shape->rank; ++i) {
    Mode part = modeElement(divided, i), tile, rest;
    if (i >= tiler->rank) {
      modesPush(c, &second, part);
      continue;
    }
    if (!zip(c, part, tiler->elements[i], false, &tile, &rest))
      return false;
    modesPush(c, &first, tile);
    modesPush(c, &second, rest);
  }
  *tiles = modesGetTuple(c, &first);
  *rests = modesGetTuple(c, &second);
  return true;
}

// The modes of a tuple, or the mode itself.
static void unpack(CuteContext c, Mode m, Modes *modes) {
  if (!isTuple(m.shape)) {
    modesPush(c, modes, m);
    return;
  }
  for (size_t i = 0; i < m.shape->rank; ++i)
    modesPush(c, modes, modeElement(m, i));
}

typedef enum { LOGICAL, ZIPPED, TILED, FLAT } Form;

static Mode gather(CuteContext c, Mode divided, CuteTile tiler, Form form) {
  Mode tiles, rests;
  if (modeFailed(divided) || form == LOGICAL)
    return divided;
  if (tiler->kind == TILE_TUPLE && !tiler->rank && form != ZIPPED) {
    cuteFail(c, "divide: an empty tiler has no tiles to unpack");
    return failedMode;
  }
  if (!zip(c, divided, tiler, true, &tiles, &rests))
    return failedMode;
  if (form == ZIPPED)
    return pair(c, tiles, rests);
  Modes modes = {0};
  if (form == TILED)
    modesPush(c, &modes, tiles);
  else
    unpack(c, tiles, &modes);
  unpack(c, rests, &modes);
  return modesGetTuple(c, &modes);
}

static CuteLayout divideInto(CuteContext c, CuteLayout a, CuteTile tiler,
                             Form form) {
  if (!a || !tiler)
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Mode mode = divide(c, layoutMode(a), tiler, true);
  mode = gather(c, mode, tiler, form);
  CuteLayout result = modeFailed(mode) ? NULL : cuteLayoutWithOuter(c, a, mode);
  cuteArenaReset(&c->scratch, mark);
  return result;
}

CuteLayout cuteLayoutLogicalDivide(CuteContext context, CuteLayout a,
                                   CuteTile tiler) {
  return divideInto(context, a, tiler, LOGICAL);
}

CuteLayout cuteLayoutZippedDivide(CuteContext context, CuteLayout a,
                                  CuteTile tiler) {
  return divideInto(context, a, tiler, ZIPPED);
}

CuteLayout cuteLayoutTiledDivide(CuteContext context, CuteLayout a,
                                 CuteTile tiler) {
  return divideInto(context, a, tiler, TILED);
}

CuteLayout cuteLayoutFlatDivide(CuteContext context, CuteLayout a,
                                CuteTile tiler) {
  return divideInto(context, a, tiler, FLAT);
}
