// The laws that are equations, in 64-bit integers: both sides in closed form
// or else at each coordinate, and a message where they differ.
#include "Algebra/laws.h"

static const CuteLawSides laws[] = {
#define CUTE_LAW(name, left, right, domain, text, variable, operands, holds,   \
                 fails)                                                        \
  {left,                                                                       \
   right,                                                                      \
   domain,                                                                     \
   text,                                                                       \
   variable,                                                                   \
   operands,                                                                   \
   CUTE_TRACE_##holds,                                                         \
   CUTE_TRACE_##fails},
#include "Algebra/laws.def"
};

const CuteLawSides *cuteLawGetSides(CuteLaw law) { return &laws[law]; }

//===-- Layouts as functions of directions --------------------------------===//

// A layout from coordinates by direction to values by direction: the sum of
// what parts[i * to.count + j], coalesced, gives for the coordinate in
// direction i is the value in direction j.
typedef struct Map {
  LawPaths from, to;
  LawFunction *parts;
} Map;

// Joins leaves where one begins at the stride at which the leaf before ends.
static void coalesce(LawFunction *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->count; ++i) {
    LawLeaf leaf = f->leaves[i], *last = &f->leaves[n - 1];
    int64_t end, extent;
    if (n && !__builtin_mul_overflow(last->extent, last->stride, &end) &&
        end == leaf.stride &&
        !__builtin_mul_overflow(last->extent, leaf.extent, &extent))
      last->extent = extent;
    else
      f->leaves[n++] = leaf;
  }
  f->count = n;
}

static bool mapOf(CuteContext c, Mode m, Map *map) {
  map->parts = cuteScratch(c, (map->from.count * map->to.count + 1) *
                                  sizeof *map->parts);
  LawFunction *next = map->parts;
  for (size_t i = 0; i < map->from.count; ++i) {
    Mode part = cuteModeAt(m, map->from.data[i]);
    if (modeFailed(part))
      return false;
    for (size_t j = 0; j < map->to.count; ++j, ++next) {
      if (!cuteLawFunction(c, part, map->to.data[j], next))
        return false;
      coalesce(next);
    }
  }
  return true;
}

static bool evalDirections(const Map *map, int64_t *values) {
  int64_t in[MAX_LAW_PATHS], value;
  memcpy(in, values, map->from.count * sizeof *in);
  for (size_t j = 0; j < map->to.count; ++j) {
    values[j] = 0;
    for (size_t i = 0; i < map->from.count; ++i)
      if (!cuteLawEval(&map->parts[i * map->to.count + j], in[i], &value) ||
          __builtin_add_overflow(values[j], value, &values[j]))
        return false;
  }
  return true;
}

// Puts values into the place of coordinates: mostly one for one.
static bool evalMap(const Map *map, int64_t *values) {
  return map->from.count == 1 && map->to.count == 1
             ? cuteLawEval(map->parts, *values, values)
             : evalDirections(map, values);
}

//===-- Sides -------------------------------------------------------------===//

// The layouts that a coordinate goes through, the first one first.
typedef struct Side {
  Map maps[CUTE_LAW_STEPS];
  size_t count;
} Side;

static Mode operand(const CuteLawOperand *operands, char name) {
  while (operands->name && operands->name != name)
    ++operands;
  return operands->mode;
}

// False if the side cannot be evaluated. Its values are compared in the
// directions `to`.
static bool sideOf(CuteContext c, const char *names,
                   const CuteLawOperand *operands, const LawPaths *to,
                   Side *side) {
  LawPaths from = {.data = {NULL}, .count = 1};
  side->count = strlen(names);
  for (size_t i = 0; i < side->count; ++i) {
    Mode m = operand(operands, names[side->count - 1 - i]);
    Map *map = &side->maps[i];
    map->from = from;
    map->to = *to;
    if ((i + 1 < side->count && !cuteLawPaths(m.stride, &map->to)) ||
        !mapOf(c, m, map))
      return false;
    from = map->to;
  }
  return true;
}

static bool evalSide(const Side *side, int64_t coord, int64_t *values) {
  values[0] = coord;
  for (size_t i = 0; i < side->count; ++i)
    if (!evalMap(&side->maps[i], values))
      return false;
  return true;
}

