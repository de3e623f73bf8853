// The checks of the laws agree with evaluation at every coordinate, and the
// policies do what they say.
#include "algebra_test_util.h"
#include "cute/Laws.h"

// Runs the test's body from scratch: no warnings, the policy given.
static void usePolicy(CuteLawPolicy policy) {
  cuteContextSetLawPolicy(context, policy);
  cuteContextClearWarnings(context);
}

static bool warned(void) {
  bool has = cuteContextGetNumWarnings(context) > 0;
  cuteContextClearWarnings(context);
  return has;
}

static CuteLayout compose(CuteLayout a, CuteLayout b) {
  return cuteLayoutComposition(context, a, cuteTileGetLayout(context, b));
}

static bool isComposition(CuteLayout a, CuteLayout b, CuteLayout r) {
  bool holds = true;
  for (int64_t c = 0, n = sizeOf(b); c < n; ++c)
    holds &= indexAt(r, c) == indexAt(a, indexAt(b, c));
  return holds;
}

//===-- Exactly where a law fails -----------------------------------------===//

static void compositionsWarnExactly(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 2000; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 5));
    CuteLayout b = randomLayoutOfSize((Strides)(i / 5 % 5), 40);
    CuteLayout r = compose(a, b);
    if (!r)
      continue;
    bool holds = isComposition(a, b, r);
    assertLaw(warned() == !holds, a, b, 0);
    assertLaw(cuteLawOfComposition(context, a, b, r) == holds, a, b, 0);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 250 && unlawful > 20);
}

static void leftInversesWarnExactly(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 2500; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 5));
    CuteLayout r = cuteLayoutLeftInverse(context, a);
    if (!r)
      continue;
    bool holds = true;
    for (int64_t c = 0, n = sizeOf(a); c < n; ++c)
      holds &= indexAt(a, indexAt(r, indexAt(a, c))) == indexAt(a, c);
    assertLaw(warned() == !holds, a, r, 0);
    assertLaw(cuteLawOfLeftInverse(context, a, r) == holds, a, r, 0);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 250 && unlawful > 25);
}

// The same tree with each stride in one of three directions.
static CuteIntTuple inDirections(CuteIntTuple stride) {
  if (cuteIntTupleGetKind(stride) != CUTE_TUPLE)
    return cuteIntTupleGetValue(stride)
               ? cuteIntTupleGetBasis(context, stride, 1,
                                      &(int64_t){pick(0, 2)})
               : stride;
  CuteIntTuple elements[MAX_LEAVES];
  size_t rank = cuteIntTupleGetRank(stride);
  for (size_t i = 0; i < rank; ++i)
    elements[i] = inDirections(cuteIntTupleGetElement(stride, i));
  return cuteIntTupleGetTuple(context, rank, elements);
}

// What the operation decides by divisibility is what evaluation finds.
static void leftInversesOfCoordinatesWarnExactly(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 2500; ++i) {
    CuteLayout plain = randomLayout((Strides)(i % 5));
    CuteLayout a = cuteLayoutGet(context, cuteLayoutGetShape(plain),
                                 inDirections(cuteLayoutGetStride(plain)));
    CuteLayout r = a ? cuteLayoutLeftInverse(context, a) : NULL;
    if (!r)
      continue;
    bool holds = cuteLawOfLeftInverse(context, a, r);
    assertLaw(warned() == !holds, a, r, 0);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 250 && unlawful > 25);
}

static void rightInversesHold(void **state) {
  (void)state;
  for (int i = 0; i < 500; ++i) {
    CuteLayout a = randomLayout((Strides)(i % 5));
    CuteLayout r = cuteLayoutRightInverse(context, a);
    assertLaw(cuteLawOfRightInverse(context, a, r), a, r, 0);
  }
  CuteLayout identity = layout("(4,6):(1@1,1@0)");
  assert_true(cuteLawOfRightInverse(context, identity, layout("(6,4):(4,1)")));
  assertFails(cuteLawOfRightInverse(context, identity, layout("(6,4):(1,6)")),
              "right_inverse: A(R(i)) = i fails for A = (4,6):(1@1,1@0), R = "
              "(6,4):(1,6) at i = 1: 1@1 is not 0@1");
}

