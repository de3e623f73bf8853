// Access to and rearrangement of modes: get, select, flatten, group, append.
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
  if (modeFailed(a) || !isTuple(a.shape))
    return a;
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, a);
  return modesGetTuple(c, &leaves);
}

static Mode group(CuteContext c, Mode a, int64_t begin, int64_t end) {
  if (modeFailed(a))
    return a;
  size_t rank = a.shape->rank;
  if (begin < 0 || begin >= end || end > (int64_t)rank)
    return modeFail(
        cuteFail(c,
                 "group_modes: [%lld, %lld) is no range of modes in a rank of "
                 "%zu",
                 (long long)begin, (long long)end, rank));
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

typedef enum { APPEND, PREPEND } End;

static Mode extend(CuteContext c, Mode a, int64_t rank, Mode e, End end) {
  if (modeFailed(a) || modeFailed(e))
    return failedMode;
  if (rank <= 0 || rank > CUTE_MAX_LEAVES)
    return modeFail(cuteFail(c, "%s_to_rank: rank %lld is not in [1, %d]",
                             end == APPEND ? "append" : "prepend",
                             (long long)rank, CUTE_MAX_LEAVES));
  if ((int64_t)a.shape->rank >= rank)
    return a;
  size_t missing = (size_t)rank - a.shape->rank;
  Modes modes = {0};
  for (size_t i = 0; end == PREPEND && i < missing; ++i)
    modesPush(c, &modes, e);
  for (size_t i = 0; i < a.shape->rank; ++i)
    modesPush(c, &modes, modeElement(a, i));
  for (size_t i = 0; end == APPEND && i < missing; ++i)
    modesPush(c, &modes, e);
  return modesGetTuple(c, &modes);
}

//===-- Tuples ------------------------------------------------------------===//

static CuteIntTuple release(CuteContext c, CuteArenaMark mark, Mode mode) {
  cuteArenaReset(&c->scratch, mark);
  return mode.shape;
}

CuteIntTuple cuteIntTupleGetAt(CuteContext context, CuteIntTuple tuple,
                               size_t n, const int32_t *path) {
  return getAt(context, tupleMode(tuple), n, path).shape;
}

CuteIntTuple cuteIntTupleSelect(CuteContext context, CuteIntTuple tuple,
                                size_t n, const int32_t *modes) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark,
                 selectModes(context, tupleMode(tuple), n, modes));
}

CuteIntTuple cuteIntTupleFlatten(CuteContext context, CuteIntTuple tuple) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark, flatten(context, tupleMode(tuple)));
}

CuteIntTuple cuteIntTupleGroup(CuteContext context, CuteIntTuple tuple,
                               int64_t begin, int64_t end) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark, group(context, tupleMode(tuple), begin, end));
}

CuteIntTuple cuteIntTupleAppendToRank(CuteContext context, CuteIntTuple tuple,
                                      int64_t rank, CuteIntTuple element) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(
      context, mark,
      extend(context, tupleMode(tuple), rank, tupleMode(element), APPEND));
}

CuteIntTuple cuteIntTuplePrependToRank(CuteContext context, CuteIntTuple tuple,
                                       int64_t rank, CuteIntTuple element) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(
      context, mark,
      extend(context, tupleMode(tuple), rank, tupleMode(element), PREPEND));
}

//===-- Layouts -----------------------------------------------------------===//

static CuteLayout finish(CuteContext c, CuteArenaMark mark, CuteLayout layout,
                         Mode mode) {
  CuteLayout result =
      modeFailed(mode) ? NULL : cuteLayoutWithOuter(c, layout, mode);
  cuteArenaReset(&c->scratch, mark);
  return result;
}

CuteLayout cuteLayoutGetAt(CuteContext context, CuteLayout layout, size_t n,
                           const int32_t *path) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                getAt(context, layoutMode(layout), n, path));
}

CuteLayout cuteLayoutSelect(CuteContext context, CuteLayout layout, size_t n,
                            const int32_t *modes) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                selectModes(context, layoutMode(layout), n, modes));
}

CuteLayout cuteLayoutFlatten(CuteContext context, CuteLayout layout) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout, flatten(context, layoutMode(layout)));
}

CuteLayout cuteLayoutGroup(CuteContext context, CuteLayout layout,
                           int64_t begin, int64_t end) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                group(context, layoutMode(layout), begin, end));
}

static CuteLayout extendLayout(CuteContext c, CuteLayout layout, int64_t rank,
                               CuteLayout element, End end) {
  if (element && cuteLayoutIsComposed(element))
    return cuteFail(c, "%s_to_rank: the element must be a plain layout",
                    end == APPEND ? "append" : "prepend");
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Mode mode = extend(c, layoutMode(layout), rank, layoutMode(element), end);
  return finish(c, mark, layout, mode);
}

CuteLayout cuteLayoutAppendToRank(CuteContext context, CuteLayout layout,
                                  int64_t rank, CuteLayout element) {
  return extendLayout(context, layout, rank, element, APPEND);
}

CuteLayout cuteLayoutPrependToRank(CuteContext context, CuteLayout layout,
                                   int64_t rank, CuteLayout element) {
  return extendLayout(context, layout, rank, element, PREPEND);
}
