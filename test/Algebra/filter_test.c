// What strides of 0 make of a layout, and what two layouts have in common.
#include "algebra_test_util.h"

static bool occursIn(const int64_t *image, int64_t size, int64_t index) {
  return bsearch(&index, image, (size_t)size, sizeof index, compareIndices);
}

// The filtered layout has the same set of indices and no stride of 0.
static void filtersKeepTheIndices(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(ANY_STRIDES);
    CuteLayout zeros = cuteLayoutFilterZeros(context, a, NULL);
    CuteLayout r = cuteLayoutFilter(context, a, NULL);
    assertLaw(zeros &&
                  areSameFunction(cuteLayoutCoalesce(context, zeros, NULL), r),
              a, r, 0);
    int64_t n, m, *image = imageOf(a, &n), *filtered = imageOf(r, &m);
    for (int64_t k = 0; k < n; ++k)
      assertLaw(occursIn(filtered, m, image[k]), a, r, k);
    for (int64_t k = 0; k < m; ++k)
      assertLaw(occursIn(image, n, filtered[k]), a, r, k);
    free(image);
    free(filtered);
    Leaves l = leavesOf(r);
    for (size_t k = 0; k < l.count; ++k)
      assertLaw(l.stride[k] || l.extent[k] == 1, a, r, k);
  }
  assertLayout(
      cuteLayoutFilter(context, layout("(2,(3,4)):(0,(0,6))"), tuple("(_,_)")),
      "(1,4):(0,6)");
  assertLayout(cuteLayoutFilter(context, layout("(2,3):(0,0)"), NULL), "1:0");
  assertLayout(cuteLayoutFilterZeros(context, layout("(2,?):(0,?)"), NULL),
               "(1,?):(0,?)");
  assertFails(cuteLayoutFilter(context, layout("4:1"), tuple("(_,_)")),
              "filter: profile (_,_)");
}

// The nullspace lists every coordinate that only stride-0 modes move.
static void nullspaceMapsToZero(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(POWER_STRIDES);
    CuteLayout r = cuteLayoutNullspace(context, a);
    Leaves l = leavesOf(a);
    int64_t size = 1;
    for (size_t k = 0; k < l.count; ++k)
      size *= l.stride[k] ? 1 : l.extent[k];
    assertLaw(r && sizeOf(r) == size && isInjective(r), a, r, 0);
    for (int64_t c = 0; c < size; ++c)
      assertLaw(indexAt(a, indexAt(r, c)) == 0, a, r, c);
  }
  assertFails(cuteLayoutNullspace(context, layout("S<2,1,3> o 0 o 8:1")),
              "nullspace: not defined for composed layouts");
  assertFails(
      cuteLayoutNullspace(context, layout("(4611686018427387904,4,2):(1,0,0)")),
      "overflows 64 bits");
}

static void commonLayoutsAgree(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayoutOfSize(COMPACT_STRIDES, 60);
    CuteLayout b = pick(0, 1) ? a : randomLayoutOfSize(COMPACT_STRIDES, 60);
    CuteLayout r = cuteLayoutMaxCommonLayout(context, a, b);
    if (!r) // the shapes do not fit: a composition that fails
      continue;
    for (int64_t c = 0, n = sizeOf(r); c < n; ++c)
      assertLaw(indexAt(a, indexAt(r, c)) == c &&
                    indexAt(b, indexAt(r, c)) == c,
                a, b, c);
    assertLaw(a != b || sizeOf(r) == sizeOf(a), a, r, 0);
    assertLaw(cuteLayoutMaxCommonVector(context, a, b) == integer(sizeOf(r)), a,
              b, 0);
  }
  CuteLayout a = layout("(8,8):(8,1)"), swizzled = layout("S<2,1,3> o 0 o "
                                                          "(8,8):(8,1)");
  assertTuple(cuteLayoutMaxCommonVector(context, a, a), "64");
  assertTuple(cuteLayoutMaxCommonVector(context, swizzled, a), "2");
  assertTuple(cuteLayoutMaxCommonVector(context, a, layout("(8,8):(1,8)")),
              "1");
  assertTuple(cuteLayoutMaxCommonVector(context, a, layout("(8,8):(16,1)")),
              "8");
  assertFails(cuteLayoutMaxCommonVector(context, a, layout("64:1 o 0 o 64:1")),
              "max_common_vector: A must be a swizzle");
}

