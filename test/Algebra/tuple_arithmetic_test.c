// Arithmetic on whole tuples: products, sums, quotients.
#include "algebra_test_util.h"

typedef CuteIntTuple Binary(CuteContext c, CuteIntTuple a, CuteIntTuple b);

static void productIsThatOfTheLeaves(void **state) {
  (void)state;
  for (int i = 0; i < 200; ++i) {
    int64_t budget = 500;
    CuteIntTuple shape = randomShape(3, false, &budget);
    Leaves l = {.count = 0};
    addLeaves(&l, shape, shape);
    assert_ptr_equal(cuteIntTupleProduct(context, shape),
                     integer(sizeOfLeaves(&l)));
    CuteIntTuple each = cuteIntTupleProductEach(context, shape);
    assert_int_equal(cuteIntTupleGetRank(each), cuteIntTupleGetRank(shape));
    for (size_t k = 0; k < cuteIntTupleGetRank(shape); ++k)
      assert_ptr_equal(
          cuteIntTupleGetElement(each, k),
          cuteIntTupleProduct(context, cuteIntTupleGetElement(shape, k)));
    assert_ptr_equal(
        cuteIntTupleSubtract(context, cuteIntTupleAdd(context, shape, shape),
                             shape),
        shape);
  }
}

static void examples(void **state) {
  (void)state;
  static const struct {
    Binary *op;
    const char *a, *b, *result;
  } cases[] = {
      {cuteIntTupleAdd, "(2,?)", "(4,5)", "(6,?)"},
      {cuteIntTupleAdd, "0", "(6,11)", "(6,11)"},
      {cuteIntTupleAdd, "(6,(11))", "0", "(6,(11))"},
      {cuteIntTupleAdd, "(2)", "(4,5)", "(6,5)"},
      {cuteIntTupleAdd, "?", "4294967296", "?{i64}"},
      {cuteIntTupleAdd, "()", "0", "0"},
      {cuteIntTupleAdd, "()", "(1,2)", "(1,2)"},
      {cuteIntTupleSubtract, "(2)", "(4,5)", "(-2,5)"},
      {cuteIntTupleSubtract, "(6,11)", "0", "(6,11)"},
      {cuteIntTupleSubtract, "(2,?)", "(4,0)", "(-2,?)"},
      {cuteIntTupleShapeDiv, "12", "3", "4"},
      {cuteIntTupleShapeDiv, "3", "12", "1"},
      {cuteIntTupleShapeDiv, "-3", "12", "-1"},
      {cuteIntTupleShapeDiv, "0", "5", "0"},
      {cuteIntTupleShapeDiv, "(6,4)", "12", "(1,2)"},
      {cuteIntTupleShapeDiv, "((2,3),4)", "6", "((1,1),4)"},
      {cuteIntTupleShapeDiv, "(6,?)", "12", "(1,?)"},
      {cuteIntTupleShapeDiv, "(?,4)", "12", "(?,?)"},
      {cuteIntTupleShapeDiv, "1", "?", "?"},
      {cuteIntTupleShapeDiv, "((8),6)", "(4,3)", "((2),2)"},
      {cuteIntTupleShapeDiv, "((2,4),6)", "4", "((1,2),6)"},
      {cuteIntTupleCeilDiv, "13", "4", "4"},
      {cuteIntTupleCeilDiv, "(3,4,0)", "2", "(2,4,0)"},
      {cuteIntTupleCeilDiv, "-13", "4", "-3"},
      {cuteIntTupleCeilDiv, "(13,7)", "(4)", "(4,7)"},
      {cuteIntTupleCeilDiv, "(13,7)", "26", "(1,4)"},
      {cuteIntTupleCeilDiv, "13", "(2,3)", "3"},
      {cuteIntTupleCeilDiv, "(?,7)", "8", "(?,?)"},
      {cuteIntTupleCeilDiv, "?{i64}", "6", "?{i64}"},
      {cuteIntTupleCeilDiv, "?{div=64}", "16", "?{div=4}"},
      {cuteIntTupleRoundUp, "(13,7)", "(4,7)", "(16,7)"},
      {cuteIntTupleRoundUp, "(13,7)", "(4)", "(16,7)"},
      {cuteIntTupleRoundUp, "(-13,(8))", "(4,(3))", "(-12,(9))"},
      {cuteIntTupleElemScale, "(2,3)", "((4,5),6)", "(40,18)"},
      {cuteIntTupleElemScale, "7", "(2,(3))", "42"},
      {cuteIntTupleElemScale, "(2,(3,?))", "(1,(?,2))", "(2,(?,?))"},
      {cuteIntTupleInnerProduct, "(1,(2,3))", "(10,(20,30))", "140"},
      {cuteIntTupleInnerProduct, "()", "()", "0"},
      {cuteIntTupleInnerProduct, "(1,?)", "(4,0)", "4"},
      {cuteIntTupleInnerProduct, "(1,?)", "(4,8)", "?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertTuple(cases[i].op(context, tuple(cases[i].a), tuple(cases[i].b)),
                cases[i].result);
}

static void products(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(2,(?,4))", "?", "(2,?)"},
      {"()", "1", "()"},
      {"(?,0)", "0", "(?,0)"},
      {"(5,(2,7))", "70", "(5,14)"},
      {"5", "5", "(5)"},
      {"((),2)", "2", "(1,2)"},
      {"(?,?{i64})", "?{i64}", "(?,?{i64})"},
      {"(4294967296,?)", "?{i64}", "(4294967296,?)"},
      {"(?{div=8},(4,2))", "?{div=64}", "(?{div=8},8)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteIntTuple a = tuple(cases[i][0]);
    assertTuple(cuteIntTupleProduct(context, a), cases[i][1]);
    assertTuple(cuteIntTupleProductEach(context, a), cases[i][2]);
  }
}

static void rejects(void **state) {
  (void)state;
  static const struct {
    Binary *op;
    const char *a, *b, *message;
  } cases[] = {
      {cuteIntTupleAdd, "1", "(2,3)", "cannot pair 1 with (2,3)"},
      {cuteIntTupleAdd, "(2,(3,4))", "(1,0)", "cannot pair (3,4) with 0"},
      {cuteIntTupleAdd, "9223372036854775807", "1", "overflows 64 bits"},
      {cuteIntTupleAdd, "(x)", "(1)", "error leaf in (x)"},
      {cuteIntTupleAdd, "(_)", "(1)", "_"},
      {cuteIntTupleSubtract, "0", "(2,3)", "cannot pair 0 with (2,3)"},
      {cuteIntTupleSubtract, "-9223372036854775808", "1", "overflows 64 bits"},
      {cuteIntTupleShapeDiv, "12", "5", "12 and 5 do not divide one another"},
      {cuteIntTupleShapeDiv, "(6,4)", "4", "do not divide one another"},
      {cuteIntTupleShapeDiv, "?", "0", "division by zero of ?"},
      {cuteIntTupleShapeDiv, "(6,4,5)", "(2,4)", "cannot divide (6,4,5)"},
      {cuteIntTupleShapeDiv, "12", "x", "error leaf"},
      {cuteIntTupleCeilDiv, "(13,7)", "(4,2,1)", "cannot divide (13,7)"},
      {cuteIntTupleCeilDiv, "(0,16)", "2", "division by zero of 2"},
      {cuteIntTupleCeilDiv, "(-3,4)", "2", "division by zero of 4"},
      {cuteIntTupleCeilDiv, "(13,7)", "0", "division by zero"},
      {cuteIntTupleCeilDiv, "13", "(4294967296,4294967296)", "overflows"},
      {cuteIntTupleRoundUp, "13", "(4)", "round_up: cannot pair 13 with (4)"},
      {cuteIntTupleRoundUp, "(13)", "(4,4)", "round_up: cannot pair"},
      {cuteIntTupleRoundUp, "((4),(1))", "((8))", "cannot pair (1) with 1"},
      {cuteIntTupleRoundUp, "13", "0", "division by zero"},
      {cuteIntTupleRoundUp, "9223372036854775807", "2", "overflows"},
      {cuteIntTupleElemScale, "(2,3)", "4", "elem_scale: cannot pair (2,3)"},
      {cuteIntTupleElemScale, "(2,3)", "(4,5,6)", "elem_scale: cannot pair"},
      {cuteIntTupleInnerProduct, "(2,3)", "4", "inner_product: (2,3)"},
      {cuteIntTupleInnerProduct, "(4294967296,1)", "(4294967296,1)",
       "overflows 64 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(cases[i].a,
                   cases[i].op(context, tuple(cases[i].a), tuple(cases[i].b)),
                   cases[i].message);
  assertFails(cuteIntTupleProduct(context, tuple("(2,_)")), "_");
  assertFails(cuteIntTupleProduct(context, tuple("(4611686018427387904,4)")),
              "4611686018427387904 * 4 overflows 64 bits");
  assertTuple(cuteIntTupleProduct(context, tuple("(4611686018427387904,-2)")),
              "-9223372036854775808");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(productIsThatOfTheLeaves),
      cmocka_unit_test(examples),
      cmocka_unit_test(products),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
