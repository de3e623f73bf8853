// Tiled copy: an atom over the threads and values of a tile.
#include "Algebra/explain_worked.h"
#include "Algebra/tiled.h"

//===-- Atoms in units of elements ----------------------------------------===//

CuteLayout cuteCopyAtomGetLayout(CuteContext context, const CuteCopyAtom *atom,
                                 CuteElementType element, CuteCopySide side) {
  const char *text = side == CUTE_SOURCE        ? atom->source
                     : side == CUTE_DESTINATION ? atom->destination
                                                : atom->reference;
  return cuteLayoutRecast(context, cuteParseRow(context, text),
                          cuteElementTypeGetBits(element), 1);
}

CuteLayout cuteCopyAtomGetThrId(CuteContext context, const CuteCopyAtom *atom) {
  return cuteParseRow(context, atom->kind->thrId);
}

static int64_t atomThreads(CuteContext c, const CuteCopyAtom *atom) {
  return cuteLayoutGetSize(c, cuteCopyAtomGetThrId(c, atom))->value;
}

// The number of values of a thread of the atom.
static int64_t atomValues(CuteContext c, CuteTiledCopy copy,
                          CuteCopySide side) {
  CuteLayout tv = cuteCopyAtomGetLayout(c, copy.atom, copy.element, side);
  return cuteIntTupleProduct(c, element(tv->shape, 1))->value;
}

//===-- Checks ------------------------------------------------------------===//

static bool checkMultiple(CuteContext c, const char *what, CuteIntTuple size,
                          int64_t unit) {
  if (isStatic(size) && size->value % unit == 0)
    return true;
  if (!isStatic(size))
    return false;
  return cuteFail(c,
                  "make_tiled_copy: the %jd %s of the TV layout must be a "
                  "multiple of the atom's %jd",
                  size->value, what, unit);
}

bool cuteCopyAtomCheckElement(CuteContext context, const CuteCopyAtom *atom,
                              CuteElementType element) {
  unsigned bits = cuteElementTypeGetBits(element);
  unsigned transposed = atom->feature == CUTE_FEATURE_BYTES ? 8 : 16;
  if ((unsigned)atom->bits % bits)
    cuteFail(context,
             "copy_atom: %s moves %d bits, which is not a whole number of %s "
             "elements",
             atom->name, atom->bits, cuteElementTypeGetName(element));
  else if (atom->transposes && bits > transposed)
    cuteFail(context, "copy_atom: %s transposes elements of %u bits; %s has %u",
             atom->name, transposed, cuteElementTypeGetName(element), bits);
  else if (atom->kind->movesRegisters && bits > 32)
    cuteFail(context,
             "copy_atom: %s moves registers of 32 bits; %s has %u bits",
             atom->name, cuteElementTypeGetName(element), bits);
  else if (atom->kind->adds && element != atom->element)
    cuteFail(context, "copy_atom: %s adds elements of type %s, not %s",
             atom->name, cuteElementTypeGetName(atom->element),
             cuteElementTypeGetName(element));
  else
    return true;
  return false;
}

// Tells whether the coordinate is a number below the size of the shape, or one
// in it by mode.
static bool isInside(CuteContext c, CuteIntTuple coord, CuteIntTuple shape) {
  if (!isTuple(coord)) {
    CuteIntTuple size = cuteIntTupleProduct(c, shape);
    return isStatic(coord) && isStatic(size) && coord->value >= 0 &&
           coord->value < size->value;
  }
  bool inside = coord->rank <= shape->rank;
  for (size_t i = 0; inside && i < coord->rank; ++i)
    inside = isInside(c, coord->elements[i], element(shape, i));
  return inside;
}

// A stride below 0 of an extent above 1 leads below index 0.
static bool hasNegativeStride(CuteContext c, CuteLayout layout) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, layoutMode(layout));
  bool found = false;
  for (size_t i = 0; i < leaves.count; ++i) {
    CuteIntTuple stride = leaves.data[i].stride;
    stride = isBasis(stride) ? basisValue(stride) : stride;
    found |= stride->value < 0 && !isStaticValue(leaves.data[i].shape, 1);
  }
  return found;
}

static bool isTileSane(CuteContext c, CuteTile tile) {
  CuteLayout leaf = cuteTileGetLeaf(tile);
  if (leaf)
    return !hasNegativeStride(c, leaf) &&
           isInside(c, staticInt(c, 0), leaf->shape);
  bool ok = !cuteTileIsUnderscore(tile);
  for (size_t i = 0; ok && i < cuteTileGetRank(tile); ++i)
    ok = isTileSane(c, cuteTileGetElement(tile, i));
  return ok;
}

