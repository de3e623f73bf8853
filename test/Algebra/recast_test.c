// Recast: the same bytes counted in other units.
#include "algebra_test_util.h"

// The units of n that hold an index of A are the indices of the recast layout.
static void upcastFindsTheUnits(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(BIT_STRIDES);
    int64_t n = INT64_C(1) << pick(0, 3), size, wide;
    CuteLayout r = cuteLayoutUpcast(context, a, n);
    assertLaw(r && cuteLayoutRecast(context, a, 8 * n, 8) == r, a, r, n);
    int64_t *fine = imageOf(a, &size), *coarse = imageOf(r, &wide);
    int64_t at = 0;
    for (int64_t k = 0; k < size; ++k) {
      while (at < wide && coarse[at] < fine[k] / n)
        ++at;
      assertLaw(at < wide && coarse[at] == fine[k] / n, a, r, n);
    }
    for (int64_t k = 0; k < wide; ++k) {
      bool occurs = false;
      for (int64_t j = 0; j < size; ++j)
        occurs |= fine[j] / n == coarse[k];
      assertLaw(occurs, a, r, n);
    }
    free(fine);
    free(coarse);
  }
}

// Each index becomes n neighbours where a mode of stride 1 takes them up.
static void downcastDividesTheUnits(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    // An extent of 1 could have stride 1 as well.
    CuteLayout a =
        cuteLayoutCoalesce(context, randomLayout(COMPACT_STRIDES), NULL);
    int64_t n = pick(1, 5);
    if (sizeOf(a) == 1)
      continue;
    CuteLayout r = cuteLayoutRecast(context, a, 8, 8 * n);
    assertLaw(r && sizeOf(r) == n * sizeOf(a) && isBijective(r), a, r, n);
    assertLaw(cuteLayoutRecast(context, r, 8 * n, 8) == a, a, r, n);
  }
}

static void swizzlesKeepTheirBytes(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    CuteSwizzle s = {(int)pick(1, 3), (int)pick(3, 4), (int)pick(3, 4)};
    int64_t n = INT64_C(1) << pick(1, 3);
    CuteLayout a = cuteLayoutGetSwizzled(context, s, integer(n * pick(0, 9)),
                                         layout("(16,32):(32,1)"));
    CuteLayout up = cuteLayoutRecast(context, a, n, 1);
    CuteLayout down = cuteLayoutRecast(context, a, 1, n);
    assertLaw(up && down, a, up, n);
    // Unit (row, column) of the recast layout begins at n times its index.
    for (int64_t row = 0; row < 16; ++row)
      for (int64_t column = 0; column < 32; ++column) {
        int64_t c = row + 16 * column;
        assertLaw(indexAt(up, row + 16 * (column / n)) == indexAt(a, c) / n, a,
                  up, c);
        assertLaw(indexAt(down, row + 16 * column * n) == indexAt(a, c) * n, a,
                  down, c);
      }
  }
}

static void examples(void **state) {
  (void)state;
  static const struct {
    int64_t newBits, oldBits;
    const char *layout, *result;
  } cases[] = {
      {32, 8, "(12,5):(1,12)", "(3,5):(1,3)"},
      {8, 32, "(12,5):(1,12)", "(48,5):(1,48)"},
      {12, 8, "(6,4):(1,6)", "(4,4):(1,4)"},
      {16, 8, "(8,4):(3,24)", "(8,4):(2,12)"},
      {32, 8, "(6,4):(1,6)", "(2,4):(1,2)"},
      {32, 8, "(8,4):(4,1)", "(8,1):(1,1)"},
      {32, 8, "(?,9):(1,?)", "(?,9):(1,?)"},
      {16, 8, "(8,4):(-1,8)", "(4,4):(-1,4)"},
      {16, 8, "(8,4):(0,8)", "(8,4):(0,4)"},
      {8, 8, "(8,4):(3,8)", "(8,4):(3,8)"},
      {8, 8, "2:4@0 o 2 o 2:4", "2:4@0 o 2 o 2:4"},
      {16, 8, "S<2,3,3> o 4 o (8,8):(8,1)", "S<2,2,3> o 2 o (8,4):(4,1)"},
      {8, 16, "S<2,3,3> o 3 o (8,8):(8,1)", "S<2,4,3> o 6 o (8,16):(16,1)"},
      {16, 8, "(8,8):(8,1) o 4 o (4,4):(1,8)", "(8,4):(4,1) o 2 o (2,4):(1,4)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertLayout(cuteLayoutRecast(context, layout(cases[i].layout),
                                  cases[i].newBits, cases[i].oldBits),
                 cases[i].result);
}

static void rejects(void **state) {
  (void)state;
  static const struct {
    int64_t newBits, oldBits;
    const char *layout, *message;
  } cases[] = {
      {8, 8, "(8,4):(1@0,1@1)", "strides must be integers, not (1@0,1@1)"},
      {8, 16, "2:4@0 o 2 o 2:4", "strides must be integers, not 4@0"},
      {0, 8, "8:1", "widths must be positive, not 0 and 8"},
      {8, -8, "8:1", "widths must be positive, not 8 and -8"},
      {16, 8, "S<2,3,3> o 3 o (8,8):(8,1)", "offset 3 must be"},
      {16, 8, "S<2,3,3> o ? o (8,8):(8,1)", "offset ? must be"},
      {32, 8, "S<2,1,3> o 0 o (8,8):(8,1)", "recast_layout: the swizzle"},
      {1, INT64_C(1) << 62, "8:1", "overflows 64 bits"},
      {1, INT64_C(1) << 62, "8:4", "overflows 64 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(cases[i].layout,
                   cuteLayoutRecast(context, layout(cases[i].layout),
                                    cases[i].newBits, cases[i].oldBits),
                   cases[i].message);
  assertFails(cuteLayoutUpcast(context, layout("(4,4):(1,6)"), 4),
              "upcast: every stride must divide 4");
  assertFails(cuteLayoutUpcast(context, layout("4:1"), 0), "upcast");
  assertFails(cuteLayoutUpcast(context, layout("4:1@0"), 2), "upcast");
  assertFails(
      cuteLayoutUpcast(context, layout("S<2,1,3> o 3 o (8,8):(8,1)"), 2),
      "upcast: the units do not divide the offset 3");
  assertFails(cuteLayoutDowncast(context, layout("(4,4):(2,8)"), 2),
              "downcast: no stride is 1 in (2,8)");
  assertFails(cuteLayoutDowncast(context, layout("4:1"), -1), "downcast");
  assertLayout(cuteLayoutDowncast(context, layout("(4,4):(1,8)"), 2),
               "(8,4):(1,16)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(upcastFindsTheUnits),
      cmocka_unit_test(downcastDividesTheUnits),
      cmocka_unit_test(swizzlesKeepTheirBytes),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
