// Tiled MMA: an atom over the threads and values of a tile.
#include "Algebra/tiled.h"
#include "Algebra/trace.h"
#include "Hardware/arch.h"

// Those of M, N, K that are the modes of an operand.
static const int operandModes[][2] = {
    [CUTE_OPERAND_A] = {0, 2},   [CUTE_OPERAND_B] = {1, 2},
    [CUTE_OPERAND_C] = {0, 1},   [CUTE_OPERAND_E] = {0, 2},
    [CUTE_OPERAND_SFA] = {0, 2}, [CUTE_OPERAND_SFB] = {1, 2},
};

CuteLayout cuteMmaAtomGetThrId(CuteContext context, const CuteMmaAtom *atom) {
  return cuteParseRow(context, atom->kind->thrId);
}

static int atomExtent(const CuteMmaAtom *atom, int mode) {
  return mode == 0 ? atom->m : mode == 1 ? atom->n : atom->k;
}

static CuteTile permutationMode(CuteTiledMma mma, int mode) {
  return cuteTileGetElement(mma.permutation, (size_t)mode);
}

//===-- Checks ------------------------------------------------------------===//

// A permutation of K says nothing of operands with other numbers of elements.
static bool checkCountsOfK(CuteContext c, const CuteMmaAtom *atom) {
  static const CuteMmaOperand alongK[] = {CUTE_OPERAND_A, CUTE_OPERAND_E,
                                          CUTE_OPERAND_SFA, CUTE_OPERAND_SFB};
  for (size_t i = 0; i < sizeof alongK / sizeof *alongK; ++i) {
    int k = cuteMmaAtomGetExtent(atom, alongK[i], 1);
    if (!cuteMmaAtomHasOperand(atom, alongK[i]) || k == atom->k)
      continue;
    return cuteFail(c,
                    "make_tiled_mma: the permutation must be _ in K, as "
                    "operand %s of %s has %d elements along K where B has %d",
                    cuteMmaOperandGetName(alongK[i]), atom->name, k, atom->k);
  }
  return true;
}

static bool failTooMany(CuteContext c, CuteTiledMma mma) {
  return cuteFail(c,
                  "make_tiled_mma: a block has at most %d threads; too many "
                  "are in the atom layout %s",
                  CUTE_BLOCK_THREADS, cuteTupleText(c, mma.atomLayout->shape));
}

static bool checkPermutation(CuteContext c, CuteTiledMma mma, int mode) {
  CuteTile tile = permutationMode(mma, mode);
  if (cuteTileIsUnderscore(tile))
    return true;
  if (mode == 2 && !checkCountsOfK(c, mma.atom))
    return false;
  CuteIntTuple size = cuteTiledMmaGetTileSize(c, mma, mode);
  if (!size)
    return false;
  CuteIntTuple extent =
      cuteIntTupleProduct(c, element(mma.atomLayout->shape, (size_t)mode));
  int64_t threads = extent ? extent->value : 0, covered;
  if (threads > CUTE_BLOCK_THREADS || threads < 1)
    return failTooMany(c, mma);
  covered = threads * atomExtent(mma.atom, mode);
  if (isStatic(size) && size->value > 0 && size->value % covered == 0)
    return true;
  return cuteFail(c,
                  "make_tiled_mma: the tile extent %jd of mode %c must be a "
                  "multiple of the %jd that the atoms cover (%jd x %d)",
                  size->value, "MNK"[mode], covered, threads,
                  atomExtent(mma.atom, mode));
}

static bool failThreads(CuteContext c, CuteIntTuple shape, int64_t first,
                        int64_t second, int64_t index) {
  return cuteFail(
      c, "make_tiled_mma: threads %s and %s of (V,M,N,K) have one index, %jd",
      cuteTupleText(c, cuteIdx2Crd(c, staticInt(c, first), shape)),
      cuteTupleText(c, cuteIdx2Crd(c, staticInt(c, second), shape)), index);
}

// Every thread of the atoms is another thread of a block.
static bool checkThreads(CuteContext c, CuteTiledMma mma) {
  CuteLayout threads = cuteTiledMmaGetThrLayout(c, mma);
  CuteIntTuple size = threads ? cuteLayoutGetSize(c, threads) : NULL;
  int owner[CUTE_BLOCK_THREADS] = {0}; // 1 + the number of the thread
  if (!size)
    return false;
  if (size->value > CUTE_BLOCK_THREADS)
    return failTooMany(c, mma);
  for (int i = 0; i < size->value; ++i) {
    CuteIntTuple index = cuteLayoutEval(c, threads, staticInt(c, i));
    if (!index)
      return false;
    if (!isStatic(index) || index->value < 0 ||
        index->value >= CUTE_BLOCK_THREADS)
      return cuteFailTuple(c,
                           "make_tiled_mma: threads of a block have indices "
                           "from 0 to 1023, not ",
                           index);
    if (owner[index->value])
      return failThreads(c, threads->shape, owner[index->value] - 1, i,
                         index->value);
    owner[index->value] = i + 1;
  }
  return true;
}

