// Coordinates: mixed-radix digits of an index, and what layouts give for them.
#include "algebra_test_util.h"

static CuteIntTuple randomExtents(int64_t budget) {
  return randomShape(3, false, &budget);
}

// The digits of the index, leaf by leaf; the last is not reduced.
static void digitsOf(int64_t index, const Leaves *shape, int64_t *digits) {
  for (size_t i = 0; i < shape->count; ++i) {
    bool isLast = i + 1 == shape->count;
    digits[i] = isLast ? index : index % shape->extent[i];
    index /= shape->extent[i];
  }
}

static CuteIntTuple coordOf(int64_t index, CuteIntTuple shape) {
  Leaves leaves = {.count = 0};
  addLeaves(&leaves, shape, shape);
  int64_t digits[MAX_LEAVES];
  digitsOf(index, &leaves, digits);
  const int64_t *next = digits;
  return treeLike(shape, &next);
}

static void indicesAndCoordinatesAreInverse(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteIntTuple shape = randomExtents(200);
    CuteIntTuple size = cuteIntTupleProduct(context, shape);
    CuteLayout whole = cuteLayoutGet(context, shape, NULL);
    for (int64_t c = 0; c < cuteIntTupleGetValue(size); ++c) {
      CuteIntTuple coord = cuteIdx2Crd(context, integer(c), shape);
      assertLaw(coord == coordOf(c, shape), whole, whole, c);
      assertLaw(cuteCrd2Idx(context, coord, shape) == integer(c), whole, whole,
                c);
      assertLaw(cuteIntTupleIsCongruent(coord, shape), whole, whole, c);
      assertLaw(cuteCrd2Crd(context, coord, shape, size) == integer(c), whole,
                whole, c);
    }
  }
}

// Incrementing runs through the coordinates in order.
static void incrementsInOrder(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteIntTuple shape = randomExtents(100);
    CuteLayout whole = cuteLayoutGet(context, shape, NULL);
    CuteIntTuple coord = coordOf(0, shape);
    for (int64_t c = 1, n = sizeOf(whole); c <= n; ++c) {
      coord = cuteIncrementCoord(context, coord, shape);
      assertLaw(coord == coordOf(c, shape), whole, whole, c);
    }
  }
}

static void layoutsAreSumsOfProducts(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    CuteIntTuple shape = cuteLayoutGetShape(a);
    for (int64_t c = 0, n = sizeOf(a); c < n; ++c) {
      CuteIntTuple index = integer(indexAt(a, c)), coord = coordOf(c, shape);
      assertLaw(cuteLayoutEval(context, a, integer(c)) == index, a, a, c);
      assertLaw(cuteLayoutEval(context, a, coord) == index, a, a, c);
      assertLaw(cuteIntTupleInnerProduct(context, coord,
                                         cuteLayoutGetStride(a)) == index,
                a, a, c);
    }
  }
}

static void composedLayoutsApplyBoth(void **state) {
  (void)state;
  for (int i = 0; i < 100; ++i) {
    CuteSwizzle s = {(int)pick(1, 3), (int)pick(0, 4), (int)pick(-1, 1) * 3};
    if (!s.shift)
      s.shift = 4;
    CuteLayout b = randomLayout(INJECTIVE_STRIDES);
    CuteIntTuple offset = integer(pick(0, 100));
    CuteLayout a = cuteLayoutGetSwizzled(context, s, offset, b);
    CuteLayout d =
        cuteLayoutGetComposed(context, randomLayout(ANY_STRIDES), offset, b);
    for (int64_t c = 0, n = sizeOf(b); c < n; ++c) {
      assertLaw(cuteLayoutEval(context, a, integer(c)) ==
                    integer(indexAt(a, c)),
                a, b, c);
      assertLaw(cuteLayoutEval(context, d, integer(c)) ==
                    integer(indexAt(d, c)),
                d, b, c);
    }
  }
}

