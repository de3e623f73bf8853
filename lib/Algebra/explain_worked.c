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

// Gives the number of a layout's coordinates that are looked at: at most 512,
// and fewer where a value takes long to compute. Null: as of a small one.
static int64_t tries(CuteLayout layout) {
  int64_t leaves = layout ? (int64_t)layout->shape->numLeaves : 0;
  int64_t most = MAX_LEAVES_TRIED / (leaves + 1);
  return most < 2 ? 2 : least(most, MAX_TRIED);
}

static CuteIntTuple coordinate(CuteContext c, const CuteLawCase *law,
                               CuteIntTuple shape, int64_t i) {
  if (law->coords == CUTE_AT_NUMBERS)
    return staticInt(c, i);
  return law->coords == CUTE_AT_MODES ? cuteLawSplit(c, shape, i)
                                      : cuteIdx2Crd(c, staticInt(c, i), shape);
}

// The shape of the coordinates at which a law is looked at.
static CuteIntTuple shapeOf(CuteContext c, const CuteLawCase *law) {
  char domain = cuteLawGetSides(law->law)->domain;
  if (law->shape)
    return law->shape;
  return domain == 'T'   ? cuteTileGetShapes(c, law->tiler)
         : domain == 'A' ? law->a->shape
                         : law->r->shape;
}

