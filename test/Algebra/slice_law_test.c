// Slices of swizzled layouts follow the whole, or there is a warning.
#include "Algebra/algebra.h"
#include "algebra_slices.h"
#include "cute/Laws.h"
#include "dynamic_values.h"

static int installEvaluation(void **state) {
  createContext(state);
  installArithmetic();
  cuteContextSetLawPolicy(context, CUTE_LAWS_WARN);
  return 0;
}

static bool warned(void) {
  bool has = cuteContextGetNumWarnings(context) > 0;
  cuteContextClearWarnings(context);
  return has;
}

static CuteLayout randomSwizzled(void) {
  CuteLayout b = randomLayoutOfSize((Strides)pick(0, 4), 100);
  int bits = (int)pick(1, 3), shift = (int)pick(bits, 4);
  CuteSwizzle s = {bits, (int)pick(0, 4), pick(0, 2) ? shift : -shift};
  return cuteLayoutGetSwizzled(context, s, integer(pick(0, 2) * pick(0, 20)),
                               b);
}

// With at least one `_`.
static CuteIntTuple randomMixedCoord(CuteIntTuple shape) {
  CuteIntTuple coord = randomCoord(shape);
  while (!(coord->flags & HAS_UNDERSCORE))
    coord = randomCoord(shape);
  return coord;
}

static int64_t numberIn(CuteIntTuple leaf) {
  return isDynamic(leaf) ? values[leaf->id] : cuteIntTupleGetValue(leaf);
}

// What a layout, perhaps with dynamic values, gives at an index.
static int64_t valueAt(CuteLayout r, int64_t index) {
  CuteIntTuple value = cuteLayoutEval(context, r, integer(index));
  return numberIn(made(value, "value"));
}

// R(c) - R(0) = A(c) - A(0) for every c, where A is at a static coordinate.
static bool follows(CuteLayout r, CuteLayout a, CuteIntTuple coord) {
  CuteSwizzle s = cuteLayoutGetSwizzle(a);
  Parts parts = partsOf(cuteLayoutGetOuter(context, a), coord);
  int64_t start = numberIn(cuteLayoutGetOffset(a)) + parts.offset;
  int64_t origin = valueAt(r, 0);
  for (int64_t c = 1, n = sizeOfLeaves(&parts.kept); c < n; ++c)
    if (valueAt(r, c) - origin !=
        swizzled(s, start + indexOfLeaves(&parts.kept, c)) - swizzled(s, start))
      return false;
  return true;
}

static void staticSlicesWarnExactly(void **state) {
  (void)state;
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 1500; ++i) {
    CuteLayout a = randomSwizzled();
    CuteIntTuple coord = randomMixedCoord(cuteLayoutGetShape(a));
    numValues = 1;
    CuteLayout r = cuteLayoutSlice(context, a, coord);
    if (!r)
      continue;
    bool holds = follows(r, a, coord);
    assertLaw(warned() == !holds, a, r, i);
    assertLaw(cuteLawOfSlice(context, a, coord, r) == holds, a, r, i);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 250 && unlawful > 25);
}

//===-- Dynamic values ----------------------------------------------------===//

// The coordinate with number `number` of all choices for its dynamic leaves,
// which are taken off it; as those dynamic values, or as integers.
static CuteIntTuple chosen(CuteIntTuple coord, CuteIntTuple shape, bool asValue,
                           int64_t *number) {
  if (isTuple(coord)) {
    CuteIntTuple elements[8];
    for (size_t i = 0; i < coord->rank; ++i)
      elements[i] = chosen(coord->elements[i], cuteIntTupleGetElement(shape, i),
                           asValue, number);
    return cuteIntTupleGetTuple(context, coord->rank, elements);
  }
  if (!isDynamic(coord))
    return coord;
  Leaves leaves = {.count = 0};
  addLeaves(&leaves, shape, shape);
  int64_t size = sizeOfLeaves(&leaves), value = *number % size;
  *number /= size;
  return asValue ? dynamicValue(value, 1) : integer(value);
}

