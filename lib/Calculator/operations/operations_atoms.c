// Operations on atoms, tiled MMAs and tiled copies.
#include "Algebra/algebra.h"
#include "Calculator/operations/operations.h"

//===-- Atoms -------------------------------------------------------------===//

LAYOUT(mmaThrId, cuteMmaAtomGetThrId(c, v[0].mma.atom))
LAYOUT(copyThrId, cuteCopyAtomGetThrId(c, v[0].copy.atom))

static CuteValue shapeMnk(CuteContext c, const CuteValue *v) {
  const CuteMmaAtom *atom = v[0].mma.atom;
  CuteIntTuple extents[] = {staticInt(c, atom->m), staticInt(c, atom->n),
                            staticInt(c, atom->k)};
  return cuteValueOfTuple(cuteInternTuple(c, 3, extents));
}

LAYOUT(layoutA, cuteMmaAtomGetLayout(c, v[0].mma.atom, CUTE_OPERAND_A))
LAYOUT(layoutB, cuteMmaAtomGetLayout(c, v[0].mma.atom, CUTE_OPERAND_B))
LAYOUT(layoutC, cuteMmaAtomGetLayout(c, v[0].mma.atom, CUTE_OPERAND_C))
LAYOUT(layoutE, cuteMmaAtomGetLayout(c, v[0].mma.atom, CUTE_OPERAND_E))
LAYOUT(layoutSfa, cuteMmaAtomGetLayout(c, v[0].mma.atom, CUTE_OPERAND_SFA))
LAYOUT(layoutSfb, cuteMmaAtomGetLayout(c, v[0].mma.atom, CUTE_OPERAND_SFB))
VALUE(valueTypeA, cuteValueOfElement(v[0].mma.atom->a))
VALUE(valueTypeB, cuteValueOfElement(v[0].mma.atom->b))
VALUE(valueTypeC, cuteValueOfElement(v[0].mma.atom->c))
VALUE(valueTypeD, cuteValueOfElement(v[0].mma.atom->d))
TUPLE(sizeofBits, staticInt(c, cuteElementTypeGetBits(v[0].element)))

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

VALUE(layoutSource, sideOf(c, v, CUTE_SOURCE))
VALUE(layoutDestination, sideOf(c, v, CUTE_DESTINATION))
VALUE(layoutReference, sideOf(c, v, CUTE_REFERENCE))

static CuteValue numValues(CuteContext c, CuteValue layout) {
  return cuteValueFailed(layout) ? layout
                                 : cuteValueOfTuple(cuteIntTupleProduct(
                                       c, element(layout.layout->shape, 1)));
}

VALUE(numValuesSource, numValues(c, layoutSource(c, v)))
VALUE(numValuesDestination, numValues(c, layoutDestination(c, v)))

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

VALUE(makeTiledMmaOfAtom,
      tiledMmaOf(c, v[0].mma.atom, cuteLayoutGet(c, staticInt(c, 1), NULL),
                 NULL))
VALUE(makeTiledMma, tiledMmaOf(c, v[0].mma.atom, v[1].layout, NULL))
VALUE(makeTiledMmaPermuted,
      tiledMmaOf(c, v[0].mma.atom, v[1].layout, v[2].tile))
LAYOUT(thrLayoutVmnk, cuteTiledMmaGetThrLayout(c, v[0].mma))
TUPLE(mmaThreads, cuteLayoutGetSize(c, cuteTiledMmaGetThrLayout(c, v[0].mma)))
TUPLE(thrVmnk, cuteTiledMmaGetThreadCoord(c, v[0].mma, v[1].tuple))

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

LAYOUT(layoutATV, cuteTiledMmaGetLayoutTV(c, v[0].mma, CUTE_OPERAND_A))
LAYOUT(layoutBTV, cuteTiledMmaGetLayoutTV(c, v[0].mma, CUTE_OPERAND_B))
LAYOUT(layoutCTV, cuteTiledMmaGetLayoutTV(c, v[0].mma, CUTE_OPERAND_C))
LAYOUT(thrFrgA, cuteTiledMmaThrFrg(c, v[0].mma, CUTE_OPERAND_A, v[1].layout))
LAYOUT(thrFrgB, cuteTiledMmaThrFrg(c, v[0].mma, CUTE_OPERAND_B, v[1].layout))
LAYOUT(thrFrgC, cuteTiledMmaThrFrg(c, v[0].mma, CUTE_OPERAND_C, v[1].layout))

