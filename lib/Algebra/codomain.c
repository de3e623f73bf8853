// The codomain of a layout with scaled bases: the tree of modes that the paths
// of its strides lead to.
#include "Algebra/algebra.h"

#include "Support/sort.h"

// Appends the scaled bases of a stride.
static void pushBases(CuteContext c, CuteIntTuple stride, Modes *bases) {
  if (isBasis(stride))
    modesPush(c, bases, (Mode){stride, basisPath(stride)});
  else if (isTuple(stride) && stride->flags & HAS_BASIS)
    for (size_t i = 0; i < stride->rank; ++i)
      pushBases(c, stride->elements[i], bases);
}

// Counts the modes that two paths have in common.
static size_t commonPrefix(CuteIntTuple a, CuteIntTuple b) {
  size_t i = 0;
  while (i < a->rank && i < b->rank && a->elements[i] == b->elements[i])
    ++i;
  return i;
}

// Lexicographic; a path comes before the paths that it leads into.
static int comparePaths(const void *first, const void *second) {
  CuteIntTuple a = ((const Mode *)first)->stride;
  CuteIntTuple b = ((const Mode *)second)->stride;
  size_t i = commonPrefix(a, b);
  if (i == a->rank || i == b->rank)
    return (a->rank > b->rank) - (a->rank < b->rank);
  return a->elements[i]->value < b->elements[i]->value ? -1 : 1;
}

// Puts equal paths side by side and checks that none leads through another's
// end, which would then be its neighbour.
static bool sortPaths(CuteContext c, Modes *bases) {
  Mode *data = bases->data;
  Mode *scratch = cuteScratch(c, bases->count * sizeof *data);
  cuteStableSort(data, scratch, bases->count, sizeof *data, comparePaths);
  for (size_t i = 1; i < bases->count; ++i) {
    CuteIntTuple path = data[i - 1].stride, next = data[i].stride;
    if (path == next || commonPrefix(path, next) < path->rank)
      continue;
    return cuteFailTuple(c,
                         "stride: the path of one scaled basis leads through "
                         "the end of another in ",
                         data[i].shape);
  }
  return true;
}

// Counts the modes of a level for sorted paths that agree above it.
static size_t levelRank(const Mode *bases, size_t count, size_t depth) {
  int64_t last = bases[count - 1].stride->elements[depth]->value;
  return last > 0 ? (size_t)last + 1 : 1;
}

// The end of the paths that agree with the first one at this level, too.
static size_t sameMode(const Mode *bases, size_t count, size_t depth) {
  CuteIntTuple mode = bases[0].stride->elements[depth];
  size_t end = 1;
  while (end < count && bases[end].stride->elements[depth] == mode)
    ++end;
  return end;
}

// Tells whether the profile of sorted paths that agree on their first `depth`
// modes has no more than `room` modes: one number far off makes many.
static bool fitsProfile(CuteContext c, const Mode *bases, size_t count,
                        size_t depth, size_t *room) {
  if (bases[0].stride->rank == depth)
    return true;
  size_t rank = levelRank(bases, count, depth), end;
  if (rank > *room)
    return cuteFail(c, "scaled basis: mode number %zu is too large", rank - 1);
  *room -= rank;
  for (; count; bases += end, count -= end) {
    end = sameMode(bases, count, depth);
    if (!fitsProfile(c, bases, end, depth + 1, room))
      return false;
  }
  return true;
}

static bool checkPaths(CuteContext c, CuteIntTuple stride, Modes *bases) {
  size_t room = CUTE_MAX_LEAVES;
  pushBases(c, stride, bases);
  return sortPaths(c, bases) &&
         fitsProfile(c, bases->data, bases->count, 0, &room);
}

bool cuteCodomainCheck(CuteContext c, CuteIntTuple stride) {
  if (!(stride->flags & HAS_BASIS))
    return true;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Modes bases = {0};
  return checkPaths(c, stride, &bases);
}

static CuteIntTuple profileOf(CuteContext c, const Mode *bases, size_t count,
                              size_t depth) {
  CuteIntTuple none = cuteIntTupleGetUnderscore(c);
  if (bases[0].stride->rank == depth)
    return none;
  size_t rank = levelRank(bases, count, depth), end;
  CuteIntTuple *elements = cuteScratch(c, rank * sizeof *elements);
  for (size_t i = 0; i < rank; ++i)
    elements[i] = none;
  for (; count; bases += end, count -= end) {
    int64_t mode = bases[0].stride->elements[depth]->value;
    end = sameMode(bases, count, depth);
    if (mode >= 0)
      elements[mode] = profileOf(c, bases, end, depth + 1);
  }
  return cuteInternTuple(c, rank, elements);
}

CuteIntTuple cuteCodomainProfile(CuteContext c, CuteIntTuple stride) {
  if (!stride)
    return NULL;
  if (!(stride->flags & HAS_BASIS))
    return cuteIntTupleGetUnderscore(c);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Modes bases = {0};
  return checkPaths(c, stride, &bases)
             ? profileOf(c, bases.data, bases.count, 0)
             : NULL;
}

CuteIntTuple cutePathExtend(CuteContext c, CuteIntTuple path, size_t mode) {
  size_t n = path ? path->rank : 0;
  CuteIntTuple *modes = cuteScratch(c, (n + 1) * sizeof *modes);
  for (size_t i = 0; i < n; ++i)
    modes[i] = path->elements[i];
  modes[n] = staticInt(c, (int64_t)mode);
  return cuteInternTuple(c, n + 1, modes);
}

Mode cuteModeAt(Mode m, CuteIntTuple path) {
  for (size_t i = 0; path && i < path->rank; ++i) {
    int64_t mode = path->elements[i]->value;
    if (!isTuple(m.shape) || mode < 0 || mode >= (int64_t)m.shape->rank)
      return failedMode;
    m = modeElement(m, (size_t)mode);
  }
  return m;
}
