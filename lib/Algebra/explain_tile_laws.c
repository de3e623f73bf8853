// The laws of divides, products and changes of units.
#include "Algebra/explain_worked.h"

//===-- Divides -----------------------------------------------------------===//

// Finds where element `coord` of the first tile stands in (tile, rest) by mode.
static CuteIntTuple inFirstTile(CuteContext c, CuteTile tiler,
                                CuteIntTuple coord, CuteIntTuple shape,
                                CuteIntTuple divided) {
  if (tiler->kind != TILE_TUPLE)
    return cuteCrd2Idx(c, coord, shape);
  size_t rank = divided->rank;
  CuteIntTuple *parts = cuteArenaAllocate(&c->scratch, rank * sizeof *parts);
  for (size_t i = 0; i < rank; ++i)
    parts[i] = i < tiler->rank
                   ? inFirstTile(c, tiler->elements[i], element(coord, i),
                                 element(shape, i), element(divided, i))
                   : staticInt(c, 0);
  return cuteInternTuple(c, rank, parts);
}

// Element i of the first tile: where it is in R, and in A.
static CuteSides divideAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteIntTuple shape = cuteTileGetShapes(c, law->tiler);
  CuteIntTuple coord = shape ? cuteIdx2Crd(c, staticInt(c, i), shape) : NULL;
  CuteSides s = {0};
  if (!coord)
    return s;
  s.at = law->form == CUTE_FORM_LOGICAL
             ? inFirstTile(c, law->tiler, coord, shape, law->r->shape)
             : staticInt(c, i);
  s.via = cuteLawThroughTiler(c, law->tiler, coord);
  s.left = cuteLawValue(c, law->a, s.via);
  s.right = cuteLawValue(c, law->r, s.at);
  return s;
}

void cuteExplainDivideLaw(CuteContext c, CuteLayout a, CuteTile tiler,
                          CuteTileForm form, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || cuteTileGetNumDynamic(tiler))
    return;
  CuteLaw law = {.a = a, .tiler = tiler, .form = form, .r = r};
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple shapes = cuteTileGetShapes(c, tiler);
  CuteIntTuple size = shapes ? cuteIntTupleProduct(c, shapes) : NULL;
  cuteQuietLeave(c, quiet);
  CuteSides s = cuteLawFind(c, &law, size, divideAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_DIVIDE, s.at, s.right, s.via);
  else if (areComputed(s))
    trace(c, CUTE_TRACE_LAW_DIVIDE_FAILS, s.at, s.right, s.via, s.left);
}

//===-- Products ----------------------------------------------------------===//

static int64_t sizeOf(CuteContext c, CuteIntTuple shape) {
  CuteIntTuple size = cuteIntTupleProduct(c, shape);
  return isStatic(size) ? size->value : 1;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void cuteExplainProductLaw(CuteContext c, CuteLayout a, CuteLayout rest,
                           CuteLayout b, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || !isStaticLayout(rest) ||
      !isStaticLayout(b) || cuteLayoutIsComposed(a))
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  int64_t sizeA = sizeOf(c, a->shape);
  CuteIntTuple i = staticInt(c, sizeA - 1);
  CuteIntTuple j = staticInt(c, least(sizeOf(c, b->shape) - 1, 1));
  CuteIntTuple x = cuteLayoutEval(c, a, i), to = cuteLayoutEval(c, b, j);
  CuteIntTuple y = cuteLawValue(c, rest, to);
  CuteIntTuple sum = cuteArithmeticTupleAdd(c, x, y);
  CuteIntTuple at = cuteLeafAdd(c, i, cuteLeafMul(c, j, staticInt(c, sizeA)));
  CuteIntTuple right = at ? cuteLayoutEval(c, r, at) : NULL;
  cuteQuietLeave(c, quiet);
  if (sum && sum == right)
    trace(c, CUTE_TRACE_LAW_PAIRED, i, j, at, right, x, y);
}

// Element i of the first copy, where modes of A without a tiler are at 0.
static CuteSides firstCopyAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteIntTuple shape = law->block.shape;
  CuteIntTuple coord = cuteIdx2Crd(c, staticInt(c, i), shape);
  CuteSides s = {.via = coord};
  s.at = law->form == CUTE_FORM_LOGICAL
             ? inFirstTile(c, law->tiler, coord, shape, law->r->shape)
             : staticInt(c, i);
  s.left = cuteLawValue(c, law->a, coord);
  s.right = cuteLawValue(c, law->r, s.at);
  return s;
}

void cuteExplainFirstCopyLaw(CuteContext c, CuteLayout a, CuteTile tiler,
                             CuteTileForm form, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || !isTuple(a->shape))
    return;
  CuteLaw law = {.a = a, .tiler = tiler, .form = form, .r = r};
  CuteQuiet quiet = cuteQuietEnter(c);
  law.block.shape = cuteInternTuple(
      c, tiler->rank < a->shape->rank ? tiler->rank : a->shape->rank,
      a->shape->elements);
  CuteIntTuple size = cuteIntTupleProduct(c, law.block.shape);
  cuteQuietLeave(c, quiet);
  CuteSides s = cuteLawFind(c, &law, size, firstCopyAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_FIRST_COPY, s.at, s.right, s.via);
}

// Coordinates of one mode of the block and of the repetitions as the pair's.
static CuteIntTuple pairCoord(CuteContext c, const CuteLaw *law, size_t mode,
                              CuteIntTuple a, CuteIntTuple b) {
  bool blocked = law->pairing == CUTE_BLOCKED;
  CuteIntTuple first =
      element((blocked ? law->block : law->repeated).shape, mode);
  CuteIntTuple size = cuteIntTupleProduct(c, first);
  return cuteLeafAdd(c, blocked ? a : b, cuteLeafMul(c, size, blocked ? b : a));
}

