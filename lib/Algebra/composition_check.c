#include "Algebra/composition.h"
#include "Algebra/trace.h"

#include <assert.h>

bool cuteCompositionCheckStride(CuteContext c, CuteIntTuple d,
                                CuteIntTuple size) {
  return !isStatic(size) || !isStatic(d) || d->value < size->value ||
         d->value % size->value == 0 ||
         cuteFail(c,
                  "composition: stride %jd is at least the extent %jd of a "
                  "mode on the left, but not a multiple of it",
                  d->value, size->value);
}

bool cuteCompositionCheckExtent(CuteContext c, CuteIntTuple s,
                                CuteIntTuple taken, CuteIntTuple size) {
  return !isStatic(taken) || !isStatic(s) || s->value % taken->value == 0 ||
         cuteFail(c,
                  "composition: extent %jd is not a multiple of the %jd "
                  "coordinates that a mode of extent %jd on the left takes",
                  s->value, taken->value, size->value);
}

bool cuteCompositionCheckLeaf(CuteContext c, Mode a, CuteIntTuple s) {
  if (!a.shape->rank)
    return cuteFail(c, "composition: the left layout is empty");
  return !isStatic(s) || s->value > 0 ||
         cuteFail(c,
                  "composition: the extent %jd on the right must be positive",
                  s->value);
}

Mode cuteCompositionPart(CuteContext c, Mode a, Mode b) {
  if (!isStatic(b.shape))
    return modeFail(cuteFail(c, "composition: a mode with a scaled basis "
                                "stride on the right must have a static "
                                "extent"));
  Mode part = cuteModeAt(a, basisPath(b.stride));
  assert(!modeFailed(part));
  trace(c, CUTE_TRACE_COMPOSE_PATH, basisPath(b.stride), part);
  return part;
}

CuteIntTuple cuteCompositionProfile(CuteContext c, Mode a, Mode b) {
  CuteIntTuple profile = cuteCodomainProfile(c, b.stride);
  if (profile && isTuple(profile) && profile->rank > a.shape->rank)
    return cuteFailTuples(
        c, "composition: the right stride ", b.stride,
        " addresses more modes than the left shape has: ", a.shape);
  return profile;
}
