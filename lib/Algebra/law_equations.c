// The laws that are equations, in 64-bit integers: both sides at each
// coordinate, and a message where they differ.
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
#undef CUTE_LAW
};

const CuteLawSides *cuteLawGetSides(CuteLaw law) { return &laws[law]; }

//===-- Layouts as functions of directions --------------------------------===//

// A layout from coordinates by direction to values by direction: the sum of
// what parts[i * to.count + j] gives for the coordinate in direction i is the
// value in direction j.
typedef struct Map {
  LawPaths from, to;
  LawFunction *parts;
} Map;

static bool mapOf(CuteContext c, Mode m, Map *map) {
  map->parts = cuteArenaAllocate(
      &c->scratch, (map->from.count * map->to.count + 1) * sizeof *map->parts);
  LawFunction *next = map->parts;
  for (size_t i = 0; i < map->from.count; ++i) {
    Mode part = cuteModeAt(m, map->from.data[i]);
    if (modeFailed(part))
      return false;
    for (size_t j = 0; j < map->to.count; ++j)
      if (!cuteLawFunction(c, part, map->to.data[j], next++))
        return false;
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

static bool fails(CuteContext c, const CuteLawSides *law,
                  const CuteLawOperand *operands, Failure *failure) {
  LawFunction index;
  LawDomain coords;
  LawPaths paths;
  Side *sides = cuteArenaAllocate(&c->scratch, 2 * sizeof *sides);
  if (!cuteLawFunction(c, operand(operands, law->domain), NULL, &index) ||
      !cuteLawDomain(c, &index, &coords) ||
      !cuteLawPaths(operands->mode.stride, &paths) ||
      !sideOf(c, law->left, operands, &paths, &sides[0]) ||
      !sideOf(c, law->right, operands, &paths, &sides[1]))
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
    cuteStringAppendFormat(text, " i = %lld and", (long long)(at % size));
    at /= size;
  }
  cuteStringAppendFormat(text, " %s = %lld", law->variable, (long long)at);
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
  cuteStringAppend(&text, ": ");
  cuteAppendLawValue(c, &text, failure->left, failure->path);
  cuteStringAppend(&text, " is not ");
  cuteAppendLawValue(c, &text, failure->right, failure->path);
  cuteLawFails(c, &text);
}

bool cuteLawHolds(CuteContext c, CuteLaw law, const CuteLawOperand *operands) {
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Failure failure;
  bool isBroken = fails(c, &laws[law], operands, &failure);
  if (isBroken)
    say(c, &laws[law], operands, &failure);
  cuteArenaReset(&c->scratch, mark);
  return !isBroken;
}

bool cuteLawHoldsComposition(CuteContext c, CuteLaw law,
                             const CuteLawOperand *operands) {
  const char *right = laws[law].right;
  return cuteLawCompositionDivides(c, operand(operands, right[0]),
                                   operand(operands, right[1])) ||
         cuteLawHolds(c, law, operands);
}

bool cuteLawAcceptsComposition(CuteContext c, CuteLaw law,
                               const CuteLawOperand *operands) {
  return !checksLaws(c) ||
         cuteLawAccepts(c, cuteLawHoldsComposition(c, law, operands));
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
  CuteIntTuple *strides =
      cuteArenaAllocate(&c->scratch, shape->rank * sizeof *strides);
  for (size_t i = 0; i < shape->rank; ++i)
    strides[i] =
        identity(c, shape->elements[i], paths, cutePathExtend(c, path, i));
  return cuteInternTuple(c, shape->rank, strides);
}

CuteIntTuple cuteLawIdentity(CuteContext c, Mode a, CuteIntTuple shape) {
  LawPaths paths;
  return cuteLawPaths(a.stride, &paths) ? identity(c, shape, &paths, NULL)
                                        : NULL;
}
