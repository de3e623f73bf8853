// Leaf arithmetic: exact or an error on static integers, the folds and widths
// of the open dialect, and the divisors of dynamic ones.
#include "Algebra/algebra.h"
#include "algebra_test_util.h"

typedef CuteIntTuple Binary(CuteContext c, CuteIntTuple a, CuteIntTuple b);

//===-- Static ------------------------------------------------------------===//

static int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b && (a % b < 0) != (b < 0));
}

static void matchesIntegers(void **state) {
  (void)state;
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -9; b <= 9; ++b) {
      CuteIntTuple x = integer(a), y = integer(b);
      assert_ptr_equal(cuteLeafAdd(context, x, y), integer(a + b));
      assert_ptr_equal(cuteLeafSub(context, x, y), integer(a - b));
      assert_ptr_equal(cuteLeafMul(context, x, y), integer(a * b));
      assert_ptr_equal(cuteLeafMin(context, x, y), integer(a < b ? a : b));
      assert_ptr_equal(cuteLeafAnd(context, x, y), integer(a & b));
      assert_ptr_equal(cuteLeafXor(context, x, y), integer(a ^ b));
      assert_ptr_equal(cuteLeafSelectLess(context, x, y, y, x),
                       integer(a < b ? b : a));
      if (!b)
        continue;
      assert_ptr_equal(cuteLeafDiv(context, x, y), integer(a / b));
      assert_ptr_equal(cuteLeafMod(context, x, y), integer(a % b));
      assert_ptr_equal(cuteLeafCeilDiv(context, x, y),
                       integer(-floorDivide(-a, b)));
    }
}

static void shapeDivNeedsDivisibility(void **state) {
  (void)state;
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -9; b <= 9; ++b) {
      CuteIntTuple r = cuteLeafShapeDiv(context, integer(a), integer(b));
      bool fits = b && (a % b == 0 || (a && b % a == 0));
      assert_int_equal(r != NULL, fits);
      int64_t quotient = fits ? a / b : 0;
      if (fits && a && !quotient)
        quotient = (a < 0) == (b < 0) ? 1 : -1;
      if (fits)
        assert_ptr_equal(r, integer(quotient));
    }
}

static void unaryAndShifts(void **state) {
  (void)state;
  assert_ptr_equal(cuteLeafAbs(context, integer(-7)), integer(7));
  assert_ptr_equal(cuteLeafSignum(context, integer(-7)), integer(-1));
  assert_ptr_equal(cuteLeafSignum(context, integer(0)), integer(0));
  assert_ptr_equal(cuteLeafShl(context, integer(3), 4), integer(48));
  assert_ptr_equal(cuteLeafShr(context, integer(48), 4), integer(3));
  assert_ptr_equal(cuteLeafShr(context, integer(-1), 1), integer(INT64_MAX));
}

static void overflowIsAnError(void **state) {
  (void)state;
  CuteIntTuple max = integer(INT64_MAX), min = integer(INT64_MIN);
  CuteIntTuple one = integer(1), less = integer(-1), two = integer(2);
  assertFails(cuteLeafAdd(context, max, one), "9223372036854775807 + 1");
  assertFails(cuteLeafAdd(context, min, less), "overflows 64 bits");
  assertFails(cuteLeafSub(context, min, one), "-9223372036854775808 - 1");
  assertFails(cuteLeafSub(context, integer(0), min), "overflows 64 bits");
  assertFails(cuteLeafMul(context, max, two), "9223372036854775807 * 2");
  assertFails(cuteLeafMul(context, min, less), "overflows 64 bits");
  assertFails(cuteLeafDiv(context, min, less), "overflows 64 bits");
  assertFails(cuteLeafCeilDiv(context, min, less), "overflows 64 bits");
  assertFails(cuteLeafShapeDiv(context, min, less), "overflows 64 bits");
  assertFails(cuteLeafAbs(context, min), "overflows 64 bits");
  assert_ptr_equal(cuteLeafMod(context, min, less), integer(0));
  assert_ptr_equal(cuteLeafMul(context, max, one), max);
  assert_ptr_equal(cuteLeafMul(context, integer(INT64_C(1) << 31), two),
                   integer(INT64_C(1) << 32));
}

static void rejects(void **state) {
  (void)state;
  static Binary *const all[] = {
      cuteLeafAdd,     cuteLeafSub, cuteLeafMul, cuteLeafDiv, cuteLeafMod,
      cuteLeafCeilDiv, cuteLeafMin, cuteLeafAnd, cuteLeafXor, cuteLeafShapeDiv};
  static Binary *const quotients[] = {cuteLeafDiv, cuteLeafMod, cuteLeafCeilDiv,
                                      cuteLeafShapeDiv};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    assertFails(all[i](context, tuple("x"), integer(3)), "not an integer: x");
    assertFails(all[i](context, integer(3), tuple("_")), "not an integer: _");
    assertFails(all[i](context, tuple("?"), tuple("(1,2)")), "(1,2)");
    forgetError();
    char before[200];
    snprintf(before, sizeof before, "%s", cuteContextGetError(context));
    assert_null(all[i](context, NULL, integer(3)));
    assert_null(all[i](context, integer(3), NULL));
    assert_string_equal(cuteContextGetError(context), before);
  }
  for (size_t i = 0; i < sizeof quotients / sizeof *quotients; ++i) {
    assertFails(quotients[i](context, integer(3), integer(0)),
                "division by zero of 3");
    assertFails(quotients[i](context, tuple("?"), integer(0)),
                "division by zero of ?");
  }
}

//===-- Dynamic -----------------------------------------------------------===//