//===-- Where the sides differ --------------------------------------------===//

typedef struct Failure {
  int64_t at, left, right;
  CuteIntTuple path;
} Failure;

// A coordinate at which something overflows does not count.
static bool failsAt(const Side *left, const Side *right, const LawPaths *paths,
                    int64_t at, Failure *failure) {
  int64_t x[MAX_LAW_PATHS], y[MAX_LAW_PATHS];
  if (!evalSide(left, at, x) || !evalSide(right, at, y))
    return false;
  for (size_t i = 0; i < paths->count; ++i)
    if (x[i] != y[i]) {
      *failure = (Failure){at, x[i], y[i], paths->data[i]};
      return true;
    }
  return false;
}

//===-- Sides in closed form ----------------------------------------------===//

// A function on the coordinates of some leaves: in direction i it is the sum of
// factors[i * count + k] times the coordinate in leaf k.
typedef struct Linear {
  const LawLeaf *leaves;
  size_t count;
  int64_t *factors;
} Linear;

// Tells whether f of the sum is the sum of f: none of the digits of an index,
// by the extents of f, carries. Nothing bounds the last digit.
static bool addsUp(const LawFunction *f, const Linear *x,
                   const int64_t *factors) {
  for (size_t k = 0; k < x->count; ++k)
    if (factors[k] < 0)
      return false;
  int64_t step = 1, digit;
  for (size_t i = 0; i + 1 < f->count; ++i) {
    int64_t extent = f->leaves[i].extent, largest = 0;
    for (size_t k = 0; k < x->count; ++k)
      if (__builtin_mul_overflow(factors[k] / step % extent,
                                 x->leaves[k].extent - 1, &digit) ||
          __builtin_add_overflow(largest, digit, &largest) || largest >= extent)
        return false;
    if (__builtin_mul_overflow(step, extent, &step))
      return true;
  }
  return true;
}

static bool addPart(const LawFunction *f, const Linear *x,
                    const int64_t *factors, int64_t *sums) {
  int64_t value;
  if (!addsUp(f, x, factors))
    return false;
  for (size_t k = 0; k < x->count; ++k)
    if (!cuteLawEval(f, factors[k], &value) ||
        __builtin_add_overflow(sums[k], value, &sums[k]))
      return false;
  return true;
}

static bool stepMap(CuteContext c, const Map *map, Linear *x) {
  size_t n = x->count, size = map->to.count * n * sizeof *x->factors;
  int64_t *sums = cuteScratch(c, size + 1);
  memset(sums, 0, size);
  for (size_t i = 0; i < map->from.count; ++i)
    for (size_t j = 0; j < map->to.count; ++j)
      if (!addPart(&map->parts[i * map->to.count + j], x, &x->factors[i * n],
                   &sums[j * n]))
        return false;
  x->factors = sums;
  return true;
}

// A side on the leaves of the domain, whose index begins as their sum. False
// where it may not be linear.
static bool isLinear(CuteContext c, const LawFunction *domain, const Side *side,
                     Linear *x) {
  *x = (Linear){domain->leaves, domain->count,
                cuteScratch(c, domain->count * sizeof *x->factors + 1)};
  int64_t step = 1;
  for (size_t k = 0; k < x->count; ++k) {
    x->factors[k] = step;
    if (__builtin_mul_overflow(step, x->leaves[k].extent, &step))
      return false;
  }
  for (size_t i = 0; i < side->count; ++i)
    if (!stepMap(c, &side->maps[i], x))
      return false;
  return true;
}

// Tells whether both sides are linear with the same factors.
static bool isSame(CuteContext c, const LawFunction *domain, const Side *sides,
                   const LawPaths *paths) {
  Linear x, y;
  if (!isLinear(c, domain, &sides[0], &x) ||
      !isLinear(c, domain, &sides[1], &y))
    return false;
  for (size_t i = 0; i < paths->count * domain->count; ++i)
    if (x.factors[i] != y.factors[i] &&
        domain->leaves[i % domain->count].extent > 1)
      return false;
  return true;
}

//===-- Laws --------------------------------------------------------------===//

