// Int tuples: construction, structure, limits, and that equal values are one.
#include "algebra_test_util.h"

static CuteIntTuple tupleOf(size_t n, const CuteIntTuple *elements) {
  return cuteIntTupleGetTuple(context, n, elements);
}

static void leaves(void **state) {
  (void)state;
  static const int64_t values[] = {
      0, 1, -1, -64, -65, 4031, 4032, 4096, INT32_MAX, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    CuteIntTuple leaf = cuteIntTupleGetStatic(context, values[i]);
    assert_int_equal(cuteIntTupleGetKind(leaf), CUTE_STATIC);
    assert_int_equal(cuteIntTupleGetValue(leaf), values[i]);
    assert_int_equal(cuteIntTupleGetRank(leaf), 1);
    assert_int_equal(cuteIntTupleGetDepth(leaf), 0);
    assert_int_equal(cuteIntTupleGetNumLeaves(leaf), 1);
    assert_ptr_equal(cuteIntTupleGetElement(leaf, 0), leaf);
    assert_true(cuteIntTupleIsStatic(leaf));
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)values[i]);
    assertTuple(leaf, text);
    assert_ptr_equal(tuple(text), leaf);
  }
}

static void dynamicLeaves(void **state) {
  (void)state;
  CuteIntTuple leaf = cuteIntTupleGetDynamic(context, 64, 8);
  assert_int_equal(cuteIntTupleGetKind(leaf), CUTE_DYNAMIC);
  assert_int_equal(cuteIntTupleGetWidth(leaf), 64);
  assert_int_equal(cuteIntTupleGetNumDynamic(leaf), 1);
  assert_false(cuteIntTupleIsStatic(leaf));
  assert_ptr_equal(leaf, tuple("?{i64 div=8}"));
  assert_ptr_not_equal(leaf, tuple("?{i64}"));
  assert_ptr_not_equal(leaf, tuple("?{div=8}"));
  assertTuple(cuteIntTupleGetDynamic(context, 1, 1), "?{i1}");
  assertTuple(cuteIntTupleGetDynamic(context, 32, INT64_C(1) << 31),
              "?{div=2147483648}");
  static const unsigned widths[] = {0, 2, 7, 31, 63, 65, 128, 256, 288};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    assertFails(cuteIntTupleGetDynamic(context, widths[i], 1),
                "is not a width");
  static const int64_t divisors[] = {
      0, -1, -8, INT64_MIN, INT64_MAX, (INT64_C(1) << 31) + 1};
  for (size_t i = 0; i < sizeof divisors / sizeof *divisors; ++i)
    assertFails(cuteIntTupleGetDynamic(context, 32, divisors[i]),
                "dynamic integer: divisor");
}

static void bases(void **state) {
  (void)state;
  const int64_t path[] = {0, 1};
  CuteIntTuple basis = cuteIntTupleGetBasis(context, integer(4), 2, path);
  assert_int_equal(cuteIntTupleGetKind(basis), CUTE_BASIS);
  assertTuple(basis, "4@1@0");
  assert_ptr_equal(basis, stride("4@1@0"));
  assert_ptr_equal(cuteIntTupleGetBasis(context, integer(4), 0, path),
                   integer(4));
  basis = cuteIntTupleGetBasis(context, tuple("?{i64}"), 1, path);
  assertTuple(basis, "?{i64}@0");
  assert_int_equal(cuteIntTupleGetNumDynamic(basis), 1);
  assertFails(cuteIntTupleGetBasis(context, tuple("_"), 1, path),
              "scaled basis: the value is not an integer");
  assertFails(cuteIntTupleGetBasis(context, tuple("(1)"), 1, path),
              "scaled basis: the value is not an integer");
  assertFails(cuteIntTupleGetBasis(context, basis, 1, path),
              "scaled basis: the value is not an integer");
  static int64_t longPath[CUTE_MAX_DEPTH + 1];
  assertFails(
      cuteIntTupleGetBasis(context, integer(1), CUTE_MAX_DEPTH + 1, longPath),
      "scaled basis: more than 256 modes");
  assert_non_null(
      cuteIntTupleGetBasis(context, integer(1), CUTE_MAX_DEPTH, longPath));
}

static void trees(void **state) {
  (void)state;
  CuteIntTuple inner[] = {integer(2), tuple("?")};
  CuteIntTuple outer[] = {tupleOf(2, inner), tuple("_"), tupleOf(0, NULL)};
  CuteIntTuple tree = tupleOf(3, outer);
  assertTuple(tree, "((2,?),_,())");
  assert_int_equal(cuteIntTupleGetKind(tree), CUTE_TUPLE);
  assert_int_equal(cuteIntTupleGetRank(tree), 3);
  assert_int_equal(cuteIntTupleGetDepth(tree), 2);
  assert_int_equal(cuteIntTupleGetNumLeaves(tree), 3);
  assert_int_equal(cuteIntTupleGetNumDynamic(tree), 1);
  assert_ptr_equal(cuteIntTupleGetElement(tree, 1),
                   cuteIntTupleGetUnderscore(context));
  CuteIntTuple all[3];
  cuteIntTupleGetLeaves(tree, all);
  assert_ptr_equal(all[0], integer(2));
  assert_ptr_equal(all[1], tuple("?"));
  assert_ptr_equal(all[2], tuple("_"));
  assert_int_equal(cuteIntTupleGetRank(tupleOf(0, NULL)), 0);
  assert_int_equal(cuteIntTupleGetDepth(tupleOf(0, NULL)), 1);
  outer[1] = NULL;
  assert_null(tupleOf(3, outer));
}

