// Single modes and ranges of them: taken, added, replaced, paired, regrouped.
#include "Algebra/algebra.h"

// A leaf has itself as its mode 0, but not where a path has led to it.
static Mode getAt(CuteContext c, Mode a, size_t n, const int32_t *path) {
  for (size_t i = 0; a.shape && i < n; ++i) {
    if (i && !isTuple(a.shape))
      return modeFail(
          cuteFailTuple(c, "get: the path continues after the leaf ", a.shape));
    if (path[i] < 0 || (size_t)path[i] >= a.shape->rank)
      return modeFail(cuteFail(c, "get: mode %d is not in [0, %u)", path[i],
                               a.shape->rank));
    a = modeElement(a, (size_t)path[i]);
  }
  return a;
}

static Mode selectModes(CuteContext c, Mode a, size_t n, const int32_t *modes) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Modes selected = {0};
  for (size_t i = 0; a.shape && i < n; ++i) {
    if (modes[i] < 0 || (size_t)modes[i] >= a.shape->rank)
      return modeFail(cuteFail(c, "select: mode %d is not in [0, %u)", modes[i],
                               a.shape->rank));
    modesPush(c, &selected, modeElement(a, (size_t)modes[i]));
  }
  return a.shape ? modesGetTuple(c, &selected) : a;
}

static Mode flatten(CuteContext c, Mode a) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (modeFailed(a) || !isTuple(a.shape))
    return a;
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, a);
  return modesGetTuple(c, &leaves);
}

static Mode group(CuteContext c, Mode a, int64_t begin, int64_t end) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (modeFailed(a))
    return a;
  size_t rank = a.shape->rank;
  if (begin < 0 || begin >= end || end > (int64_t)rank)
    return modeFail(cuteFail(
        c, "group_modes: [%jd, %jd) is not a range of modes in a rank of %zu",
        begin, end, rank));
  Modes outer = {0}, inner = {0};
  for (size_t i = 0; i < rank; ++i) {
    bool isGrouped = (int64_t)i >= begin && (int64_t)i < end;
    modesPush(c, isGrouped ? &inner : &outer, modeElement(a, i));
    if ((int64_t)i == end - 1)
      modesPush(c, &outer, modesGetTuple(c, &inner));
  }
  if (isTuple(a.shape))
    return modesGetTuple(c, &outer);
  return outer.data[0];
}

static Mode take(CuteContext c, Mode a, int64_t begin, int64_t end) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (modeFailed(a))
    return a;
  int64_t rank = a.shape->rank;
  if (begin < 0 || begin >= end || end > rank)
    return modeFail(
        cuteFail(c, "take: [%jd, %jd) is not a range of modes in a rank of %jd",
                 begin, end, rank));
  Modes modes = {0};
  for (int64_t i = begin; i < end; ++i)
    modesPush(c, &modes, modeElement(a, (size_t)i));
  return modesGetTuple(c, &modes);
}

static Mode replace(CuteContext c, Mode a, int64_t index, Mode element) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (modeFailed(a) || modeFailed(element))
    return failedMode;
  if (index < 0 || index >= (int64_t)a.shape->rank)
    return modeFail(cuteFail(c, "replace: mode %jd is not in [0, %u)", index,
                             a.shape->rank));
  Modes modes = {0};
  modesPushModes(c, &modes, a);
  modes.data[index] = element;
  return isTuple(a.shape) ? modesGetTuple(c, &modes) : modes.data[0];
}

// Replaces the profile's leaves by the next modes of a flat layout.
static Mode nest(CuteContext c, Mode flat, CuteIntTuple profile, size_t *next) {
  if (!isTuple(profile))
    return modeElement(flat, (*next)++);
  Modes modes = {0};
  for (size_t i = 0; i < profile->rank; ++i)
    modesPush(c, &modes, nest(c, flat, profile->elements[i], next));
  return modesGetTuple(c, &modes);
}

static Mode unflatten(CuteContext c, Mode flat, CuteIntTuple profile) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (modeFailed(flat) || !profile)
    return failedMode;
  if (flat.shape->depth > 1 || profile->numLeaves != flat.shape->rank)
    return modeFail(cuteFailTuples(c, "unflatten: the modes of ", flat.shape,
                                   " are not as many as the leaves of ",
                                   profile));
  size_t next = 0;
  return nest(c, flat, profile, &next);
}