static int64_t filteredSize(CuteLayout a) {
  return cuteIntTupleGetValue(
      cuteLayoutGetSize(context, cuteLayoutFilter(context, a, NULL)));
}

static int64_t cosizeOf(CuteLayout a) {
  return cuteIntTupleGetValue(cuteLayoutGetCosize(context, a));
}

static void complementsWarnExactly(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 2500; ++i) {
    CuteLayout a = randomLayoutOfSize((Strides)(i % 5), 24);
    bool hasTarget = i / 5 % 2;
    int64_t target = hasTarget ? pick(1, 300) : cosizeOf(a);
    CuteLayout r =
        cuteLayoutComplement(context, a, hasTarget ? integer(target) : NULL);
    if (!r)
      continue;
    CuteLayout both = pairOf(a, r);
    bool holds =
        sizeOf(r) >= target / filteredSize(a) && cosizeOf(both) >= target;
    assertLaw(warned() == !holds, a, r, target);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 250 && unlawful > 2);
}

static void productsWarnExactly(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 2500; ++i) {
    CuteLayout a = randomLayoutOfSize((Strides)(i % 5), 24);
    CuteLayout b = randomLayoutOfSize((Strides)(i / 5 % 5), 24);
    CuteLayout rest = cuteLayoutComplement(context, a, NULL);
    cuteContextClearWarnings(context);
    CuteLayout r = cuteLayoutLogicalProduct(context, a, b);
    if (!r || !rest)
      continue;
    bool holds = isComposition(rest, b, modeOf(r, 1));
    assertLaw(warned() == !holds, a, b, 0);
    assertLaw(cuteLawOfProduct(context, rest, b, modeOf(r, 1)) == holds, a, b,
              0);
    lawful += holds;
    unlawful += !holds;
  }
  assert_true(lawful > 250 && unlawful > 2);
}

static void ordersWarnExactly(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  int lawful = 0, unlawful = 0;
  for (int i = 0; i < 500; ++i) {
    CuteIntTuple shape[3], order[3];
    for (int k = 0; k < 3; ++k) {
      shape[k] = integer(pick(1, 5));
      order[k] = integer(pick(0, 4));
    }
    CuteLayout r =
        cuteLayoutGetOrdered(context, cuteIntTupleGetTuple(context, 3, shape),
                             cuteIntTupleGetTuple(context, 3, order));
    bool holds = isBijective(r);
    assertLaw(warned() == !holds, r, NULL, 0);
    lawful += holds;
    unlawful += !holds;
    CuteLayout a = randomLayout((Strides)(i % 5));
    CuteLayout like = cuteLayoutGetLike(context, a);
    CuteLayout filtered = cuteLayoutFilterZeros(context, like, NULL);
    assertLaw(warned() == !isBijective(filtered), a, like, 0);
  }
  assert_true(lawful > 25 && unlawful > 25);
}

static void injectivityIsExact(void **state) {
  (void)state;
  CuteLayout block = layout("4:1");
  for (int i = 0; i < 1250; ++i) {
    CuteLayout r = randomLayout((Strides)(i % 5));
    assertLaw(cuteLawOfTileToShape(context, block, r) == isInjective(r), r,
              NULL, 0);
  }
  // A block that is not injective promises nothing.
  assert_true(
      cuteLawOfTileToShape(context, layout("4:0"), layout("(4,2):(0,1)")));
}

//===-- Examples ----------------------------------------------------------===//