// A coordinate of a padded shape as one of the shape before it was padded.
static CuteIntTuple firstModes(CuteContext c, CuteIntTuple coord,
                               CuteIntTuple shape) {
  if (!isTuple(coord) || coord->rank == shape->rank)
    return isTuple(shape) ? coord : element(coord, 0);
  return isTuple(shape) ? cuteInternTuple(c, shape->rank, coord->elements)
                        : coord->elements[0];
}

static CuteSides pairedAt(CuteContext c, const CuteLaw *law, int64_t i) {
  Mode block = law->block, repeated = law->repeated;
  CuteIntTuple a = cuteLawSplit(c, block.shape, i % sizeOf(c, block.shape));
  CuteIntTuple b =
      cuteLawSplit(c, repeated.shape, i % sizeOf(c, repeated.shape));
  if (!a || !b || a->rank != b->rank)
    return (CuteSides){0};
  CuteIntTuple *pairs = cuteArenaAllocate(&c->scratch, a->rank * sizeof *pairs);
  for (size_t k = 0; k < a->rank; ++k)
    pairs[k] = pairCoord(c, law, k, element(a, k), element(b, k));
  CuteSides s = {.via = firstModes(c, a, law->a->shape),
                 .other = firstModes(c, b, law->b->shape)};
  s.at = isTuple(a) ? cuteInternTuple(c, a->rank, pairs) : pairs[0];
  s.x = cuteEvalMode(c, a, block);
  s.y = cuteEvalMode(c, b, repeated);
  s.left = cuteArithmeticTupleAdd(c, s.x, s.y);
  s.right = cuteLawValue(c, law->r, s.at);
  return s;
}

void cuteExplainPairedLaw(CuteContext c, CuteLayout a, CuteLayout b, Mode block,
                          Mode repeated, CutePairing pairing, CuteLayout r) {
  if (!isStaticLayout(r) || cuteLayoutIsComposed(r) || modeFailed(repeated))
    return;
  CuteLaw law = {.a = a,
                 .b = b,
                 .r = r,
                 .block = block,
                 .repeated = repeated,
                 .pairing = pairing};
  CuteSides s = cuteLawFindIn(c, &law, r, pairedAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_PRODUCT, s.at, s.right, s.x, s.y, s.via, s.other);
}

static CuteSides blockAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = cuteLawSplit(c, law->a->shape, i)};
  s.left = cuteLayoutEval(c, law->a, s.at);
  s.right = cuteLawValue(c, law->r, s.at);
  return s;
}

void cuteExplainBlockLaw(CuteContext c, CuteLayout block, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(block))
    return;
  CuteLaw law = {.a = block, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, block, blockAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_BLOCK, s.at, s.right);
}

//===-- Units -------------------------------------------------------------===//

static CuteSides unitsAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteIntTuple at = staticInt(c, i), value = cuteLayoutEval(c, law->a, at);
  return (CuteSides){.at = at, .left = value, .right = value};
}

void cuteExplainUnitsLaw(CuteContext c, CuteLayout fine, CuteLayout coarse,
                         int64_t n, const char *fineName,
                         const char *coarseName) {
  if (!isStaticLayout(fine) || !isStaticLayout(coarse))
    return;
  CuteLaw law = {.a = coarse};
  CuteSides s = cuteLawFindIn(c, &law, coarse, unitsAt);
  CuteQuiet quiet = cuteQuietEnter(c);
  int64_t i = cuteLawFindValue(c, fine, s.left, n);
  CuteIntTuple value = cuteLayoutEval(c, fine, staticInt(c, i < 0 ? 0 : i));
  cuteQuietLeave(c, quiet);
  if (areComputed(s) && i >= 0)
    trace(c, CUTE_TRACE_LAW_UNITS, fineName, i, value, n, s.left, coarseName,
          s.at);
}

//===-- Compact layouts, indices ------------------------------------------===//

void cuteExplainCompactLaw(CuteContext c, CuteLayout r) {
  if (!isStaticLayout(r) || r->stride->flags & HAS_BASIS)
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple size = cuteLayoutGetSize(c, r);
  CuteIntTuple cosize = cuteLayoutGetCosize(c, r);
  cuteQuietLeave(c, quiet);
  if (size && size == cosize)
    trace(c, CUTE_TRACE_LAW_COMPACT, size);
  else
    trace(c, CUTE_TRACE_LAW_COMPACT_SHARES, size, cosize);
}

void cuteExplainPlaceLaw(CuteContext c, CuteIntTuple index, CuteIntTuple shape,
                         CuteIntTuple coord) {
  if (!coord || !isStatic(index) || coord->numDynamic || shape->numDynamic)
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple same = cuteCrd2Idx(c, coord, shape);
  cuteQuietLeave(c, quiet);
  if (same == index)
    trace(c, CUTE_TRACE_LAW_PLACE, coord, shape, same);
}

// A tuple as the number that counts to it, a number as its tuple.
void cuteExplainIndexLaw(CuteContext c, CuteLayout a, CuteIntTuple coord,
                         CuteIntTuple value) {
  if (!value || !isStaticLayout(a) || coord->numDynamic || coord->flags ||
      !isTuple(a->shape))
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple other = isTuple(coord) ? cuteCrd2Idx(c, coord, a->shape)
                                      : cuteIdx2Crd(c, coord, a->shape);
  CuteIntTuple same = other ? cuteLayoutEval(c, a, other) : NULL;
  cuteQuietLeave(c, quiet);
  if (same != value)
    return;
  CuteIntTuple tuple = isTuple(coord) ? coord : other;
  CuteIntTuple number = isTuple(coord) ? other : coord;
  trace(c, CUTE_TRACE_LAW_INDEX, tuple, number, other, same);
}
