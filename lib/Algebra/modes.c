// The flat, growable view of a layout's modes.
#include "Algebra/algebra.h"

void modesPush(CuteContext context, Modes *modes, Mode mode) {
  if (modes->count == modes->capacity) {
    size_t capacity = modes->capacity ? modes->capacity * 2 : 8;
    Mode *data = cuteScratch(context, capacity * sizeof *data);
    if (modes->count)
      memcpy(data, modes->data, modes->count * sizeof *data);
    modes->data = data;
    modes->capacity = capacity;
  }
  modes->data[modes->count++] = mode;
}

void modesPushLeaves(CuteContext context, Modes *modes, Mode mode) {
  if (modeFailed(mode) || !isTuple(mode.shape)) {
    modesPush(context, modes, mode);
    return;
  }
  for (size_t i = 0; i < mode.shape->rank; ++i)
    modesPushLeaves(context, modes, modeElement(mode, i));
}

void modesPushModes(CuteContext context, Modes *modes, Mode mode) {
  if (modeFailed(mode) || !isTuple(mode.shape)) {
    modesPush(context, modes, mode);
    return;
  }
  for (size_t i = 0; i < mode.shape->rank; ++i)
    modesPush(context, modes, modeElement(mode, i));
}

CuteIntTuple cuteMapLeaves(CuteContext c, Mode a, ModeLeafMap *leaf,
                           void *state) {
  if (modeFailed(a))
    return NULL;
  if (!isTuple(a.shape))
    return leaf(c, a, state);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  size_t n = a.shape->rank;
  return CUTE_TUPLE_OF(c, i, n,
                       cuteMapLeaves(c, modeElement(a, i), leaf, state));
}

Mode modesGetTuple(CuteContext context, const Modes *modes) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  size_t n = modes->count;
  CuteIntTuple *parts = cuteScratch(context, 2 * n * sizeof *parts);
  for (size_t i = 0; i < n; ++i) {
    parts[i] = modes->data[i].shape;
    parts[n + i] = modes->data[i].stride;
  }
  Mode result = {cuteInternTuple(context, n, parts),
                 cuteInternTuple(context, n, parts + n)};
  return result;
}

Mode modesGetUnwrapped(CuteContext context, const Modes *modes) {
  return modes->count == 1 ? modes->data[0] : modesGetTuple(context, modes);
}