static void stridedCoordinates(void **state) {
  (void)state;
  for (int i = 0; i < 100; ++i) {
    CuteLayout a = randomLayout(COMPACT_STRIDES);
    CuteIntTuple shape = cuteLayoutGetShape(a);
    for (int64_t c = 0, n = sizeOf(a); c < n; ++c)
      assertLaw(cuteIdx2CrdStrided(context, integer(indexAt(a, c)), shape,
                                   cuteLayoutGetStride(a)) == coordOf(c, shape),
                a, a, c);
  }
  assertTuple(
      cuteIdx2CrdStrided(context, tuple("?"), tuple("(4,1)"), tuple("(8,5)")),
      "(?,0)");
  assertFails(
      cuteIdx2CrdStrided(context, tuple("3"), tuple("(4,1)"), tuple("8")),
      "(4,1) and 8");
  assertFails(
      cuteIdx2CrdStrided(context, tuple("3"), tuple("(4,2)"), tuple("(0,1)")),
      "division by zero");
}

static void evalExamples(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"7", "(4,6):(6,1)", "19"},
      {"(1,5)", "(2,(3,4)):(1,(2,6))", "11"},
      {"(_,1)", "(4,6):(6,1)", "1"},
      {"99", "(4,6):(6,1)", "42"},
      {"-1", "(4,6):(6,1)", "-6"},
      {"(1,1)", "(4,6):(0,1@1)", "(0,1)"},
      {"3", "5:1@1", "(0,3)"},
      {"(1,2)", "(8,8):(8,1) o 3 o (4,4):(1,8)", "34"},
      {"0", "():()", "()"},
      {"1", "(2,()):(1,())", "1"},
      {"5", "((),2,3):((),7,1)", "9"},
      {"(0,?)", "((),3):((),1)", "?"},
      {"(?,0)", "(((),()),3):(((),()),1)", "0"},
      {"?", "(4,6):(6,1)", "?"},
      {"(?,0)", "(4,6):(0,1)", "0"},
      {"0", "(?,9):(?,?)", "0"},
      {"?{i64}", "(4,6):(6,1)", "?{i64}"},
      {"?", "(4,6):(1@1,1@0)", "(?,?)"},
      {"(?,2)", "(4,6):(2@1,3@0)", "(6,?)"},
      {"(?,1)", "S<2,1,3> o 0 o (8,8):(8,1)", "?"},
      {"(1,?)", "(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)", "?"},
      {"(?,3)", "(4,6):(?{div=8},16)", "?{div=8}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertTuple(
        cuteLayoutEval(context, layout(cases[i][1]), tuple(cases[i][0])),
        cases[i][2]);
}

typedef CuteIntTuple Function(CuteContext c, CuteIntTuple a, CuteIntTuple b);

