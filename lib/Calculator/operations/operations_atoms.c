// Operations on atoms, tiled MMAs and tiled copies.
#include "Algebra/algebra.h"
#include "Calculator/operations/operations.h"

//===-- Atoms -------------------------------------------------------------===//

static CuteValue shapeMnk(CuteContext c, const CuteValue *v) {
  const CuteMmaAtom *atom = v[0].mma.atom;
  CuteIntTuple extents[] = {staticInt(c, atom->m), staticInt(c, atom->n),
                            staticInt(c, atom->k)};
  return cuteValueOfTuple(cuteInternTuple(c, 3, extents));
}

static CuteValue makeCopyAtom(CuteContext c, const CuteValue *v) {
  CuteValue atom = v[0];
  atom.copy.element = v[1].element;
  atom.hasElement = true;
  return cuteCopyAtomCheckElement(c, atom.copy.atom, v[1].element)
             ? atom
             : (CuteValue){0};
}

// In units of the atom's elements, or in bits as long as it has none.
static CuteValue sideOf(CuteContext c, const CuteValue *v, CuteCopySide side) {
  CuteElementType unit = v[0].hasElement ? v[0].copy.element : CUTE_ELEMENT_UI1;
  return cuteValueOfLayout(
      cuteCopyAtomGetLayout(c, v[0].copy.atom, unit, side));
}

static CuteValue numValues(CuteContext c, CuteValue layout) {
  return cuteValueFailed(layout) ? layout
                                 : cuteValueOfTuple(cuteIntTupleProduct(
                                       c, element(layout.layout->shape, 1)));
}

//===-- Tiled MMA: construction and sizes ---------------------------------===//

// Atom layout and permutation are extended to rank 3 by 1:0 and `_`.
static CuteValue tiledMmaOf(CuteContext c, const CuteMmaAtom *atom,
                            CuteLayout layout, CuteTile permutation) {
  CuteTile all = cuteTileGetUnderscore(c), tiles[3] = {all, all, all};
  size_t rank = permutation ? cuteTileGetRank(permutation) : 0;
  for (size_t i = 0; i < rank && i < 3; ++i)
    tiles[i] = cuteTileGetElement(permutation, i);
  if (cuteLayoutGetRank(layout) < 3)
    layout = cuteLayoutAppendToRank(
        c, layout, 3, cuteLayoutGet(c, staticInt(c, 1), staticInt(c, 0)));
  CuteTiledMma mma = {atom, layout,
                      rank > 3 ? permutation : cuteTileGetTuple(c, 3, tiles)};
  return cuteTiledMmaCheck(c, mma)
             ? (CuteValue){.kind = CUTE_VALUE_TILED_MMA, .mma = mma}
             : (CuteValue){0};
}

static CuteValue tileSize(CuteContext c, const CuteValue *v) {
  int64_t mode = v[1].tuple->value;
  if (mode < 0 || mode > 2)
    return cuteValueOfTuple(cuteFail(
        c, "tile_size: modes are 0 (M), 1 (N) and 2 (K), not %jd", mode));
  return cuteValueOfTuple(cuteTiledMmaGetTileSize(c, v[0].mma, (int)mode));
}

static CuteValue tileShapeMnk(CuteContext c, const CuteValue *v) {
  CuteIntTuple extents[3];
  for (int mode = 0; mode < 3; ++mode)
    extents[mode] = cuteTiledMmaGetTileSize(c, v[0].mma, mode);
  return cuteValueOfTuple(cuteInternTuple(c, 3, extents));
}

//===-- Tiled MMA: partitioning -------------------------------------------===//

static CuteValue mmaPart(CuteContext c, const CuteValue *v,
                         CuteMmaOperand operand) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteTiledMmaPartition(c, v[0].mma, operand, v[1].layout, v[2].tuple));
}

// The same for all threads: that of thread 0.
static CuteValue partitionShape(CuteContext c, const CuteValue *v,
                                CuteMmaOperand operand) {
  CuteLayout part =
      cuteTiledMmaPartition(c, v[0].mma, operand, v[1].layout, staticInt(c, 0))
          .layout;
  return cuteValueOfTuple(part ? part->shape : NULL);
}

//===-- Tiled copy --------------------------------------------------------===//

bool cuteCalcCheckHasElement(CuteContext c, CuteValue atom) {
  if (!atom.hasElement)
    cuteFail(c, "%s has no element type; make_copy_atom(op, type) gives it one",
             atom.copy.atom->name);
  return atom.hasElement;
}