static void messages(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_STRICT);
  assertFails(compose(layout("(6,4):(1,10)"), layout("4:4")),
              "composition: R(c) = A(B(c)) fails for A = (6,4):(1,10), B = 4:4 "
              "at c = 2: 10 is not 12");
  assertFails(cuteLayoutComposition(context, layout("((6,4),2):((1,10),60)"),
                                    tile("[4:4;_]")),
              "A = (6,4):(1,10), B = 4:4");
  assertFails(
      cuteLayoutZippedDivide(context, layout("(5,12):(12,1)"), tile("2:1")),
      "divide: R(i,j) = A(T(i) + C(j)) fails for A = (5,12):(12,1), T = 2:1, "
      "C = 36:2 at i = 1 and j = 2: 60 is not 1");
  assertFails(cuteLayoutFlatProduct(context, layout("(8):(4)"),
                                    layout("(8,3,1):(3,1,0)")),
              "product: R(j) = C(B(j)) with the block's complement C fails for "
              "C = (4,1):(1,32), B = (8,3,1):(3,1,0) at j = 2: 32 is not 34");
  assertFails(cuteLayoutProductByMode(context, layout("(5,12,1):(1,5,0)"),
                                      tile("[2:1;(4,1,2):(1,0,4)]"),
                                      CUTE_FORM_LOGICAL),
              "product: R(j) = C(B(j))");
  assertFails(cuteLayoutRakedProduct(context, layout("(1,2):(0,9)"),
                                     layout("(4,6):(6,1)")),
              "product: R(j) = C(B(j))");
  assertFails(cuteLayoutLeftInverse(context, layout("(2,2,2):(3,3,1)")),
              "left_inverse: A(R(A(i))) = A(i) fails for A = (2,2,2):(3,3,1), "
              "R = (3,2):(4,2) at i = 3: 1 is not 6");
  assertFails(
      cuteLayoutComplement(context, layout("(2,10):(1,3)"), integer(30)),
      "complement: cosize((A,R)) >= M fails for A = (2,10):(1,3), R = 1:30: 29 "
      "is less than 30");
  assertFails(
      cuteLayoutComplement(context, layout("(3,8,7,2):(42,127,6,2)"), NULL),
      "complement: size(R) >= M / size(A) fails");
  assertFails(cuteLayoutGetOrdered(context, tuple("(5,9)"), tuple("(0,0)")),
              "make_ordered_layout: a compact bijection fails for R = "
              "(5,9):(1,1): coordinates (1,0) and (0,1) have the same index");
  assertFails(cuteLayoutGetLike(context, layout("(3,5):(16,16)")),
              "make_layout_like: a compact bijection fails");
  assertFails(cuteLayoutTileToShape(context,
                                    layout("(8,3,(1,1),2):(2,48,(1,0),1)"),
                                    tuple("(16,3,4,2)"), NULL),
              "C(B(j))");
}

// The composition behind the common mode may be wrong, not the mode itself.
static void commonModes(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  CuteLayout a = layout("(2,5,2):(1,1,6)"), b = layout("(2,2,6):(1,100,2)");
  assertTuple(cuteLayoutMaxCommonVector(context, a, b), "12");
  assert_true(warned());
  CuteLayout r = cuteLayoutMaxCommonLayout(context, a, b);
  assertLayout(r, "(2,6):(1,4)");
  assert_true(warned() && cuteLawOfRightInverse(context, b, r));
  assert_false(cuteLawOfRightInverse(context, a, r));
  assertTuple(cuteLayoutMaxCommonVector(context, layout("(6,4):(1,10)"),
                                        layout("(4,6):(4,1)")),
              "1");
  assert_false(warned());
  // Coordinates are no indices: nothing to compare.
  assertTuple(cuteLayoutMaxCommonVector(context, layout("8:1"),
                                        layout("(4,2):(1@0,1@1)")),
              "8");
  assert_false(warned());
  usePolicy(CUTE_LAWS_STRICT);
  assertFails(cuteLayoutMaxCommonLayout(context, a, b),
              "max_common: A(R(i)) = B(R(i)) fails for A = (2,5,2):(1,1,6), B "
              "= (2,2,6):(1,100,2), R = (2,6):(1,4) at i = 6: 7 is not 6");
  assertFails(cuteLayoutMaxCommonVector(context, a, b), "max_common");
  for (int i = 0; i < 500; ++i) {
    a = randomLayout((Strides)(i % 5));
    b = randomLayout((Strides)(i / 5 % 5));
    r = cuteLayoutMaxCommonLayout(context, a, b);
    for (int64_t c = 0, n = r ? sizeOf(r) : 0; c < n; ++c)
      assertLaw(indexAt(a, indexAt(r, c)) == c &&
                    indexAt(b, indexAt(r, c)) == c,
                a, b, c);
  }
}