// Checks that the last thread and value, which lead farthest as strides are not
// negative, stay inside the tile.
static bool checkInsideTile(CuteContext c, CuteTiledCopy copy) {
  if (!isTileSane(c, copy.tiler))
    return cuteFail(c, "make_tiled_copy: the tiler's extents must be positive "
                       "and its strides not negative");
  CuteIntTuple shape = cuteTileGetShapes(c, copy.tiler);
  CuteIntTuple size = cuteLayoutGetSize(c, copy.layoutTV);
  if (!shape || !size)
    return false;
  CuteIntTuple last =
      cuteLayoutEval(c, copy.layoutTV, cuteLeafSub(c, size, staticInt(c, 1)));
  if (!last)
    return false;
  if (!hasNegativeStride(c, copy.layoutTV) && isInside(c, last, shape))
    return true;
  return cuteFailTuples(c, "make_tiled_copy: the TV layout with stride ",
                        copy.layoutTV->stride, " leads out of the tile ",
                        shape);
}

static bool check(CuteContext context, CuteTiledCopy copy) {
  CuteContext c = context;
  if (!cuteCopyAtomCheckElement(c, copy.atom, copy.element))
    return false;
  if (!copy.layoutTV || !copy.tiler)
    return false;
  if (cuteLayoutIsComposed(copy.layoutTV) ||
      cuteLayoutGetNumDynamic(copy.layoutTV) ||
      cuteTileGetNumDynamic(copy.tiler) ||
      cuteLayoutGetRank(copy.layoutTV) != 2)
    return cuteFail(c, "make_tiled_copy: needs a static (thread,value) layout "
                       "of rank 2 and a static tiler");
  Mode tv = layoutMode(copy.layoutTV);
  return checkMultiple(c, "threads",
                       cuteIntTupleProduct(c, element(tv.shape, 0)),
                       atomThreads(c, copy.atom)) &&
         checkMultiple(c, "values",
                       cuteIntTupleProduct(c, element(tv.shape, 1)),
                       atomValues(c, copy, CUTE_REFERENCE)) &&
         checkInsideTile(c, copy);
}

bool cuteTiledCopyCheck(CuteContext context, CuteTiledCopy copy) {
  struct CuteTrace *trace = cuteTracePause(context);
  bool ok = check(context, copy);
  cuteTraceResume(context, trace);
  if (!ok)
    cuteExplainError(context);
  return ok;
}

//===-- Construction ------------------------------------------------------===//

// Threads are numbers below their size, each once.
static bool checkThreads(CuteContext c, CuteLayout threads) {
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple size = cuteLayoutGetSize(c, threads);
  CuteIntTuple cosize = size ? cuteLayoutGetCosize(c, threads) : NULL;
  cuteQuietLeave(c, quiet);
  if (cosize && size != cosize)
    cuteFailTuples(c, "the layout of threads is not compact: its size is ",
                   size, ", its cosize ", cosize);
  return cosize && size == cosize;
}

CuteTiledCopy cuteTiledCopyGet(CuteContext context, const CuteCopyAtom *atom,
                               CuteElementType element, CuteLayout threads,
                               CuteLayout values) {
  CuteContext c = context;
  CuteTiledCopy copy = {atom, element, NULL, NULL};
  if (!threads || !values || !checkThreads(c, threads))
    return copy;
  unsigned outer = traceEnter(c, CUTE_TRACE_TILED_COPY, threads, values);
  CuteLayout tile = cuteLayoutRakedProduct(c, threads, values);
  if (!tile) {
    traceLeave(c, outer, CUTE_TRACE_NOTHING);
    return copy;
  }
  CuteIntTuple sizes[] = {cuteLayoutGetSize(c, threads),
                          cuteLayoutGetSize(c, values)};
  copy.layoutTV = cuteLayoutWithShape(c, cuteLayoutRightInverse(c, tile),
                                      cuteInternTuple(c, 2, sizes));
  copy.tiler = cuteTileGetShape(c, cuteIntTupleProductEach(c, tile->shape));
  traceLeave(c, outer, CUTE_TRACE_TILED_COPY_RESULT, copy.layoutTV, copy.tiler);
  return copy;
}