static CuteValue tiledCopyOf(CuteContext c, CuteTiledCopy copy) {
  return cuteTiledCopyCheck(c, copy)
             ? (CuteValue){.kind = CUTE_VALUE_TILED_COPY, .copy = copy}
             : (CuteValue){0};
}

static CuteValue makeTiledCopyTv(CuteContext c, const CuteValue *v) {
  if (!cuteCalcCheckHasElement(c, v[0]))
    return (CuteValue){0};
  return tiledCopyOf(c, cuteTiledCopyGet(c, v[0].copy.atom, v[0].copy.element,
                                         v[1].layout, v[2].layout));
}

// Tells whether a shape has as many elements as the layout: the tile of a TV
// layout does.
static bool hasSizeOf(CuteContext c, CuteIntTuple shape, CuteLayout layout) {
  CuteIntTuple sizes[] = {cuteIntTupleProduct(c, shape),
                          cuteLayoutGetSize(c, layout)};
  return sizes[0] && sizes[1] && isStatic(sizes[0]) &&
         isStaticValue(sizes[1], sizes[0]->value);
}

// A TV layout has two modes and reaches all of its tile.
static bool isTv(CuteContext c, CuteLayout layout) {
  return isTuple(layout->shape) && layout->shape->rank == 2 &&
         cuteLayoutGetSize(c, layout) == cuteLayoutGetCosize(c, layout);
}

// Threads and values, as in C++, or a TV layout and the tile, as in Python; a
// shape with as many elements as the layout could be either.
static CuteValue makeTiledCopy(CuteContext c, const CuteValue *v) {
  bool isShape = v[2].kind == CUTE_VALUE_TUPLE;
  if (isShape && isTv(c, v[1].layout) && hasSizeOf(c, v[2].tuple, v[1].layout))
    return cuteValueOfTuple(cuteFailTuple(
        c,
        "is this the tile of a TV layout, as in Python, or the shape of the "
        "values? Write a tile as [16:1;64:1], values as a layout, or use "
        "make_tiled_copy_tv: ",
        v[2].tuple));
  if (v[2].kind != CUTE_VALUE_TILE) {
    CuteValue values[] = {
        v[0], v[1],
        cuteValueConvert(c, v[2], CUTE_VALUE_LAYOUT, "make_tiled_copy")};
    return cuteValueFailed(values[2]) ? values[2] : makeTiledCopyTv(c, values);
  }
  if (!cuteCalcCheckHasElement(c, v[0]))
    return (CuteValue){0};
  return tiledCopyOf(c, (CuteTiledCopy){v[0].copy.atom, v[0].copy.element,
                                        v[1].layout, v[2].tile});
}

static CuteValue makeForMma(CuteContext c, const CuteValue *v,
                            CuteMmaOperand operand) {
  if (!cuteCalcCheckHasElement(c, v[0]))
    return (CuteValue){0};
  return tiledCopyOf(c, cuteTiledCopyGetForMma(c, v[0].copy.atom,
                                               v[0].copy.element, v[1].mma,
                                               operand));
}

// The tile and its TV layout, the same for any tiled copy of the two layouts.
static CuteValue makeLayoutTV(CuteContext c, const CuteValue *v) {
  CuteTiledCopy copy =
      cuteTiledCopyGet(c, NULL, CUTE_ELEMENT_UI8, v[0].layout, v[1].layout);
  CuteIntTuple tiler = copy.tiler ? cuteTileGetShapes(c, copy.tiler) : NULL;
  bool ok = tiler && copy.layoutTV;
  return (CuteValue){.kind = ok ? CUTE_VALUE_TILER_TV : CUTE_VALUE_FAILED,
                     .tuple = tiler,
                     .layout = copy.layoutTV};
}

static CuteValue copyThreads(CuteContext c, const CuteValue *v) {
  CuteIntTuple threads = element(v[0].copy.layoutTV->shape, 0);
  return cuteValueOfTuple(cuteIntTupleProduct(c, threads));
}

static CuteValue copyPart(CuteContext c, const CuteValue *v,
                          CuteCopySide side) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteTiledCopyPartition(c, v[0].copy, side, v[1].layout, v[2].tuple));
}

#define ROWS "Calculator/operations/operations_atoms.def"
#define GROUP cuteCalcAtomRows
#include "Calculator/operations/rows.def"
