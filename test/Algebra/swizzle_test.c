// Swizzles: an involution that xors bits into bits, alone and in layouts.
#include "algebra_test_util.h"

// Every valid swizzle with few bits, and some random values for each.
static void xorsBitByBit(void **state) {
  (void)state;
  size_t valid = 0;
  for (int bits = 0; bits <= 8; ++bits)
    for (int base = 0; base <= 24; ++base)
      for (int shift = -24; shift <= 24; ++shift) {
        CuteSwizzle s = {bits, base, shift};
        bool isValid = abs(shift) >= bits && abs(shift) + bits + base <= 32;
        assert_int_equal(cuteSwizzleIsValid(s), isValid);
        if (!isValid)
          continue;
        ++valid;
        for (int i = 0; i < 4; ++i) {
          uint64_t v = (uint64_t)pick(0, INT64_C(1) << 40);
          uint64_t w = cuteSwizzleGetValue(s, v);
          assert_int_equal((int64_t)w, swizzled(s, (int64_t)v));
          assert_int_equal(cuteSwizzleGetValue(s, w), v);
        }
      }
  assert_true(valid > 1000);
}

static void validity(void **state) {
  (void)state;
  static const CuteSwizzle bad[] = {
      {-1, 0, 0},  {1, -1, 1}, {2, 0, 1},
      {2, 0, -1},  {1, 31, 1}, {0, 33, 0},
      {0, 0, -33}, {33, 0, 0}, {INT32_MAX, INT32_MAX, INT32_MIN}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_false(cuteSwizzleIsValid(bad[i]));
  assert_true(cuteSwizzleIsValid((CuteSwizzle){0, 32, 0}));
  assert_true(cuteSwizzleIsValid((CuteSwizzle){16, 0, -16}));
  // The example of the definition: bits 4 and 5 into bits 1 and 2.
  assert_int_equal(cuteSwizzleGetValue((CuteSwizzle){2, 1, 3}, 25), 27);
}

// Of a whole power of two of indices the swizzle is a permutation.
static void permutesLayouts(void **state) {
  (void)state;
  static const char *const texts[] = {
      "S<3,3,3> o 0 o (8,64):(64,1)", "S<2,1,3> o 0 o (8,8):(8,1)",
      "S<2,0,-4> o 0 o 64:1", "S<1,2,2> o 0 o (4,8):(1,4)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    CuteLayout a = layout(texts[i]);
    assertLaw(isBijective(a), a, a, i);
    for (int64_t c = 0, n = sizeOf(a); c < n; ++c)
      assertLaw(cuteLayoutEval(context, a, integer(c)) ==
                    integer(indexAt(a, c)),
                a, a, c);
  }
}

//===-- Parts of composed layouts -----------------------------------------===//

static void composedParts(void **state) {
  (void)state;
  CuteLayout a = layout("S<2,1,3> o 5 o (8,8):(8,1)");
  CuteLayout b = layout("(8,?):(1,8) o ? o (2,4):(4,1)");
  CuteLayout plain = layout("(8,8):(8,1)");
  assert_true(cuteLayoutIsComposed(a) && cuteLayoutHasSwizzle(a));
  assert_true(cuteLayoutIsComposed(b) && !cuteLayoutHasSwizzle(b));
  assert_false(cuteLayoutIsComposed(plain) || cuteLayoutHasSwizzle(plain));
  CuteSwizzle s = cuteLayoutGetSwizzle(a);
  assert_int_equal(s.bits * 100 + s.base * 10 + s.shift, 213);
  assertTuple(cuteLayoutGetOffset(a), "5");
  assert_null(cuteLayoutGetOffset(plain));
  assert_null(cuteLayoutGetInner(a));
  assertLayout(cuteLayoutGetInner(b), "(8,?):(1,8)");
  assert_ptr_equal(cuteLayoutGetOuter(context, a), plain);
  assert_ptr_equal(cuteLayoutGetOuter(context, plain), plain);
  assert_int_equal(cuteLayoutGetNumDynamic(b), 2);
  assert_int_equal(cuteLayoutGetRank(b), 2);
}

static void construction(void **state) {
  (void)state;
  CuteLayout b = layout("8:1");
  CuteSwizzle s = {2, 0, 3}, none = {0, 4, 3};
  assertLayout(cuteLayoutGetSwizzled(context, s, integer(0), b),
               "S<2,0,3> o 0 o 8:1");
  assertLayout(cuteLayoutGetSwizzled(context, none, integer(1), b),
               "S<0,4,3> o 1 o 8:1");
  assertFails(cuteLayoutGetSwizzled(context, none, integer(0), b),
              "composes nothing");
  assert_ptr_equal(cuteLayoutComposeSwizzle(context, none, integer(0), b), b);
  assertLayout(cuteLayoutComposeSwizzle(context, s, integer(0), b),
               "S<2,0,3> o 0 o 8:1");
  assertFails(cuteLayoutGetSwizzled(context, s, tuple("(0)"), b),
              "needs a scalar offset");
  assertFails(cuteLayoutGetSwizzled(context, s, integer(0), layout("4:1@0")),
              "integer strides, not 0 and 1@0");
  assertFails(cuteLayoutGetSwizzled(context, s, integer(0),
                                    layout("S<2,0,3> o 0 o 8:1")),
              "B must be a plain layout");
  assertFails(cuteLayoutGetComposed(context, b, integer(0),
                                    layout("S<2,0,3> o 0 o 8:1")),
              "A and B must be plain layouts");
  assertFails(cuteLayoutGetComposed(context, layout("(4,5)"), integer(3),
                                    layout("(2,3):(1@0,1@1)")),
              "offset 3 does not fit");
  assertFails(cuteLayoutGetComposed(context, layout("20:1"), tuple("(1,2)"),
                                    layout("(2,3):(1@0,1@1)")),
              "is not a coordinate of the shape of A, 20");
  assertFails(cuteLayoutGetComposed(context, b, tuple("_"), b), "not _");
}

//===-- Other units and composition ---------------------------------------===//

static CuteSwizzle swizzle(const char *text) {
  CuteSwizzle s;
  if (!cuteSwizzleParse(context, cuteStringRef(text), &s))
    fail_msg("%s: %s", text, cuteContextGetError(context));
  return s;
}

static const char *swizzleText(CuteSwizzle s) {
  TextBuffer *buffer = nextBuffer();
  cuteSwizzlePrint(s, appendPiece, buffer);
  return buffer->data;
}

// Scaling by n before or after a swizzle of other units is the same.
static void unitsChange(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteSwizzle s = {(int)pick(0, 3), (int)pick(0, 5), (int)pick(3, 5)}, up,
                down;
    if (i % 2)
      s.shift = -s.shift;
    int64_t n = INT64_C(1) << pick(0, s.base);
    assert_true(cuteSwizzleDowncast(context, s, n, &down));
    assert_true(cuteSwizzleUpcast(context, s, n, &up));
    for (int64_t v = 0; v < 600; v += 7) {
      assert_int_equal(swizzled(down, v * n), swizzled(s, v) * n);
      assert_int_equal(swizzled(up, v) * n, swizzled(s, v * n));
    }
  }
  CuteSwizzle r;
  assert_true(cuteSwizzleUpcast(context, swizzle("S<3,1,3>"), 4, &r));
  assert_string_equal(swizzleText(r), "S<2,0,3>");
  assertFails(cuteSwizzleUpcast(context, swizzle("S<3,1,3>"), 3, &r),
              "powers of two, not by 3");
  assertFails(cuteSwizzleUpcast(context, swizzle("S<3,1,3>"), 0, &r),
              "powers of two, not by 0");
  assertFails(cuteSwizzleDowncast(context, swizzle("S<3,1,3>"), -2, &r),
              "powers of two, not by -2");
  assertFails(
      cuteSwizzleDowncast(context, swizzle("S<3,4,3>"), INT64_C(1) << 30, &r),
      "there is no swizzle");
}

