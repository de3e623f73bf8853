// Layouts: construction, size and cosize, what is well-formed.
#include "algebra_test_util.h"

static void sizesFromTheDefinition(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 5));
    Leaves l = leavesOf(a);
    int64_t largest = 0;
    for (size_t k = 0; k < l.count; ++k)
      largest += (l.extent[k] - 1) * llabs(l.stride[k]);
    assertLaw(cuteLayoutGetSize(context, a) == integer(sizeOfLeaves(&l)), a, a,
              0);
    assertLaw(cuteLayoutGetCosize(context, a) == integer(largest + 1), a, a, 0);
    assertLaw(cuteLayoutGetRank(a) ==
                  cuteIntTupleGetRank(cuteLayoutGetShape(a)),
              a, a, 0);
    assertLaw(cuteLayoutGetNumDynamic(a) == 0, a, a, 0);
  }
}

static void flatteningKeepsTheFunction(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    CuteLayout r = cuteLayoutFlatten(context, a);
    assertLaw(areSameFunction(a, r), a, r, 0);
    assertLaw(cuteIntTupleGetDepth(cuteLayoutGetShape(r)) <= 1, a, r, 0);
    size_t rank = cuteLayoutGetRank(a);
    int64_t begin = pick(0, (int64_t)rank - 1);
    int64_t end = pick(begin + 1, (int64_t)rank);
    CuteLayout grouped = cuteLayoutGroup(context, a, begin, end);
    assertLaw(grouped && areSameFunction(a, grouped), a, grouped, begin);
    assertLaw(cuteLayoutFlatten(context, grouped) == r ||
                  cuteIntTupleGetDepth(cuteLayoutGetShape(a)) == 0,
              a, grouped, 0);
    assertLaw(cuteLayoutUnflatten(context, r, cuteLayoutGetShape(a)) == a ||
                  cuteIntTupleGetDepth(cuteLayoutGetShape(a)) == 0,
              a, r, 0);
  }
}

static void cosizes(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(4,6):(1,8)", "24", "44"},
      {"(4,6):(-1,6)", "24", "34"},
      {"4:0", "4", "1"},
      {"(?,?):(0,0)", "?", "1"},
      {"(4,6):(2@0,3@1)", "24", "112"},
      {"(4,6):(1@0,1@0)", "24", "9"},
      {"(4,?{i64}):(1,4)", "?{i64}", "?{i64}"},
      {"S<2,1,3> o 5 o (8,8):(8,1)", "64", "64"},
      {"():()", "1", "1"},
      {"(4,?):(?,1)", "?", "?"},
      {"(?{div=8},4):(1,?{i64 div=8})", "?{div=32}", "?{i64}"},
      {"2:9223372036854775806", "2", "9223372036854775807"},
      {"(2,1):(9223372036854775806,9)", "2", "9223372036854775807"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteLayout a = layout(cases[i][0]);
    assertTuple(cuteLayoutGetSize(context, a), cases[i][1]);
    assertTuple(cuteLayoutGetCosize(context, a), cases[i][2]);
  }
}

static void overflowIsAnError(void **state) {
  (void)state;
  CuteLayout a = layout("(4611686018427387904,4):(0,0)");
  assertFails(cuteLayoutGetSize(context, a), "overflows 64 bits");
  assertTuple(cuteLayoutGetCosize(context, a), "1");
  assertTuple(cuteLayoutGetSize(context, layout("(4611686018427387904,1)")),
              "4611686018427387904");
  assertFails(
      cuteLayoutGetSize(context, layout("(2147483648,2147483648,2):(0,0,0)")),
      "overflows 64 bits");
  assertFails(cuteLayoutGetCosize(context, layout("2:9223372036854775807")),
              "overflows 64 bits");
  assertFails(cuteLayoutGetCosize(context, layout("3:4611686018427387904")),
              "overflows 64 bits");
  assertFails(cuteLayoutGetCosize(context, layout("(2,2):(4611686018427387904,"
                                                  "4611686018427387904)")),
              "overflows 64 bits");
  assertFails(cuteLayoutGetCosize(context, layout("2:-9223372036854775808")),
              "overflows 64 bits");
  assertFails(cuteLayoutGet(context, tuple("(4611686018427387904,4)"), NULL),
              "4611686018427387904 * 4 overflows 64 bits");
  assertFails(
      cuteLayoutGet(context, tuple("(4611686018427387904,(2,3))"), NULL),
      "overflows 64 bits");
  assertFails(cuteLayoutGetCosize(context, layout("8:1 o 0 o 4:1")), "cosize");
}

static void compactStrides(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"1", "1:0"},
      {"(1,1)", "(1,1):(0,0)"},
      {"(4,(2,1),5)", "(4,(2,1),5):(1,(4,0),8)"},
      {"((1,4),5)", "((1,4),5):((0,1),4)"},
      {"?", "?:1"},
      {"(?,5)", "(?,5):(1,?)"},
      {"(1,?)", "(1,?):(0,1)"},
      {"(3,?,5)", "(3,?,5):(1,3,?)"},
      {"(3,?{i64},5)", "(3,?{i64},5):(1,3,?{i64})"},
      {"(?{div=8},4,2)", "(?{div=8},4,2):(1,?{div=8},?{div=32})"},
      {"()", "():()"},
      {"(())", "(()):(())"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(cuteLayoutGet(context, tuple(cases[i][0]), NULL), cases[i][1]);
  CuteLayout a = cuteLayoutGet(context, tuple("(4,5)"), stride("(7,-1)"));
  assertTuple(cuteLayoutGetShape(a), "(4,5)");
  assertTuple(cuteLayoutGetStride(a), "(7,-1)");
}

static void illFormed(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(4,0)", "(1,4)", "positive integer, not 0"},
      {"(4,-5)", "(1,4)", "positive integer, not -5"},
      {"(4,5)", "1", "shape (4,5) is not congruent to stride 1"},
      {"4", "(1)", "shape 4 is not congruent to stride (1)"},
      {"(4,(5,6))", "((1,2),3)", "is not congruent"},
      {"(4,_)", "(1,4)", "positive integer, not _"},
      {"(4,x)", "(1,4)", "positive integer, not x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i][0],
        cuteLayoutGet(context, tuple(cases[i][0]), stride(cases[i][1])),
        cases[i][2]);
  assertFails(cuteLayoutGet(context, tuple("4"), tuple("_")), "stride");
  assertFails(cuteLayoutGet(context, tuple("4"), tuple("x")), "error leaf");
  assertFails(cuteLayoutGet(context, tuple("(4,0)"), NULL), "not 0");
  assertFails(cuteLayoutGet(context, tuple("_"), NULL), "not _");
  assert_null(cuteLayoutGet(context, NULL, NULL));
  assert_null(cuteLayoutGet(context, NULL, tuple("1")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizesFromTheDefinition),
      cmocka_unit_test(flatteningKeepsTheFunction),
      cmocka_unit_test(cosizes),
      cmocka_unit_test(overflowIsAnError),
      cmocka_unit_test(compactStrides),
      cmocka_unit_test(illFormed),
  };
  return RUN_TESTS(tests);
}