static void examples(void **state) {
  (void)state;
  static const struct {
    Function *function;
    const char *a, *shape, *result;
  } cases[] = {
      {cuteCrd2Idx, "(1,2)", "(3,4)", "7"},
      {cuteCrd2Idx, "5", "(3,4)", "5"},
      {cuteCrd2Idx, "(6,3)", "(1,5)", "3"},
      {cuteCrd2Idx, "(1,(2,1))", "(3,(4,5))", "19"},
      {cuteCrd2Idx, "(_,2)", "(3,4)", "6"},
      {cuteCrd2Idx, "(1,0)", "(?,4)", "1"},
      {cuteCrd2Idx, "(1,2)", "(?,4)", "?"},
      {cuteIdx2Crd, "7", "(3,4)", "(1,2)"},
      {cuteIdx2Crd, "99", "(3,4)", "(0,33)"},
      {cuteIdx2Crd, "(1,7)", "(3,(4,5))", "(1,(3,1))"},
      {cuteIdx2Crd, "7", "(4,1)", "(3,1)"},
      {cuteIdx2Crd, "-1", "(3,4)", "(-1,0)"},
      {cuteIdx2Crd, "7", "(?,4)", "(?,?)"},
      {cuteIdx2Crd, "0", "(?,4)", "(0,0)"},
      {cuteIdx2Crd, "?{i64}", "(3,4)", "(?{i64},?{i64})"},
      {cuteIdx2Crd, "5", "(4,0)", "(1,1)"},
      {cuteIncrementCoord, "(2,3)", "(3,4)", "(0,4)"},
      {cuteIncrementCoord, "((2,1),3)", "((3,2),4)", "((0,0),4)"},
      {cuteIncrementCoord, "(1,?)", "(3,4)", "(2,?)"},
      {cuteIncrementCoord, "(2,?)", "(3,4)", "(0,?)"},
      {cuteIncrementCoord, "(2,2)", "(?,4)", "(?,?)"},
      {cuteIncrementCoord, "(5,?)", "(1,4)", "(0,?)"},
      {cuteIncrementCoord, "(?,2)", "(1,4)", "(0,3)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertTuple(
        cases[i].function(context, tuple(cases[i].a), tuple(cases[i].shape)),
        cases[i].result);
}

static void rejects(void **state) {
  (void)state;
  static const struct {
    Function *function;
    const char *a, *shape, *message;
  } cases[] = {
      {cuteCrd2Idx, "(1)", "3", "crd2idx: coordinate (1)"},
      {cuteCrd2Idx, "(1,2,3)", "(3,4)", "crd2idx: coordinate (1,2,3)"},
      {cuteCrd2Idx, "x", "(3,4)", "not an integer: x"},
      {cuteCrd2Idx, "5", "(0,4)", "division by zero of 5"},
      {cuteCrd2Idx, "(0,1)", "(4611686018427387904,4)", "overflows"},
      {cuteIdx2Crd, "(7)", "7", "idx2crd: index (7)"},
      {cuteIdx2Crd, "(7)", "(3,4)", "idx2crd: index (7)"},
      {cuteIdx2Crd, "7", "(0,4)", "division by zero of 7"},
      {cuteIdx2Crd, "_", "(3,4)", "not an integer: _"},
      {cuteIncrementCoord, "1", "(3,4)", "increment_coord: coordinate 1"},
      {cuteIncrementCoord, "(1,_)", "(3,4)", "increment_coord"},
      {cuteIncrementCoord, "9223372036854775807", "4", "overflows"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i].a,
        cases[i].function(context, tuple(cases[i].a), tuple(cases[i].shape)),
        cases[i].message);
  assertFails(cuteLayoutEval(context, layout("(2,3):(1,2)"), tuple("((1),2)")),
              "coordinate (1) over a single mode");
  assertFails(cuteLayoutEval(context, layout("4:2"), tuple("(1)")),
              "coordinate (1)");
  assertFails(cuteLayoutEval(context, layout("(2,3):(1,2)"), tuple("(1,2,0)")),
              "does not match the rank");
  assertFails(
      cuteLayoutEval(context, layout("4:4611686018427387904"), tuple("2")),
      "overflows 64 bits");
}

static void modesOfCoordinatesAreLimited(void **state) {
  (void)state;
  CuteLayout far = layout("4:1@4096");
  assert_non_null(cuteLayoutEval(context, layout("4:1@4095"), integer(3)));
  assertFails(cuteLayoutEval(context, far, integer(3)),
              "mode number 4096 of a coordinate is not in [0, 4096)");
  assertFails(cuteLayoutGetCosize(context, far), "mode number 4096");
  assertFails(cuteLayoutEval(context, layout("4:1@-1"), integer(3)),
              "mode number -1 of a coordinate is not in [0, 4096)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(indicesAndCoordinatesAreInverse),
      cmocka_unit_test(incrementsInOrder),
      cmocka_unit_test(layoutsAreSumsOfProducts),
      cmocka_unit_test(composedLayoutsApplyBoth),
      cmocka_unit_test(stridedCoordinates),
      cmocka_unit_test(evalExamples),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
      cmocka_unit_test(modesOfCoordinatesAreLimited),
  };
  return RUN_TESTS(tests);
}
