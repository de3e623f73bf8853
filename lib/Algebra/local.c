// local_tile and local_partition: the tile of a block, the part of a thread.
#include "Algebra/explain_laws.h"
#include "Algebra/tiled.h"

//===-- Projections -------------------------------------------------------===//

// CuTe C++ writes X for a mode that is left out.
static bool isProjection(CuteContext c, CuteIntTuple projection) {
  if (!(projection->flags & (HAS_ERROR | HAS_BASIS)) && !projection->numDynamic)
    return true;
  return cuteFailTuple(c,
                       "a projection leaves out modes under _ and keeps those "
                       "under integers, as (1,_,1) does, not ",
                       projection);
}

static CuteTile diceTile(CuteContext c, CuteTile tile,
                         CuteIntTuple projection) {
  if (!isProjection(c, projection))
    return NULL;
  if (!tile || !isTuple(projection) || tile->kind != TILE_TUPLE ||
      tile->rank != projection->rank)
    return cuteFailTuple(
        c, "projection does not match the modes of the tiler: ", projection);
  CuteTile *kept = cuteScratch(c, tile->rank * sizeof *kept);
  size_t n = 0;
  for (size_t i = 0; i < tile->rank; ++i)
    if (!isUnderscore(projection->elements[i]))
      kept[n++] = tile->elements[i];
  return cuteInternTileTuple(c, n, kept);
}

static CuteIntTuple diceCoord(CuteContext c, CuteIntTuple coord,
                              CuteIntTuple projection) {
  if (!isTuple(coord) || coord->rank != projection->rank)
    return cuteFailTuples(c, "projection ", projection,
                          " does not match the coordinate ", coord);
  CuteIntTuple *kept = cuteScratch(c, coord->rank * sizeof *kept);
  size_t n = 0;
  for (size_t i = 0; i < coord->rank; ++i)
    if (!isUnderscore(projection->elements[i]))
      kept[n++] = coord->elements[i];
  return cuteInternTuple(c, n, kept);
}

//===-- Coordinates into a zipped division --------------------------------===//

static CuteIntTuple repeatUnderscore(CuteContext c, size_t n) {
  return CUTE_TUPLE_OF(c, i, n, cuteIntTupleGetUnderscore(c));
}

// `_` for every mode of a tuple. A single mode is kept whole, as in CuTe.
static CuteIntTuple allOf(CuteContext c, CuteIntTuple shape) {
  return isTuple(shape) && shape->rank != 1 ? repeatUnderscore(c, shape->rank)
                                            : cuteIntTupleGetUnderscore(c);
}

// A tuple coordinate is filled up with `_`; an integer counts over all modes.
static CuteIntTuple fillUp(CuteContext c, CuteIntTuple coord,
                           CuteIntTuple shape) {
  if (!coord || !isTuple(coord) || !isTuple(shape) ||
      coord->rank >= shape->rank)
    return coord;
  return cuteIntTupleAppendToRank(c, coord, shape->rank,
                                  cuteIntTupleGetUnderscore(c));
}

// The part of Z = ((tiles), (rests)); ends the operation that began at `outer`.
static CutePartition sliceZipped(CuteContext c, CuteLayout zipped,
                                 CuteIntTuple first, CuteIntTuple second,
                                 unsigned outer) {
  CuteIntTuple both[] = {first, second};
  CuteIntTuple coord = cuteInternTuple(c, 2, both);
  CuteLayout z = coord ? cuteZeroUnitStrides(c, zipped) : NULL;
  CutePartition part = cuteLayoutSliceAndOffset(c, z, coord);
  traceLeave(c, outer, CUTE_TRACE_RESULT_AT, part.layout, part.offset);
  traceLaw(c, cuteExplainSliceLaw(c, "Z", z, coord, part));
  return part;
}

CutePartition cuteLayoutLocalTile(CuteContext context, CuteLayout layout,
                                  CuteTile tiler, CuteIntTuple coord,
                                  CuteIntTuple projection) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CutePartition part = {NULL, NULL};
  unsigned outer =
      traceEnter(context, CUTE_TRACE_LOCAL_TILE, layout, tiler, coord);
  if (projection)
    trace(context, CUTE_TRACE_LOCAL_PROJECTION, projection);
  if (projection) {
    tiler = diceTile(context, tiler, projection);
    coord = tiler ? diceCoord(context, coord, projection) : NULL;
  }
  CuteLayout zipped = cuteLayoutZippedDivide(context, layout, tiler);
  if (zipped && coord) {
    CuteIntTuple tiles = zipped->shape->elements[0];
    CuteIntTuple rest = zipped->shape->elements[1];
    part = sliceZipped(context, zipped, allOf(context, tiles),
                       fillUp(context, coord, rest), outer);
  }
  traceLeave(context, outer, CUTE_TRACE_NOTHING);
  return part;
}

//===-- local_partition ---------------------------------------------------===//

static CuteLayout diceLayout(CuteContext c, CuteLayout layout,
                             CuteIntTuple projection) {
  if (!projection)
    return layout;
  if (!isProjection(c, projection))
    return NULL;
  return cuteInternLayout(c, cuteDiceMode(c, layoutMode(layout), projection));
}

// The thread's coordinate in each mode of the thread layout.
static CuteIntTuple flatThreadCoord(CuteContext c, Mode threads,
                                    CuteIntTuple index) {
  size_t rank = threads.shape->rank;
  CuteIntTuple *coord = cuteScratch(c, rank * sizeof *coord);
  for (size_t i = 0; i < rank; ++i)
    coord[i] = cuteThreadCoord(c, modeElement(threads, i), index);
  return isTuple(threads.shape) ? cuteInternTuple(c, rank, coord) : coord[0];
}

CutePartition cuteLayoutLocalPartition(CuteContext context, CuteLayout layout,
                                       CuteLayout threads, CuteIntTuple index,
                                       CuteIntTuple projection) {
  CutePartition part = {NULL, NULL};
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  unsigned outer =
      traceEnter(context, CUTE_TRACE_LOCAL_PARTITION, layout, threads, index);
  threads = threads ? diceLayout(context, threads, projection) : NULL;
  if (threads && layout && index) {
    CuteIntTuple shape = threads->shape;
    CuteIntTuple sizes =
        isTuple(shape) ? cuteIntTupleProductEach(context, shape) : shape;
    CuteLayout zipped = cuteLayoutZippedDivide(
        context, layout, cuteTileGetShape(context, sizes));
    if (zipped)
      part = sliceZipped(context, zipped,
                         flatThreadCoord(context, layoutMode(threads), index),
                         allOf(context, zipped->shape->elements[1]), outer);
  }
  traceLeave(context, outer, CUTE_TRACE_NOTHING);
  return part;
}
