// Orders and divisibility of int tuples.
#include "algebra_test_util.h"

typedef bool Relation(CuteIntTuple a, CuteIntTuple b);

static void check(Relation *relation, const char *a, const char *b,
                  bool expected) {
  if (relation(tuple(a), tuple(b)) != expected)
    fail_msg("%s and %s: %d expected", a, b, expected);
}

static void elemLess(void **state) {
  (void)state;
  check(cuteIntTupleElemLess, "1", "2", true);
  check(cuteIntTupleElemLess, "2", "2", false);
  check(cuteIntTupleElemLess, "(1,(2,3))", "(2,(3,4))", true);
  check(cuteIntTupleElemLess, "(1,(2,4))", "(2,(3,4))", false);
  check(cuteIntTupleElemLess, "()", "()", true);
  check(cuteIntTupleElemLess, "-1", "0", true);
  check(cuteIntTupleElemLess, "(1,2)", "3", false);
  check(cuteIntTupleElemLess, "1", "(2)", false);
  check(cuteIntTupleElemLess, "(1,2)", "(3,4,5)", false);
}

// In a box of coordinates: colexicographic is the order of the indices.
static void orders(void **state) {
  (void)state;
  CuteIntTuple shape = tuple("(3,(2,2),2)");
  for (int64_t i = 0; i < 24; ++i)
    for (int64_t j = 0; j < 24; ++j) {
      CuteIntTuple a = cuteIdx2Crd(context, integer(i), shape);
      CuteIntTuple b = cuteIdx2Crd(context, integer(j), shape);
      assert_int_equal(cuteIntTupleColexLess(a, b), i < j);
      CuteIntTuple x[4], y[4];
      cuteIntTupleGetLeaves(a, x);
      cuteIntTupleGetLeaves(b, y);
      size_t k = 0;
      while (k < 4 && x[k] == y[k])
        ++k;
      bool less =
          k < 4 && cuteIntTupleGetValue(x[k]) < cuteIntTupleGetValue(y[k]);
      assert_int_equal(cuteIntTupleLexLess(a, b), less);
    }
  check(cuteIntTupleLexLess, "(1,2)", "(1,2,0)", true);
  check(cuteIntTupleLexLess, "(1,2,0)", "(1,2)", false);
  check(cuteIntTupleLexLess, "(2)", "(1,2)", false);
  check(cuteIntTupleColexLess, "(1,2)", "(0,1,2)", true);
  check(cuteIntTupleColexLess, "(0,1,2)", "(1,2)", false);
  check(cuteIntTupleLexLess, "(1,?)", "(1,2)", false);
  check(cuteIntTupleLexLess, "1", "(2)", false);
}

static void compatible(void **state) {
  (void)state;
  check(cuteIntTupleIsCompatible, "24", "(4,6)", true);
  check(cuteIntTupleIsCompatible, "24", "(4,(2,3))", true);
  check(cuteIntTupleIsCompatible, "(4,6)", "(4,(2,3))", true);
  check(cuteIntTupleIsCompatible, "(4,6)", "24", false);
  check(cuteIntTupleIsCompatible, "(4,6)", "(6,4)", false);
  check(cuteIntTupleIsCompatible, "(24)", "24", false);
  check(cuteIntTupleIsCompatible, "1", "()", true);
  check(cuteIntTupleIsCompatible, "?", "?", false);
  check(cuteIntTupleIsCompatible, "(4,?)", "(4,6)", false);
  check(cuteIntTupleIsCompatible, "0", "(4294967296,4294967296)", false);
}

static void evenlyDivides(void **state) {
  (void)state;
  check(cuteIntTupleEvenlyDivides, "24", "6", true);
  check(cuteIntTupleEvenlyDivides, "24", "7", false);
  check(cuteIntTupleEvenlyDivides, "(4,6)", "12", true);
  check(cuteIntTupleEvenlyDivides, "((1,2),(8,10))", "(1,5)", false);
  check(cuteIntTupleEvenlyDivides, "((1,2),(8,10))", "(1,16)", true);
  check(cuteIntTupleEvenlyDivides, "(4,6)", "(2,3)", true);
  check(cuteIntTupleEvenlyDivides, "(4,6)", "(3,2)", false);
  check(cuteIntTupleEvenlyDivides, "(4,(2,3),5)", "(4,6)", true);
  check(cuteIntTupleEvenlyDivides, "(4,6)", "(4,6,1)", false);
  check(cuteIntTupleEvenlyDivides, "24", "0", false);
  check(cuteIntTupleEvenlyDivides, "?", "1", false);
  check(cuteIntTupleEvenlyDivides, "24", "?", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elemLess),
      cmocka_unit_test(orders),
      cmocka_unit_test(compatible),
      cmocka_unit_test(evenlyDivides),
  };
  return RUN_TESTS(tests);
}