static bool check(CuteContext context, CuteTiledMma mma) {
  if (!mma.atom || !mma.atomLayout || !mma.permutation)
    return false;
  if (cuteLayoutIsComposed(mma.atomLayout) ||
      cuteLayoutGetNumDynamic(mma.atomLayout) ||
      cuteLayoutGetRank(mma.atomLayout) != 3)
    return cuteFail(context, "make_tiled_mma: the atom layout must be a static "
                             "layout of rank 3 (M,N,K)");
  if (cuteTileGetRank(mma.permutation) != 3 ||
      cuteTileGetNumDynamic(mma.permutation))
    return cuteFail(context, "make_tiled_mma: the permutation must be a static "
                             "tile of rank 3 (M,N,K)");
  for (int mode = 0; mode < 3; ++mode)
    if (!checkPermutation(context, mma, mode))
      return false;
  return checkThreads(context, mma);
}

bool cuteTiledMmaCheck(CuteContext context, CuteTiledMma mma) {
  struct CuteTrace *trace = cuteTracePause(context);
  bool ok = check(context, mma);
  cuteTraceResume(context, trace);
  if (!ok)
    cuteExplainError(context);
  return ok;
}

//===-- Sizes -------------------------------------------------------------===//

CuteLayout cuteTiledMmaGetThrLayout(CuteContext context, CuteTiledMma mma) {
  CuteLayout atom = cuteMmaAtomGetThrId(context, mma.atom);
  unsigned outer =
      traceEnter(context, CUTE_TRACE_MMA_THREADS, atom, mma.atomLayout);
  CuteLayout result = cuteLayoutTiledProduct(context, atom, mma.atomLayout);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}

static CuteIntTuple threadExtent(CuteContext c, CuteTiledMma mma, int mode) {
  return cuteIntTupleProduct(c, element(mma.atomLayout->shape, (size_t)mode));
}

CuteIntTuple cuteTiledMmaGetTileSize(CuteContext context, CuteTiledMma mma,
                                     int mode) {
  CuteTile tile = permutationMode(mma, mode);
  if (!cuteTileIsUnderscore(tile)) {
    CuteIntTuple shape = cuteTileGetShapes(context, tile);
    return shape ? cuteIntTupleProduct(context, shape) : NULL;
  }
  return cuteLeafMul(context, threadExtent(context, mma, mode),
                     staticInt(context, atomExtent(mma.atom, mode)));
}

CuteIntTuple cuteTiledMmaGetOperandSize(CuteContext context, CuteTiledMma mma,
                                        CuteMmaOperand operand, int mode) {
  int which = operandModes[operand][mode];
  int extent = cuteMmaAtomGetExtent(mma.atom, operand, mode);
  if (extent == atomExtent(mma.atom, which))
    return cuteTiledMmaGetTileSize(context, mma, which);
  return cuteLeafMul(context, threadExtent(context, mma, which),
                     staticInt(context, extent));
}

//===-- Partitioning ------------------------------------------------------===//

// The layout divided by the permutation: (tile,rest) where it is no `_`.
static CuteLayout permute(CuteContext c, CuteTiledMma mma, const int *modes,
                          CuteLayout layout) {
  CuteTile tiles[] = {permutationMode(mma, modes[0]),
                      permutationMode(mma, modes[1])};
  CuteTile permutation = cuteTilePair(c, tiles[0], tiles[1]);
  trace(c, CUTE_TRACE_MMA_TILE, permutation);
  layout = cuteLayoutLogicalDivide(c, layout, permutation);
  for (size_t i = 0; i < 2; ++i) {
    const size_t rest[] = {i, 1};
    if (!cuteTileIsUnderscore(tiles[i]))
      layout = cuteZeroUnitStridesAt(c, layout, 2, rest);
  }
  return layout;
}

static CuteTile atomTile(CuteContext c, const CuteMmaAtom *atom,
                         CuteMmaOperand operand, int mode) {
  return cuteTileOfExtent(
      c, staticInt(c, cuteMmaAtomGetExtent(atom, operand, mode)));
}