CuteSides cuteLawFind(CuteContext c, const CuteLawCase *law,
                      CuteSidesAt *sidesAt) {
  CuteSides worked = {0};
  CuteQuiet quiet = cuteQuietEnter(c);
  CuteIntTuple shape = shapeOf(c, law);
  CuteIntTuple size = shape ? cuteIntTupleProduct(c, shape) : NULL;
  int64_t tried = least(isStatic(size) ? size->value : 0,
                        least(tries(law->r), tries(law->a)));
  int64_t wanted = law->prefersFirst ? 1 : tried / 2;
  for (int64_t i = 0; i < tried; ++i) {
    CuteIntTuple at = coordinate(c, law, shape, i);
    CuteSides sides = at ? sidesAt(c, law, at) : (CuteSides){0};
    bool differ = areComputed(sides) && sides.left != sides.right;
    if (differ || i <= wanted || isStaticValue(worked.left, 0))
      worked = areComputed(sides) ? sides : worked;
    if (differ || !areComputed(sides))
      break;
  }
  cuteQuietLeave(c, quiet);
  return worked;
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

CuteIntTuple cuteLawSplit(CuteContext c, CuteIntTuple shape, int64_t i) {
  return isTuple(shape) ? cuteIdx2Crd(c, staticInt(c, i),
                                      cuteIntTupleProductEach(c, shape))
                        : staticInt(c, i);
}

int64_t cuteLawFindValue(CuteContext c, CuteLayout layout, CuteIntTuple value,
                         int64_t n) {
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  if (!isStatic(size) || !isStatic(value))
    return -1;
  int64_t tried = least(size->value, tries(layout));
  for (int64_t i = 0; i < tried; ++i) {
    CuteIntTuple found = cuteLayoutEval(c, layout, staticInt(c, i));
    if (isStatic(found) && found->value / n == value->value)
      return i;
  }
  return -1;
}

//===-- What layouts make of a coordinate ---------------------------------===//

// Finds where a tiler takes a coordinate of its tile.
static CuteIntTuple throughTiler(CuteContext c, CuteTile tiler,
                                 CuteIntTuple coord) {
  if (!coord || tiler->kind == TILE_UNDERSCORE)
    return coord;
  if (tiler->kind == TILE_LAYOUT)
    return cuteLayoutEval(c, tiler->layout, coord);
  if (!isTuple(coord) || coord->rank < tiler->rank)
    return NULL;
  return CUTE_TUPLE_OF(c, i, tiler->rank,
                       throughTiler(c, tiler->elements[i], coord->elements[i]));
}

// Finds the place of element `coord` of the first tile in (tile, rest) by mode.
static CuteIntTuple inFirstTile(CuteContext c, CuteTile tiler,
                                CuteIntTuple coord, CuteIntTuple shape,
                                CuteIntTuple divided) {
  if (tiler->kind != TILE_TUPLE)
    return cuteCrd2Idx(c, coord, shape);
  size_t rank = divided->rank;
  return CUTE_TUPLE_OF(
      c, i, rank,
      i < tiler->rank ? inFirstTile(c, tiler->elements[i], element(coord, i),
                                    element(shape, i), element(divided, i))
                      : staticInt(c, 0));
}

static CuteIntTuple inFirst(CuteContext c, const CuteLawCase *law,
                            CuteIntTuple at) {
  CuteIntTuple shape = shapeOf(c, law);
  return law->form == CUTE_FORM_LOGICAL
             ? inFirstTile(c, law->tiler, at, shape, law->r->shape)
             : cuteCrd2Idx(c, at, shape);
}

// Replaces `_` by the next of the leaves.
static CuteIntTuple fillIn(CUTE_UNUSED CuteContext c, Mode coord,
                           void *leaves) {
  return isUnderscore(coord.shape) ? *(*(const CuteIntTuple **)leaves)++
                                   : coord.shape;
}

// The coordinate of a slice at number `at` of what it leaves.
static CuteIntTuple inSlice(CuteContext c, const CuteLawCase *law,
                            CuteIntTuple at) {
  CuteIntTuple modes = cuteLawSplit(c, law->r->shape, at->value);
  const CuteIntTuple *leaves =
      isTuple(modes) && isTuple(law->coord) ? modes->elements : &modes;
  return cuteMapLeaves(c, tupleMode(law->coord), fillIn, &leaves);
}

// Applies a layout by the name that it has in laws.def.
static CuteIntTuple apply(CuteContext c, const CuteLawCase *law, char name,
                          CuteIntTuple at) {
  switch (name) {
  case 'A':
    return cuteLawValue(c, law->a, at);
  case 'R':
    return cuteLawValue(c, law->r, at);
  case 'B':
  case 'T':
    return law->tiler ? throughTiler(c, law->tiler, at)
                      : cuteLawValue(c, law->b, at);
  case 'F':
    return inFirst(c, law, at);
  case 'K':
    return inSlice(c, law, at);
  case '+':
    return cuteArithmeticTupleAdd(c, law->offset, at);
  default:
    return at;
  }
}

// Writes the steps of a side; gives the last one.
static CuteIntTuple follow(CuteContext c, const CuteLawCase *law,
                           const char *side, CuteIntTuple at,
                           CuteIntTuple **steps) {
  for (size_t i = strlen(side); i-- > 0;) {
    at = at ? apply(c, law, side[i], at) : NULL;
    *(*steps)++ = at;
  }
  return at;
}

CuteSides cuteLawSidesAt(CuteContext c, const CuteLawCase *law,
                         CuteIntTuple at) {
  const CuteLawSides *sides = cuteLawGetSides(law->law);
  CuteSides s = {.at = at, .steps = {at}};
  CuteIntTuple *next = &s.steps[1];
  s.left = follow(c, law, sides->left, at, &next);
  s.right = follow(c, law, sides->right, at, &next);
  return s;
}

static bool isKnown(const CuteLawCase *law) {
  return isStaticLayout(law->a) && isStaticLayout(law->r) &&
         (!law->b || isStaticLayout(law->b)) &&
         (!law->tiler || !cuteTileGetNumDynamic(law->tiler));
}

void cuteExplainEquation(CuteContext c, const CuteLawCase *law) {
  enum { NUM_STEPS = 1 + 2 * CUTE_LAW_STEPS };
  const CuteLawSides *sides = cuteLawGetSides(law->law);
  CuteSides s = {0};
  if (isKnown(law))
    s = cuteLawFind(c, law, cuteLawSidesAt);
  CuteTraced values[NUM_STEPS];
  for (size_t i = 0; i < NUM_STEPS; ++i)
    values[i] = tracedTuple(s.steps[i]);
  if (areComputed(s) && s.left != s.right)
    cuteTrace(c, sides->fails, values);
  else if (areComputed(s))
    cuteTrace(c, law->holds ? law->holds : sides->holds, values);
}
