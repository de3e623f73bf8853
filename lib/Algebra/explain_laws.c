#include "Algebra/explain_worked.h"

//===-- Composition -------------------------------------------------------===//

static CuteSides compositionAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = staticInt(c, i)};
  if (law->tiler->kind == TILE_TUPLE)
    s.at = cuteLawSplit(c, law->r->shape, i);
  s.via = cuteLawThroughTiler(c, law->tiler, s.at);
  s.left = cuteLawValue(c, law->a, s.via);
  s.right = cuteLawValue(c, law->r, s.at);
  return s;
}

void cuteExplainCompositionLaw(CuteContext c, CuteLayout a, CuteTile b,
                               CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || cuteTileGetNumDynamic(b))
    return;
  CuteLaw law = {
      .a = a, .tiler = b, .r = r, .prefersFirst = b->kind != TILE_TUPLE};
  CuteSides s = cuteLawFindIn(c, &law, r, compositionAt);
  if (!areComputed(s))
    return;
  if (s.left != s.right)
    trace(c, CUTE_TRACE_LAW_COMPOSE_FAILS, s.at, s.via, s.left, s.right);
  else if (b->kind == TILE_TUPLE)
    trace(c, CUTE_TRACE_LAW_COMPOSE_TILER, s.at, s.via, s.left);
  else
    trace(c, CUTE_TRACE_LAW_COMPOSE, s.at, s.via, s.left);
}

// At the first coordinate that the swizzle moves, if there is one.
static CuteSides swizzleAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = staticInt(c, i)};
  s.x = cuteLayoutEval(c, law->b, s.at);
  s.left = cuteArithmeticTupleAdd(c, law->r->offset, s.x);
  s.right = cuteLayoutEval(c, law->r, s.at);
  return s;
}

void cuteExplainSwizzleLaw(CuteContext c, CuteLayout b, CuteLayout r) {
  if (!isStaticLayout(r) || !cuteLayoutHasSwizzle(r) || !isStaticLayout(b))
    return;
  CuteLaw law = {.b = b, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, b, swizzleAt);
  if (areComputed(s))
    trace(c, CUTE_TRACE_LAW_SWIZZLE, r->offset, s.at, s.x, s.left, s.right);
}

//===-- The same function, or part of it ----------------------------------===//

static CuteSides sameAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteIntTuple at = staticInt(c, i);
  return (CuteSides){.at = at,
                     .left = cuteLayoutEval(c, law->a, at),
                     .right = cuteLayoutEval(c, law->r, at)};
}

void cuteExplainSameLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a))
    return;
  CuteLaw law = {.a = a, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, a, sameAt);
  if (!areComputed(s))
    return;
  if (s.left == s.right)
    trace(c, CUTE_TRACE_LAW_SAME, s.at, s.left);
  else
    trace(c, CUTE_TRACE_LAW_SAME_FAILS, s.at, s.left, s.right);
}

void cuteExplainWithinLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a))
    return;
  CuteLaw law = {.a = r, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, r, sameAt);
  CuteQuiet quiet = cuteQuietEnter(c);
  int64_t i = cuteLawFindValue(c, a, s.left, 1);
  cuteQuietLeave(c, quiet);
  if (areComputed(s) && i >= 0)
    trace(c, CUTE_TRACE_LAW_WITHIN, s.at, s.left, i);
}

//===-- Complement --------------------------------------------------------===//

// A moved by one step of R, to indices that A should not reach: `via` is where
// it does, or -1.
static CuteSides movedAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = staticInt(c, i), .other = staticInt(c, 1)};
  s.x = cuteLayoutEval(c, law->a, s.at);
  s.y = cuteLayoutEval(c, law->r, s.other);
  s.left = cuteArithmeticTupleAdd(c, s.x, s.y);
  int64_t met = s.left ? cuteLawFindValue(c, law->a, s.left, 1) : -1;
  s.via = staticInt(c, met);
  s.right = met < 0 ? s.left : s.via;
  return s;
}

void cuteExplainComplementLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || r->stride->flags & HAS_BASIS)
    return;
  CuteLaw law = {.a = a, .r = r, .prefersFirst = true};
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple size = cuteLayoutGetSize(c, r);
  cuteQuietLeave(c, quiet);
  CuteSides s = cuteLawFindIn(c, &law, a, movedAt);
  if (isStaticValue(size, 1))
    trace(c, CUTE_TRACE_LAW_COMPLEMENT_EMPTY);
  else if (areComputed(s) && isStaticValue(s.via, -1))
    trace(c, CUTE_TRACE_LAW_COMPLEMENT, s.at, s.other, s.x, s.y, s.left);
  else if (areComputed(s))
    trace(c, CUTE_TRACE_LAW_COMPLEMENT_FAILS, s.at, s.other, s.x, s.y, s.left,
          s.via);
}

