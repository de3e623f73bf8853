// The law of slices under a swizzle: a plain layout cannot follow an index that
// carries into the bits of the swizzle.
#include "Algebra/explain_worked.h"
#include "Support/gcd.h"

//===-- Values of dynamic leaves ------------------------------------------===//

// Takes one of the `count` multiples of `step` off `number`, the number of a
// choice of all dynamic leaves.
static CuteIntTuple choose(CuteContext c, int64_t step, int64_t count,
                           int64_t *number) {
  int64_t value = *number % count * step;
  *number /= count;
  return staticInt(c, value);
}

// Counts the multiples of a step in [0, end).
static int64_t countMultiples(int64_t step, int64_t end) {
  return end / step + (end % step > 0);
}

// The number of coordinates within the shape that a dynamic coordinate can be.
static int64_t countCoords(CuteContext c, CuteIntTuple coord,
                           CuteIntTuple shape) {
  if (isDynamic(coord))
    return countMultiples(coord->value, staticSizeOf(c, shape));
  int64_t count = 1;
  for (size_t i = 0; isTuple(coord) && i < coord->rank; ++i)
    if (__builtin_mul_overflow(
            count, countCoords(c, coord->elements[i], element(shape, i)),
            &count))
      return INT64_MAX;
  return count;
}

// The shape of `part` is a coordinate, its stride the mode that it is in.
static CuteIntTuple chooseCoord(CuteContext c, Mode part, void *number) {
  return isDynamic(part.shape)
             ? choose(c, part.shape->value,
                      countCoords(c, part.shape, part.stride), number)
             : part.shape;
}

// Offsets matter up to the highest bit of the swizzle, so that of a divisor the
// power of two in it counts.
static int64_t offsetPeriod(CuteSwizzle s) {
  return INT64_C(1) << (s.base + s.bits + abs(s.shift));
}

static int64_t offsetStep(CuteLayout a) {
  return cuteGcd(a->offset->value, offsetPeriod(a->swizzle));
}

static int64_t countOffsets(CuteLayout a) {
  return isDynamic(a->offset) ? offsetPeriod(a->swizzle) / offsetStep(a) : 1;
}

//===-- The law at static values ------------------------------------------===//

// index -> swizzle(start + f(index)).
typedef struct Swizzled {
  CuteSwizzle swizzle;
  int64_t start;
  LawFunction f;
} Swizzled;

// Measures the value at an index from that at 0; false where it overflows.
static bool evalFromStart(const Swizzled *s, int64_t index, int64_t *value) {
  int64_t at;
  if (!cuteLawEval(&s->f, index, &at) ||
      __builtin_add_overflow(s->start, at, &at))
    return false;
  uint64_t origin = cuteSwizzleGetValue(s->swizzle, (uint64_t)s->start);
  *value = (int64_t)(cuteSwizzleGetValue(s->swizzle, (uint64_t)at) - origin);
  return true;
}

// Gives the function of A at a static coordinate.
static bool wholeAt(CuteContext c, CuteLayout a, CuteIntTuple coord,
                    Swizzled *whole) {
  CuteIntTuple start =
      cuteLeafAdd(c, a->offset, cuteEvalMode(c, coord, layoutMode(a)));
  if (!isStatic(start))
    return false;
  *whole = (Swizzled){.swizzle = a->swizzle, .start = start->value};
  return cuteLawFunction(c, cuteSliceMode(c, layoutMode(a), coord), NULL,
                         &whole->f);
}

static bool sayDifferent(CuteContext c, CuteLayout a, CuteIntTuple coord,
                         CuteLayout r, int64_t at, int64_t left,
                         int64_t right) {
  return cuteLawFails(c,
                      "slice: R(c) - R(0) = A(c) - A(0) fails for A = %s at "
                      "%s, R = %s, at c = %jd: %jd is not %jd",
                      cuteLayoutText(c, a), cuteTupleText(c, coord),
                      cuteLayoutText(c, r), at, left, right);
}

// Checks the law where A and the coordinate are static; `part` is the function
// of R.
static bool holdsAt(CuteContext c, CuteLayout a, CuteIntTuple coord,
                    CuteLayout r, const Swizzled *part) {
  Swizzled whole;
  LawDomain domain;
  if (!wholeAt(c, a, coord, &whole) || !cuteLawDomain(c, &whole.f, &domain))
    return true;
  for (int64_t k = 0, n = cuteLawDomainCount(&domain); k < n; ++k) {
    int64_t at = cuteLawDomainGet(&domain, k), left, right;
    if (evalFromStart(part, at, &left) && evalFromStart(&whole, at, &right) &&
        left != right)
      return sayDifferent(c, a, coord, r, at, left, right);
  }
  return true;
}

