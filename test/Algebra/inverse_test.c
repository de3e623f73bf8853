// Inverses: A(R(i)) = i and L(A(i)) = i.
#include "algebra_test_util.h"

static void rightInverseGoesBack(void **state) {
  (void)state;
  for (int i = 0; i < 400; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 4));
    CuteLayout r = cuteLayoutRightInverse(context, a);
    assertLaw(r, a, a, 0);
    for (int64_t c = 0, n = sizeOf(r); c < n; ++c)
      assertLaw(indexAt(a, indexAt(r, c)) == c, a, r, c);
  }
}

static void bijectionsHaveWholeInverses(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteLayout a = randomLayout(COMPACT_STRIDES);
    CuteLayout r = cuteLayoutRightInverse(context, a);
    CuteLayout l = cuteLayoutLeftInverse(context, a);
    assertLaw(sizeOf(r) == sizeOf(a) && isBijective(r), a, r, 0);
    assertLaw(l && areSameFunction(r, l), a, l, 0);
    assertLaw(areSameFunction(cuteLayoutRightInverse(context, r), a), a, r, 0);
  }
}

static void leftInverseGoesBack(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(INJECTIVE_STRIDES);
    CuteLayout l = cuteLayoutLeftInverse(context, a);
    assertLaw(l, a, a, 0);
    for (int64_t c = 0, n = sizeOf(a); c < n; ++c)
      assertLaw(indexAt(l, indexAt(a, c)) == c, a, l, c);
  }
}

static void examples(void **state) {
  (void)state;
  static const char *const right[][2] = {
      {"(4,6):(6,1)", "(6,4):(4,1)"},
      {"(4,6):(1,8)", "4:1"},
      {"(2,4,3):(1,8,2)", "(2,3):(1,8)"},
      {"6:2", "1:0"},
      {"4:-1", "1:0"},
      {"1:0", "1:0"},
      {"(4,6):(?,1)", "6:4"},
      {"(4,6):(1@1,1@0)", "(6,4):(4,1)"},
      {"(4,6):(2@0,1@1)", "(1,6):(0,4)"},
  };
  static const char *const left[][2] = {
      {"(4,6):(6,1)", "(6,4):(4,1)"},
      {"(4,6):(1,8)", "(8,6):(1,4)"},
      {"(4,6):(1,5)", "(5,6):(1,4)"},
      {"6:2", "(2,6):(0,1)"},
      {"(2,2):(1,1)", "2:2"},
      {"4:0", "1:0"},
      {"(4,6):(2@0,1@1)", "((2,4),6):((0,1),4)"},
      {"6:2@1", "(1,(2,6)):(0,(0,1))"},
      {"(6,6,2):(2,12,16)", "(2,8,2):(0,1,36)"},
  };
  for (size_t i = 0; i < sizeof right / sizeof *right; ++i)
    assertLayout(cuteLayoutRightInverse(context, layout(right[i][0])),
                 right[i][1]);
  for (size_t i = 0; i < sizeof left / sizeof *left; ++i)
    assertLayout(cuteLayoutLeftInverse(context, layout(left[i][0])),
                 left[i][1]);
}

static void rejects(void **state) {
  (void)state;
  assertFails(cuteLayoutRightInverse(context, layout("(?,6):(1,4)")),
              "right_inverse: the shape must be static, not (?,6)");
  assertFails(cuteLayoutRightInverse(context, layout("(4,6):(?@0,1@1)")),
              "right_inverse");
  assertFails(cuteLayoutRightInverse(context, layout("S<2,1,3> o 0 o 64:1")),
              "right_inverse: not defined for composed layouts");
  assertFails(cuteLayoutLeftInverse(context, layout("4:?")), "4:?");
  assertFails(cuteLayoutLeftInverse(context, layout("?:1")), "?:1");
  assertFails(cuteLayoutLeftInverse(context, layout("(2,4):(4,-1)")),
              "must not be negative in (4,-1)");
  assertFails(cuteLayoutLeftInverse(context, layout("(2,2):(2,5)")),
              "stride 5 is not a multiple of the 2");
  assertFails(cuteLayoutLeftInverse(context, layout("S<2,1,3> o 0 o 64:1")),
              "left_inverse: not defined for composed layouts");
  const char *huge = "(4611686018427387904,4,2):(1,0,7)";
  assertFails(cuteLayoutRightInverse(context, layout(huge)), "overflows");
  assertFails(cuteLayoutLeftInverse(context, layout(huge)), "overflows");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rightInverseGoesBack),
      cmocka_unit_test(bijectionsHaveWholeInverses),
      cmocka_unit_test(leftInverseGoesBack),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