static void aLeafIsNotATuple(void **state) {
  (void)state;
  CuteIntTuple leaf = integer(5), one = tupleOf(1, &leaf);
  assert_ptr_not_equal(leaf, one);
  assertTuple(one, "(5)");
  assert_ptr_not_equal(tupleOf(1, &one), one);
}

// Random values made twice, by parts and from their text, are one pointer.
static void equalValuesAreOne(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    CuteIntTuple shape = cuteLayoutGetShape(a);
    assert_ptr_equal(tuple(tupleText(shape)), shape);
    assert_ptr_equal(stride(tupleText(cuteLayoutGetStride(a))),
                     cuteLayoutGetStride(a));
    assert_ptr_equal(layout(layoutText(a)), a);
    CuteTile t = cuteTileGetLayout(context, a);
    assert_ptr_equal(tile(tileText(t)), t);
  }
  size_t bytes = cuteContextGetBytes(context);
  for (int i = 0; i < 100; ++i)
    assert_non_null(tuple("((1,2),?{i64 div=8},_)"));
  size_t once = cuteContextGetBytes(context);
  for (int i = 0; i < 100; ++i)
    assert_non_null(tuple("((1,2),?{i64 div=8},_)"));
  assert_true(once > bytes);
  assert_int_equal(cuteContextGetBytes(context), once);
}

static void depthIsLimited(void **state) {
  (void)state;
  CuteIntTuple tree = integer(1);
  for (int i = 0; i < CUTE_MAX_DEPTH; ++i)
    tree = tupleOf(1, &tree);
  assert_non_null(tree);
  assert_int_equal(cuteIntTupleGetDepth(tree), CUTE_MAX_DEPTH);
  assert_ptr_equal(cuteIntTupleProduct(context, tree), integer(1));
  assert_non_null(cuteLayoutGet(context, tree, NULL));
  assertFails(tupleOf(1, &tree), "tuple: nested more than 256 deep");
}

static void leavesAreLimited(void **state) {
  (void)state;
  size_t n = (size_t)CUTE_MAX_LEAVES;
  CuteIntTuple *ones = malloc((n + 1) * sizeof *ones);
  for (size_t i = 0; i <= n; ++i)
    ones[i] = integer(1);
  CuteIntTuple whole = tupleOf(n, ones);
  assert_non_null(whole);
  assert_int_equal(cuteIntTupleGetNumLeaves(whole), n);
  assertFails(tupleOf(n + 1, ones), "tuple: more than 1048576 leaves");
  CuteIntTuple both[] = {whole, integer(1)};
  assertFails(tupleOf(2, both), "tuple: more than 1048576 leaves");
  for (size_t i = 0; i <= n; ++i)
    ones[i] = tupleOf(0, NULL);
  assertFails(tupleOf(n + 1, ones), "tuple: more than 1048576 tuples");
  assertFails(tupleOf(n, ones), "tuple: more than 1048576 tuples");
  free(ones);
}

// Sharing makes trees whose text would fill any memory.
static void emptyTuplesAreLimited(void **state) {
  (void)state;
  CuteIntTuple both[2] = {tupleOf(0, NULL), tupleOf(0, NULL)};
  for (int i = 1; i < 20; ++i)
    both[0] = both[1] = made(tupleOf(2, both), "empty tuples");
  assert_int_equal(cuteIntTupleGetNumLeaves(both[0]), 0);
  assertFails(tupleOf(2, both), "tuple: more than 1048576 tuples");
}

static void congruence(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    bool congruent, weakly;
  } cases[] = {
      {"1", "2", true, true},
      {"1", "(2)", false, true},
      {"(1)", "2", false, false},
      {"(1,2)", "(3,?)", true, true},
      {"(1,2)", "(3,(4,5))", false, true},
      {"(1,(2,3))", "(3,4)", false, false},
      {"(1,2)", "(1,2,3)", false, false},
      {"()", "()", true, true},
      {"()", "1", false, false},
      {"(_,((1)))", "(1,((_)))", true, true},
      {"(1,(2,3),4)", "(1,2,(3,4))", false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CuteIntTuple a = tuple(cases[i].a), b = tuple(cases[i].b);
    assert_int_equal(cuteIntTupleIsCongruent(a, b), cases[i].congruent);
    assert_int_equal(cuteIntTupleIsCongruent(b, a), cases[i].congruent);
    assert_int_equal(cuteIntTupleIsWeaklyCongruent(a, b), cases[i].weakly);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves),
      cmocka_unit_test(dynamicLeaves),
      cmocka_unit_test(bases),
      cmocka_unit_test(trees),
      cmocka_unit_test(aLeafIsNotATuple),
      cmocka_unit_test(equalValuesAreOne),
      cmocka_unit_test(depthIsLimited),
      cmocka_unit_test(leavesAreLimited),
      cmocka_unit_test(emptyTuplesAreLimited),
      cmocka_unit_test(congruence),
  };
  return RUN_TESTS(tests);
}
