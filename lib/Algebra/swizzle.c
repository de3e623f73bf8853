// Swizzles, and slices of layouts composed with one: in a slice whose index has
// no bits that the swizzle brings together it becomes strides, as in CuTe C++.
#include "Algebra/trace.h"

bool cuteSwizzleIsValid(CuteSwizzle s) {
  return s.bits >= 0 && s.base >= 0 && s.shift >= -32 && s.shift <= 32 &&
         abs(s.shift) >= s.bits && s.bits <= 32 && s.base <= 32 &&
         abs(s.shift) + s.bits + s.base <= 32;
}

static uint64_t ones(CuteSwizzle s) {
  return ((UINT64_C(1) << s.bits) - 1) << s.base;
}

// The bits that are looked at; they are added to those |shift| below or above.
static uint64_t sourceMask(CuteSwizzle s) {
  return ones(s) << (s.shift > 0 ? s.shift : 0);
}

uint64_t cuteSwizzleGetValue(CuteSwizzle s, uint64_t value) {
  uint64_t source = value & sourceMask(s);
  return value ^ (s.shift < 0 ? source << -s.shift : source >> s.shift);
}

//===-- Other units -------------------------------------------------------===//

static bool checkUnits(CuteContext c, const char *operation, int64_t n) {
  if (n > 0 && !(n & (n - 1)) && n <= INT64_C(1) << 32)
    return true;
  return cuteFail(
      c, "%s: a swizzle can change its units by powers of two, not by %jd",
      operation, n);
}

static bool checkResult(CuteContext c, const char *operation, CuteSwizzle s) {
  if (cuteSwizzleIsValid(s))
    return true;
  return cuteFail(c, "%s: there is no swizzle S<%d,%d,%d>", operation, s.bits,
                  s.base, s.shift);
}

bool cuteSwizzleUpcast(CuteContext context, CuteSwizzle swizzle, int64_t n,
                       CuteSwizzle *result) {
  if (!checkUnits(context, "upcast", n))
    return false;
  *result = swizzle;
  result->base -= __builtin_ctzll((uint64_t)n);
  if (result->base < 0) {
    result->bits =
        result->bits > -result->base ? result->bits + result->base : 0;
    result->base = 0;
  }
  return checkResult(context, "upcast", *result);
}

bool cuteSwizzleDowncast(CuteContext context, CuteSwizzle swizzle, int64_t n,
                         CuteSwizzle *result) {
  if (!checkUnits(context, "downcast", n))
    return false;
  *result = swizzle;
  result->base += __builtin_ctzll((uint64_t)n);
  return checkResult(context, "downcast", *result);
}

bool cuteSwizzleCompose(CuteContext context, CuteSwizzle a, CuteSwizzle b,
                        CuteSwizzle *result) {
  if (a.shift != b.shift)
    return cuteFail(
        context,
        "composition: swizzles with shifts %d and %d do not make one swizzle",
        a.shift, b.shift);
  uint64_t both = ones(a) ^ ones(b);
  int32_t base = both ? __builtin_ctzll(both) : 0;
  int32_t bits = __builtin_popcountll(both);
  *result = (CuteSwizzle){bits, base, a.shift};
  if (ones(*result) != both)
    return cuteFail(context,
                    "composition: the bits of S<%d,%d,%d> and S<%d,%d,%d> are "
                    "not side by side",
                    a.bits, a.base, a.shift, b.bits, b.base, b.shift);
  return checkResult(context, "composition", *result);
}

//===-- Values of leaves --------------------------------------------------===//

// A row of a drawing: the bits of a value from the highest on, as far as
// `shown`; dots where the mask has none.
static void explainBits(CuteContext c, const char *name, uint64_t value,
                        uint64_t mask, int32_t shown) {
  char bits[65];
  for (int32_t i = 0; i < shown; ++i) {
    int32_t bit = shown - 1 - i;
    bool isSet = value >> bit & 1;
    bits[i] = !(mask >> bit & 1) ? '.' : isSet ? '1' : '0';
  }
  bits[shown] = '\0';
  trace(c, CUTE_TRACE_SWIZZLE_BITS, name, bits, (int64_t)(value & mask));
}