static CuteLayout thrFrg(CuteContext c, CuteTiledMma mma,
                         CuteMmaOperand operand, CuteLayout layout) {
  const int *modes = operandModes[operand];
  const size_t rest[] = {1, 1};
  // Permute and cut into ((AtomM,AtomK),(RestM,RestK)).
  layout = permute(c, mma, modes, layout);
  CuteTile atom = cuteTilePair(c, atomTile(c, mma.atom, operand, 0),
                               atomTile(c, mma.atom, operand, 1));
  trace(c, CUTE_TRACE_MMA_ATOM, mma.atom->name, atom);
  layout = cuteZeroUnitStridesAt(c, cuteLayoutZippedDivide(c, layout, atom), 1,
                                 rest);
  // See the atom as ((ThrV,FrgV),(RestM,RestK)).
  CuteTile tv = cuteTilePair(
      c, cuteTileGetLayout(c, cuteMmaAtomGetLayout(c, mma.atom, operand)),
      NULL);
  trace(c, CUTE_TRACE_MMA_VALUES, tv);
  layout = cuteLayoutComposition(c, layout, tv);
  // Deal the rest out to the threads: ((ThrV,(ThrM,ThrK)),(FrgV,(...))).
  CuteTile threads =
      cuteTilePair(c, cuteTileOfExtent(c, threadExtent(c, mma, modes[0])),
                   cuteTileOfExtent(c, threadExtent(c, mma, modes[1])));
  trace(c, CUTE_TRACE_MMA_DEAL, threads);
  layout = cuteLayoutZippedDivide(c, layout, cuteTilePair(c, NULL, threads));
  return cuteZeroUnitStridesAt(c, layout, 2, rest);
}

CuteLayout cuteTiledMmaThrFrg(CuteContext context, CuteTiledMma mma,
                              CuteMmaOperand operand, CuteLayout layout) {
  if (!layout || !cuteMmaAtomGetLayout(context, mma.atom, operand))
    return NULL;
  if (cuteLayoutGetRank(layout) < 2)
    return cuteFailTuple(
        context, "tiled_mma partition: needs two modes or more, not shape ",
        cuteLayoutGetShape(layout));
  unsigned outer = traceEnter(context, CUTE_TRACE_THRFRG, layout,
                              cuteMmaOperandGetName(operand));
  CuteLayout result = thrFrg(context, mma, operand, layout);
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}

// (ThrV,(ThrM,ThrK)) -> (ThrV,(ThrM,ThrN,ThrK)): the mode that the operand does
// not have is broadcast.
static CuteLayout spreadThreads(CuteContext c, CuteTiledMma mma,
                                CuteMmaOperand operand, CuteLayout layout) {
  int missing = 3 - operandModes[operand][0] - operandModes[operand][1];
  CuteIntTuple extents[3], strides[3], before = staticInt(c, 1);
  for (int mode = 0; mode < 3; ++mode) {
    extents[mode] = threadExtent(c, mma, mode);
    strides[mode] = mode == missing ? staticInt(c, 0) : before;
    if (mode != missing)
      before = cuteLeafMul(c, before, extents[mode]);
  }
  CuteLayout spread = cuteLayoutGet(c, cuteInternTuple(c, 3, extents),
                                    cuteInternTuple(c, 3, strides));
  CuteTile thrV = cuteTilePair(c, NULL, cuteTileGetLayout(c, spread));
  return cuteLayoutComposition(c, layout, cuteTilePair(c, thrV, NULL));
}

// Thread index -> (V,M,N,K). Indices that no thread has, as between the quads
// of sm_70, count as 0: they are composed with (size,1):(1,0), past whose size
// everything has stride 0.
static CuteLayout threadOfIndex(CuteContext c, CuteTiledMma mma) {
  CuteLayout threads = cuteTiledMmaGetThrLayout(c, mma);
  CuteLayout gaps = cuteLayoutComplement(c, threads, NULL);
  if (!gaps)
    return NULL;
  CuteIntTuple zero = staticInt(c, 0), one = staticInt(c, 1);
  CuteIntTuple shape[] = {cuteLayoutGetSize(c, threads), one};
  CuteIntTuple stride[] = {one, zero};
  CuteLayout fold = cuteLayoutGet(c, cuteInternTuple(c, 2, shape),
                                  cuteInternTuple(c, 2, stride));
  CuteLayout index = cuteLayoutRightInverse(
      c, cuteInternLayout(
             c, cuteModePair(c, layoutMode(threads), layoutMode(gaps))));
  return index ? cuteLayoutComposition(c, fold, cuteTileGetLayout(c, index))
               : NULL;
}