static CuteValue mmaPart(CuteContext c, const CuteValue *v,
                         CuteMmaOperand operand) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteTiledMmaPartition(c, v[0].mma, operand, v[1].layout, v[2].tuple));
}

VALUE(partitionA, mmaPart(c, v, CUTE_OPERAND_A))
VALUE(partitionB, mmaPart(c, v, CUTE_OPERAND_B))
VALUE(partitionC, mmaPart(c, v, CUTE_OPERAND_C))

// The same for all threads: that of thread 0.
static CuteValue partitionShape(CuteContext c, const CuteValue *v,
                                CuteMmaOperand operand) {
  CuteLayout part =
      cuteTiledMmaPartition(c, v[0].mma, operand, v[1].layout, staticInt(c, 0))
          .layout;
  return cuteValueOfTuple(part ? part->shape : NULL);
}

VALUE(partitionShapeA, partitionShape(c, v, CUTE_OPERAND_A))
VALUE(partitionShapeB, partitionShape(c, v, CUTE_OPERAND_B))
VALUE(partitionShapeC, partitionShape(c, v, CUTE_OPERAND_C))

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

VALUE(makeTiledCopyA, makeForMma(c, v, CUTE_OPERAND_A))
VALUE(makeTiledCopyB, makeForMma(c, v, CUTE_OPERAND_B))
VALUE(makeTiledCopyC, makeForMma(c, v, CUTE_OPERAND_C))

// The tile and its TV layout are those of any tiled copy from the two layouts.
static CuteValue makeLayoutTV(CuteContext c, const CuteValue *v) {
  CuteTiledCopy copy =
      cuteTiledCopyGet(c, NULL, CUTE_ELEMENT_UI8, v[0].layout, v[1].layout);
  CuteIntTuple tiler = copy.tiler ? cuteTileGetShapes(c, copy.tiler) : NULL;
  bool ok = tiler && copy.layoutTV;
  return (CuteValue){.kind = ok ? CUTE_VALUE_TILER_TV : CUTE_VALUE_FAILED,
                     .tuple = tiler,
                     .layout = copy.layoutTV};
}

TUPLE(tilerMn, cuteTileGetShapes(c, v[0].copy.tiler))
LAYOUT(layoutTV, v[0].copy.layoutTV)

static CuteValue copyThreads(CuteContext c, const CuteValue *v) {
  CuteIntTuple threads = element(v[0].copy.layoutTV->shape, 0);
  return cuteValueOfTuple(cuteIntTupleProduct(c, threads));
}

LAYOUT(layoutSTV, cuteTiledCopyGetLayoutTV(c, v[0].copy, CUTE_SOURCE))
LAYOUT(layoutDTV, cuteTiledCopyGetLayoutTV(c, v[0].copy, CUTE_DESTINATION))
LAYOUT(tidFrgS, cuteTiledCopyTidFrg(c, v[0].copy, CUTE_SOURCE, v[1].layout))
LAYOUT(tidFrgD,
       cuteTiledCopyTidFrg(c, v[0].copy, CUTE_DESTINATION, v[1].layout))

static CuteValue copyPart(CuteContext c, const CuteValue *v,
                          CuteCopySide side) {
  return cuteValueOfPart(
      CUTE_VALUE_PART,
      cuteTiledCopyPartition(c, v[0].copy, side, v[1].layout, v[2].tuple));
}

VALUE(partitionS, copyPart(c, v, CUTE_SOURCE))
VALUE(partitionD, copyPart(c, v, CUTE_DESTINATION))
LAYOUT(retile, cuteTiledCopyRetile(c, v[0].copy, v[1].layout))

//===-- The rows ----------------------------------------------------------===//