// Draws the value, the bits that are looked at, where they go, and their xor.
static void explainApply(CuteContext c, CuteSwizzle s, uint64_t value) {
  uint64_t mask = sourceMask(s), result = cuteSwizzleGetValue(s, value);
  uint64_t target = s.shift < 0 ? mask << -s.shift : mask >> s.shift;
  uint64_t all = value | result | mask | target;
  int32_t shown = 64 - __builtin_clzll(all);
  int lowest = s.shift < 0 ? s.base - s.shift : s.base;
  unsigned outer = traceEnter(c, CUTE_TRACE_SWIZZLE, s, (int64_t)value, lowest,
                              lowest + s.bits - 1, abs(s.shift),
                              s.shift < 0 ? "below" : "above");
  explainBits(c, "value ", value, ~UINT64_C(0), shown);
  explainBits(c, "source", value, mask, shown);
  explainBits(c, "moved ", value ^ result, target, shown);
  explainBits(c, "xor   ", result, ~UINT64_C(0), shown);
  traceLeave(c, outer, CUTE_TRACE_RESULT, (int64_t)result);
  if (cuteExplainsLaw(c))
    trace(c, CUTE_TRACE_LAW_SWIZZLE_TWICE,
          (int64_t)cuteSwizzleGetValue(s, result));
}

CuteIntTuple cuteSwizzleApply(CuteContext c, CuteSwizzle s,
                              CuteIntTuple value) {
  if (!value || !s.bits)
    return value;
  if (isTuple(value))
    return cuteFailTuple(c, "swizzle: not an integer: ", value);
  if (isTraced(c) && isStatic(value))
    explainApply(c, s, (uint64_t)value->value);
  CuteIntTuple source =
      cuteLeafAnd(c, value, staticInt(c, (int64_t)sourceMask(s)));
  source = s.shift < 0 ? cuteLeafShl(c, source, (unsigned)-s.shift)
                       : cuteLeafShr(c, source, (unsigned)s.shift);
  return cuteLeafXor(c, value, source);
}

//===-- Slicing -----------------------------------------------------------===//

// The index bits of a swizzle as modes, from the lowest: `base` bits below, the
// lower active group, the bits between, the upper active group, the rest.
static CuteIntTuple bitGroups(CuteContext c, CuteSwizzle s) {
  int32_t between = abs(s.shift) - s.bits;
  CuteIntTuple extents[] = {
      staticInt(c, INT64_C(1) << s.base), staticInt(c, INT64_C(1) << s.bits),
      staticInt(c, INT64_C(1) << between), staticInt(c, INT64_C(1) << s.bits),
      staticInt(c, 1)};
  return cuteInternTuple(c, 5, extents);
}

// The layout that maps an index to its active bits: 0 for all other groups.
static Mode activeBits(CuteContext c, CuteSwizzle s) {
  CuteIntTuple shape = bitGroups(c, s);
  CuteIntTuple zero = staticInt(c, 0);
  int64_t lower = INT64_C(1) << s.base;
  CuteIntTuple strides[] = {zero, s.bits ? staticInt(c, lower) : zero, zero,
                            s.bits ? staticInt(c, lower << abs(s.shift)) : zero,
                            zero};
  return (Mode){shape, cuteInternTuple(c, 5, strides)};
}

// offset & mask ? ifSet : ifClear.
static CuteIntTuple selectByBit(CuteContext c, CuteIntTuple offset,
                                int64_t mask, int64_t ifSet, int64_t ifClear) {
  CuteIntTuple bit = cuteLeafAnd(c, offset, staticInt(c, mask));
  return cuteLeafSelectLess(c, staticInt(c, 0), bit, staticInt(c, ifSet),
                            staticInt(c, ifClear));
}

// One group of active bits: each moves the index by its own place value, with
// the sign that the partner bit of the offset gives it if it is a target bit;
// a source bit also flips its partner.
static void pushActiveBits(CuteContext c, CuteSwizzle s, CuteIntTuple offset,
                           bool isUpper, Modes *modes) {
  int32_t distance = abs(s.shift);
  bool isTarget = (s.shift > 0) != isUpper;
  for (int32_t i = 0; i < s.bits; ++i) {
    int64_t place = INT64_C(1) << (s.base + i + (isUpper ? distance : 0));
    int64_t partner = isUpper ? place >> distance : place << distance;
    CuteIntTuple stride =
        isTarget
            ? selectByBit(c, offset, partner, -place, place)
            : selectByBit(c, offset, partner, place - partner, place + partner);
    modesPush(c, modes, (Mode){staticInt(c, 2), stride});
  }
}

static void pushPlain(CuteContext c, int32_t bits, int32_t position,
                      Modes *modes) {
  modesPush(c, modes,
            (Mode){staticInt(c, INT64_C(1) << bits),
                   staticInt(c, INT64_C(1) << position)});
}

