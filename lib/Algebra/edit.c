// Single modes taken, added, replaced, paired and regrouped.
#include "Algebra/algebra.h"

//===-- Modes -------------------------------------------------------------===//

static Mode take(CuteContext c, Mode a, int64_t begin, int64_t end) {
  if (modeFailed(a))
    return a;
  int64_t rank = a.shape->rank;
  if (begin < 0 || begin >= end || end > rank)
    return modeFail(
        cuteFail(c, "take: [%lld, %lld) is no range of modes in a rank of %lld",
                 (long long)begin, (long long)end, (long long)rank));
  Modes modes = {0};
  for (int64_t i = begin; i < end; ++i)
    modesPush(c, &modes, modeElement(a, (size_t)i));
  return modesGetTuple(c, &modes);
}

static Mode append(CuteContext c, Mode a, Mode element) {
  if (modeFailed(a) || modeFailed(element))
    return failedMode;
  Modes modes = {0};
  modesPushModes(c, &modes, a);
  modesPush(c, &modes, element);
  return modesGetTuple(c, &modes);
}

static Mode prepend(CuteContext c, Mode a, Mode element) {
  if (modeFailed(a) || modeFailed(element))
    return failedMode;
  Modes modes = {0};
  modesPush(c, &modes, element);
  modesPushModes(c, &modes, a);
  return modesGetTuple(c, &modes);
}

static Mode replace(CuteContext c, Mode a, int64_t index, Mode element) {
  if (modeFailed(a) || modeFailed(element))
    return failedMode;
  if (index < 0 || index >= (int64_t)a.shape->rank)
    return modeFail(cuteFail(c, "replace: mode %lld is not in [0, %u)",
                             (long long)index, a.shape->rank));
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
  if (a.shape->rank != b.shape->rank || isTuple(a.shape) != isTuple(b.shape))
    return modeFail(cuteFailTuples(c, "zip: needs one rank, not those of ",
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

//===-- Tuples ------------------------------------------------------------===//

static CuteIntTuple release(CuteContext c, CuteArenaMark mark, Mode mode) {
  cuteArenaReset(&c->scratch, mark);
  return mode.shape;
}

CuteIntTuple cuteIntTupleTake(CuteContext context, CuteIntTuple tuple,
                              int64_t begin, int64_t end) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark, take(context, tupleMode(tuple), begin, end));
}

CuteIntTuple cuteIntTupleAppend(CuteContext context, CuteIntTuple tuple,
                                CuteIntTuple element) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark,
                 append(context, tupleMode(tuple), tupleMode(element)));
}

CuteIntTuple cuteIntTuplePrepend(CuteContext context, CuteIntTuple tuple,
                                 CuteIntTuple element) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark,
                 prepend(context, tupleMode(tuple), tupleMode(element)));
}

CuteIntTuple cuteIntTupleReplace(CuteContext context, CuteIntTuple tuple,
                                 int64_t index, CuteIntTuple element) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark,
                 replace(context, tupleMode(tuple), index, tupleMode(element)));
}

CuteIntTuple cuteIntTupleUnflatten(CuteContext context, CuteIntTuple tuple,
                                   CuteIntTuple profile) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark, unflatten(context, tupleMode(tuple), profile));
}

CuteIntTuple cuteIntTupleZip(CuteContext context, CuteIntTuple a,
                             CuteIntTuple b) {
  if (!a || !b)
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return release(context, mark, zip(context, tupleMode(a), tupleMode(b)));
}

//===-- Layouts -----------------------------------------------------------===//

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
  return cuteFail(c, "%s: the element must be a plain layout", operation);
}

CuteLayout cuteLayoutTake(CuteContext context, CuteLayout layout, int64_t begin,
                          int64_t end) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                take(context, layoutMode(layout), begin, end));
}

CuteLayout cuteLayoutAppend(CuteContext context, CuteLayout layout,
                            CuteLayout element) {
  if (!layout || !checkElement(context, "append", element))
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                append(context, layoutMode(layout), layoutMode(element)));
}

CuteLayout cuteLayoutPrepend(CuteContext context, CuteLayout layout,
                             CuteLayout element) {
  if (!layout || !checkElement(context, "prepend", element))
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                prepend(context, layoutMode(layout), layoutMode(element)));
}

CuteLayout cuteLayoutReplace(CuteContext context, CuteLayout layout,
                             int64_t index, CuteLayout element) {
  if (!layout || !checkElement(context, "replace", element))
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(
      context, mark, layout,
      replace(context, layoutMode(layout), index, layoutMode(element)));
}

CuteLayout cuteLayoutUnflatten(CuteContext context, CuteLayout layout,
                               CuteIntTuple profile) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, layout,
                unflatten(context, layoutMode(layout), profile));
}

CuteLayout cuteLayoutConcatenate(CuteContext context, size_t n,
                                 const CuteLayout *layouts) {
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  Modes modes = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < n; ++i) {
    ok = checkElement(context, "make_layout", layouts[i]);
    modesPush(context, &modes, layoutMode(layouts[i]));
  }
  CuteLayout result =
      ok ? cuteInternLayout(context, modesGetTuple(context, &modes)) : NULL;
  cuteArenaReset(&context->scratch, mark);
  return result;
}

CuteLayout cuteLayoutZip(CuteContext context, CuteLayout a, CuteLayout b) {
  if (!a || !checkElement(context, "zip", b))
    return NULL;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  return finish(context, mark, a, zip(context, layoutMode(a), layoutMode(b)));
}