CuteTiledCopy cuteTiledCopyGetForMma(CuteContext context,
                                     const CuteCopyAtom *atom,
                                     CuteElementType element, CuteTiledMma mma,
                                     CuteMmaOperand operand) {
  CuteIntTuple extents[] = {
      cuteTiledMmaGetOperandSize(context, mma, operand, 0),
      cuteTiledMmaGetOperandSize(context, mma, operand, 1)};
  return (CuteTiledCopy){
      atom, element, cuteTiledMmaGetSharedLayoutTV(context, mma, operand),
      cuteTileGetShape(context, cuteInternTuple(context, 2, extents))};
}

//===-- Partitioning ------------------------------------------------------===//

// (thread, value) -> (M,N) index, where values are grouped by atom:
// (thr, (FrgV,FrgX)), as the given side of the atom holds them.
static CuteLayout threadValues(CuteContext c, CuteTiledCopy copy,
                               CuteCopySide side) {
  CuteIntTuple sizes[] = {staticInt(c, atomThreads(c, copy.atom)),
                          staticInt(c, atomValues(c, copy, CUTE_REFERENCE))};
  // ((atom thread, atom value), (rest of threads, rest of values))
  const size_t rests[] = {1};
  CuteLayout atoms = cuteLayoutZippedDivide(
      c, copy.layoutTV, cuteTileGetShape(c, cuteInternTuple(c, 2, sizes)));
  atoms = cuteZeroUnitStridesAt(c, atoms, 1, rests);
  CuteLayout fromReference = cuteLayoutComposition(
      c,
      cuteLayoutRightInverse(
          c, cuteCopyAtomGetLayout(c, copy.atom, copy.element, CUTE_REFERENCE)),
      cuteTileGetLayout(
          c, cuteCopyAtomGetLayout(c, copy.atom, copy.element, side)));
  atoms = cuteLayoutComposition(
      c, atoms, cuteTilePair(c, cuteTileGetLayout(c, fromReference), NULL));
  if (!atoms)
    return NULL;
  // Zip to ((atom thread, rest), (atom value, rest)) and coalesce each part.
  Mode atom = modeElement(layoutMode(atoms), 0);
  Mode rest = modeElement(layoutMode(atoms), 1);
  Modes zipped = {0};
  for (size_t i = 0; i < 2; ++i) {
    Modes both = {0};
    modesPush(c, &both, modeElement(atom, i));
    modesPush(c, &both, modeElement(rest, i));
    modesPush(c, &zipped, modesGetTuple(c, &both));
  }
  CuteIntTuple one = staticInt(c, 1), pair[] = {one, one};
  CuteIntTuple profile[] = {one, cuteInternTuple(c, 2, pair)};
  return cuteInternLayout(c, cuteCoalesceProfile(c, modesGetTuple(c, &zipped),
                                                 cuteInternTuple(c, 2, profile),
                                                 COALESCE));
}

static CuteLayout tidFrg(CuteContext c, CuteTiledCopy copy, CuteCopySide side,
                         CuteLayout layout) {
  CuteTile values = cuteTileGetLayout(c, threadValues(c, copy, side));
  const size_t rest[] = {1};
  layout = cuteLayoutZippedDivide(c, layout, copy.tiler);
  layout = cuteZeroUnitStridesAt(c, layout, 1, rest);
  layout = cuteLayoutComposition(c, layout,
                                 values ? cuteTilePair(c, values, NULL) : NULL);
  if (!layout)
    return NULL;
  CuteIntTuple all = cuteIntTupleGetUnderscore(c), both[] = {all, all};
  CuteIntTuple coord[] = {cuteInternTuple(c, 2, both), all};
  CutePartition unpacked =
      cuteLayoutSliceAndOffset(c, layout, cuteInternTuple(c, 2, coord));
  return unpacked.layout;
}

CuteLayout cuteTiledCopyTidFrg(CuteContext context, CuteTiledCopy copy,
                               CuteCopySide side, CuteLayout layout) {
  if (!layout)
    return NULL;
  if (cuteLayoutGetRank(layout) < cuteTileGetRank(copy.tiler))
    return cuteFailTuple(
        context, "tiled_copy partition: the tiler has more modes than shape ",
        cuteLayoutGetShape(layout));
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer =
      traceEnter(context, CUTE_TRACE_TIDFRG, layout, copy.tiler, copy.layoutTV);
  CuteLayout result = tidFrg(context, copy, side, layout);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}

CuteLayout cuteTiledCopyGetLayoutTV(CuteContext context, CuteTiledCopy copy,
                                    CuteCopySide side) {
  CuteIntTuple shape = cuteTileGetShapes(context, copy.tiler);
  CuteIntTuple extents = shape ? cuteIntTupleProductEach(context, shape) : NULL;
  CuteLayout tile = extents ? cuteLayoutGet(context, extents, NULL) : NULL;
  CuteLayout layout = cuteTiledCopyTidFrg(context, copy, side, tile);
  return layout ? cuteLayoutTake(context, layout, 0, 2) : NULL;
}