// Aligned blocks of so many indices lie in the image whole or not at all.
static void alignedBlocksAreWhole(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(i % 2 ? BIT_STRIDES : INJECTIVE_STRIDES);
    CuteIntTuple alignment = cuteLayoutMaxAlignment(context, a);
    if (!alignment)
      continue;
    int64_t n, *image = imageOf(a, &n);
    int64_t block = cuteIntTupleGetValue(alignment);
    for (int64_t k = 0; k < n; ++k)
      for (int64_t j = 0; j < block; ++j)
        assertLaw(occursIn(image, n, image[k] / block * block + j), a, a,
                  block);
    free(image);
  }
  assertTuple(cuteLayoutMaxAlignment(context, layout("(4,4):(1,8)")), "4");
  assertTuple(cuteLayoutMaxAlignment(context, layout("(4,2):(1,6)")), "2");
  assertFails(cuteLayoutMaxAlignment(context, layout("(4,2):(1@0,1@1)")),
              "max_alignment: needs integer strides, not (1@0,1@1)");
  assertTuple(cuteLayoutMaxAlignment(context, layout("(4,4):(1,?{div=8})")),
              "4");
  assertTuple(cuteLayoutMaxAlignment(context, layout("(4,4):(1,?)")), "1");
  assertTuple(cuteLayoutMaxAlignment(context, layout("?{div=4096}:1")), "4096");
  assertTuple(cuteLayoutMaxAlignment(
                  context, layout("(?{div=12},?{div=4}):(?{div=4},1)")),
              "4");
  assertTuple(cuteLayoutMaxAlignment(context, layout("?:?{div=4096}")), "1");
  assertTuple(cuteLayoutMaxAlignment(context, layout("(?{div=6},4):(4,1)")),
              "24");
  assertTuple(cuteLayoutMaxAlignment(context, layout("(?,4):(0,1)")), "4");
}

static void distributesOverTheDomain(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    int64_t budget = 200, wanted = pick(1, 64);
    CuteIntTuple shape = randomShape(2, false, &budget);
    CuteLayout whole = cuteLayoutGet(context, shape, NULL);
    CuteLayout r = cuteDomainDistribute(context, shape, integer(wanted));
    assertLaw(r && wanted % sizeOf(r) == 0 && isInjective(r), whole, r, wanted);
    for (int64_t c = 0, n = sizeOf(r); c < n; ++c)
      assertLaw(indexAt(r, c) < sizeOf(whole), whole, r, c);
  }
  assertLayout(cuteDomainDistribute(context, tuple("(8,6)"), tuple("16")),
               "16:1");
  assertLayout(cuteDomainDistribute(context, tuple("(6,8)"), tuple("16")),
               "(2,8):(1,6)");
  assertFails(cuteDomainDistribute(context, tuple("(6,?)"), tuple("16")),
              "domain_distribute: needs a static shape");
  assertFails(cuteDomainDistribute(context, tuple("6"), tuple("0")),
              "a positive size, not 6 and 0");
}

static void zerosBelowAProfile(void **state) {
  (void)state;
  CuteLayout a = layout("(2,(3,4),5):(0,(0,1),0)");
  assertLayout(cuteLayoutFilterZeros(context, a, tuple("(_,_)")),
               "(1,(1,4),5):(0,(0,1),0)");
  assertLayout(cuteLayoutFilterZeros(context, a, tuple("(_,(_,_),_)")),
               "(1,(1,4),1):(0,(0,1),0)");
  assertFails(cuteLayoutFilterZeros(context, a, tuple("((_,_),_)")),
              "filter: profile (_,_) has more modes than the layout's shape 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zerosBelowAProfile),
      cmocka_unit_test(filtersKeepTheIndices),
      cmocka_unit_test(nullspaceMapsToZero),
      cmocka_unit_test(commonLayoutsAgree),
      cmocka_unit_test(alignedBlocksAreWhole),
      cmocka_unit_test(distributesOverTheDomain),
  };
  return RUN_TESTS(tests);
}
