// Coalesce: the same function with as few modes as possible.
#include "algebra_test_util.h"

static void keepsTheFunction(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 4));
    CuteLayout r = cuteLayoutCoalesce(context, a, NULL);
    assertLaw(r && areSameFunction(a, r), a, r, 0);
  }
}

// No two neighbours could be one, no extent is 1, and nothing is nested.
static void leavesNothingToMerge(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 4));
    CuteLayout r = cuteLayoutCoalesce(context, a, NULL);
    Leaves l = leavesOf(r);
    size_t depth = cuteIntTupleGetDepth(cuteLayoutGetShape(r));
    assertLaw(depth == (l.count > 1), a, r, 0);
    for (size_t k = 0; k + 1 < l.count; ++k) {
      assertLaw(l.extent[k] != 1 && l.extent[k + 1] != 1, a, r, k);
      assertLaw(l.extent[k] * l.stride[k] != l.stride[k + 1], a, r, k);
    }
    assertLaw(cuteLayoutCoalesce(context, r, NULL) == r, a, r, 0);
  }
}

static void profileKeepsModesApart(void **state) {
  (void)state;
  CuteIntTuple profile = tuple("(_,_,_)");
  for (int i = 0; i < 300; ++i) {
    CuteLayout parts[3];
    CuteIntTuple shapes[3], strides[3];
    for (int k = 0; k < 3; ++k) {
      parts[k] = randomLayoutOfSize(ANY_STRIDES, 6);
      shapes[k] = cuteLayoutGetShape(parts[k]);
      strides[k] = cuteLayoutGetStride(parts[k]);
    }
    CuteLayout a =
        cuteLayoutGet(context, cuteIntTupleGetTuple(context, 3, shapes),
                      cuteIntTupleGetTuple(context, 3, strides));
    CuteLayout r = cuteLayoutCoalesce(context, a, profile);
    assertLaw(areSameFunction(a, r), a, r, 0);
    for (int k = 0; k < 3; ++k)
      assertLaw(modeOf(r, k) == cuteLayoutCoalesce(context, parts[k], NULL), a,
                r, k);
  }
}

static void examples(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"(3,(1,5)):(1,(8,3))", "15:1"},
      {"(5):(2)", "5:2"},
      {"(1,1):(7,3)", "1:3"},
      {"(3,?):(1,3)", "(3,?):(1,3)"},
      {"(?,1):(3,9)", "?:3"},
      {"(1,?):(7,1)", "?:1"},
      {"(2,1):(3,?)", "2:3"},
      {"(?,?):(0,0)", "(?,?):(0,0)"},
      {"(2,3):(0,0)", "6:0"},
      {"(2,3):(-1,-2)", "6:-1"},
      {"(2,3):(?,?)", "(2,3):(?,?)"},
      {"(4,3):(1@0,4@0)", "12:1@0"},
      {"(4,3):(1@0,4@1)", "(4,3):(1@0,4@1)"},
      {"(4,3):(?@0,4@0)", "(4,3):(?@0,4@0)"},
      {"(2,3,?,4,5):(1,2,6,3,12)", "(6,?,20):(1,6,3)"},
      {"():()", "():()"},
      {"S<2,1,3> o 0 o (2,4):(1,2)", "S<2,1,3> o 0 o 8:1"},
      {"(?{div=8},4):(1,?{i64 div=8})", "(?{div=8},4):(1,?{i64 div=8})"},
      // The product of extent and stride would not fit: no merge.
      {"(4,4):(4611686018427387904,0)", "(4,4):(4611686018427387904,0)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(cuteLayoutCoalesce(context, layout(cases[i][0]), NULL),
                 cases[i][1]);
  CuteLayout a = layout("(2,(3,4)):(1,(2,6))");
  assertLayout(cuteLayoutCoalesce(context, a, tuple("(1,1)")), "(2,12):(1,2)");
  assertLayout(cuteLayoutCoalesce(context, a, tuple("(1,(1,1))")),
               "(2,(3,4)):(1,(2,6))");
  assertLayout(cuteLayoutCoalesce(context, a, tuple("(?)")),
               "(2,(3,4)):(1,(2,6))");
  assertLayout(cuteLayoutCoalesce(context, layout("4:1"), tuple("(1)")),
               "(4):(1)");
}

static void rejects(void **state) {
  (void)state;
  CuteLayout a = layout("(2,(3,4)):(1,(2,6))");
  assertFails(cuteLayoutCoalesce(context, a, tuple("(1,1,1)")), "(1,1,1)");
  assertFails(cuteLayoutCoalesce(context, a, tuple("((1,1),1)")),
              "coalesce: profile (1,1)");
  // 2^64 coordinates, all at 0.
  a = layout("(4611686018427387904,4):(0,0)");
  assertFails(cuteLayoutCoalesce(context, a, NULL), "overflows 64 bits");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keepsTheFunction),
      cmocka_unit_test(leavesNothingToMerge),
      cmocka_unit_test(profileKeepsModesApart),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