static void foldsAndWidths(void **state) {
  (void)state;
  static const struct {
    Binary *op;
    const char *a, *b, *result;
  } cases[] = {
      {cuteLeafAdd, "?", "0", "?"},
      {cuteLeafAdd, "0", "?{i64}", "?{i64}"},
      {cuteLeafAdd, "?", "4294967296", "?{i64}"},
      {cuteLeafAdd, "?", "?{i64}", "?{i64}"},
      {cuteLeafAdd, "?{i8}", "?{i16}", "?{i16}"},
      {cuteLeafAdd, "?{i8}", "1", "?"},
      {cuteLeafSub, "?", "0", "?"},
      {cuteLeafSub, "0", "?", "?"},
      {cuteLeafMul, "?{i64}", "0", "0"},
      {cuteLeafMul, "0", "?", "0"},
      {cuteLeafMul, "1", "?{i64}", "?{i64}"},
      {cuteLeafMul, "?", "4294967296", "?{i64}"},
      {cuteLeafDiv, "?", "1", "?"},
      {cuteLeafDiv, "0", "?", "0"},
      {cuteLeafMod, "?", "1", "0"},
      {cuteLeafMod, "?", "-1", "0"},
      {cuteLeafMod, "0", "?", "0"},
      {cuteLeafCeilDiv, "?", "1", "?"},
      {cuteLeafCeilDiv, "0", "?", "0"},
      {cuteLeafMin, "?", "1", "?"},
      {cuteLeafShapeDiv, "?", "1", "?"},
      {cuteLeafShapeDiv, "0", "?", "0"},
      {cuteLeafShapeDiv, "1", "?", "?"},
      {cuteLeafMin, "?", "?", "?"},
      {cuteLeafAnd, "?", "0", "?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertTuple(cases[i].op(context, tuple(cases[i].a), tuple(cases[i].b)),
                cases[i].result);
}

static void scaledBases(void **state) {
  (void)state;
  CuteIntTuple basis = stride("6@1@0"), three = integer(3);
  assertTuple(cuteLeafMul(context, basis, three), "18@1@0");
  assertTuple(cuteLeafMul(context, three, basis), "18@1@0");
  assertTuple(cuteLeafDiv(context, basis, three), "2@1@0");
  assertTuple(cuteLeafShapeDiv(context, basis, three), "2@1@0");
  assertTuple(cuteLeafAbs(context, stride("-6@1")), "6@1");
  assertTuple(cuteLeafMul(context, stride("?@1"), integer(0)), "0@1");
  assertFails(cuteLeafAdd(context, basis, three), "add: not an integer: 6@1@0");
  assertFails(cuteLeafMul(context, basis, basis),
              "a scaled basis times another: 6@1@0 and 6@1@0");
}

static int64_t valueOfMultiple(int64_t divisor, int64_t k) {
  return divisor * k;
}

// Whatever multiples stand for the operands, the result is a multiple of the
// divisor that is claimed for it.
static void divisorsHold(void **state) {
  (void)state;
  static Binary *const all[] = {cuteLeafAdd, cuteLeafSub,     cuteLeafMul,
                                cuteLeafDiv, cuteLeafMod,     cuteLeafCeilDiv,
                                cuteLeafMin, cuteLeafShapeDiv};
  bool tracked = cuteContextTrackDivisors(context, true);
  for (int i = 0; i < 2000; ++i) {
    Binary *op = all[i % 8];
    int64_t da = pick(1, 24), db = pick(1, 24);
    int64_t a = valueOfMultiple(da, pick(1, 6));
    int64_t b = valueOfMultiple(db, pick(1, 6));
    bool isDynamicB = pick(0, 1);
    CuteIntTuple dynamic =
        op(context, cuteIntTupleGetDynamic(context, 32, da),
           isDynamicB ? cuteIntTupleGetDynamic(context, 32, db) : integer(b));
    CuteIntTuple exact = op(context, integer(a), integer(b));
    if (!exact) // shape_div
      continue;
    assert_non_null(dynamic);
    int64_t claimed = cuteLeafDivisor(dynamic);
    if (claimed ? exact->value % claimed : exact->value)
      fail_msg("operation %d on %lld = %lld k and %lld = %lld k: %lld is not a "
               "multiple of %lld",
               i % 8, (long long)a, (long long)da, (long long)b, (long long)db,
               (long long)exact->value, (long long)claimed);
  }
  cuteContextTrackDivisors(context, tracked);
}

// Without tracking, only a divisor that was written is carried on.
static void divisorsAreFollowedWhereWritten(void **state) {
  (void)state;
  CuteIntTuple eight = tuple("?{div=8}"), plain = tuple("?");
  assertTuple(cuteLeafMul(context, plain, integer(4)), "?");
  assertTuple(cuteLeafMul(context, eight, integer(4)), "?{div=32}");
  assertTuple(cuteLeafAdd(context, eight, integer(12)), "?{div=4}");
  assertTuple(cuteLeafDiv(context, eight, integer(2)), "?{div=4}");
  assertTuple(cuteLeafDiv(context, eight, integer(16)), "?");
  assertTuple(cuteLeafMin(context, eight, integer(12)), "?{div=4}");
  bool tracked = cuteContextTrackDivisors(context, true);
  assertTuple(cuteLeafMul(context, plain, integer(4)), "?{div=4}");
  assert_true(cuteContextTrackDivisors(context, tracked));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matchesIntegers),
      cmocka_unit_test(shapeDivNeedsDivisibility),
      cmocka_unit_test(unaryAndShifts),
      cmocka_unit_test(overflowIsAnError),
      cmocka_unit_test(rejects),
      cmocka_unit_test(foldsAndWidths),
      cmocka_unit_test(scaledBases),
      cmocka_unit_test(divisorsHold),
      cmocka_unit_test(divisorsAreFollowedWhereWritten),
  };
  return RUN_TESTS(tests);
}
