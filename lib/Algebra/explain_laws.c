#include "Algebra/explain_worked.h"

//===-- Equations ---------------------------------------------------------===//

void cuteExplainCompositionLaw(CuteContext c, CuteLayout a, CuteTile b,
                               CuteLayout r) {
  bool isByMode = b && b->kind == TILE_TUPLE;
  cuteExplainEquation(
      c, &(CuteLawCase){.law = CUTE_LAW_COMPOSITION,
                        .a = a,
                        .tiler = b,
                        .r = r,
                        .coords = isByMode ? CUTE_AT_MODES : CUTE_AT_NUMBERS,
                        .prefersFirst = !isByMode,
                        .holds = isByMode ? CUTE_TRACE_LAW_COMPOSE_TILER
                                          : CUTE_TRACE_RESULT});
}

// Says so where A takes two coordinates to one index and R finds the other one.
void cuteExplainLeftInverseLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(a) || a->stride->flags & HAS_BASIS || !r)
    return;
  CuteLawCase law = {.law = CUTE_LAW_LEFT_INVERSE, .a = a, .r = r};
  CuteSides s = cuteLawFind(c, &law, cuteLawSidesAt);
  if (s.at != s.steps[2])
    law.holds = CUTE_TRACE_LAW_LEFT_INVERSE_OTHER;
  cuteExplainEquation(c, &law);
}

// Modes of A without a tiler are at 0.
void cuteExplainFirstCopyLaw(CuteContext c, CuteLayout a, CuteTile tiler,
                             CuteTileForm form, CuteLayout r) {
  if (!isTuple(a->shape))
    return;
  uint32_t rank = tiler->rank < a->shape->rank ? tiler->rank : a->shape->rank;
  cuteExplainEquation(
      c, &(CuteLawCase){.law = CUTE_LAW_FIRST_COPY,
                        .a = a,
                        .tiler = tiler,
                        .form = form,
                        .r = r,
                        .shape = cuteInternTuple(c, rank, a->shape->elements),
                        .coords = CUTE_AT_LEAVES});
}

void cuteExplainSliceLaw(CuteContext c, const char *name, CuteLayout a,
                         CuteIntTuple coord, CutePartition part) {
  if (!isStaticLayout(part.layout) || !isStaticLayout(a) || !part.offset ||
      part.offset->numDynamic || coord->numDynamic ||
      !(coord->flags & HAS_UNDERSCORE))
    return;
  CuteLawCase law = {.law = CUTE_LAW_SLICE,
                     .a = a,
                     .r = part.layout,
                     .coord = coord,
                     .offset = part.offset};
  CuteSides s = cuteLawFind(c, &law, cuteLawSidesAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_SLICE, name, s.steps[1], s.left, part.offset, s.at);
}

//===-- Other laws --------------------------------------------------------===//

// At the first coordinate that the swizzle moves, if there is one.
static CuteSides swizzleAt(CuteContext c, const CuteLawCase *law,
                           CuteIntTuple at) {
  CuteSides s = {.at = at};
  s.x = cuteLayoutEval(c, law->b, s.at);
  s.left = cuteArithmeticTupleAdd(c, law->r->offset, s.x);
  s.right = cuteLayoutEval(c, law->r, s.at);
  return s;
}

void cuteExplainSwizzleLaw(CuteContext c, CuteLayout b, CuteLayout r) {
  if (!isStaticLayout(r) || !cuteLayoutHasSwizzle(r) || !isStaticLayout(b))
    return;
  CuteLawCase law = {.b = b, .r = r, .shape = b->shape};
  CuteSides s = cuteLawFind(c, &law, swizzleAt);
  if (areComputed(s))
    trace(c, CUTE_TRACE_LAW_SWIZZLE, r->offset, s.at, s.x, s.left, s.right);
}

void cuteExplainWithinLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a))
    return;
  CuteLawCase law = {.law = CUTE_LAW_NONE, .r = r};
  CuteSides s = cuteLawFind(c, &law, cuteLawSidesAt);
  CuteQuiet quiet = cuteQuietEnter(c);
  int64_t i = cuteLawFindValue(c, a, s.left, 1);
  cuteQuietLeave(c, quiet);
  if (areComputed(s) && i >= 0)
    trace(c, CUTE_TRACE_LAW_WITHIN, s.at, s.left, i);
}

// Leaves the quiet in which a law was asked; what it said if it fails is a
// step.
static bool leaveLaw(CuteContext c, CuteQuiet quiet, bool holds) {
  CuteString said = c->error;
  c->error = (CuteString){0};
  cuteQuietLeave(c, quiet);
  if (!holds)
    trace(c, CUTE_TRACE_LAW_FAILS, cuteStringGet(&said));
  cuteStringDestroy(&said);
  return holds;
}

// A moved by one step of R, to indices that A should not reach: `via` is where
// it does, or -1.
static CuteSides movedAt(CuteContext c, const CuteLawCase *law,
                         CuteIntTuple at) {
  CuteSides s = {.at = at, .other = staticInt(c, 1)};
  s.x = cuteLayoutEval(c, law->a, s.at);
  s.y = cuteLayoutEval(c, law->r, s.other);
  s.left = cuteArithmeticTupleAdd(c, s.x, s.y);
  int64_t met = s.left ? cuteLawFindValue(c, law->a, s.left, 1) : -1;
  s.via = staticInt(c, met);
  s.right = met < 0 ? s.left : s.via;
  return s;
}

