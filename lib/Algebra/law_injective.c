// The laws that say which indices a result takes: complements, tile_to_shape,
// compact layouts.
#include "Algebra/laws.h"

//===-- Leaves that count -------------------------------------------------===//

typedef enum Zeros { DROP_ZEROS, KEEP_ZEROS } Zeros;

// The static leaves of more than one step, with their places among all: a part
// of the layout that shows where the whole takes an index twice.
typedef struct Leaves {
  Modes modes;
  size_t *places;
} Leaves;

static Leaves staticLeaves(CuteContext c, Mode m, Zeros zeros) {
  Modes all = {0};
  modesPushLeaves(c, &all, m);
  Leaves kept = {{0}, cuteScratch(c, (all.count + 1) * sizeof *kept.places)};
  for (size_t i = 0; i < all.count; ++i) {
    Mode leaf = all.data[i];
    bool isKept = isStatic(leaf.shape) && leaf.shape->value > 1 &&
                  isFullyStatic(leaf.stride) &&
                  (zeros == KEEP_ZEROS || !isStaticValue(leaf.stride, 0));
    if (!isKept)
      continue;
    kept.places[kept.modes.count] = i;
    modesPush(c, &kept.modes, leaf);
  }
  return kept;
}

// Measures how far the values of a function lie apart at most, plus one.
static bool widthOf(const LawFunction *f, int64_t *width) {
  *width = 1;
  for (size_t i = 0; i < f->count; ++i) {
    LawLeaf leaf = f->leaves[i];
    int64_t reach;
    if (leaf.stride == INT64_MIN ||
        __builtin_mul_overflow(leaf.extent - 1, llabs(leaf.stride), &reach) ||
        __builtin_add_overflow(*width, reach, width))
      return false;
  }
  return true;
}

// All directions as one integer, from which each can be told. False if that
// overflows.
static bool scalarFunction(CuteContext c, const Modes *modes, LawFunction *f) {
  LawPaths paths;
  LawFunction part;
  int64_t weight = 1, width, step;
  Mode all = modesGetTuple(c, modes);
  if (!cuteLawPaths(all.stride, &paths) || !cuteLawFunction(c, all, NULL, f))
    return false;
  for (size_t i = 0; i < f->count; ++i)
    f->leaves[i].stride = 0;
  for (size_t p = 0; p < paths.count; ++p) {
    if (!cuteLawFunction(c, all, paths.data[p], &part) ||
        !widthOf(&part, &width))
      return false;
    for (size_t i = 0; i < part.count; ++i) {
      if (__builtin_mul_overflow(part.leaves[i].stride, weight, &step))
        return false;
      f->leaves[i].stride += step;
    }
    if (__builtin_mul_overflow(weight, width, &weight))
      return false;
  }
  return true;
}

//===-- Two coordinates of one index --------------------------------------===//

typedef struct Twice {
  CuteIntTuple first, second; // null: none were found
} Twice;

static CuteIntTuple nextCoord(CuteContext c, CUTE_UNUSED Mode leaf,
                              void *coords) {
  return staticInt(c, *(*(const int64_t **)coords)++);
}

// The coordinate in the layout of an index in its leaves that count.
static CuteIntTuple coordOf(CuteContext c, Mode m, const Leaves *leaves,
                            int64_t index) {
  size_t n = m.shape->numLeaves;
  int64_t *coords = cuteScratch(c, (n + 1) * sizeof *coords);
  memset(coords, 0, n * sizeof *coords);
  for (size_t i = 0; i < leaves->modes.count; ++i) {
    int64_t extent = leaves->modes.data[i].shape->value;
    coords[leaves->places[i]] = index % extent;
    index /= extent;
  }
  const int64_t *next = coords;
  return cuteMapLeaves(c, m, nextCoord, &next);
}

static Twice findTwice(CuteContext c, Mode m, Zeros zeros) {
  Leaves leaves = staticLeaves(c, m, zeros);
  LawFunction f;
  LawCollision collision;
  if (!scalarFunction(c, &leaves.modes, &f) ||
      !cuteLawCollision(c, &f, &collision))
    return (Twice){NULL, NULL};
  return (Twice){coordOf(c, m, &leaves, collision.first),
                 coordOf(c, m, &leaves, collision.second)};
}

// "LAW fails for R = ...: coordinates (0,1) and (1,0) have the same index"
static bool sayTwice(CuteContext c, const char *law, Mode r, Twice twice) {
  return cuteLawFails(
      c, "%s fails for R = %s: coordinates %s and %s have the same index", law,
      cuteModeText(c, r), cuteTupleText(c, twice.first),
      cuteTupleText(c, twice.second));
}

bool cuteLawTileToShape(CuteContext c, Mode block, Mode r) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Twice twice = {NULL, NULL};
  bool holds = findTwice(c, block, KEEP_ZEROS).first ||
               !(twice = findTwice(c, r, KEEP_ZEROS)).first;
  if (!holds)
    sayTwice(c, "tile_to_shape: injective as the block is", r, twice);
  return holds;
}

