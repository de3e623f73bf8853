// Composition: R(c) = A(B(c)) at every c. No layout can say that of a B whose
// modes carry into one another, so the random ones keep apart.
#include "algebra_test_util.h"

static CuteLayout compose(CuteLayout a, CuteLayout b) {
  return cuteLayoutComposition(context, a, cuteTileGetLayout(context, b));
}

static void checkComposition(CuteLayout a, CuteLayout b) {
  CuteLayout r = compose(a, b);
  assertLaw(r, a, b, 0);
  int64_t size = sizeOf(b);
  assertLaw(sizeOf(r) == size, a, b, size);
  assertLaw(cuteIntTupleIsWeaklyCongruent(cuteLayoutGetShape(b),
                                          cuteLayoutGetShape(r)),
            a, b, 0);
  for (int64_t c = 0; c < size; ++c)
    assertLaw(indexAt(r, c) == indexAt(a, indexAt(b, c)), a, b, c);
}

static void powersOfTwo(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = randomLayout(POWER_STRIDES);
    checkComposition(a, randomLayoutOfSize(BIT_STRIDES, 64));
  }
}

static int64_t randomDivisor(int64_t n) {
  int64_t divisor = pick(1, n);
  while (n % divisor)
    --divisor;
  return divisor;
}

// A leaf that starts at a divisor of some mode of A and runs on over whole
// modes: what a composition can express whatever the extents.
static void pushFittingLeaf(const Leaves *a, Leaves *b) {
  size_t mode = (size_t)pick(0, (int64_t)a->count - 1);
  int64_t before = 1;
  for (size_t i = 0; i < mode; ++i)
    before *= a->extent[i];
  int64_t skipped = randomDivisor(a->extent[mode]);
  int64_t extent = a->extent[mode] / skipped;
  if (pick(0, 1) && mode + 1 < a->count)
    extent *= randomDivisor(a->extent[mode + 1]);
  else
    extent = randomDivisor(extent);
  b->extent[b->count] = extent;
  b->stride[b->count++] = before * skipped;
}

static void anyExtents(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    Leaves from = leavesOf(a), to = {.count = 0};
    pushFittingLeaf(&from, &to);
    to.extent[1] = pick(1, 3); // repeats the other mode
    to.stride[1] = 0;
    CuteIntTuple shape[] = {integer(to.extent[0]), integer(to.extent[1])};
    checkComposition(
        a, withStrides(cuteIntTupleGetTuple(context, 2, shape), to.stride));
  }
}

// The indices of `a` are coordinates of `b`.
static bool stepsWithin(CuteLayout a, CuteLayout b) {
  bool within = true;
  for (int64_t c = 0, n = sizeOf(a); c < n; ++c)
    within &= indexAt(a, c) < sizeOf(b);
  return within;
}

static void isAssociative(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = randomLayout(POWER_STRIDES);
    CuteLayout b = randomLayoutOfSize(BIT_STRIDES, 64);
    CuteLayout c = randomLayoutOfSize(BIT_STRIDES, 16);
    assertLaw(!stepsWithin(c, b) || areSameFunction(compose(compose(a, b), c),
                                                    compose(a, compose(b, c))),
              a, b, 0);
  }
}

static void composedLeftSides(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteSwizzle s = {(int)pick(1, 3), (int)pick(0, 3), 3};
    CuteLayout a = cuteLayoutGetSwizzled(context, s, integer(pick(0, 40)),
                                         randomLayout(POWER_STRIDES));
    checkComposition(a, randomLayoutOfSize(BIT_STRIDES, 64));
    a = cuteLayoutGetComposed(context, randomLayout(ANY_STRIDES),
                              integer(pick(0, 9)), randomLayout(POWER_STRIDES));
    checkComposition(a, randomLayoutOfSize(BIT_STRIDES, 64));
  }
}

static void modeByMode(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a0 = randomLayoutOfSize(POWER_STRIDES, 32);
    CuteLayout a1 = randomLayoutOfSize(POWER_STRIDES, 32);
    CuteLayout b0 = randomLayoutOfSize(POWER_STRIDES, 16);
    CuteTile tiles[] = {cuteTileGetLayout(context, b0),
                        cuteTileGetUnderscore(context)};
    CuteTile t = cuteTileGetTuple(context, 2, tiles);
    CuteLayout r = cuteLayoutComposition(context, pairOf(a0, a1), t);
    assertLaw(modeOf(r, 0) == compose(a0, b0) && modeOf(r, 1) == a1, a0, b0, 0);
  }
}

