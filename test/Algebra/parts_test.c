// Modes taken apart and put together, of tuples and of layouts.
#include "algebra_test_util.h"

enum { MAX_PATH = 4 };

typedef struct Path {
  size_t length;
  int32_t modes[MAX_PATH];
} Path;

static CuteIntTuple get(const char *text, Path path) {
  return cuteIntTupleGetAt(context, tuple(text), path.length, path.modes);
}

static void getFollowsThePath(void **state) {
  (void)state;
  assertTuple(get("(2,(3,?))", (Path){2, {1, 1}}), "?");
  assertTuple(get("(2,(3,?))", (Path){0, {0}}), "(2,(3,?))");
  assertTuple(get("5", (Path){1, {0}}), "5");
  assertTuple(get("(_,(1))", (Path){1, {1}}), "(1)");
  assertFails(get("5", (Path){2, {0, 0}}),
              "the path continues after the leaf 5");
  assertFails(get("(5,6)", (Path){2, {1, 0}}),
              "the path continues after the leaf 6");
  assertFails(get("(5,6)", (Path){1, {2}}), "get: mode 2 is not in [0, 2)");
  assertFails(get("(5,6)", (Path){1, {-1}}), "get: mode -1 is not in [0, 2)");
  assertFails(get("()", (Path){1, {0}}), "get: mode 0 is not in [0, 0)");
  const int32_t path[] = {0, 1};
  assertLayout(cuteLayoutGetAt(context, layout("((2,3),4)"), 2, path), "3:2");
  assertLayout(cuteLayoutGetAt(context, layout("S<2,1,3> o 3 o (2,4):(4,1)"), 1,
                               path + 1),
               "S<2,1,3> o 3 o 4:1");
  assertLayout(cuteLayoutGetAt(context, layout("((2,?),8):((1,2),?)"), 2, path),
               "?:2");
  assertFails(cuteLayoutGetAt(context, layout("4:1"), 1, path + 1),
              "get: mode 1 is not in [0, 1)");
}

static void selectTakesModes(void **state) {
  (void)state;
  const int32_t modes[] = {2, 0}, same[] = {0, 0}, bad[] = {3}, low[] = {-1};
  assertTuple(cuteIntTupleSelect(context, tuple("(6,5,9)"), 2, modes), "(9,6)");
  assertTuple(cuteIntTupleSelect(context, tuple("(6,5,9)"), 1, modes), "(9)");
  assertTuple(cuteIntTupleSelect(context, tuple("7"), 1, same), "(7)");
  assertTuple(cuteIntTupleSelect(context, tuple("(2,3)"), 0, NULL), "()");
  assertLayout(cuteLayoutSelect(context, layout("5:2"), 2, same),
               "(5,5):(2,2)");
  assertLayout(cuteLayoutSelect(context, layout("S<2,1,3> o 3 o (2,4):(4,1)"),
                                1, modes + 1),
               "S<2,1,3> o 3 o (2):(4)");
  assertFails(cuteIntTupleSelect(context, tuple("(6,5,9)"), 1, bad),
              "select: mode 3 is not in [0, 3)");
  assertFails(cuteLayoutSelect(context, layout("(6,5,9)"), 1, low),
              "select: mode -1 is not in [0, 3)");
}

static void flattenAndGroup(void **state) {
  (void)state;
  static const char *const flat[][2] = {
      {"(2,(3,(4,?)))", "(2,3,4,?)"},
      {"((5))", "(5)"},
      {"5", "5"},
      {"((),2)", "(2)"},
      {"(_,(1,_))", "(_,1,_)"},
      {"()", "()"},
  };
  for (size_t i = 0; i < sizeof flat / sizeof *flat; ++i)
    assertTuple(cuteIntTupleFlatten(context, tuple(flat[i][0])), flat[i][1]);
  assertTuple(cuteIntTupleGroup(context, tuple("(2,3,?)"), 0, 2), "((2,3),?)");
  assertTuple(cuteIntTupleGroup(context, tuple("(5,6,7)"), 1, 2), "(5,(6),7)");
  assertTuple(cuteIntTupleGroup(context, tuple("5"), 0, 1), "(5)");
  assertLayout(cuteLayoutGroup(context, layout("(2,3,?):(1,2,6)"), 0, 2),
               "((2,3),?):((1,2),6)");
  static const int64_t bad[][2] = {
      {2, 2}, {0, 4}, {-1, 2}, {2, 1}, {INT64_MIN, INT64_MAX}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assertFails(
        cuteLayoutGroup(context, layout("(5,6,7)"), bad[i][0], bad[i][1]),
        "is not a range of modes in a rank of 3");
    assertFails(
        cuteIntTupleGroup(context, tuple("(5,6,7)"), bad[i][0], bad[i][1]),
        "group_modes: [");
  }
}

