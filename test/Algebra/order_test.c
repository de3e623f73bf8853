// Layouts whose strides follow an order: identity, ordered, like, fragments.
#include "algebra_test_util.h"

static CuteIntTuple randomExtents(int64_t budget) {
  return randomShape(3, false, &budget);
}

static void identityGivesTheCoordinate(void **state) {
  (void)state;
  for (int i = 0; i < 100; ++i) {
    CuteIntTuple extents[] = {randomExtents(20), randomExtents(20)};
    CuteIntTuple shape = cuteIntTupleGetTuple(context, 2, extents);
    CuteLayout a = cuteLayoutGetIdentity(context, shape);
    CuteIntTuple size = cuteIntTupleProduct(context, shape);
    for (int64_t c = 0; c < cuteIntTupleGetValue(size); ++c)
      assertLaw(cuteLayoutEval(context, a, integer(c)) ==
                    cuteIdx2Crd(context, integer(c), shape),
                a, a, c);
  }
  assertLayout(cuteLayoutGetIdentity(context, tuple("((2,?),4)")),
               "((2,?),4):((1@0@0,1@1@0),1@1)");
  assertLayout(cuteLayoutGetIdentity(context, tuple("7")), "7:1");
  assertLayout(cuteLayoutGetIdentity(context, tuple("(7)")), "(7):(1@0)");
  assertLayout(cuteLayoutGetIdentity(context, tuple("(1,4)")),
               "(1,4):(1@0,1@1)");
  assertFails(cuteLayoutGetIdentity(context, tuple("(4,0)")),
              "positive integer, not 0");
}

// Distinct keys give a bijection whose strides grow with the keys.
static void orderedFollowsItsKeys(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteIntTuple extents[4];
    int64_t keys[4], budget = 200;
    size_t rank = (size_t)pick(1, 4);
    CuteIntTuple order[4];
    for (size_t k = 0; k < rank; ++k) {
      extents[k] = randomShape(1, false, &budget);
      keys[k] = (int64_t)k + 7 * pick(-3, 3);
      order[k] = integer(keys[k]);
    }
    CuteIntTuple shape = cuteIntTupleGetTuple(context, rank, extents);
    CuteLayout a = cuteLayoutGetOrdered(
        context, shape, cuteIntTupleGetTuple(context, rank, order));
    assertLaw(a && isBijective(a), a, a, i);
    for (size_t k = 0; k < rank; ++k)
      for (size_t j = 0; j < rank; ++j) {
        Leaves low = leavesOf(modeOf(a, (int32_t)k));
        Leaves high = leavesOf(modeOf(a, (int32_t)j));
        for (size_t x = 0; x < low.count && keys[k] < keys[j]; ++x)
          for (size_t y = 0; y < high.count; ++y)
            assertLaw(low.extent[x] == 1 || high.extent[y] == 1 ||
                          low.stride[x] < high.stride[y],
                      a, a, k);
      }
  }
}

// A compact layout is its own likeness; gaps are closed in place.
static void likeKeepsTheOrder(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(INJECTIVE_STRIDES);
    CuteLayout r = cuteLayoutGetLike(context, a);
    assertLaw(r && isBijective(r), a, r, 0);
    assertLaw(cuteLayoutGetLike(context, r) == r, a, r, 0);
    Leaves from = leavesOf(a), to = leavesOf(r);
    for (size_t x = 0; x < from.count; ++x)
      for (size_t y = 0; y < from.count; ++y)
        assertLaw(from.extent[x] == 1 || from.extent[y] == 1 ||
                      (from.stride[x] < from.stride[y]) ==
                          (to.stride[x] < to.stride[y]),
                  a, r, x);
  }
}

// Every value of a fragment has its own register, mode 0 comes first.
static void fragmentsAreCompact(void **state) {
  (void)state;
  for (int i = 0; i < 300; ++i) {
    CuteLayout a = randomLayout(INJECTIVE_STRIDES);
    CuteLayout r = cuteLayoutGetFragmentLike(context, a);
    assertLaw(r && isBijective(r), a, r, 0);
    assertLaw(cuteIntTupleFlatten(context, cuteLayoutGetShape(r)) ==
                  cuteIntTupleFlatten(context, cuteLayoutGetShape(a)),
              a, r, 0);
    if (cuteIntTupleGetKind(cuteLayoutGetShape(a)) != CUTE_TUPLE)
      continue;
    CuteLayout first = modeOf(r, 0);
    for (int64_t c = 0, n = sizeOf(first); c < n; ++c)
      assertLaw(indexAt(first, c) == c, a, r, c);
  }
}