// ((a0,b0), (a1,b1), ...)
static Mode zip(CuteContext c, Mode a, Mode b) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (a.shape->rank != b.shape->rank || isTuple(a.shape) != isTuple(b.shape))
    return modeFail(cuteFailTuples(c, "zip: needs operands of equal rank, not ",
                                   a.shape, " and ", b.shape));
  Modes pairs = {0};
  for (size_t i = 0; i < a.shape->rank; ++i) {
    Modes both = {0};
    modesPush(c, &both, modeElement(a, i));
    modesPush(c, &both, modeElement(b, i));
    modesPush(c, &pairs, modesGetTuple(c, &both));
  }
  return isTuple(a.shape) ? modesGetTuple(c, &pairs) : pairs.data[0];
}

typedef enum { APPEND, PREPEND } End;

static Mode extend(CuteContext c, Mode a, size_t count, Mode e, End end) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  if (modeFailed(a) || modeFailed(e))
    return failedMode;
  Modes modes = {0};
  for (size_t i = 0; end == PREPEND && i < count; ++i)
    modesPush(c, &modes, e);
  modesPushModes(c, &modes, a);
  for (size_t i = 0; end == APPEND && i < count; ++i)
    modesPush(c, &modes, e);
  return modesGetTuple(c, &modes);
}

static Mode extendToRank(CuteContext c, Mode a, int64_t rank, Mode e, End end) {
  if (modeFailed(a) || modeFailed(e))
    return failedMode;
  if (rank <= 0 || rank > CUTE_MAX_LEAVES)
    return modeFail(cuteFail(c, "%s_to_rank: rank %jd is not in [1, %d]",
                             end == APPEND ? "append" : "prepend", rank,
                             CUTE_MAX_LEAVES));
  int64_t missing = rank - (int64_t)a.shape->rank;
  return missing > 0 ? extend(c, a, (size_t)missing, e, end) : a;
}

//===-- Tuples ------------------------------------------------------------===//

CuteIntTuple cuteIntTupleGetAt(CuteContext context, CuteIntTuple tuple,
                               size_t n, const int32_t *path) {
  return getAt(context, tupleMode(tuple), n, path).shape;
}

CuteIntTuple cuteIntTupleSelect(CuteContext context, CuteIntTuple tuple,
                                size_t n, const int32_t *modes) {
  return selectModes(context, tupleMode(tuple), n, modes).shape;
}

CuteIntTuple cuteIntTupleFlatten(CuteContext context, CuteIntTuple tuple) {
  return flatten(context, tupleMode(tuple)).shape;
}

CuteIntTuple cuteIntTupleGroup(CuteContext context, CuteIntTuple tuple,
                               int64_t begin, int64_t end) {
  return group(context, tupleMode(tuple), begin, end).shape;
}

CuteIntTuple cuteIntTupleAppendToRank(CuteContext context, CuteIntTuple tuple,
                                      int64_t rank, CuteIntTuple element) {
  return extendToRank(context, tupleMode(tuple), rank, tupleMode(element),
                      APPEND)
      .shape;
}

CuteIntTuple cuteIntTuplePrependToRank(CuteContext context, CuteIntTuple tuple,
                                       int64_t rank, CuteIntTuple element) {
  return extendToRank(context, tupleMode(tuple), rank, tupleMode(element),
                      PREPEND)
      .shape;
}

CuteIntTuple cuteIntTupleTake(CuteContext context, CuteIntTuple tuple,
                              int64_t begin, int64_t end) {
  return take(context, tupleMode(tuple), begin, end).shape;
}

CuteIntTuple cuteIntTupleAppend(CuteContext context, CuteIntTuple tuple,
                                CuteIntTuple element) {
  return extend(context, tupleMode(tuple), 1, tupleMode(element), APPEND).shape;
}

CuteIntTuple cuteIntTuplePrepend(CuteContext context, CuteIntTuple tuple,
                                 CuteIntTuple element) {
  return extend(context, tupleMode(tuple), 1, tupleMode(element), PREPEND)
      .shape;
}

CuteIntTuple cuteIntTupleReplace(CuteContext context, CuteIntTuple tuple,
                                 int64_t index, CuteIntTuple element) {
  return replace(context, tupleMode(tuple), index, tupleMode(element)).shape;
}

CuteIntTuple cuteIntTupleUnflatten(CuteContext context, CuteIntTuple tuple,
                                   CuteIntTuple profile) {
  return unflatten(context, tupleMode(tuple), profile).shape;
}