void cuteExplainComplementLaw(CuteContext c, CuteLayout a,
                              CuteIntTuple cotarget, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || r->stride->flags & HAS_BASIS)
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  bool holds = cuteLawComplement(c, layoutMode(a), cotarget, layoutMode(r));
  if (!leaveLaw(c, quiet, holds))
    return;
  if (isStaticValue(cuteLayoutGetSize(c, r), 1)) {
    trace(c, CUTE_TRACE_LAW_COMPLEMENT_EMPTY);
    return;
  }
  CuteLawCase law = {.a = a, .r = r, .shape = a->shape, .prefersFirst = true};
  CuteSides s = cuteLawFind(c, &law, movedAt);
  if (areComputed(s) && isStaticValue(s.via, -1))
    trace(c, CUTE_TRACE_LAW_COMPLEMENT, s.at, s.other, s.x, s.y, s.left);
}

void cuteExplainDiceLaw(CuteContext c, CuteLayout a, CuteIntTuple coord,
                        CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a))
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple left = cuteLayoutEval(c, a, coord);
  CuteIntTuple kept = cuteIntTupleDiceCoord(c, coord);
  CuteIntTuple right = kept ? cuteLayoutEval(c, r, kept) : NULL;
  cuteQuietLeave(c, quiet);
  if (left && left == right)
    trace(c, CUTE_TRACE_LAW_DICE, coord, left, kept);
}

//===-- Products ----------------------------------------------------------===//

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void cuteExplainProductLaw(CuteContext c, CuteLayout a, CuteLayout rest,
                           CuteLayout b, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || !isStaticLayout(rest) ||
      !isStaticLayout(b) || cuteLayoutIsComposed(a))
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  int64_t sizeA = staticSizeOf(c, a->shape);
  CuteIntTuple i = staticInt(c, sizeA - 1);
  CuteIntTuple j = staticInt(c, least(staticSizeOf(c, b->shape) - 1, 1));
  CuteIntTuple x = cuteLayoutEval(c, a, i), to = cuteLayoutEval(c, b, j);
  CuteIntTuple y = cuteLawValue(c, rest, to);
  CuteIntTuple sum = cuteArithmeticTupleAdd(c, x, y);
  CuteIntTuple at = cuteLeafAdd(c, i, cuteLeafMul(c, j, staticInt(c, sizeA)));
  CuteIntTuple right = at ? cuteLayoutEval(c, r, at) : NULL;
  cuteQuietLeave(c, quiet);
  if (sum && sum == right)
    trace(c, CUTE_TRACE_LAW_PAIRED, i, j, at, right, x, y);
}

// Coordinates of one mode of the block and of the repetitions as the pair's.
static CuteIntTuple pairCoord(CuteContext c, const CuteLawCase *law,
                              size_t mode, CuteIntTuple a, CuteIntTuple b) {
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

static CuteSides pairedAt(CuteContext c, const CuteLawCase *law,
                          CuteIntTuple at) {
  int64_t i = at->value;
  Mode block = law->block, repeated = law->repeated;
  CuteIntTuple a =
      cuteLawSplit(c, block.shape, i % staticSizeOf(c, block.shape));
  CuteIntTuple b =
      cuteLawSplit(c, repeated.shape, i % staticSizeOf(c, repeated.shape));
  if (!a || !b || a->rank != b->rank)
    return (CuteSides){0};
  CuteIntTuple *pairs = cuteScratch(c, a->rank * sizeof *pairs);
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
  CuteLawCase law = {.a = a,
                     .b = b,
                     .r = r,
                     .block = block,
                     .repeated = repeated,
                     .pairing = pairing,
                     .shape = r->shape};
  CuteSides s = cuteLawFind(c, &law, pairedAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_PRODUCT, s.at, s.right, s.x, s.y, s.via, s.other);
}

//===-- Units -------------------------------------------------------------===//

void cuteExplainUnitsLaw(CuteContext c, CuteLayout fine, CuteLayout coarse,
                         int64_t n, const char *fineName,
                         const char *coarseName) {
  if (!isStaticLayout(fine) || !isStaticLayout(coarse))
    return;
  CuteLawCase law = {.law = CUTE_LAW_NONE, .r = coarse};
  CuteSides s = cuteLawFind(c, &law, cuteLawSidesAt);
  CuteQuiet quiet = cuteQuietEnter(c);
  int64_t i = cuteLawFindValue(c, fine, s.left, n);
  CuteIntTuple value = cuteLayoutEval(c, fine, staticInt(c, i < 0 ? 0 : i));
  cuteQuietLeave(c, quiet);
  if (areComputed(s) && i >= 0)
    trace(c, CUTE_TRACE_LAW_UNITS, fineName, i, value, n, s.left, coarseName,
          s.at);
}

//===-- Compact layouts, indices ------------------------------------------===//

void cuteExplainCompactLaw(CuteContext c, const char *name, CuteLayout r) {
  if (!isStaticLayout(r) || r->stride->flags & HAS_BASIS)
    return;
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple size = cuteLayoutGetSize(c, r);
  CuteIntTuple cosize = cuteLayoutGetCosize(c, r);
  bool holds = cuteLawCompact(c, name, layoutMode(r));
  if (!leaveLaw(c, quiet, holds))
    return;
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