static CuteIntTuple withUnknowns(CuteIntTuple coord) {
  if (isTuple(coord)) {
    CuteIntTuple elements[8];
    for (size_t i = 0; i < coord->rank; ++i)
      elements[i] = withUnknowns(coord->elements[i]);
    return cuteIntTupleGetTuple(context, coord->rank, elements);
  }
  return isUnderscore(coord) || !pick(0, 2) ? coord : dynamicValue(0, 1);
}

// A slice at a dynamic coordinate warns if and only if it is wrong at some
// coordinate within the shape.
static void dynamicCoordinatesWarnExactly(void **state) {
  (void)state;
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 1250; ++i) {
    CuteLayout a = randomSwizzled();
    CuteIntTuple shape = cuteLayoutGetShape(a);
    numValues = 1;
    CuteIntTuple coord = withUnknowns(randomMixedCoord(shape));
    if (!coord->numDynamic || !cuteLayoutSlice(context, a, coord))
      continue;
    bool hasWarned = warned(), holds = true;
    for (int64_t k = 0; holds; ++k) {
      int64_t number = k, sameNumber = k;
      numValues = 1;
      CuteIntTuple at = chosen(coord, shape, true, &number);
      if (number)
        break;
      CuteLayout r = cuteLayoutSlice(context, a, at);
      holds = follows(made(r, "slice"), a,
                      chosen(coord, shape, false, &sameNumber));
    }
    cuteContextClearWarnings(context);
    assertLaw(hasWarned == !holds, a, a, i);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 75 && unlawful > 5);
}

// At a dynamic offset a slice without a warning is right.
static void dynamicOffsets(void **state) {
  (void)state;
  int lawful = 0;
  for (int i = 0; i < 500; ++i) {
    CuteLayout plain = randomSwizzled();
    CuteIntTuple coord = randomMixedCoord(cuteLayoutGetShape(plain));
    int64_t divisor = INT64_C(1) << pick(0, 7);
    numValues = 1;
    CuteLayout a =
        cuteLayoutGetSwizzled(context, cuteLayoutGetSwizzle(plain),
                              dynamicValue(divisor * pick(0, 40), divisor),
                              cuteLayoutGetOuter(context, plain));
    CuteLayout r = cuteLayoutSlice(context, a, coord);
    if (!r || warned())
      continue;
    assertLaw(follows(r, a, coord), plain, plain, i);
    ++lawful;
  }
  assert_true(lawful > 75);
}

static void messages(void **state) {
  (void)state;
  cuteContextSetLawPolicy(context, CUTE_LAWS_STRICT);
  assertFails(cuteLayoutSlice(context, layout("S<2,0,3> o 4 o (8,4):(1,0)"),
                              tuple("(_,0)")),
              "slice: R(c) - R(0) = A(c) - A(0) fails for A = S<2,0,3> o 4 o "
              "(8,4):(1,0) at (_,0), R = (8):(1), at c = 4: 4 is not 5");
  assertFails(cuteLayoutSlice(context, layout("S<2,0,3> o 4 o (8,4):(1,4)"),
                              tuple("(_,?)")),
              "fails for A = S<2,0,3> o 4 o (8,4):(1,4) at (_,");
  assertFails(
      cuteLayoutSlice(context, layout("S<3,3,-3> o 3 o (8,4):(3,3)"),
                      tuple("(6,_)")),
      "slice: no plain layout follows S<3,3,-3> along (4):(3) (composition: "
      "extent 4 is not a multiple of the 3 coordinates that a mode of extent 8 "
      "on the left takes); slice_and_offset, or a slice of a tensor, keeps the "
      "swizzle");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(staticSlicesWarnExactly),
      cmocka_unit_test(dynamicCoordinatesWarnExactly),
      cmocka_unit_test(dynamicOffsets),
      cmocka_unit_test(messages),
  };
  return cmocka_run_group_tests(tests, installEvaluation, destroyContext);
}