static const CuteCalcOperation rows[] = {
    // Atoms
    {"thr_id", "A", "logical thread of an atom -> lane", mmaThrId},
    {"thr_id", "C", "the same of a copy", copyThrId},
    {"shape_mnk", "A", "the tile of an atom", shapeMnk},
    {"layout_A", "A", "(thread,value) -> index in the (M,K) tile", layoutA},
    {"layout_B", "A", "the same of (N,K)", layoutB},
    {"layout_C", "A", "the same of (M,N)", layoutC},
    {"layout_E", "A", "the same of the metadata of a sparse A", layoutE},
    {"layout_SFA", "A", "the same of the scale factors of A", layoutSfa},
    {"layout_SFB", "A", "the same of the scale factors of B", layoutSfb},
    {"value_type_A", "A", "the element type of operand A", valueTypeA},
    {"value_type_B", "A", "of operand B", valueTypeB},
    {"value_type_C", "A", "of operand C", valueTypeC},
    {"value_type_D", "A", "of the result", valueTypeD},
    {"sizeof_bits", "E", "bits of an element", sizeofBits},
    {"make_copy_atom", "CE", "a copy of elements of a type", makeCopyAtom},
    {"layout_src", "C", "(thread,value) -> element, as read", layoutSource},
    {"layout_dst", "C", "the same as written", layoutDestination},
    {"layout_ref", "C", "the same as tiled copies count", layoutReference},
    {"num_val_src", "C", "elements that a thread reads", numValuesSource},
    {"num_val_dst", "C", "elements that a thread writes", numValuesDestination},
    // Tiled MMA
    {"make_tiled_mma", "A", "of one atom", makeTiledMmaOfAtom},
    {"make_tiled_mma", "AL", "an atom over threads", makeTiledMma},
    {"make_tiled_mma", "ALP", "the same with a permutation of the tile",
     makeTiledMmaPermuted},
    {"thr_layout_vmnk", "M", "(V,M,N,K) -> thread", thrLayoutVmnk},
    {"thr_vmnk", "MT", "(v,m,n,k) of a thread", thrVmnk},
    {"num_threads", "M", "how many", mmaThreads},
    {"num_threads", "K", "how many", copyThreads},
    {"tile_size", "MI", "extent of the tile along mode 0, 1 or 2", tileSize},
    {"tile_shape_mnk", "M", "all three", tileShapeMnk},
    {"layoutA_TV", "M", "(thread,value) -> index in the (M,K) tile", layoutATV},
    {"layoutB_TV", "M", "the same of (N,K)", layoutBTV},
    {"layoutC_TV", "M", "the same of (M,N)", layoutCTV},
    {"thrfrg_A", "ML", "((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK)))", thrFrgA},
    {"thrfrg_B", "ML", "the same of (N,K)", thrFrgB},
    {"thrfrg_C", "ML", "the same of (M,N)", thrFrgC},
    {"partition_A", "MLT", "the part of a thread", partitionA},
    {"partition_B", "MLT", "the part of a thread", partitionB},
    {"partition_C", "MLT", "the part of a thread", partitionC},
    {"partition_shape_A", "ML", "its shape", partitionShapeA},
    {"partition_shape_B", "ML", "its shape", partitionShapeB},
    {"partition_shape_C", "ML", "its shape", partitionShapeC},
    // Tiled copy
    {"make_tiled_copy", "CLV",
     "an atom over threads and values, or over a TV layout and its tile",
     makeTiledCopy},
    {"make_tiled_copy_tv", "CLL", "an atom over threads and values",
     makeTiledCopyTv},
    {"make_tiled_copy_A", "CM", "as operand A is distributed", makeTiledCopyA},
    {"make_tiled_copy_B", "CM", "as operand B is distributed", makeTiledCopyB},
    {"make_tiled_copy_C", "CM", "as operand C is distributed", makeTiledCopyC},
    {"make_layout_tv", "LL", "(tiler, TV layout) of threads and values",
     makeLayoutTV},
    {"tiler_mn", "K", "the tile", tilerMn},
    {"layout_tv", "K", "(thread,value) -> index in the tile", layoutTV},
    {"layoutS_TV", "K", "the same as the source has it", layoutSTV},
    {"layoutD_TV", "K", "the same as the destination has it", layoutDTV},
    {"tidfrg_S", "KL", "(thr,(FrgV,FrgX),(Rest...))", tidFrgS},
    {"tidfrg_D", "KL", "the same of the destination", tidFrgD},
    {"partition_S", "KLT", "the part of a thread", partitionS},
    {"partition_D", "KLT", "the part of a thread", partitionD},
    {"retile", "KL", "a fragment as the copy's atoms see it", retile},
};

const CuteCalcGroup cuteCalcAtomRows = {rows, sizeof rows / sizeof *rows};