static bool holdsStatic(CuteContext c, CuteLayout a, CuteIntTuple coord,
                        CuteLayout r) {
  bool isSwizzled = r->innerKind == INNER_SWIZZLE;
  Swizzled part = {.swizzle = isSwizzled ? r->swizzle : (CuteSwizzle){0},
                   .start = isSwizzled ? r->offset->value : 0};
  return !cuteLawFunction(c, layoutMode(r), NULL, &part.f) ||
         holdsAt(c, a, coord, r, &part);
}

//===-- At all values -----------------------------------------------------===//

// The dynamic slice of unknown values: how many steps along each mode of the
// unfolded swizzle each of its modes takes, as scaled bases.
static Mode stepsOf(CuteContext c, CuteSwizzle s, Mode kept) {
  CuteIntTuple shape = cuteSwizzleUnfold(c, s, staticInt(c, 0)).shape;
  return cuteComposition(c, (Mode){shape, cuteUnitStrides(c, shape, NULL)},
                         kept);
}

// The function of the steps after a static offset.
static bool functionOfSteps(CuteContext c, CuteSwizzle s, Mode steps,
                            CuteIntTuple offset, LawFunction *f) {
  Mode unfolded = cuteSwizzleUnfold(c, s, offset);
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, steps);
  for (size_t i = 0; i < leaves.count; ++i) {
    CuteIntTuple *stride = &leaves.data[i].stride;
    if (!isBasis(*stride))
      continue;
    int64_t mode = basisPath(*stride)->elements[0]->value;
    *stride =
        cuteLeafMul(c, basisValue(*stride), unfolded.stride->elements[mode]);
  }
  Mode flat = modesGetTuple(c, &leaves);
  return !modeFailed(flat) && cuteLawFunction(c, flat, NULL, f);
}

// The slice at choice `number` of the dynamic leaves.
static bool holdsFor(CuteContext c, CuteLayout a, CuteIntTuple coord,
                     CuteLayout r, Mode steps, int64_t number) {
  coord = cuteMapLeaves(c, (Mode){coord, a->shape}, chooseCoord, &number);
  if (isDynamic(a->offset))
    a = cuteLayoutGetSwizzled(
        c, a->swizzle, choose(c, offsetStep(a), countOffsets(a), &number),
        cuteInternLayout(c, layoutMode(a)));
  CuteIntTuple offset = a && coord ? cuteSliceSwizzleOffset(c, a, coord) : NULL;
  if (!isStatic(offset))
    return true;
  bool isSwizzled = r->innerKind == INNER_SWIZZLE;
  Swizzled part = {.swizzle = isSwizzled ? r->swizzle : (CuteSwizzle){0},
                   .start = isSwizzled ? offset->value : 0};
  bool isKnown = cuteLayoutGetNumDynamic(r) && !isSwizzled
                     ? functionOfSteps(c, a->swizzle, steps, offset, &part.f)
                     : cuteLawFunction(c, layoutMode(r), NULL, &part.f);
  return !isKnown || holdsAt(c, a, coord, r, &part);
}

// As many choices as take 2^13 values of the slice, 16 at least.
static int64_t choicesToTry(CuteContext c, CuteLayout r) {
  int64_t choices = (INT64_C(1) << 13) / staticSizeOf(c, r->shape);
  return choices < 16 ? 16 : choices;
}

static bool holdsForAll(CuteContext c, CuteLayout a, CuteIntTuple coord,
                        CuteLayout r) {
  int64_t count;
  if (__builtin_mul_overflow(countCoords(c, coord, a->shape), countOffsets(a),
                             &count))
    count = INT64_MAX;
  LawFunction choices = {&(LawLeaf){count, 1}, 1};
  LawDomain domain;
  cuteLawDomain(c, &choices, &domain);
  int64_t tries = cuteLawDomainCount(&domain), most = choicesToTry(c, r);
  Mode steps = stepsOf(c, a->swizzle, cuteSliceMode(c, layoutMode(a), coord));
  bool holds = true;
  for (int64_t k = 0; holds && k < tries && k < most; ++k) {
    CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
    holds = holdsFor(c, a, coord, r, steps, cuteLawDomainGet(&domain, k));
  }
  return holds;
}

bool cuteLawSlice(CuteContext c, CuteLayout a, CuteIntTuple coord,
                  CuteLayout r) {
  if (a->innerKind != INNER_SWIZZLE || a->shape->numDynamic ||
      a->stride->numDynamic)
    return true;
  struct CuteTrace *trace = cuteTracePause(c);
  bool isStaticSlice = !coord->numDynamic && !a->offset->numDynamic;
  bool holds =
      isStaticSlice ? holdsStatic(c, a, coord, r) : holdsForAll(c, a, coord, r);
  cuteTraceResume(c, trace);
  return holds;
}