static void appendAndPrependToRank(void **state) {
  (void)state;
  CuteIntTuple two = tuple("(5,7)"), one = integer(1);
  CuteIntTuple nested = tuple("(1,2)");
  assertTuple(cuteIntTupleAppendToRank(context, two, 4, one), "(5,7,1,1)");
  assertTuple(cuteIntTuplePrependToRank(context, two, 4, one), "(1,1,5,7)");
  assertTuple(cuteIntTupleAppendToRank(context, two, 1, one), "(5,7)");
  assertTuple(cuteIntTupleAppendToRank(context, integer(7), 2, nested),
              "(7,(1,2))");
  assertTuple(cuteIntTupleAppendToRank(context, tuple("()"), 2, integer(3)),
              "(3,3)");
  assertLayout(cuteLayoutAppendToRank(context, layout("6:5"), 3, layout("1:0")),
               "(6,1,1):(5,0,0)");
  assertLayout(cuteLayoutAppendToRank(context, layout("6:5"), 1, layout("1:0")),
               "6:5");
  assertLayout(cuteLayoutPrependToRank(context,
                                       layout("S<2,1,3> o 0 o (8,8):(8,1)"), 3,
                                       layout("1:0")),
               "S<2,1,3> o 0 o (1,8,8):(0,8,1)");
  static const int64_t bad[] = {0, -1, INT64_MIN, INT64_MAX, (1 << 20) + 1};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assertFails(cuteIntTupleAppendToRank(context, two, bad[i], one),
                "append_to_rank: rank");
    assertFails(
        cuteLayoutPrependToRank(context, layout("6:5"), bad[i], layout("1:0")),
        "prepend_to_rank: rank");
  }
  assertFails(cuteLayoutAppendToRank(context, layout("6:5"), 2,
                                     layout("S<1,0,1> o 0 o 4:1")),
              "append_to_rank: the element must be a plain layout");
}

static void edits(void **state) {
  (void)state;
  CuteLayout a = layout("(4,5,6):(1,4,20)"), e = layout("(2,3):(7,8)");
  CuteLayout swizzled = layout("S<1,0,1> o 2 o (4,5):(1,4)");
  assertLayout(cuteLayoutTake(context, a, 1, 3), "(5,6):(4,20)");
  assertLayout(cuteLayoutTake(context, a, 0, 1), "(4):(1)");
  assertLayout(cuteLayoutAppend(context, a, e), "(4,5,6,(2,3)):(1,4,20,(7,8))");
  assertLayout(cuteLayoutPrepend(context, layout("4:1"), e),
               "((2,3),4):((7,8),1)");
  assertLayout(cuteLayoutReplace(context, a, 1, e), "(4,(2,3),6):(1,(7,8),20)");
  assertLayout(cuteLayoutReplace(context, layout("4:1"), 0, e), "(2,3):(7,8)");
  assertLayout(cuteLayoutReplace(context, swizzled, 0, e),
               "S<1,0,1> o 2 o ((2,3),5):((7,8),4)");
  assertLayout(cuteLayoutZip(context, layout("(4,5):(1,4)"), e),
               "((4,2),(5,3)):((1,7),(4,8))");
  assertLayout(cuteLayoutZip(context, layout("4:1"), layout("5:2")),
               "(4,5):(1,2)");
  assertLayout(cuteLayoutUnflatten(context, a, tuple("(_,(_,_))")),
               "(4,(5,6)):(1,(4,20))");
  assertFails(cuteLayoutTake(context, a, 1, 4), "take: [1, 4)");
  assertFails(cuteLayoutTake(context, a, 1, 1), "take: [1, 1)");
  assertFails(cuteLayoutTake(context, a, -1, 2), "take: [-1, 2)");
  assertFails(cuteLayoutReplace(context, a, 3, e), "mode 3 is not in [0, 3)");
  assertFails(cuteLayoutReplace(context, a, -1, e), "mode -1");
  assertFails(cuteLayoutAppend(context, a, swizzled), "append: the element");
  assertFails(cuteLayoutPrepend(context, a, swizzled), "prepend: the element");
  assertFails(cuteLayoutReplace(context, a, 0, swizzled), "replace: the ele");
  assertFails(cuteLayoutZip(context, e, swizzled), "zip: the element");
  assertFails(cuteLayoutZip(context, a, e),
              "zip: needs operands of equal rank, not (4,5,6)");
  assertFails(cuteLayoutZip(context, layout("4:1"), layout("(4):(1)")), "zip");
  assertFails(cuteLayoutUnflatten(context, a, tuple("(_,_)")), "unflatten");
  assertFails(cuteLayoutUnflatten(context, layout("((4,5),6)"), tuple("(_,_)")),
              "unflatten: the modes of ((4,5),6)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(getFollowsThePath),
      cmocka_unit_test(selectTakesModes),
      cmocka_unit_test(flattenAndGroup),
      cmocka_unit_test(appendAndPrependToRank),
      cmocka_unit_test(edits),
  };
  return RUN_TESTS(tests);
}
