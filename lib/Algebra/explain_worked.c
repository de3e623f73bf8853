#include "Algebra/explain_worked.h"

CuteQuiet cuteQuietEnter(CuteContext c) {
  CuteQuiet quiet = {cuteTracePause(c), c->error,
                     cuteArenaGetMark(&c->scratch)};
  c->error = (CuteString){0};
  return quiet;
}

void cuteQuietLeave(CuteContext c, CuteQuiet quiet) {
  cuteArenaReset(&c->scratch, quiet.mark);
  cuteStringDestroy(&c->error);
  c->error = quiet.error;
  cuteTraceResume(c, quiet.trace);
}

//===-- Looking for a coordinate ------------------------------------------===//

enum { MAX_TRIED = 512, MAX_LEAVES_TRIED = 1 << 15 };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t cuteLawTries(CuteLayout layout) {
  int64_t leaves = layout ? (int64_t)layout->shape->numLeaves : 0;
  int64_t tries = MAX_LEAVES_TRIED / (leaves + 1);
  return tries < 2 ? 2 : least(tries, MAX_TRIED);
}

static CuteSides find(CuteContext c, const CuteLaw *law, int64_t n,
                      CuteSidesAt *sidesAt) {
  CuteSides worked = {0};
  int64_t tried = least(n, least(cuteLawTries(law->r), cuteLawTries(law->a)));
  int64_t wanted = law->prefersFirst ? 1 : tried / 2;
  for (int64_t i = 0; i < tried; ++i) {
    CuteSides sides = sidesAt(c, law, i);
    if (!areComputed(sides))
      break;
    if (sides.left != sides.right)
      return sides;
    if (i <= wanted || isStaticValue(worked.left, 0))
      worked = sides;
  }
  return worked;
}

CuteSides cuteLawFind(CuteContext c, const CuteLaw *law, CuteIntTuple size,
                      CuteSidesAt *sidesAt) {
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteSides worked = find(c, law, isStatic(size) ? size->value : 0, sidesAt);
  cuteQuietLeave(c, quiet);
  return worked;
}

CuteSides cuteLawFindIn(CuteContext c, const CuteLaw *law, CuteLayout layout,
                        CuteSidesAt *sidesAt) {
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  cuteQuietLeave(c, quiet);
  return cuteLawFind(c, law, size, sidesAt);
}

// A coordinate for a layout of that rank: missing modes are at 0.
static CuteIntTuple padCoord(CuteContext c, CuteIntTuple coord,
                             CuteLayout layout) {
  if (!coord || !isTuple(coord) || !isTuple(layout->shape) ||
      coord->rank >= layout->shape->rank)
    return coord;
  return cuteIntTupleAppendToRank(c, coord, layout->shape->rank,
                                  staticInt(c, 0));
}

CuteIntTuple cuteLawValue(CuteContext c, CuteLayout layout,
                          CuteIntTuple coord) {
  return coord ? cuteLayoutEval(c, layout, padCoord(c, coord, layout)) : NULL;
}

//===-- Coordinates through tilers ----------------------------------------===//

CuteIntTuple cuteLawSplit(CuteContext c, CuteIntTuple shape, int64_t i) {
  return isTuple(shape) ? cuteIdx2Crd(c, staticInt(c, i),
                                      cuteIntTupleProductEach(c, shape))
                        : staticInt(c, i);
}

CuteIntTuple cuteLawThroughTiler(CuteContext c, CuteTile tiler,
                                 CuteIntTuple coord) {
  if (!coord || tiler->kind == TILE_UNDERSCORE)
    return coord;
  if (tiler->kind == TILE_LAYOUT)
    return cuteLayoutEval(c, tiler->layout, coord);
  if (!isTuple(coord) || coord->rank < tiler->rank)
    return NULL;
  CuteIntTuple *parts =
      cuteArenaAllocate(&c->scratch, tiler->rank * sizeof *parts);
  for (size_t i = 0; i < tiler->rank; ++i)
    parts[i] = cuteLawThroughTiler(c, tiler->elements[i], coord->elements[i]);
  return cuteInternTuple(c, tiler->rank, parts);
}

int64_t cuteLawFindValue(CuteContext c, CuteLayout layout, CuteIntTuple value,
                         int64_t n) {
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  if (!isStatic(size) || !isStatic(value))
    return -1;
  int64_t tried = least(size->value, cuteLawTries(layout));
  for (int64_t i = 0; i < tried; ++i) {
    CuteIntTuple found = cuteLayoutEval(c, layout, staticInt(c, i));
    if (isStatic(found) && found->value / n == value->value)
      return i;
  }
  return -1;
}
