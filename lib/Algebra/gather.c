// Gathers tiles and rests that are mode by mode: the zipped, tiled and flat
// forms of divides and products. The arrangements are the open dialect's.
#include "Algebra/trace.h"

Mode cuteModePair(CuteContext c, Mode first, Mode second) {
  CuteIntTuple shapes[] = {first.shape, second.shape};
  CuteIntTuple strides[] = {first.stride, second.stride};
  return (Mode){cuteInternTuple(c, 2, shapes), cuteInternTuple(c, 2, strides)};
}

// Splits a divided layout along the tiler's profile into tiles and rests. As in
// the open dialect, an `_` over the whole takes the first two modes for them.
static bool zip(CuteContext c, Mode divided, CuteTile tiler, bool isTop,
                Mode *tiles, Mode *rests) {
  if (tiler->kind != TILE_TUPLE) {
    if (!isTuple(divided.shape) || divided.shape->rank < 2 ||
        (divided.shape->rank > 2 && !isTop))
      return cuteFailTuple(c,
                           "divide: not a tile and its rest, which a tiler's "
                           "layouts and extents make but `_` does not: ",
                           divided.shape);
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

static void unpack(CuteContext c, Mode m, Unpacking unpacking, Modes *modes) {
  if (unpacking == KEEP_SINGLES && m.shape->rank == 1)
    modesPush(c, modes, m);
  else
    modesPushModes(c, modes, m);
}

Mode cuteGatherTiles(CuteContext c, Mode divided, CuteTile tiler,
                     CuteTileForm form, Unpacking unpacking) {
  Mode tiles, rests;
  if (modeFailed(divided) || form == CUTE_FORM_LOGICAL)
    return divided;
  if (tiler->kind == TILE_TUPLE && !tiler->rank && form != CUTE_FORM_ZIPPED)
    return modeFail(
        cuteFail(c, "divide: an empty tiler has no tiles to unpack"));
  if (!zip(c, divided, tiler, true, &tiles, &rests))
    return failedMode;
  trace(c, CUTE_TRACE_GATHER, divided, tiles, rests);
  if (form == CUTE_FORM_ZIPPED)
    return cuteModePair(c, tiles, rests);
  Modes modes = {0};
  if (form == CUTE_FORM_TILED)
    modesPush(c, &modes, tiles);
  else
    unpack(c, tiles, unpacking, &modes);
  unpack(c, rests, unpacking, &modes);
  return modesGetTuple(c, &modes);
}
