// Complement: what a layout skips, in order, up to a bound.
#include "algebra_test_util.h"

static int64_t largestOf(CuteLayout a) {
  int64_t size, *image = imageOf(a, &size), last = image[size - 1];
  free(image);
  return last;
}

// Where the leaf with the largest stride ends.
static int64_t endOf(CuteLayout a) {
  Leaves l = leavesOf(a);
  int64_t end = 1;
  for (size_t i = 0; i < l.count; ++i)
    if (l.extent[i] > 1 && l.extent[i] * l.stride[i] > end)
      end = l.extent[i] * l.stride[i];
  return end;
}

static void checkOrdered(CuteLayout a, CuteLayout r) {
  Leaves l = leavesOf(r);
  for (size_t i = 1; i < l.count; ++i)
    assertLaw(l.stride[i - 1] < l.stride[i], a, r, i);
}

// Layout and complement together hit every index below the bound once.
static void fillsUpToTheTarget(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayoutOfSize(INJECTIVE_STRIDES, 40);
    int64_t target = endOf(a) * pick(1, 4);
    CuteLayout r = cuteLayoutComplement(context, a, integer(target));
    assertLaw(r, a, a, target);
    CuteLayout both = pairOf(a, r);
    assertLaw(sizeOf(both) == target && isBijective(both), a, r, target);
    checkOrdered(a, r);
  }
}

// A bound that the layout does not divide is rounded up.
static void coversAnyTarget(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayoutOfSize(INJECTIVE_STRIDES, 40);
    int64_t target = pick(1, 500), end = endOf(a);
    CuteLayout r = cuteLayoutComplement(context, a, integer(target));
    CuteLayout both = pairOf(a, r);
    assertLaw(isBijective(both), a, r, target);
    assertLaw(sizeOf(both) == (target + end - 1) / end * end, a, r, target);
    checkOrdered(a, r);
  }
}

static void withoutTargetEndsInTheCosize(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayoutOfSize(INJECTIVE_STRIDES, 40);
    CuteLayout r = cuteLayoutComplement(context, a, NULL);
    assertLaw(r, a, a, 0);
    Leaves l = leavesOf(r);
    CuteLayout both = pairOf(a, r);
    assertLaw(isBijective(both) && sizeOf(both) == endOf(a), a, r, 0);
    assertLaw(largestOf(both) < endOf(a), a, r, 0);
    assertLaw(l.extent[l.count - 1] == 1 && l.stride[l.count - 1] == endOf(a),
              a, r, 0);
  }
}

static void targetTuplesCountAsTheirProduct(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = randomLayoutOfSize(COMPACT_STRIDES, 16);
    int64_t n = sizeOf(a), m = pick(1, 6);
    CuteIntTuple extents[] = {integer(n), integer(m)};
    CuteLayout r = cuteLayoutComplement(
        context, a, cuteIntTupleGetTuple(context, 2, extents));
    assertLaw(r == cuteLayoutComplement(context, a, integer(n * m)), a, r, m);
  }
}

static void examples(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"6:3", "", "(3,1):(1,18)"},
      {"5:1", "", "1:5"},
      {"(3,2):(4,24)", "", "(4,2,1):(1,12,48)"},
      {"5:0", "", "1:1"},
      {"(2,3):(0,4)", "", "(4,1):(1,12)"},
      {"(4,2):(2@0,1@1)", "", "((2,1),1):((1@0,8@0),2@1)"},
      {"4:3@1", "", "(1,(3,1)):(1@0,(1@1,12@1))"},
      {"5:3", "60", "(3,4):(1,15)"},
      {"(3,7):(1,3)", "21", "1:21"},
      {"5:1", "1", "1:5"},
      {"5:0", "40", "40:1"},
      {"2:0", "1", "1:1"},
      {"5:3", "(7,4)", "(3,2):(1,15)"},
      {"5:3", "?", "(3,?):(1,15)"},
      {"5:1", "?{i64}", "?{i64}:5"},
      {"?:1", "40", "?:?"},
      {"5:?", "40", "(?,?):(1,?)"},
      {"(3,?):(1,12)", "96", "(4,?):(3,?)"},
      {"(?,3):(1,12)", "96", "(?,3):(?,36)"},
      {"5:3", "(4,?,3)", "(3,?):(1,15)"},
      {"4:2", "(24,?,?)", "(2,3,?):(1,8,24)"},
      {"4:0", "(?,7,5)", "(?,7,5):(1,?,?)"},
      // 40 / 5 tiles of a multiple of 40 elements.
      {"5:1", "?{div=40}", "?{div=8}:5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(cuteLayoutComplement(context, layout(cases[i][0]),
                                      *cases[i][1] ? tuple(cases[i][1]) : NULL),
                 cases[i][2]);
}

static void rejects(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(2,2):(1,1)", "", "stride 1 overlaps"},
      {"5:-1", "", "stride -1"},
      {"?:2", "", "?:2"},
      {"4:?", "", "4:?"},
      {"():()", "", "():()"},
      {"5:-3", "24", "complement"},
      {"5:3", "0", "positive extents, not 0"},
      {"5:3", "-4", "positive extents, not -4"},
      {"5:3", "(4,_)", "positive extents, not _"},
      {"(4,3):(1@0,1@1)", "(8,9)", "(1@0,1@1)"},
      {"(2,2):(1,1)", "24", "overlaps"},
      {"(2,4):(?,1)", "64", "must be static"},
      {"((2,4)):((?,?))", "64", "must be static"},
      {"S<2,1,3> o 0 o 8:1", "64", "not defined for composed layouts"},
      {"4:4611686018427387904", "8", "overflows 64 bits"},
      {"4:4611686018427387904", "", "overflows 64 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i][0],
        cuteLayoutComplement(context, layout(cases[i][0]),
                             *cases[i][1] ? tuple(cases[i][1]) : NULL),
        cases[i][2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fillsUpToTheTarget),
      cmocka_unit_test(coversAnyTarget),
      cmocka_unit_test(withoutTargetEndsInTheCosize),
      cmocka_unit_test(targetTuplesCountAsTheirProduct),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
