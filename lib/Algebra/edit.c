// Single modes taken, added, replaced, paired and regrouped.
#include "Algebra/algebra.h"

static CuteLayout finish(CuteContext c, CuteArenaMark mark, CuteLayout layout,
                         Mode mode) {
  CuteLayout result =
      modeFailed(mode) ? NULL : cuteLayoutWithOuter(c, layout, mode);
  cuteArenaReset(&c->scratch, mark);
  return result;
}

// The element that an edit adds: a plain layout.
static bool checkElement(CuteContext c, const char *operation,
                         CuteLayout element) {
  if (!element || !cuteLayoutIsComposed(element))
    return element;
  cuteFail(c, "%s: the element must be a plain layout", operation);
  return false;
}

CuteLayout cuteLayoutTake(CuteContext context, CuteLayout layout, int64_t begin,
                          int64_t end) {
  if (!layout)
    return NULL;
  int64_t rank = layout->shape->rank;
  if (begin < 0 || begin >= end || end > rank)
    return cuteFail(context,
                    "take: [%lld, %lld) is no range of modes in a rank of "
                    "%lld",
                    (long long)begin, (long long)end, (long long)rank);
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes modes = {0};
  for (int64_t i = begin; i < end; ++i)
    modesPush(context, &modes, modeElement(layoutMode(layout), (size_t)i));
  return finish(context, mark, layout, modesGetTuple(context, &modes));
}

CuteLayout cuteLayoutAppend(CuteContext context, CuteLayout layout,
                            CuteLayout element) {
  if (!layout || !checkElement(context, "append", element))
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes modes = {0};
  modesPushModes(context, &modes, layoutMode(layout));
  modesPush(context, &modes, layoutMode(element));
  return finish(context, mark, layout, modesGetTuple(context, &modes));
}

CuteLayout cuteLayoutPrepend(CuteContext context, CuteLayout layout,
                             CuteLayout element) {
  if (!layout || !checkElement(context, "prepend", element))
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes modes = {0};
  modesPush(context, &modes, layoutMode(element));
  modesPushModes(context, &modes, layoutMode(layout));
  return finish(context, mark, layout, modesGetTuple(context, &modes));
}

CuteLayout cuteLayoutReplace(CuteContext context, CuteLayout layout,
                             int64_t index, CuteLayout element) {
  if (!layout || !checkElement(context, "replace", element))
    return NULL;
  if (index < 0 || index >= (int64_t)layout->shape->rank)
    return cuteFail(context, "replace: mode %lld is not in [0, %u)",
                    (long long)index, layout->shape->rank);
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes modes = {0};
  modesPushModes(context, &modes, layoutMode(layout));
  modes.data[index] = layoutMode(element);
  Mode mode =
      isTuple(layout->shape) ? modesGetTuple(context, &modes) : modes.data[0];
  return finish(context, mark, layout, mode);
}

CuteLayout cuteLayoutZip(CuteContext context, CuteLayout a, CuteLayout b) {
  if (!a || !checkElement(context, "zip", b))
    return NULL;
  if (a->shape->rank != b->shape->rank ||
      isTuple(a->shape) != isTuple(b->shape))
    return cuteFailTuples(context, "zip: the ranks of ", a->shape, " and ",
                          b->shape);
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes pairs = {0};
  for (size_t i = 0; i < a->shape->rank; ++i) {
    Modes both = {0};
    modesPush(context, &both, modeElement(layoutMode(a), i));
    modesPush(context, &both, modeElement(layoutMode(b), i));
    modesPush(context, &pairs, modesGetTuple(context, &both));
  }
  Mode mode =
      isTuple(a->shape) ? modesGetTuple(context, &pairs) : pairs.data[0];
  return finish(context, mark, a, mode);
}

// The next modes of a flat layout in the place of the profile's leaves.
static Mode unflatten(CuteContext c, Mode flat, CuteIntTuple profile,
                      size_t *next) {
  if (!isTuple(profile))
    return modeElement(flat, (*next)++);
  Modes modes = {0};
  for (size_t i = 0; i < profile->rank; ++i)
    modesPush(c, &modes, unflatten(c, flat, profile->elements[i], next));
  return modesGetTuple(c, &modes);
}

CuteLayout cuteLayoutUnflatten(CuteContext context, CuteLayout layout,
                               CuteIntTuple profile) {
  if (!layout || !profile)
    return NULL;
  if (layout->shape->depth > 1 || profile->numLeaves != layout->shape->rank)
    return cuteFailTuples(context, "unflatten: the modes of ", layout->shape,
                          " are not as many as the leaves of ", profile);
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  size_t next = 0;
  Mode mode = unflatten(context, layoutMode(layout), profile, &next);
  return finish(context, mark, layout, mode);
}
