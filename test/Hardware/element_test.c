// The rows of dialect/hardware/element.def.
#include "Hardware/element.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static CuteElementType found(const char *name) {
  CuteElementType type = CUTE_ELEMENT_GC64;
  assert_true(cuteElementTypeFindAny(cuteStringRef(name), &type));
  return type;
}

// Each enumerator has a row, which its names in MLIR and C++ lead to.
static void everyTypeHasARow(void **state) {
  (void)state;
  for (int i = 0; i < CUTE_NUM_ELEMENT_TYPES; ++i) {
    const CuteElementInfo *e = cuteElementGetInfo((CuteElementType)i);
    assert_non_null(e->name);
    assert_int_equal(found(e->name), i);
    for (int j = 0; j < CUTE_MAX_CPP_NAMES && e->cpp[j]; ++j)
      assert_int_equal(found(e->cpp[j]), i);
  }
}

// The sign, exponent and mantissa of a float are its bits, as far as it has
// a byte for them.
static void formats(void **state) {
  (void)state;
  for (int i = 0; i < CUTE_NUM_ELEMENT_TYPES; ++i) {
    const CuteElementInfo *e = cuteElementGetInfo((CuteElementType)i);
    unsigned bits = (unsigned)(1 + e->exponentBits + e->mantissaBits);
    assert_int_equal(e->isFloat, e->exponentBits > 0);
    if (i == CUTE_ELEMENT_F8E8M0) // has no sign
      assert_int_equal(bits, 9);
    else if (i == CUTE_ELEMENT_TF32)
      assert_int_equal(bits, 19);
    else if (e->isFloat)
      assert_int_equal(bits, e->valueBits ? e->valueBits : e->bits);
    assert_true(!e->isPlain || (e->isFloat && e->bits >= 16));
    assert_true(!e->isUnsigned || !e->isFloat);
    assert_true(!e->inNvvmMma || e->ptx);
  }
}

static void integersWithoutASign(void **state) {
  (void)state;
  for (int i = 0; i < CUTE_NUM_TENSOR_ELEMENT_TYPES; ++i) {
    CuteElementType type = (CuteElementType)i;
    CuteElementType signless = cuteElementTypeGetSignless(type);
    const CuteElementInfo *e = cuteElementGetInfo(type);
    assert_int_equal(cuteElementTypeGetBits(signless), e->bits);
    if (!e->isUnsigned || e->valueName) {
      assert_int_equal(signless, type);
      continue;
    }
    char name[16];
    snprintf(name, sizeof name, "i%u", e->bits);
    assert_string_equal(cuteElementTypeGetName(signless), name);
  }
  assert_int_equal(cuteElementTypeGetSignless(CUTE_ELEMENT_UI8),
                   CUTE_ELEMENT_I8);
}

static void formatsOfFloats(void **state) {
  (void)state;
  static const struct {
    CuteElementType type;
    CuteFloatFormat format;
  } rows[] = {{CUTE_ELEMENT_F16, {16, 5, 10, true, true}},
              {CUTE_ELEMENT_TF32, {32, 8, 10, true, true}},
              {CUTE_ELEMENT_F8E4M3, {8, 4, 3, false, true}},
              {CUTE_ELEMENT_F6E3M2, {6, 3, 2, false, false}},
              {CUTE_ELEMENT_F8E8M0, {8, 8, 0, false, true}}};
  CuteFloatFormat f;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    assert_true(cuteElementTypeGetFormat(rows[i].type, &f));
    assert_int_equal(f.bits, rows[i].format.bits);
    assert_int_equal(f.exponentBits, rows[i].format.exponentBits);
    assert_int_equal(f.mantissaBits, rows[i].format.mantissaBits);
    assert_int_equal(f.hasInfinity, rows[i].format.hasInfinity);
    assert_int_equal(f.hasNan, rows[i].format.hasNan);
  }
  assert_false(cuteElementTypeGetFormat(CUTE_ELEMENT_I8, &f));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyTypeHasARow),
      cmocka_unit_test(formats),
      cmocka_unit_test(formatsOfFloats),
      cmocka_unit_test(integersWithoutASign),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