// Laws of results that no operation here gives.
static void wrongResults(void **state) {
  (void)state;
  CuteLayout a = layout("(4,6):(6,1)");
  assertFails(cuteLawOfComposition(context, a, layout("4:1"), layout("4:1")),
              "at c = 1: 1 is not 6");
  assertFails(cuteLawOfComplement(context, layout("4:2"), integer(8),
                                  layout("(2,2):(1,4)")),
              "complement: (A,R) injective fails");
  assertFails(cuteLawOfTileToShape(context, layout("2:1"),
                                   layout("(2,(2,3)):(1,(3,1))")),
              "coordinates (1,(0,0)) and (0,(0,1)) have the same index");
  assertFails(cuteLawOfCompact(context, "name", layout("(2,2):(1,4)")),
              "name: a compact bijection fails for R = (2,2):(1,4): an index "
              "below its size is not taken");
  assert_false(cuteLawOfComposition(context, a, NULL, a));
  assert_false(cuteLawOfCompact(context, "name", NULL));
}

static void scaledBases(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_STRICT);
  CuteLayout identity = layout("(4,(3,5)):(1@0,(1@0@1,1@1@1))");
  assert_non_null(compose(identity, layout("(2,6):(2,4)")));
  assertFails(compose(identity, layout("(3,2):(1,3)")),
              "fails for A = (4,(3,5)):(1@0,(1@0@1,1@1@1)), B = (3,2):(1,3) at "
              "c = 4: 4@0 is not 0@0");
  CuteLayout a = layout("((6,4),8):((1,10),40)");
  assert_non_null(compose(a, layout("(3,2):(2@0,4@1)")));
  assertFails(compose(a, layout("(4,2):(4@0,1@1)")), "at c = 2: 10 is not 12");
}

//===-- Bounds ------------------------------------------------------------===//

static void largeDomains(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_STRICT);
  // 2^43 coordinates, where nothing carries.
  assert_non_null(compose(layout("(1048576,1048576,8):(8,8388608,1)"),
                          layout("(4096,1048576,2048):(256,1048576,0)")));
  // Carries between modes that are one.
  assert_non_null(compose(layout("(65536,65536,65536):(1,65536,4294967296)"),
                          layout("(65537,65536):(1,65537)")));
  // In directions.
  assert_non_null(
      compose(layout("(65536,(65536,65536)):(1@1,(65536@1,1@0))"),
              layout("(65537,(32768,65536)):(1@1@1,(2@0,65536@0@1))")));
  // Wrong in the carries between two modes.
  assertFails(compose(layout("(65536,65536,65536):(1,65536,7)"),
                      layout("(65537,65536):(1,65537)")),
              "composition: R(c) = A(B(c)) fails");
  CuteLayout block = layout("8:1");
  assertFails(
      cuteLawOfTileToShape(context, block, layout("(65536,65536):(1,65535)")),
      "coordinates (65535,0) and (0,1) have the same index");
  assertFails(cuteLawOfTileToShape(context, block,
                                   layout("(9,65536,65536):(0,1,-65535)")),
              "coordinates (0,0,0) and (1,0,0) have the same index");
  assertFails(
      cuteLawOfTileToShape(context, block, layout("(65536,65536):(1,-65535)")),
      "coordinates (0,0) and (65535,1) have the same index");
  assert_true(
      cuteLawOfTileToShape(context, block, layout("(65536,65536):(1,-65536)")));
  assertFails(
      cuteLayoutGetOrdered(context, tuple("(65536,65536)"), tuple("(1,1)")),
      "coordinates");
}

// No overflow is reported as a failure, and nothing takes long.
static void extremes(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_STRICT);
  CuteLayout wide = layout("(4611686018427387904,2):(1,4611686018427387904)");
  CuteLayout steep = layout("(2,2):(9223372036854775807,1)");
  assert_true(cuteLawOfComposition(context, steep, wide, wide));
  assert_true(cuteLawOfLeftInverse(context, wide, wide));
  assert_true(cuteLawOfTileToShape(context, steep, steep));
  enum { MANY = 1 << 15 };
  CuteIntTuple *ones = malloc(MANY * sizeof *ones);
  for (size_t i = 0; i < MANY; ++i)
    ones[i] = integer(i % 1024 ? 1 : 2);
  CuteLayout many =
      cuteLayoutGet(context, cuteIntTupleGetTuple(context, MANY, ones), NULL);
  assert_true(cuteLawOfComposition(context, layout("8:3"), many, many) ||
              strstr(cuteContextGetError(context), "composition"));
  assert_true(cuteLawOfCompact(context, "name", many));
  for (size_t i = 0; i < MANY; ++i)
    ones[i] =
        cuteIntTupleGetBasis(context, integer(1), 1, &(int64_t){(int64_t)i});
  CuteLayout bases = cuteLayoutGet(context, cuteLayoutGetShape(many),
                                   cuteIntTupleGetTuple(context, MANY, ones));
  assert_true(cuteLawOfComposition(context, bases, many, bases));
  free(ones);
}