static void examples(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(9,5):(5,2)", "(6,2):(3,1)", "((3,2),2):((15,2),5)"},
      {"30:7", "(6,5):(5,1)", "(6,5):(35,7)"},
      {"(7,3):(3,1)", "42:1", "(7,6):(3,1)"},
      {"(4,5):(1,10)", "20:-1", "(4,5):(-1,-10)"},
      {"(4,5):(1,10)", "(4,1):(1,100)", "(4,1):(1,250)"},
      {"(8,4):(4,1)", "[4;2]", "(4,2):(4,1)"},
      {"(8,4):(4,1)", "[4:2;_]", "(4,4):(8,1)"},
      {"(8,4):(4,1)", "[4]", "(4):(4)"},
      {"(8,4):(4,1)", "_", "(8,4):(4,1)"},
      {"6:4", "[[3]]", "((3)):((4))"},
      {"6:4", "[[[3:2]]]", "(((3))):(((8)))"},
      {"((2,4),4):((1,2),8)", "[[2;2];2]", "((2,2),2):((1,2),8)"},
      {"(8,4):(4,1)", "(2,3):(1@1,1@0)", "(2,3):(1,4)"},
      {"(4,5):(1@0,1@1)", "(5,4):(4,1)", "(5,4):(1@1,1@0)"},
      {"S<2,1,3> o 0 o (8,4):(4,1)", "(2,8):(8,1)",
       "S<2,1,3> o 0 o (2,8):(1,4)"},
      {"(8,4):(4,1)", "?:2", "(?,?):(8,1)"},
      {"(8,4):(4,1)", "(?,2):(1,8)", "((?,?),2):((4,1),1)"},
      {"(8,?):(?,1)", "16:1", "(8,2):(?,1)"},
      {"(8,?):(1,8)", "16:1", "16:1"},
      {"(?,5):(1,?)", "5:1", "(?,?):(1,?)"},
      {"?:3", "4:?", "4:?"},
      {"32:3", "?:?{i64}", "?:?{i64}"},
      {"(4,6):(1,10)", "?:4", "?:10"},
      {"(?,?):(?,1)", "[?;2]", "(?,2):(?,1)"},
      {"(?{i64},?):(1,?)", "?:1", "(?{i64},?{i64}):(1,?{i64})"},
      // A stride that is written as a multiple of 8 gives multiples of 16.
      {"(4,8):(1,?{i64 div=8})", "[4;4:2]", "(4,4):(1,?{i64 div=16})"},
      {"?:?{div=4}", "6:3", "6:?{div=12}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(
        cuteLayoutComposition(context, layout(cases[i][0]), tile(cases[i][1])),
        cases[i][2]);
}

static void rejects(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(7,3):(3,1)", "9:1", "extent 9 is not a multiple of the 7"},
      {"(4,6):(1,10)", "2:6", "stride 6 is at least the extent 4"},
      {"(4,6):(1,10)", "?:6", "stride 6"},
      {"(8,4):(4,1)", "[4;2;1]", "the tiler has 3 modes, the layout 2"},
      {"(8,4):(4,1)", "[[2;2];2]", "composition: the tiler has 2 modes"},
      {"6:4", "[[3;2]]", "composition: the tiler has 2 modes"},
      {"((32,2),4):((3,1),8)", "[-8:1;_]", "extent -8 on the right must be"},
      {"32:1", "(2,2):(2@0,1@1)", "(2@0,1@1)"},
      {"(8,(4,2)):(8,(2,1))", "2:1@1@2", "addresses more modes than the left"},
      {"(8,(4,2)):(8,(2,1))", "2:1@2@1", "has more modes than the layout's"},
      {"(8,4):(4,1)", "(2,?):(1@0,1@1)", "must have a static extent"},
      {"():()", "4:1", "composition: the left layout is empty"},
      {"(4,4):(1,4611686018427387904)", "16:8", "overflows 64 bits"},
      {"4:3", "4:4611686018427387904", "overflows 64 bits"},
      {"4:3", "x", "x"},
      {"(4,6):(1,10)", "(2,3):4", "x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i][1],
        cuteLayoutComposition(context, layout(cases[i][0]), tile(cases[i][1])),
        cases[i][2]);
  CuteTile swizzled =
      cuteTileGetLayout(context, layout("S<1,0,1> o 0 o (2,2):(1,2)"));
  assertFails(cuteLayoutComposition(context, layout("8:1"), swizzled),
              "plain layouts only");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powersOfTwo),   cmocka_unit_test(anyExtents),
      cmocka_unit_test(isAssociative), cmocka_unit_test(composedLeftSides),
      cmocka_unit_test(modeByMode),    cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
