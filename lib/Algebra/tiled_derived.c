// Tiled copies made from other tiled things.
#include "Algebra/tiled.h"

// The TV layout leads to indices of what the tiler picks, in its order.
CuteTiledCopy cuteTiledCopyGetLike(CuteContext context,
                                   const CuteCopyAtom *atom,
                                   CuteElementType element, CuteTiledCopy other,
                                   CuteCopySide side) {
  CuteTiledCopy picked = other;
  CuteIntTuple shape = cuteTileGetShapes(context, other.tiler);
  CuteIntTuple extents = shape ? cuteIntTupleProductEach(context, shape) : NULL;
  picked.tiler = extents ? cuteTileGetShape(context, extents) : NULL;
  CuteLayout tv =
      picked.tiler ? cuteTiledCopyGetLayoutTV(context, picked, side) : NULL;
  return (CuteTiledCopy){atom, element, tv, other.tiler};
}

// For each mode of the shape the layout of its coordinates that tv, a layout
// into the column-major tile of the shape, leads to.
static CuteTile touchedTile(CuteContext c, CuteLayout tv, CuteIntTuple shape) {
  CuteTile *modes = cuteScratch(c, shape->rank * sizeof *modes);
  CuteTile byIndex = cuteTileGetLayout(c, tv);
  for (size_t i = 0; i < shape->rank; ++i) {
    CuteLayout mode = cuteLayoutGet(
        c, shape, CUTE_TUPLE_OF(c, j, shape->rank, staticInt(c, j == i)));
    CuteLayout touched =
        mode
            ? cuteLayoutFilter(c, cuteLayoutComposition(c, mode, byIndex), NULL)
            : NULL;
    if (!touched)
      return NULL;
    modes[i] = cuteTileGetLayout(c, touched);
  }
  return cuteInternTileTuple(c, shape->rank, modes);
}

// The copy with tv's threads and values in the tile of what tv touches.
static CuteTiledCopy copyOfTouched(CuteContext c, CuteTiledCopy copy,
                                   CuteLayout tv, CuteIntTuple shape) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteTile tiler = tv && shape ? touchedTile(c, tv, shape) : NULL;
  CuteLayout whole = tiler ? cuteLayoutGet(c, shape, NULL) : NULL;
  CuteLayout fromTile = whole ? cuteLayoutComposition(c, whole, tiler) : NULL;
  CuteLayout toTile = fromTile ? cuteLayoutLeftInverse(c, fromTile) : NULL;
  if (toTile) {
    copy.layoutTV = cuteLayoutComposition(c, toTile, cuteTileGetLayout(c, tv));
    copy.tiler = tiler;
  }
  return copy;
}

CuteTiledCopy cuteTiledCopyGetForMmaAtom(CuteContext context,
                                         const CuteCopyAtom *atom,
                                         CuteElementType type,
                                         CuteTiledMma mma) {
  CuteContext c = context;
  CuteTiledCopy copy = {atom, type, NULL, NULL};
  CuteLayout whole = cuteTiledMmaGetSharedLayoutTV(c, mma, CUTE_OPERAND_C);
  CuteLayout side = cuteCopyAtomGetLayout(c, atom, type, CUTE_SOURCE);
  if (!whole || !side)
    return copy;
  CuteIntTuple values = cuteIntTupleProduct(c, element(side->shape, 1));
  CuteIntTuple held = cuteIntTupleProduct(c, element(whole->shape, 1));
  if (values->value > held->value) {
    cuteFail(c,
             "make_tiled_copy_c_atom: %s moves %jd values of a thread, which "
             "has %jd of operand C",
             atom->name, values->value, held->value);
    return copy;
  }
  CuteIntTuple first[] = {cuteIntTupleProduct(c, element(whole->shape, 0)),
                          values};
  CuteIntTuple extents[] = {cuteTiledMmaGetTileSize(c, mma, 0),
                            cuteTiledMmaGetTileSize(c, mma, 1)};
  return copyOfTouched(
      c, copy, cuteLayoutWithShape(c, whole, cuteInternTuple(c, 2, first)),
      cuteInternTuple(c, 2, extents));
}

// Appends a mode (1):(0), so that what lies beyond has stride 0.
static CuteLayout padded(CuteContext c, CuteLayout layout) {
  Mode end = {staticInt(c, 1), staticInt(c, 0)};
  return layout ? cuteInternLayout(c, cuteModePair(c, layoutMode(layout), end))
                : NULL;
}

// Tells whether the data has every index of the TV layout: following the
// coordinates that were found for them leads back. Compares one by one what
// composition does not show to be the same.
static bool checkAddressed(CuteContext c, CuteLayout data, CuteLayout tv,
                           CuteLayout coords) {
  CuteLayout back =
      cuteLayoutComposition(c, data, cuteTileGetLayout(c, coords));
  if (back &&
      cuteLayoutCoalesce(c, back, NULL) == cuteLayoutCoalesce(c, tv, NULL))
    return true;
  CuteIntTuple size = cuteLayoutGetSize(c, tv);
  for (int64_t i = 0; size && i < size->value; ++i) {
    CuteIntTuple index = cuteLayoutEval(c, tv, staticInt(c, i));
    CuteIntTuple coord = cuteLayoutEval(c, coords, staticInt(c, i));
    if (!index || !coord)
      return false;
    if (cuteLayoutEval(c, data, coord) != index)
      return cuteFailTuples(
          c, "make_cotiled_copy: the TV layout leads to index ", index,
          ", outside the data with shape ", data->shape);
  }
  return size;
}

CuteTiledCopy cuteTiledCopyGetCotiled(CuteContext context,
                                      const CuteCopyAtom *atom,
                                      CuteElementType element,
                                      CuteLayout threads, CuteLayout data) {
  CuteContext c = context;
  CuteTiledCopy copy = {atom, element, NULL, NULL};
  if (!threads || !data)
    return copy;
  if (cuteLayoutIsComposed(threads) || cuteLayoutIsComposed(data) ||
      cuteLayoutGetNumDynamic(threads) || cuteLayoutGetNumDynamic(data) ||
      cuteLayoutGetRank(threads) != 2 || !cuteLayoutGetRank(data)) {
    cuteFail(c, "make_cotiled_copy: needs a static (thread,value) layout of "
                "rank 2 and a static layout of data of rank 1 or more");
    return copy;
  }
  if (!isTuple(data->shape))
    data = cuteLayoutGet(c, cuteInternTuple(c, 1, &data->shape),
                         cuteInternTuple(c, 1, &data->stride));
  CuteLayout inverse = padded(c, cuteLayoutLeftInverse(c, data));
  CuteLayout coords =
      inverse ? cuteLayoutComposition(c, inverse, cuteTileGetLayout(c, threads))
              : NULL;
  if (!coords || !checkAddressed(c, data, threads, coords))
    return copy;
  return copyOfTouched(c, copy, coords,
                       cuteIntTupleProductEach(c, data->shape));
}