CutePartition cuteTiledCopyPartition(CuteContext context, CuteTiledCopy copy,
                                     CuteCopySide side, CuteLayout layout,
                                     CuteIntTuple thread) {
  CutePartition part = {NULL, NULL};
  unsigned outer =
      traceEnter(context, CUTE_TRACE_COPY_PARTITION, layout, thread);
  layout = cuteTiledCopyTidFrg(context, copy, side, layout);
  if (!layout || !thread) {
    traceLeave(context, outer, CUTE_TRACE_NOTHING);
    return part;
  }
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteIntTuple all = cuteIntTupleGetUnderscore(context);
  CuteIntTuple rest = element(layout->shape, 2);
  CuteIntTuple coord[] = {thread, all,
                          CUTE_TUPLE_OF(context, i, rest->rank, all)};
  part = cuteLayoutSliceAndOffset(context, layout,
                                  cuteInternTuple(context, 3, coord));
  traceLeave(context, outer, CUTE_TRACE_RESULT_AT, part.layout, part.offset);
  return part;
}

//===-- Retiling ----------------------------------------------------------===//

// The tile of one thread's V values: (m,n) -> index of the value.
static CuteLayout fragmentTile(CuteContext c, CuteTiledCopy copy,
                               CuteIntTuple numValues) {
  CuteIntTuple threads =
      cuteIntTupleProduct(c, element(copy.layoutTV->shape, 0));
  CuteIntTuple tile = cuteTileGetShapes(c, copy.tiler);
  CuteLayout toThread =
      cuteLayoutWithShape(c, cuteLayoutRightInverse(c, copy.layoutTV), tile);
  CuteIntTuple unit = cuteLeafMul(c, threads, numValues);
  return isStatic(unit) ? cuteLayoutRecast(c, toThread, unit->value, 1) : NULL;
}

static CuteLayout retile(CuteContext c, CuteTiledCopy copy,
                         CuteLayout fragment) {
  CuteIntTuple values = cuteIntTupleProduct(c, element(fragment->shape, 0));
  CuteLayout tile = fragmentTile(c, copy, values);
  CuteLayout product = cuteLayoutLogicalProduct(
      c, values ? cuteLayoutGet(c, values, NULL) : NULL,
      cuteLayoutRightInverse(c, tile));
  CuteIntTuple atom = staticInt(c, atomValues(c, copy, CUTE_REFERENCE));
  // (atom values, rest of values) -> (v,m,n)
  CuteLayout byAtom =
      cuteLayoutZippedDivide(c, product, cuteTileOfExtent(c, atom));
  if (!byAtom)
    return NULL;
  size_t rank = cuteLayoutGetRank(fragment);
  CuteIntTuple extents = cuteIntTupleProductEach(c, tile->shape);
  CuteIntTuple cut =
      cuteIntTuplePrependToRank(c, extents, (int64_t)extents->rank + 1, values);
  CuteLayout cutFragment =
      cuteLayoutZippedDivide(c, fragment, cuteTileGetShape(c, cut));
  CuteLayout byValue = cuteLayoutComposition(
      c, cutFragment, cuteTilePair(c, cuteTileGetLayout(c, byAtom), NULL));
  if (!byValue)
    return NULL;
  // Keep (_, (0,_,_,...)).
  CuteIntTuple all = cuteIntTupleGetUnderscore(c);
  CuteIntTuple coord[] = {all,
                          CUTE_TUPLE_OF(c, i, rank, i ? all : staticInt(c, 0))};
  return cuteZeroUnitStrides(
      c, cuteLayoutSliceAndOffset(c, byValue, cuteInternTuple(c, 2, coord))
             .layout);
}

CuteLayout cuteTiledCopyRetile(CuteContext context, CuteTiledCopy copy,
                               CuteLayout fragment) {
  if (!fragment)
    return NULL;
  if (fragment->shape->numDynamic ||
      cuteLayoutGetRank(fragment) < cuteTileGetRank(copy.tiler) + 1)
    return cuteFailTuple(
        context, "retile: needs a static fragment (V, Rest...), not shape ",
        fragment->shape);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer = traceEnter(context, CUTE_TRACE_RETILE, fragment);
  CuteLayout result = retile(context, copy, fragment);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}