static CuteLayout layoutTV(CuteContext c, CuteTiledMma mma,
                           CuteMmaOperand operand, bool spreads) {
  if (!cuteMmaAtomGetLayout(c, mma.atom, operand))
    return NULL;
  CuteIntTuple extents[] = {cuteTiledMmaGetOperandSize(c, mma, operand, 0),
                            cuteTiledMmaGetOperandSize(c, mma, operand, 1)};
  CuteLayout tile = cuteLayoutGet(c, cuteInternTuple(c, 2, extents), NULL);
  unsigned outer =
      traceEnter(c, CUTE_TRACE_MMA_TV, cuteMmaOperandGetName(operand), tile);
  CuteLayout layout = thrFrg(c, mma, operand, tile);
  if (spreads)
    layout = spreadThreads(c, mma, operand, layout);
  CuteLayout toThread = threadOfIndex(c, mma);
  CuteTile byIndex = cuteTilePair(c, cuteTileGetLayout(c, toThread), NULL);
  CuteLayout result = cuteLayoutComposition(c, layout, byIndex);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

// Lets atoms along K lead past the tile of C, as they do in CuTe.
CuteLayout cuteTiledMmaGetLayoutTV(CuteContext context, CuteTiledMma mma,
                                   CuteMmaOperand operand) {
  return layoutTV(context, mma, operand, operand != CUTE_OPERAND_C);
}

CuteLayout cuteTiledMmaGetSharedLayoutTV(CuteContext context, CuteTiledMma mma,
                                         CuteMmaOperand operand) {
  bool splitsK = !isStaticValue(threadExtent(context, mma, 2), 1);
  return layoutTV(context, mma, operand, operand != CUTE_OPERAND_C || splitsK);
}

CuteIntTuple cuteTiledMmaGetThreadCoord(CuteContext context, CuteTiledMma mma,
                                        CuteIntTuple thread) {
  unsigned outer = traceEnter(context, CUTE_TRACE_MMA_THREAD, thread);
  Mode threads = layoutMode(cuteTiledMmaGetThrLayout(context, mma));
  CuteIntTuple result = NULL;
  if (!modeFailed(threads) && thread) {
    CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
    CuteIntTuple coord[4];
    for (size_t i = 0; i < 4; ++i)
      coord[i] = cuteThreadCoord(context, modeElement(threads, i), thread);
    cuteArenaReset(&context->scratch, mark);
    result = cuteInternTuple(context, 4, coord);
  }
  traceLeave(context, outer, CUTE_TRACE_RESULT, result);
  return result;
}

// ((v,(m,k)),(_,(_,_,...))) for a thread index.
static CuteIntTuple partitionCoord(CuteContext c, CuteTiledMma mma,
                                   CuteMmaOperand operand, CuteLayout layout,
                                   CuteIntTuple thread) {
  const int *modes = operandModes[operand];
  CuteIntTuple vmnk = cuteTiledMmaGetThreadCoord(c, mma, thread);
  if (!vmnk)
    return NULL;
  CuteIntTuple all = cuteIntTupleGetUnderscore(c);
  CuteIntTuple tile[] = {element(vmnk, (size_t)modes[0] + 1),
                         element(vmnk, (size_t)modes[1] + 1)};
  CuteIntTuple thr[] = {element(vmnk, 0), cuteInternTuple(c, 2, tile)};
  CuteIntTuple rest = element(element(layout->shape, 1), 1);
  CuteIntTuple frg[] = {all, CUTE_TUPLE_OF(c, i, rest->rank, all)};
  CuteIntTuple coord[] = {cuteInternTuple(c, 2, thr),
                          cuteInternTuple(c, 2, frg)};
  return cuteInternTuple(c, 2, coord);
}

CuteIntTuple cuteTiledMmaPartitionShape(CuteContext context, CuteTiledMma mma,
                                        CuteMmaOperand operand,
                                        CuteIntTuple shape) {
  CuteLayout whole = shape ? cuteLayoutGet(context, shape, NULL) : NULL;
  CutePartition part = cuteTiledMmaPartition(context, mma, operand, whole,
                                             staticInt(context, 0));
  return part.layout ? part.layout->shape : NULL;
}

CutePartition cuteTiledMmaPartition(CuteContext context, CuteTiledMma mma,
                                    CuteMmaOperand operand, CuteLayout layout,
                                    CuteIntTuple thread) {
  CutePartition part = {NULL, NULL};
  unsigned outer = traceEnter(context, CUTE_TRACE_MMA_PARTITION, layout,
                              cuteMmaOperandGetName(operand), thread);
  layout = cuteTiledMmaThrFrg(context, mma, operand, layout);
  if (layout && thread) {
    CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
    CuteIntTuple coord = partitionCoord(context, mma, operand, layout, thread);
    part = cuteLayoutSliceAndOffset(context, layout, coord);
  }
  traceLeave(context, outer, CUTE_TRACE_RESULT_AT, part.layout, part.offset);
  return part;
}