//===-- Compact layouts ---------------------------------------------------===//

// Tells whether the strides are the products of the extents with lesser ones.
static bool isCompact(CuteContext c, LawFunction *f) {
  cuteLawSortLeaves(c, f);
  int64_t end = 1;
  for (size_t i = 0; i < f->count; ++i)
    if (f->leaves[i].stride != end ||
        __builtin_mul_overflow(end, f->leaves[i].extent, &end))
      return false;
  return true;
}

static bool sayGap(CuteContext c, const char *law, Mode r) {
  return cuteLawFails(
      c, "%s fails for R = %s: an index below its size is not taken", law,
      cuteModeText(c, r));
}

bool cuteLawCompact(CuteContext c, const char *name, Mode r) {
  if (r.stride->flags & HAS_BASIS)
    return true;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CUTE_SCOPED(String) law = {0};
  cuteStringAppendFormat(&law, "%s: a compact bijection", name);
  bool isDynamic = r.shape->numDynamic || r.stride->numDynamic;
  Leaves leaves = staticLeaves(c, r, DROP_ZEROS);
  LawFunction f;
  bool holds = !scalarFunction(c, &leaves.modes, &f) || isCompact(c, &f);
  if (!holds) {
    Twice twice = findTwice(c, r, DROP_ZEROS);
    holds = isDynamic && !twice.first;
    if (!holds && twice.first)
      sayTwice(c, cuteStringGet(&law), r, twice);
    else if (!holds)
      sayGap(c, cuteStringGet(&law), r);
  }
  return holds;
}

//===-- Complements -------------------------------------------------------===//

// Size and cosize of leaves in a direction, without stride 0.
typedef struct Extents {
  int64_t size, cosize;
} Extents;

static bool addExtents(CuteContext c, Mode m, CuteIntTuple path,
                       Extents *extents) {
  LawFunction f;
  if (!cuteLawFunction(c, m, path, &f))
    return false;
  for (size_t i = 0; i < f.count; ++i) {
    LawLeaf leaf = f.leaves[i];
    int64_t reach;
    if (!leaf.stride)
      continue;
    if (__builtin_mul_overflow(extents->size, leaf.extent, &extents->size) ||
        __builtin_mul_overflow(leaf.extent - 1, leaf.stride, &reach) ||
        __builtin_add_overflow(extents->cosize, reach, &extents->cosize))
      return false;
  }
  return true;
}

static bool sayUncovered(CuteContext c, Mode a, Mode r, Extents ofA,
                         Extents ofR, int64_t cosize, int64_t target) {
  if (ofR.size < target / ofA.size)
    return cuteLawFails(c,
                        "complement: size(R) >= M / size(A) fails for A = %s, "
                        "R = %s: %jd is less than %jd / %jd",
                        cuteModeText(c, a), cuteModeText(c, r), ofR.size,
                        target, ofA.size);
  return cuteLawFails(c,
                      "complement: cosize((A,R)) >= M fails for A = %s, R = "
                      "%s: %jd is less than %jd",
                      cuteModeText(c, a), cuteModeText(c, r), cosize, target);
}

// A null cotarget asks for the cosize of `a` in the direction.
static bool coversIn(CuteContext c, Mode a, CuteIntTuple path,
                     CuteIntTuple cotarget, Mode r) {
  Extents ofA = {1, 1}, ofR = {1, 1};
  Mode part = cuteModeAt(r, path);
  if (modeFailed(part) || !addExtents(c, a, path, &ofA) ||
      !addExtents(c, part, path, &ofR))
    return true;
  CuteIntTuple product = cotarget ? cuteIntTupleProduct(c, cotarget) : NULL;
  if (cotarget && !isStatic(product))
    return true;
  int64_t target = product ? product->value : ofA.cosize, cosize;
  if (__builtin_add_overflow(ofA.cosize, ofR.cosize - 1, &cosize) ||
      (ofR.size >= target / ofA.size && cosize >= target))
    return true;
  return sayUncovered(c, a, r, ofA, ofR, cosize, target);
}

static bool isDisjoint(CuteContext c, Mode a, Mode r) {
  Mode both = cuteModePair(c, a, r);
  Twice twice = findTwice(c, both, DROP_ZEROS);
  return !twice.first || findTwice(c, a, DROP_ZEROS).first ||
         sayTwice(c, "complement: (A,R) injective", both, twice);
}

bool cuteLawComplement(CuteContext c, Mode a, CuteIntTuple cotarget, Mode r) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  LawPaths paths;
  bool holds = true;
  if (cuteLawPaths(a.stride, &paths)) {
    for (size_t i = 0; holds && i < paths.count; ++i)
      holds = coversIn(c, a, paths.data[i], cotarget, r);
    holds = holds && isDisjoint(c, a, r);
  }
  return holds;
}