Mode cuteSwizzleUnfold(CuteContext c, CuteSwizzle s, CuteIntTuple offset) {
  Modes modes = {0};
  int32_t distance = abs(s.shift);
  pushPlain(c, s.base, 0, &modes);
  pushActiveBits(c, s, offset, false, &modes);
  pushPlain(c, distance - s.bits, s.base + s.bits, &modes);
  pushActiveBits(c, s, offset, true, &modes);
  pushPlain(c, 0, s.base + s.bits + distance, &modes);
  return modesGetTuple(c, &modes);
}

// The active bits of what the coordinate fixes.
static CuteIntTuple fixedBits(CuteContext c, CuteLayout layout,
                              CuteIntTuple coord, Mode active) {
  struct CuteTrace *trace = cuteTracePause(c);
  Mode dropped =
      cuteComposition(c, active, cuteDiceMode(c, layoutMode(layout), coord));
  CuteIntTuple bits = cuteEvalMode(c, cuteIntTupleDiceCoord(c, coord), dropped);
  cuteTraceResume(c, trace);
  return bits;
}

CuteIntTuple cuteSliceSwizzleOffset(CuteContext c, CuteLayout layout,
                                    CuteIntTuple coord) {
  CuteIntTuple bits =
      fixedBits(c, layout, coord, activeBits(c, layout->swizzle));
  return bits ? cuteLeafXor(c, layout->offset, bits) : NULL;
}

// The static active bits of a layout at its last coordinate.
static CuteIntTuple lastValue(CuteContext c, Mode active, Mode kept) {
  struct CuteTrace *trace = cuteTracePause(c);
  Mode a = cuteComposition(c, active, kept);
  CuteIntTuple size = modeFailed(a) ? NULL : cuteIntTupleProduct(c, a.shape);
  CuteIntTuple last = size ? cuteLeafSub(c, size, staticInt(c, 1)) : NULL;
  CuteIntTuple value = last ? cuteEvalMode(c, last, a) : NULL;
  cuteTraceResume(c, trace);
  return value;
}

// Tells whether an index in the slice has bits that the swizzle brings
// together.
static bool collides(CuteSwizzle s, CuteIntTuple largest) {
  uint64_t v = (uint64_t)largest->value;
  return v & ~cuteSwizzleGetValue(s, v);
}

// The message says what is rejected instead of the step that could not be done.
static CuteLayout failToFollow(CuteContext c, CuteSwizzle s, Mode kept) {
  CuteString why = c->error;
  c->error = (CuteString){0};
  return cuteFail(
      c,
      "slice: no plain layout follows S<%d,%d,%d> along %s:%s (%s); "
      "slice_and_offset, or a slice of a tensor, keeps the swizzle",
      s.bits, s.base, s.shift, cuteTupleText(c, kept.shape),
      cuteTupleText(c, kept.stride), cuteArenaTakeString(&c->scratch, &why));
}

static CuteLayout sliceSwizzled(CuteContext c, CuteLayout layout,
                                CuteIntTuple coord) {
  CuteSwizzle s = layout->swizzle;
  Mode kept = cuteSliceMode(c, layoutMode(layout), coord);
  if (modeFailed(kept))
    return NULL;
  if (cuteIntTupleAll(coord, isUnderscore))
    return cuteLayoutWithOuter(c, layout, kept);
  Mode active = activeBits(c, s);
  CuteIntTuple bits = fixedBits(c, layout, coord, active);
  CuteIntTuple offset = bits ? cuteLeafXor(c, layout->offset, bits) : NULL;
  CuteIntTuple largest = lastValue(c, active, kept);
  if (!offset || !isStatic(largest))
    return failToFollow(c, s, kept);
  trace(c, CUTE_TRACE_SLICE_SWIZZLE, bits, layout->offset, offset);
  trace(c, collides(s, largest) ? CUTE_TRACE_SLICE_STAYS
                                : CUTE_TRACE_SLICE_UNFOLDS);
  if (!collides(s, largest)) {
    Mode r = cuteComposition(c, cuteSwizzleUnfold(c, s, offset), kept);
    return modeFailed(r) ? failToFollow(c, s, kept) : cuteInternLayout(c, r);
  }
  CuteLayout outer = cuteInternLayout(c, kept);
  return cuteLayoutComposeSwizzle(c, s, offset, outer);
}

CuteLayout cuteSliceSwizzled(CuteContext context, CuteLayout layout,
                             CuteIntTuple coord) {
  if (layout->shape->numDynamic || layout->stride->numDynamic)
    return cuteFailTuples(
        context, "slice: under a swizzle the layout must be static, not ",
        layout->shape, ":", layout->stride);
  if (!(coord->flags & HAS_UNDERSCORE))
    return cuteFailTuple(context,
                         "slice: under a swizzle the coordinate must keep at "
                         "least one mode with _, not ",
                         coord);
  return sliceSwizzled(context, layout, coord);
}