static void dynamicLeaves(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_STRICT);
  assert_non_null(compose(layout("(?,4):(1,10)"), layout("4:4")));
  assert_non_null(
      cuteLayoutLogicalDivide(context, layout("(?,12):(12,1)"), tile("2:1")));
  assert_non_null(
      cuteLayoutGetOrdered(context, tuple("(?,4)"), tuple("(0,0)")));
  // The static modes are enough to tell.
  assertFails(cuteLayoutGetOrdered(context, tuple("(4,?,4)"), tuple("(0,1,0)")),
              "coordinates (1,0,0) and (0,0,1) have the same index");
}

//===-- Policies ----------------------------------------------------------===//

static void policies(void **state) {
  (void)state;
  CuteLayout a = layout("(6,4):(1,10)"), b = layout("4:4");
  CuteContext other = cuteContextCreate();
  assert_int_equal(cuteContextSetLawPolicy(other, CUTE_LAWS_STRICT),
                   CUTE_LAWS_IGNORE);
  assert_int_equal(cuteContextSetLawPolicy(other, CUTE_LAWS_WARN),
                   CUTE_LAWS_STRICT);
  cuteContextDestroy(other);
  usePolicy(CUTE_LAWS_IGNORE);
  assertLayout(compose(a, b), "(2,2):(4,10)");
  assert_int_equal(cuteContextGetNumWarnings(context), 0);
  usePolicy(CUTE_LAWS_WARN);
  for (int i = 0; i < 3; ++i)
    assertLayout(compose(a, b), "(2,2):(4,10)");
  assert_int_equal(cuteContextGetNumWarnings(context), 1);
  assert_non_null(strstr(cuteContextGetWarning(context, 0), "10 is not 12"));
  assert_string_equal(cuteContextGetWarning(context, 1), "");
  usePolicy(CUTE_LAWS_STRICT);
  assert_null(compose(a, b));
  assert_int_equal(cuteContextGetNumWarnings(context), 0);
}

static void warningsAreBounded(void **state) {
  (void)state;
  usePolicy(CUTE_LAWS_WARN);
  for (int64_t i = 0; i < CUTE_MAX_WARNINGS + 10; ++i) {
    CuteIntTuple extents[] = {integer(2 + i), integer(2)};
    cuteLayoutGetOrdered(context, cuteIntTupleGetTuple(context, 2, extents),
                         tuple("(0,0)"));
  }
  assert_int_equal(cuteContextGetNumWarnings(context), CUTE_MAX_WARNINGS);
  cuteContextClearWarnings(context);
  assert_int_equal(cuteContextGetNumWarnings(context), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compositionsWarnExactly),
      cmocka_unit_test(leftInversesWarnExactly),
      cmocka_unit_test(leftInversesOfCoordinatesWarnExactly),
      cmocka_unit_test(rightInversesHold),
      cmocka_unit_test(complementsWarnExactly),
      cmocka_unit_test(productsWarnExactly),
      cmocka_unit_test(ordersWarnExactly),
      cmocka_unit_test(injectivityIsExact),
      cmocka_unit_test(messages),
      cmocka_unit_test(commonModes),
      cmocka_unit_test(wrongResults),
      cmocka_unit_test(scaledBases),
      cmocka_unit_test(largeDomains),
      cmocka_unit_test(extremes),
      cmocka_unit_test(dynamicLeaves),
      cmocka_unit_test(policies),
      cmocka_unit_test(warningsAreBounded),
  };
  return RUN_TESTS(tests);
}
