// Codes of floats against formulas and the nearest of all numbers.
#include "Hardware/float_code.h"
#include "check.h"

#include <math.h>

static const CuteElementType small[] = {
    CUTE_ELEMENT_F16,    CUTE_ELEMENT_BF16,   CUTE_ELEMENT_F8E4M3,
    CUTE_ELEMENT_F8E5M2, CUTE_ELEMENT_F6E2M3, CUTE_ELEMENT_F6E3M2,
    CUTE_ELEMENT_F4E2M1};
static const unsigned widths[] = {16, 16, 8, 8, 6, 6, 4};

static void everyCodeComesBack(void **state) {
  (void)state;
  for (size_t t = 0; t < sizeof small / sizeof *small; ++t)
    for (uint64_t code = 0; code < UINT64_C(1) << widths[t]; ++code) {
      double value = cuteFloatDecode(small[t], code);
      for (int r = 0; r <= CUTE_ROUND_UP && !isnan(value); ++r)
        assert_int_equal(
            cuteFloatEncode(small[t], value, (CuteRounding)r, false), code);
    }
}

// The codes of the finite numbers on either side of a positive one; above the
// largest there is none.
static void neighbours(CuteElementType type, unsigned width, double value,
                       uint64_t *below, uint64_t *above) {
  *above = UINT64_MAX;
  for (uint64_t code = 0; code < UINT64_C(1) << (width - 1); ++code) {
    double other = cuteFloatDecode(type, code);
    if (!isfinite(other))
      break;
    if (other <= value)
      *below = code;
    if (other >= value) {
      *above = code;
      break;
    }
  }
}

static uint64_t nearest(CuteElementType type, double value, uint64_t below,
                        uint64_t above, bool away) {
  double toBelow = value - cuteFloatDecode(type, below);
  double toAbove = cuteFloatDecode(type, above) - value;
  if (toBelow == toAbove)
    return away || below & 1 ? above : below;
  return toBelow < toAbove ? below : above;
}

static void numbersAreRounded(void **state) {
  uint64_t random = 1;
  (void)state;
  for (size_t t = 2; t < sizeof small / sizeof *small; ++t)
    for (int i = 0; i < 2000; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      double value =
          ldexp((double)(random >> 40), (int)(random >> 33 & 15) - 32);
      uint64_t low = 0, high, minus = UINT64_C(1) << (widths[t] - 1);
      neighbours(small[t], widths[t], value, &low, &high);
      if (high == UINT64_MAX)
        continue;
      uint64_t wanted[] = {nearest(small[t], value, low, high, false),
                           nearest(small[t], value, low, high, true), low, low,
                           high};
      for (int r = 0; r <= CUTE_ROUND_UP; ++r) {
        int mirrored = r == CUTE_ROUND_DOWN ? CUTE_ROUND_UP
                       : r == CUTE_ROUND_UP ? CUTE_ROUND_DOWN
                                            : r;
        assert_int_equal(
            cuteFloatEncode(small[t], value, (CuteRounding)r, false),
            wanted[r]);
        assert_int_equal(
            cuteFloatEncode(small[t], -value, (CuteRounding)mirrored, false),
            wanted[r] | minus);
      }
    }
}

static uint64_t encode(CuteElementType type, double value,
                       CuteRounding rounding, bool saturates) {
  return cuteFloatEncode(type, value, rounding, saturates);
}

static void largeNumbersFollowTheFormat(void **state) {
  (void)state;
  CuteRounding even = CUTE_ROUND_NEAREST_EVEN, zero = CUTE_ROUND_TO_ZERO;
  assert_int_equal(encode(CUTE_ELEMENT_F16, 65519, even, false), 0x7bff);
  assert_int_equal(encode(CUTE_ELEMENT_F16, 65520, even, false), 0x7c00);
  assert_int_equal(encode(CUTE_ELEMENT_F16, 65520, even, true), 0x7bff);
  assert_int_equal(encode(CUTE_ELEMENT_F16, 1e9, zero, false), 0x7bff);
  assert_int_equal(encode(CUTE_ELEMENT_F16, INFINITY, zero, false), 0x7c00);
  assert_int_equal(encode(CUTE_ELEMENT_F16, -1e9, CUTE_ROUND_UP, false),
                   0xfbff);
  assert_int_equal(encode(CUTE_ELEMENT_F16, NAN, even, true), 0x7fff);
  assert_int_equal(encode(CUTE_ELEMENT_F8E4M3, 480, even, false), 0x7f);
  assert_int_equal(encode(CUTE_ELEMENT_F8E4M3, -480, even, true), 0xfe);
  assert_int_equal(encode(CUTE_ELEMENT_F8E5M2, 1e9, even, true), 0x7b);
  assert_int_equal(encode(CUTE_ELEMENT_F4E2M1, 100, even, false), 7);
  assert_int_equal(encode(CUTE_ELEMENT_F4E2M1, NAN, even, false), 7);
  assert_int_equal(encode(CUTE_ELEMENT_F32, 1e300, even, false), 0x7f800000);
  assert_int_equal(encode(CUTE_ELEMENT_F32, 1e300, zero, false), 0x7f7fffff);
  assert_int_equal(encode(CUTE_ELEMENT_TF32, 1 + 0x1p-11, even, false),
                   0x3f800000);
  assert_int_equal(
      encode(CUTE_ELEMENT_TF32, 1 + 0x1p-11, CUTE_ROUND_NEAREST_AWAY, false),
      0x3f802000);
}

static void factorsAreExponents(void **state) {
  (void)state;
  CuteElementType type = CUTE_ELEMENT_F8E8M0;
  for (uint64_t code = 0; code < 255; ++code) {
    double value = cuteFloatDecode(type, code);
    assert_int_equal(encode(type, value, CUTE_ROUND_UP, false), code);
    assert_int_equal(encode(type, value, CUTE_ROUND_TO_ZERO, false), code);
    assert_int_equal(encode(type, value * 1.25, CUTE_ROUND_TO_ZERO, false),
                     code);
    assert_int_equal(encode(type, value * 1.25, CUTE_ROUND_UP, false),
                     code + 1);
  }
  assert_true(isnan(cuteFloatDecode(type, 255)));
  assert_int_equal(encode(type, -1, CUTE_ROUND_UP, true), 255);
  assert_int_equal(encode(type, INFINITY, CUTE_ROUND_UP, true), 254);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyCodeComesBack),
      cmocka_unit_test(numbersAreRounded),
      cmocka_unit_test(largeNumbersFollowTheFormat),
      cmocka_unit_test(factorsAreExponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