static bool fails(CuteContext c, const CuteLawSides *law,
                  const CuteLawOperand *operands, Failure *failure) {
  LawFunction index;
  LawDomain coords;
  LawPaths paths;
  Side *sides = cuteScratch(c, 2 * sizeof *sides);
  if (!cuteLawFunction(c, operand(operands, law->domain), NULL, &index) ||
      !cuteLawPaths(operands->mode.stride, &paths) ||
      !sideOf(c, law->left, operands, &paths, &sides[0]) ||
      !sideOf(c, law->right, operands, &paths, &sides[1]) ||
      isSame(c, &index, sides, &paths) || !cuteLawDomain(c, &index, &coords))
    return false;
  for (int64_t k = 0, n = cuteLawDomainCount(&coords); k < n; ++k)
    if (failsAt(&sides[0], &sides[1], &paths, cuteLawDomainGet(&coords, k),
                failure))
      return true;
  return false;
}

//===-- Messages ----------------------------------------------------------===//

// " c = 3", or, in (T,C), " i = 1 and j = 2".
static void appendCoordinate(CuteContext c, CuteString *text,
                             const CuteLawSides *law,
                             const CuteLawOperand *operands, int64_t at) {
  LawFunction tile;
  int64_t size;
  if (strchr(law->operands, 'T') &&
      cuteLawFunction(c, operand(operands, 'T'), NULL, &tile) &&
      cuteLawSize(&tile, &size)) {
    cuteStringAppendFormat(text, " i = %jd and", (at % size));
    at /= size;
  }
  cuteStringAppendFormat(text, " %s = %jd", law->variable, at);
}

// The value in a direction, as the layout would print it.
static const char *valueText(CuteContext c, int64_t value, CuteIntTuple path) {
  CuteIntTuple leaf = staticInt(c, value);
  return cuteTupleText(c, path ? cuteInternBasis(c, leaf, path) : leaf);
}

// "composition: R(c) = A(B(c)) fails for A = ..., B = ... at c = 3: 0 is not
// 16".
static void say(CuteContext c, const CuteLawSides *law,
                const CuteLawOperand *operands, const Failure *failure) {
  CuteString text = {0};
  cuteStringAppendFormat(&text, "%s fails for", law->text);
  for (const char *name = law->operands; *name; ++name) {
    cuteStringAppendFormat(&text, "%s %c = ", name > law->operands ? "," : "",
                           *name);
    cuteAppendMode(&text, operand(operands, *name));
  }
  cuteStringAppend(&text, " at");
  appendCoordinate(c, &text, law, operands, failure->at);
  cuteLawFails(c, "%s: %s is not %s", cuteArenaTakeString(&c->scratch, &text),
               valueText(c, failure->left, failure->path),
               valueText(c, failure->right, failure->path));
}

bool cuteLawHolds(CuteContext c, CuteLaw law, const CuteLawOperand *operands) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  Failure failure;
  bool isBroken = fails(c, &laws[law], operands, &failure);
  if (isBroken)
    say(c, &laws[law], operands, &failure);
  return !isBroken;
}

bool cuteLawAcceptsComposition(CuteContext c, CuteLaw law,
                               const CuteLawOperand *operands) {
  return !checksLaws(c) || cuteLawAccepts(c, cuteLawHolds(c, law, operands));
}

//===-- Identities --------------------------------------------------------===//

// The strides of the layout that takes each index of a shape to its coordinate
// in the directions of A.
static CuteIntTuple identity(CuteContext c, CuteIntTuple shape,
                             const LawPaths *paths, CuteIntTuple path) {
  for (size_t i = 0; i < paths->count; ++i)
    if (paths->data[i] == path) {
      CuteIntTuple one = staticInt(c, 1);
      return cuteCompactStrides(c, shape,
                                path ? cuteInternBasis(c, one, path) : one);
    }
  if (!isTuple(shape))
    return staticInt(c, 0);
  return CUTE_TUPLE_OF(
      c, i, shape->rank,
      identity(c, shape->elements[i], paths, cutePathExtend(c, path, i)));
}

CuteIntTuple cuteLawIdentity(CuteContext c, Mode a, CuteIntTuple shape) {
  LawPaths paths;
  return cuteLawPaths(a.stride, &paths) ? identity(c, shape, &paths, NULL)
                                        : NULL;
}