static void columnAndRowMajor(void **state) {
  (void)state;
  for (int i = 0; i < 100; ++i) {
    CuteIntTuple shape = randomExtents(200);
    CuteLayout left = cuteLayoutGet(context, shape, NULL);
    CuteLayout right = cuteLayoutGetRight(context, shape);
    Leaves l = leavesOf(left), r = leavesOf(right);
    int64_t end = 1;
    for (size_t k = 0; k < l.count; ++k) {
      assertLaw(l.stride[k] == (l.extent[k] == 1 ? 0 : end), left, left, k);
      end *= l.extent[k];
    }
    end = 1;
    for (size_t k = r.count; k-- > 0;) {
      assertLaw(r.stride[k] == (r.extent[k] == 1 ? 0 : end), right, right, k);
      end *= r.extent[k];
    }
  }
  assertLayout(cuteLayoutGetRight(context, tuple("(3,(?,5),1)")),
               "(3,(?,5),1):(?,(5,1),0)");
  assertFails(cuteLayoutGetRight(context, tuple("(4,0)")), "not 0");
  assertFails(cuteLayoutGetRight(context, tuple("(4,4611686018427387904)")),
              "overflows 64 bits");
}

static void examples(void **state) {
  (void)state;
  static const char *const ordered[][3] = {
      {"(2,3,4)", "(2,0,1)", "(2,3,4):(12,1,3)"},
      {"((2,3),4)", "(1,0)", "((2,3),4):((4,8),1)"},
      {"((2,3),4)", "((2,0),1)", "((2,3),4):((12,1),3)"},
      {"(2,?,4)", "(1,0,2)", "(2,?,4):(?,1,?)"},
      {"(2,3,4)", "(0,0,0)", "(2,3,4):(1,1,1)"},
      {"(2,1,4)", "(1,0,2)", "(2,1,4):(1,0,2)"},
  };
  static const char *const like[][2] = {
      {"(2,3,4):(12,4,1)", "(2,3,4):(12,4,1)"},
      {"(2,3,4):(?,1,0)", "(2,3,4):(3,1,0)"},
      {"(2,3,4):(?,?,1)", "(2,3,4):(4,8,1)"},
      {"(2,?,4):(1,8,2)", "(2,?,4):(1,8,2)"},
      {"(?,?,3):(?,?,?)", "(?,?,3):(1,?,?)"},
      {"(2,3):(5,5)", "(2,3):(1,1)"},
      {"(2,3):(-4,1)", "(2,3):(1,2)"},
      {"(1,3):(7,1)", "(1,3):(0,1)"},
      {"4:?", "4:1"},
      {"S<2,1,3> o 0 o (8,8):(16,1)", "(8,8):(8,1)"},
  };
  static const char *const fragments[][2] = {
      {"((2,2),3,4):((9,1),8,2)", "((2,2),3,4):((1,2),16,4)"},
      {"((2,2),3,4):((0,1),8,2)", "((2,2),3,4):((0,1),8,2)"},
      {"(2,3,4):(?,?,1)", "(2,3,4):(1,8,2)"},
      {"(2,1,4):(1,8,2)", "(2,1,4):(1,0,2)"},
      {"(2,4):(1@0,1@1)", "(2,4):(1,2)"},
      {"5:3", "5:1"},
  };
  for (size_t i = 0; i < sizeof ordered / sizeof *ordered; ++i)
    assertLayout(cuteLayoutGetOrdered(context, tuple(ordered[i][0]),
                                      tuple(ordered[i][1])),
                 ordered[i][2]);
  for (size_t i = 0; i < sizeof like / sizeof *like; ++i)
    assertLayout(cuteLayoutGetLike(context, layout(like[i][0])), like[i][1]);
  for (size_t i = 0; i < sizeof fragments / sizeof *fragments; ++i)
    assertLayout(cuteLayoutGetFragmentLike(context, layout(fragments[i][0])),
                 fragments[i][1]);
}

static void rejects(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"(2,3)", "(0,?)", "make_ordered_layout: order (0,?)"},
      {"2", "(0)", "make_ordered_layout: order (0)"},
      {"(2,3)", "(0,1,2)", "make_ordered_layout: order (0,1,2)"},
      {"(2,3)", "(0,_)", "make_ordered_layout: order (0,_)"},
      {"(0,3)", "(0,1)", "not 0"},
      {"(4611686018427387904,4,2)", "(0,1,2)", "overflows 64 bits"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assertFailsFor(
        cases[i][1],
        cuteLayoutGetOrdered(context, tuple(cases[i][0]), tuple(cases[i][1])),
        cases[i][2]);
  assertFails(cuteLayoutGetLike(context, layout("4:1@0")), "make_layout_like");
  assertFails(cuteLayoutGetLike(context, layout("8:1 o 0 o 4:1")),
              "make_layout_like");
  assertFails(
      cuteLayoutGetLike(context, layout("(4611686018427387904,4,2):(1,2,3)")),
      "overflows 64 bits");
  assertFails(cuteLayoutGetFragmentLike(context, layout("(2,?):(1,2)")),
              "make_fragment_like: registers need a static shape, not (2,?)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identityGivesTheCoordinate),
      cmocka_unit_test(orderedFollowsItsKeys),
      cmocka_unit_test(likeKeepsTheOrder),
      cmocka_unit_test(fragmentsAreCompact),
      cmocka_unit_test(columnAndRowMajor),
      cmocka_unit_test(examples),
      cmocka_unit_test(rejects),
  };
  return RUN_TESTS(tests);
}