//===-- Inverses ----------------------------------------------------------===//

static CuteSides rightInverseAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = cuteLawSplit(c, law->r->shape, i)};
  if (!(law->a->stride->flags & HAS_BASIS))
    s.at = staticInt(c, i);
  s.via = cuteLayoutEval(c, law->r, s.at);
  s.left = cuteLawValue(c, law->a, s.via);
  s.right = s.at;
  return s;
}

void cuteExplainRightInverseLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a))
    return;
  CuteLaw law = {.a = a, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, r, rightInverseAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_RIGHT_INVERSE, s.at, s.via, s.left);
  else if (areComputed(s))
    trace(c, CUTE_TRACE_LAW_RIGHT_INVERSE_FAILS, s.at, s.via, s.left);
}

// Evaluates both sides; where A takes two coordinates to one index, R finds one
// of them: `other`.
static CuteSides leftInverseAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = staticInt(c, i)};
  s.left = cuteLayoutEval(c, law->a, s.at);
  s.other = cuteLawValue(c, law->r, s.left);
  s.right = s.other ? cuteLayoutEval(c, law->a, s.other) : NULL;
  return s;
}

void cuteExplainLeftInverseLaw(CuteContext c, CuteLayout a, CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || a->stride->flags & HAS_BASIS)
    return;
  CuteLaw law = {.a = a, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, a, leftInverseAt);
  if (!areComputed(s))
    return;
  if (s.left != s.right)
    trace(c, CUTE_TRACE_LAW_LEFT_INVERSE_FAILS, s.at, s.left, s.other);
  else if (s.other == s.at)
    trace(c, CUTE_TRACE_LAW_LEFT_INVERSE, s.at, s.left, s.other);
  else
    trace(c, CUTE_TRACE_LAW_LEFT_INVERSE_OTHER, s.at, s.left, s.other);
}

static CuteSides commonAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = staticInt(c, i)};
  s.via = cuteLayoutEval(c, law->r, s.at);
  s.left = cuteLawValue(c, law->a, s.via);
  s.right = cuteLawValue(c, law->b, s.via);
  return s;
}

void cuteExplainCommonLaw(CuteContext c, CuteLayout a, CuteLayout b,
                          CuteLayout r) {
  if (!isStaticLayout(r) || !isStaticLayout(a) || !isStaticLayout(b))
    return;
  CuteLaw law = {.a = a, .b = b, .r = r};
  CuteSides s = cuteLawFindIn(c, &law, r, commonAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_COMMON, s.via, s.left, s.at);
}

//===-- Slices ------------------------------------------------------------===//

// The coordinate with the next of the leaves for each `_`, which it advances.
static CuteIntTuple fillIn(CuteContext c, CuteIntTuple coord,
                           const CuteIntTuple **leaves) {
  if (isUnderscore(coord))
    return *(*leaves)++;
  if (!isTuple(coord))
    return coord;
  CuteIntTuple *parts =
      cuteArenaAllocate(&c->scratch, coord->rank * sizeof *parts);
  for (size_t i = 0; i < coord->rank; ++i)
    parts[i] = fillIn(c, coord->elements[i], leaves);
  return cuteInternTuple(c, coord->rank, parts);
}

static CuteSides sliceAt(CuteContext c, const CuteLaw *law, int64_t i) {
  CuteSides s = {.at = staticInt(c, i)};
  CuteLayout r = law->part.layout;
  CuteIntTuple modes = cuteLawSplit(c, r->shape, i);
  const CuteIntTuple *leaves =
      isTuple(modes) && isTuple(law->coord) ? modes->elements : &modes;
  s.via = fillIn(c, law->coord, &leaves);
  s.left = cuteLayoutEval(c, law->a, s.via);
  s.right =
      cuteArithmeticTupleAdd(c, law->part.offset, cuteLayoutEval(c, r, s.at));
  return s;
}

void cuteExplainSliceLaw(CuteContext c, const char *name, CuteLayout a,
                         CuteIntTuple coord, CutePartition part) {
  if (!isStaticLayout(part.layout) || !isStaticLayout(a) || !part.offset ||
      part.offset->numDynamic || coord->numDynamic ||
      !(coord->flags & HAS_UNDERSCORE))
    return;
  CuteLaw law = {.a = a, .part = part, .coord = coord};
  CuteSides s = cuteLawFindIn(c, &law, part.layout, sliceAt);
  if (areComputed(s) && s.left == s.right)
    trace(c, CUTE_TRACE_LAW_SLICE, name, s.via, s.left, part.offset, s.at);
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