CuteIntTuple cuteIntTupleZip(CuteContext context, CuteIntTuple a,
                             CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  return zip(context, tupleMode(a), tupleMode(b)).shape;
}

//===-- Layouts -----------------------------------------------------------===//

// The element that an edit adds: a plain layout.
static bool checkElement(CuteContext c, const char *operation,
                         CuteLayout element) {
  if (!element || !cuteLayoutIsComposed(element))
    return element;
  return cuteFail(c, "%s: the element must be a plain layout", operation);
}

CuteLayout cuteLayoutGetAt(CuteContext context, CuteLayout layout, size_t n,
                           const int32_t *path) {
  return cuteLayoutWithOuter(context, layout,
                             getAt(context, layoutMode(layout), n, path));
}

CuteLayout cuteLayoutSelect(CuteContext context, CuteLayout layout, size_t n,
                            const int32_t *modes) {
  return cuteLayoutWithOuter(
      context, layout, selectModes(context, layoutMode(layout), n, modes));
}

CuteLayout cuteLayoutFlatten(CuteContext context, CuteLayout layout) {
  return cuteLayoutWithOuter(context, layout,
                             flatten(context, layoutMode(layout)));
}

CuteLayout cuteLayoutGroup(CuteContext context, CuteLayout layout,
                           int64_t begin, int64_t end) {
  return cuteLayoutWithOuter(context, layout,
                             group(context, layoutMode(layout), begin, end));
}

static CuteLayout extendLayoutToRank(CuteContext c, CuteLayout layout,
                                     int64_t rank, CuteLayout element,
                                     End end) {
  if (!checkElement(c, end == APPEND ? "append_to_rank" : "prepend_to_rank",
                    element))
    return NULL;
  Mode mode =
      extendToRank(c, layoutMode(layout), rank, layoutMode(element), end);
  return cuteLayoutWithOuter(c, layout, mode);
}

CuteLayout cuteLayoutAppendToRank(CuteContext context, CuteLayout layout,
                                  int64_t rank, CuteLayout element) {
  return extendLayoutToRank(context, layout, rank, element, APPEND);
}

CuteLayout cuteLayoutPrependToRank(CuteContext context, CuteLayout layout,
                                   int64_t rank, CuteLayout element) {
  return extendLayoutToRank(context, layout, rank, element, PREPEND);
}

static CuteLayout extendLayout(CuteContext c, CuteLayout layout,
                               CuteLayout element, End end) {
  if (!layout ||
      !checkElement(c, end == APPEND ? "append" : "prepend", element))
    return NULL;
  return cuteLayoutWithOuter(
      c, layout, extend(c, layoutMode(layout), 1, layoutMode(element), end));
}

CuteLayout cuteLayoutAppend(CuteContext context, CuteLayout layout,
                            CuteLayout element) {
  return extendLayout(context, layout, element, APPEND);
}

CuteLayout cuteLayoutPrepend(CuteContext context, CuteLayout layout,
                             CuteLayout element) {
  return extendLayout(context, layout, element, PREPEND);
}

CuteLayout cuteLayoutTake(CuteContext context, CuteLayout layout, int64_t begin,
                          int64_t end) {
  return cuteLayoutWithOuter(context, layout,
                             take(context, layoutMode(layout), begin, end));
}

CuteLayout cuteLayoutReplace(CuteContext context, CuteLayout layout,
                             int64_t index, CuteLayout element) {
  if (!layout || !checkElement(context, "replace", element))
    return NULL;
  return cuteLayoutWithOuter(
      context, layout,
      replace(context, layoutMode(layout), index, layoutMode(element)));
}

CuteLayout cuteLayoutUnflatten(CuteContext context, CuteLayout layout,
                               CuteIntTuple profile) {
  return cuteLayoutWithOuter(context, layout,
                             unflatten(context, layoutMode(layout), profile));
}

CuteLayout cuteLayoutConcatenate(CuteContext context, size_t n,
                                 const CuteLayout *layouts) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Modes modes = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < n; ++i) {
    ok = checkElement(context, "make_layout", layouts[i]);
    modesPush(context, &modes, layoutMode(layouts[i]));
  }
  return ok ? cuteInternLayout(context, modesGetTuple(context, &modes)) : NULL;
}

CuteLayout cuteLayoutZip(CuteContext context, CuteLayout a, CuteLayout b) {
  if (!a || !checkElement(context, "zip", b))
    return NULL;
  return cuteLayoutWithOuter(context, a,
                             zip(context, layoutMode(a), layoutMode(b)));
}
