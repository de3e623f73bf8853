// Composition, R(c) = A(B(c)): A is coalesced, since only its function counts,
// and each leaf of B takes its elements from the modes of A in turn.
#include "Algebra/composition.h"
#include "Algebra/trace.h"

//===-- One leaf of B -----------------------------------------------------===//

// A leaf on its way: the rest of it, and the modes that it has taken from A.
typedef struct Walk {
  CuteIntTuple extent, stride;
  Modes taken;
} Walk;

static bool isDone(const Walk *walk) {
  return walk->taken.count && isStaticValue(walk->extent, 1);
}

// Takes from a mode of A what the leaf s:d covers there, min(ceil(size/|d|), s)
// elements, and continues with stride ceil(|d|/size). Negative strides are
// taken without asking for divisibility, as in the open dialect.
static bool takeFrom(CuteContext c, Walk *walk, Mode a) {
  CuteIntTuple s = walk->extent, d = walk->stride, step = cuteLeafAbs(c, d);
  if (!step || !cuteCompositionCheckStride(c, d, a.shape))
    return false;
  CuteIntTuple count = cuteLeafCeilDiv(c, a.shape, step);
  CuteIntTuple rest = cuteLeafCeilDiv(c, step, a.shape);
  walk->stride = cuteLeafMul(c, rest, cuteLeafSignum(c, d));
  if (isStaticValue(count, 1) || isStaticValue(s, 1)) {
    bool isOne = isStaticValue(s, 1);
    trace(c, isOne ? CUTE_TRACE_COMPOSE_DONE : CUTE_TRACE_COMPOSE_PASS, a, d,
          walk->stride);
    return true;
  }
  CuteIntTuple taken = cuteLeafMin(c, count, s);
  Mode part = {taken, cuteLeafMul(c, d, a.stride)};
  if (!cuteCompositionCheckExtent(c, s, taken, a.shape))
    return false;
  modesPush(c, &walk->taken, part);
  walk->extent = cuteLeafDiv(c, s, taken);
  trace(c, CUTE_TRACE_COMPOSE_TAKE, a, d, count, part, s);
  trace(c, isDone(walk) ? CUTE_TRACE_COMPOSE_ALL : CUTE_TRACE_COMPOSE_LEFT, s,
        taken, walk->extent, walk->stride);
  return walk->extent;
}

// The last mode of A takes all that is left.
static Mode takeLast(CuteContext c, Walk *walk, Mode a) {
  Mode last = {walk->extent, cuteLeafMul(c, walk->stride, a.stride)};
  trace(c, CUTE_TRACE_COMPOSE_LAST, a, last, walk->stride);
  if (!walk->taken.count)
    return last;
  modesPush(c, &walk->taken, last);
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE_COALESCE);
  Mode result = cuteCoalesceModes(c, &walk->taken, COALESCE);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return result;
}

// Composes coalesced A, a mode or a flat tuple of them, with s:d.
static Mode composeLeaf(CuteContext c, Mode a, CuteIntTuple s, CuteIntTuple d) {
  if (modeFailed(a))
    return failedMode;
  bool stays = isStaticValue(d, 0);
  if (stays || !isTuple(a.shape)) {
    Mode all = {s, stays ? d : cuteLeafMul(c, d, a.stride)};
    trace(c, stays ? CUTE_TRACE_COMPOSE_STAY : CUTE_TRACE_COMPOSE_ONLY, a, all,
          d);
    return all;
  }
  if (!cuteCompositionCheckLeaf(c, a, s))
    return failedMode;
  Walk walk = {s, d, {0}};
  size_t last = a.shape->rank - 1;
  for (size_t i = 0; i < last && !isDone(&walk); ++i)
    if (!takeFrom(c, &walk, modeElement(a, i)))
      return failedMode;
  return isDone(&walk) ? modesGetUnwrapped(c, &walk.taken)
                       : takeLast(c, &walk, modeElement(a, last));
}

//===-- By mode -----------------------------------------------------------===//

// Composes each mode of B, which is called `name` in explanations, by itself.
static Mode composeTree(CuteContext c, Mode a, Mode b, const char *name) {
  if (!isTuple(b.shape))
    return isBasis(b.stride) ? composeLeaf(c, cuteCompositionPart(c, a, b),
                                           b.shape, basisValue(b.stride))
                             : composeLeaf(c, a, b.shape, b.stride);
  Modes modes = {0};
  for (size_t i = 0; i < b.shape->rank; ++i) {
    Mode mode = modeElement(b, i);
    bool isOne = !isTuple(mode.shape);
    unsigned outer = traceEnter(
        c, isOne ? CUTE_TRACE_COMPOSE_MODE : CUTE_TRACE_COMPOSE_MODES, i, name,
        mode);
    Mode part = composeTree(c, a, mode, "that mode");
    traceLeave(c, outer, CUTE_TRACE_COMPOSE_MODE_RESULT, i, part);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

static Mode compose(CuteContext c, Mode a, Mode b) {
  CuteIntTuple profile = cuteCompositionProfile(c, a, b);
  if (!profile)
    return failedMode;
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE_COALESCE_A);
  a = cuteCoalesceProfile(c, a, profile, COALESCE_KEEP_LAST);
  trace(c, CUTE_TRACE_COMPOSE_COALESCED_A, a);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return modeFailed(a) ? a : composeTree(c, a, b, "B");
}

Mode cuteComposition(CuteContext c, Mode a, Mode b) {
  if (modeFailed(a) || modeFailed(b))
    return failedMode;
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPOSE, a, b);
  Mode result = compose(c, a, b);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}