static void composition(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"S<2,0,3>", "S<1,2,3>", "S<3,0,3>"},
      {"S<2,1,3>", "S<2,1,3>", "S<0"},
      {"S<3,0,4>", "S<1,2,4>", "S<2,0,4>"},
      {"S<3,0,4>", "S<1,0,4>", "S<2,1,4>"},
      {"S<0,0,4>", "S<3,1,4>", "S<3,1,4>"},
      {"S<1,1,-3>", "S<1,0,-3>", "S<2,0,-3>"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteSwizzle a = swizzle(cases[i][0]), b = swizzle(cases[i][1]), r;
    assert_true(cuteSwizzleCompose(context, a, b, &r));
    assert_memory_equal(swizzleText(r), cases[i][2], strlen(cases[i][2]));
    for (int64_t v = 0; v < 1024; ++v)
      assert_int_equal(swizzled(r, v), swizzled(a, swizzled(b, v)));
  }
  CuteSwizzle r;
  assertFails(
      cuteSwizzleCompose(context, swizzle("S<1,0,3>"), swizzle("S<1,0,4>"), &r),
      "shifts 3 and 4");
  assertFails(
      cuteSwizzleCompose(context, swizzle("S<1,0,3>"), swizzle("S<1,2,3>"), &r),
      "are not side by side");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xorsBitByBit),    cmocka_unit_test(validity),
      cmocka_unit_test(permutesLayouts), cmocka_unit_test(composedParts),
      cmocka_unit_test(construction),    cmocka_unit_test(unitsChange),
      cmocka_unit_test(composition),
  };
  return RUN_TESTS(tests);
}
